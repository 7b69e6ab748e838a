"""Ops of random sharded programs: each function draws one, with operands of the program, and writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sharded_writer import ELEMENTS, SIZES, Value, Writer, nested


def _compared(scalar: str, one: str, other: str, direction: str, name: str = "%c") -> str:
    attribute = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    return f'{name} = "stablehlo.compare"({one}, {other}) {{{attribute}}} : ({scalar}, {scalar}) -> tensor<i1>'


def _array(values: Sequence[int]) -> str:
    return f"array<i64{': ' * bool(values)}{', '.join(map(str, values))}>"


def _binaries(element: str) -> tuple[str, ...]:
    if element == "i1":
        return ("and", "or", "xor", "add", "multiply", "maximum", "minimum")
    if element.startswith("complex"):
        return ("add", "multiply", "subtract")
    both = ("add", "multiply", "maximum", "minimum", "subtract")
    return both if "f" in element else (*both, "and", "or", "xor")


def _body(w: Writer, element: str, kinds: Sequence[str] = ()) -> str:
    """The body of a reduction: one op, its operands in either order, another function of them, or the second."""
    kind = w.draw.choice([one for one in kinds or _binaries(element) if kinds or one != "subtract"])
    scalar = f"tensor<{element}>"
    head = f"^bb0(%p: {scalar}, %q: {scalar}):\n"
    how = w.draw.random()
    one, two = ("%p", "%q") if how < 0.7 else ("%q", "%p")
    lines = f"%r = stablehlo.{kind} {one}, {two} : {scalar}\n"
    if how > 0.92:
        lines = f"%s = stablehlo.{kind} %q, %q : {scalar}\n%r = stablehlo.{kind} %p, %s : {scalar}\n"
    return f"{head}{lines}stablehlo.return %r : {scalar}"


def _unary(w: Writer) -> None:
    value = w.pick()
    names = {"i1": ("not",), "complex<f32>": ("negate",)}.get(
        value.element, ("negate", "abs", "tanh", "cosine") if "f" in value.element else ("negate", "not", "popcnt")
    )
    w.keep(*w.op(w.draw.choice(names), [value], [(value.shape, value.element)]))


def _binary(w: Writer) -> None:
    value = w.pick()
    other = w.like(value.shape, value.element)
    w.keep(*w.op(w.draw.choice(_binaries(value.element)), [value, other], [(value.shape, value.element)]))


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
    w.keep(*w.op("transpose", [value], [(shape, value.element)], f"permutation = {_array(order)}"))


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
    w.keep(*w.op("broadcast_in_dim", [value], [(shape, value.element)], f"broadcast_dimensions = {_array(dimensions)}"))


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
    text = f"dimensions = {_array(dimensions)}"
    if w.draw.random() < 0.2 and "complex" not in value.element:
        other = w.op("iota", [], [(value.shape, "i32")], f"iota_dimension = {w.dimension(value)} : i64")[0]
        scalar = f"tensor<{value.element}>"
        body = f"""^bb0(%p: {scalar}, %i: tensor<i32>, %q: {scalar}, %j: tensor<i32>):
          {_compared(scalar, "%p", "%q", "GE")}
          %r = stablehlo.select %c, %p, %q : tensor<i1>, {scalar}
          %k = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>
          stablehlo.return %r, %k : {scalar}, tensor<i32>"""
        made = w.op(
            "reduce", [value, other, init, w.constant((), "i32")], [(shape, value.element), (shape, "i32")], text, body
        )
        return w.keep(*made)
    return w.keep(*w.op("reduce", [value, init], [(shape, value.element)], text, _body(w, value.element)))


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


def _slice(w: Writer) -> None:
    value = w.pick(1)
    boxes = list[tuple[int, int, int]]()
    for size in value.shape:
        start = w.draw.randint(0, size)
        box = (start, w.draw.randint(start, size), w.draw.randint(1, 2))
        boxes.append(box if w.draw.random() < 0.5 else (0, size, 1))
    shape = [-(-(limit - start) // stride) for start, limit, stride in boxes]
    if 0 in shape and 0 not in w.sizes:
        return
    starts, limits, strides = [[box[k] for box in boxes] for k in range(3)]
    text = f"start_indices = {_array(starts)}, limit_indices = {_array(limits)}, strides = {_array(strides)}"
    w.keep(*w.op("slice", [value], [(shape, value.element)], text))


def _pad(w: Writer) -> None:
    value = w.pick(1)
    paddings = [
        (w.draw.randint(-1, 2), w.draw.randint(0, 2), w.draw.randint(0, 1)) if w.draw.random() < 0.5 else (0, 0, 0)
        for _ in value.shape
    ]
    shape = [
        low + high + size + max(size - 1, 0) * inner
        for size, (low, high, inner) in zip(value.shape, paddings, strict=True)
    ]
    if min(shape) < (0 if 0 in w.sizes else 1):
        return
    low, high, inner = [_array([each[k] for each in paddings]) for k in range(3)]
    text = f"edge_padding_low = {low}, edge_padding_high = {high}, interior_padding = {inner}"
    w.keep(*w.op("pad", [value, w.like((), value.element)], [(shape, value.element)], text))


def _reverse(w: Writer) -> None:
    value = w.pick(1)
    w.keep(*w.op("reverse", [value], [(value.shape, value.element)], f"dimensions = {_array(w.some(value))}"))


def _sort(w: Writer) -> None:
    value = w.pick(1, "f32 f64 i32 i8 ui8 ui32 i1")
    values = [value, *[w.like(value.shape, w.draw.choice(("i32", "f32"))) for _ in range(w.draw.randint(0, 2))]]
    words = [f"%{letter}{n}: tensor<{one.element}>" for n, one in enumerate(values) for letter in "pq"]
    scalar = f"tensor<{value.element}>"
    body = f"""^bb0({", ".join(words)}):
      {_compared(scalar, "%p0", "%q0", "LT")}
      stablehlo.return %c : tensor<i1>"""
    text = f"dimension = {w.dimension(value)} : i64, is_stable = true"
    w.keep(*w.op("sort", values, [(one.shape, one.element) for one in values], text, body))


def _dynamic_slice(w: Writer) -> None:
    value = w.pick(1)
    sizes = [size if w.draw.random() < 0.5 else w.draw.randint(min(size, 1), size) for size in value.shape]
    starts = [w.index() for _ in sizes]
    part = w.op("dynamic_slice", [value, *starts], [(sizes, value.element)], f"slice_sizes = {_array(sizes)}")[0]
    if w.draw.random() < 0.5:
        other = w.like(value.shape, value.element)
        w.keep(
            *w.op("dynamic_update_slice", [other, part, *[w.index() for _ in sizes]], [(value.shape, value.element)])
        )
    w.keep(part)


class _Addressing(NamedTuple):
    """How a gather reads, and a scatter writes: dimensions of the operand, of the indices and of the windows."""

    indices: Value
    windows: list[int]
    batch: list[int]
    order: list[int]
    sizes: list[int]
    batch_at: list[int]
    vector: int
    batch_shape: list[int]


def _addressing(w: Writer, value: Value) -> _Addressing:
    rank = len(value.shape)
    kinds = [w.draw.choices(("window", "full", "collapsed", "batch"), (2, 3, 3, 2))[0] for _ in range(rank)]
    batch = [d for d in range(rank) if kinds[d] == "batch"]
    indexed = [d for d in range(rank) if d not in batch and (kinds[d] != "full" or w.draw.random() < 0.3)]
    w.draw.shuffle(indexed)
    sizes = [
        1
        if kinds[d] in ("collapsed", "batch")
        else value.shape[d]
        if kinds[d] == "full"
        else w.draw.randint(min(1, value.shape[d]), value.shape[d])
        for d in range(rank)
    ]
    shape = [value.shape[d] for d in batch] + [w.draw.choice(w.sizes) for _ in range(w.draw.randint(0, 2))]
    order = w.draw.sample(range(len(shape)), len(shape))
    mixed = [shape[d] for d in order]
    vector = w.draw.randint(0, len(mixed))
    places = [order.index(k) for k in range(len(batch))]
    implicit = len(indexed) == 1 and w.draw.random() < 0.3
    if implicit:
        vector, full = len(mixed), mixed
    else:
        full = [*mixed[:vector], len(indexed), *mixed[vector:]]
    at = [place + (place >= vector) for place in places]
    indices = w.constant(full, "i32") if w.draw.random() < 0.6 else w.like(full, "i32")
    windows = [d for d in range(rank) if kinds[d] in ("window", "full")]
    return _Addressing(indices, windows, batch, indexed, sizes, at, vector, mixed)


def _window_places(w: Writer, how: _Addressing) -> tuple[list[int], list[int]]:
    """Where the windows' dimensions are in a result or in updates, and its shape."""
    rank = len(how.windows) + len(how.batch_shape)
    places = sorted(w.draw.sample(range(rank), len(how.windows)))
    windows, others = iter(how.sizes[d] for d in how.windows), iter(how.batch_shape)
    return places, [next(windows) if d in places else next(others) for d in range(rank)]


