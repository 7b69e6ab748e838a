"""One op of a program under construction, from the arguments of its function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.attributes import int_of, ints_of, symbol_name
from ..bindings.build import tensor_type
from ..bindings.elements import from_numpy
from ..bindings.python_numbers import is_plain, numbers
from ..bindings.types import (
    ElementType,
    FutureType,
    TensorType,
    decode_type,
    element_type,
    element_type_names,
    shape_of,
)
from ..bindings.walk import terminator_of
from ..errors import ArgumentError, counted
from . import attributes
from .builder import Builder, Group, readable, type_of_value
from .functions import define
from .parameters import OpParameters, is_array, is_group
from .values import Value, as_operand, filling

_INDICES = frozenset(
    ("start_indices", "limit_indices", "strides", "slice_sizes", "edge_padding_low", "edge_padding_high")
    + ("interior_padding", "output_shape", "output_dimensions", "shape", "padding", "scatter_indices", "group_sizes")
)
_I32 = frozenset(("size", "index"))
_DIMENSIONS = frozenset(("dimension", "split_dimension", "concat_dimension", "feature_index", "index"))
_TAKES_OTHERS = frozenset(  # operands that are tokens, tuples or futures
    f"stablehlo.{name}"
    for name in ("after_all", "async_done", "composite", "custom_call", "get_tuple_element", "infeed")
    + ("optimization_barrier", "outfeed", "recv", "send", "tuple", "while")
)
Arguments = dict[str, Any]


def bound(op: OpParameters, positional: Sequence[Any], named: Mapping[str, Any]) -> Arguments:
    """Return the arguments of a call by their parameters' names. Raises `ArgumentError` if they do not fit these."""
    if len(positional) > len(op.parameters):
        raise ArgumentError(f"takes {counted(len(op.parameters), 'argument')}, not {len(positional)}", op=op.name)
    found = {each.name: value for each, value in zip(op.parameters, positional, strict=False)} | dict(named)
    problem = f"has two values for one of {list(named)}" if len(found) < len(positional) + len(named) else ""
    for name in op.required:
        if found.get(name) is None:
            problem = f"needs a value for {name!r}"
    for group in op.optional_structs:
        if not found.keys() & group:
            problem = f"needs a value for one of {', '.join(group)}"
    for name in found:
        if name not in op.by_name:
            problem = f"has no parameter {name!r}"
    if problem:
        raise ArgumentError(problem, op=op.name, notes=[f"its parameters are {', '.join(op.by_name)}"])
    for name in _I32.intersection(found):  # numpy's integers are indices, too
        if is_array(found[name]) and found[name].dtype.kind in "iu":
            found[name] = numbers(found[name], element_type("i32"))
    return found


def build(builder: Builder, op: OpParameters, arguments: Arguments) -> ir.Operation:
    """Create the op at the builder's insertion point.

    Raises:
        ArgumentError: The arguments are not such as the op takes.
        VerificationError: The bindings refuse them.
    """
    if op.name == "stablehlo.constant":
        constant: Any = builder.constant(*_constant(builder, arguments))
        return constant.owner.operation
    groups = _operands(builder, op, arguments)
    operands = list(chain.from_iterable(groups.values()))
    other = next((each.type for each in operands if not isinstance(each.type, ir.RankedTensorType)), None)
    if other is not None and op.name not in _TAKES_OTHERS:
        raise ArgumentError(f"an operand is of type {other}, not a tensor", op=op.name)
    infers = op.infers_results and arguments.get("result_type") is None
    found = _attributes(builder, op, arguments, operands) if op.signature.attributes else {}
    _refuse_what_crashes(op, operands, found)
    if infers:
        return builder.create(op.name, operands, None, found)
    blocks = _blocks(builder, op, arguments, groups)
    if op.name == "chlo.scan":
        counts = [len(group) for group in groups.values()]
        results = [len(terminator_of(blocks[-1]).operands) - counts[1], counts[1]]
        for name, sizes in (("operandSegmentSizes", counts), ("resultSegmentSizes", results)):
            found[name] = builder.attribute(f"array<i32: {str(sizes)[1:-1]}>")
    return _with_results(builder, op, arguments, groups, found, blocks)


