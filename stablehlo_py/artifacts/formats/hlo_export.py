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
        if op.name == "stablehlo.while":
            known |= _invariants(op, known)
        elif all(follows) and not copied:
            known |= dict.fromkeys(op.results, _may_be_zero(op, known))
    return f"{module}".encode()


def _invariants(loop: ir.Operation, known: dict[ir.Value, bool]) -> dict[ir.Value, bool]:
    """Return the state of a loop that stays the constant that it begins with."""
    blocks = [region.blocks[0] for region in loop.regions]
    kept = terminator_of(blocks[1]).operands
    return {
        value: known[operand]
        for number, operand in enumerate(loop.operands)
        if operand in known and kept[number] == blocks[1].arguments[number]
        for value in (loop.results[number], *(block.arguments[number] for block in blocks))
    }


def _is_wrong(op: ir.Operation, operand: ir.Value, known: dict[ir.Value, bool]) -> bool:
    """Whether the converter gets this op of a known operand wrong."""
    kinds = {_kind(value) for value in (operand, *op.results)}
    if op.name in _SLICES:
        return _kind(operand) is Kind.UNSIGNED
    if not facts(op.name).is_elementwise or kinds <= {Kind.SIGNED, Kind.UNSIGNED}:
        return False
    if all(operand in known for operand in op.operands):
        return True
    return known[operand] if op.name in _SUMS else Kind.COMPLEX in kinds


def _kind(value: ir.Value) -> Kind | None:
    type_ = decode_type(value.type)
    return type_.element_type.kind if isinstance(type_, TensorType) else None


def _may_be_zero(op: ir.Operation, known: dict[ir.Value, bool]) -> bool:
    if op.name in _MOVES:
        return known[op.operands[0]]
    value = op.attributes["value"] if op.name == "stablehlo.constant" else None
    if not isinstance(value, ir.DenseElementsAttr):
        return True
    return value.is_splat and not to_numpy(value).reshape(-1)[0]
