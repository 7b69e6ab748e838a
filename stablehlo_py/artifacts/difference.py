"""Whether two modules are the same program, and where they first differ.

The comparison ignores the names of SSA values, locations, the order of attributes, and the numbers that tools append to
symbols to keep them apart (`@relu`, `@relu_0`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..bindings import ir
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


def _may_hold_symbols(name: str, attribute: ir.Attribute) -> bool:
    """Return whether an attribute can contain a symbol; others, such as numbers and types, are compared faster."""
    references = ir.FlatSymbolRefAttr | ir.SymbolRefAttr | ir.ArrayAttr | ir.DictAttr
    return name in _NAMES_OF_SYMBOLS or isinstance(attribute, references)


class _Found(Exception):  # noqa: N818 - not an error: it carries the result out of the recursion
    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.what)
        self.difference = difference


def _many(values: Sequence[object]) -> str:
    return shortened(", ".join(map(str, values))) if values else "none"


class _Comparison:
    def __init__(self) -> None:
        self.values: dict[ir.Value, ir.Value] = {}
        self.blocks: dict[ir.Block, ir.Block] = {}
        self.symbols: dict[str, str] = {}
        self.symbols_back: dict[str, str] = {}
        self.path: list[str] = []

    def differ(self, what: str, first: object, second: object, ops: tuple[ir.Operation, ir.Operation]) -> None:
        a, b = (file_location(op.location) for op in ops)
        raise _Found(Difference(what, shortened(first), shortened(second), "/".join(self.path), a, b))

    def operations(self, first: ir.Operation, second: ir.Operation) -> None:
        ops = (first, second)
        if first.name != second.name:
            self.differ("the op", first.name, second.name, ops)
        self.operands(ops)
        self.attributes(ops)
        results = [[result.type for result in op.results] for op in ops]
        if results[0] != results[1]:
            self.differ("the result types", _many(results[0]), _many(results[1]), ops)
        if [self.blocks.get(block) for block in first.successors] != list(second.successors):
            self.differ("the successor blocks", len(first.successors), len(second.successors), ops)
        self.values.update(zip(first.results, second.results, strict=True))
        self.regions(ops)

    def operands(self, ops: tuple[ir.Operation, ir.Operation]) -> None:
        first, second = (list(op.operands) for op in ops)
        if len(first) != len(second):
            self.differ("the number of operands", len(first), len(second), ops)
        for number, (a, b) in enumerate(zip(first, second, strict=True)):
            if self.values.get(a) != b:
                self.differ(f"operand {number}", _value(a), _value(b), ops)

    def attributes(self, ops: tuple[ir.Operation, ir.Operation]) -> None:
        names = [set(op.attributes.keys()) for op in ops]
        if names[0] != names[1]:
            only = [sorted(names[0] - names[1]), sorted(names[1] - names[0])]
            self.differ("the set of attributes", f"also {_many(only[0])}", f"also {_many(only[1])}", ops)
        for name in sorted(names[0]):
            first, second = ops[0].attributes[name], ops[1].attributes[name]
            same = self.same_symbols(name, first, second) if _may_hold_symbols(name, first) else first == second
            if not same:
                renamed = ", which stands for another symbol than before" if first == second else ""
                self.differ(f"attribute {name}", first, f"{second}{renamed}", ops)

    def same_symbols(self, name: str, first: ir.Attribute, second: ir.Attribute) -> bool:
        """Return whether the attributes differ at most in the numbering of symbols, as everywhere else."""
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

    def regions(self, ops: tuple[ir.Operation, ir.Operation]) -> None:
        first, second = (list(op.regions) for op in ops)
        if len(first) != len(second):
            self.differ("the number of regions", len(first), len(second), ops)
        for a, b in zip(first, second, strict=True):
            blocks = list(a.blocks), list(b.blocks)
            if len(blocks[0]) != len(blocks[1]):
                self.differ("the number of blocks", len(blocks[0]), len(blocks[1]), ops)
            self.blocks.update(zip(*blocks, strict=True))
            for pair in zip(*blocks, strict=True):
                self.block(*pair, ops)

    def block(self, first: ir.Block, second: ir.Block, ops: tuple[ir.Operation, ir.Operation]) -> None:
        types = [[argument.type for argument in block.arguments] for block in (first, second)]
        if types[0] != types[1]:
            self.differ("the types of the block's arguments", _many(types[0]), _many(types[1]), ops)
        self.values.update(zip(first.arguments, second.arguments, strict=True))
        inner = [[op.operation for op in block.operations] for block in (first, second)]
        for number, (a, b) in enumerate(zip(*inner, strict=False)):
            self.path.append(_step(a, number))
            self.operations(a, b)
            self.path.pop()
        if len(inner[0]) != len(inner[1]):
            self.differ("the number of ops in a block", len(inner[0]), len(inner[1]), ops)


def _step(operation: ir.Operation, number: int) -> str:
    if "sym_name" in operation.attributes:
        return "@" + "".join(_QUOTED.findall(str(operation.attributes["sym_name"]))[0])
    return f"{operation.name}[{number}]"


def _value(value: ir.Value) -> str:
    owner = value.owner
    if isinstance(owner, ir.Block):
        return f"argument {ir.BlockArgument(value).arg_number} : {value.type}"
    return f"result {ir.OpResult(value).result_number} of {owner.name} : {value.type}"


def _module_attribute(module: ir.Operation, name: str) -> ir.Attribute | str:
    if name not in module.attributes:
        return "absent"
    return module.attributes[name]


def first_difference(first: ir.Operation, second: ir.Operation) -> Difference | None:
    """Return the first difference of two modules of one context, or None if they are the same program."""
    comparison = _Comparison()
    comparison.path.append("module")
    ops = first, second
    try:
        # A name on the module itself says nothing about the program.
        names = [set(op.attributes.keys()) - {"sym_name"} for op in ops]
        for name in sorted(names[0] | names[1]):
            values = [_module_attribute(op, name) for op in ops]
            if values[0] != values[1]:
                comparison.differ(f"attribute {name}", values[0], values[1], ops)
        comparison.regions(ops)
    except _Found as found:
        return found.difference
    return None
