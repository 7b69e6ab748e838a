"""An outline of MLIR text: ops, values, symbols and aliases, with their definitions and uses.

The text need not be a program: an editor asks while somebody types. MLIR's parser gives nothing but an error for such
text, so nothing is parsed here. An op begins with its name or results where a line or a region begins, or behind a
type, a region or a block's label; a label begins a line. Names are visible as in MLIR's regions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from .scanner import BRACKETS
from .source import SPLIT_MARKER
from .tokens import Kind as TokenKind
from .tokens import Token, common_ends, tokens

Kind = Literal["result", "argument", "block", "symbol", "alias"]
_CLOSING = frozenset(BRACKETS.values())
# First tokens of statements.
_BEGIN: frozenset[TokenKind] = frozenset(("value", "word", "string", "block", "type", "attribute"))
# Tokens within a statement that have a meaning; the others are passed over.
_TAKEN: frozenset[TokenKind] = frozenset(("mark", "value", "symbol", "block", "type", "attribute", "string"))
# Ops that are written without their dialect.
_SHORT_OPS = frozenset(("module", "return", "call", "func"))
_DEFINE_SYMBOLS = frozenset(("func.func", "func", "module", "builtin.module", "sdy.mesh", "ml_program.global"))


@dataclass(eq=False, slots=True)
class Definition:
    """A name with its definition (a result, an argument, a block, a symbol or an alias) and its uses.

    `statement` is the op that it belongs to, None for an alias; `index` says which of its results or arguments it is,
    and `type` what is written as its type there.
    """

    token: Token
    kind: Kind
    statement: Statement | None = None
    index: int = 0
    type: str = ""
    uses: list[Token] = field(default_factory=list[Token])


@dataclass(eq=False, slots=True, weakref_slot=True)
class Statement:
    """An op: the token of its name, the range of its text, its results and arguments, and the ops in its regions."""

    name: str
    token: Token
    start: int
    end: int = 0
    parent: Statement | None = None
    results: list[Definition] = field(default_factory=list[Definition])
    arguments: list[Definition] = field(default_factory=list[Definition])
    symbol: Definition | None = None
    children: list[Statement] = field(default_factory=list["Statement"])


@dataclass(eq=False, slots=True)
class NameScope:
    """The names that a region or a statement adds to those around it."""

    parent: NameScope | None = None
    names: dict[str, Definition] = field(default_factory=dict[str, Definition])
    statement: Statement | None = None

    def find(self, name: str) -> Definition | None:
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None


@dataclass(eq=False, slots=True)
class _Bracket:
    """An open bracket; for a brace the scope inside it, and the statement that is being written there."""

    closing: str
    scope: NameScope | None = None
    outer: Statement | None = None


class Outline:
    """The statements and names of a text.

    Args:
        text: Any text.
        before: The outline of a text that differs in few lines, whose tokens are taken over.

    Attributes:
        statements: The ops that are in no other op.
        definitions: All definitions in the order of the text.
        by_offset: What the token that begins at an offset defines or uses.
        op_names: The offsets at which the names of ops begin.
        scopes: The scope from each offset on.
    """

    def __init__(self, text: str, before: Outline | None = None) -> None:
        self.text = text
        self.tokens = list(tokens(text)) if before is None else before.tokens_after(text)
        self.statements: list[Statement] = []
        self.definitions: list[Definition] = []
        self.by_offset: dict[int, Definition] = {}
        self.op_names: set[int] = set()
        self.scopes: list[tuple[int, NameScope]] = []
        chunk: list[Token] = []
        for token in self.tokens:
            if token.kind != "comment":
                chunk.append(token)
            elif token.text.startswith(SPLIT_MARKER):
                _Reader(self).read(chunk)
                chunk = []
        _Reader(self).read(chunk)

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    def token_at(self, offset: int) -> Token | None:
        """Return the token at an offset, or the one that ends there."""
        number = bisect_right(self._starts, offset) - 1
        for candidate in (number, number - 1):
            if candidate >= 0 and self.tokens[candidate].start <= offset <= self.tokens[candidate].end:
                token = self.tokens[candidate]
                if candidate == number and token.kind == "mark" and number and self.tokens[number - 1].end == offset:
                    continue
                return token
        return None

    def tokens_after(self, text: str) -> list[Token]:
        """Return the tokens of the text after a change. Only those of the lines that differ are read."""
        start, end = common_ends(self.text, text)
        start = text.rfind("\n", 0, start) + 1
        shift = len(text) - len(self.text)
        line_end = text.find("\n", len(text) - end)
        end = len(text) if line_end < 0 else line_end
        parts = (tokens(text[start:end]), start), (self.tokens[bisect_left(self._starts, end - shift) :], shift)
        moved = [Token(kind, name, a + by, b + by) for part, by in parts for kind, name, a, b in part]
        return self.tokens[: bisect_left(self._starts, start)] + moved

    def break_cycles(self) -> None:
        """Break the cycles of references, so that the memory is free when the last user is done."""
        for statement in self.all_statements():
            statement.parent = None
        for definition in self.definitions:
            definition.statement = None

    def tokens_between(self, start: int, end: int) -> list[Token]:
        """Return the tokens that begin in a range of the text."""
        return self.tokens[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def definition(self, token: Token) -> Definition | None:
        """Return what a token defines or uses."""
        return self.by_offset.get(token.start)

    def statement_at(self, offset: int) -> Statement | None:
        """Return the innermost op whose text holds an offset."""
        found: Statement | None = None
        level = self.statements
        while level:
            number = bisect_right(level, offset, key=lambda one: one.start) - 1
            if number < 0 or offset > level[number].end:
                break
            found = level[number]
            level = found.children
        return found

    def all_statements(self) -> Iterator[Statement]:
        """Yield every op in the order of the text."""
        waiting = self.statements[::-1]
        while waiting:
            statement = waiting.pop()
            yield statement
            waiting += statement.children[::-1]

    def visible_at(self, offset: int) -> list[Definition]:
        """Return the values and blocks that a use at an offset could name."""
        number = bisect_right(self.scopes, offset, key=lambda one: one[0]) - 1
        scope = self.scopes[number][1] if number >= 0 else None
        found: dict[str, Definition] = {}
        while scope is not None:
            for name, definition in scope.names.items():
                if definition.token.start < offset:
                    found.setdefault(name, definition)
            scope = scope.parent
        return list(found.values())


class _Reader:
    """The one pass over the tokens that makes an outline."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.scope = NameScope()
        self.names = NameScope()  # symbols and aliases, which may be used before they are defined
        self.statement: Statement | None = None
        self.brackets: list[_Bracket] = []
        self.unresolved: list[tuple[Token, NameScope]] = []
        self.tokens: list[Token] = []
        self.last_end = 0
        self.fresh = True  # a statement may begin here

    def read(self, all_tokens: list[Token]) -> None:
        self.tokens = all_tokens
        if all_tokens:
            self._enter(self.scope, all_tokens[0].start)
        position = 0
        while position < len(all_tokens):
            token = all_tokens[position]
            at_statement_level = not self.brackets or self.brackets[-1].closing == "}"
            if at_statement_level and token.kind in _BEGIN and (self.fresh or self._may_begin(position)):
                behind = self._begin(position)
                if behind > position:
                    position = behind
                    continue
            self.fresh = False
            if token.kind in _TAKEN:
                self._take(token, position)
            self.last_end = token.end
            position += 1
        self._close_all()
        for token, scope in self.unresolved:
            self._use(token, scope)

    def _may_begin(self, position: int) -> bool:
        """Whether a line begins here or, in front of an op, a type, a region or a label ends: `-> i32 d.return`."""
        if position == 0:
            return True
        before = self.tokens[position - 1]
        if "\n" in self.outline.text[before.end : self.tokens[position].start]:
            return True
        if self.tokens[position].kind == "block":
            return False
        is_scalar_type = before.kind in ("word", "type") and self._text(position - 2) in (":", "->", ",", ">")
        is_label = before.text == ":" and (self._text(position - 2) == ")" or self._kind(position - 2) == "block")
        return is_scalar_type or is_label or before.text in (">", ")", "}")

    def _begin(self, position: int) -> int:
        """Begin a statement where one stands; the position behind its results and its name, or `position`."""
        token = self.tokens[position]
        if token.kind in ("type", "attribute") and self._text(position + 1) == "=" and not self.brackets:
            self._end_statement()
            self._define(token, "alias", self.names)
            return position + 2
        if token.kind == "block":
            self._end_statement()
            self._define(token, "block", self.scope, self.brackets[-1].outer if self.brackets else None)
            return position + 1
        results, name_at = self._results(position)
        if name_at >= len(self.tokens) or not self._is_op_name(name_at, bool(results)):
            return position
        self._end_statement()
        name, scope, parent = self.tokens[name_at], self.scope, self._owner()
        statement = self.statement = Statement(name.text.strip('"'), name, token.start, name.end, parent)
        self.outline.op_names.add(name.start)
        (self.outline.statements if parent is None else parent.children).append(statement)
        self._enter(NameScope(scope, statement=statement), token.start)
        index = 0
        for result, count in results:
            statement.results.append(self._define(result, "result", scope, statement, index))
            index += count
        self.last_end = name.end
        self.fresh = False
        return name_at + 1

    def _results(self, position: int) -> tuple[list[tuple[Token, int]], int]:
        """Return the results in front of `=`, each with its number of values, and the position behind it."""
        results: list[tuple[Token, int]] = []
        at = position
        while at < len(self.tokens) and self.tokens[at].kind == "value":
            token, count = self.tokens[at], 1
            if self._text(at + 1) == ":" and self._kind(at + 2) == "number":
                count = int(self.tokens[at + 2].text) if self.tokens[at + 2].text.isdigit() else 1
                at += 2
            results.append((token, count))
            at += 1
            if self._text(at) == "=":
                return results, at + 1
            if self._text(at) != ",":
                break
            at += 1
        return [], position

    def _is_op_name(self, position: int, has_results: bool) -> bool:
        token = self.tokens[position]
        if self._text(position + 1) == "=":
            return False
        if token.kind == "string":
            return "." in token.text and self._text(position + 1) == "("
        return token.kind == "word" and (has_results or "." in token.text or token.text in _SHORT_OPS)

    def _text(self, position: int) -> str:
        return self.tokens[position].text if 0 <= position < len(self.tokens) else ""

    def _kind(self, position: int) -> str:
        return self.tokens[position].kind if 0 <= position < len(self.tokens) else ""

    def _enter(self, scope: NameScope, offset: int) -> None:
        self.scope = scope
        self.outline.scopes.append((offset, scope))

    def _end_statement(self) -> None:
        if self.statement is not None:
            self.statement.end = max(self.last_end, self.statement.end)
            self.statement = None
        if self.scope.statement is not None and self.scope.parent is not None:
            self._enter(self.scope.parent, self.last_end)

    def _define(
        self, token: Token, kind: Kind, scope: NameScope, statement: Statement | None = None, index: int = 0
    ) -> Definition:
        definition = Definition(token, kind, statement, index)
        scope.names[token.name] = definition
        self.outline.definitions.append(definition)
        self.outline.by_offset[token.start] = definition
        return definition

    def _use(self, token: Token, scope: NameScope) -> None:
        definition = scope.find(token.name) or self.names.find(token.text)
        if definition is not None:
            definition.uses.append(token)
            self.outline.by_offset[token.start] = definition

    def _take(self, token: Token, position: int) -> None:
        """A token within a statement, or between statements."""
        if token.kind == "mark":
            self._bracket(token)
        elif token.kind == "value":
            self._value(token, position)
        elif token.kind == "symbol":
            self._symbol(token)
        elif token.kind == "block":
            self.unresolved.append((token, self.scope))
        elif token.kind in ("type", "attribute"):
            self.unresolved.append((token, self.names))
        elif token.kind == "string" and self._text(position - 2) == "sym_name":
            self._symbol(token._replace(text=f"@{token.text[1:-1]}"), defines=True)

    def _value(self, token: Token, position: int) -> None:
        following = self._text(position + 1)
        in_parentheses = bool(self.brackets) and self.brackets[-1].closing == ")"
        if not in_parentheses or following not in (":", "=") or self.scope.find(token.name) is not None:
            self.unresolved.append((token, self.scope))
            return
        owner = self.statement if self.statement is not None else self._owner()
        definition = self._define(token, "argument", self.scope, owner, 0 if owner is None else len(owner.arguments))
        if following == ":":
            definition.type = self._type_text(position + 2)
        if owner is not None:
            owner.arguments.append(definition)

    def _owner(self) -> Statement | None:
        return next((bracket.outer for bracket in reversed(self.brackets) if bracket.scope is not None), None)

    def _type_text(self, position: int) -> str:
        """Return the text of the type that begins at a token: up to a comma, a bracket that closes, attributes, or a
        location."""
        depth, start, end = 0, position, position
        while end < len(self.tokens) and end - start < 400:
            text = self.tokens[end].text
            if depth == 0 and text in (",", ")", "}", "=", "{", "loc"):
                break
            depth += (text in BRACKETS) - (text in _CLOSING)
            end += 1
        if end == start:
            return ""
        return self.outline.text[self.tokens[start].start : self.tokens[end - 1].end]

    def _symbol(self, token: Token, *, defines: bool = False) -> None:
        statement = self.statement
        declares = statement is not None and statement.symbol is None and statement.name in _DEFINE_SYMBOLS
        if not (defines or declares):
            self.unresolved.append((token, self.names))
            return
        definition = self._define(token, "symbol", self.names, statement)
        if statement is not None:
            statement.symbol = definition

    def _bracket(self, token: Token) -> None:
        if token.text == "{":
            self.brackets.append(_Bracket("}", self.scope, self.statement if self.statement else self._owner()))
            self._enter(NameScope(self.scope), token.end)
            self.statement, self.fresh = None, True
        elif token.text in BRACKETS:
            self.brackets.append(_Bracket(BRACKETS[token.text]))
        elif token.text in _CLOSING and any(bracket.closing == token.text for bracket in self.brackets[-8:]):
            self._close(token)

    def _close_all(self) -> None:
        """End what the end of the text leaves open."""
        self._end_statement()
        while self.brackets:
            bracket = self.brackets.pop()
            if bracket.scope is not None:
                self.statement, self.scope = bracket.scope.statement, bracket.scope
                self._end_statement()

    def _close(self, token: Token) -> None:
        """Close the nearest bracket of the kind, and those inside it that somebody has yet to close."""
        while self.brackets:
            bracket = self.brackets.pop()
            if bracket.scope is not None:
                self._end_statement()
                self._enter(bracket.scope, token.start)
                self.statement = bracket.scope.statement
            if bracket.closing == token.text:
                return
