"""The page that shows ten definitions of the interpreter beside what the specification says of their ops."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple

from stablehlo_py.interpreter.ops import (
    contraction,
    control_flow,
    convolution,
    indexing,
    reduction,
    slicing,
    sorting,
    window,
)


class Definition(NamedTuple):
    """An op, a summary of its paragraph in the specification, and the functions that define it."""

    op: str
    meaning: tuple[str, ...]
    functions: tuple[Callable[..., Any], ...]

    @property
    def source(self) -> str:
        """The source of the functions."""
        return "\n".join(inspect.getsource(function) for function in self.functions)


DEFINITIONS = (
    Definition(
        "gather",
        (
            "`offset_index` holds the dimensions of `result_index` in `offset_dims`, `batch_index` the others.",
            "`start_index` is the vector of `start_indices` at `batch_index`, along `index_vector_dim`.",
            "`full_start_index[start_index_map[i]]` is `start_index[i]`, moved into `[0, dim(operand) - slice_sizes]`.",
            "`full_batching_index` takes the batching dimensions from `batch_index`.",
            "`full_offset_index` is `offset_index` with zeros for collapsed and batching dimensions.",
            "`result[result_index]` is `operand` at the sum of the three.",
        ),
        (indexing.index_vectors, indexing.batching_index, indexing.gather_array),
    ),
    Definition(
        "scatter",
        (
            "`update_scatter_index` holds the dimensions of `update_index` that are not in `update_window_dims`; "
            "`update_window_index` those that are.",
            "`full_start_index`, `full_batching_index` and `full_window_index` are made as in gather, unclamped.",
            "`result_index` is their sum. An update whose index is out of bounds is left out.",
            "`results[result_index]` becomes `update_computation(results[result_index], updates[update_index])`.",
        ),
        (indexing.scatter_index, indexing.scatter),
    ),
    Definition(
        "reduce_window",
        (
            "Inputs are padded with `init_values` at their edges and, for `base_dilations`, between their elements.",
            "The window of `result_index` starts at `result_index * window_strides` and takes every "
            "`window_dilations`-th element.",
            "`results[result_index]` is the reduction of the window by `body`, from `init_values`.",
        ),
        (window.reduce_windows, window.Windows.elements),
    ),
    Definition(
        "select_and_scatter",
        (
            "`selected_index` of a window is the place of the element that `select` prefers to all before it. "
            "Padding is never chosen.",
            "`result[selected_index]` is `init_value`, combined by `scatter` with each value of `source` whose window "
            "chose it.",
        ),
        (window.select_and_scatter, indexing.update_in_order),
    ),
    Definition(
        "convolution",
        (
            "`lhs` is padded, with `lhs_dilation - 1` zeros between its elements; `rhs` is reversed where "
            "`window_reversal` says so.",
            "Features are cut into `feature_group_count` groups, or batches into `batch_group_count`.",
            "The window at `output_spatial_index` starts at `output_spatial_index * window_strides` and takes every "
            "`rhs_dilation`-th element.",
            "Each element of the result is the dot product of a window with a slice of `rhs`.",
        ),
        (convolution.convolve, convolution.in_groups),
    ),
    Definition(
        "dot_general",
        (
            "The result's dimensions are the batching ones, then those of `lhs` and of `rhs` that are neither batching "
            "nor contracting.",
            "Each element is the sum of the products along the contracting dimensions.",
        ),
        (contraction.dot_general_array,),
    ),
    Definition(
        "sort",
        (
            "The inputs are sorted together along `dimension`, each one-dimensional slice by itself.",
            "`comparator` says whether its left elements come before its right ones.",
        ),
        (sorting.sort, sorting.stable_order),
    ),
    Definition(
        "while",
        ("`body` is applied to the operands while `cond` of them is true.",),
        (control_flow.while_,),
    ),
    Definition(
        "reduce",
        (
            "Each result is the inputs' elements along `dimensions`, and `init_values`, folded by `body`.",
            "The tree of the fold is left to the implementation.",
        ),
        (reduction.reduce, reduction.fold_neighbours),
    ),
    Definition(
        "dynamic_slice",
        (
            "`adjusted_start_indices` are `start_indices`, moved into `[0, shape(operand) - slice_sizes]`.",
            "`result[result_index]` is `operand[adjusted_start_indices + result_index]`.",
        ),
        (slicing.dynamic_slice, slicing.clamped_box),
    ),
)


def definitions() -> str:
    """Return the page."""
    parts = [
        "# Definitions\n",
        "Ten ops as the specification means them, beside the source that evaluates them. What is faster stands in a "
        "folder of its own, `interpreter/fast`, and gives the same bits. `STABLEHLO_PY_FAST=0` leaves it out.\n",
    ]
    for one in DEFINITIONS:
        link = f"[the specification](https://openxla.org/stablehlo/spec#{one.op})"
        meaning = "\n".join(f"- {sentence}" for sentence in one.meaning)
        left = textwrap.indent(f"{meaning}\n\nAs in {link}.", "    ")[4:]
        right = textwrap.indent(f"```python\n{textwrap.dedent(one.source)}```", "    ")[4:]
        parts.append(
            f"## {one.op}\n\n````{{list-table}}\n:widths: 30 70\n:class: definition\n\n* - {left}\n  - {right}\n````\n"
        )
    return "\n".join(parts)
