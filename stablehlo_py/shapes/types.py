"""Types of the library language, and how an annotation spells them."""

from __future__ import annotations

import ast
import dataclasses
from dataclasses import dataclass
from functools import lru_cache

from . import language
from .errors import LibraryError


@dataclass(frozen=True)
class LibraryType:
    """`kind` is int, bool, list (of int), lists (a list of lists of int), none, opaque, optional, tuple or record.
    `parts` are the type of an optional, the members of a tuple, or the fields of a record; `fields` are their names."""

    kind: str
    parts: tuple[LibraryType, ...] = ()
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == "optional":
            return f"{self.parts[0]} | None"
        if self.kind == "tuple":
            return f"tuple[{', '.join(map(str, self.parts))}]"
        return {"list": "list[int]", "lists": "list[list[int]]", "none": "None"}.get(self.kind, self.kind)


INT = LibraryType("int")
BOOL = LibraryType("bool")
LIST = LibraryType("list")
LISTS = LibraryType("lists")
NONE = LibraryType("none")
OPAQUE = LibraryType("opaque")

_NAMES = {
    "int": INT,
    "bool": BOOL,
    "str": LIST,
    "Shape": LIST,
    "DType": INT,
    "Value": INT,
    "Values": LIST,
    "PairValues": LISTS,
    "Attribute": OPAQUE,
    "None": NONE,
    "list[int]": LIST,
    "list[bool]": LIST,
    "list[Shape]": LISTS,
    "list[DType]": LIST,
    "list[list[int]]": LISTS,
}


def optional(inner: LibraryType) -> LibraryType:
    """Return the type of an `inner` or None."""
    return inner if inner.kind in ("optional", "none", "opaque") else LibraryType("optional", (inner,))


def record_type(name: str) -> LibraryType:
    """Return the type of a parameter that is one of `language.RECORDS`."""
    fields = dataclasses.fields(language.RECORDS[name])
    return LibraryType(
        "record", tuple(_NAMES[str(field.type)] for field in fields), tuple(field.name for field in fields)
    )


@lru_cache(maxsize=256)
def parse_annotation(annotation: str) -> LibraryType | None:
    """The type that an annotation spells, or None where the language has no such type."""
    text = annotation.strip()
    if text in _NAMES:
        return _NAMES[text]
    if text in language.RECORDS:
        return record_type(text)
    if text.endswith(" | None"):
        inner = parse_annotation(text.removesuffix(" | None"))
        return None if inner is None else optional(inner)
    if text.startswith("tuple["):
        subscript = ast.parse(text, mode="eval").body
        elements = (
            subscript.slice.elts
            if isinstance(subscript, ast.Subscript) and isinstance(subscript.slice, ast.Tuple)
            else ()
        )
        parts = [parse_annotation(ast.unparse(element)) for element in elements]
        known = tuple(part for part in parts if part is not None)
        return LibraryType("tuple", known) if known and len(known) == len(parts) else None
    return None


def type_of(annotation: str) -> LibraryType:
    """Return the type that an annotation spells. Raises `LibraryError` where the language has no such type."""
    found = parse_annotation(annotation)
    if found is None:
        raise LibraryError(f"{annotation} is no type of the library language")
    return found
