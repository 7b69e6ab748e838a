"""Drawn scatters and gathers of all layouts: accelerators give the bits of the definitions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from bits import assert_same_bits
from test_edges_of_accelerators import programs

from stablehlo_py.bindings.types import element_type

TYPES = ["f32", "f32", "f64", "bf16", "f8E4M3FN", "complex<f32>", "i1", "i4", "i8", "ui8", "i64"]
INDICES = ["i32", "i32", "i64", "ui64", "i8", "ui8"]


@dataclass
class Layout:
    """Roles of the operand's dimensions, and where those of the indices and of the windows are."""

    shape: list[int]
    sizes: list[int]
    """Of a window, ones for what it lacks."""
    lacking: list[int]
    batching: list[int]
    batches: list[int]
    """The dimensions of the indices for `batching`."""
    order: list[int]
    """The operand's dimension of each component of an index."""
    indices: list[int]
    vector: int
    offsets: list[int]
    result: list[int]


def drawn(choose: random.Random, *, rows: bool, many: bool) -> Layout:
    """A layout; of one component whose dimension windows lack, and that are whole elsewhere, if `rows`."""
    rank = choose.choice([2, 3, 3, 3] if many else [1, 2, 2, 3])
    shape = [choose.choice([1, 2, 3, 4]) for _ in range(rank)]
    roles = ["lacking" if d == choose.randrange(rank) or choose.random() < 0.3 else "window" for d in range(rank)]
    if rows:
        axis = choose.randrange(rank)
        roles = ["lacking" if d == axis else "window" for d in range(rank)]
    batch_of_one = rows and rank > 1 and choose.random() < 0.3
    if (choose.random() < (0.5 if many else 0.3) and not rows) or batch_of_one:
        place = choose.choice([d for d in range(rank) if not rows or roles[d] == "window"])
        roles[place], shape[place] = "batching", 1 if rows else shape[place]
    lacking, batching, windows = [
        [d for d in range(rank) if roles[d] == role] for role in ("lacking", "batching", "window")
    ]
    sizes = [
        shape[d] if d in windows and choose.random() < (1 if rows else 0.8 if many else 0.5) else 1 for d in range(rank)
    ]
    sizes = [
        choose.randint(1, size) if size > 1 and not rows and choose.random() < (0.1 if many else 0.3) else size
        for size in sizes
    ]
    order = lacking if rows else [d for d in range(rank) if d not in batching and choose.random() < 0.7]
    choose.shuffle(order)
    groups = [choose.choice([1, 2, 3]) for _ in range(choose.randrange(3))]
    if many:
        groups.insert(choose.randrange(len(groups) + 1), choose.choice([64, 85, 128, 255, 256, 257]))
    groups = [*groups, *[shape[d] for d in batching]]
    places = list(range(len(groups)))
    choose.shuffle(places)
    batch = [groups[place] for place in places]
    batches = [places.index(len(groups) - len(batching) + number) for number in range(len(batching))]
    vector = choose.randint(0, len(batch))
    indices = [*batch[:vector], len(order), *batch[vector:]]
    if len(order) == 1 and choose.random() < 0.3:
        vector, indices = len(batch), batch
    batches = [place + (place >= vector) for place in batches]
    total = len(batch) + len(windows)
    offsets = sorted(choose.sample(range(total), len(windows)))
    parts = iter([sizes[d] for d in windows]), iter(batch)
    result = [next(parts[d not in offsets]) for d in range(total)]
    return Layout(shape, sizes, lacking, batching, batches, order, indices, vector, offsets, result)


