"""Small errors in the kernels of the reference, and the source of a file with one of them.

A mutant changes one node: a sign, a number by one, a comparison at its edge, a clamp that is left out, two arguments
that are exchanged, a condition that is turned round. Accelerators, which STABLEHLO_PY_FAST=0 leaves out, and ops that
are not of StableHLO are left alone. Two kinds of numbers are, too: sizes that numpy computes, and factors in bounds of
errors. Bounds have a factor of two to spare, and wider ones cost time alone. Their signs and terms are changed.
"""

from __future__ import annotations

import ast
import copy
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from stablehlo_py.conformance.catalog import families
from stablehlo_py.errors import InputError

ROOT = Path(__file__).resolve().parents[2] / "stablehlo_py" / "interpreter"
LIST = Path(__file__).with_name("equivalent_mutants.txt")
_FOLDERS = ("ops", "element_types")
# Files without results of ops of StableHLO: other dialects, printing, exact arithmetic, complex special values, and
# measures in ULP. The specification says nothing of these.
_LEFT_OUT = (
    "async_collectives",
    "custom_call",
    "deciding",
    "exact",
    "observing",
    "scalars",
    "sharding",
    "special_values",
    "ulp",
)
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
CLAMPS = ("clip", "min", "max", "minimum", "maximum")
# Functions that give the same for any order of their arguments, or that are for Python's types alone.
ANY_ORDER = (
    *("add", "multiply", "logical_and", "logical_or", "bitwise_and", "bitwise_or", "bitwise_xor", "equal", "not_equal"),
    *(
        "hypot",
        "product",
        "complex_product",
        "fma",
        "swapaxes",
        "array_equal",
        "promote_types",
        "result_type",
        "broadcast_shapes",
        "gcd",
        "lcm",
    ),
    *("isinstance", "getattr", "zip", "cast", "two_sum", "two_product", "squares"),
)
# Functions whose third argument is a bound of errors, and variables that hold one.
_BOUNDED, _ERRORS = ("bounds", "Ball"), ("error", "errors", "lost", "radius", "wide")
_HEADERS: dict[type[ast.AST], str] = {ast.If: "test", ast.While: "test", ast.For: "iter"}


@dataclass(frozen=True)
class Mutant:
    """One error.

    Attributes:
        file: The changed file, in the folder of the reference.
        function: The function or method.
        lines: The first and the last line of what is changed.
        kind: What is done to it.
        position: The number of the changed node in the file's tree.
        before: The statement, or the head of one with a body.
        after: The same with the error.
        again: Counts the nodes of a function with the same change.
    """

    file: str
    function: str
    lines: tuple[int, int]
    kind: str
    position: int
    before: str
    after: str
    again: int = 0

    @property
    def name(self) -> str:
        """The name in the list of equivalent mutants. It leaves line numbers out, since lines move."""
        number = f" ({self.again + 1})" if self.again else ""
        return f"{self.file} {self.function}{number}: {self.before} => {self.after}"

    @property
    def whole(self) -> str:
        """The name of all mutants of the function together."""
        return f"{self.file} {self.function}: *"

    def __str__(self) -> str:
        return f"{self.name} [{self.kind}, line {self.lines[0]}]"


