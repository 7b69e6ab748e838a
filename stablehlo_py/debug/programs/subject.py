"""A program on its way through the debugger: read once, calls inlined, its ops in order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...bindings import ir
from ...bindings.bytecode import bytecode_of
from ...bindings.types import TensorType, TypeReader, ValueType
from ...bindings.walk import body_of, functions, terminator_of
from ...passes.inlining import MAIN, inlined
from .extraction import Extractor


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


def examine(module: ir.Module) -> Subject:
    """Prepare a module for the debugger: a copy of it, calls inlined, so that ops show in one list.

    Calls stay where they are, each an op of its own, if the program would grow without measure.

    Raises:
        InputError: The module has no function to examine.
    """
    copy = inlined(module)
    return Subject(copy, functions(copy.operation)[MAIN])
