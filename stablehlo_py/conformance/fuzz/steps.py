"""Steps of random programs, one op or idiom each: arithmetic on elements, and movement of elements."""

from __future__ import annotations

import math

from ..generate.structures import (
    addressing,
    convolution,
    pad_widths,
    padded_size,
    padding_attribute,
    product,
    windows,
)
from ..generate.texts import body, ints
from ..generate.values import BINARY, COMPLEX, FLOATS, INTEGERS, ROUNDED_UNARY, UNARY, identity, ops_on, values
from .builder import BlockWriter, DrawnValue, is_integer, rounds

# Ops whose result a small change of an operand decides, or whose operands need care.
SENSITIVE = ("divide", "remainder", "power", "atan2")
SHIFTS = tuple([op for op in BINARY if op.startswith("shift")])
# Ops that keep a relative error of their operands.
TAME = ("multiply", "maximum", "minimum")
OTHER_UNARY = ("imag", "is_finite", "real", "tan")  # with results of other element types, and with poles


def elementwise(build: BlockWriter) -> None:
    """An op of two operands."""
    operand = build.pick()
    element, choose = operand.element, build.random.choice
    names = [op for op in ops_on(BINARY, element) if op not in SENSITIVE]
    if element in COMPLEX:  # whose order is a matter of definition
        names = [op for op in names if op not in ("maximum", "minimum")]
    elif is_integer(element) and element != "i1":
        names += ["divide", "remainder"]
    elif element in FLOATS:
        sensitive = ["divide", "atan2"] if build.options.sign_sensitive else []
        names = [*names, *sensitive] if operand.exact else [*TAME]
    name = choose(names)
    needs_exact = not is_integer(element) and name not in TAME
    other = operand if not build.random.randrange(5) else build.pick(element, operand.shape, exact=needs_exact)
    if name in (*SHIFTS, "divide", "remainder") and is_integer(element) and not build.options.undefined:
        other = _defined(build, name, other)
        build.call(name, [operand, other], operand.shape, element)
        return
    operands = [operand, other] if build.random.randrange(2) else [other, operand]
    exact = not (rounds(element) or element in COMPLEX or (element in FLOATS and name in ("divide", "atan2")))
    build.call(name, operands, operand.shape, element, exact=exact or name in ("maximum", "minimum"))


def _defined(build: BlockWriter, name: str, other: DrawnValue) -> DrawnValue:
    """Make an operand within the domain of the op: odd divisors between 1 and 7, shifts of 0 or 1."""
    element, shape = other.element, other.shape
    mask = build.filled(6 if name in ("divide", "remainder") else 1, element, shape)
    kept = build.call("and", [other, mask], shape, element)
    if name in SHIFTS:
        return kept
    return build.call("or", [kept, build.filled(1, element, shape)], shape, element)


def unary(build: BlockWriter) -> None:
    """An op of one operand."""
    operand = build.pick()
    element = operand.element
    names = [op for op in ops_on(UNARY, element) if op not in OTHER_UNARY]
    if element in COMPLEX:
        names = ["negate"]
    elif element in FLOATS and not operand.exact:
        names = ["negate", "abs"]
    name = build.random.choice(names)
    build.call(name, [operand], operand.shape, element, exact=name not in ROUNDED_UNARY)


def convert(build: BlockWriter) -> None:
    """Between types; floats that integers cannot hold are clamped first."""
    operand = build.pick()
    if operand.element in COMPLEX:
        return
    targets = [name for name in build.options.elements if name not in COMPLEX]
    if not operand.exact:
        targets = [name for name in targets if name in ("f32", "f64")]
    if not targets:
        return
    target = build.random.choice(targets)
    if operand.element in FLOATS and is_integer(target) and not build.options.undefined:
        low = build.filled(0 if target[0] == "u" else -100, operand.element)
        high = build.filled(100, operand.element)
        operand = build.call("clamp", [low, operand, high], operand.shape, operand.element)
        same = build.call("compare", [operand, operand], operand.shape, "i1", _direction("EQ"))
        zeros = build.filled(0, operand.element, operand.shape)
        operand = build.call("select", [same, operand, zeros], operand.shape, operand.element)
    build.call("convert", [operand], operand.shape, target)


def _direction(name: str) -> str:
    return f"comparison_direction = #stablehlo<comparison_direction {name}>"


