"""Random programs: every optimization pass leaves them valid, and leaves their values as they are."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from rewrites import CONTEXT, assert_unchanged
from structures import generators

from stablehlo_py.conformance.fuzz.builder import ProgramOptions
from stablehlo_py.conformance.fuzz.structures import draw_program
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
UNDEFINED = ProgramOptions(undefined=True)  # the passes compute what the reference does, whatever that is
LENIENT: dict[str, tuple[Pass, ...]] = {
    "simplification": (AggressiveSimplification(),),
    "both": (TargetIndependentOptimization(),),
}


@pytest.mark.parametrize("name", EXACT)
@given(generator=generators())
def test_values_stay_bit_by_bit(name: str, generator: Random) -> None:
    program = draw_program(generator, UNDEFINED, CONTEXT)
    assert_unchanged(program.text, program.arguments, *EXACT[name])


@pytest.mark.parametrize("name", LENIENT)
@given(generator=generators())
def test_values_stay_up_to_the_sign_of_zeros(name: str, generator: Random) -> None:
    program = draw_program(generator, ProgramOptions(sign_sensitive=False), CONTEXT)
    assert_unchanged(program.text, program.arguments, *LENIENT[name], exact=False)
