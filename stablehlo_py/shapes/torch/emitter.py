"""Writes library functions in the torch dialect, in the form that torch-mlir's own library has.

| language | torch |
|---|---|
| int, bool, float | `!torch.int`, `!torch.bool`, `!torch.float` |
| list[int], list[list[int]] | `!torch.list<int>`, `!torch.list<list<int>>` |
| T or None, as a parameter | `!torch.optional<T>` |
| DType, as a parameter | `!torch.tuple<int, int>`, the rank and torch's number of the type |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from ..compilation.conversions import Conversions
from ..compilation.emitter import Emitter, Typed, in_a_row
from ..errors import LibraryError
from ..types import BOOL, INT, LIST, LibraryType

_BINARY = {"+": "aten.add", "-": "aten.sub", "*": "aten.mul", "//": "aten.floordiv", "%": "aten.remainder"}
_PREDICATES = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class TorchEmitter(Emitter):
    """As `Emitter`, with ops of the torch dialect."""

    scalars: ClassVar[dict[str, tuple[str, ...]]] = {
        "int": ("!torch.int",),
        "dtype": ("!torch.int",),
        "float": ("!torch.float",),
        "bool": ("!torch.bool",),
        "list": ("!torch.list<int>",),
        "lists": ("!torch.list<list<int>>",),
        "str": ("!torch.str",),
        "none": (),
        "opaque": (),
    }
    branch_op: ClassVar[str] = "torch.prim.If"
    yield_op: ClassVar[str] = "torch.prim.If.yield"

    def parameters(self, stem: str, type_: LibraryType) -> Typed:
        return super().parameters(stem, INT if type_.kind == "dtype" else type_)

    def _torch(self, name: str, values: Sequence[Typed], result: LibraryType) -> Typed:
        names = ", ".join(value.name for value in values)
        types = ", ".join(self.types(value.type)[0] for value in values)
        return self.op(f"torch.{name} {names} : {types} -> {self.types(result)[0]}", result)

    def integer(self, value: int) -> Typed:
        return self.op(f"torch.constant.int {value}", INT)

    def boolean(self, value: bool) -> Typed:
        return self.op(f"torch.constant.bool {str(value).lower()}", BOOL)

    def binary(self, operator: str, left: Typed, right: Typed) -> Typed:
        return self._torch(f"{_BINARY.get(operator, f'prim.{operator}')}.int", [left, right], INT)

    def compare(self, operator: str, left: Typed, right: Typed) -> Typed:
        if left.type == BOOL:
            left, right = self.as_integer(left), self.as_integer(right)
        return self._torch(f"aten.{_PREDICATES[operator]}.int", [left, right], BOOL)

    def logical(self, operator: str, left: Typed, right: Typed) -> Typed:
        short = self.boolean(operator == "or")
        pair = (right, short) if operator == "and" else (short, right)
        (result,) = self.select(left, [], [], [pair])
        return result

    def negate(self, value: Typed) -> Typed:
        return self._torch("aten.__not__", [value], BOOL)

    def as_integer(self, value: Typed) -> Typed:
        return self._torch("aten.Int.bool", [value], INT)

    def _construct(self, items: Sequence[Typed], type_: LibraryType) -> Typed:
        names = ", ".join(item.name for item in items)
        types = ", ".join(self.types(item.type)[0] for item in items)
        return self.op(f"torch.prim.ListConstruct {names} : ({types}) -> {self.types(type_)[0]}", type_)

    def list_of(self, items: Sequence[Typed]) -> Typed:
        return self._construct([self.as_integer(item) if item.type == BOOL else item for item in items], LIST)

    def lists_of(self, items: Sequence[Typed]) -> Typed:
        return self._construct(items, LibraryType("lists"))

    def length(self, value: Typed) -> Typed:
        return self._torch("aten.len.t", [value], INT)

    def get(self, value: Typed, index: Typed) -> Typed:
        return self._torch("aten.__getitem__.t", [value, index], INT)

    def lists_get(self, value: Typed, index: Typed) -> Typed:
        return self._torch("aten.__getitem__.t", [value, index], LIST)

    def put(self, value: Typed, index: Typed, item: Typed) -> Typed:
        """Torch would change the list in place, which other names may stand for too; so a new one is put together."""
        zero, one = self.integer(0), self.integer(1)
        following = self.binary("+", index, one)
        before = self._torch("aten.slice.t", [value, zero, index, one], LIST)
        after = self._torch("aten.slice.t", [value, following, self.length(value), one], LIST)
        return self.concatenate(self.concatenate(before, self.list_of([item])), after)

    def concatenate(self, left: Typed, right: Typed) -> Typed:
        return self._torch("aten.add.t", [left, right], left.type)

    def slice(self, value: Typed, start: Typed, size: Typed) -> Typed:
        stop = self.binary("+", start, size)
        return self._torch("aten.slice.t", [value, start, stop, self.integer(1)], LIST)

    def check(self, condition: Typed, message: str, inputs: Sequence[Typed]) -> None:
        text = message
        for index in range(len(inputs)):
            text = text.replace(f"{{{index}}}", "{}")
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        with self.block() as failing:
            words = self.op(f'torch.constant.str "{escaped}"', LibraryType("str"))
            if inputs:
                names = ", ".join([words.name, *(value.name for value in inputs)])
                types = ", ".join(["!torch.str", *["!torch.int"] * len(inputs)])
                words = self.op(f"torch.aten.format({names}) : {types} -> !torch.str", LibraryType("str"))
            none = self.op("torch.constant.none", LibraryType("str"))
            self.line(f"torch.prim.RaiseException {words.name}, {none.name} : !torch.str, !torch.none")
        self.select(condition, [], failing, [])

    def repeat(
        self, count: Typed, carried: Sequence[Typed], body: Callable[[Typed, list[Typed]], Sequence[Typed]]
    ) -> list[Typed]:
        outer = in_a_row(carried)
        inner, index, always = self.renamed(outer), Typed(INT, (self.fresh("i"),)), self.boolean(True)
        with self.block() as lines:
            results = in_a_row(body(index, self.parts(inner)))
        types, final = ", ".join(self.types(outer.type)), ", ".join(results.names)
        head = ", ".join(["!torch.int, !torch.bool", *([types] if types else [])])
        text = "\n".join(
            [
                f"torch.prim.Loop {count.name}, {always.name}, init({', '.join(outer.names)}) {{",
                f"^bb0({self.declared(in_a_row([index, inner]))}):",
                *lines,
                f"torch.prim.Loop.condition {always.name}, {f'iter({final} : {types})' if types else 'iter()'}",
                f"}} : ({head}) -> ({types})",
            ]
        )
        return self.parts(self.op(text, outer.type))

    def loop(
        self,
        carried: Sequence[Typed],
        condition: Callable[[list[Typed]], Typed],
        body: Callable[[list[Typed]], Sequence[Typed]],
    ) -> list[Typed]:
        raise LibraryError("a library function for torch cannot use while: torch-mlir only unrolls loops over ranges")

    def _parameter_type(self, type_: LibraryType) -> str:
        if type_.kind == "optional":
            return f"!torch.optional<{self.types(type_.parts[0])[0].removeprefix('!torch.')}>"
        return "!torch.tuple<int, int>" if type_.kind == "dtype" else self.types(type_)[0]

    def _unpacked(self, stem: str, type_: LibraryType) -> list[str]:
        """Return the lines that make the names a library function uses out of a parameter in torch's form."""
        names = self.parameters(stem, type_).names
        if type_.kind == "dtype":
            unpack = f"torch.prim.TupleUnpack %{stem}.packed : !torch.tuple<int, int> -> !torch.int, !torch.int"
            return [f"%{stem}.rank, {names[0]} = {unpack}"]
        if type_.kind != "optional":
            return []
        packed, (inner,) = self._parameter_type(type_), self.types(type_.parts[0])
        with self.block() as absent:
            zero = Conversions(self, "").zero(type_.parts[0])
        return [
            f"%{stem}.none = torch.constant.none",
            f"{names[0]} = torch.aten.__isnot__ %{stem}.packed, %{stem}.none : {packed}, !torch.none -> !torch.bool",
            f"{names[1]} = torch.prim.If {names[0]} -> ({inner}) {{",
            f"%{stem}.value = torch.prim.unchecked_cast %{stem}.packed : {packed} -> {inner}",
            f"torch.prim.If.yield %{stem}.value : {inner}",
            "} else {",
            *absent,
            f"torch.prim.If.yield {zero.name} : {inner}",
            "}",
        ]

    def function(
        self,
        symbol: str,
        parameters: Sequence[tuple[str, LibraryType]],
        result: LibraryType,
        body: list[str],
        value: Typed,
    ) -> str:
        heads: list[str] = []
        unpacking: list[str] = []
        for stem, type_ in parameters:
            packed = type_.kind in ("dtype", "optional")
            heads.append(f"%{stem}{'.packed' if packed else ''}: {self._parameter_type(type_)}")
            unpacking.extend(self._unpacked(stem, type_))
        returned, (type_text, *more) = value.names, self.types(result)
        closing: list[str] = []
        if more:
            members = ", ".join([type_text, *more])
            type_text = f"!torch.tuple<{', '.join(text.removeprefix('!torch.') for text in (type_text, *more))}>"
            closing.append(f"%packed = torch.prim.TupleConstruct {', '.join(returned)} : {members} -> {type_text}")
            returned = ("%packed",)
        head = f'func.func @"{symbol}"({", ".join(heads)}) -> {type_text} {{'
        return "\n".join([head, *unpacking, *body, *closing, f"return {returned[0]} : {type_text}", "}"])
