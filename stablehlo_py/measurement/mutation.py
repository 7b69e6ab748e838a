"""What the kit would miss: the reference with one small error at a time, and whether some case fails.

A mutant changes one place in the kernels: a sign, a number by one, a comparison at its edge, a bound that is left out,
two arguments or axes exchanged, a condition turned round. Each runs in a process of its own, on the cases of the ops
that the changed function evaluates, until one fails.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from ..bindings import ir, make_context
from ..conformance.case import Case
from ..conformance.catalog import Choice, cases
from ..conformance.families import elementwise
from ..conformance.registry import families
from ..engines import Outcome
from ..exact import scalars
from ..processes import fork
from .scoring import score

_REFERENCE = "stablehlo_py.reference"
_ROOT = Path(__file__).resolve().parent.parent / "reference"
_SECONDS = 120
# Functions that decide how something is computed, or whether there is room for it, and not what comes out.
_SPEED = ("few", "chunk", "block", "memory", "bytes", "limit", "fast", "cache", "kept", "blas", "parallel", "share")
# Files that choose between ways to the same bits: what they choose cannot be seen in results.
_CHOICES_OF_SPEED = ("blocks", "choosing", "deciding", "few")
_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
# The ops whose cases are tried on arithmetic, which is behind every op.
_ELEMENTWISE = (
    *(*elementwise.UNARY, *elementwise.BINARY, *scalars.TRANSCENDENTAL, "power", "atan2", "complex", "real", "imag"),
    *("convert", "compare", "select", "clamp", "is_finite", "reduce_precision", "bitcast_convert", "iota"),
    *("reduce", "dot_general", "uniform_quantize", "uniform_dequantize"),
)
_MOST_CASES = 1500
_CLAMPS = ("clip", "min", "max", "minimum", "maximum")


@dataclass(frozen=True)
class Mutant:
    """One error: `place` is the number of the changed node in the file's tree, `kind` says what is done to it."""

    file: str
    function: str
    line: int
    kind: str
    place: int
    ops: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.kind}"


@dataclass(frozen=True)
class Verdict:
    """Whether a mutant was caught, and by which case."""

    mutant: Mutant
    caught: bool
    by: str

    def __str__(self) -> str:
        return f"caught {self.mutant} ({self.by})" if self.caught else f"MISSED {self.mutant}"


def _variants(node: ast.AST) -> Iterator[str]:
    """What can be done to a node."""
    if isinstance(node, ast.BinOp) and type(node.op) in _SWAPS:
        yield "a wrong sign"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "a sign is lost"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "a number is off by one"
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SWAPS:
        equal = isinstance(node.ops[0], (ast.Eq, ast.NotEq))
        yield "a condition is turned round" if equal else "a bound is off by one"
    elif isinstance(node, ast.BoolOp):
        yield "and and or are exchanged"
    elif isinstance(node, ast.Call) and not any(isinstance(argument, ast.Starred) for argument in node.args):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _CLAMPS and len(node.args) >= 2:
            yield "a clamp is missing"
        elif len(node.args) >= 2 and name not in ("isinstance", "getattr", "zip", "cast"):
            yield "two arguments are exchanged"


def _changed(node: ast.AST, kind: str) -> ast.AST:
    """The node with the error."""
    if isinstance(node, ast.BinOp):
        node.op = _SWAPS[type(node.op)]()  # pyright: ignore[reportAttributeAccessIssue]
    elif isinstance(node, ast.UnaryOp):
        return node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value += 1
    elif isinstance(node, ast.Compare):
        node.ops = [_SWAPS[type(node.ops[0])]()]  # pyright: ignore[reportAttributeAccessIssue]
    elif isinstance(node, ast.BoolOp):
        node.op = _SWAPS[type(node.op)]()  # pyright: ignore[reportAttributeAccessIssue]
    elif isinstance(node, ast.Call) and kind == "a clamp is missing":
        return node.args[0]
    elif isinstance(node, ast.Call):
        node.args[0], node.args[1] = node.args[1], node.args[0]
    return node