def tensor(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def pool(choose: random.Random, element: str) -> list[float]:
    """The numbers of a case: small ones, zeros of both signs, and a few that overflow or are NaN."""
    special = [] if "i" in element else [-0.0, 0.0, float("nan"), float("inf"), 300.0]
    return [-0.0, 0.0] if special and choose.random() < 0.3 else [*special, *range(0 if element[0] == "u" else -4, 6)]


def numbers(choose: random.Random, shape: Sequence[int], element: str, of: list[float]) -> np.ndarray:
    values = [choose.choice(of) for _ in range(int(np.prod(shape)))]
    dtype = element_type(element).dtype
    return np.array([value % 2 if element == "i1" else value for value in values]).reshape(shape).astype(dtype)


def places(choose: random.Random, layout: Layout, element: str) -> np.ndarray:
    """Index vectors, some of them out of bounds."""
    dtype = element_type(element).dtype
    low = 0 if element[0] == "u" else -1
    far = [int(np.iinfo(dtype).max), int(np.iinfo(dtype).min)] if choose.random() < 0.2 else []
    most = max([layout.shape[d] - layout.sizes[d] for d in layout.order], default=0)
    inside = choose.random() < 0.4
    near = (
        range(min(layout.shape[d] - layout.sizes[d] for d in layout.order) + 1)
        if inside and layout.order
        else range(low, most + 2)
    )
    chosen = [choose.choice([*near, *([] if inside else far)]) for _ in range(int(np.prod(layout.indices)))]
    return np.array(chosen, dtype).reshape(layout.indices)


ONE = {
    "the last": "stablehlo.return %b : T",
    "the first": "stablehlo.return %a : T",
    "a sum": "%c = stablehlo.add %a, %b : T\nstablehlo.return %c : T",
    "a product": "%c = stablehlo.multiply %b, %a : T\nstablehlo.return %c : T",
    "the largest": "%c = stablehlo.maximum %a, %b : T\nstablehlo.return %c : T",
    "a difference": "%c = stablehlo.subtract %b, %a : T\nstablehlo.return %c : T",
    "a constant": "%c = stablehlo.constant dense<1> : T\nstablehlo.return %c : T",
}
TWO = {
    "the last": "stablehlo.return %b, %q : T, T",
    "the last, exchanged": "stablehlo.return %q, %b : T, T",
    "the first and the last": "stablehlo.return %a, %q : T, T",
    "sums": "%c = stablehlo.add %a, %b : T\n%d = stablehlo.add %p, %c : T\nstablehlo.return %c, %d : T, T",
}


def scatter(choose: random.Random, *, many: bool) -> tuple[str, list[np.ndarray]]:
    layout, element, index = drawn(choose, rows=False, many=many), choose.choice(TYPES), choose.choice(INDICES)
    pair = choose.random() < 0.25
    body = choose.choice([*(TWO if pair else ONE).items()])[1]
    if element in ("i1", "complex<f32>"):
        body = body.replace("subtract", "add").replace("maximum", "add" if "complex" in element else "maximum")
    body = body.replace(
        "dense<1>",
        f"dense<{ {'i1': 'true', 'complex<f32>': '(1.0, 0.0)'}.get(element, '1' if 'i' in element else '1.0') }>",
    )
    scalar, whole, part = tensor([], element), tensor(layout.shape, element), tensor(layout.result, element)
    count, at = 1 + pair, tensor(layout.indices, index)
    arguments = [("x", whole), ("y", whole)][:count] + [("i", at)] + [("u", part), ("v", part)][:count]
    inner = ["a", "p"][:count] + ["b", "q"][:count]
    operands = ", ".join(f"%{name}" for name, _ in arguments)
    results = ", ".join([whole] * count)
    text = f"""func.func @main({", ".join(f"%{name}: {type_}" for name, type_ in arguments)}) -> ({results}) {{
  %r{":2" if pair else ""} = "stablehlo.scatter"({operands}) ({{
    ^bb0({", ".join(f"%{name}: {scalar}" for name in inner)}):
      {body.replace(": T", f": {scalar}").replace(", T", f", {scalar}")}
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {layout.offsets},
      inserted_window_dims = {layout.lacking}, input_batching_dims = {layout.batching},
      scatter_indices_batching_dims = {layout.batches}, scatter_dims_to_operand_dims = {layout.order},
      index_vector_dim = {layout.vector}>}} : ({", ".join(type_ for _, type_ in arguments)}) -> ({results})
  return {"%r#0, %r#1" if pair else "%r"} : {results}
}}"""
    of = pool(choose, element)
    wholes = [numbers(choose, layout.shape, element, of) for _ in range(count)]
    parts = [numbers(choose, layout.result, element, of) for _ in range(count)]
    return text, [*wholes, places(choose, layout, index), *parts]


def gather(choose: random.Random, *, rows: bool) -> tuple[str, list[np.ndarray]]:
    layout, element, index = drawn(choose, rows=rows, many=False), choose.choice(TYPES), choose.choice(INDICES)
    types = tensor(layout.shape, element), tensor(layout.indices, index), tensor(layout.result, element)
    text = f"""func.func @main(%x: {types[0]}, %i: {types[1]}) -> {types[2]} {{
  %r = "stablehlo.gather"(%x, %i) {{dimension_numbers = #stablehlo.gather<offset_dims = {layout.offsets},
      collapsed_slice_dims = {layout.lacking}, operand_batching_dims = {layout.batching},
      start_indices_batching_dims = {layout.batches}, start_index_map = {layout.order},
      index_vector_dim = {layout.vector}>, slice_sizes = array<i64: {", ".join(map(str, layout.sizes))}>}}
    : ({types[0]}, {types[1]}) -> {types[2]}
  return %r : {types[2]}
}}"""
    return text, [numbers(choose, layout.shape, element, pool(choose, element)), places(choose, layout, index)]


def assert_agree(text: str, arguments: list[np.ndarray]) -> None:
    plain, fast = programs(text)
    expected, before = plain.run(arguments), [argument.tobytes() for argument in arguments]
    for _ in range(2):
        for found, result in zip(fast.run(arguments), expected, strict=True):
            assert_same_bits(found, result, f"{arguments} of\n{text}")
    assert [argument.tobytes() for argument in arguments] == before, f"an argument of\n{text} changed"


@pytest.mark.parametrize("seed", range(12))
def test_scatters(seed: int) -> None:
    choose = random.Random(seed)
    for number in range(20):
        assert_agree(*scatter(choose, many=number % 3 == 0))


@pytest.mark.parametrize("seed", range(4))
def test_gathers(seed: int) -> None:
    choose = random.Random(seed)
    for number in range(12):
        assert_agree(*gather(choose, rows=number % 3 > 0))


EXTREMES = """func.func @main(%x: tensor<49xT>, %u: tensor<49xT>) -> tensor<49xT> {
  %i = stablehlo.iota dim = 0 : tensor<49x1xi32>
  %r = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<T>, %b: tensor<T>):
      %c = stablehlo.OP %a, %b : tensor<T>
      stablehlo.return %c : tensor<T>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<49xT>, tensor<49x1xi32>, tensor<49xT>) -> tensor<49xT>
  return %r : tensor<49xT>
}"""


@pytest.mark.parametrize("op", ["maximum", "minimum", "add", "multiply"])
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64", "f8E5M2", "complex<f32>"])
def test_each_pair_of_special_values(element: str, op: str) -> None:
    values = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1, -2], np.float32)
    if element.startswith("complex"):  # the sign of the NaN that a product of parts gives is left open
        values[2:5] = [3, 5, -7]
    pairs = [side.ravel().astype(element_type(element).dtype) for side in np.meshgrid(values, values)]
    assert_agree(EXTREMES.replace("OP", op).replace("<T>", f"<{element}>").replace("xT>", f"x{element}>"), pairs)
