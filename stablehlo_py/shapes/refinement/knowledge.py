"""Replacements of symbols that assertions have taught, at one position of a function.

Each node of a function may teach something, which holds for the nodes after it up to the end of its block. `Knowledge`
holds what is valid at the node that is looked at; going back in a loop, or out of a branch, takes the rest back.
"""

from __future__ import annotations

from ..evaluation.symbols import Number, Symbol, substitute

Lessons = dict[Symbol, Number]


class Knowledge:
    """Replacements of symbols. A replacement may mention symbols that were replaced later; asking for it resolves
    them, and remembers the outcome for as long as all of it holds."""

    def __init__(self) -> None:
        self._current: Lessons = {}
        self._undo: list[tuple[int, int, Symbol, Number | None]] = []  # node, its end, symbol, before
        self._lessons: dict[int, tuple[int, Lessons]] = {}  # by node: its end, and what it taught
        self._node = -1
        self._end = -1
        self._seen = -1  # everything that nodes up to here teach, and that is valid, is in `_current`

    def __len__(self) -> int:
        return len(self._current)

    def __contains__(self, symbol: Symbol) -> bool:
        return symbol in self._current

    def __getitem__(self, symbol: Symbol) -> Number:
        """The replacement of a symbol, in terms of symbols that have none."""
        pending = [symbol]
        while pending:
            top = pending[-1]
            value = self._current[top]
            mentioned = self._mentioned(value)
            if not mentioned:
                pending.pop()
            elif open_ones := [other for other in mentioned if self._mentioned(self._current[other])]:
                pending.extend(open_ones)
            else:
                self._put(top, substitute(value, {other: self._current[other] for other in mentioned}))
        return self._current[symbol]

    def _mentioned(self, value: Number) -> set[Symbol]:
        return set() if isinstance(value, int) else {symbol for symbol in value.symbols() if symbol in self._current}

    def _put(self, symbol: Symbol, value: Number) -> None:
        self._undo.append((self._node, self._end, symbol, self._current.get(symbol)))
        self._current[symbol] = value

    def _take_back(self) -> None:
        _, _, symbol, before = self._undo.pop()
        if before is None:
            del self._current[symbol]
        else:
            self._current[symbol] = before

    def go_back(self, node: int) -> None:
        """Forgets what `node` and those after it teach."""
        while self._undo and self._undo[-1][0] >= node:
            self._take_back()
        self._seen = min(self._seen, node - 1)

    def enter(self, node: int, end: int) -> None:
        """Activate the facts of `node`; facts learned from here on hold up to `end`."""
        while self._undo and self._undo[-1][1] < node:
            self._take_back()
        for teacher in range(self._seen + 1, node) if self._lessons else ():
            self._node, (self._end, lessons) = teacher, self._lessons.get(teacher, (-1, {}))
            if self._end >= node:
                self._add(lessons)
        self._node, self._end, self._seen = node, end, node

    def _add(self, lessons: Lessons) -> None:
        for symbol, value in lessons.items():
            if symbol not in self._current:
                self._put(symbol, substitute(value, self))

    def learn(self, lessons: Lessons) -> None:
        """Adds replacements that hold from the current node on."""
        if lessons:
            self._lessons.setdefault(self._node, (self._end, {}))[1].update(lessons)
            self._add(lessons)

    def taught_by(self, node: int) -> Lessons:
        """Forget and return the facts that a node gave at its last visit."""
        return self._lessons.pop(node, (0, {}))[1]

    def lessons_of(self, node: int) -> Lessons:
        """The replacements that a node teaches."""
        return self._lessons.get(node, (0, {}))[1]
