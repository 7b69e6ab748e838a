"""Text with check ops → text that the providers' parser reads, and from its positions back to the file's.

An op in its assembly form becomes the same op in its generic form; properties (`<{…}>`) of generic check ops become
attributes, which is where an unregistered op keeps them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from .check_dialect import CHECK_OPS, CheckOp, read_dictionary, written_entries
from .scanner import OPAQUE, AttributeText, LineIndex, ScanError, TextCursor
from .source import CHECK_PREFIX

# Strings and comments are found first, so that nothing inside them is taken for an op.
_CANDIDATE = re.compile(rf'"check\.[^"\\\n]*"|{OPAQUE}|(?<![\w$.@%#!^\-])check\.[\w$.]*')
# The text after the name of an attribute `check.…` in a dictionary, which never follows the name of an op.
_BEHIND_ATTRIBUTE = re.compile(r"\s*[=,}]")


@dataclass(frozen=True)
class _Fragment:
    """Text from offset `origin`; `copied` says that it is unchanged."""

    text: str
    origin: int
    copied: bool = True


class Rewriting:
    """Rewritten text, and the way back from its positions."""

    def __init__(self, original: str, fragments: list[_Fragment]) -> None:
        self.text = "".join([fragment.text for fragment in fragments])
        self._fragments = fragments
        self._starts = list(accumulate([len(fragment.text) for fragment in fragments[:-1]], initial=0))
        self._original = LineIndex(original)
        self._rewritten = LineIndex(self.text)

    def original_position(self, line: int, column: int) -> tuple[int, int]:
        """Return the line and column of the file for a position in the rewritten text."""
        offset = self._rewritten.offset(line, column)
        if offset is None or column == 0:
            return line, column
        index = bisect_right(self._starts, offset) - 1
        fragment = self._fragments[index]
        return self._original.position(fragment.origin + (offset - self._starts[index] if fragment.copied else 0))


_Entries = list[list[_Fragment]]


def _fragment(cursor: TextCursor, read_one: Callable[[TextCursor], object]) -> _Fragment:
    """Return the text that `read_one` moves over."""
    cursor.skip_blank()
    start = cursor.position
    read_one(cursor)
    return _Fragment(cursor.text[start : cursor.position], start)


def _resolve_type(cursor: TextCursor, attribute: AttributeText) -> str:
    """Return the type of elements; an alias gives it if it is defined. Raises ScanError."""
    if attribute.type:
        return attribute.type
    if attribute.value.startswith("#"):
        definition = re.search(rf"^\s*{re.escape(attribute.value)}\s*=", cursor.text, re.MULTILINE)
        if definition is not None:
            return _resolve_type(cursor, TextCursor(cursor.text, definition.end()).read_attribute())
    raise ScanError(cursor.position, "expected a typed elements attribute")


def _elements(value: _Fragment) -> list[_Fragment]:
    """Return a value with `dense<…>` around a bare list, as StableHLO's document on the interpreter writes elements."""
    if not value.text.startswith("["):
        return [value]
    end = len(TextCursor(value.text).read_untyped_attribute())
    return [
        _Fragment("dense<", value.origin, copied=False),
        _Fragment(value.text[:end], value.origin),
        _Fragment(">", value.origin + end, copied=False),
        _Fragment(value.text[end:], value.origin + end),
    ]


def _read_list(cursor: TextCursor, read_one: Callable[[TextCursor], object], count: int) -> _Entries:
    entries: _Entries = []
    for index in range(count):
        if index:
            cursor.expect(",")
        entries.append([_fragment(cursor, read_one)])
    return entries


def _read_attributes(cursor: TextCursor, op: CheckOp) -> tuple[_Entries, _Entries]:
    """Read the attributes of an op; return them, and the types of values, which are also the operand's."""
    attributes: _Entries = []
    types: _Entries = []
    for attribute in op.attributes:
        if not attribute.required and not cursor.peek(","):
            break
        cursor.expect(",")
        if attribute.keyword:
            cursor.expect(attribute.keyword)
            cursor.expect("=")
        value = _fragment(cursor, TextCursor.read_untyped_attribute if attribute.keyword else TextCursor.read_attribute)
        fragments = [_Fragment(f"{attribute.name} = ", value.origin, copied=False), *_elements(value)]
        if attribute.type:
            before_colon = cursor.position
            if not (cursor.accept(":") and cursor.accept(attribute.type)):  # which may be left out
                cursor.position = before_colon
            fragments.append(_Fragment(f" : {attribute.type}", value.origin, copied=False))
        attributes.append(fragments)
        if not attribute.keyword:
            type_ = _resolve_type(cursor, TextCursor(value.text).read_attribute())
            types.append([_Fragment(type_, value.origin, copied=False)])
    return attributes, types


