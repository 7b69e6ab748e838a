"""A program on its way through the debugger: calls inlined, its ops in order, their places, and parts of it cut out."""

from __future__ import annotations

import math
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...bindings import ir
from ...bindings.build import add_block, attributes_of, create, create_value, refresh_type
from ...bindings.bytecode import bytecode_of
from ...bindings.diagnostics import file_location
from ...bindings.locations import name_stack, parsed_location
from ...bindings.types import TensorType, TypeReader, ValueType
from ...bindings.walk import (
    body_of,
    captured_values,
    functions,
    operations_within,
    replace_operands,
    symbols,
    terminator_of,
)
from ...dialect.facts import facts
from ...passes.inlining import MAIN, inlined
from .border import flattened, fold_tuples

# Integer constants of no more elements than this stay constants: ops with dynamic shapes need them to be.
_SMALL_CONSTANT = 64
_REPEATED = 3  # so many ops that are alike are worth a program that runs for each of them
_SYMBOL_HOLDERS = ("func.call", "stablehlo.composite", "stablehlo.custom_call", "sdy.")


@dataclass(frozen=True)
class Extract:
    """A program cut out of another.

    Attributes:
        module: The new module; its `main` takes a value for each of `inputs` and returns one for each of `outputs`.
        inputs: Values of the original program.
        outputs: Values of the original program.
    """

    module: ir.Module
    inputs: tuple[ir.Value, ...]
    outputs: tuple[ir.Value, ...]

    def bytecode(self) -> bytes:
        """Return the module as engines take it."""
        return bytecode_of(self.module)

    def text(self) -> bytes:
        """Return the same without locations, so that programs that are alike are equal."""
        return str(self.module.operation.get_asm(print_generic_op_form=True)).encode("utf-8", "surrogateescape")


class Alone(NamedTuple):
    """An op as a program: its text, the values that are its arguments, and its results."""

    code: bytes
    inputs: tuple[ir.Value, ...]
    outputs: tuple[ir.Value, ...]


def is_observable(value: ir.Value) -> bool:
    """Whether a value can be returned from a program of its own and compared."""
    return isinstance(value.type, ir.RankedTensorType) and value.type.has_static_shape


def needed(op: ir.Operation) -> list[ir.Value]:
    """Return every value that `op` uses, its operands first."""
    return list(dict.fromkeys([*op.operands, *(captured_values(op) if len(op.regions) else ())]))


def _holds_ops(op: ir.Operation) -> bool:
    """Whether an op is a program of its own, such as a loop or a call."""
    return facts(op.name).is_control_flow or op.name.startswith(_SYMBOL_HOLDERS)


def is_token(value: ir.Value) -> bool:
    """Whether a value is a token."""
    return str(value.type) == "!stablehlo.token"


def is_supplied(value: ir.Value) -> bool:
    """Whether programs that are cut out make a value: a token, or an integer constant that may have to stay one."""
    if is_token(value):
        return True
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "stablehlo.constant":
        return False
    type_ = ir.RankedTensorType(value.type)
    return not isinstance(type_.element_type, ir.FloatType) and math.prod(type_.shape) <= _SMALL_CONSTANT


