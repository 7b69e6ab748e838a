"""Ops of random sharded programs: each function draws one, with operands of the program, and writes it."""

from __future__ import annotations

from collections.abc import Callable

from sharded_addressing import gather, scatter
from sharded_writer import ELEMENTS, SIZES, Writer, array, binaries, body_of, compared, nested


def unary(w: Writer) -> None:
    value = w.pick()
    names = {"i1": ("not",), "complex<f32>": ("negate",)}.get(
        value.element, ("negate", "abs", "tanh", "cosine") if "f" in value.element else ("negate", "not", "popcnt")
    )
    w.keep(*w.op(w.draw.choice(names), [value], [(value.shape, value.element)]))


def _binary(w: Writer) -> None:
    value = w.pick()
    other = w.like(value.shape, value.element)
    w.keep(*w.op(w.draw.choice(binaries(value.element)), [value, other], [(value.shape, value.element)]))


def _compare(w: Writer) -> None:
    value = w.pick()
    direction = w.draw.choice(("EQ", "NE") if "complex" in value.element else ("EQ", "LT", "GE"))
    attribute = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    w.keep(*w.op("compare", [value, w.like(value.shape, value.element)], [(value.shape, "i1")], attribute))


def _select(w: Writer) -> None:
    value = w.pick()
    pred = w.like(value.shape if w.draw.random() < 0.7 else (), "i1")
    w.keep(*w.op("select", [pred, value, w.like(value.shape, value.element)], [(value.shape, value.element)]))


def _convert(w: Writer) -> None:
    value = w.pick()
    to = w.draw.choice(ELEMENTS)
    w.keep(*w.op("convert", [value], [(value.shape, to)]))


def _bitcast(w: Writer) -> None:
    value = w.pick(0, "i32 ui32 i8 ui8")
    if w.draw.random() < 0.5:
        to = {"i32": "ui32", "ui32": "i32", "i8": "ui8", "ui8": "i8"}[value.element]
        w.keep(*w.op("bitcast_convert", [value], [(value.shape, to)]))
    elif value.element.endswith("32"):
        w.keep(*w.op("bitcast_convert", [value], [((*value.shape, 4), "i8")]))


def _transpose(w: Writer) -> None:
    value = w.pick(1)
    order = w.draw.sample(range(len(value.shape)), len(value.shape))
    shape = [value.shape[d] for d in order]
    w.keep(*w.op("transpose", [value], [(shape, value.element)], f"permutation = {array(order)}"))


