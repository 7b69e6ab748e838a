"""Writes library functions as MLIR text: func, arith, scf, tensor and cf.assert.

| language | MLIR |
|---|---|
| int | `index` |
| bool | `i1` |
| list[int], str | `tensor<?xindex>` |
| list[list[int]] | two `tensor<?xindex>`: all elements in a row, and the length of each list |
| T or None | an `i1` that says whether there is a value, and the value |
| a record, a tuple | the values of its parts, one after the other |

The numbers in a message go to a call of `@message.inputs.<count>` in front of the assertion: `cf.assert` itself takes a
string only, and a call of an external function is neither moved nor removed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from ..types import BOOL, INT, LIST, LibraryType

BINARY = {"+": "addi", "-": "subi", "*": "muli", "//": "floordivsi", "min": "minsi", "max": "maxsi"}
_PREDICATES = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


@dataclass(frozen=True)
class Typed:
    """A value of the language: its type, and the SSA names that stand for it."""

    type: LibraryType
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The only SSA name of an int, a bool or a list."""
        (name,) = self.names
        return name

    @property
    def held(self) -> Typed:
        """The value in an optional, if there is one; any other value itself."""
        return Typed(self.type.parts[0], self.names[1:]) if self.type.kind == "optional" else self


def in_a_row(values: Sequence[Typed]) -> Typed:
    """Return the values as one tuple."""
    return Typed(
        LibraryType("tuple", tuple(value.type for value in values)), tuple(n for value in values for n in value.names)
    )


