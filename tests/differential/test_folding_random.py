"""Random programs: every optimization pass leaves them valid, and leaves their values as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_programs import random_program
from rewrites import CONTEXT, assert_unchanged

from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.fold_constants import FoldConstants
from stablehlo_py.passes.optimization import (
    AggressiveFolder,
    AggressiveSimplification,
    TargetIndependentOptimization,
)

EXACT: dict[str, tuple[Pass, ...]] = {
    "folder": (AggressiveFolder(),),
    "folder of little": (AggressiveFolder(fold_op_element_limit=2, optimize_float=False),),
    "simplification": (AggressiveSimplification(optimize_float=False),),
    "both": (TargetIndependentOptimization(optimize_float=False),),
    "constants": (FoldConstants(),),
    "constants of few bytes": (FoldConstants(max_bytes=8),),
    "one after the other": (FoldConstants(), AggressiveSimplification(optimize_float=False), AggressiveFolder()),
}
LENIENT: dict[str, tuple[Pass, ...]] = {
    "simplification": (AggressiveSimplification(),),
    "both": (TargetIndependentOptimization(),),
}


@pytest.mark.parametrize("name", EXACT)
@given(data=st.data())
def test_values_stay_bit_by_bit(name: str, data: st.DataObject) -> None:
    text, arguments = random_program(data.draw, CONTEXT, exact=True)
    assert_unchanged(text, arguments, *EXACT[name])


@pytest.mark.parametrize("name", LENIENT)
@given(data=st.data())
def test_values_stay_up_to_the_sign_of_zeros(name: str, data: st.DataObject) -> None:
    text, arguments = random_program(data.draw, CONTEXT, exact=False)
    assert_unchanged(text, arguments, *LENIENT[name], exact=False)
