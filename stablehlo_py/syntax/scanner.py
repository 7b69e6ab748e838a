"""Find the ends of values, attributes and types in MLIR text, without understanding them.

Text is a str with one character (latin-1) for each byte of the file, so that positions are the columns that MLIR
counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

# The parts of every pattern for MLIR text in this room.
STRING, COMMENT = r'"(?:[^"\\\n]|\\.)*"', r"//[^\n]*"
OPAQUE = f"{STRING}|{COMMENT}"  # in which nothing is a token
VALUE, WORD = r"%[\w$.\-]+(?:\#\d+)?", r"[A-Za-z_][\w$.]*"
BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}

_BLANK = re.compile(rf"(?:\s+|{COMMENT})*")
_STRING, _OPERAND, _WORD = map(re.compile, (STRING, VALUE, WORD))
_INTERESTING = re.compile(rf"{OPAQUE}|->|[\[\](){{}}<>]")
_NUMBER = re.compile(r"-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)")


class ScanError(Exception):
    """The text at `position` is not the required token."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position
        self.message = message


@dataclass(frozen=True)
class AttributeText:
    """An attribute as written: `type` is empty if the text has none."""

    value: str
    type: str = ""

    def __str__(self) -> str:
        return f"{self.value} : {self.type}" if self.type else self.value


class LineIndex:
    """Offsets of a text ↔ lines and columns, both from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._size = len(text)

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int | None:
        """Return the offset of a position, or None where the text has no such line."""
        if not 1 <= line <= len(self._starts):
            return None
        return min(self._starts[line - 1] + column - 1, self._size)


class TextCursor:
    """A position in a text; reading moves it forward. Every `read_*` returns the text it moved over."""

    def __init__(self, text: str, position: int = 0) -> None:
        self.text = text
        self.position = position

    def skip_blank(self) -> None:
        found = _BLANK.match(self.text, self.position)
        if found is not None:
            self.position = found.end()

    def peek(self, literal: str) -> bool:
        self.skip_blank()
        return self.text.startswith(literal, self.position)

    def accept(self, literal: str) -> bool:
        if not self.peek(literal):
            return False
        self.position += len(literal)
        return True

    def expect(self, literal: str) -> None:
        if not self.accept(literal):
            raise ScanError(self.position, f"expected '{literal}'")

    def _read(self, pattern: re.Pattern[str], what: str) -> str:
        self.skip_blank()
        found = pattern.match(self.text, self.position)
        if found is None:
            raise ScanError(self.position, f"expected {what}")
        self.position = found.end()
        return found[0]

    def read_operand(self) -> str:
        return self._read(_OPERAND, "SSA operand")

    def read_word(self) -> str:
        return self._read(_WORD, "a name")

    def read_string(self) -> str:
        return self._read(_STRING, "a string")

    def read_balanced(self) -> str:
        """From the opening bracket here to the one that closes it."""
        self.skip_blank()
        start, open_brackets = self.position, list[str]()
        for found in _INTERESTING.finditer(self.text, start):
            token = found[0]
            if token in BRACKETS:
                open_brackets.append(BRACKETS[token])
            elif open_brackets and token == open_brackets[-1]:
                open_brackets.pop()
            elif token in BRACKETS.values():
                raise ScanError(found.start(), f"unexpected '{token}'")
            if not open_brackets:
                self.position = found.end()
                return self.text[start : self.position]
        raise ScanError(start, "this bracket is never closed")

    def _read_arguments(self, brackets: str) -> None:
        while self.position < len(self.text) and self.text[self.position] in brackets:
            self.read_balanced()

    def read_type(self) -> str:
        """Return a type such as `tensor<2xf32>`, `!dialect.type<…>` or `(i32) -> f32`."""
        self.skip_blank()
        start = self.position
        if self.peek("("):
            self.read_balanced()
            if self.accept("->"):
                self.read_type()
        else:
            if self.peek("!"):
                self.position += 1
            self._read(_WORD, "non-function type")
            self._read_arguments("<")
        return self.text[start : self.position]

    def read_untyped_attribute(self) -> str:
        """Return an attribute without the type that may follow it."""
        self.skip_blank()
        start = self.position
        if self.text[start : start + 1] in ("[", "{"):
            self.read_balanced()
        elif self.peek('"'):
            self.read_string()
        elif self.accept("@"):
            self._read(_STRING if self.peek('"') else _WORD, "a symbol name")
        elif self.accept("#"):
            self._read(_WORD, "an attribute name")
            self._read_arguments("<")
        elif _NUMBER.match(self.text, start):
            self._read(_NUMBER, "a number")
        else:
            self._read(_WORD, "attribute value")
            self._read_arguments("<")
        return self.text[start : self.position]

    def read_attribute(self) -> AttributeText:
        """An attribute and its type, if it has one: `dense<1> : tensor<i32>`, `3 : ui64`, `"text"`, `#alias`, `[…]`."""
        value = self.read_untyped_attribute()
        end = self.position
        if self.accept(":"):
            return AttributeText(value, self.read_type())
        self.position = end
        return AttributeText(value)