def _reshape(w: Writer) -> None:
    value = w.pick(1)
    shape = list[int]()
    for size in value.shape:
        factor = w.draw.choice([f for f in range(1, size + 1) if size % f == 0]) if size else 1
        how = w.draw.random()
        if how < 0.4 and shape:
            shape[-1] *= size
        elif how < 0.7:
            shape += [size // factor, factor] if w.draw.random() < 0.5 else [factor, size // factor]
        else:
            shape.append(size)
    w.keep(*w.op("reshape", [value], [(shape[:4] if len(shape) <= 4 else value.shape, value.element)]))


def _broadcast(w: Writer) -> None:
    value = w.pick()
    rank = len(value.shape) + w.draw.randint(0, 3 - min(3, len(value.shape)))
    dimensions = w.draw.sample(range(rank), len(value.shape))
    shape = [w.draw.choice(w.sizes) for _ in range(rank)]
    for d, size in zip(dimensions, value.shape, strict=True):
        shape[d] = size if size != 1 else shape[d]
    w.keep(*w.op("broadcast_in_dim", [value], [(shape, value.element)], f"broadcast_dimensions = {array(dimensions)}"))


def _iota(w: Writer) -> None:
    shape = (*w.shape(2), w.draw.choice(w.sizes))
    d = w.draw.randrange(len(shape))
    element = w.draw.choice(("i32", "f32", "ui8"))
    w.keep(*w.op("iota", [], [(shape, element)], f"iota_dimension = {d} : i64"))


def _reduce(w: Writer) -> None:
    value = w.pick(1)
    dimensions = w.some(value)
    shape = [size for d, size in enumerate(value.shape) if d not in dimensions]
    init = w.like((), value.element) if w.draw.random() < 0.5 else w.constant((), value.element)
    text = f"dimensions = {array(dimensions)}"
    if w.draw.random() < 0.2 and "complex" not in value.element:
        other = w.op("iota", [], [(value.shape, "i32")], f"iota_dimension = {w.dimension(value)} : i64")[0]
        scalar = f"tensor<{value.element}>"
        body = f"""^bb0(%p: {scalar}, %i: tensor<i32>, %q: {scalar}, %j: tensor<i32>):
          {compared(scalar, "%p", "%q", "GE")}
          %r = stablehlo.select %c, %p, %q : tensor<i1>, {scalar}
          %k = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>
          stablehlo.return %r, %k : {scalar}, tensor<i32>"""
        made = w.op(
            "reduce", [value, other, init, w.constant((), "i32")], [(shape, value.element), (shape, "i32")], text, body
        )
        return w.keep(*made)
    return w.keep(*w.op("reduce", [value, init], [(shape, value.element)], text, body_of(w, value.element)))


def _dot(w: Writer) -> None:
    left = w.pick(1)
    kinds = [w.draw.choice("bcf") for _ in left.shape]
    batch, summed = [[d for d, kind in enumerate(kinds) if kind == which] for which in "bc"]
    extra = [w.draw.choice(w.sizes) for _ in range(w.draw.randint(0, 2))]
    parts = (
        [(left.shape[d], ("b", d)) for d in batch]
        + [(left.shape[d], ("c", d)) for d in summed]
        + [(s, ("f", 0)) for s in extra]
    )
    w.draw.shuffle(parts)
    right = w.like([size for size, _ in parts], left.element)
    at = {what: d for d, (_, what) in enumerate(parts) if what[0] != "f"}
    shape = [left.shape[d] for d in batch] + [left.shape[d] for d, kind in enumerate(kinds) if kind == "f"]
    shape += [size for size, what in parts if what[0] == "f"]
    if len(shape) > 4:
        return
    text = f"""dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {batch}, rhs_batching_dimensions =
      {[at["b", d] for d in batch]}, lhs_contracting_dimensions = {summed}, rhs_contracting_dimensions =
      {[at["c", d] for d in summed]}>"""
    w.keep(*w.op("dot_general", [left, right], [(shape, left.element)], text))


def _concatenate(w: Writer) -> None:
    value = w.pick(1)
    d = w.dimension(value)
    other = list(value.shape)
    other[d] = w.draw.choice(w.sizes)
    shape = list(value.shape)
    shape[d] += other[d]
    if shape[d] <= 16:
        w.keep(
            *w.op(
                "concatenate", [value, w.like(other, value.element)], [(shape, value.element)], f"dimension = {d} : i64"
            )
        )


def _rest(w: Writer, size: int) -> int:
    """A small number; half of the time one that makes of `size` what most meshes cut."""
    return -size % 4 if w.draw.random() < 0.5 else w.draw.randint(0, 3)


def _slice(w: Writer) -> None:
    value = w.pick(1)
    boxes = list[tuple[int, int, int]]()
    for size in value.shape:
        start = w.draw.randint(0, size)
        count = w.draw.randint(0, size - start)
        box = (start, start + (count if w.draw.random() < 0.5 else count - count % 4), w.draw.randint(1, 2))
        boxes.append(box if w.draw.random() < 0.5 else (0, size, 1))
    shape = [-(-(limit - start) // stride) for start, limit, stride in boxes]
    if 0 in shape and 0 not in w.sizes:
        return
    starts, limits, strides = [[box[k] for box in boxes] for k in range(3)]
    text = f"start_indices = {array(starts)}, limit_indices = {array(limits)}, strides = {array(strides)}"
    w.keep(*w.op("slice", [value], [(shape, value.element)], text))


def _pad(w: Writer) -> None:
    value = w.pick(1)
    paddings = list[tuple[int, int, int]]()
    for size in value.shape:
        low, inner = w.draw.randint(-2, 4), w.draw.choice((0, 0, 0, 1, 2))
        high = _rest(w, low + size + max(size - 1, 0) * inner)
        paddings.append((low, high, inner) if w.draw.random() < 0.5 else (0, 0, 0))
    shape = [
        low + high + size + max(size - 1, 0) * inner
        for size, (low, high, inner) in zip(value.shape, paddings, strict=True)
    ]
    if min(shape) < (0 if 0 in w.sizes else 1):
        return
    low, high, inner = [array([each[k] for each in paddings]) for k in range(3)]
    text = f"edge_padding_low = {low}, edge_padding_high = {high}, interior_padding = {inner}"
    w.keep(*w.op("pad", [value, w.like((), value.element)], [(shape, value.element)], text))


def _reverse(w: Writer) -> None:
    value = w.pick(1)
    w.keep(*w.op("reverse", [value], [(value.shape, value.element)], f"dimensions = {array(w.some(value))}"))


def _sort(w: Writer) -> None:
    value = w.pick(1, "f32 f64 i32 i8 ui8 ui32 i1")
    values = [value, *[w.like(value.shape, w.draw.choice(("i32", "f32"))) for _ in range(w.draw.randint(0, 2))]]
    words = [f"%{letter}{n}: tensor<{one.element}>" for n, one in enumerate(values) for letter in "pq"]
    scalar = f"tensor<{value.element}>"
    body = f"""^bb0({", ".join(words)}):
      {compared(scalar, "%p0", "%q0", "LT")}
      stablehlo.return %c : tensor<i1>"""
    text = f"dimension = {w.dimension(value)} : i64, is_stable = true"
    w.keep(*w.op("sort", values, [(one.shape, one.element) for one in values], text, body))


def _dynamic_slice(w: Writer) -> None:
    value = w.pick(1)
    sizes = [size if w.draw.random() < 0.5 else w.draw.randint(min(size, 1), size) for size in value.shape]
    starts = [w.index() for _ in sizes]
    part = w.op("dynamic_slice", [value, *starts], [(sizes, value.element)], f"slice_sizes = {array(sizes)}")[0]
    if w.draw.random() < 0.5:
        other = w.like(value.shape, value.element)
        w.keep(
            *w.op("dynamic_update_slice", [other, part, *[w.index() for _ in sizes]], [(value.shape, value.element)])
        )
    w.keep(part)


def _reduce_window(w: Writer) -> None:
    value = w.pick(1, "f32 f64 i32 i8 ui8")
    scattered = w.draw.random() < 0.3
    lists, shape = list[list[int]](), list[int]()
    for size in value.shape:
        window, stride = w.draw.choice(((3, 1), (2, 2), (w.draw.randint(1, 6), w.draw.randint(1, 3))))
        apart, base = (1, 1) if scattered else (w.draw.choice((1, 1, 2)), w.draw.choice((1, 1, 1, 2)))
        if w.draw.random() < 0.5:
            window = stride = apart = base = 1
        low = w.draw.randint(0, 2) if window > 1 else 0
        whole = low + (size - 1) * base - (window - 1) * apart + stride
        high = _rest(w, whole) * stride if window > 1 else 0
        lists.append([window, stride, apart, base, low, high])
        shape.append((whole + high) // stride)
    if 0 in value.shape or min(shape) < 1 or max(shape) > 24:
        return
    padding = nested([str(each[k]) for each in lists for k in (4, 5)], [len(lists), 2])
    sizes, strides, apart, base = [array([each[k] for each in lists]) for k in range(4)]
    text = f"""window_dimensions = {sizes}, window_strides = {strides},
      padding = dense<{padding}> : tensor<{len(lists)}x2xi64>"""
    init = w.constant((), value.element)
    if scattered:
        source = w.like(shape, value.element)
        scalar = f"tensor<{value.element}>"
        select = f"""^bb0(%p: {scalar}, %q: {scalar}):
          {compared(scalar, "%p", "%q", "GE")}
          stablehlo.return %c : tensor<i1>"""
        w.keep(
            *w.op(
                "select_and_scatter",
                [value, source, init],
                [(value.shape, value.element)],
                text,
                f"{select}\n}}, {{\n{body_of(w, value.element, ['add'])}",
            )
        )
    else:
        text += f", window_dilations = {apart}, base_dilations = {base}"
        w.keep(*w.op("reduce_window", [value, init], [(shape, value.element)], text, body_of(w, value.element)))


def _convolution(w: Writer) -> None:
    groups, batches = w.draw.choice(((1, 1), (1, 1), (2, 1), (1, 2)))
    n, c, s, k, o = (
        batches * w.draw.choice((1, 2, 4)),
        groups * w.draw.choice((1, 2, 4)),
        w.draw.choice((3, 4, 8, 8, 12)),
        w.draw.choice((1, 2, 3, 5)),
        2 * w.draw.choice((1, 2, 4)),
    )
    stride, apart, base, low = [w.draw.choice(one) for one in ((1, 1, 2), (1, 1, 2), (1, 1, 2), (0, 1, 2))]
    whole = low + (s - 1) * base - (k - 1) * apart + stride
    high = _rest(w, whole) * stride
    if whole + high < stride:
        return
    element = w.draw.choice(("f32", "i32"))
    left, right = w.like((n, s, c), element), w.like((k, c // groups, o), element)
    text = f"""dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
      feature_group_count = {groups} : i64, batch_group_count = {batches} : i64,
      padding = dense<[[{low}, {high}]]> : tensor<1x2xi64>, window_strides = {array([stride])},
      lhs_dilation = {array([base])}, rhs_dilation = {array([apart])}"""
    w.keep(*w.op("convolution", [left, right], [((n // batches, (whole + high) // stride, o), element)], text))


def _normalize(w: Writer) -> None:
    value = w.pick(1, "f32 f64")
    feature = w.dimension(value)
    if 0 in value.shape:
        return
    shape = (value.shape[feature],)
    scales = [w.like(shape, value.element) for _ in range(2)]
    text = f"epsilon = 1.0 : f32, feature_index = {feature} : i64"
    if w.draw.random() < 0.5:
        made = w.op(
            "batch_norm_training", [value, *scales], [(value.shape, value.element), *[(shape, value.element)] * 2], text
        )
    else:
        ones = [w.constant(shape, value.element, 1) for _ in range(2)]
        made = w.op("batch_norm_inference", [value, *scales, *ones], [(value.shape, value.element)], text)
    w.keep(*made[:1])


def _linear_algebra(w: Writer) -> None:
    batch, n = w.draw.choice((1, 2, 4, 6)), w.draw.choice((1, 2, 4))
    rows, columns = [w.op("iota", [], [((batch, n, n), "i32")], f"iota_dimension = {d} : i64")[0] for d in (1, 2)]
    same = w.op(
        "compare",
        [rows, columns],
        [((batch, n, n), "i1")],
        "comparison_direction = #stablehlo<comparison_direction EQ>",
    )[0]
    diagonal = w.op(
        "select",
        [same, w.constant((batch, n, n), "f32", 4), w.constant((batch, n, n), "f32", 0)],
        [((batch, n, n), "f32")],
    )[0]
    if w.draw.random() < 0.5:
        w.keep(*w.op("cholesky", [diagonal], [((batch, n, n), "f32")], "lower = true"))
    else:
        text = "left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>"
        right = w.like((batch, n, 2), "f32")
        w.keep(*w.op("triangular_solve", [diagonal, right], [((batch, n, 2), "f32")], text))


def _fft(w: Writer) -> None:
    value = w.pick(1, "complex<f32>")
    if 0 in value.shape:
        return
    count = w.draw.randint(1, min(2, len(value.shape)))
    text = f"fft_type = #stablehlo<fft_type FFT>, fft_length = {array(value.shape[-count:])}"
    w.keep(*w.op("fft", [value], [(value.shape, value.element)], text))


def _random_bits(w: Writer) -> None:
    shape = (w.draw.choice(SIZES), *w.shape(1))
    state = w.constant((2,), "ui64", 1)
    made = w.op(
        "rng_bit_generator",
        [state],
        [((2,), "ui64"), (shape, "ui32")],
        "rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>",
    )
    w.keep(made[1])


def _barrier(w: Writer) -> None:
    values = [w.pick() for _ in range(w.draw.randint(1, 3))]
    w.keep(*w.op("optimization_barrier", values, [(value.shape, value.element) for value in values]))


def _map(w: Writer) -> None:
    value = w.pick()
    other = w.like(value.shape, value.element)
    dimensions = array(range(len(value.shape)))
    w.keep(
        *w.op(
            "map",
            [value, other],
            [(value.shape, value.element)],
            f"dimensions = {dimensions}",
            body_of(w, value.element),
        )
    )


SIMPLE: tuple[Callable[[Writer], None], ...] = (
    *(unary, _binary, _binary, _compare, _select, _convert, _bitcast, _transpose, _reshape, _broadcast, _iota),
    *(
        _reduce,
        _reduce,
        _reduce,
        _reduce,
        _reduce,
        _dot,
        _dot,
        _dot,
        _concatenate,
        _slice,
        _pad,
        _reverse,
        _sort,
        _dynamic_slice,
        gather,
        gather,
        scatter,
        scatter,
        scatter,
    ),
    *(_slice, _pad, _reverse, _concatenate, _reduce_window, _reduce_window, _convolution),
    *(_reduce_window, _convolution, _normalize, _linear_algebra, _fft, _random_bits, _barrier, _map),
)
