"""Effects of ops: which may be removed when nobody uses their results, and which declare side effects.

The bindings do not show an op's memory effects, only whether it implements the interface. The facts about ops add the
traits of their definitions, and are stricter where the spec gives an op a meaning beyond its results: ops that draw
random numbers and collectives are never removed.
"""

from __future__ import annotations

from collections.abc import Callable

from ..bindings.diagnostics import file_location
from ..dialect.facts import facts
from ..errors import StablehloError
from .matching import is_set
from .snapshot.parts import Op, any_operation, children, within

# Dialects whose ops with the interface have no effects, unless the facts about them name one.
_DIALECTS_OF_VALUES = frozenset({"arith", "chlo", "complex", "math", "quant", "shape", "stablehlo", "tensor"})


def _is_value_op(name: str) -> bool:
    known = facts(name)
    return known.dialect in _DIALECTS_OF_VALUES and not known.effect


def _has_effects_of_regions(op: Op) -> bool:
    return facts(op.name).is_as_effectful_as_its_regions


def _is_effect_free_alone(op: Op) -> bool:
    """Return the same as `is_effect_free`, ignoring the ops in regions whose effects the op has."""
    if _has_effects_of_regions(op):
        return True
    if op.name == "stablehlo.custom_call":
        return not is_set(op, "has_side_effect")
    return _is_value_op(op.name) and op.kind.declares_effects


def is_effect_free(op: Op) -> bool:
    """Return whether the op, regions included, only computes its results.

    An op that declares nothing about its effects (`func.call`, collectives, ops of unknown dialects) does not count.
    """
    if not _has_effects_of_regions(op):
        return _is_effect_free_alone(op)
    return not any_operation(
        op, lambda inner: not is_terminator(inner) and not _is_effect_free_alone(inner), enters=_has_effects_of_regions
    )


def has_effects(op: Op, within: Callable[[Op], bool]) -> bool:
    """Return the opposite of `is_effect_free`, asking `within` about the ops in the op's regions."""
    if not _has_effects_of_regions(op):
        return not _is_effect_free_alone(op)
    return any(within(inner) for inner in children(op) if _has_effects_of_regions(inner) or not is_terminator(inner))


def is_foldable(op: Op) -> bool:
    """Return whether equal operands always give equal results: effect-free, and the same in every process."""

    def differs(inner: Op) -> bool:
        if facts(inner.name).per_process or inner.name == "stablehlo.custom_call":
            return True
        return not _is_effect_free_alone(inner) and (inner is op or not is_terminator(inner))

    return not any_operation(op, differs)


def declares_effects(op: Op) -> bool:
    """Return whether the op, or one in its regions, declares effects. Ops that declare nothing count as pure."""
    return any_operation(op, _declares_effects_alone)


def check_effects_kept(op: Op) -> None:
    """Raise `StablehloError` if erasing an op would remove one in its regions that declares effects."""
    lost = [inner for inner in within(op)[1:] if _declares_effects_alone(inner)]
    if lost:
        message = f"cannot be erased as long as '{lost[0].name}', which has an effect, is in it"
        remedy = "a pattern that is to remove the effect has to erase that op first"
        raise StablehloError(message, location=file_location(op.location), op=op.name, notes=[remedy])


def _declares_effects_alone(op: Op) -> bool:
    name = op.name
    if facts(name).effect or (name == "stablehlo.custom_call" and is_set(op, "has_side_effect")):
        return True
    return not _is_value_op(name) and not facts(name).ends and op.kind.declares_effects


def is_terminator(op: Op) -> bool:
    """Return whether the op ends a block."""
    return bool(facts(op.name).ends)


def is_unused(op: Op) -> bool:
    """Return whether no result has a user."""
    return not any(result.uses for result in op.results)


def is_dead(op: Op) -> bool:
    """Return whether the op can be removed: unused, effect-free and not a terminator."""
    if is_terminator(op) or not is_unused(op):
        return False
    return is_effect_free(op) and (len(op.results) > 0 or _has_effects_of_regions(op))