def _constant(builder: Builder, arguments: Arguments) -> tuple[Any, ir.Type | None]:
    """Return the value of a constant, and its type if `result_type` says something about it."""
    value = arguments["value"]
    types, shape, element = _declared(builder, arguments)
    if types or (shape is None and element is None):
        return value, types[0] if types else None
    own = type_of_value(numbers(value, element) if is_plain(value) else readable(value))
    if not isinstance(own, TensorType):
        return value, None
    wanted = TensorType(own.shape if shape is None else tuple(shape), own.element_type if element is None else element)
    return value, builder.type(wanted)


def _operands(builder: Builder, op: OpParameters, arguments: Arguments) -> dict[str, Group]:
    """Return the values of each group of operands."""
    values = {each.name: arguments.get(each.name) for each in op.operands}
    operands = [one for name, value in values.items() if name != "pred" for one in _members(value)]
    typed = [one for one in operands if isinstance(one, Value) or is_array(one)]
    like = None
    if typed:
        like = typed[0].ir.type if isinstance(typed[0], Value) else builder.type(type_of_value(readable(typed[0])))
    groups: dict[str, Group] = {}
    for parameter in op.operands:
        name, value = parameter.name, values[parameter.name]
        members = _members(value) if parameter.is_variadic else [value]
        element = "i1" if name == "pred" else "i32" if name in _I32 else "i64" if name in _INDICES else ""
        if element:
            members = [numbers(each, element_type(element)) if is_plain(each) else each for each in members]
        groups[name] = [as_operand(builder, each, like, fills=op.facts.is_elementwise) for each in members]
    if "init_values" in groups and len(groups["inputs"]) != len(groups["init_values"]):
        raise ArgumentError("needs as many init_values as inputs", op=op.name)
    return groups


def _members(value: Any) -> list[Any]:
    return list(value) if is_group(value) else [value]


def _attributes(builder: Builder, op: OpParameters, arguments: Arguments, operands: Group) -> dict[str, ir.Attribute]:
    found: dict[str, ir.Attribute] = {}
    fields: dict[str, dict[str, Any]] = {}
    wanted = {attribute.name for attribute in op.signature.attributes if not attribute.optional}
    for parameter in op.parameters:
        value: Any = arguments.get(parameter.name)
        if parameter.role != "attribute" or (value is None and not parameter.part_of):
            continue
        if parameter.part_of:
            default: Any = [] if parameter.default == "[]" else 1 if parameter.default == "1" else None
            fields.setdefault(parameter.part_of, {})[parameter.field] = default if value is None else value
            if value is not None:
                wanted.add(parameter.part_of)
        elif parameter.name == "value":
            found["value"] = _held(builder, op, value, operands, arguments)
        elif parameter.kind == "symbol" and callable(value) and not hasattr(value, "symbol"):
            types = [each.type for each in operands]
            function = define(builder, getattr(value, "__name__", "function"), types, value, is_private=True)
            found[parameter.name] = builder.attribute(f'@"{symbol_name(function)}"')
        elif parameter.kind != "flag" or value:
            found[parameter.name] = builder.attribute(attributes.text_of(parameter, value))
    for name, values in fields.items():
        if name in wanted:
            found[name] = builder.attribute(attributes.struct(op.structs[name], values))
    return found


def _held(builder: Builder, op: OpParameters, value: Any, operands: Group, arguments: Arguments) -> ir.Attribute:
    """Return the attribute of a constant: elements, or for `constant_like` one number of the operand's type."""
    if not operands:
        types = _declared(builder, arguments)[0]
        with builder.context:
            return from_numpy(value, types[0] if types else None)
    type_ = tensor_type((), ir.RankedTensorType(operands[0].type).element_type)
    text = str(from_numpy(value, type_))
    return builder.attribute(
        f"{text[text.index('<') + 1 : text.rindex('>', 0, text.rindex(':'))]} : {type_.element_type}"
    )


