"""Small errors in any file of the package, each a change of one place of its text.

A condition is dropped or turned round, a bound or a number is off by one, a default or a switch is another, arguments
are exchanged, an option or a field of a key is left out, a clamp, a call or an order is missing. Texts, types,
docstrings, decorators and what depends on the platform are left alone. Numbers inside texts are changed.
"""

from __future__ import annotations

import ast
import copy
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mutants import ANY_ORDER, CLAMPS, SWAPS, Mutant, call_name, one_line

ROOT = Path(__file__).resolve().parents[2]
_SWAPS = SWAPS | {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_BOUNDS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
# Keywords that change the look of a help text, or nothing on this machine, or that assert something, as `strict` does.
_LOOKS = (
    *("help", "metavar", "description", "epilog", "formatter_class", "prog", "title", "indent", "width"),
    *("encoding", "errors", "text", "daemon", "name", "stacklevel", "maxsize", "check", "slots", "frozen", "doc"),
    "strict",
    "kw_only",
    "repr",
    "prefix",
)
_QUIET_CALLS = ("flush", "close", "sleep", "collect", "freeze", "info", "debug", "kill", "join", "terminate")
_TYPES = (
    "Literal",
    "tuple",
    "dict",
    "list",
    "set",
    "defaultdict",
    "Counter",
    "Callable",
    "Iterator",
    "Generator",
    "np.ndarray",
    "type",
    "Mapping",
)
_PLATFORM = ("TYPE_CHECKING", "__name__", "version_info", "platform", "os.name")
_TIMES = re.compile(r"seconds|monotonic|deadline|perf_counter")
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Change:
    """One error that can be made.

    Attributes:
        kind: What is done.
        node: What is replaced.
        text: What it is replaced by.
        shown: The statement, or the head of one with a body.
        function: The function or class around it.
    """

    kind: str
    node: ast.AST
    text: str
    shown: ast.AST
    function: str


class File:
    """A file of the package, with every error that can be made in it."""

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self.name = path.relative_to(root).as_posix()
        self.data = path.read_bytes()
        self.tree = ast.parse(self.data)
        self._starts = [0]
        for line in self.data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.changes = [change for change in _changes(self.tree) if not self._is_remaining_size(change)]

    def _is_remaining_size(self, change: Change) -> bool:
        """Whether -1 becomes -2 as the size of an array; numpy takes any number below zero for what remains."""
        start, _ = self._span(change.node)
        return change.text == "2" and re.search(rb"reshape\([^()]*-$", self.data[:start]) is not None

    def _span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, (ast.expr, ast.stmt))
        last = node.end_lineno or node.lineno
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[last - 1] + (node.end_col_offset or 0)

    def with_change(self, change: Change) -> bytes:
        """Return the file's text with the error."""
        start, end = self._span(change.node)
        return self.data[:start] + change.text.encode() + self.data[end:]

    def mutant(self, change: Change) -> Mutant:
        """Return the error with the names that lists and reports have for it."""
        (first, last), (start, end) = self._span(change.shown), self._span(change.node)
        before = self.data[first:last].decode()
        after = (self.data[first:start] + change.text.encode() + self.data[end:last]).decode()
        lines = change.node.lineno, change.node.end_lineno  # pyright: ignore[reportAttributeAccessIssue]
        return Mutant(self.name, change.function, lines, change.kind, start, one_line(before), one_line(after))

    def places(self, change: Change) -> list[set[int]]:
        """Return lines whose runs may show the change, the nearest first: its own, those of its function, all.

        What an import runs shows where its name is used. Lines of functions alone count: any test may be the first to
        import a file.
        """
        own = _lines(change.node)
        if not own & self._bodies:
            targets = {*getattr(change.shown, "targets", ()), getattr(change.shown, "target", None)}
            names = {_name(target) for target in targets} - {""}
            own = {getattr(node, "lineno", 0) for node in ast.walk(self.tree) if _name(node) in names}
        around: ast.AST = self.tree
        for name in change.function.split(".") if change.function else ():
            around = next(each for each in ast.walk(around) if getattr(each, "name", None) == name)
        function = _lines(around) if change.function else set[int]()
        return [lines & self._bodies for lines in (own, function, self._bodies) if lines & self._bodies]

    @cached_property
    def _bodies(self) -> set[int]:
        """The lines in functions, without their heads."""
        functions = [node for node in ast.walk(self.tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        return set().union(*[_lines(part) for function in functions for part in function.body])

    def drawn(self, seed: int) -> list[Change]:
        """Return the errors in a random order in which the kinds take turns."""
        chance = random.Random(f"{seed}/{self.name}")
        kinds = defaultdict[str, list[Change]](list)
        for change in self.changes:
            kinds[change.kind].append(change)
        queues = [chance.sample(found, len(found)) for _, found in sorted(kinds.items())]
        chance.shuffle(queues)
        turns = max(map(len, queues), default=0)
        return [queue[turn] for turn in range(turns) for queue in queues if turn < len(queue)]


def _lines(node: ast.AST) -> set[int]:
    first = getattr(node, "lineno", 1)
    return set(range(first, (getattr(node, "end_lineno", None) or first) + 1))


def _name(node: ast.AST | None) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def drawn(files: list[File], seed: int) -> Iterator[tuple[File, Change]]:
    """Draw one error of each file, the files in a random order, then another one of each, and so on."""
    order = random.Random(seed).sample(files, len(files))
    pools = [(file, file.drawn(seed)[::-1]) for file in order]
    while pools := [(file, pool) for file, pool in pools if pool]:
        yield from [(file, pool.pop()) for file, pool in pools]


def _changes(tree: ast.AST) -> Iterator[Change]:
    for node, shown, function in _places(tree, None, ""):
        for kind, replaced, text in _errors(node, function):
            if ast.unparse(replaced) != text:  # as of two empty lists that are exchanged
                yield Change(kind, replaced, text, shown, function)


def _places(node: ast.AST, shown: ast.AST | None, function: str) -> Iterator[tuple[ast.AST, ast.AST, str]]:
    """Yield what can be changed, each with what is shown of it and the function around it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        function = f"{function}.{node.name}".lstrip(".")
        arguments = getattr(node, "args", None)
        for default in [*arguments.defaults, *filter(None, arguments.kw_defaults)] if arguments else ():
            yield from _places(default, default, function)
        parts, shown = node.body, None
    elif isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert)) or _is_text(node) or _is_of_platform(node):
        return
    else:
        if isinstance(node, ast.stmt):
            heads = [getattr(node, head, None) for head in ("test", "iter", "subject")]
            shown = next(filter(None, heads), None) if hasattr(node, "body") else node
        elif isinstance(node, ast.withitem):
            shown = node.context_expr
        elif isinstance(node, ast.pattern):
            return
        if shown is not None:
            yield node, shown, function
        skipped = [getattr(node, "annotation", None), *getattr(node, "targets", []), getattr(node, "target", None)]
        parts = [part for part in ast.iter_child_nodes(node) if part not in skipped]
    for part in parts:
        yield from _places(part, shown, function)


def _is_text(node: ast.AST) -> bool:
    is_look = isinstance(node, ast.keyword) and node.arg in _LOOKS
    return is_look or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_of_platform(node: ast.AST) -> bool:
    return isinstance(node, (ast.If, ast.IfExp)) and any(word in ast.unparse(node.test) for word in _PLATFORM)


def _errors(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield the errors that can be made at a node: the kind, what is replaced, and by what."""
    match node:
        case ast.Constant(value=bool(value)):
            yield "a switch is turned round", node, str(not value)
        case ast.Constant(value=int(value)):
            yield "a number is off by one", node, str(value + 1)
        case ast.UnaryOp(op=ast.USub()):
            yield "a sign is lost", node, _text(node.operand)
        case ast.UnaryOp(op=ast.Not()):
            yield "a condition is turned round", node, _text(node.operand)
        case ast.BinOp(op=ast.Add() | ast.Sub()) if not (_is_list(node.left) or _is_list(node.right)):
            yield "a wrong sign", node, _text(ast.BinOp(node.left, _SWAPS[type(node.op)](), node.right))  # pyright: ignore[reportArgumentType]
        case ast.Compare():
            for number, operator in enumerate(node.ops):
                if swapped := _SWAPS.get(type(operator)):
                    other = copy.copy(node)
                    other.ops = [*node.ops[:number], swapped(), *node.ops[number + 1 :]]  # pyright: ignore[reportAttributeAccessIssue]
                    bound = isinstance(operator, _BOUNDS)
                    if not (bound and _is_of_time(node)):  # which nobody meets
                        yield "a bound is off by one" if bound else "a condition is turned round", node, _text(other)
        case ast.BoolOp():
            yield "and and or are exchanged", node, _text(ast.BoolOp(_SWAPS[type(node.op)](), node.values))  # pyright: ignore[reportArgumentType]
            for value in node.values:
                others = [each for each in node.values if each is not value]
                yield "a condition is dropped", node, _text(ast.BoolOp(node.op, others) if others[1:] else others[0])
        case ast.If() | ast.IfExp() | ast.While() if isinstance(node.test, (ast.Name, ast.Call, ast.Attribute)):
            yield "a condition is turned round", node.test, f"(not {_text(node.test)})"
        case ast.comprehension():
            yield from [("a condition is dropped", condition, "True") for condition in node.ifs]
        case ast.Break():
            yield "break and continue are exchanged", node, "continue"
        case ast.Continue():
            yield "break and continue are exchanged", node, "break"
        case ast.AugAssign():
            yield "a step is missing", node, "pass"
        case ast.Expr(value=ast.Call()) if call_name(node.value) not in _QUIET_CALLS:
            yield "a step is missing", node, "pass"
        case _:
            pass
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], _LEAVES):
        yield "a case is missing", node.test, "False"
    if isinstance(node, ast.Call):
        yield from _errors_of_call(node)
    yield from [("a field of a key is missing", field, "None") for field in _fields_of_key(node, function)]


