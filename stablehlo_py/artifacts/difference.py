"""Whether two modules are the same program, and where they first differ.

The comparison ignores the names of SSA values, locations, the order of attributes, and the numbers that tools append to
symbols to keep them apart (`@relu`, `@relu_0`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..bindings import ir
from ..bindings.build import attributes_of
from ..bindings.diagnostics import file_location
from ..syntax.tables import shortened

SYMBOL = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_$.][\w$.]*))')
# Attributes whose strings are symbols: the name itself, and VHLO's form of references.
_QUOTED = re.compile(r'@?"((?:[^"\\]|\\.)*)"|@([A-Za-z_$.][\w$.]*)')
_NAMES_OF_SYMBOLS = frozenset({"sym_name", "callee", "called_computations", "decomposition"})
NUMBERING = re.compile(r"(?:[._]?\d+)+$")


@dataclass(frozen=True)
class Difference:
    """The first place where two modules differ.

    `what` differs; `first` and `second` tell how it is in each module. `path` names the ops from the function inwards,
    the locations are `file:line:column` or empty.
    """

    what: str
    first: str
    second: str
    path: str
    first_location: str
    second_location: str

    def __str__(self) -> str:
        def at(location: str) -> str:
            return f" ({location})" if location else ""

        return (
            f"{self.path}: {self.what} differs\n"
            f"  first{at(self.first_location)}: {self.first}\n"
            f"  second{at(self.second_location)}: {self.second}"
        )


def _many(values: Sequence[object]) -> str:
    return shortened(", ".join(map(str, values))) if values else "none"


_Pair = tuple[ir.Operation, ir.Operation]


class _Comparison:
    """The differences of two modules, in the order of the text; whoever asks for the first one stops there."""

    def __init__(self, modules: _Pair) -> None:
        self.modules = modules
        self.values: dict[ir.Value, ir.Value] = {}
        self.blocks: dict[ir.Block, ir.Block] = {}
        self.symbols: dict[str, str] = {}
        self.symbols_back: dict[str, str] = {}
        self.waiting: list[_Pair | Difference] = []

    def differences(self) -> Iterator[Difference]:
        own, others = map(attributes_of, self.modules)
        for name in sorted((own | others).keys() - {"sym_name"}):  # which says nothing about the program
            first, second = own.get(name, "absent"), others.get(name, "absent")
            if first != second:
                yield self.difference(f"attribute {name}", first, second, self.modules)
        yield from self.regions(self.modules)
        while self.waiting:
            following = self.waiting.pop()
            if isinstance(following, Difference):
                yield following
            else:
                yield from self.operation(following)

    def difference(self, what: str, first: object, second: object, ops: _Pair) -> Difference:
        a, b = (file_location(op.location) for op in ops)
        return Difference(what, shortened(first), shortened(second), self.path(ops[0]), a, b)

    def path(self, op: ir.Operation) -> str:
        steps: list[str] = []
        while op != self.modules[0]:
            steps.append(_step(op))
            op = op.block.owner.operation
        return "/".join(["module", *reversed(steps)])

    def operation(self, ops: _Pair) -> Iterator[Difference]:
        first, second = ops
        if first.name != second.name:
            yield self.difference("the op", first.name, second.name, ops)
        yield from self.operands(ops)
        yield from self.attributes(ops)
        results = [[result.type for result in op.results] for op in ops]
        if results[0] != results[1]:
            yield self.difference("the result types", _many(results[0]), _many(results[1]), ops)
        if [self.blocks.get(block) for block in first.successors] != list(second.successors):
            yield self.difference("the successor blocks", len(first.successors), len(second.successors), ops)
        self.values.update(zip(first.results, second.results, strict=True))
        yield from self.regions(ops)

    def operands(self, ops: _Pair) -> Iterator[Difference]:
        first, second = (list(op.operands) for op in ops)
        if len(first) != len(second):
            yield self.difference("the number of operands", len(first), len(second), ops)
        for number, (a, b) in enumerate(zip(first, second, strict=True)):
            if a not in self.values or self.values[a] != b:
                yield self.difference(f"operand {number}", _value(a), _value(b), ops)

    def attributes(self, ops: _Pair) -> Iterator[Difference]:
        names = [set(op.attributes.keys()) for op in ops]
        if names[0] != names[1]:
            only = [sorted(names[0] - names[1]), sorted(names[1] - names[0])]
            yield self.difference("the set of attributes", f"also {_many(only[0])}", f"also {_many(only[1])}", ops)
        for name in sorted(names[0]):
            first, second = ops[0].attributes[name], ops[1].attributes[name]
            if not self.same_attribute(name, first, second):
                renamed = ", which stands for another symbol than before" if first == second else ""
                yield self.difference(f"attribute {name}", first, f"{second}{renamed}", ops)

    def same_attribute(self, name: str, first: ir.Attribute, second: ir.Attribute) -> bool:
        """Return whether the attributes differ at most in the numbering of symbols, as everywhere else."""
        holders = ir.FlatSymbolRefAttr | ir.SymbolRefAttr | ir.ArrayAttr | ir.DictAttr
        if name not in _NAMES_OF_SYMBOLS and not isinstance(first, holders):
            return first == second
        pattern = _QUOTED if name in _NAMES_OF_SYMBOLS else SYMBOL
        a, b = str(first), str(second)
        if pattern.sub("@", a) != pattern.sub("@", b):
            return False
        pairs = zip(pattern.findall(a), pattern.findall(b), strict=True)
        return all(self.same_symbol("".join(one), "".join(other)) for one, other in pairs)

    def same_symbol(self, first: str, second: str) -> bool:
        """Return whether the symbols can stand for each other; if so, they do from then on."""
        if NUMBERING.sub("", first) != NUMBERING.sub("", second):
            return False
        known = self.symbols.setdefault(first, second) == second
        return self.symbols_back.setdefault(second, first) == first and known

    def regions(self, ops: _Pair) -> Iterator[Difference]:
        """Compare the blocks of two ops; the ops in them come next, one after the other."""
        first, second = (list(op.regions) for op in ops)
        if len(first) != len(second):
            yield self.difference("the number of regions", len(first), len(second), ops)
        inner: list[_Pair | Difference] = []
        for regions in zip(first, second, strict=True):
            blocks = [list(region.blocks) for region in regions]
            if len(blocks[0]) != len(blocks[1]):
                yield self.difference("the number of blocks", len(blocks[0]), len(blocks[1]), ops)
            for a, b in zip(*blocks, strict=True):
                types = [[argument.type for argument in block.arguments] for block in (a, b)]
                if types[0] != types[1]:
                    yield self.difference("the types of the block's arguments", _many(types[0]), _many(types[1]), ops)
                self.blocks[a] = b
                self.values.update(zip(a.arguments, b.arguments, strict=True))
                here, there = ([op.operation for op in block.operations] for block in (a, b))
                inner += zip(here, there, strict=False)
                if len(here) != len(there):
                    inner.append(self.difference("the number of ops in a block", len(here), len(there), ops))
        self.waiting += reversed(inner)


def _step(operation: ir.Operation) -> str:
    if "sym_name" in operation.attributes:
        return "@" + "".join(_QUOTED.findall(str(operation.attributes["sym_name"]))[0])
    number = [inner.operation for inner in operation.block.operations].index(operation)
    return f"{operation.name}[{number}]"


def _value(value: ir.Value) -> str:
    owner = value.owner
    if isinstance(owner, ir.Block):
        return f"argument {ir.BlockArgument(value).arg_number} : {value.type}"
    return f"result {ir.OpResult(value).result_number} of {owner.name} : {value.type}"


def first_difference(first: ir.Operation, second: ir.Operation) -> Difference | None:
    """Return the first difference of two modules of one context, or None if they are the same program."""
    return next(_Comparison((first, second)).differences(), None)