def _refuse_what_crashes(op: OpParameters, operands: Group, found: Mapping[str, ir.Attribute]) -> None:
    """Raise `ArgumentError` for an op whose inference crashes, in the bindings or here, or fails without a word."""
    if op.name == "stablehlo.all_to_all" and "tensor<0x" in str(found["replica_groups"]):
        raise ArgumentError("replica_groups is empty", op=op.name)
    if op.name == "stablehlo.concatenate" and not operands:
        raise ArgumentError("inputs is empty", op=op.name)
    for name in sorted(_DIMENSIONS.intersection(found)) if op.infers_results else ():
        if int_of(found[name]) < 0:
            raise ArgumentError(f"{name} is negative", op=op.name)
    if op.name in ("stablehlo.pad", "stablehlo.slice") and len({len(ints_of(each)) for each in found.values()}) > 1:
        raise ArgumentError(f"{', '.join(found)} differ in length", op=op.name)
    types = [each.type for each in operands]
    if op.name.startswith("stablehlo.batch_norm") and not ir.RankedTensorType(types[1]).rank:
        raise ArgumentError("scale has no dimension", op=op.name)
    if op.name == "stablehlo.rng" and [len(ir.RankedTensorType(type_).shape) for type_ in types] != [0, 0, 1]:
        raise ArgumentError("a and b have to be scalars, and shape a list", op=op.name)
    if op.name == "stablehlo.get_tuple_element" and not str(types[0]).startswith("tuple<"):
        raise ArgumentError("operand is no tuple", op=op.name)
    if op.name == "stablehlo.dynamic_conv" and ir.RankedTensorType(types[2]).rank != 2:
        raise ArgumentError("padding is no list of pairs", op=op.name)
    elements = [str(type_.element_type) for type_ in types if isinstance(type_, ir.RankedTensorType)]
    if op.name == "stablehlo.uniform_dequantize" and not "".join(elements).startswith("!quant."):
        raise ArgumentError("operand is not quantized", op=op.name)
    dimensions = found.get("broadcast_dimensions", found.get("permutation"))
    if dimensions is None:
        return
    listed = list(ir.DenseI64ArrayAttr(dimensions))
    if min(listed, default=0) < 0:
        raise ArgumentError("a dimension is negative", op=op.name)
    if "permutation" in found and len(listed) != len(ir.RankedTensorType(operands[0].type).shape):
        raise ArgumentError("permutation has other dimensions than operand", op=op.name)


# Regions.


def _blocks(builder: Builder, op: OpParameters, arguments: Arguments, groups: Mapping[str, Group]) -> list[ir.Block]:
    blocks: list[ir.Block] = []
    for group, kind in zip(op.signature.regions, op.facts.regions, strict=True):
        given = arguments.get(group.name)
        types = _argument_types(op, kind.rstrip("*"), groups, arguments)
        element = _declared(builder, arguments)[2]
        if kind == "reduction" and element is not None:  # elements are promoted to what accumulates
            types = [tensor_type((), builder.type(element))] * len(types)
        for body in [] if given is None else _members(given):
            if not callable(body):
                raise ArgumentError(f"{group.name} is no function", op=op.name)
            blocks.append(builder.block(types, filling(builder, types, body), "stablehlo.return"))
    return blocks


def _argument_types(op: OpParameters, kind: str, groups: Mapping[str, Group], arguments: Arguments) -> list[ir.Type]:
    """Return the types of the arguments of a region that runs as `kind` says; see the head of `ops.toml`."""
    values = list(chain.from_iterable(groups.values()))
    if kind in ("branch", "never"):
        return []
    if op.name == "chlo.scan":
        dimension = int(arguments["dimension"])
        inputs = [ir.RankedTensorType(each.type) for each in groups["inputs"]]
        if not all(0 <= dimension < each.rank for each in inputs):
            raise ArgumentError(f"dimension {dimension} is out of range for an input", op=op.name)
        sliced = [tensor_type([*t.shape[:dimension], *t.shape[dimension + 1 :]], t.element_type) for t in inputs]
        return [*sliced, *[each.type for each in groups["inits"]]]
    if kind in ("condition", "body", "once"):
        return [each.type for each in values]
    combined = groups.get("init_values", groups.get("inputs", values[:1]))
    scalars: list[ir.Type] = [tensor_type((), ir.RankedTensorType(each.type).element_type) for each in combined]
    if kind == "element":
        return scalars
    return [each for each in scalars for _ in range(2)] if kind == "comparison" else scalars * 2


# Results.


def _declared(builder: Builder, arguments: Arguments) -> tuple[list[ir.Type], list[Any] | None, ElementType | None]:
    """Return the types, the shape or the element type that `result_type` gives."""
    given = arguments.get("result_type")
    given = given.tolist() if is_array(given) else given
    if isinstance(given, str) and (given in element_type_names() or given.startswith("!quant.")):
        given = element_type(given)
    if isinstance(given, ElementType):
        return [], None, given
    members = _members(given)
    if given is not None and all(each is None or isinstance(each, (int, np.integer)) for each in members):
        if any(each is not None and not 0 <= each < 1 << 63 for each in members):
            raise ArgumentError(f"{members} is no shape: a size is negative or too large")
        return [], members, None
    return [builder.type(each) for each in members if each is not None], None, None


