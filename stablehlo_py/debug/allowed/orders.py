"""Results that depend on the order in which elements are taken; see `allowed`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...bindings import ir
from ...bindings.attributes import is_set
from ...bindings.bytecode import bytecode_of
from ...bindings.dimension_numbers import ScatterDimensionNumbers
from ...bindings.types import TensorType, TypeReader
from ...bindings.walk import body_of
from ...engines.reference import backend
from .enclosures import Allowed, Mask, Question, anything, difference_mask, flushed, has_denormals
from .measures import EXACT, difference, half_the_digits, is_float, parts_of
from .sums import combines

_UNSTABLE = "sort: is_stable is false, so that equal elements come in any order"
_NO_ORDER = "sort: the comparator is no strict weak order of these elements"
_FLUSHED = "sort: in non-descending order, as the comparator says; denormal numbers may count as zeros"
_REPEATED = "scatter: unique_indices is promised, but indices repeat"
_SCHEDULE = "scatter: schedule is an implementation-defined permutation of the updates, and they do not commute"
_MONOID = "reduce: the order is implementation-defined; body and init_values do not form a monoid"
_SAMPLES = 16


def sorted_in_any_order(question: Question) -> list[Allowed] | None:
    """Return the enclosures of a sort whose order is open; None for other ops."""
    if question.op.name != "stablehlo.sort":
        return None
    if not _is_weak_order(question):
        return [anything(wanted, _NO_ORDER) for wanted in question.wanted]
    flushes = question.profile.flushes and any(map(has_denormals, question.floats))
    stable = is_set(question.op, "is_stable")
    return None if stable and not flushes else _sorted(question, _FLUSHED if stable else _UNSTABLE)


def order_left_open(question: Question) -> tuple[str, list[Mask]] | None:
    """Return the sentence that leaves the order to the implementation, and the elements that depend on it.

    None where nothing does. Sums in floating point depend on it by rounding only, see `sums`."""
    op, short = question.op, question.op.name.partition(".")[2]
    everywhere = [np.ones(wanted.shape, bool) for wanted in question.wanted]
    if short == "scatter":
        if is_set(op, "unique_indices") and _repeats(question):
            return _REPEATED, everywhere
        masks = None if combines(op, "add") or combines(op, "multiply") else _order_of_updates(question)
        return None if masks is None else (_SCHEDULE, masks)
    if short in ("reduce", "reduce_window") and not _is_monoid(question):
        return _MONOID, everywhere
    return None


def _order_of_updates(question: Question) -> list[Mask] | None:
    """Return the elements of a scatter that change where the updates are taken from the last to the first."""
    op, values = question.op, dict(question.values)
    numbers = ScatterDimensionNumbers.of(op.attributes["scatter_dimension_numbers"])
    count = len(op.operands) // 2
    indices = op.operands[count]
    rank = ir.RankedTensorType(indices.type).rank
    lanes = [dim for dim in range(rank) if dim != numbers.index_vector_dim]
    turned = [dim for dim in lanes if dim not in numbers.scatter_indices_batching_dims]
    updates = list(op.operands)[count + 1 :]
    rank = ir.RankedTensorType(updates[0].type).rank
    scattered = [dim for dim in range(rank) if dim not in numbers.update_window_dims]
    if any(update in list(op.operands)[: count + 1] for update in updates):
        return None  # the values cannot be changed apart
    values[indices] = np.flip(values[indices], tuple(turned))
    for update in updates:
        values[update] = np.flip(values[update], tuple([scattered[lanes.index(dim)] for dim in turned]))
    return [difference_mask(*both) for both in zip(question.run(values), question.wanted, strict=True)]


def _is_monoid(question: Question) -> bool:
    """Whether the body of a reduction is associative on elements of the operands, and the initial values neutral."""
    op, values = question.op, question.values
    count = len(op.operands) // 2
    arguments = list(body_of(op).arguments)
    body = question.extractor.region(op, 0)
    outside = [values[value] for value in body.inputs[len(arguments) :]]
    reader = TypeReader()
    read = [reader[argument.type] for argument in arguments[:count]]
    types = [type_.dtype for type_ in read if isinstance(type_, TensorType)]
    rounds = any(map(is_float, types)) and (combines(op, "add") or combines(op, "multiply"))
    run = backend().load(bytecode_of(body.module))

    def apply(a: Sequence[np.ndarray], b: Sequence[np.ndarray]) -> list[np.ndarray]:
        return list(run([*a, *b, *outside]))

    def alike(a: Sequence[np.ndarray], b: Sequence[np.ndarray]) -> bool:
        allowed = [half_the_digits(dtype) if is_float(dtype) else EXACT for dtype in types]
        return all(difference(*three).same for three in zip(a, b, allowed, strict=True))

    inputs = [values[operand].reshape(-1) for operand in list(op.operands)[:count]]
    initial = [values[operand].astype(dtype) for operand, dtype in zip(list(op.operands)[count:], types, strict=True)]
    if rounds:  # 1 * inf is no infinity for complex numbers
        finite = np.logical_and.reduce([np.isfinite(parts_of(array)).all(1) for array in inputs])
        inputs = [array[finite] for array in inputs]
    if not inputs[0].size:
        return True
    random = np.random.default_rng(0)
    for _ in range(_SAMPLES):
        a, b, c = ([np.asarray(array[place], dtype) for array, dtype in zip(inputs, types, strict=True)]
                   for place in random.integers(inputs[0].size, size=3))  # fmt: skip
        if not (alike(apply(initial, a), a) and alike(apply(a, initial), a)):
            return False
        if not rounds and not alike(apply(apply(a, b), c), apply(a, apply(b, c))):
            return False
    return True


def _sorted(question: Question, sentence: str) -> list[Allowed]:
    """Return every order that keeps the results of a stable sort; results are the operands permuted."""
    attributes = question.op.attributes
    dimension = ir.IntegerAttr(attributes["dimension"]).value if "dimension" in attributes else -1
    operands = list(question.op.operands)
    inputs = [question.values[operand] for operand in operands]
    arguments = list(body_of(question.op).arguments)
    keys = {number // 2 for number, argument in enumerate(arguments) if any(True for _ in argument.uses)}

    def outside(number: int, given: np.ndarray) -> Mask:
        typed = given.astype(question.wanted[number].dtype)
        permuted = _not_permuted(inputs[number], typed, dimension)
        if keys != {number}:  # elements of other operands say which of those with equal keys come first
            return permuted
        others = {**question.values, **dict(zip(operands, question.wanted, strict=True))}
        seen = [typed, flushed(typed)] if is_float(typed.dtype) and question.profile.flushes else [typed]
        unsorted = [difference_mask(question.run({**others, operands[number]: one})[number], one) for one in seen]
        return np.logical_and.reduce(unsorted) | permuted

    return [Allowed(wanted, partial(outside, number), sentence, np.ones(wanted.shape, bool))
            for number, wanted in enumerate(question.wanted)]  # fmt: skip


def _is_weak_order(question: Question) -> bool:
    """Whether a comparator orders some elements of each operand: the first NaN, the extremes and random ones."""
    elements = [operand.reshape(-1) for operand in question.operands]
    if not elements[0].size:
        return True
    places = set(np.random.default_rng(0).integers(elements[0].size, size=_SAMPLES // 2).tolist())
    for array in elements:
        wide = parts_of(array).sum(1)
        places |= {int(np.isnan(wide).argmax()), int(np.argmin(wide)), int(np.argmax(wide))}
    body = question.extractor.region(question.op, 0)
    run = backend().load(bytecode_of(body.module))
    outside = [question.values[value] for value in body.inputs[2 * len(elements) :]]
    tuples = [[np.asarray(array[place], array.dtype) for array in elements] for place in places]

    def comes_before(a: Sequence[np.ndarray], b: Sequence[np.ndarray]) -> bool:
        return bool(run([*(one for pair in zip(a, b, strict=True) for one in pair), *outside])[0])

    less = np.array([[comes_before(a, b) for b in tuples] for a in tuples], int)
    alike = (less + less.T == 0).astype(int)
    return not ((less * less.T).any() or ((less @ less > 0) > less).any() or ((alike @ alike > 0) > alike).any())


def _not_permuted(before: np.ndarray, after: np.ndarray, dimension: int) -> Mask:
    """Return the lanes along a dimension whose elements are not the same, in some order."""

    def lanes(array: np.ndarray) -> np.ndarray:
        rows = parts_of(array)
        wide = rows.reshape(*array.shape, rows.shape[-1])
        keyed = wide[..., 0] if wide.shape[-1] == 1 else wide[..., 0] + 1j * wide[..., 1]
        return np.sort(keyed, axis=dimension)

    a, b = lanes(before), lanes(after)
    differs = ((a != b) & ~(np.isnan(a) & np.isnan(b))).any(dimension, keepdims=True)
    return np.asarray(np.broadcast_to(differs, after.shape))


def _repeats(question: Question) -> bool:
    """Whether a scatter that promises different indices has equal ones in a batch."""
    indices = question.operands[(len(question.operands) - 1) // 2]
    numbers = ScatterDimensionNumbers.of(question.op.attributes["scatter_dimension_numbers"])
    last, batching = numbers.index_vector_dim, numbers.scatter_indices_batching_dims
    vectors = indices[..., np.newaxis] if last == indices.ndim else np.moveaxis(indices, last, -1)
    places = np.indices(vectors.shape[:-1])[[dim - (dim > last) for dim in batching]]
    rows = np.concatenate([vectors, np.moveaxis(places, 0, -1)], -1).reshape(-1, vectors.shape[-1] + len(batching))
    return len(np.unique(rows, axis=0)) < len(rows)