def _is_of_time(node: ast.Compare) -> bool:
    """Whether a time is compared with another one that is measured or given."""
    is_fixed = any(isinstance(each, ast.Constant) for each in (node.left, *node.comparators))
    return _TIMES.search(ast.unparse(node)) is not None and not is_fixed


def _errors_of_call(node: ast.Call) -> Iterator[tuple[str, ast.AST, str]]:
    name, values = call_name(node), node.args
    if name in CLAMPS and len(values) >= 2:
        yield "a clamp is missing", node, _text(values[0])
    elif name == "sorted" and len(values) == 1:
        yield "an order is missing", node, f"list({ast.unparse(values[0])})"
    elif len(values) >= 2 and name not in ANY_ORDER and not any(isinstance(each, ast.Starred) for each in values):
        yield (
            "two arguments are exchanged",
            node,
            _text(ast.Call(node.func, [*values[1::-1], *values[2:]], node.keywords)),
        )
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg not in _LOOKS:
            others = [each for each in node.keywords if each is not keyword]
            yield "an option is ignored", node, _text(ast.Call(node.func, values, others))


def _fields_of_key(node: ast.AST, function: str) -> list[ast.expr]:
    """Return the fields of a tuple that is looked up, or that has the name of a key or is a function of this name."""
    key: ast.expr | None = None
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) if "key" in name.lower():
            key = node.value
        case ast.Return() if "key" in function.rpartition(".")[2]:
            key = node.value
        case ast.Call(func=ast.Attribute(attr="get" | "setdefault" | "add")) if node.args:
            key = node.args[0]
        case ast.Subscript(value=ast.Attribute() | ast.Name()) if ast.unparse(node.value) not in _TYPES:
            key = node.slice
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            key = node.left
        case _:
            pass
    is_index = isinstance(key, ast.Tuple) and any(isinstance(each, (ast.Slice, ast.Starred)) for each in key.elts)
    return key.elts if isinstance(key, ast.Tuple) and not is_index else []


def _is_list(node: ast.AST) -> bool:
    return isinstance(node, (ast.List, ast.ListComp, ast.Tuple, ast.JoinedStr)) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )


def _text(node: ast.expr) -> str:
    """Return the source of an expression that can stand in any other."""
    text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))
    return text if isinstance(node, (ast.Call, ast.Name, ast.Constant, ast.Attribute)) else f"({text})"
