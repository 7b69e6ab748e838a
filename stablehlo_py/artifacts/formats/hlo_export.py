"""Export to HLO by XLA's converter, which gets some ops of constants wrong as it simplifies and folds them.

| op | what it becomes |
|---|---|
| `add` of booleans | exclusive or |
| `round_nearest_even`, `sign`, … of small floats and -0 | another number |
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

_MOVES = ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.transpose")
_SUMS = ("stablehlo.add", "stablehlo.subtract")
_SLICES = ("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")
# Values that follow from constants, and whether they may be zero.
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
        wrong = [number for number, value in enumerate(op.operands) if value in known and _is_wrong(op, value, known)]
        if op.name == "stablehlo.while":
            known |= _invariants(op, known)
        elif not wrong and all(value in known for value in op.operands):
            known |= dict.fromkeys(op.results, _may_be_zero(op, known))
        for number in wrong:
            value = op.operands[number]
            op.operands[number] = create_value(
                "mhlo.copy", [value], value.type, at=ir.InsertionPoint(op), location=op.location
            )
    return f"{module}".encode()


def _invariants(loop: ir.Operation, known: _Known) -> _Known:
    """Return the state of a loop that stays the constant that it begins with."""
    condition, body = (region.blocks[0] for region in loop.regions)
    rows = zip(loop.operands, terminator_of(body).operands, body.arguments, condition.arguments, strict=True)
    return {
        value: known[first] for first, last, *values in rows if first in known and last == values[0] for value in values
    }


def _is_wrong(op: ir.Operation, operand: ir.Value, known: _Known) -> bool:
    """Whether the converter gets this op of a known operand wrong."""
    kinds = set(map(_kind, (operand, *op.results)))
    if op.name in _SLICES:
        return _kind(operand) is Kind.UNSIGNED
    if not facts(op.name).is_elementwise or kinds <= {Kind.SIGNED, Kind.UNSIGNED}:
        return False
    every = all(value in known for value in op.operands)
    return every or (known[operand] if op.name in _SUMS else Kind.COMPLEX in kinds)


def _kind(value: ir.Value) -> Kind | None:
    type_ = decode_type(value.type)
    return type_.element_type.kind if isinstance(type_, TensorType) else None


def _may_be_zero(op: ir.Operation, known: _Known) -> bool:
    if op.name in _MOVES:
        return known[op.operands[0]]
    value = op.attributes["value"] if op.name == "stablehlo.constant" else None
    return not isinstance(value, ir.DenseElementsAttr) or (value.is_splat and not to_numpy(value).flat[0])
