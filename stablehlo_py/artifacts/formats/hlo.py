"""HLO, before and after XLA's passes.

jaxlib's converter leaves ops of MHLO, which are expressed in StableHLO here.

| HLO | StableHLO |
|---|---|
| fusion | its computation, in line |
| copy, add-dependency, domain | the operand |
| bitcast | what its two layouts make of it: transpose and reshape |
| async-start, async-update, async-done | a call |
| acos, acosh, asin, asinh, atanh, cosh, erf, sinh, topk | the op of CHLO |
| custom-call with a tuple | a call with as many results |

Other ops are refused by name.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ...bindings import ir, make_context
from ...bindings.build import attributes_of, create, create_value, tensor_type
from ...bindings.bytecode import bytecode_of
from ...bindings.diagnostics import describe, file_location
from ...bindings.elements import to_numpy
from ...bindings.hlo import hlo_proto_to_bytecode, hlo_text_to_proto, signature_of_hlo
from ...bindings.provider import passmanager
from ...bindings.types import element_type
from ...bindings.walk import body_of, is_used, operations_within
from ...errors import InputError
from .hlo_literals import exact_literals

# Makes ops that stand for an op, and returns its results, none for one whose results nobody uses; None if it stays.
_Legalize = Callable[[ir.Operation], Sequence[ir.Value] | None]
_FUNCTIONS = ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh")
_ALIASES = "mhlo.input_output_alias"
_ELEMENT = "stablehlo.get_tuple_element"


def text_to_bytecode(text: bytes) -> bytes:
    """Return the StableHLO program, as MLIR bytecode, of a program in HLO's text.

    Raises:
        InputError: It is not HLO, lacks the values of a constant, or has an op that StableHLO cannot express.
    """
    return proto_to_bytecode(hlo_text_to_proto(exact_literals(text.removeprefix(BOM_UTF8))))


def proto_to_bytecode(proto: bytes) -> bytes:
    """Do the same as `text_to_bytecode` for HLO's proto."""
    try:  # the converter does not verify what it writes
        module = ir.Module.parse(hlo_proto_to_bytecode(proto), make_context())
    except ir.MLIRError as error:
        reason = describe(error.error_diagnostics[0])
        message = f"cannot be expressed in StableHLO: {reason.message}"
        raise InputError(message, location=reason.location) from None
    _renumber_aliases(module.operation, proto)
    # Computations of fusions are functions, too.
    passmanager.PassManager.parse("builtin.module(symbol-dce)", module.context).run(module.operation)
    replaced: list[ir.Operation] = []
    for op in operations_within(module.operation):  # a fusion comes before the ops in it
        legalize = _LEGALIZED.get(op.name, _refuse if op.name.startswith("mhlo.") else None)
        if legalize is None:
            continue
        with op.location, ir.InsertionPoint(op):
            values = legalize(op)
        if values is None:
            continue
        for result, value in zip(op.results, values, strict=False):
            result.replace_all_uses_with(value)
        replaced.append(op)
    for op in reversed(replaced):
        op.erase()
    return bytecode_of(module)


def _renumber_aliases(module: ir.Operation, proto: bytes) -> None:
    """Let aliases name parameters and results by their numbers among the elements of tuples, which the function has."""
    if _ALIASES not in module.attributes or not (given := ir.ArrayAttr(module.attributes[_ALIASES])):
        return
    entries, (parameters, result) = list[str](), signature_of_hlo(proto)
    for entry in map(ir.DictAttr, given):
        alias, output = ir.DictAttr(entry["alias"]), list(ir.DenseI64ArrayAttr(entry["output_index"]))
        number = ir.IntegerAttr(alias["parameter_number"]).value
        leaf = _leaf(parameters, [number, *ir.DenseI64ArrayAttr(alias["parameter_index"])])
        place = f": {_leaf(result, output)}" if result.leaf_count() > 1 else ""
        renumbered = f"kind = {alias['kind']}, parameter_index = array<i64>, parameter_number = {leaf} : i64"
        entries.append(f"{{alias = {{{renumbered}}}, output_index = array<i64{place}>}}")
    module.attributes[_ALIASES] = ir.Attribute.parse(f"[{', '.join(entries)}]", module.context)


def _leaf(shape: Any, index: Sequence[int]) -> int:
    """Return the number of an element of nested tuples among all that are not tuples."""
    if not index:
        return 0
    parts = shape.tuple_shapes()
    return sum(part.leaf_count() for part in parts[: index[0]]) + _leaf(parts[index[0]], index[1:])