class Emitter:
    """Collects the lines of one function. Inside `block()` lines go to a list of their own."""

    scalars: ClassVar[dict[str, tuple[str, ...]]] = {
        "int": ("index",),
        "bool": ("i1",),
        "list": ("tensor<?xindex>",),
        "lists": ("tensor<?xindex>", "tensor<?xindex>"),
        "none": (),
        "opaque": (),
    }
    branch_op: ClassVar[str] = "scf.if"
    yield_op: ClassVar[str] = "scf.yield"

    def __init__(self) -> None:
        self._constants: dict[str, str] = {}
        self._header: list[str] = []
        self._lines: list[str] = []
        self._next = 0
        self.called: set[str] = set()
        self.message_input_counts: set[int] = set()

    @classmethod
    def types(cls, type_: LibraryType) -> tuple[str, ...]:
        """The MLIR types of the values that a value of `type_` consists of."""
        if type_.kind == "optional":
            return (*cls.scalars["bool"], *cls.types(type_.parts[0]))
        if type_.kind in ("tuple", "record"):
            return tuple(text for part in type_.parts for text in cls.types(part))
        return cls.scalars[type_.kind]

    def parts(self, value: Typed) -> list[Typed]:
        """Return the members of a tuple or the fields of a record, in order."""
        result: list[Typed] = []
        start = 0
        for part in value.type.parts:
            width = len(self.types(part))
            result.append(Typed(part, value.names[start : start + width]))
            start += width
        return result

    def fresh(self, stem: str = "") -> str:
        """Return a new SSA name."""
        self._next += 1
        return f"%{stem}{self._next}"

    @contextmanager
    def block(self) -> Generator[list[str]]:
        """Yield the list for lines that are emitted inside."""
        outer, self._lines = self._lines, []
        try:
            yield self._lines
        finally:
            self._lines = outer

    def line(self, text: str) -> None:
        """Add a line as it is."""
        self._lines.append(text)

    def op(self, text: str, type_: LibraryType) -> Typed:
        """Add an op whose results are a value of the type."""
        count = len(self.types(type_))
        if count == 0:
            self._lines.append(text)
            return Typed(type_, ())
        name = self.fresh()
        self._lines.append(f"{name}:{count} = {text}" if count > 1 else f"{name} = {text}")
        return Typed(type_, tuple(f"{name}#{index}" for index in range(count)) if count > 1 else (name,))

    def _constant(self, text: str, stem: str) -> str:
        if text not in self._constants:
            name = self._constants[text] = self.fresh(stem)
            self._header.append(f"{name} = arith.constant {text}")
        return self._constants[text]

    def integer(self, value: int) -> Typed:
        return Typed(INT, (self._constant(f"{value} : index", "c"),))

    def boolean(self, value: bool) -> Typed:
        return Typed(BOOL, (self._constant("true" if value else "false", "b"),))

    def binary(self, operator: str, left: Typed, right: Typed) -> Typed:
        """`left operator right` for +, -, *, //, %, min and max; // and % round to minus infinity, as in Python."""
        if operator == "%":
            return self.binary("-", left, self.binary("*", self.binary("//", left, right), right))
        return self.op(f"arith.{BINARY[operator]} {left.name}, {right.name} : index", INT)

    def compare(self, operator: str, left: Typed, right: Typed) -> Typed:
        """Return a comparison of two ints or two bools."""
        (type_text,) = self.types(left.type)
        return self.op(f"arith.cmpi {_PREDICATES[operator]}, {left.name}, {right.name} : {type_text}", BOOL)

    def logical(self, operator: str, left: Typed, right: Typed) -> Typed:
        """`and` or `or` of two bools that both can be evaluated."""
        return self.op(f"arith.{operator}i {left.name}, {right.name} : i1", BOOL)

    def negate(self, value: Typed) -> Typed:
        return self.op(f"arith.xori {value.name}, {self.boolean(True).name} : i1", BOOL)

    def as_integer(self, value: Typed) -> Typed:
        """1 for True, 0 for False."""
        return self.op(f"arith.index_castui {value.name} : i1 to index", INT)

    def list_of(self, items: Sequence[Typed]) -> Typed:
        """Return a list of ints or bools."""
        names = [self.as_integer(item).name if item.type == BOOL else item.name for item in items]
        if not names:
            literal = self._constant("dense<> : tensor<0xindex>", "e")
        else:
            literal = self.op(f"tensor.from_elements {', '.join(names)} : tensor<{len(names)}xindex>", LIST).name
        return self.op(f"tensor.cast {literal} : tensor<{len(names)}xindex> to tensor<?xindex>", LIST)

    def length(self, value: Typed) -> Typed:
        return self.op(f"tensor.dim {value.names[-1]}, {self.integer(0).name} : tensor<?xindex>", INT)

    def get(self, value: Typed, index: Typed) -> Typed:
        return self.op(f"tensor.extract {value.name}[{index.name}] : tensor<?xindex>", INT)

    def put(self, value: Typed, index: Typed, item: Typed) -> Typed:
        """Return the list with one element replaced."""
        return self.op(f"tensor.insert {item.name} into {value.name}[{index.name}] : tensor<?xindex>", LIST)

    def concatenate(self, left: Typed, right: Typed) -> Typed:
        """Return the elements of both lists (of ints, or of lists), `left`'s first."""
        names = tuple(
            self.op(f"tensor.concat dim(0) {a}, {b} : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>", LIST).name
            for a, b in zip(left.names, right.names, strict=True)
        )
        return Typed(left.type, names)

    def slice(self, value: Typed, start: Typed, size: Typed) -> Typed:
        """`size` elements of a list of ints, from `start` on."""
        text = f"tensor.extract_slice {value.name}[{start.name}] [{size.name}] [1] : tensor<?xindex> to tensor<?xindex>"
        return self.op(text, LIST)

    def lists_of(self, items: Sequence[Typed]) -> Typed:
        """Return a list of lists of ints."""
        lengths = self.list_of([self.length(item) for item in items])
        flat = self.list_of([])
        for item in items:
            flat = self.concatenate(flat, item)
        return Typed(LibraryType("lists"), (*flat.names, *lengths.names))

    def lists_get(self, value: Typed, index: Typed) -> Typed:
        """Return one of the lists in a list of lists."""
        flat, lengths = (Typed(LIST, (name,)) for name in value.names)
        return self.call("list.at", [flat, lengths, index], LIST)

    def call(self, symbol: str, arguments: Sequence[Typed], result: LibraryType) -> Typed:
        """Return a call of another library function."""
        self.called.add(symbol)
        passed = in_a_row(arguments)
        types, results = (", ".join(self.types(type_)) for type_ in (passed.type, result))
        return self.op(f'func.call @"{symbol}"({", ".join(passed.names)}) : ({types}) -> ({results})', result)

    def check(self, condition: Typed, message: str, inputs: Sequence[Typed]) -> None:
        """An assertion whose message has `{0}`, `{1}`, … where the inputs go."""
        if inputs:
            names = ", ".join(value.name for value in inputs)
            types = ", ".join(["index"] * len(inputs))
            self.message_input_counts.add(len(inputs))
            self.line(f"func.call @message.inputs.{len(inputs)}({names}) : ({types}) -> ()")
        escaped = message.replace("\\", "\\\\").replace('"', '\\"')
        self.line(f'cf.assert {condition.name}, "{escaped}"')

    def select(
        self, condition: Typed, then: list[str], otherwise: list[str], values: Sequence[tuple[Typed, Typed]]
    ) -> list[Typed]:
        """A branch over two blocks of lines; each pair is a value after the one and after the other, of one type."""
        first, second = (in_a_row([pair[way] for pair in values]) for way in (0, 1))
        head = f"{self.branch_op} {condition.name} -> ({', '.join(self.types(first.type))}) {{"
        lines = [head, *then, self.yielded(first), "} else {", *otherwise, self.yielded(second), "}"]
        return self.parts(self.op("\n".join(lines), first.type))

    def renamed(self, value: Typed) -> Typed:
        """Fresh names, one for each SSA value that the value consists of."""
        return Typed(value.type, tuple(self.fresh("v") for _ in value.names))

    def declared(self, value: Typed) -> str:
        """The SSA names of a value with their types, as parameters and arguments of blocks are declared."""
        return ", ".join(f"{name}: {text}" for name, text in zip(value.names, self.types(value.type), strict=True))

    def repeat(
        self, count: Typed, carried: Sequence[Typed], body: Callable[[Typed, list[Typed]], Sequence[Typed]]
    ) -> list[Typed]:
        """scf.for from 0 to `count`: `body` gets the index and the carried values, and returns their new values."""
        outer = in_a_row(carried)
        inner = self.renamed(outer)
        index = Typed(INT, (self.fresh("i"),))
        with self.block() as lines:
            results = in_a_row(body(index, self.parts(inner)))
        types = ", ".join(self.types(outer.type))
        loop = f" iter_args({_bindings(inner, outer)}) -> ({types})" if types else ""
        head = f"scf.for {index.name} = {self.integer(0).name} to {count.name} step {self.integer(1).name}{loop} {{"
        return self.parts(self.op("\n".join([head, *lines, self.yielded(results), "}"]), outer.type))

    def loop(
        self,
        carried: Sequence[Typed],
        condition: Callable[[list[Typed]], Typed],
        body: Callable[[list[Typed]], Sequence[Typed]],
    ) -> list[Typed]:
        """scf.while: as long as `condition` holds, `body` makes new values of the carried ones."""
        outer = in_a_row(carried)
        before, after = self.renamed(outer), self.renamed(outer)
        with self.block() as condition_lines:
            holds = condition(self.parts(before))
        with self.block() as body_lines:
            results = in_a_row(body(self.parts(after)))
        types = ", ".join(self.types(outer.type))
        text = "\n".join(
            [
                f"scf.while ({_bindings(before, outer)}) : ({types}) -> ({types}) {{",
                *condition_lines,
                f"scf.condition({holds.name}) {', '.join(before.names)} : {types}",
                "} do {",
                f"^bb0({self.declared(after)}):",
                *body_lines,
                self.yielded(results),
                "}",
            ]
        )
        return self.parts(self.op(text, outer.type))

    def function(
        self,
        symbol: str,
        parameters: Sequence[tuple[str, LibraryType]],
        result: LibraryType,
        body: list[str],
        value: Typed,
    ) -> str:
        """Return the text of the whole function."""
        arguments = self.declared(in_a_row([self.parameters(stem, type_) for stem, type_ in parameters]))
        types = ", ".join(self.types(result))
        returned = f"return {', '.join(value.names)} : {types}" if types else "return"
        head = f'func.func private @"{symbol}"({arguments}) -> ({types}) {{'
        return "\n".join([head, *self._header, *body, returned, "}"])

    def parameters(self, stem: str, type_: LibraryType) -> Typed:
        """Return a parameter called `stem` as a value."""
        width = len(self.types(type_))
        return Typed(type_, (f"%{stem}",) if width == 1 else tuple(f"%{stem}.{index}" for index in range(width)))

    def yielded(self, value: Typed) -> str:
        """Return the last op of a block that continues in another block of a branch or a loop."""
        if not value.names:
            return self.yield_op
        return f"{self.yield_op} {', '.join(value.names)} : {', '.join(self.types(value.type))}"


def _bindings(inner: Typed, outer: Typed) -> str:
    return ", ".join(f"{name} = {initial}" for name, initial in zip(inner.names, outer.names, strict=True))
