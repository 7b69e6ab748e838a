"""Shapes that are known only while running: dynamic arguments, bounded dimensions, sizes computed from others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from ..case import Case, Expected, grouped
from ..generate.texts import tensor
from ..generate.values import ELEMENTS, INTEGERS
from ..registry import Draw, cases_of
from .choosing import draw_elements
from .conversion import iota_values
from .movement import draw_tensor
from .sums import exact_array, exact_parts

program_of = partial(grouped, source="the static op on the sizes that are computed")


@cases_of("set_dimension_size")
def set_dimension_size(op: str, draw: Draw) -> Iterator[Case]:
    """A bounded dimension: elements beyond its size take part in nothing."""
    for element in draw.only(INTEGERS):
        for size in (0, 2, 3):
            operand = draw_tensor(element, (2, 3), draw(op, element, size), "ordinary")
            bounded = f"tensor<2x?x{element}, #stablehlo.bounds<?, 3>>"
            t, s = tensor((2, 3), element), tensor((), element)
            lines = (
                f"  %b = stablehlo.set_dimension_size %0, %1, dim = 1 : ({t}, tensor<i32>) -> {bounded}\n"
                f"  %zero = stablehlo.constant dense<0> : {s}\n"
                f"  %sum = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1] : "
                f"({bounded}, {s}) -> {tensor((2,), element)}\n"
                f"  %n = stablehlo.get_dimension_size %b, dim = 1 : ({bounded}) -> tensor<i32>"
            )
            sums = exact_array([part.sum(1) for part in exact_parts(operand[:, :size])], element)
            results = [("%sum", sums), ("%n", Expected(np.array(size, np.int32), "i32"))]
            yield program_of(op, element, "bounded", [operand, ("i32", np.array(size, np.int32))], results, lines)


@cases_of("dynamic_broadcast_in_dim", "dynamic_reshape", "dynamic_iota", "get_dimension_size")
def computed_sizes(op: str, draw: Draw) -> Iterator[Case]:
    """Sizes taken from another operand, results with dynamic types, which the return casts to a static one."""
    for element in draw.only(ELEMENTS if op != "dynamic_iota" else ELEMENTS[1:]):
        a = draw_elements(element, "ordinary", 6, draw(op, element))
        t, dynamic = tensor((6,), element), f"tensor<?x{element}>"
        head = (
            f"  %n = stablehlo.get_dimension_size %0, dim = 0 : ({t}) -> tensor<i32>\n"
            "  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
        )
        value = {"dynamic_iota": iota_values(element, 6) if element != "i1" else a}.get(op, a)
        lines = head + {
            "dynamic_broadcast_in_dim": (
                "  %d = stablehlo.dynamic_broadcast_in_dim %0, %shape, dims = [0] : "
                f"({t}, tensor<1xi32>) -> {dynamic}\n"
            ),
            "dynamic_iota": f"  %d = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> {dynamic}\n",
        }.get(op, f"  %d = stablehlo.dynamic_reshape %0, %shape : ({t}, tensor<1xi32>) -> {dynamic}\n")
        lines += f"  %r = stablehlo.dynamic_reshape %d, %shape : ({dynamic}, tensor<1xi32>) -> {t}"
        yield program_of(op, element, "dynamic", [a], [("%r", value)], lines)