def _ops_of(function: ast.AST) -> list[str]:
    """The ops that a function is registered for."""
    found = []
    for decorator in getattr(function, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "evaluates":
            found += [part.value for part in decorator.args if isinstance(part, ast.Constant)]
    return [str(name).removeprefix("stablehlo.") for name in found if str(name).startswith("stablehlo.")]


def _is_code(node: ast.AST) -> bool:
    """Whether the results of valid programs depend on a statement."""
    if isinstance(node, (ast.Raise, ast.Assert, ast.AnnAssign)) and not getattr(node, "value", None):
        return False
    return not (isinstance(node, ast.If) and all(isinstance(part, ast.Raise) for part in node.body))


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is in it, without decorators, annotations and errors."""
    yield node
    skipped = {"decorator_list", "annotation", "returns", "defaults", "kw_defaults"}
    for name, value in ast.iter_fields(node):
        if name in skipped:
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST) and _is_code(part):
                yield from _inside(part)


def mutants_of(path: Path, known: Sequence[str]) -> Iterator[Mutant]:
    """Every mutant of a file of kernels."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
    tops = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    whole = [op for top in tops for op in _ops_of(top) if op in known]
    for top in tops:
        named = [op for op in _ops_of(top) if op in known]
        ops = tuple(named if named else whole if whole else _ELEMENTWISE)
        if path.parent.name == "ops" and not whole:  # ops of other dialects
            continue
        for node in _inside(top):
            for kind in _variants(node):
                line = ast.get_source_segment(path.read_text(encoding="utf-8"), node) or ""
                if not any(word in (top.name + line).lower() for word in _SPEED):
                    file = str(path.relative_to(_ROOT))
                    yield Mutant(file, top.name, getattr(node, "lineno", 0), kind, numbers[id(node)], ops)


def choose(count: int, seed: int) -> list[Mutant]:
    """Draw mutants of all kernels: one of each function that has any, then another one, and so on."""
    known, generator = sorted(families()), random.Random(seed)
    functions: dict[tuple[str, str], list[Mutant]] = {}
    for path in (*sorted((_ROOT / "ops").glob("*.py")), *sorted((_ROOT / "element_types").glob("*.py"))):
        if path.stem in _CHOICES_OF_SPEED:
            continue
        for mutant in mutants_of(path, known):
            functions.setdefault((mutant.file, mutant.function), []).append(mutant)
    pools = [generator.sample(pool, len(pool)) for pool in functions.values()]
    chosen: list[Mutant] = []
    while len(chosen) < count and any(pools):
        chosen += [pool.pop() for pool in pools if pool]
    return sorted(chosen[:count], key=lambda each: (each.file, each.line))


def source_of(mutant: Mutant) -> ast.Module:
    """The file with the error, as a tree."""
    tree = ast.parse((_ROOT / mutant.file).read_text(encoding="utf-8"))
    wanted = list(ast.walk(tree))[mutant.place]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return _changed(node, mutant.kind) if node is wanted else self.generic_visit(node)

    Change().visit(tree)
    return ast.fix_missing_locations(tree)


class _Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the changed module in place of the one in the file."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"{_REFERENCE}.{mutant.file.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")
        self.mutant = mutant

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        is_package = self.mutant.file.endswith("__init__.py")
        spec = importlib.machinery.ModuleSpec(fullname, self, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = [str((_ROOT / self.mutant.file).parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(source_of(self.mutant), str(_ROOT / self.mutant.file), "exec"), module.__dict__)


def _runner() -> Callable[[Case], Outcome]:
    """What runs a case in the reference as it is imported now."""
    interpreter = importlib.import_module(f"{_REFERENCE}.interpreter")
    context = make_context()

    def run(case: Case) -> Outcome:
        program = interpreter.Program(ir.Module.parse(case.module, context))
        return Outcome("ok", tuple(program.run(list(case.inputs))))

    return run


def _first_failure(mutant: Mutant, chosen: Sequence[Case]) -> str:
    """The first case that fails with a mutant; empty where all pass. Runs in a process of its own."""
    for name in [name for name in sys.modules if name == _REFERENCE or name.startswith(f"{_REFERENCE}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Loader(mutant))
    try:
        run = _runner()
    except Exception as error:  # the change keeps the module from being imported
        return f"import: {type(error).__name__}"
    for case in chosen:
        try:
            found = score(case, run(case))
        except Exception as error:  # an error where there should be a result
            return f"{case.name}: {type(error).__name__}"
        if found.verdict != "pass":
            return case.name
    return ""


def _in_child(mutant: Mutant, chosen: Sequence[Case]) -> Verdict:
    reading, writing = os.pipe()
    child = fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_SECONDS)
        said = _first_failure(mutant, chosen)
        os.write(writing, said.encode()[:500])
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as answer:
        by = answer.read()
    _, status = os.waitpid(child, 0)
    return Verdict(mutant, bool(by) or status != 0, by if by or not status else "the process ended")


def mutate(
    count: int, seed: int = 0, level: str = "full", told: Callable[[Verdict], None] | None = None
) -> list[Verdict]:
    """Try mutants of the reference.

    Args:
        count: At least how many, as far as there are so many.
        seed: What they are chosen by.
        level: The level of the cases.
        told: Called with each verdict.

    Returns:
        The verdicts, by file and line.
    """
    by_op: dict[str, list[Case]] = {}
    for case in cases(Choice(level="smoke" if level == "smoke" else "full")):
        by_op.setdefault(case.op, []).append(case)
    verdicts = []
    for mutant in choose(count, seed):
        verdict = _in_child(mutant, _interleaved([by_op.get(op, []) for op in mutant.ops]))
        verdicts.append(verdict)
        if told is not None:
            told(verdict)
    return verdicts


def _interleaved(groups: Sequence[Sequence[Case]]) -> list[Case]:
    """The cases of several ops, a stride through each first, so that what fails for many is found soon."""
    every = [case for group in groups for case in group]
    return [case for start in range(37) for case in every[start::37]][:_MOST_CASES]