def call_name(call: ast.Call) -> str:
    """The name of the function that is called, without what it is an attribute of, and whether it is public or not."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.removeprefix("_")


def _ops_of(function: ast.FunctionDef) -> list[str]:
    """Return the ops that a function is registered for, without the dialect `stablehlo`."""
    calls = [each for each in function.decorator_list if isinstance(each, ast.Call) and call_name(each) == "evaluates"]
    names = [part.value for call in calls for part in call.args if isinstance(part, ast.Constant)]
    return [str(name).removeprefix("stablehlo.") for name in names]


def _variants(node: ast.AST) -> Iterator[str]:
    """The errors that can be made in a node."""
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield "a wrong sign"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "a sign is lost"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "a number is off by one"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        equal = isinstance(node.ops[0], (ast.Eq, ast.NotEq))
        yield "a condition is turned round" if equal else "a bound is off by one"
    elif isinstance(node, ast.BoolOp):
        yield "and and or are exchanged"
    elif isinstance(node, ast.Call) and not any(isinstance(argument, ast.Starred) for argument in node.args):
        name = call_name(node)
        if name in CLAMPS and len(node.args) >= 2:
            yield "a clamp is missing"
        elif len(node.args) >= 2 and name not in ANY_ORDER:
            yield "two arguments are exchanged"


def _changed(node: ast.AST, kind: str) -> ast.AST:
    """The node with the error."""
    if isinstance(node, ast.BinOp):
        node.op = SWAPS[type(node.op)]()  # pyright: ignore[reportAttributeAccessIssue]
    elif isinstance(node, ast.UnaryOp):
        return node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value += 1
    elif isinstance(node, ast.Compare):
        node.ops = [SWAPS[type(node.ops[0])]()]  # pyright: ignore[reportAttributeAccessIssue]
    elif isinstance(node, ast.BoolOp):
        node.op = SWAPS[type(node.op)]()  # pyright: ignore[reportAttributeAccessIssue]
    elif isinstance(node, ast.Call) and kind == "a clamp is missing":
        return node.args[0]
    elif isinstance(node, ast.Call):
        node.args[0], node.args[1] = node.args[1], node.args[0]
    return node


def _with_change(tree: ast.AST, position: int, kind: str) -> ast.AST:
    """The tree with the node of that number changed, which may be the tree itself. The given one is changed too."""
    wanted = list(ast.walk(tree))[position]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return _changed(node, kind) if node is wanted else self.generic_visit(node)

    return ast.fix_missing_locations(Change().visit(tree))


def source_of(mutant: Mutant) -> ast.Module:
    """The file with the error, as a tree."""
    tree = _with_change(ast.parse((ROOT / mutant.file).read_text(encoding="utf-8")), mutant.position, mutant.kind)
    assert isinstance(tree, ast.Module)
    return tree


def _is_code(node: ast.AST) -> bool:
    """Whether the results of valid programs depend on a node: errors and types of variables do not change them."""
    if isinstance(node, (ast.Raise, ast.Assert)) or (isinstance(node, ast.AnnAssign) and node.value is None):
        return False
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and call_name(node.value) == "require_memory":
        return False
    if isinstance(node, ast.FunctionDef) and (ops := _ops_of(node)):
        return any(op in families() for op in ops)
    return not (isinstance(node, ast.If) and all(isinstance(part, ast.Raise) for part in node.body))


def _free_numbers(node: ast.AST) -> Iterator[ast.AST]:
    """The numbers in a node that may be others: -1 for a size that numpy computes, and factors of bounds of errors."""
    if isinstance(node, ast.Call) and call_name(node) in ("reshape", "reshaped"):
        yield from [part for argument in node.args for part in ast.walk(argument) if ast.unparse(argument) == "-1"]
    elif isinstance(node, ast.Tuple) and ast.unparse(node) == "(-1,)":
        yield from ast.walk(node.elts[0])
    elif isinstance(node, ast.Call) and call_name(node) in _BOUNDED:
        yield from [part for argument in node.args[2:] for part in _factors(argument)]
    elif isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        yield from _factors(node.value) if names & {*_ERRORS} else ()


def _factors(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the numbers that an expression calculates with, but no indices."""
    for part in ast.walk(node):
        operands = [part.left, part.right] if isinstance(part, ast.BinOp) else []
        signed = [each.operand if isinstance(each, ast.UnaryOp) else each for each in operands]
        yield from [each for each in (*operands, *signed) if isinstance(each, (ast.Constant, ast.UnaryOp))]


@dataclass(frozen=True)
class _Site:
    """A node of a function's body, with the function's name and the part of its statement that is shown."""

    node: ast.expr
    function: str
    shown: ast.AST
    number: int


