"""Signatures of library functions, derived from the op classes: the parameters and their sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from types import FunctionType

from ..bindings.op_signatures import AttributeParameter, OpSignature, op_names, op_signature
from ..syntax.spelling import hint
from . import language
from .compilation.definitions import location_of, own_annotations
from .errors import LibraryError
from .types import parse_annotation, type_of

SHAPE = "shape"
DTYPE = "dtype"

# Operands whose elements, not dimension sizes, determine the shape of a result, and how a shape function gets them.
VALUE_OPERANDS: dict[tuple[str, str], str] = {
    ("stablehlo.dynamic_broadcast_in_dim", "output_dimensions"): "Values",
    ("stablehlo.dynamic_conv", "padding"): "PairValues",
    ("stablehlo.dynamic_gather", "slice_sizes"): "Values",
    ("stablehlo.dynamic_iota", "output_shape"): "Values",
    ("stablehlo.dynamic_pad", "edge_padding_low"): "Values",
    ("stablehlo.dynamic_pad", "edge_padding_high"): "Values",
    ("stablehlo.dynamic_pad", "interior_padding"): "Values",
    ("stablehlo.dynamic_reshape", "output_shape"): "Values",
    ("stablehlo.real_dynamic_slice", "start_indices"): "Values",
    ("stablehlo.real_dynamic_slice", "limit_indices"): "Values",
    ("stablehlo.real_dynamic_slice", "strides"): "Values",
    ("stablehlo.rng", "shape"): "Values",
    ("stablehlo.set_dimension_size", "size"): "Value",
}
# Operands of several values: the members of a tuple, the results of a future.
_COMPOUND_OPERANDS = {("stablehlo.get_tuple_element", "operand"), ("stablehlo.async_done", "operand")}
# Attributes that are not plain numbers and that a library function looks into; all others are of type Attribute.
_ATTRIBUTE_TYPES: dict[tuple[str, str], str] = {
    ("stablehlo.dot_general", "dot_dimension_numbers"): "DotDimensionNumbers",
    ("stablehlo.convolution", "dimension_numbers"): "ConvDimensionNumbers",
    ("stablehlo.dynamic_conv", "dimension_numbers"): "ConvDimensionNumbers",
    ("stablehlo.gather", "dimension_numbers"): "GatherDimensionNumbers",
    ("stablehlo.dynamic_gather", "dimension_numbers"): "GatherDimensionNumbers",
    ("stablehlo.scatter", "scatter_dimension_numbers"): "ScatterDimensionNumbers",
    ("stablehlo.fft", "fft_type"): "str",
    ("stablehlo.all_gather", "replica_groups"): "list[list[int]]",
    ("stablehlo.all_gather", "channel_handle"): "int",  # its id
    ("stablehlo.reduce_scatter", "channel_handle"): "int",
    ("stablehlo.reduce_scatter", "replica_groups"): "list[list[int]]",
    ("stablehlo.einsum", "einsum_config"): "str",
    ("stablehlo.unary_einsum", "einsum_config"): "str",
    ("chlo.ragged_dot", "ragged_dot_dimension_numbers"): "RaggedDotDimensionNumbers",
}
# Attributes whose type alone matters; a library function sees that type.
_TYPED_ATTRIBUTES = {("stablehlo.constant", "value"), ("chlo.constant", "value"), ("chlo.constant_like", "value")}
_KINDS = {"int": "int", "bool": "bool", "flag": "bool", "int_array": "list[int]", "int_matrix": "list[list[int]]"}


@dataclass(frozen=True)
class LibraryParameter:
    """One parameter of a library function: its annotation and its source. `source` is operand, operands (all of a
    variadic group), attribute, region, regions, result or results; `index` counts within the source."""

    name: str
    annotation: str
    source: str
    index: int = 0


def _attribute_annotation(op: str, attribute: AttributeParameter, one: str) -> str:
    if (op, attribute.name) in _TYPED_ATTRIBUTES:
        return one
    text = _ATTRIBUTE_TYPES.get((op, attribute.name), _KINDS.get(attribute.kind, "Attribute"))
    if attribute.optional and text not in ("bool", "Attribute"):
        return f"{text} | None"
    return text


@cache
def expected_parameters(signature: OpSignature, kind: str) -> tuple[LibraryParameter, ...]:
    """The parameters of an op's shape or dtype function: operands, attributes, regions (the types that
    they return), and results whose type the op cannot infer."""
    one, many = ("Shape", "list[Shape]") if kind == SHAPE else ("DType", "list[DType]")
    parameters: list[LibraryParameter] = []
    for index, operand in enumerate(signature.operands):
        if operand.variadic:
            parameters.append(LibraryParameter(operand.name, many, "operands", index))
        else:
            value = VALUE_OPERANDS.get((signature.name, operand.name), one) if kind == SHAPE else one
            value = many if (signature.name, operand.name) in _COMPOUND_OPERANDS else value
            parameters.append(LibraryParameter(operand.name, value, "operand", index))
    for index, attribute in enumerate(signature.attributes):
        annotation = _attribute_annotation(signature.name, attribute, one)
        parameters.append(LibraryParameter(attribute.name, annotation, "attribute", index))
    for index, region in enumerate(signature.regions):
        parameters.append(LibraryParameter(region.name, many, "regions" if region.variadic else "region", index))
    for index, result in enumerate(signature.declared_results):
        annotation = many if result.variadic else one
        parameters.append(LibraryParameter(result.name, annotation, "results" if result.variadic else "result", index))
    return tuple(parameters)


def _function_name(op: str, kind: str) -> str:
    """Return the name of the Python function for an op: `transpose`, `transpose_dtype`; an underscore
    follows a name that Python or the library language uses itself."""
    mnemonic = op.partition(".")[2].replace("-", "_").replace(".", "_").lstrip("_")
    name = f"chlo_{mnemonic}" if op.startswith("chlo.") else mnemonic
    if kind == DTYPE:
        return f"{name}_dtype"
    reserved = {"abs", "and", "complex", "if", "map", "not", "or", "slice", "tuple", "while", "return"}
    return f"{name}_" if name in reserved else name


def stub(op: str, kind: str) -> str:
    """Return the head of the missing library function of an op, ready to be filled in. Raises `LibraryError`."""
    signature = op_signature(op)
    if signature is None:
        known = [*op_names("stablehlo"), *op_names("chlo")]
        raise LibraryError(f"the bindings know no op class of '{op}'{hint(op, known)}")
    parameters = ", ".join(f"{p.name}: {p.annotation}" for p in expected_parameters(signature, kind))
    result = "Shape" if kind == SHAPE else "DType"
    return f'@{kind}_function("{op}")\ndef {_function_name(op, kind)}({parameters}) -> {result}:\n'


_UNFILLED = {SHAPE: "[]", DTYPE: "0"}


def stub_file(op: str) -> str:
    """A Python file with the missing library functions of an op, which loads as it is, and rejects every use of the
    op until it is filled in. Raises `LibraryError`."""
    heads = {kind: stub(op, kind) for kind in (SHAPE, DTYPE)}
    words = set(re.findall(r"\w+", "".join(heads.values())))
    names = sorted((words & {*language.__dict__} - {"annotations"}) | {"dtype_function", "shape_function"})
    bodies = [
        f'{head}    assert False, "not written yet"\n    return {_UNFILLED[kind]}\n' for kind, head in heads.items()
    ]
    return "\n\n".join([f"from stablehlo_py.extend import {', '.join(names)}\n", *bodies])


def _free_parameters(function: FunctionType) -> Iterator[LibraryParameter]:
    """The parameters of a library function for an op, or a target, that no class describes: operands in order, then
    attributes by name; `result` and `results` are the declared types of the results."""
    operands = count()
    for name, annotation in own_annotations(function).items():
        if name in ("result", "results"):
            yield LibraryParameter(name, annotation, name)
        elif annotation in ("Shape", "DType", "Value", "Values", "PairValues"):
            yield LibraryParameter(name, annotation, "operand", next(operands))
        elif annotation in ("list[Shape]", "list[DType]"):
            yield LibraryParameter(name, annotation, "operands", next(operands))
        else:
            yield LibraryParameter(name, annotation, "attribute")


def checked_parameters(
    op: str, target: str, kind: str, function: Callable[..., object]
) -> tuple[LibraryParameter, ...]:
    """Return the parameters of an op's library function, after a comparison with the function's own. It may omit unused
    parameters. Its positional-only parameters are the op's first ones, under any name.

    Raises:
        LibraryError: It takes something else; the message shows the signature expected.
    """
    if not isinstance(function, FunctionType):
        raise LibraryError(f"the {kind} function of '{op}' has to be a plain function")
    signature = op_signature(op)
    dialect = op.partition(".")[0]
    if signature is None and any(True for _ in op_names(dialect)):
        raise LibraryError(f"the dialect '{dialect}' has no op '{op}'", location=location_of(function))
    if signature is None or target:
        return tuple(_free_parameters(function))
    expected = expected_parameters(signature, kind)
    own = own_annotations(function)
    first = list(own)[: function.__code__.co_posonlyargcount]
    renamed = tuple([replace(p, name=name) for p, name in zip(expected, first, strict=False)]) + expected[len(first) :]
    taken = [p.name for p in renamed if p.name in own and type_of(p.annotation) == parse_annotation(own[p.name])]
    if taken == list(own):
        return renamed
    found = ", ".join(f"{name}: {annotation}" for name, annotation in own.items())
    wanted = ", ".join(f"{p.name}: {p.annotation}" for p in expected)
    raise LibraryError(
        f"the {kind} function of '{op}' has to take ({wanted}), or some of these in this order, it takes ({found})",
        location=location_of(function),
    )
