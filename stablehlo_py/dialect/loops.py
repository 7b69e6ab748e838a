"""Loops with counters: state that the condition compares with a limit, and that the body moves by a step.

JAX writes `scan` and `fori_loop` in this form.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..bindings import ir
from ..bindings.attributes import enum_of
from ..bindings.walk import body_of, is_result, terminator_of

_BEYOND = {"LT": 0, "LE": 1, "GT": 0, "GE": -1}
"""The distance from the limit to the end of the range, by the comparison."""


@dataclass(frozen=True)
class LoopCounter:
    """The counter of a `while`.

    Attributes:
        index: Its number in the loop's state.
        test: The comparison whose result the condition returns.
        addition: The addition or subtraction whose result the body returns for it.
        step_index: The number of the addition's operand that is the step.
    """

    index: int
    test: ir.Operation
    addition: ir.Operation
    step_index: int

    def rounds(self, start: int, limit: int, step: int) -> range | None:
        """Return the counter's values in the rounds, up to the last value; None if it does not approach the limit."""
        direction = enum_of(self.test.attributes["comparison_direction"])
        step = -step if self.addition.name == "stablehlo.subtract" else step
        if step <= 0 if direction in ("LT", "LE") else step >= 0:
            return None
        count = max(-((start - limit - _BEYOND[direction]) // step), 0)
        return range(start, start + count * step, step)


def counter_of(loop: ir.Operation) -> LoopCounter | None:
    """Return the counter of a `while`, or None. The limit and the step may still change from round to round."""
    cond, body = body_of(loop, 0), body_of(loop, 1)
    test = definer(terminator_of(cond).operands[0])
    if test is None or test.name != "stablehlo.compare" or test.operands[0].owner != cond:
        return None
    index = ir.BlockArgument(test.operands[0]).arg_number
    addition = definer(terminator_of(body).operands[index])
    if addition is None or addition.name not in ("stablehlo.add", "stablehlo.subtract"):
        return None
    if enum_of(test.attributes["comparison_direction"]) not in _BEYOND:
        return None
    step_index = int(addition.operands[0] == body.arguments[index])
    if addition.operands[1 - step_index] != body.arguments[index]:
        return None
    is_negated = addition.name == "stablehlo.subtract" and not step_index
    return None if is_negated else LoopCounter(index, test, addition, step_index)


def definer(value: ir.Value) -> ir.Operation | None:
    """Return the op that computes a value, or None for an argument of a block."""
    return ir.OpResult(value).owner.operation if is_result(value) else None
