"""Which ops may be removed when nobody uses their results, and which declare side effects.

The bindings do not show an op's memory effects, only whether it declares any interface to ask. What follows is the
knowledge of the op definitions (traits Pure, NoMemoryEffect, MemoryEffects and RecursiveMemoryEffects), made stricter
where the spec gives an op a meaning beyond its results: random numbers and collectives are never removed.
"""

from __future__ import annotations

from ..bindings import ir
from ..bindings.capabilities import declares_effects_interface
from ..contracts.facts import facts

# Dialects in which an op that implements the interface has no effects, unless the facts about it name one.
_DIALECTS_OF_VALUES = frozenset({"arith", "chlo", "complex", "math", "quant", "shape", "stablehlo", "tensor"})


def _is_value_op(name: str) -> bool:
    known = facts(name)
    return known.dialect in _DIALECTS_OF_VALUES and not known.effect


def _custom_call_has_effect(op: ir.Operation) -> bool:
    declared = op.attributes.get("has_side_effect")
    return declared is not None and ir.BoolAttr(declared).value


def is_effect_free(op: ir.Operation) -> bool:
    """Whether running the op, regions included, does nothing but compute its results. An op that says nothing about
    its effects (`func.call`, collectives, ops of unknown dialects) is not."""
    name = op.name
    if facts(name).is_as_effectful_as_its_regions:
        return all(
            is_terminator(nested) or is_effect_free(nested.operation)
            for region in op.regions
            for block in region.blocks
            for nested in block.operations
        )
    if name == "stablehlo.custom_call":
        return not _custom_call_has_effect(op)
    return _is_value_op(name) and declares_effects_interface(op)


def is_foldable(op: ir.Operation) -> bool:
    """Whether equal operands always give equal results: effect-free, and the same in every process."""
    if facts(op.name).per_process or op.name == "stablehlo.custom_call":
        return False
    return is_effect_free(op) and all(
        is_foldable(nested.operation)
        for region in op.regions
        for block in region.blocks
        for nested in block.operations
        if not is_terminator(nested)
    )


def declares_effects(op: ir.Operation) -> bool:
    """Whether the op, or one in its regions, says that it has effects. Ops that say nothing count as pure."""
    name = op.name
    if facts(name).effect or (name == "stablehlo.custom_call" and _custom_call_has_effect(op)):
        return True
    if not _is_value_op(name) and not facts(name).ends and declares_effects_interface(op):
        return True
    return any(
        declares_effects(nested.operation)
        for region in op.regions
        for block in region.blocks
        for nested in block.operations
    )


def is_terminator(op: ir.Operation | ir.OpView) -> bool:
    """Whether the op ends a block."""
    return bool(facts(op.operation.name).ends)


def is_unused(op: ir.Operation) -> bool:
    """Whether no result has a user."""
    return all(next(iter(result.uses), None) is None for result in op.results)


def is_dead(op: ir.Operation) -> bool:
    """Whether the op can be removed: unused, effect-free and no terminator."""
    if is_terminator(op) or not is_unused(op):
        return False
    return is_effect_free(op) and (len(op.results) > 0 or facts(op.name).is_as_effectful_as_its_regions)
