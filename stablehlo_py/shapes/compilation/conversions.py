"""Values of one type where another is expected, as Python would take them."""

from __future__ import annotations

import ast

from ..errors import LibraryError
from ..types import BOOL, INT, LISTS, NONE, OPAQUE, LibraryType, optional
from .emitter import Emitter, Typed, in_a_row


class Conversions:
    """Emits conversions between types. Every `LibraryError` names the file, the line and the construct."""

    def __init__(self, emitter: Emitter, filename: str) -> None:
        self.emitter = emitter
        self._filename = filename

    def error(self, node: ast.AST, message: str) -> LibraryError:
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0) + 1
        return LibraryError(message, location=f"{self._filename}:{line}:{column}")

    def unsupported(self, node: ast.AST, what: str = "") -> LibraryError:
        construct = what if what else f"{type(node).__name__} ({ast.unparse(node).splitlines()[0]})"
        return self.error(node, f"a library function cannot use {construct}")

    def zero(self, type_: LibraryType) -> Typed:
        """Any value of the type, for positions that nothing reads."""
        emitter = self.emitter
        if type_ == LISTS:
            return emitter.lists_of([])
        if type_.kind in ("tuple", "record"):
            return Typed(type_, in_a_row([self.zero(part) for part in type_.parts]).names)
        if type_.kind == "optional":
            return Typed(type_, (*emitter.boolean(False).names, *self.zero(type_.parts[0]).names))
        makers = {
            "int": lambda: emitter.integer(0),
            "bool": lambda: emitter.boolean(False),
            "list": lambda: emitter.list_of([]),
        }
        return makers[type_.kind]() if type_.kind in makers else Typed(type_, ())

    def coerce(self, value: Typed, type_: LibraryType, node: ast.AST) -> Typed:
        """Return the value as one of `type_`, where Python would take it for one."""
        if value.type == type_ or type_ == OPAQUE:
            return value if value.type == type_ else Typed(OPAQUE, ())
        if type_.kind == "optional":
            if value.type == NONE:
                return self.zero(type_)
            inner = self.coerce(value, type_.parts[0], node)
            return Typed(type_, (*self.emitter.boolean(True).names, *inner.names))
        if value.type.kind == "optional":
            return self.coerce(value.held, type_, node)
        if value.type == BOOL and type_ == INT:
            return self.emitter.as_integer(value)
        if value.type.kind == type_.kind == "tuple" and len(value.type.parts) == len(type_.parts):
            pairs = zip(self.emitter.parts(value), type_.parts, strict=True)
            return in_a_row([self.coerce(part, wanted, node) for part, wanted in pairs])
        raise self.error(node, f"expected {type_}, found {value.type}: {ast.unparse(node).splitlines()[0]}")

    def joined(self, left: LibraryType, right: LibraryType, node: ast.AST) -> LibraryType:
        """Return the type of a value that is `left` on one way and `right` on another."""
        if left == right:
            return left
        if NONE in (left, right):
            return optional(left if right == NONE else right)
        if "optional" in (left.kind, right.kind):
            inner = [type_.parts[0] if type_.kind == "optional" else type_ for type_ in (left, right)]
            return optional(self.joined(inner[0], inner[1], node))
        if {left, right} == {INT, BOOL}:
            return INT
        raise self.error(node, f"a value is {left} on one way and {right} on another")
