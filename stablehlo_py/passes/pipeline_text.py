"""The textual form of pipelines: `builtin.module(func.func(canonicalize),inline{option=value})`."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..errors import UsageError

_NAME = re.compile(r"[A-Za-z_][\w.\-]*")


class Element(NamedTuple):
    """A pass with its options, or, where `children` is not None, an op name with the passes that run on such ops."""

    name: str
    options: str = ""
    children: tuple[Element, ...] | None = None

    def __str__(self) -> str:
        if self.children is not None:
            return f"{self.name}({','.join(map(str, self.children))})"
        return f"{self.name}{{{self.options}}}" if self.options else self.name


class _Reader:
    """A recursive descent over the text of a pipeline."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def fail(self, message: str) -> UsageError:
        return UsageError(f"pass pipeline, column {self.position + 1}: {message}: {self.text}")

    def peek(self) -> str:
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1
        return self.text[self.position : self.position + 1]

    def accept(self, character: str) -> bool:
        if self.peek() != character:
            return False
        self.position += 1
        return True

    def elements(self) -> tuple[Element, ...]:
        result: list[Element] = []
        while self.peek() not in ("", ")"):
            result.append(self.element())
            if not self.accept(","):
                break
        return tuple(result)

    def element(self) -> Element:
        self.peek()
        found = _NAME.match(self.text, self.position)
        if found is None:
            raise self.fail("expected the name of a pass or of an op")
        self.position = found.end()
        if self.accept("("):
            children = self.elements()
            if not self.accept(")"):
                raise self.fail(f"expected ')' after the passes of '{found[0]}'")
            return Element(found[0], children=children)
        return Element(found[0], self.options() if self.peek() == "{" else "")

    def options(self) -> str:
        start, depth = self.position + 1, 0
        for index in range(self.position, len(self.text)):
            depth += {"{": 1, "}": -1}.get(self.text[index], 0)
            if depth == 0:
                self.position = index + 1
                return self.text[start:index].strip()
        raise self.fail("missing closing '}' while processing pass options")


def parse_pipeline(text: str) -> tuple[Element, ...]:
    """The elements of a textual pipeline. Raises UsageError with the column of the error."""
    reader = _Reader(text)
    elements = reader.elements()
    if reader.peek():
        raise reader.fail(f"unexpected '{reader.peek()}'")
    return elements
