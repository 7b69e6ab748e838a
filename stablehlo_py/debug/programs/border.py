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
# They number arguments and results; only compilers need them.
_NUMBERING = ("mhlo.xla_entry_computation", "mhlo.input_output_alias")
_ALIAS = "tf.aliasing_output"


def flattened(module: ir.Module) -> tuple[ir.Module, tuple[ValueType, ...]]:
    """Return the program, or a copy whose `main` takes and returns tensors alone; and the types of the results before.

    Raises:
        InputError: The program has no `main`, calls it, or a value goes in or out that has no tensors.
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
    _check(parameters, results)
    _write_attributes(function, parameters, results)
    _take_tensors(body_of(function), parameters, types)
    _return_tensors(body_of(function), types)
    refresh_type(function)
    for name in attributes_of(copy.operation):
        if name.startswith(_NUMBERING):
            del copy.operation.attributes[name]
    return copy, tuple(results)


def _check(parameters: Sequence[ValueType], results: Sequence[ValueType]) -> None:
    for word, part, containers in (("argument", parameters, TupleType), ("result", results, TupleType | FutureType)):
        for number, type_ in enumerate(part):
            pending = [type_]
            while pending:
                inner = pending.pop()
                if isinstance(inner, containers):
                    pending += inner.types
                elif not isinstance(inner, TensorType | TokenType):
                    where = "" if inner == type_ else f" in {type_}"
                    raise InputError(f"{word} {number} is of type {inner}{where}, which goes in or out of no engine")


def _write_attributes(function: ir.Operation, parameters: Sequence[ValueType], results: Sequence[ValueType]) -> None:
    """Give each tensor the attributes of its parameter or result, and the tensors of a tuple their names alone."""
    names = parameter_names(function)
    for key, types in (("arg_attrs", parameters), ("res_attrs", results)):
        given = list(ir.ArrayAttr(function.attributes[key])) if key in function.attributes else [None] * len(types)
        listed = list[ir.Attribute]()
        for number, (type_, attributes) in enumerate(zip(types, given, strict=True)):
            is_kept = attributes is not None and isinstance(type_, TensorType)
            kept = {one.name: one.attr for one in ir.DictAttr(attributes)} if is_kept else {}
            kept.pop(_ALIAS, None)
            for name, _ in tensors_in([type_], names[number : number + 1] if key == "arg_attrs" else ()):
                more = {"jax.arg_info": ir.StringAttr.get(name, function.context)} if name else {}
                listed.append(ir.DictAttr.get(kept | more, function.context))
        function.attributes[key] = ir.ArrayAttr.get(listed, function.context)


def _take_tensors(block: ir.Block, parameters: Sequence[ValueType], types: TypeReader) -> None:
    """Replace the arguments of a block by tensors, and make of them what the arguments were."""
    old = list(block.arguments)
    at = ir.InsertionPoint.at_block_begin(block)

    def made(type_: ir.Type, location: ir.Location) -> ir.Value:
        decoded = types[type_]
        if isinstance(decoded, TensorType):
            return block.add_argument(type_, location)
        if isinstance(decoded, TokenType):
            return create_value("stablehlo.create_token", (), type_, at=at, location=location)
        inner = ir.TupleType(type_)
        parts = [made(inner.get_type(index), location) for index in range(inner.num_types)]
        return create_value(_TUPLE, parts, type_, at=at, location=location)

    for argument in old:
        argument.replace_all_uses_with(made(argument.type, argument.location))
    for _ in parameters:
        block.erase_argument(0)


def _return_tensors(block: ir.Block, types: TypeReader) -> None:
    """Return the tensors in the values that a block returns."""
    terminator = terminator_of(block)
    at, location = ir.InsertionPoint(terminator), terminator.location

    def parts(value: ir.Value) -> Iterator[ir.Value]:
        decoded = types[value.type]
        if isinstance(decoded, TensorType):
            yield value
        elif isinstance(decoded, TupleType):
            inner = ir.TupleType(value.type)
            for index in range(inner.num_types):
                number = {"index": ir.IntegerAttr.get(ir.IntegerType.get_signless(32, value.context), index)}
                element = create_value(_ELEMENT, [value], inner.get_type(index), number, at=at, location=location)
                yield from parts(element)
        elif isinstance(decoded, FutureType):
            ready = [ir.Type.parse(str(type_), value.context) for type_ in decoded.types]
            done = create("stablehlo.async_done", [value], ready, at=at, location=location)
            for result in done.results:
                yield from parts(result)

    create(terminator.name, [part for value in terminator.operands for part in parts(value)], (),
           at=at, location=location)  # fmt: skip
    terminator.erase()


def fold_tuples(function: ir.Operation) -> None:
    """Let the users of a tuple's elements take these themselves, and drop the tuples that nobody uses then."""
    for op in operations_within(function):
        if op.name == _ELEMENT:
            owner = op.operands[0].owner
            if not isinstance(owner, ir.Block) and owner.name == _TUPLE:
                number = ir.IntegerAttr(op.attributes["index"]).value
                op.results[0].replace_all_uses_with(owner.operation.operands[number])
    for op in reversed(operations_within(function)):
        if op.name in (_ELEMENT, _TUPLE) and not is_used(op.results[0]):
            op.erase()
