"""Corresponding functions of two programs, and attributes that ignore their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b

from ..artifacts.difference import NUMBERING, SYMBOL
from ..bindings import ir
from ..bindings.attributes import is_private
from ..bindings.build import attributes_of
from ..bindings.walk import blocks, functions, operations

_NAMES = ("sym_name", "sym_visibility")
_EMPTY_LISTS = re.compile(r"\[(\{\}(, )?)*\]")


def attributes_without_names(op: ir.Operation) -> dict[str, ir.Attribute]:
    """Return the attributes of an op without its own name, and without lists of empty dictionaries for arguments."""
    return {
        name: attribute
        for name, attribute in attributes_of(op).items()
        if name not in _NAMES and not (name in ("arg_attrs", "res_attrs") and _EMPTY_LISTS.fullmatch(str(attribute)))
    }


def _name(found: re.Match[str]) -> str:
    """Return the name in a reference to a symbol, which may be quoted."""
    return found[2] if found[1] is None else found[1]


class Labels:
    """The texts of a program's ops, with labels in place of the names of functions."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        self.labels = labels
        self._attributes: dict[ir.Attribute, str] = {}
        self._type = cache(str)

    @classmethod
    def of(cls, known: Mapping[str, ir.Operation], pairs: Sequence[tuple[str, str]], side: int) -> Labels:
        """Return equal labels for corresponding functions; a function without a partner keeps its name."""
        labels = {name: f"@{name} of program {side}" for name in known}
        labels.update({pair[side]: f"@{pair[0]}" for pair in pairs})
        return cls(labels)

    def text(self, attribute: ir.Attribute) -> str:
        """Return the text of an attribute, printed once: constants are large."""
        found = self._attributes.get(attribute)
        if found is None:
            found = str(attribute)
            if "@" in found and not isinstance(attribute, ir.StringAttr):
                found = SYMBOL.sub(lambda name: self.labels.get(_name(name), name[0]), found)
            if len(found) > 256:
                found = blake2b(found.encode(), digest_size=16).hexdigest()
            self._attributes[attribute] = found
        return found

    def own(self, op: ir.Operation) -> str:
        """Return the text of an op without its operands: its name, attributes and the types of its results."""
        texts = [f"{name}={self.text(value)}" for name, value in sorted(attributes_without_names(op).items())]
        return " ".join([op.name, *texts, *[self._type(value.type) for value in op.results]])


def pair_functions(first: ir.Module, second: ir.Module) -> list[tuple[str, str]]:
    """Pair functions: those that one of the programs makes public by name, others by content, then by name.

    Two private functions without a partner correspond where their names differ in a number at the end alone.
    """
    known = functions(first.operation), functions(second.operation)
    digests = _digests(known[0]), _digests(known[1])
    free = [dict.fromkeys(side) for side in known]
    pairs: dict[str, str] = {}

    def pair(one: str, other: str) -> None:
        pairs[one] = other
        del free[0][one], free[1][other]

    for name in list(free[0]):
        is_hidden = name in free[1] and all(is_private(side[name]) for side in known)
        if name in free[1] and (not is_hidden or digests[0][name] == digests[1][name]):
            pair(name, name)
    keys: tuple[Callable[[int, str], str], ...] = (
        lambda side, name: digests[side][name],
        lambda _, name: name,
        lambda _, name: NUMBERING.sub("", name),
    )
    for key in keys:
        waiting: dict[str, list[str]] = {}
        for name in [name for name in free[1] if is_private(known[1][name])]:
            waiting.setdefault(key(1, name), []).append(name)
        for name in [name for name in free[0] if is_private(known[0][name])]:
            found = waiting.get(key(0, name))
            if found:
                pair(name, found.pop(0))
    return [(name, pairs[name]) for name in known[0] if name in pairs]


def _digests(known: Mapping[str, ir.Operation]) -> dict[str, str]:
    """Return a digest of each function and all that it calls; names of functions count in recursion only."""
    found: dict[str, str] = {}
    pending = [(name, False) for name in [*known][::-1]]
    started: set[str] = set()
    while pending:
        name, is_ready = pending.pop()
        if is_ready:
            found[name] = _digest(known[name], Labels(found))
        elif name not in started:
            started.add(name)
            pending.append((name, True))
            pending += [(callee, False) for callee in _called(known[name]) if callee in known]
    return found


def _called(function: ir.Operation) -> list[str]:
    """The names of functions that a function's ops refer to."""
    return [
        _name(name)
        for op in operations(function)
        for key, attribute in op.attributes.items()
        if key in ("callee", "decomposition", "called_computations")
        for name in SYMBOL.finditer(str(attribute))
    ]


def _digest(function: ir.Operation, labels: Labels) -> str:
    digest = blake2b(digest_size=16)
    numbers: dict[ir.Value, int] = {}
    for op in operations(function):
        digest.update(f"{labels.own(op)} {[numbers.get(value, -1) for value in op.operands]}".encode())
        for value in (*op.results, *(argument for block in blocks(op) for argument in block.arguments)):
            numbers[value] = len(numbers)
    return digest.hexdigest()
