"""Patterns that compute what does not depend on the program's input."""

from __future__ import annotations

from ..rewriting import Pattern
from ..simplification import dynamism, movement, reduction, slicing
from . import control_flow, evaluation

# What folding shares with simplification: it needs no running either.
_SHARED = frozenset(
    (
        *("dynamic_broadcast_is_static", "dynamic_conv_is_static", "dynamic_gather_is_static"),
        *("dynamic_iota_is_static", "dynamic_pad_is_static", "dynamic_reshape_is_static"),
        *("dynamic_reshape_to_constant_shape", "dynamic_slice_is_slice", "iota_of_one"),
        "known_dimension_size",
        *("real_dynamic_slice_is_slice", "reduce_gives_constants", "reduce_gives_outer_values"),
        *("reduce_over_no_dimension", "set_dimension_size_to_itself", "shape_of_static", "index_cast_of_constant"),
    )
)

FOLDS: tuple[Pattern, ...] = (
    *evaluation.PATTERNS,
    *control_flow.PATTERNS,
    *(item for family in (dynamism, movement, reduction, slicing) for item in family.PATTERNS if item.name in _SHARED),
)
