"""Programs that move and convert elements, at the edges of the patterns; see `programs_at_edges`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

from programs_at_edges import ELEMENTS, SHAPES, UNKNOWN, Program, Tensor, Value, listed, loosely, specials


def _broadcast(program: Program, random: Random, x: Value) -> Value | None:
    rank = len(x.type.shape) + random.choice((0, 0, 1))
    dims = random.sample(range(rank), len(x.type.shape))
    shape = [random.choice((0, 1, 2)) for _ in range(rank)]
    for dim, size in zip(dims, x.type.shape, strict=True):
        shape[dim] = size if size != 1 or random.random() < 0.7 else 2
    return program.op(
        "broadcast_in_dim", [x], x.type._replace(shape=tuple(shape)), f"broadcast_dimensions = {listed(dims)}"
    )


def _reshape(program: Program, random: Random, x: Value) -> Value | None:
    shape = [size for size in x.type.shape if size != 1]
    random.shuffle(shape)
    for _ in range(random.choice((0, 1, 2))):
        shape.insert(random.randrange(len(shape) + 1), 1)
    return program.op("reshape", [x], x.type._replace(shape=tuple(shape)))


def _transpose(program: Program, random: Random, x: Value) -> Value | None:
    order = random.sample(range(len(x.type.shape)), len(x.type.shape))
    shape = loosely(random, [x.type.shape[dim] for dim in order])
    return program.op("transpose", [x], x.type._replace(shape=shape), f"permutation = {listed(order)}")


def _reverse(program: Program, random: Random, x: Value) -> Value | None:
    dims = random.sample(range(len(x.type.shape)), random.randrange(len(x.type.shape) + 1))
    return program.op("reverse", [x], x.type, f"dimensions = {listed(dims)}")


def _slice(program: Program, random: Random, x: Value) -> Value | None:
    if UNKNOWN in x.type.shape:
        return None
    spans = [
        (a := random.randint(0, size), random.randint(a, size), random.choice((1, 1, 2, 5))) for size in x.type.shape
    ]
    if random.random() < 0.2:
        spans = [(0, size, 1) for size in x.type.shape]
    starts, limits, strides = ([span[number] for span in spans] for number in range(3))
    shape = tuple([len(range(*span)) for span in spans])
    attributes = f"start_indices = {listed(starts)}, limit_indices = {listed(limits)}, strides = {listed(strides)}"
    return program.op("slice", [x], x.type._replace(shape=shape), attributes)


def _pad(program: Program, random: Random, x: Value) -> Value | None:
    if UNKNOWN in x.type.shape or not specials(x.type.element):
        return None
    amounts = [[random.choice((0, 0, 1, 2, -1)) for _ in x.type.shape] for _ in range(2)]
    amounts.append([random.choice((0, 0, 0, 1)) for _ in x.type.shape])
    if random.random() < 0.15:
        amounts = [[0 for _ in x.type.shape] for _ in range(3)]
    if program.padding is None or random.random() < 0.3:
        program.padding = program.constant(specials(x.type.element)[0], (), x.type.element)
    shape = [size + max(size - 1, 0) * i + lo + hi for size, lo, hi, i in zip(x.type.shape, *amounts, strict=True)]
    if min(shape, default=0) < 0:
        return None
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    attributes = ", ".join(f"{name} = {listed(each)}" for name, each in zip(names, amounts, strict=True))
    return program.op("pad", [x, program.padding], x.type._replace(shape=tuple(shape)), attributes)


def _concatenate(program: Program, random: Random, x: Value) -> Value | None:
    if not x.type.shape:
        return None
    dim = random.randrange(len(x.type.shape))
    others = [x]
    for _ in range(random.choice((0, 1, 1, 2))):
        size = random.choice((0, 1, 2))
        shape = [size if number == dim else each for number, each in enumerate(x.type.shape)]
        values = () if UNKNOWN in shape or random.random() < 0.7 else specials(x.type.element)[:2]
        constant = [program.constant(random.choice(values), shape, x.type.element)] if values else []
        others += constant * random.choice((1, 2)) if constant else [program.argument(shape, x.type.element)]
    sizes = [each.type.shape[dim] for each in others]
    total = UNKNOWN if UNKNOWN in sizes else sum(sizes)
    random.shuffle(others)
    shape = tuple([total if number == dim else each for number, each in enumerate(x.type.shape)])
    return program.op("concatenate", others, x.type._replace(shape=shape), f"dimension = {dim} : i64")


def _dynamic_slice(program: Program, random: Random, x: Value) -> Value | None:
    if UNKNOWN in x.type.shape or not x.type.shape:
        return None
    sizes = [random.choice((size, size, max(size - 1, 0))) for size in x.type.shape]
    starts = [
        program.constant(random.choice(("-1", "0", "1", "2", "9")), (), "i32")
        if random.random() < 0.8
        else program.argument((), "i32")
        for _ in sizes
    ]
    return program.op(
        "dynamic_slice", [x, *starts], x.type._replace(shape=tuple(sizes)), f"slice_sizes = {listed(sizes)}"
    )


def _update(program: Program, random: Random, x: Value) -> Value | None:
    if not x.type.shape:
        return None
    shape = [random.choice((size, size, min(size, 1), 0)) for size in x.type.shape]
    starts = [program.argument((), "i32") for _ in shape]
    return program.op("dynamic_update_slice", [x, program.argument(shape, x.type.element), *starts], x.type)


def _gather(program: Program, random: Random, x: Value) -> Value | None:
    rank = len(x.type.shape)
    if UNKNOWN in x.type.shape or not rank:
        return None
    mapped = random.sample(range(rank), random.randint(1, rank))
    sizes = [random.choice((size, min(1, size), min(1, size))) for size in x.type.shape]
    collapsed = [dim for dim in range(rank) if sizes[dim] == 1 and random.random() < 0.5]
    numbers = str([random.choice((-1, 0, 1, 2)) for _ in mapped])
    index = program.constant(numbers, [len(mapped)], random.choice(("i32", "i64")))
    kept = tuple([size for dim, size in enumerate(sizes) if dim not in collapsed])
    numbers = f"offset_dims = {list(range(len(kept)))}, collapsed_slice_dims = {collapsed}, start_index_map = {mapped}"
    attributes = (
        f"dimension_numbers = #stablehlo.gather<{numbers}, index_vector_dim = 0>, slice_sizes = {listed(sizes)}"
    )
    return program.op("gather", [x, index], x.type._replace(shape=kept), attributes)


_MOVES: tuple[Callable[[Program, Random, Value], Value | None], ...] = (
    _broadcast, _reshape, _transpose, _reverse, _slice, _pad, _concatenate, _dynamic_slice, _update, _gather,
)  # fmt: skip


_PAIRS = ((_concatenate, _slice), *[(_broadcast, each) for each in (_reshape, _transpose, _reverse, _slice)])


def movements() -> Iterator[Program]:
    """One movement, or one of another, which is used elsewhere sometimes; often those that patterns are about."""
    for inner, outer in product((None, *_MOVES), _MOVES):
        is_about = inner is None or inner is outer or (inner, outer) in _PAIRS
        for number in range(40 if (inner, outer) == _PAIRS[0] else 14 if is_about else 2):
            random = Random(f"{inner and inner.__name__} {outer.__name__} {number}")
            shape = random.choice([*SHAPES, (), (2, 3), (3, 2, 2), (1, 2, 1), (4, 5), (4, 5)])
            program, element = Program(), random.choice(("i32", "i32", "f32", "i1", *ELEMENTS))
            if random.random() < 0.1 and UNKNOWN not in shape and specials(element):
                first = program.constant(specials(element)[0], shape, element)
            else:
                first = program.argument(shape, element)
            middle = first if inner is None else inner(program, random, first)
            last = None if middle is None else outer(program, random, middle)
            if middle is not None and last is not None:
                yield program.returning(last, *([middle] if random.random() < 0.2 else []))


def _sizes(program: Program, random: Random, numbers: Sequence[int], kind: str = "") -> Value:
    """A list of numbers: a constant, or an argument that may hold it."""
    element = kind if kind else random.choice(("i32", "i64"))
    if random.random() < 0.25:
        program.numbers[program.argument([len(numbers)], element).name] = list(numbers)
        return program.arguments[-1]
    return program.constant(str(list(numbers)) if numbers else "", [len(numbers)], element)


def _known(random: Random, shape: Sequence[int]) -> tuple[int, ...]:
    """A declared type of this shape, in which sizes are unknown more often than not."""
    return tuple([size if random.random() < 0.3 else UNKNOWN for size in shape])


def counts() -> Iterator[Program]:
    """Counting along each dimension of each shape, with sizes that are known before or not."""
    for shape, element in product((*SHAPES[1:8], (2, 3, 1), (1, 1), (4,)), ("i32", "f32", "complex<f32>", "f8E8M0FNU")):
        for dim in range(len(shape)):
            random, program, attribute = Random(f"{shape} {dim}"), Program(), f"iota_dimension = {dim} : i64"
            yield program.returning(program.op("iota", [], Tensor(shape, element), attribute))
            program = Program()
            sizes = _sizes(program, random, shape)
            yield program.returning(
                program.op("dynamic_iota", [sizes], Tensor(_known(random, shape), element), attribute)
            )


_WIDTHS = ("i8", "ui8", "i16", "f16", "i32", "f32", "ui32")


def conversions() -> Iterator[Program]:
    """Conversions of conversions, and complex numbers of their parts."""
    for name, number in product(("convert", "bitcast_convert"), range(60)):
        random, program = Random(f"{name} {number}"), Program()
        values = [program.argument(random.choice(((), (4,), (2, 4), (2, 2), (UNKNOWN,))), random.choice(_WIDTHS))]
        for _ in range(2):
            shape, to = list(values[-1].type.shape), random.choice(_WIDTHS)
            before, after = (int(each.strip("iuf")) for each in (values[-1].type.element, to))
            if name == "bitcast_convert" and before > after:
                shape.append(before // after)
            elif name == "bitcast_convert" and before < after:
                shape = shape[:-1]
            shape = [UNKNOWN if random.random() < 0.1 else size for size in shape]
            values.append(program.op(name, values[-1:], Tensor(tuple(shape), to)))
        yield program.returning(*values[-random.choice((1, 1, 2)) :])
    for first, second, same in product(("real", "imag"), ("real", "imag"), (True, False)):
        program = Program()
        x, y = program.argument((2,), "complex<f32>"), program.argument((2,), "complex<f32>")
        parts = [
            program.op(part, [each], Tensor((2,), "f32")) for part, each in ((first, x), (second, x if same else y))
        ]
        whole = program.op("complex", parts, x.type)
        yield program.returning(whole, *[program.op(part, [whole], parts[0].type) for part in ("imag", "real")])


def _dynamic_reshape(program: Program, random: Random, x: Value, found: list[int]) -> Value:
    count = math.prod(found)
    found[:] = random.choice(([count], [1, count], [count, 1]))
    shape = _sizes(program, random, found)
    return program.op("dynamic_reshape", [x, shape], x.type._replace(shape=_known(random, found)))


def _dynamic_broadcast(program: Program, random: Random, x: Value, found: list[int]) -> Value:
    rank = len(found) + random.choice((0, 0, 1))
    dims = random.sample(range(rank), len(found)) if random.random() < 0.3 else list(range(rank))[rank - len(found) :]
    shape = [random.choice((0, 1, 2)) for _ in range(rank)]
    for dim, size in zip(dims, found, strict=True):
        shape[dim] = size if size != 1 or random.random() < 0.7 else 2
    expand = [number for number, dim in enumerate(dims) if shape[dim] == found[number] and random.random() < 0.8]
    attributes = f"broadcast_dimensions = {listed(dims)}"
    attributes += f", known_nonexpanding_dimensions = {listed(expand)}" if random.random() < 0.5 else ""
    found[:] = shape
    sizes = _sizes(program, random, shape)
    return program.op("dynamic_broadcast_in_dim", [x, sizes], x.type._replace(shape=_known(random, shape)), attributes)


def _dynamic_pad(program: Program, random: Random, x: Value, found: list[int]) -> Value:
    amounts = [[random.choice((0, 1, 2)) for _ in found] for _ in range(3)]
    shape = [size + max(size - 1, 0) * i + lo + hi for size, lo, hi, i in zip(found, *amounts, strict=True)]
    kind = random.choice(("i32", "i64"))
    lists = [_sizes(program, random, each, kind) for each in amounts]
    found[:] = shape
    padding = program.constant(specials(x.type.element)[0], (), x.type.element)
    return program.op("dynamic_pad", [x, padding, *lists], x.type._replace(shape=_known(random, shape)))


def _real_dynamic_slice(program: Program, random: Random, x: Value, found: list[int]) -> Value:
    spans = [(a := random.randint(0, size), random.randint(a, size), random.choice((1, 1, 2))) for size in found]
    kind = random.choice(("i32", "i64"))
    starts, limits, steps = ([span[number] for span in spans] for number in range(3))
    first = _sizes(program, random, starts, kind)
    if random.random() < 0.5:
        added = _sizes(program, random, [b - a for a, b, _ in spans], kind)
        pair = [first, added] if random.random() < 0.5 else [added, first]
        second = program.op("add", pair, first.type)
    else:
        second = _sizes(program, random, limits, kind)
    third = _sizes(program, random, steps, kind)
    found[:] = [len(range(*span)) for span in spans]
    return program.op("real_dynamic_slice", [x, first, second, third], x.type._replace(shape=_known(random, found)))


def _negate(program: Program, random: Random, x: Value, found: list[int]) -> Value:
    return program.op("negate", [x], x.type)


def _sized(program: Program, random: Random, x: Value, found: list[int]) -> Value:
    if not found:
        return x
    dim = random.randrange(len(found))
    size = program.op("get_dimension_size", [x], Tensor((), "i32"), f"dimension = {dim} : i64")
    return program.op("set_dimension_size", [x, size], x.type, f"dimension = {dim} : i64")


_DYNAMIC = (_dynamic_reshape, _dynamic_broadcast, _dynamic_pad, _real_dynamic_slice, _negate, _sized)


def dynamic_programs() -> Iterator[Program]:
    """Chains of ops on tensors of unknown sizes, by lists of sizes that are known or not."""
    for number in range(260):
        random = Random(number)
        program = Program()
        found = list(random.choice(((), (0,), (1,), (3,), (2, 3), (1, 3), (2, 1), (2, 0))))
        x = program.argument(found if random.random() < 0.5 else _known(random, found), random.choice(("i32", "f32")))
        program.sizes[x.name] = list(found)
        values = [x]
        for _ in range(random.choice((1, 1, 2, 3))):
            values.append(random.choice(_DYNAMIC)(program, random, values[-1], found))
        yield program.returning(values[-1], *([values[-2]] if random.random() < 0.2 else []))