def _read_dictionary(cursor: TextCursor) -> _Entries:
    before = cursor.position  # blanks behind an op belong to what follows it
    if not cursor.peek("{"):
        cursor.position = before
        return []
    dictionary = _fragment(cursor, read_dictionary)
    entries = dictionary.text[1:-1]  # with the line break behind a comment
    return [[_Fragment(entries, dictionary.origin + 1)]] if entries.strip() else []


def _read_op(cursor: TextCursor, name: str, start: int) -> list[_Fragment]:
    """Read an op of this name in its assembly form; return the op in its generic form."""
    op = CHECK_OPS[name]
    operands = _read_list(cursor, TextCursor.read_operand, len(op.operands))
    attributes, types = _read_attributes(cursor, op)
    if not op.dictionary_behind_colon:
        attributes += _read_dictionary(cursor)
    if op.types:
        cursor.expect(":")
    if op.dictionary_behind_colon:
        attributes += _read_dictionary(cursor)
    types += _read_list(cursor, TextCursor.read_type, op.types)
    types += types * (len(op.operands) - len(types))  # one type stands for all operands
    written: list[_Fragment] = []
    for opening, entries in ((f'"{name}"(', operands), (") {", attributes), ("} : (", types)):
        written.append(_Fragment(opening, start, copied=False))
        for index, fragments in enumerate(entries):
            if index:
                written.append(_Fragment(", ", fragments[0].origin, copied=False))
            written += fragments
    return [*written, _Fragment(") -> ()", start, copied=False)]


def _rewrite_properties(text: str, start: int, end: int) -> tuple[list[_Fragment], int] | None:
    """Split a generic check op before its properties; return the prefix, the properties as attributes, and the end, or
    None if it has no properties."""
    cursor = TextCursor(text, end)
    if not cursor.peek("("):
        return None
    cursor.read_balanced()
    after_operands = cursor.position
    if not cursor.peek("<{"):
        return None
    cursor.expect("<")
    dictionary_start = cursor.position
    entries = read_dictionary(cursor)
    cursor.expect(">")
    if cursor.peek("{"):
        entries |= read_dictionary(cursor)
    written = _Fragment(f" {{{written_entries(entries)}}}", dictionary_start, copied=False)
    return [_Fragment(text[start:after_operands], start), written], cursor.position


def _rewrite_op(text: str, found: re.Match[str]) -> tuple[list[_Fragment], int] | None:
    """Return the replacement of the op at `found` and its end, or None if nothing changes."""
    name = found[0]
    if name.startswith('"'):
        return _rewrite_properties(text, found.start(), found.end())
    if _BEHIND_ATTRIBUTE.match(text, found.end()):
        return None
    if name not in CHECK_OPS:
        raise ScanError(found.start(), f"custom op '{name}' is unknown")
    cursor = TextCursor(text, found.end())
    try:
        return _read_op(cursor, name, found.start()), cursor.position
    except ScanError as error:
        raise ScanError(error.position, f"custom op '{name}' {error.message}") from None


def _candidates(text: str) -> Iterator[re.Match[str]]:
    """Yield matches of possible check ops. Neither strings nor comments go past the end of a line, so only lines that
    speak of the dialect have to be read."""
    position = text.find(CHECK_PREFIX)
    while position >= 0:
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        for found in _CANDIDATE.finditer(text, text.rfind("\n", 0, position) + 1, end):
            if found[0].startswith((CHECK_PREFIX, f'"{CHECK_PREFIX}')):
                yield found
        position = text.find(CHECK_PREFIX, end)


def rewrite_check_ops(text: str) -> Rewriting | None:
    """`text` with its check ops in a form that the parser reads; None where nothing had to change.

    Raises ScanError with the offset of what cannot be a check op.
    """
    fragments: list[_Fragment] = []
    done = 0
    for found in _candidates(text):
        rewritten = _rewrite_op(text, found) if found.start() >= done else None
        if rewritten is not None:
            fragments += [_Fragment(text[done : found.start()], done), *rewritten[0]]
            done = rewritten[1]
    return Rewriting(text, [*fragments, _Fragment(text[done:], done)]) if fragments else None
