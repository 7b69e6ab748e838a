"""The checks of upstream's test programs, written as custom calls, and the assertions on shapes of JAX's exports."""

from __future__ import annotations

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


def _expect(call: CustomCall, difference: str) -> Any:
    """The result of a passed check, if the call has one: true. Raises `CheckError` for a failed one."""
    if difference:
        op = call.op
        notes = [f"in function @{op.function_name}"]
        raise CheckError(difference, op=f"{op.name} @{call.target}", location=op.location, notes=notes)
    return np.True_ if call.result_types else None


@runs("check.eq")
def check_eq(call: CustomCall, actual: np.ndarray, expected: np.ndarray) -> Any:
    """Equality for integers and booleans, near equality for floats."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    exact = call.op.tensor_operand(0).element_type.is_integer or actual.dtype == np.bool_
    if exact:
        return _expect(call, check.equal(actual, expected))
    return _expect(call, check.almost_equal(actual, expected, _EQ_TOLERANCE))


@runs("check.expect_eq")
def check_expect_eq(call: CustomCall, actual: np.ndarray, expected: np.ndarray) -> Any:
    """Equality."""
    return _expect(call, check.equal(np.asarray(actual), np.asarray(expected)))


@runs("check.expect_almost_eq")
def check_expect_almost_eq(call: CustomCall, actual: np.ndarray, expected: np.ndarray) -> Any:
    """Near equality."""
    difference = check.almost_equal(np.asarray(actual), np.asarray(expected), _ALMOST_EQ_TOLERANCE)
    return _expect(call, difference)


@runs("check.expect_close")
def check_expect_close(call: CustomCall, actual: np.ndarray, expected: np.ndarray) -> Any:
    """A distance of at most three ULPs."""
    return _expect(call, check.close(np.asarray(actual), np.asarray(expected), 0, _CLOSE_ULPS))


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