class Extractor:
    """Cuts programs out of one module."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self._symbols = [op for name, op in symbols(module.operation).items() if name != "main"]
        self._alone: dict[ir.Operation, Alone] = {}
        self._codes: dict[bytes, bytes] = {}
        self._like: dict[Hashable, set[ir.Operation]] = {}

    def ops(
        self, ops: Sequence[ir.Operation], outputs: Sequence[ir.Value] | None = None, *, isolated: bool = False
    ) -> Extract:
        """Cut out ops of one block, in program order.

        Args:
            ops: The ops; terminators are not among them.
            outputs: The results to return, by default all results of all `ops`; tokens are left out.
            isolated: Give each op its operands as arguments, also where another of `ops` computes them.
        """
        wanted = [result for op in ops for result in op.results] if outputs is None else outputs
        results = [value for value in wanted if not is_token(value)]
        made = {result for op in ops if not isolated for result in op.results}
        used = _taken(ops, made)
        supplied = [value for value in used if is_supplied(value)]
        inputs = [value for value in used if value not in set(supplied)]
        builder = _Builder(self.module, inputs)
        with ir.InsertionPoint(builder.block):
            for value in supplied:
                builder.supply(value)
            given = dict(builder.values)
            for op in ops:
                builder.place(op, given if isolated else builder.values)
        module = builder.finish([builder.values[value] for value in results], self._symbols)
        return Extract(module, tuple(inputs), tuple(results))

    def alone(self, op: ir.Operation) -> Alone:
        """Cut out one op. Ops that differ in their operands and locations alone have one program, without locations."""
        if op not in self._alone:
            extract = self.ops([op], [result for result in op.results if is_observable(result)])
            code = extract.bytecode()
            if not _holds_ops(op):
                code = self._codes.setdefault(code := extract.text(), code)
            self._alone[op] = Alone(code, extract.inputs, extract.outputs)
        return self._alone[op]

    def repeated(self, ops: Sequence[ir.Operation]) -> set[ir.Operation]:
        """Return those of these ops that do the same as two others of this or an earlier call."""
        kinds = {op: (op.name, *(value.type for value in (*op.operands, *op.results)))
                 for op in ops if not _holds_ops(op)}  # fmt: skip
        for op, kind in kinds.items():
            self._like.setdefault(kind, set()).add(op)
        return {op for op, kind in kinds.items() if len(self._like[kind]) >= _REPEATED}

    def region(self, op: ir.Operation, index: int, order: Mapping[ir.Value, int] | None = None) -> Extract:
        """Cut out a region of one block: the arguments are the block's and then what the region captures, without
        tokens. Captured values that are in `order` come first, by their numbers there."""
        block = body_of(op, index)
        every = [inner.operation for inner in block.operations]
        outside = _taken(every, {*block.arguments, *(result for inner in every for result in inner.results)})
        if order is not None:
            outside.sort(key=lambda value: order.get(value, math.inf))
        used = [*block.arguments, *outside]
        inputs = [value for value in used if not is_token(value)]
        builder = _Builder(self.module, inputs)
        *ops, terminator = every
        with ir.InsertionPoint(builder.block):
            for value in filter(is_token, used):
                builder.supply(value)
            for inner in ops:
                builder.place(inner, builder.values)
        outputs = tuple([value for value in terminator.operands if not is_token(value)])
        module = builder.finish([builder.values[value] for value in outputs], self._symbols)
        return Extract(module, tuple(inputs), outputs)


def _taken(ops: Sequence[ir.Operation], made: Container[ir.Value]) -> list[ir.Value]:
    """Return the values from outside that ops use, each once."""
    return [value for value in dict.fromkeys(value for op in ops for value in needed(op)) if value not in made]


class _Builder:
    """A module with one function, while it is written."""

    def __init__(self, original: ir.Module, inputs: Sequence[ir.Value]) -> None:
        self.location = original.operation.location
        with self.location:
            self.module = ir.Module.create()
            types = [value.type for value in inputs]
            function_type = ir.TypeAttr.get(ir.FunctionType.get(types, []))
            attributes = {"sym_name": ir.StringAttr.get("main"), "function_type": function_type}
            at = ir.InsertionPoint(self.module.body)
            self.function = create("func.func", (), (), attributes, regions=1, at=at)
            for name, attribute in attributes_of(original.operation).items():
                if (name.startswith("mhlo.") and name != "mhlo.input_output_alias") or name == "sym_name":
                    self.module.operation.attributes[name] = attribute
            self.block = add_block(self.function.regions[0], types)
        self.values: dict[ir.Value, ir.Value] = dict(zip(inputs, self.block.arguments, strict=True))

    def supply(self, value: ir.Value) -> None:
        """Make a token, or copy a constant; see `is_supplied`."""
        if is_token(value):
            self.values[value] = create_value("stablehlo.create_token", (), value.type, location=self.location)
        else:
            self.place(ir.OpResult(value).owner.operation, self.values)

    def place(self, op: ir.Operation, values: dict[ir.Value, ir.Value]) -> None:
        """Copy one op to the end of the block, with its operands looked up in `values`."""
        copy = op.operation.clone()
        replace_operands(copy, values)
        self.values.update(zip(op.results, copy.results, strict=True))

    def finish(self, results: Sequence[ir.Value], symbols: Iterable[ir.Operation]) -> ir.Module:
        """Return the results, and bring along the functions and meshes that the ops refer to."""
        with self.location:
            create("func.return", results, (), at=ir.InsertionPoint(self.block))
        refresh_type(self.function)
        if any(op.name.startswith(_SYMBOL_HOLDERS) for op in operations_within(self.function)):
            with ir.InsertionPoint.at_block_begin(self.module.body):
                for symbol in symbols:
                    symbol.clone()
        return self.module


@dataclass(frozen=True)
class OpLocation:
    """An op of a program, for people and for JSON.

    Attributes:
        number: Its position in program order among the ops of its block, from 0.
        op: Its name.
        location: `file:line:column` of the source, or empty.
        name_stack: Names that the exporter gave, such as `jit(step)/dot_general`, or empty.
        path: The regions around it, the outermost first: `while #12 body, iteration 3`.
    """

    number: int
    op: str
    location: str
    name_stack: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = "".join(f"{part}: " for part in self.path)
        names = f" {self.name_stack}" if self.name_stack else ""
        location = f" at {self.location}" if self.location else ""
        return f"{where}#{self.number} {self.op}{names}{location}"


def place(op: ir.Operation, number: int, path: tuple[str, ...] = ()) -> OpLocation:
    """Return the place of an op in its block."""
    return OpLocation(number, op.name, file_location(op.location), name_stack(parsed_location(op.location)), path)


@dataclass(frozen=True)
class Subject:
    """The program under examination.

    Attributes:
        module: The program, its calls inlined unless that is too much. Its `main` takes and returns tensors alone.
        function: The `main`.
        returns: The types of the results of the program as it was: tuples hold several of `main`'s, tokens none.
    """

    module: ir.Module
    function: ir.Operation
    _source: ir.Module | None = None
    returns: tuple[ValueType, ...] = ()

    @property
    def source(self) -> ir.Module:
        """The same program before inlining."""
        return self.module if self._source is None else self._source

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
        """Return the different types of tensors that the ops of `main` use and compute, decoded."""
        types = TypeReader()
        used = dict.fromkeys(value.type for op in self.ops for value in (*op.operands, *op.results))
        decoded = [types[type_] for type_ in used]
        return [type_ for type_ in decoded if isinstance(type_, TensorType)]

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor that cuts programs out of this one."""
        return Extractor(self.module)

    def bytecode(self) -> bytes:
        """Return the whole program as engines take it."""
        return bytecode_of(self.module)


def examine(module: ir.Module) -> Subject:
    """Prepare a module for the debugger: a copy of it, calls inlined, so that ops show in one list.

    Calls stay where they are, each an op of its own, if the program would grow without measure. Tokens, and the
    elements of tuples, are arguments and results as `flattened` has them.

    Raises:
        InputError: The module has no function to examine, or one that takes or returns other values.
    """
    source, returns = flattened(module)
    copy = inlined(source)
    function = functions(copy.operation)[MAIN]
    fold_tuples(function)
    return Subject(copy, function, source, returns)
