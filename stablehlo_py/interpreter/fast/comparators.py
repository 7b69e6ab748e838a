"""Sort keys of a comparator, where its plan is of a form that has some.

Recognised are comparisons of one key, and several keys one after the other:

    less(a, b)                                   compare LT or GT of the same expression of the left and of the right
    or(less_k, and(equal_k, <the rest>))         as JAX writes it
    select(equal_k, <the rest>, less_k)          and with not-equal and the branches swapped

An expression is any tree of elementwise ops over one side's arguments, such as JAX's normal form of zeros and NaNs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...bindings.types import ElementType, Kind
from ..element_types import arithmetic
from ..ops.bodies import NUMPY_TYPES, Array, Arrays
from ..plan import Plan, Step

_OPPOSITE = {"LT": "GT", "GT": "LT", "EQ": "EQ", "NE": "NE"}


class KeyComparison(NamedTuple):
    """A comparison of a key on the left with the same key on the right; `key` is the slot of the left one."""

    direction: str
    total_order: bool
    element_type: ElementType
    key: int


class Comparator(NamedTuple):
    """A comparator's plan with the definition of each slot."""

    plan: Plan
    captured: int
    """The number of the plan's inputs that are captured values."""

    def step_of(self, slot: int) -> Step | None:
        """The step whose only result is this slot."""
        return next((step for step in self.plan.steps if step.results == (slot,)), None)

    def keys(self) -> list[KeyComparison] | None:
        """The comparisons that decide one after the other, or None where the plan is of another form."""
        keys: list[KeyComparison] = []
        slot = self.plan.returns[0]
        while True:
            less = self._comparison(slot)
            if less is not None:
                return [*keys, less] if less.direction in ("LT", "GT") else None
            found = self._first_of_several(slot)
            if found is None:
                return None
            key, slot = found
            keys.append(key)

    def _first_of_several(self, slot: int) -> tuple[KeyComparison, int] | None:
        """The first key of `less or (equal and rest)`, and the slot of the rest."""
        step = self.step_of(slot)
        if step is None:
            return None
        if step.op.name == "stablehlo.select":
            return self._pair(step.operands[2], step.operands[0], step.operands[1]) or self._pair(
                step.operands[1], step.operands[0], step.operands[2], unequal=True
            )
        if step.op.name != "stablehlo.or":
            return None
        for less, both in (step.operands, step.operands[::-1]):
            conjunction = self.step_of(both)
            if conjunction is None or conjunction.op.name != "stablehlo.and":
                continue
            for equal, rest in (conjunction.operands, conjunction.operands[::-1]):
                found = self._pair(less, equal, rest)
                if found is not None:
                    return found
        return None

    def _pair(self, less: int, equal: int, rest: int, *, unequal: bool = False) -> tuple[KeyComparison, int] | None:
        first, same = self._comparison(less), self._comparison(equal)
        if first is None or same is None or first.direction not in ("LT", "GT"):
            return None
        if same.direction != ("NE" if unequal else "EQ") or first.total_order != same.total_order:
            return None
        return (first, rest) if self._same(first.key, same.key, mirrored=False) else None

    def _comparison(self, slot: int) -> KeyComparison | None:
        step = self.step_of(slot)
        if step is None or step.op.name != "stablehlo.compare":
            return None
        direction = step.op.enum("comparison_direction")
        if direction not in _OPPOSITE or not self._same(*step.operands, mirrored=True):
            return None
        type_ = step.op.tensor_operand(0).element_type
        total_order = step.op.enum("compare_type", "") == "TOTALORDER"
        sides = self._sides(step.operands[0])
        if len(sides) != 1:
            return None
        if sides == {1}:
            return KeyComparison(_OPPOSITE[direction], total_order, type_, step.operands[1])
        return KeyComparison(direction, total_order, type_, step.operands[0])

    def _argument(self, slot: int) -> int | None:
        """The number of the argument in the slot: even for the left side, odd for the right."""
        arguments = self.plan.inputs[self.captured :]
        return arguments.index(slot) if slot in arguments else None

    def _sides(self, slot: int) -> set[int]:
        """The sides (0 left, 1 right) whose arguments a slot depends on."""
        argument = self._argument(slot)
        if argument is not None:
            return {argument % 2}
        step = self.step_of(slot)
        return set() if step is None else {side for operand in step.operands for side in self._sides(operand)}

    def _same(self, one: int, other: int, *, mirrored: bool) -> bool:
        """Whether two slots hold the same expression, of the same or the other side's arguments."""
        argument = self._argument(one)
        if argument is not None:
            return self._argument(other) == (argument ^ 1 if mirrored else argument)
        step, match = self.step_of(one), self.step_of(other)
        if step is None or match is None:
            return one == other
        if step.op.name != match.op.name or step.op.result_types != match.op.result_types:
            return False
        if _attributes(step) != _attributes(match):
            return False
        return all(self._same(a, b, mirrored=mirrored) for a, b in zip(step.operands, match.operands, strict=True))

    def evaluate(self, slot: int, captured: Sequence[Any], inputs: Arrays) -> Array:
        """The expression in a slot, for whole inputs in place of the left side's arguments."""
        argument = self._argument(slot)
        if argument is not None:
            return inputs[argument // 2]
        step = self.step_of(slot)
        if step is None:
            return captured[self.plan.inputs.index(slot)]
        result: Any = step.kernel(*[self.evaluate(operand, captured, inputs) for operand in step.operands])
        return result


def _attributes(step: Step) -> dict[str, str]:
    attributes = step.op.operation.attributes
    return {name: str(attribute) for name, attribute in attributes.items()}


def ascending(key: Array, comparison: KeyComparison) -> np.ndarray:
    """An array in a type that numpy sorts, whose ascending order is the comparison's."""
    if comparison.total_order:
        key = arithmetic(comparison.element_type).total_order_key(key)
    elif key.dtype not in NUMPY_TYPES:
        key = key.astype(np.float32 if comparison.element_type.kind is Kind.FLOAT else np.int8)
    if comparison.direction == "LT":
        return np.asarray(key)
    return -key if key.dtype.kind == "f" else ~key
