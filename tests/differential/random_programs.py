"""Random programs that give the optimization passes something to do: constants with special values, chains of
movement, identities, constant indices, branches, loops, reductions, sorts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from structures import Draw, ints, tensor, values

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.elements import from_numpy

ARITHMETIC = {
    "f32": ("add", "subtract", "multiply", "maximum", "minimum"),
    "bf16": ("add", "subtract", "multiply", "maximum", "minimum"),
    "i32": ("add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor", "shift_left"),
    "ui8": ("add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor", "shift_right_logical"),
    "i1": ("add", "multiply", "and", "or", "xor"),
    "complex<f32>": ("add", "subtract", "multiply"),
}
SIGN_SENSITIVE = {"f32": ("divide", "atan2"), "bf16": ("divide",)}  # what a zero's sign turns into infinities
UNARY = {
    "f32": ("negate", "abs", "floor", "ceil", "exponential", "tanh", "round_nearest_even"),
    "bf16": ("negate", "abs", "floor", "sqrt"),
    "i32": ("negate", "abs", "not", "popcnt"),
    "ui8": ("not", "count_leading_zeros"),
    "i1": ("not",),
    "complex<f32>": ("negate",),
}
NEUTRAL = {"f32": (0.0, -0.0, 1.0), "bf16": (0.0, -0.0, 1.0), "i32": (0, 1, -1), "ui8": (0, 1, 255), "i1": (0, 1)}


@dataclass
class Value:
    """An SSA value: its name, extents and element type."""

    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def type(self) -> str:
        return tensor(self.shape, self.element)


@dataclass
class Builder:
    """Writes a program line by line."""

    draw: Draw
    context: ir.Context
    exact: bool
    lines: list[str] = field(default_factory=list)
    pool: list[Value] = field(default_factory=list)
    parameters: list[Value] = field(default_factory=list)

    def emit(self, shape: tuple[int, ...], element: str, op: str) -> Value:
        value = Value(f"%v{len(self.lines)}", shape, element)
        self.lines.append(f"{value.name} = {op}")
        self.pool.append(value)
        return value

    def call(
        self, name: str, operands: list[Value], shape: tuple[int, ...], element: str, attributes: str = ""
    ) -> Value:
        names = ", ".join(operand.name for operand in operands)
        types = ", ".join(operand.type for operand in operands)
        op = f'"stablehlo.{name}"({names}) {{{attributes}}} : ({types}) -> {tensor(shape, element)}'
        return self.emit(shape, element, op)

    def constant(self, array: np.ndarray, element: str) -> Value:
        with self.context:
            type_ = ir.Type.parse(tensor(array.shape, element))
            text = str(from_numpy(array, type_))
        return self.emit(array.shape, element, f"stablehlo.constant {text}")

    def pick(self, element: str | None = None, shape: tuple[int, ...] | None = None) -> Value:
        """A value of the pool, or a new constant where none fits."""
        fitting = [
            value
            for value in self.pool
            if (element is None or value.element == element) and (shape is None or value.shape == shape)
        ]
        if fitting and self.draw(st.integers(0, 3)):
            return self.draw(st.sampled_from(fitting))
        element = self.draw(st.sampled_from(sorted(ARITHMETIC))) if element is None else element
        if shape is None:
            shape = tuple(self.draw(st.lists(st.integers(0, 3), max_size=3)))
        return self._new_constant(element, shape)

    def _new_constant(self, element: str, shape: tuple[int, ...]) -> Value:
        if element in NEUTRAL and self.draw(st.booleans()):
            number = self.draw(st.sampled_from(NEUTRAL[element]))
            dtype = values(self.draw, (), element).dtype
            return self.constant(np.full(shape, number).astype(dtype), element)
        return self.constant(values(self.draw, shape, element), element)


def elementwise(build: Builder) -> None:
    operand = build.pick()
    names = ARITHMETIC[operand.element] + (SIGN_SENSITIVE.get(operand.element, ()) if build.exact else ())
    name = build.draw(st.sampled_from(names))
    other = operand if build.draw(st.integers(0, 4)) == 0 else build.pick(operand.element, operand.shape)
    operands = [operand, other] if build.draw(st.booleans()) else [other, operand]
    build.call(name, operands, operand.shape, operand.element)


def unary(build: Builder) -> None:
    operand = build.pick()
    build.call(build.draw(st.sampled_from(UNARY[operand.element])), [operand], operand.shape, operand.element)


def convert(build: Builder) -> None:
    operand = build.pick("i32")
    build.call("convert", [operand], operand.shape, build.draw(st.sampled_from(["f32", "i32", "i1", "ui8"])))


def complex_parts(build: Builder) -> None:
    real = build.pick("f32")
    number = build.call("complex", [real, build.pick("f32", real.shape)], real.shape, "complex<f32>")
    part = build.call(build.draw(st.sampled_from(["real", "imag"])), [number], real.shape, "f32")
    build.call("complex", [part, part], real.shape, "complex<f32>")


def compare_and_select(build: Builder) -> None:
    left = build.pick()
    right = build.pick(left.element, left.shape)
    directions = ["EQ", "NE"] if left.element.startswith("complex") else ["EQ", "NE", "LT", "LE", "GT", "GE"]
    direction = f"comparison_direction = #stablehlo<comparison_direction {build.draw(st.sampled_from(directions))}>"
    pred = build.call("compare", [left, right], left.shape, "i1", direction)
    if build.draw(st.booleans()):
        pred = build.call("not", [pred], pred.shape, "i1")
    on_true = build.pick(shape=left.shape)
    build.call("select", [pred, on_true, build.pick(on_true.element, left.shape)], left.shape, on_true.element)


def transpose_or_reverse(build: Builder) -> None:
    operand = build.pick()
    order = build.draw(st.permutations(range(len(operand.shape))))
    if build.draw(st.booleans()):
        shape = tuple(operand.shape[dim] for dim in order)
        build.call("transpose", [operand], shape, operand.element, f"permutation = {ints(order)}")
    else:
        some = order[: build.draw(st.integers(0, len(order)))]
        build.call("reverse", [operand], operand.shape, operand.element, f"dimensions = {ints(some)}")


def reshape(build: Builder) -> None:
    operand = build.pick()
    count = math.prod(operand.shape)
    shapes = [(count,), (1, count), (count, 1), operand.shape, (*operand.shape, 1)]
    if count % 2 == 0:
        shapes.append((2, count // 2))
    build.call("reshape", [operand], build.draw(st.sampled_from(shapes)), operand.element)


def broadcast(build: Builder) -> None:
    operand = build.pick()
    rank = len(operand.shape) + build.draw(st.integers(0, 1))
    dims = build.draw(st.permutations(range(rank)))[: len(operand.shape)]
    shape = [build.draw(st.integers(1, 3)) for _ in range(rank)]
    for extent, dim in zip(operand.shape, dims, strict=True):
        shape[dim] = extent if extent != 1 else shape[dim]
    attribute = f"broadcast_dimensions = {ints(dims)}"
    build.call("broadcast_in_dim", [operand], tuple(shape), operand.element, attribute)


def slices(build: Builder) -> None:
    operand = build.pick()
    start = [build.draw(st.integers(0, extent)) for extent in operand.shape]
    limit = [build.draw(st.integers(s, extent)) for s, extent in zip(start, operand.shape, strict=True)]
    strides = [build.draw(st.integers(1, 2)) for _ in operand.shape]
    shape = tuple(-(-(b - a) // s) for a, b, s in zip(start, limit, strides, strict=True))
    attributes = f"start_indices = {ints(start)}, limit_indices = {ints(limit)}, strides = {ints(strides)}"
    build.call("slice", [operand], shape, operand.element, attributes)


def dynamic_slices(build: Builder) -> None:
    operand = build.pick()
    sizes = tuple(build.draw(st.integers(0, extent)) for extent in operand.shape)
    starts = [build.pick("i32", ()) for _ in sizes]
    piece = build.call("dynamic_slice", [operand, *starts], sizes, operand.element, f"slice_sizes = {ints(sizes)}")
    build.call("dynamic_update_slice", [operand, piece, *starts], operand.shape, operand.element)


def concatenate(build: Builder) -> None:
    first = build.pick()
    if not first.shape:
        return
    dimension = build.draw(st.integers(0, len(first.shape) - 1))
    parts = [first, *(build.pick(first.element, first.shape) for _ in range(build.draw(st.integers(0, 2))))]
    shape = list(first.shape)
    shape[dimension] *= len(parts)
    build.call("concatenate", parts, tuple(shape), first.element, f"dimension = {dimension} : i64")


def pad(build: Builder) -> None:
    operand = build.pick()
    value = build.pick(operand.element, ())
    low = [build.draw(st.integers(-1, 2)) for _ in operand.shape]
    high = [build.draw(st.integers(-1, 2)) for _ in operand.shape]
    inner = [build.draw(st.integers(0, 1)) for _ in operand.shape]
    shape = tuple(
        a + b + extent + max(extent - 1, 0) * i for a, b, i, extent in zip(low, high, inner, operand.shape, strict=True)
    )
    if min(shape, default=0) < 0:
        return
    attributes = f"edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, interior_padding = {ints(inner)}"
    build.call("pad", [operand, value], shape, operand.element, attributes)


def gather(build: Builder) -> None:
    operand = build.pick()
    if not operand.shape or 0 in operand.shape:
        return
    place = build.pick("i32", (1,))
    sizes = (1, *operand.shape[1:])
    rank = len(operand.shape) - 1
    numbers = f"#stablehlo.gather<offset_dims = {list(range(rank))}, collapsed_slice_dims = [0], start_index_map = [0]>"
    attributes = f"dimension_numbers = {numbers}, slice_sizes = {ints(sizes)}"
    build.call("gather", [operand, place], operand.shape[1:], operand.element, attributes)


def iota(build: Builder) -> None:
    shape = tuple(build.draw(st.lists(st.integers(0, 3), min_size=1, max_size=3)))
    dimension = build.draw(st.integers(0, len(shape) - 1))
    build.call("iota", [], shape, build.draw(st.sampled_from(["f32", "i32"])), f"iota_dimension = {dimension} : i64")


IDENTITY = {"add": 0, "multiply": 1, "maximum": -(2**31), "minimum": 2**31 - 1, "and": -1, "or": 0, "xor": 0}


def reduce(build: Builder) -> None:
    operand = build.pick("i32")
    name = build.draw(st.sampled_from(sorted(IDENTITY)))
    init = build.constant(np.array(IDENTITY[name], np.int32), "i32")
    rank = len(operand.shape)
    dims = sorted(build.draw(st.sets(st.integers(0, rank - 1)))) if rank else []
    shape = tuple(extent for dim, extent in enumerate(operand.shape) if dim not in dims)
    build.emit(
        shape,
        "i32",
        f"stablehlo.reduce({operand.name} init: {init.name}) applies stablehlo.{name} across dimensions = {dims} : "
        f"({operand.type}, tensor<i32>) -> {tensor(shape, 'i32')}",
    )


def branch(build: Builder) -> None:
    pred = build.pick("i1", ())
    first = build.pick()
    second = build.pick(first.element, first.shape)
    op = build.draw(st.sampled_from(ARITHMETIC[first.element]))
    t = first.type
    build.emit(
        first.shape,
        first.element,
        f'"stablehlo.if"({pred.name}) ({{\n  %w = stablehlo.{op} {first.name}, {second.name} : {t}\n'
        f"  stablehlo.return %w : {t}\n}}, {{\n  stablehlo.return {second.name} : {t}\n}}) : (tensor<i1>) -> {t}",
    )


def loop(build: Builder) -> None:
    count = build.pick("i32", ())
    state, fixed = build.pick(), build.pick()
    other = build.pick(state.element, state.shape)
    op = build.draw(st.sampled_from(ARITHMETIC[state.element]))
    limit = build.draw(st.integers(0, 3))
    name = f"%v{len(build.lines)}"
    types = f"tensor<i32>, {state.type}, {fixed.type}, tensor<i32>"
    build.lines.append(
        f"{name}:4 = stablehlo.while(%i = {count.name}, %s = {state.name}, %f = {fixed.name}, "
        f"%u = {count.name}) : {types}\n"
        f"cond {{\n  %none = stablehlo.constant dense<0> : tensor<i32>\n"
        f"  %top = stablehlo.constant dense<{limit}> : tensor<i32>\n"
        f"  %a = stablehlo.compare LT, %i, %top : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        f"  %b = stablehlo.compare GE, %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        f"  %c = stablehlo.and %a, %b : tensor<i1>\n  stablehlo.return %c : tensor<i1>\n}} do {{\n"
        f"  %one = stablehlo.constant dense<1> : tensor<i32>\n  %n = stablehlo.add %i, %one : tensor<i32>\n"
        f"  %t = stablehlo.{op} %s, {other.name} : {state.type}\n  %x = stablehlo.multiply %u, %n : tensor<i32>\n"
        f"  stablehlo.return %n, %t, %f, %x : {types}\n}}"
    )
    build.pool.append(Value(f"{name}#1", state.shape, state.element))
    build.pool.append(Value(f"{name}#2", fixed.shape, fixed.element))


def sort(build: Builder) -> None:
    keys = build.pick("i32")
    if not keys.shape:
        return
    other = build.pick(shape=keys.shape)
    name, e = f"%v{len(build.lines)}", f"tensor<{other.element}>"
    build.lines.append(
        f'{name}:2 = "stablehlo.sort"({keys.name}, {other.name}) <{{dimension = {len(keys.shape) - 1} : i64, '
        f"is_stable = true}}> ({{\n^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: {e}, %d: {e}):\n"
        f"  %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        f"  stablehlo.return %p : tensor<i1>\n}}) : ({keys.type}, {other.type}) -> ({keys.type}, {other.type})"
    )
    build.pool.append(Value(f"{name}#{build.draw(st.integers(0, 1))}", keys.shape, keys.element))
    if build.pool[-1].name.endswith("#1"):
        build.pool[-1].element = other.element


def shapes_as_values(build: Builder) -> None:
    operand = build.pick()
    if not operand.shape:
        return
    extents = [
        build.call("get_dimension_size", [operand], (), "i32", f"dimension = {dim} : i64")
        for dim in range(len(operand.shape))
    ]
    lines = [build.call("reshape", [extent], (1,), "i32") for extent in extents]
    shape = build.call("concatenate", lines, (len(lines),), "i32", "dimension = 0 : i64")
    build.call("dynamic_reshape", [operand, shape], operand.shape, operand.element)


STEPS = (
    *(elementwise, elementwise, elementwise, unary, convert, complex_parts, compare_and_select, compare_and_select),
    *(transpose_or_reverse, transpose_or_reverse, reshape, reshape, broadcast, broadcast, slices, slices),
    *(dynamic_slices, concatenate, concatenate, pad, gather, iota, reduce, branch, loop, sort, shapes_as_values),
)


def random_program(draw: Draw, context: ir.Context, *, exact: bool) -> tuple[str, list[Any]]:
    """A module with a `main`, and arguments for it. Unless `exact`, no op in it tells zeros of different sign apart."""
    build = Builder(draw, context, exact)
    arguments: list[Any] = []
    for index in range(draw(st.integers(1, 3))):
        element = draw(st.sampled_from(sorted(ARITHMETIC)))
        array = values(draw, draw(st.lists(st.integers(0, 3), max_size=3)), element)
        arguments.append(array)
        build.parameters.append(Value(f"%p{index}", array.shape, element))
    build.pool += build.parameters
    for _ in range(draw(st.integers(2, 14))):
        draw(st.sampled_from(STEPS))(build)
    results = build.pool[-6:]
    text = (
        f"func.func @main({', '.join(f'{p.name}: {p.type}' for p in build.parameters)}) -> "
        f"({', '.join(value.type for value in results)}) {{\n"
        + "\n".join(build.lines)
        + f"\nreturn {', '.join(value.name for value in results)} : {', '.join(value.type for value in results)}\n}}\n"
    )
    return text, arguments