def _gather(w: Writer) -> None:
    value = w.pick(1)
    how = _addressing(w, value)
    places, shape = _window_places(w, how)
    collapsed = [d for d in range(len(value.shape)) if d not in how.windows and d not in how.batch]
    if 0 in [value.shape[d] for d in (*collapsed, *how.batch)]:
        return
    text = f"""dimension_numbers = #stablehlo.gather<offset_dims = {places}, collapsed_slice_dims = {collapsed},
      operand_batching_dims = {how.batch}, start_indices_batching_dims = {how.batch_at}, start_index_map = {how.order},
      index_vector_dim = {how.vector}>, slice_sizes = {_array(how.sizes)}"""
    w.keep(*w.op("gather", [value, how.indices], [(shape, value.element)], text))


def _scatter(w: Writer) -> None:
    value = w.pick(1)
    how = _addressing(w, value)
    places, shape = _window_places(w, how)
    inserted = [d for d in range(len(value.shape)) if d not in how.windows and d not in how.batch]
    text = f"""scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {places},
      inserted_window_dims = {inserted}, input_batching_dims = {how.batch},
      scatter_indices_batching_dims = {how.batch_at}, scatter_dims_to_operand_dims = {how.order},
      index_vector_dim = {how.vector}>"""
    scalar = f"tensor<{value.element}>"
    body = _body(w, value.element)
    if w.draw.random() < 0.25:
        body = f"^bb0(%p: {scalar}, %q: {scalar}):\nstablehlo.return %q : {scalar}"
    updates = w.like(shape, value.element)
    w.keep(*w.op("scatter", [value, how.indices, updates], [(value.shape, value.element)], text, body))


