"""The checks of upstream's test programs, written as custom calls, and the assertions on shapes of JAX's exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import CheckError
from .. import check
from .call import CustomCall
from .registry import runs

# The tolerances that upstream's tool gives the checks that are written as custom calls.
_EQ_TOLERANCE = 1e-4
_ALMOST_EQ_TOLERANCE = 1e-3
_CLOSE_ULPS = 3


def _checks(target: str, meaning: str, compare: Callable[[CustomCall, np.ndarray, np.ndarray], str]) -> None:
    """Register a check. Its result, where the call has one, is true; one that fails raises `CheckError` with what
    `compare` says."""

    @runs(target)
    def handler(call: CustomCall, actual: np.ndarray, expected: np.ndarray) -> Any:
        difference, op = compare(call, np.asarray(actual), np.asarray(expected)), call.op
        if difference:
            notes = [f"in function @{op.function_name}"]
            raise CheckError(difference, op=f"{op.name} @{target}", location=op.location, notes=notes)
        return np.True_ if call.result_types else None

    handler.__doc__ = meaning


def _equal_or_near(call: CustomCall, actual: np.ndarray, expected: np.ndarray) -> str:
    if call.op.tensor_operand(0).element_type.is_integer or actual.dtype == np.bool_:
        return check.equal(actual, expected)
    return check.almost_equal(actual, expected, _EQ_TOLERANCE)


_checks("check.eq", "Equality for integers and booleans, near equality for floats.", _equal_or_near)
_checks("check.expect_eq", "Equality.", lambda _, actual, expected: check.equal(actual, expected))
_checks(
    "check.expect_almost_eq",
    "Near equality.",
    lambda _, actual, expected: check.almost_equal(actual, expected, _ALMOST_EQ_TOLERANCE),
)
_checks(
    "check.expect_close",
    "A distance of at most three ULPs.",
    lambda _, actual, expected: check.close(actual, expected, 0, _CLOSE_ULPS),
)


@runs("shape_assertion")
def shape_assertion(call: CustomCall, condition: np.ndarray, *numbers: np.ndarray) -> None:
    """Nothing where `condition` holds; otherwise raises `CheckError` with `error_message`, the numbers put in for
    `{0}`, `{1}`, … This is what JAX exports, and what `--stablehlo-insert-shape-guards` inserts."""
    if bool(condition):
        return
    message = call.op.string("error_message")
    for index, number in enumerate(numbers):
        message = message.replace(f"{{{index}}}", str(int(number)))
    raise CheckError(message, op=f"{call.op.name} @{call.target}", location=call.op.location)
