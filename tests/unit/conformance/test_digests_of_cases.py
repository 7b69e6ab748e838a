"""A case has a name of its own for all that it consists of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stablehlo_py.conformance.case import Case, Expected

F = np.float32
BOUNDED = Expected(F([1, 2]), "f32", "bounds", 0.0, np.float64([0, 1]), np.float64([2, 3]))
CASE = Case("add", "f32", "kind", "module", (F([1, 2, 3, 4]),), (BOUNDED, BOUNDED), "source", 3, ("tensor<4xf32>",))


def expected(**changes: object) -> Case:
    return replace(CASE, expected=(CASE.expected[0], replace(BOUNDED, **changes)))


@pytest.mark.parametrize(
    "other",
    [
        replace(CASE, module="module "),
        replace(CASE, inputs=(F([1, 2, 3, 5]),)),
        replace(CASE, inputs=(F([[1, 2], [3, 4]]),)),
        replace(CASE, inputs=(F([1, 2, 3, 4]).view(np.int32),)),
        replace(CASE, inputs=(F([1, 2]), F([3, 4]))),
        replace(CASE, inputs=()),
        replace(CASE, expected=(BOUNDED,)),
        expected(value=F([1, -2])),
        expected(value=F([[1], [2]])),
        expected(element="f16"),
        expected(rule="ulp"),
        expected(ulp=1.0),
        expected(dimension=1),
        expected(low=np.float64([0, 1.5])),
        expected(low=None),
        expected(high=np.float64([2, 4])),
        expected(high=None),
    ],
)
def test_another_program_input_or_expectation_is_another_case(other: Case) -> None:
    assert other.digest() != CASE.digest()


def test_names_and_sources_are_no_part_of_a_case() -> None:
    for other in (replace(CASE), replace(CASE, op="b", type="f16", kind="k", number=4, source="other")):
        assert other.digest() == CASE.digest()