def _reduce_window(w: Writer) -> None:
    value = w.pick(1, "f32 f64 i32 i8 ui8")
    lists = [
        [w.draw.randint(1, 3), w.draw.randint(1, 2), w.draw.randint(0, 1), w.draw.randint(0, 2)]
        if w.draw.random() < 0.5
        else [1, 1, 0, 0]
        for _ in value.shape
    ]
    shape = [
        (size + low + high - window) // stride + 1
        for size, (window, stride, low, high) in zip(value.shape, lists, strict=True)
    ]
    if 0 in value.shape or min(shape) < 1:
        return
    padding = nested([str(each[k]) for each in lists for k in (2, 3)], [len(lists), 2])
    sizes, strides = [_array([each[k] for each in lists]) for k in range(2)]
    text = f"""window_dimensions = {sizes}, window_strides = {strides},
      padding = dense<{padding}> : tensor<{len(lists)}x2xi64>"""
    init = w.constant((), value.element)
    if w.draw.random() < 0.3:
        source = w.like(shape, value.element)
        scalar = f"tensor<{value.element}>"
        select = f"""^bb0(%p: {scalar}, %q: {scalar}):
          {_compared(scalar, "%p", "%q", "GE")}
          stablehlo.return %c : tensor<i1>"""
        w.keep(
            *w.op(
                "select_and_scatter",
                [value, source, init],
                [(value.shape, value.element)],
                text,
                f"{select}\n}}, {{\n{_body(w, value.element, ['add'])}",
            )
        )
    else:
        w.keep(*w.op("reduce_window", [value, init], [(shape, value.element)], text, _body(w, value.element)))


