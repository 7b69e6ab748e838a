"""Export to HLO by XLA's converter, which gets some ops of constants wrong as it simplifies and folds them.

| op | what it becomes |
|---|---|
| `add` of booleans | exclusive or |
| `sign` of -0, most functions of floats of 8 bits | another number |
| `compare` in the total order | `compare` of floats |
| `divide` of integers by 0 | a crash, in older releases |
| `x + 0.0`, `x - -0.0` | x, also if x is -0.0 |
| `maximum` of a complex constant and x | the same with the operands exchanged |
| `dynamic_slice` at an unsigned index | the slice at a negative index |

The converter does not look through a `copy`, so the constants in these places are copied first. XLA's passes and our
importer remove the copies.
"""

from __future__ import annotations

from ...bindings import ir, make_context
from ...bindings.build import create_value
from ...bindings.elements import to_numpy
from ...bindings.hlo import program_to_hlo_proto, program_to_hlo_text
from ...bindings.types import Kind, TensorType, decode_type
from ...bindings.walk import operations, terminator_of
from ...dialect.facts import facts
from .hlo_literals import exact_literals

# Values that the converter may find to be constants, and whether they may be zero.
_Known = dict[ir.Value, bool]


def export_text(program: bytes) -> bytes:
    """HLO's text for a StableHLO program in MLIR's text. Raises `InputError` for one that HLO cannot express."""
    return exact_literals(program_to_hlo_text(_unfoldable(program)))


def export_proto(program: bytes) -> bytes:
    """As `export_text`, for HLO's proto."""
    return program_to_hlo_proto(_unfoldable(program))


def _unfoldable(program: bytes) -> bytes:
    """Return the program with copies of constants in the places that the converter gets wrong."""
    module = ir.Module.parse(program, make_context(allow_unregistered_dialects=True))
    known: _Known = {}
    for op in operations(module.operation):
        tensors = [decode_type(value.type) for value in op.operands]
        empty = [isinstance(type_, TensorType) and 0 in type_.shape for type_ in tensors]
        known |= {value: True for value, is_empty in zip(op.operands, empty, strict=True) if is_empty}
        wrong = [number for number, value in enumerate(op.operands) if value in known and _is_wrong(op, value, known)]
        if op.name == "stablehlo.while":
            known |= _invariants(op, known)
        elif not wrong and _is_found(op, known):
            known |= dict.fromkeys(op.results, _may_be_zero(op, known))
        for number in wrong:
            value, at = op.operands[number], ir.InsertionPoint(op)
            op.operands[number] = create_value("mhlo.copy", [value], value.type, at=at, location=op.location)
    return f"{module}".encode()


def _name(op: ir.Operation) -> str:
    dialect, _, name = op.name.partition(".")
    return name.removeprefix("broadcast_") if dialect == "chlo" else name


def _is_found(op: ir.Operation, known: _Known) -> bool:
    """Whether the converter may find the results of an op."""
    name, found = _name(op), [value in known for value in op.operands]
    if name == "select":
        return found[0] or all(found[1:])
    return all(found) or name in ("constant_like", "get_dimension_size") or (name == "tuple" and any(found))


def _may_be_zero(op: ir.Operation, known: _Known) -> bool:
    if op.name in ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.transpose"):
        return known[op.operands[0]]
    value = op.attributes["value"] if op.name == "stablehlo.constant" else None
    return not isinstance(value, ir.DenseElementsAttr) or (value.is_splat and not to_numpy(value).flat[0])


def _invariants(loop: ir.Operation, known: _Known) -> _Known:
    """Return the state of a loop that stays the constant that it begins with."""
    condition, body = (region.blocks[0] for region in loop.regions)
    rows = zip(loop.operands, terminator_of(body).operands, body.arguments, condition.arguments, strict=True)
    return {
        value: known[first] for first, last, *state in rows if first in known and last == state[0] for value in state
    }


def _is_wrong(op: ir.Operation, operand: ir.Value, known: _Known) -> bool:
    """Whether the converter gets this op of a known operand wrong."""
    name, types = _name(op), [decode_type(value.type) for value in (operand, *op.results)]
    elements = [type_.element_type for type_ in types if isinstance(type_, TensorType)]
    kinds = [element.kind for element in elements]
    if name in ("dynamic_slice", "dynamic_update_slice"):
        return kinds[0] is Kind.UNSIGNED
    if name in ("add", "subtract") and known[operand] and kinds[0] in (Kind.FLOAT, Kind.COMPLEX):
        return True
    if name in ("maximum", "minimum"):
        return kinds[0] is Kind.COMPLEX
    is_function = op.name.startswith("chlo.") or facts(op.name).is_elementwise
    if not is_function or not all(value in known for value in op.operands):
        return False
    is_float = name in ("compare", "sign") or op.name.startswith("chlo.")
    if any(element.kind is Kind.FLOAT and (is_float or element.bits <= 8) for element in elements):
        return True
    return name in ("divide", "remainder") or (name == "add" and kinds[0] is Kind.BOOLEAN)