def _sites(node: ast.AST, function: str, shown: ast.AST | None, numbers: Mapping[int, int]) -> Iterator[_Site]:
    """Yield the nodes of bodies, without decorators, annotations and defaults."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = f"{function}.{node.name}".lstrip(".")
        inside: list[tuple[ast.AST, ast.AST | None]] = [(part, None) for part in node.body]
    else:
        if isinstance(node, ast.stmt):
            header = _HEADERS.get(type(node))
            shown = getattr(node, header) if header else node
        if function and shown is not None and isinstance(node, ast.expr):
            yield _Site(node, function, shown, numbers[id(node)])
        skipped = getattr(node, "annotation", None)
        parts = [part for part in ast.iter_child_nodes(node) if part is not skipped]
        inside = [(part, shown) for part in parts if not isinstance(part, ast.arguments)]
    for part, statement in inside:
        if _is_code(part):
            yield from _sites(part, function, statement, numbers)


@cache
def mutants_of(path: Path) -> tuple[Mutant, ...]:
    """Every mutant of a file of kernels."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
    found: list[Mutant] = []
    counts: Counter[str] = Counter()
    free = {id(part) for node in ast.walk(tree) for part in _free_numbers(node)}
    for site in _sites(tree, "", None, numbers):
        for kind in _variants(site.node) if id(site.node) not in free else ():
            inner = [id(node) for node in ast.walk(site.shown)].index(id(site.node))
            after = ast.unparse(_with_change(copy.deepcopy(site.shown), inner, kind))
            lines = site.node.lineno, site.node.end_lineno or site.node.lineno
            file, before = path.relative_to(ROOT).as_posix(), ast.unparse(site.shown)
            mutant = Mutant(file, site.function, lines, kind, site.number, one_line(before), one_line(after))
            if mutant.before != mutant.after:
                found.append(replace(mutant, again=counts[mutant.name]))
                counts[mutant.name] += 1
    return tuple(found)


def one_line(text: str) -> str:
    return " ".join(text.split())


def files() -> list[Path]:
    """The files of kernels."""
    found = [path for folder in _FOLDERS for path in sorted((ROOT / folder).glob("*.py"))]
    return [*[path for path in found if path.stem not in _LEFT_OUT], ROOT / "quantization.py"]


def drawn(seed: int) -> Iterator[Mutant]:
    """Draw mutants of all kernels: one of each function that has any, then another one of each, and so on.

    The draw of a function does not depend on others.
    """
    functions: dict[tuple[str, str], list[Mutant]] = {}
    for path in files():
        for mutant in mutants_of(path):
            functions.setdefault((mutant.file, mutant.function.partition(".")[0]), []).append(mutant)
    pools = [random.Random(f"{seed}/{'/'.join(name)}").sample(pool, len(pool)) for name, pool in functions.items()]
    while any(pools):
        yield from [pool.pop() for pool in pools if pool]


def no_errors(path: Path = LIST) -> dict[str, str]:
    """The mutants that change no result that the specification fixes, each with the reason.

    A line of the file is `FILE FUNCTION: BEFORE => AFTER # REASON`, or `FILE FUNCTION: * # REASON` for a whole
    function. Raises InputError for a line without a reason.
    """
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, mark, reason = line.rpartition(" # ")
        if not mark or not reason.strip():
            raise InputError(f"{path.name}: expected 'FILE FUNCTION: BEFORE => AFTER # REASON', found '{line}'")
        found[name] = reason
    return found


def reason_of(mutant: Mutant, listed: Mapping[str, str]) -> str:
    """Return the reason why a mutant is listed, or an empty text."""
    return listed.get(mutant.name, listed.get(mutant.whole, ""))


def choose(count: int, seed: int, listed: Mapping[str, str]) -> tuple[list[Mutant], list[Mutant]]:
    """Draw mutants until there are `count` that are not listed; returns those and the listed ones among them."""
    errors: list[Mutant] = []
    others: list[Mutant] = []
    for mutant in drawn(seed):
        if len(errors) == count:
            break
        (others if reason_of(mutant, listed) else errors).append(mutant)
    return sorted(errors, key=lambda each: (each.file, each.lines)), others
