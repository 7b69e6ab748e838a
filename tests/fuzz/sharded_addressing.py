"""Gathers and scatters of random sharded programs."""

from __future__ import annotations

from typing import NamedTuple

from sharded_writer import Value, Writer, array, body_of


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


def gather(w: Writer) -> None:
    value = w.pick(1)
    how = _addressing(w, value)
    places, shape = _window_places(w, how)
    collapsed = [d for d in range(len(value.shape)) if d not in how.windows and d not in how.batch]
    if 0 in [value.shape[d] for d in (*collapsed, *how.batch)]:
        return
    text = f"""dimension_numbers = #stablehlo.gather<offset_dims = {places}, collapsed_slice_dims = {collapsed},
      operand_batching_dims = {how.batch}, start_indices_batching_dims = {how.batch_at}, start_index_map = {how.order},
      index_vector_dim = {how.vector}>, slice_sizes = {array(how.sizes)}"""
    w.keep(*w.op("gather", [value, how.indices], [(shape, value.element)], text))


def scatter(w: Writer) -> None:
    value = w.pick(1)
    how = _addressing(w, value)
    places, shape = _window_places(w, how)
    inserted = [d for d in range(len(value.shape)) if d not in how.windows and d not in how.batch]
    text = f"""scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {places},
      inserted_window_dims = {inserted}, input_batching_dims = {how.batch},
      scatter_indices_batching_dims = {how.batch_at}, scatter_dims_to_operand_dims = {how.order},
      index_vector_dim = {how.vector}>"""
    scalar = f"tensor<{value.element}>"
    body = body_of(w, value.element)
    if w.draw.random() < 0.25:
        body = f"^bb0(%p: {scalar}, %q: {scalar}):\nstablehlo.return %q : {scalar}"
    updates = w.like(shape, value.element)
    w.keep(*w.op("scatter", [value, how.indices, updates], [(value.shape, value.element)], text, body))