def _convolution(w: Writer) -> None:
    groups, batches = w.draw.choice(((1, 1), (1, 1), (2, 1), (1, 2)))
    n, c, s, k, o = (
        batches * w.draw.choice((1, 2, 4)),
        groups * w.draw.choice((1, 2, 4)),
        w.draw.choice((3, 4, 8)),
        w.draw.choice((1, 3)),
        2 * w.draw.choice((1, 2, 4)),
    )
    element = w.draw.choice(("f32", "i32"))
    left, right = w.like((n, s, c), element), w.like((k, c // groups, o), element)
    text = f"""dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
      feature_group_count = {groups} : i64, batch_group_count = {batches} : i64,
      padding = dense<{w.draw.choice((0, 1))}> : tensor<1x2xi64>"""
    pad = 1 if "dense<1>" in text else 0
    w.keep(*w.op("convolution", [left, right], [((n // batches, s + 2 * pad - k + 1, o), element)], text))


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
    text = f"fft_type = #stablehlo<fft_type FFT>, fft_length = {_array(value.shape[-count:])}"
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
    dimensions = _array(range(len(value.shape)))
    w.keep(
        *w.op(
            "map", [value, other], [(value.shape, value.element)], f"dimensions = {dimensions}", _body(w, value.element)
        )
    )


def _constraint(w: Writer) -> None:
    value = w.pick(1)
    made = Value(w.name(), value.shape, value.element)
    w.lines.append(
        f"{made.name} = sdy.sharding_constraint {value.name} {w.sharding(value.shape, is_open=True)} : {value.type}"
    )
    w.values.append(made)


def _inner(w: Writer, values: Sequence[Value], wanted: Sequence[Value]) -> str:
    """A block's ops that use `values` and others, and end with values of the types of `wanted`."""
    outer_lines, outer_values = w.lines, w.values
    w.lines, w.values = [], [*outer_values, *values]
    for _ in range(w.draw.randint(0, 3)):
        w.draw.choice(SIMPLE)(w)
    mine = w.values[len(outer_values) :]
    ends = list[Value]()
    for one in wanted:
        same = [v for v in mine if v[1:] == one[1:]] or [v for v in w.values if v[1:] == one[1:]]
        ends.append(w.draw.choice(same) if same else w.constant(one.shape, one.element))
    words = ", ".join(one.name for one in ends), ", ".join(one.type for one in ends)
    text = "\n".join([*w.lines, f"stablehlo.return {words[0]} : {words[1]}"])
    w.lines, w.values = outer_lines, outer_values
    return text


def write_while(w: Writer) -> None:
    start = w.constant((), "i32", 0)
    first = w.pick(1)
    carried = [start, first, w.like(first.shape, first.element), *([w.pick()] if w.draw.random() < 0.5 else [])]
    heads = [
        "".join(f", {name}: {one.type}" for name, one in zip(names, carried, strict=True))[2:]
        for names in [[w.name() for _ in carried] for _ in range(2)]
    ]
    counters = [head.partition(":")[0] for head in heads]
    limit, one, pred, next_ = [w.name() for _ in range(4)]
    cond = f"""^bb0({heads[0]}):
      {limit} = stablehlo.constant dense<{w.draw.randint(0, 3)}> : tensor<i32>
      {_compared("tensor<i32>", counters[0], limit, "LT", pred)}
      stablehlo.return {pred} : tensor<i1>"""
    inside = [
        Value(word.partition(":")[0], one_.shape, one_.element)
        for word, one_ in zip(heads[1].split(", "), carried, strict=True)
    ]
    head, _, last = f"\n{_inner(w, inside, carried[1:])}".rpartition("\n")
    last = last.replace("return ", f"return {next_}, ", 1).replace(" : ", " : tensor<i32>, ", 1)
    body = f"""^bb0({heads[1]}):
      {one} = stablehlo.constant dense<1> : tensor<i32>
      {next_} = stablehlo.add {counters[1]}, {one} : tensor<i32>
      {head}
      {last}"""
    made = w.op("while", carried, [(one_.shape, one_.element) for one_ in carried], "", f"{cond}\n}}, {{\n{body}")
    w.keep(*made[1:])


def write_branch(w: Writer) -> None:
    wanted = [w.pick() for _ in range(w.draw.randint(1, 2))]
    count = w.draw.randint(2, 3)
    name, chosen = ("if", w.like((), "i1")) if count == 2 else ("case", w.index())
    regions = "\n}, {\n".join(_inner(w, [], wanted) for _ in range(count))
    w.keep(*w.op(name, [chosen], [(one.shape, one.element) for one in wanted], "", regions))


SIMPLE: tuple[Callable[[Writer], None], ...] = (
    *(_unary, _binary, _binary, _compare, _select, _convert, _bitcast, _transpose, _reshape, _broadcast, _iota),
    *(_reduce, _reduce, _dot, _dot, _concatenate, _slice, _pad, _reverse, _sort, _dynamic_slice, _gather, _scatter),
    *(_reduce_window, _convolution, _normalize, _linear_algebra, _fft, _random_bits, _barrier, _map, _constraint),
)
