"""A program on its way through the debugger: read once, calls inlined, its ops in order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..bindings import ir, passmanager
from ..bindings.attributes import CALLS
from ..bindings.bytecode import bytecode_of, copy_of
from ..bindings.types import TensorType, TypeReader, ValueType
from ..bindings.walk import body_of, functions, operations_within, terminator_of
from ..errors import InputError
from ..passes.inlined_size import too_many_inlined
from .extraction import Extractor

MAIN = "main"


@dataclass(frozen=True)
class Subject:
    """The program under examination. `function` is its `main`, with all calls inlined unless that is too much."""

    module: ir.Module
    function: ir.Operation

    @property
    def block(self) -> ir.Block:
        """The body of `main`."""
        return body_of(self.function)

    @cached_property
    def ops(self) -> list[ir.Operation]:
        """The ops of `main` in program order, without the return."""
        return [op.operation for op in self.block.operations][:-1]

    @property
    def results(self) -> list[ir.Value]:
        """The values that `main` returns."""
        return list(terminator_of(self.block).operands)

    @cached_property
    def result_types(self) -> list[ValueType]:
        """The types of the results, decoded."""
        types = TypeReader()
        return [types[value.type] for value in self.results]

    def tensor_types(self) -> list[TensorType]:
        """The different types of tensors that the ops of `main` use and compute, decoded."""
        types = TypeReader()
        used = dict.fromkeys(value.type for op in self.ops for value in (*op.operands, *op.results))
        decoded = [types[type_] for type_ in used]
        return [type_ for type_ in decoded if isinstance(type_, TensorType)]

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor that cuts programs out of this one."""
        return Extractor(self.module)

    def bytecode(self) -> bytes:
        """The whole program as engines take it."""
        return bytecode_of(self.module)


def _main(module: ir.Module) -> ir.Operation:
    known = functions(module.operation)
    if MAIN not in known and len(known) == 1:
        (function,) = known.values()
        function.attributes["sym_name"] = ir.StringAttr.get(MAIN, module.context)
        return function
    if MAIN not in known:
        names = ", ".join(f"@{name}" for name in known)
        raise InputError(f"the program has no function @main; it has {names if names else 'none'}")
    return known[MAIN]


def examine(module: ir.Module) -> Subject:
    """Prepare a module for the debugger: a copy of it, calls inlined, so that ops show in one list.

    Calls stay where they are, each an op of its own, if the program would grow without measure.

    Raises:
        InputError: The module has no function to examine.
    """
    copy = copy_of(module)
    _main(copy)
    for name, op in functions(copy.operation).items():
        if name != MAIN:
            op.attributes["sym_visibility"] = ir.StringAttr.get("private", copy.context)
    has_calls = any(op.name in CALLS for op in operations_within(copy.operation))
    if has_calls and not too_many_inlined(copy.operation, MAIN):
        # Without its default pipeline the inliner leaves all other ops as they are.
        manager = passmanager.PassManager.parse("builtin.module(inline{default-pipeline=},symbol-dce)", copy.context)
        manager.run(copy.operation)
    return Subject(copy, _main(copy))
