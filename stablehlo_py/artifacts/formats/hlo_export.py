"""Export to HLO by XLA's converter, which gets some ops of constants wrong as it simplifies and folds them.

| op | what it becomes |
|---|---|
| `add` of booleans | exclusive or |
| `round_nearest_even`, `sign`, … of small floats and -0 | another number |
| `x + 0.0`, `x - -0.0` | x, also if x is -0.0 |
| `maximum` of a complex constant and x | the same with the operands exchanged |
| `dynamic_slice` at an unsigned index | the slice at a negative index |

It does not look through a `copy`, so the constants in these places are copied first; XLA's passes and our importer remove
the copies.
"""

from __future__ import annotations

from ...bindings import ir, make_context
from ...bindings.build import create_value
from ...bindings.elements import to_numpy
from ...bindings.hlo import program_to_hlo_proto, program_to_hlo_text
from ...bindings.types import Kind, TensorType, decode_type
from ...bindings.walk import operations
from ...dialect.facts import facts
from .hlo_literals import exact_literals

_MOVES = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "reshape", "transpose"))
_SUMS = frozenset(("stablehlo.add", "stablehlo.subtract"))
_SLICES = frozenset(("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"))


def export_text(program: bytes) -> bytes:
    """HLO's text for a StableHLO program in MLIR's text. Raises `InputError` for one that HLO cannot express."""
    return exact_literals(program_to_hlo_text(_unfoldable(program)))


def export_proto(program: bytes) -> bytes:
    """As `export_text`, for HLO's proto."""
    return program_to_hlo_proto(_unfoldable(program))


def _unfoldable(program: bytes) -> bytes:
    """Return the program with copies of constants in the places that the converter gets wrong."""
    module = ir.Module.parse(program, make_context(allow_unregistered_dialects=True))
    known: dict[ir.Value, bool] = {}  # values that follow from constants, and whether they may be zero
    for op in operations(module.operation):
        operands = list(op.operands)
        follows = [operand in known for operand in operands]
        copied = [number for number, value in enumerate(operands) if follows[number] and _is_wrong(op, value, known)]
        for number in copied:
            with op.location, ir.InsertionPoint(op):
                op.operands[number] = create_value("mhlo.copy", [operands[number]], operands[number].type)
        if all(follows) and not copied:
            known |= dict.fromkeys(op.results, _may_be_zero(op, known))
    return f"{module}".encode()


def _is_wrong(op: ir.Operation, operand: ir.Value, known: dict[ir.Value, bool]) -> bool:
    """Whether the converter gets this op of a known operand wrong."""
    type_ = decode_type(operand.type)
    if not isinstance(type_, TensorType):
        return False
    kind = type_.element_type.kind
    if op.name in _SLICES:
        return kind is Kind.UNSIGNED
    if not facts(op.name).is_elementwise or type_.element_type.is_integer:
        return False
    if all(operand in known for operand in op.operands):
        return True
    return known[operand] if op.name in _SUMS else kind is Kind.COMPLEX


def _may_be_zero(op: ir.Operation, known: dict[ir.Value, bool]) -> bool:
    if op.name in _MOVES:
        return known[op.operands[0]]
    value = op.attributes["value"] if op.name == "stablehlo.constant" else None
    if not isinstance(value, ir.DenseElementsAttr):
        return True
    return value.is_splat and not to_numpy(value).reshape(-1)[0]
