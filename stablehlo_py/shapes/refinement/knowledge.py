"""Replacements of symbols by assertions, at one position of a function.

The replacements of a node hold for the nodes after it, up to the end of its block. `Knowledge` holds the
replacements of the current node. A step back, to the head of a loop or out of a branch, removes the others.
"""

from __future__ import annotations

from ..evaluation.symbols import Number, Symbol, substitute

Replacements = dict[Symbol, Number]


class Knowledge:
    """Replacements of symbols. A replacement may mention symbols that were replaced later; asking for it resolves
    them, and remembers the outcome for as long as all of it holds."""

    def __init__(self) -> None:
        self._current: Replacements = {}
        self._undo: list[tuple[int, int, Symbol, Number | None]] = []  # node, its end, symbol, before
        self._by_node: dict[int, tuple[int, Replacements]] = {}  # by node: its end, and its replacements
        self._node = -1
        self._end = -1
        self._seen = -1  # `_current` has the valid replacements of nodes up to here

    def __len__(self) -> int:
        return len(self._current)

    def __contains__(self, symbol: Symbol) -> bool:
        return symbol in self._current

    def __getitem__(self, symbol: Symbol) -> Number:
        """Return the replacement of a symbol, in terms of symbols that have none."""
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
        """Forget the replacements of `node` and of the nodes after it."""
        while self._undo and self._undo[-1][0] >= node:
            self._take_back()
        self._seen = min(self._seen, node - 1)

    def enter(self, node: int, end: int) -> None:
        """Activate the facts of `node`; facts learned from here on hold up to `end`."""
        while self._undo and self._undo[-1][1] < node:
            self._take_back()
        for earlier in range(self._seen + 1, node) if self._by_node else ():
            self._node, (self._end, replacements) = earlier, self._by_node.get(earlier, (-1, {}))
            if self._end >= node:
                self._add(replacements)
        self._node, self._end, self._seen = node, end, node

    def _add(self, replacements: Replacements) -> None:
        for symbol, value in replacements.items():
            if symbol not in self._current:
                self._put(symbol, substitute(value, self))

    def learn(self, replacements: Replacements) -> None:
        """Add replacements that hold from the current node on."""
        if replacements:
            self._by_node.setdefault(self._node, (self._end, {}))[1].update(replacements)
            self._add(replacements)

    def forgotten_at(self, node: int) -> Replacements:
        """Forget and return the replacements of a node's last visit."""
        return self._by_node.pop(node, (0, {}))[1]

    def replacements_at(self, node: int) -> Replacements:
        """Return the replacements of a node."""
        return self._by_node.get(node, (0, {}))[1]