def _refuse(op: ir.Operation) -> NoReturn:
    message = f"cannot be expressed in StableHLO: '{op.name}' op has no counterpart"
    raise InputError(message, location=file_location(op.location))


def _inlined(op: ir.Operation) -> Sequence[ir.Value]:
    block = body_of(op)
    for argument, operand in zip(block.arguments, op.operands, strict=True):
        argument.replace_all_uses_with(operand)
    *body, terminator = block.operations
    for inner in body:
        inner.operation.move_before(op)
    return list(terminator.operands)


def _in_chlo(op: ir.Operation) -> Sequence[ir.Value]:
    attributes = attributes_of(op)
    if "largest" in attributes and not ir.BoolAttr(attributes.pop("largest")).value:
        _refuse(op)
    name = "top_k" if op.name == "mhlo.topk" else op.name.removeprefix("mhlo.")
    return list(create(f"chlo.{name}", list(op.operands), _types(op), attributes).results)


def _called(op: ir.Operation) -> Sequence[ir.Value]:
    start = op
    while start.name != "mhlo.async_start":
        start = ir.OpResult(start.operands[0]).owner.operation
    callee = {"callee": start.attributes["called_computation"]}
    return list(create("func.call", list(start.operands), _types(op), callee).results)


def _types(op: ir.Operation) -> list[ir.Type]:
    return [result.type for result in op.results]


def _untupled(op: ir.Operation) -> Sequence[ir.Value] | None:
    """Give a custom call the values of its tuple as results."""
    whole = op.results[0] if len(op.results) == 1 else None
    if whole is None or not isinstance(whole.type, ir.TupleType):
        return None
    types = [whole.type.get_type(index) for index in range(whole.type.num_types)]
    call = create(op.name, list(op.operands), types, attributes_of(op))
    users = [use.owner.operation for use in whole.uses]
    elements = [user for user in users if user.name == _ELEMENT]
    for element in elements:
        element.results[0].replace_all_uses_with(call.results[ir.IntegerAttr(element.attributes["index"]).value])
    return [create_value("stablehlo.tuple", list(call.results), whole.type)] if len(elements) < len(users) else ()


def _by_layouts(op: ir.Operation) -> Sequence[ir.Value]:
    """Reorder the elements of a bitcast: from the operand's to memory order, and from there to the result's."""
    given, result = [ir.RankedTensorType(value.type) for value in (op.operands[0], op.results[0])]
    if element_type(str(given.element_type)).bits != element_type(str(result.element_type)).bits:
        _refuse(op)
    layouts = [to_numpy(op.attributes[name]) for name in ("source_layout", "result_layout")]
    source, target = [[int(d) for d in reversed(layout)] for layout in layouts]  # the outermost dimension first
    value = _transposed(op.operands[0], source)
    value = _made("reshape", value, [result.shape[dimension] for dimension in target], given.element_type)
    value = _transposed(value, [target.index(dimension) for dimension in range(len(target))])
    return [_made("bitcast_convert", value, result.shape, result.element_type)]


def _transposed(value: ir.Value, permutation: Sequence[int]) -> ir.Value:
    """Permute dimensions: a reshape if only dimensions of size 1 move."""
    given = ir.RankedTensorType(value.type)
    shape = [given.shape[dimension] for dimension in permutation]
    moved = [dimension for dimension in permutation if given.shape[dimension] != 1]
    if moved == sorted(moved):
        return _made("reshape", value, shape, given.element_type)
    attributes = {"permutation": ir.DenseI64ArrayAttr.get(list(permutation), value.context)}
    return create_value("stablehlo.transpose", [value], tensor_type(shape, given.element_type), attributes)


def _made(op: str, value: ir.Value, shape: Sequence[int], element: ir.Type) -> ir.Value:
    """Return the value as a tensor of another type, by this op."""
    type_ = tensor_type(shape, element)
    return value if type_ == value.type else create_value(f"stablehlo.{op}", [value], type_)


_LEGALIZED: dict[str, _Legalize] = {
    "mhlo.fusion": _inlined,
    "mhlo.return": lambda _: None,
    **dict.fromkeys(("mhlo.copy", "mhlo.add_dependency", "mhlo.domain"), lambda op: [op.operands[0]]),
    "mhlo.bitcast": _by_layouts,
    **dict.fromkeys(("mhlo.async_start", "mhlo.async_update"), lambda _: ()),
    "mhlo.async_done": _called,
    "stablehlo.custom_call": _untupled,
    _ELEMENT: lambda op: None if is_used(op.results[0]) else (),
    **dict.fromkeys([f"mhlo.{name}" for name in (*_FUNCTIONS, "topk")], _in_chlo),
}