def complex_parts(build: BlockWriter) -> None:
    """A complex number of two parts, and a part of it."""
    real = build.pick("f32")
    number = build.call("complex", [real, build.pick("f32", real.shape)], real.shape, "complex<f32>")
    part = build.call(build.random.choice(["real", "imag"]), [number], real.shape, "f32")
    build.call("complex", [part, part], real.shape, "complex<f32>")


def compare_and_select(build: BlockWriter) -> None:
    """A comparison that chooses."""
    left = build.pick(exact=True)
    right = build.pick(left.element, left.shape, exact=True)
    directions = ["EQ", "NE"] if left.element in COMPLEX else ["EQ", "NE", "LT", "LE", "GT", "GE"]
    pred = build.call("compare", [left, right], left.shape, "i1", _direction(build.random.choice(directions)))
    if build.random.randrange(2):
        pred = build.call("not", [pred], pred.shape, "i1")
    on_true = build.pick(shape=left.shape)
    build.call("select", [pred, on_true, build.pick(on_true.element, left.shape)], left.shape, on_true.element)


def transpose_or_reverse(build: BlockWriter) -> None:
    """Dimensions in another order, or counted from the end."""
    operand = build.pick()
    order = build.random.sample(range(len(operand.shape)), len(operand.shape))
    if build.random.randrange(2):
        shape = [operand.shape[dim] for dim in order]
        build.call("transpose", [operand], shape, operand.element, f"permutation = {ints(order)}")
    else:
        some = order[: build.random.randint(0, len(order))]
        build.call("reverse", [operand], operand.shape, operand.element, f"dimensions = {ints(some)}")


