"""Programs of several ops: branches and loops with values from outside, functions, tuples, tokens, dynamic shapes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np

from ...bindings import ir, make_context
from ...bindings.elements import from_numpy
from ..case import Case, Expected, grouped, single
from ..catalog import Draw, cases_of
from ..generate.texts import tensor
from ..generate.values import ELEMENTS, INTEGERS
from .choosing import draw_elements
from .contraction import exact_array, exact_parts
from .conversion import iota_values
from .movement import draw_tensor

program_of = partial(grouped, source="the definition")
TYPES = ELEMENTS


@cache
def _context() -> ir.Context:
    return make_context()


def literal(array: np.ndarray, element: str) -> str:
    """The text of an attribute with these elements."""
    with _context():
        return str(from_numpy(array, ir.Type.parse(tensor(array.shape, element))))


@cases_of("if")
def if_(op: str, draw: Draw) -> Iterator[Case]:
    """Both branches, which read values from outside."""
    for element in draw.only(TYPES):
        for taken in (True, False):
            a, b = [draw_tensor(element, (2, 3), draw(op, element, taken, name)) for name in "ab"]
            t = tensor((2, 3), element)
            lines = (
                f'  %r = "stablehlo.if"(%0) ({{\n    stablehlo.return %1 : {t}\n  }}, {{\n'
                f"    stablehlo.return %2 : {t}\n  }}) : (tensor<i1>) -> {t}"
            )
            results = [("%r", a if taken else b)]
            yield program_of(op, element, "captures", [("i1", np.array(taken)), a, b], results, lines)


@cases_of("case")
def case(op: str, draw: Draw) -> Iterator[Case]:
    """Every branch, and the last one for an index that is out of range."""
    for element in draw.only(TYPES):
        for index in (0, 1, 2, 3, -1, 2**31 - 1, -(2**31)):
            values = [draw_tensor(element, (4,), draw(op, element, index, name)) for name in range(3)]
            t = tensor((4,), element)
            branches = ", ".join(f"{{ stablehlo.return %{number} : {t} }}" for number in (1, 2, 3))
            lines = f'  %r = "stablehlo.case"(%0) ({branches}) : (tensor<i32>) -> {t}'
            chosen = values[index if 0 <= index < 3 else 2]
            kind = "captures" if 0 <= index < 3 else "out of range"
            yield program_of(op, element, kind, [("i32", np.array(index, np.int32)), *values], [("%r", chosen)], lines)


@cases_of("while")
def while_(op: str, draw: Draw) -> Iterator[Case]:
    """Loops of no, one and several iterations that exchange values and read one from outside."""
    for element in draw.only(TYPES):
        for count in (0, 1, 5):
            yield _exchanging(op, element, "captures", 3, count, draw)
    for element in draw.only(("i32", "f32")):  # engines may treat state that takes much memory in another way
        for count in (0, 3):
            yield _exchanging(op, element, "large", 1 << 14, count, draw)


def _exchanging(op: str, element: str, kind: str, size: int, count: int, draw: Draw) -> Case:
    """A loop whose body gives the second value and one from outside in place of the first and the second."""
    a, b, c = [draw_tensor(element, (size,), draw(op, element, count, name)) for name in "abc"]
    t = tensor((size,), element)
    lines = (
        "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
        "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
        f"  %r:3 = stablehlo.while(%i = %zero, %x = %1, %y = %2) : tensor<i32>, {t}, {t}\n  cond {{\n"
        "    %p = stablehlo.compare LT, %i, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %p : tensor<i1>\n  } do {\n    %n = stablehlo.add %i, %one : tensor<i32>\n"
        f"    stablehlo.return %n, %y, %3 : tensor<i32>, {t}, {t}\n  }}"
    )
    x, y = a, b
    for _ in range(count):
        x, y = y, c
    results = [("%r#1", x), ("%r#2", y), ("%r#0", Expected(np.array(count, np.int32), "i32"))]
    return program_of(op, element, kind, [("i32", np.array(count, np.int32)), a, b, c], results, lines)


@cases_of("composite")
def composite(op: str, draw: Draw) -> Iterator[Case]:
    """A composite is its decomposition."""
    for element in draw.only(TYPES):
        a, b = [draw_tensor(element, (2, 2), draw(op, element, name)) for name in "ab"]
        t = tensor((2, 2), element)
        functions = (
            f"func.func private @second(%x: {t}, %y: {t}) -> {t} {{\n"
            f"  %r = stablehlo.reverse %y, dims = [0] : {t}\n  return %r : {t}\n}}\n"
        )
        lines = f'  %r = stablehlo.composite "kit.second" %0, %1 {{decomposition = @second}} : ({t}, {t}) -> {t}'
        yield program_of(op, element, "ordinary", [a, b], [("%r", b[::-1].copy())], lines, functions=functions)


@cases_of("tuple", "get_tuple_element")
def tuples(op: str, draw: Draw) -> Iterator[Case]:
    """Tuples in tuples."""
    for element in draw.only(TYPES):
        a, b = [draw_tensor(element, shape, draw(op, element, shape)) for shape in ((2, 3), (4,))]
        t, u = tensor((2, 3), element), tensor((4,), element)
        lines = (
            f"  %inner = stablehlo.tuple %1, %0 : tuple<{u}, {t}>\n"
            f"  %outer = stablehlo.tuple %inner, %0 : tuple<tuple<{u}, {t}>, {t}>\n"
            f"  %again = stablehlo.get_tuple_element %outer[0] : (tuple<tuple<{u}, {t}>, {t}>) -> tuple<{u}, {t}>\n"
            f"  %x = stablehlo.get_tuple_element %again[0] : (tuple<{u}, {t}>) -> {u}\n"
            f"  %y = stablehlo.get_tuple_element %again[1] : (tuple<{u}, {t}>) -> {t}"
        )
        yield program_of(op, element, "ordinary", [a, b], [("%x", b), ("%y", a)], lines)


@cases_of("after_all", "create_token", "optimization_barrier")
def tokens(op: str, draw: Draw) -> Iterator[Case]:
    """Tokens that are made, joined and passed through a barrier beside a tensor."""
    for element in draw.only(TYPES):
        a = draw_tensor(element, (5,), draw(op, element))
        t = tensor((5,), element)
        made = "  %t0 = stablehlo.create_token : !stablehlo.token\n"
        joined = "  %t1 = stablehlo.after_all %t0, %t0 : !stablehlo.token\n" if op == "after_all" else ""
        token = "%t1" if op == "after_all" else "%t0"
        lines = f"{made}{joined}  %r:2 = stablehlo.optimization_barrier %0, {token} : {t}, !stablehlo.token"
        if op == "optimization_barrier":
            lines = f"  %r:2 = stablehlo.optimization_barrier %0, %0 : {t}, {t}"
        yield program_of(op, element, "tokens", [a], [("%r#0", a)], lines)


@cases_of("constant")
def constant(op: str, draw: Draw) -> Iterator[Case]:
    """Literals of all types: elements one by one, and one value for all."""
    for element in draw.only(ELEMENTS):
        for kind, shape in (("ordinary", (2, 3)), ("special values", (17,)), ("empty", (0, 2)), ("scalar", ())):
            value = draw_tensor(element, shape, draw(op, element, kind))
            one = draw_elements(element, kind, 1, draw(op, element, kind, "splat"))
            results = [("%a", value), ("%b", np.full((3,), one[0], one.dtype))]
            lines = [f"  {name} = stablehlo.constant {literal(array, element)}" for name, array in results]
            yield grouped(op, element, kind, [], results, "\n".join(lines), source="the literal")


@cases_of("async_start", "async_done")
def asynchronous(op: str, draw: Draw) -> Iterator[Case]:
    """A computation at the side whose result is waited for."""
    for element in draw.only(("i32", "f32", "bf16", "i1")):
        a = draw_tensor(element, (4,), draw(op, element))
        t = tensor((4,), element)
        lines = (
            f'  %f = "stablehlo.async_start"(%0) ({{\n  ^bb0(%x: {t}):\n'
            f"    %y = stablehlo.slice %x [0:4] : ({t}) -> {t}\n"
            f"    stablehlo.return %y : {t}\n  }}) : ({t}) -> !stablehlo.future<{t}>\n"
            f'  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<{t}>) -> {t}'
        )
        yield program_of(op, element, "ordinary", [a], [("%r", a)], lines)


@cases_of("custom_call")
def custom_call(op: str, draw: Draw) -> Iterator[Case]:
    """The annotation of shardings, which every implementation passes on."""
    for element in draw.only(("i32", "f32", "bf16")):
        a = draw_tensor(element, (4,), draw(op, element))
        text = 'call_target_name = "Sharding", mhlo.sharding = "{replicated}"'
        yield single(op, element, "ordinary", [a], [a], text, source="an annotation changes nothing")


dynamic_program = partial(grouped, source="the static op on the sizes that are computed")


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
            yield dynamic_program(op, element, "bounded", [operand, ("i32", np.array(size, np.int32))], results, lines)


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
        yield dynamic_program(op, element, "dynamic", [a], [("%r", value)], lines)
