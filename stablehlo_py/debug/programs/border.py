"""Programs whose `main` takes and returns tensors alone: tokens are made inside, tuples and futures are taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...bindings import ir
from ...bindings.attributes import CALLS, callee_of
from ...bindings.build import attributes_of, create, create_value, refresh_type
from ...bindings.bytecode import copy_of
from ...bindings.types import FutureType, TensorType, TokenType, TupleType, TypeReader, ValueType
from ...bindings.walk import body_of, functions, is_used, operations, operations_within, terminator_of
from ...errors import InputError
from ...interpreter.arguments import parameter_names
from ...interpreter.values import tensors_in
from ...passes.inlining import MAIN, name_main

_ELEMENT, _TUPLE = "stablehlo.get_tuple_element", "stablehlo.tuple"
# Attributes that number arguments and results, which only compilers need.
_NUMBERING = ("mhlo.xla_entry_computation", "mhlo.input_output_alias", "tf.aliasing_output")


def flattened(module: ir.Module) -> tuple[ir.Module, tuple[ValueType, ...]]:
    """Return the program, or a copy whose `main` takes and returns tensors alone; and the types of the results before.

    Raises:
        InputError: The program calls its `main`, or no engine takes or returns values of a type.
    """
    known, types = functions(module.operation), TypeReader()
    entry = next(iter(known.values())) if len(known) == 1 else known.get(MAIN)
    if entry is None:
        return module, ()  # which has nothing to run
    signature = ir.FunctionType(ir.TypeAttr(entry.attributes["function_type"]).value)
    parameters, results = ([types[type_] for type_ in part] for part in (signature.inputs, signature.results))
    if all(isinstance(type_, TensorType) for type_ in (*parameters, *results)):
        return module, tuple(results)
    copy = copy_of(module)
    name_main(copy)
    function = functions(copy.operation)[MAIN]
    if any(op.name in CALLS and callee_of(op) == MAIN for op in operations(copy.operation)):
        raise InputError("calls of @main cannot follow where it takes or returns other values than tensors")
    _take_tensors(body_of(function), parameter_names(function))
    _return_tensors(body_of(function))
    _keep_attributes(function, "arg_attrs", parameters)
    _keep_attributes(function, "res_attrs", results)
    for name in filter(lambda name: name.startswith(_NUMBERING), attributes_of(copy.operation)):
        del copy.operation.attributes[name]
    refresh_type(function)
    fold_tuples(function)
    return copy, tuple(results)


def _keep_attributes(function: ir.Operation, key: str, types: Sequence[ValueType]) -> None:
    """Let tensors keep the attributes of parameters or results; those of a tuple are none of its elements'."""
    if key in function.attributes:
        listed = list[ir.Attribute]()
        for type_, given in zip(types, map(ir.DictAttr, ir.ArrayAttr(function.attributes[key])), strict=True):
            kept = {one.name: one.attr for one in given if one.name not in _NUMBERING}
            attributes = ir.DictAttr.get(kept if isinstance(type_, TensorType) else {}, function.context)
            listed += [attributes] * len(tensors_in([type_]))
        function.attributes[key] = ir.ArrayAttr.get(listed, function.context)


def _take_tensors(block: ir.Block, names: Sequence[str]) -> None:
    """Replace the arguments of a block by tensors, and make of them what the arguments were."""
    at, types = ir.InsertionPoint.at_block_begin(block), TypeReader()

    def made(type_: ir.Type, name: str, location: ir.Location) -> ir.Value:
        decoded = types[type_]
        if isinstance(decoded, TensorType):
            return block.add_argument(type_, ir.Location.name(name, location, location.context))
        if isinstance(decoded, TokenType):
            return create_value("stablehlo.create_token", (), type_, at=at, location=location)
        if not isinstance(decoded, TupleType):
            raise InputError(f"argument '{name}' is of type {type_}, which no engine takes")
        inner = [ir.TupleType(type_).get_type(index) for index in range(len(decoded.types))]
        parts = [made(part, f"{name}.{index}", location) for index, part in enumerate(inner)]
        return create_value(_TUPLE, parts, type_, at=at, location=location)

    for name, argument in zip(names, list(block.arguments), strict=True):
        argument.replace_all_uses_with(made(argument.type, name, argument.location))
    for _ in names:
        block.erase_argument(0)


def _return_tensors(block: ir.Block) -> None:
    """Return the tensors in the values that a block returns."""
    terminator, types = terminator_of(block), TypeReader()
    at, location, context = ir.InsertionPoint(terminator), terminator.location, terminator.context

    def parts(value: ir.Value) -> Iterator[ir.Value]:
        decoded = types[value.type]
        if isinstance(decoded, TensorType):
            yield value
        elif isinstance(decoded, (TupleType, FutureType)):
            inner = [ir.Type.parse(str(type_), context) for type_ in decoded.types]
            if isinstance(decoded, FutureType):
                found = list(create("stablehlo.async_done", [value], inner, at=at, location=location).results)
            else:
                found = [_element(value, index, type_, at) for index, type_ in enumerate(inner)]
            for part in found:
                yield from parts(part)
        elif not isinstance(decoded, TokenType):
            raise InputError(f"a result is of type {decoded}, which no engine returns")

    returned = [part for value in terminator.operands for part in parts(value)]
    create(terminator.name, returned, (), at=at, location=location)
    terminator.erase()


def _element(value: ir.Value, index: int, type_: ir.Type, at: ir.InsertionPoint) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(32, value.context), index)
    return create_value(_ELEMENT, [value], type_, {"index": number}, at=at, location=value.location)


def fold_tuples(function: ir.Operation) -> None:
    """Let the users of a tuple's elements take these themselves, and drop the tuples that nobody uses then."""
    found = [op for op in operations_within(function) if op.name in (_ELEMENT, _TUPLE)]
    for op in found:
        owner = op.operands[0].owner if op.name == _ELEMENT else op.block
        if not isinstance(owner, ir.Block) and owner.name == _TUPLE:
            operand = owner.operation.operands[ir.IntegerAttr(op.attributes["index"]).value]
            op.results[0].replace_all_uses_with(operand)
    for op in reversed(found):
        if not is_used(op.results[0]):
            op.erase()