def _known_types(
    builder: Builder,
    op: OpParameters,
    groups: Mapping[str, Group],
    found: Mapping[str, ir.Attribute],
    blocks: Sequence[ir.Block],
) -> list[ir.Type] | None:
    """Return the types of results that a value or a block has: control flow, and calls."""
    if op.name == "stablehlo.while":
        return [each.type for each in groups["operand"]]
    if op.name == "chlo.scan":
        dimension, inits = int_of(found["dimension"]), groups["inits"]
        size = shape_of(ir.RankedTensorType(groups["inputs"][0].type))[dimension] if groups["inputs"] else None
        types = [
            ir.RankedTensorType(each.type) for each in list(terminator_of(blocks[0]).operands)[: -len(inits) or None]
        ]
        shapes = [shape_of(each) for each in types]
        outputs = [
            tensor_type([*shape[:dimension], size, *shape[dimension:]], type_.element_type)
            for shape, type_ in zip(shapes, types, strict=True)
        ]
        return [*outputs, *[each.type for each in inits]]
    if op.facts.is_control_flow and blocks:
        return [each.type for each in terminator_of(blocks[0]).operands]
    if op.name == "stablehlo.async_start":
        return [builder.type(FutureType(tuple([decode_type(each.type) for each in terminator_of(blocks[0]).operands])))]
    if op.name == "stablehlo.composite":
        name = ir.FlatSymbolRefAttr(found["decomposition"]).value
        for each in builder.module.body.operations:
            if "sym_name" in each.operation.attributes and symbol_name(each.operation) == name:
                return list(ir.FunctionType(ir.TypeAttr(each.operation.attributes["function_type"]).value).results)
    return None


def _with_results(
    builder: Builder,
    op: OpParameters,
    arguments: Arguments,
    groups: Mapping[str, Group],
    found: Mapping[str, ir.Attribute],
    blocks: Sequence[ir.Block],
) -> ir.Operation:
    """Create an op whose results the bindings do not infer."""
    operands = list(chain.from_iterable(groups.values()))
    types, shape, element = _declared(builder, arguments)
    token = builder.type("!stablehlo.token")
    known: list[ir.Type] | None = types
    if op.name == "stablehlo.rng_bit_generator" and len(types) == 1:
        known = [operands[0].type, *types]
    elif op.name in ("stablehlo.infeed", "stablehlo.recv") and token not in types:
        known = [*types, token]
    elif not types and op.name != "stablehlo.custom_call":
        known = _known_types(builder, op, groups, found, blocks)
    if known is not None:
        return builder.create(op.name, operands, known, found, blocks)
    elements = _elements(op, groups, blocks) if element is None else [builder.type(element)]
    if not elements or op.name == "stablehlo.rng_bit_generator":  # its two results may differ in all
        raise ArgumentError("needs result_type: nothing tells the types of its results", op=op.name)
    unknown: Sequence[int | None] = [] if shape is None else shape
    last = operands[-1].type if operands else None
    if shape is None and isinstance(last, ir.RankedTensorType):  # dynamic, of the rank that a last list of sizes gives
        is_list = last.rank == 1 and isinstance(last.element_type, (ir.IntegerType, ir.IndexType))
        unknown = [None] * (last.shape[0] if is_list and last.shape[0] >= 0 else last.rank)
    placeholders = [tensor_type(unknown, each) for each in elements]
    created = builder.create(op.name, operands, placeholders, found, blocks)
    if shape is None or op.name in ("stablehlo.dynamic_reshape", "stablehlo.dynamic_iota"):
        builder.infer_shapes(created, elements)
    return created


def _elements(op: OpParameters, groups: Mapping[str, Group], blocks: Sequence[ir.Block]) -> list[ir.Type]:
    """Return the element types of the results: those that a reduction or a map returns, else the operands'."""
    computes = blocks and op.facts.regions[-1] in ("reduction", "element")
    source: Iterable[ir.Value] = terminator_of(blocks[-1]).operands if computes else next(iter(groups.values()), ())
    types = [each.type for each in source]
    return [type_.element_type for type_ in types if isinstance(type_, ir.RankedTensorType)]