def reshape(build: BlockWriter) -> None:
    """The same elements under other sizes."""
    operand = build.pick()
    count = math.prod(operand.shape)
    shapes = [(count,), (1, count), (count, 1), operand.shape, (*operand.shape, 1)]
    if count % 2 == 0:
        shapes.append((2, count // 2))
    build.call("reshape", [operand], build.random.choice(shapes), operand.element)


def broadcast(build: BlockWriter) -> None:
    """Sizes of 1 and new dimensions are repeated."""
    operand = build.pick()
    rank = len(operand.shape) + build.random.randint(0, 1)
    dims = build.random.sample(range(rank), len(operand.shape))
    shape = [build.random.randint(1, 3) for _ in range(rank)]
    for size, dim in zip(operand.shape, dims, strict=True):
        shape[dim] = size if size != 1 else shape[dim]
    if build.small(shape):
        build.call("broadcast_in_dim", [operand], shape, operand.element, f"broadcast_dimensions = {ints(dims)}")


def slices(build: BlockWriter) -> None:
    """A part of a tensor."""
    operand, draw = build.pick(), build.random.randint
    start = [draw(0, size) for size in operand.shape]
    limit = [draw(low, size) for low, size in zip(start, operand.shape, strict=True)]
    strides = [draw(1, 2) for _ in operand.shape]
    shape = [-(-(b - a) // s) for a, b, s in zip(start, limit, strides, strict=True)]
    attributes = f"start_indices = {ints(start)}, limit_indices = {ints(limit)}, strides = {ints(strides)}"
    build.call("slice", [operand], shape, operand.element, attributes)


def dynamic_slices(build: BlockWriter) -> None:
    """A part whose position is computed, taken out and put back."""
    operand = build.pick()
    sizes = [build.random.randint(0, size) for size in operand.shape]
    starts = [build.pick("i32", (), exact=True) for _ in sizes]
    piece = build.call("dynamic_slice", [operand, *starts], sizes, operand.element, f"slice_sizes = {ints(sizes)}")
    build.call("dynamic_update_slice", [operand, piece, *starts], operand.shape, operand.element)


def concatenate(build: BlockWriter) -> None:
    """Tensors of one type one after the other."""
    first = build.pick()
    if not first.shape:
        return
    dimension = build.random.randrange(len(first.shape))
    parts = [first, *(build.pick(first.element, first.shape) for _ in range(build.random.randint(0, 2)))]
    shape = list(first.shape)
    shape[dimension] *= len(parts)
    if build.small(shape):
        build.call("concatenate", parts, shape, first.element, f"dimension = {dimension} : i64")


def pad(build: BlockWriter) -> None:
    """Padding on both sides and between elements; negative padding takes elements away."""
    operand = build.pick()
    value = build.pick(operand.element, ())
    low, high, inner = pad_widths(build.random, operand.shape)
    shape = [padded_size(*widths) for widths in zip(operand.shape, low, high, inner, strict=True)]
    attributes = f"edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, interior_padding = {ints(inner)}"
    if build.small(shape):
        build.call("pad", [operand, value], shape, operand.element, attributes)


def gather(build: BlockWriter) -> None:
    """Slices at computed positions."""
    a = addressing(build.random, build.random.randint(1, 3))
    operand, indices = build.pick(shape=a.shape), build.pick("i32", a.indices_shape, exact=True)
    attributes = f"{a.gather_attributes}, slice_sizes = {ints(a.slice_sizes)}"
    build.call("gather", [operand, indices], a.sliced_shape, operand.element, attributes)


def scatter(build: BlockWriter) -> None:
    """Integers added or compared at computed positions, where the order does not matter."""
    a = addressing(build.random, build.random.randint(1, 3))
    element = build.element([name for name in INTEGERS if name in build.options.elements] or ["i32"])
    operand, updates = build.pick(element, a.shape), build.pick(element, a.sliced_shape)
    indices = build.pick("i32", a.indices_shape, exact=True)
    region = body(build.random.choice(["add", "maximum", "xor"]), element)
    build.call("scatter", [operand, indices, updates], a.shape, element, a.scatter_attributes, region)


def iota(build: BlockWriter) -> None:
    """Numbers from 0 on."""
    shape = [build.random.randint(0, 3) for _ in range(build.random.randint(1, 3))]
    dimension = build.random.randrange(len(shape))
    element = build.element([name for name in build.options.elements if name != "i1"])
    build.call("iota", [], shape, element, f"iota_dimension = {dimension} : i64")


def dot(build: BlockWriter) -> None:
    """A product of tensors of the shapes that fit."""
    p = product(build.random, 1, 3)
    element = build.element()
    lhs, rhs = build.pick(element, p.lhs, exact=True), build.pick(element, p.rhs, exact=True)
    if build.small(p.result) and element != "i1":
        build.call("dot_general", [lhs, rhs], p.result, element, p.attributes, exact=is_integer(element))


def convolve(build: BlockWriter) -> None:
    """A convolution of integers, or of floats whose sums have a tolerance."""
    c = convolution(build.random, build.random.randint(1, 2))
    element = build.element([name for name in build.options.elements if name in ("i32", "f32", "i8", "f64")] or ["i32"])
    if is_integer(element):
        operands = [build.pick(element, c.shape(which)) for which in (0, 1)]
    else:  # infinities meet the zeros of padding in products that most engines leave out
        arrays = [values(build.random, c.shape(which), element, tame=True) for which in (0, 1)]
        operands = [build.constant(array, element) for array in arrays]
    attributes = f"{c.attributes}, {padding_attribute(c.padding)}"
    build.call("convolution", operands, c.shape(2), element, attributes, exact=is_integer(element))


def reduce_window(build: BlockWriter) -> None:
    """Windows folded in a way that does not depend on the order."""
    operand = build.pick([*INTEGERS, *FLOATS], exact=True, rank=build.random.randint(1, 2))
    w = windows(build.random, operand.shape, dilated=True, widest=3)
    fold = build.random.choice(["add", "maximum", "minimum"] if is_integer(operand.element) else ["maximum", "minimum"])
    if build.small(w.sizes):
        init = build.constant(identity(fold, operand.element), operand.element)
        region = body(fold, operand.element)
        build.call("reduce_window", [operand, init], w.sizes, operand.element, w.attributes, region)


def shapes_as_values(build: BlockWriter) -> None:
    """Sizes that are computed from a tensor's own."""
    operand = build.pick()
    if not operand.shape:
        return
    dims = [f"dimension = {dim} : i64" for dim in range(len(operand.shape))]
    sizes = [build.call("get_dimension_size", [operand], (), "i32", dim) for dim in dims]
    lines = [build.call("reshape", [size], (1,), "i32") for size in sizes]
    shape = build.call("concatenate", lines, (len(lines),), "i32", "dimension = 0 : i64")
    target = operand.type
    if build.options.dynamic:  # through a type whose sizes only this value tells
        target = f"tensor<{'?x' * len(operand.shape)}{operand.element}>"
        name, types = build.name(), f"({operand.type}, {shape.type}) -> {target}"
        build.lines.append(f'{name} = "stablehlo.dynamic_reshape"({operand.name}, {shape.name}) : {types}')
        operand = DrawnValue(name, operand.shape, operand.element, operand.exact)
    text = f'"stablehlo.dynamic_reshape"({operand.name}, {shape.name}) : ({target}, {shape.type}) -> {operand.type}'
    build.emit(operand.shape, operand.element, text, exact=operand.exact)
