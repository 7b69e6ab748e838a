"""Random numbers: rng_bit_generator with the generators of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
(SC 2011), laid out as XLA lays them out, and rng."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...bindings.types import ElementType, Kind, element_type
from ..element_types import converter
from ..op import Kernel, Op
from ..registry import evaluates
from ..settings import require_memory
from .bodies import Array

Words = tuple[np.ndarray, ...]
"""32-bit words of many counters, one array for each position in a counter."""

_WORD = np.dtype(np.uint32)
_STATE = np.dtype(np.uint64)

_THREEFRY_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_THREEFRY_PARITY = 0x1BD11BDA

_PHILOX_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_PHILOX_WEYL = (0x9E3779B9, 0xBB67AE85)
_PHILOX_ROUNDS = 10


def _split(values: np.ndarray | np.uint64) -> tuple[np.ndarray, np.ndarray]:
    """The low and the high words of 64-bit integers."""
    wide = np.asarray(values, _STATE)
    return wide.astype(_WORD), (wide >> np.uint64(32)).astype(_WORD)


def _join(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return low.astype(_STATE) | high.astype(_STATE) << np.uint64(32)


def threefry_2x32(counters: Words, key: Words) -> Words:
    """Twenty rounds of Threefry on counters of two words."""
    keys = (*key, key[0] ^ key[1] ^ np.uint32(_THREEFRY_PARITY))
    left: np.ndarray = counters[0] + keys[0]
    right: np.ndarray = counters[1] + keys[1]
    for group in range(5):
        for rotation in _THREEFRY_ROTATIONS[group % 2]:
            left = left + right
            right = (right << np.uint32(rotation) | right >> np.uint32(32 - rotation)) ^ left
        left = left + keys[(group + 1) % 3]
        right = right + keys[(group + 2) % 3] + np.uint32(group + 1)
    return left, right


def _philox_round(counters: Words, key: Words) -> Words:
    a, b, c, d = counters
    low0, high0 = _split(a.astype(_STATE) * np.uint64(_PHILOX_MULTIPLIERS[0]))
    low1, high1 = _split(c.astype(_STATE) * np.uint64(_PHILOX_MULTIPLIERS[1]))
    return high1 ^ b ^ key[0], low1, high0 ^ d ^ key[1], low0


def philox_4x32(counters: Words, key: Words) -> Words:
    """Ten rounds of Philox on counters of four words."""
    for _ in range(_PHILOX_ROUNDS):
        counters = _philox_round(counters, key)
        key = key[0] + np.uint32(_PHILOX_WEYL[0]), key[1] + np.uint32(_PHILOX_WEYL[1])
    return counters


def _threefry_words(key: Words, counter: np.uint64, shape: tuple[int, ...]) -> tuple[np.ndarray, int]:
    """A word for each element, and how many counters they took."""
    if not shape:
        words, used = _threefry_words(key, counter, (1,))
        return words.reshape(()), used
    # XLA gives each pair of words to two elements along the first dimension of even size, else the first largest one.
    even = [dimension for dimension, size in enumerate(shape) if size % 2 == 0]
    dimension = even[0] if even else shape.index(max(shape))
    half = (shape[dimension] + 1) // 2
    halved = (*shape[:dimension], half, *shape[dimension + 1 :])
    count = math.prod(halved)
    pair = threefry_2x32(_split(counter + np.arange(count, dtype=_STATE)), key)
    words = np.stack([word.reshape(halved) for word in pair], axis=dimension + 1)
    words = words.reshape(*shape[:dimension], 2 * half, *shape[dimension + 1 :])
    return np.take(words, range(shape[dimension]), axis=dimension), count


def threefry(state: np.ndarray, shape: tuple[int, ...], width: int) -> tuple[np.ndarray, np.ndarray]:
    """The next state and an array of random 32- or 64-bit integers."""
    key = _split(state[0])
    if width == 64:
        used = math.prod(shape)
        bits = _join(*threefry_2x32(_split(state[1] + np.arange(used, dtype=_STATE)), key)).reshape(shape)
    else:
        bits, used = _threefry_words(key, state[1], shape)
    return np.array([state[0], state[1] + np.uint64(used)], _STATE), bits


def philox(state: np.ndarray, shape: tuple[int, ...], width: int) -> tuple[np.ndarray, np.ndarray]:
    """The next state and an array of random 32- or 64-bit integers. The state is a key and a counter of 128 bits; where
    the counter's high half is left out, it is the key."""
    key, low = _split(state[0]), state[1]
    high = state[2] if state.size > 2 else state[0]
    size = math.prod(shape)
    count = -(-size * width // 128)
    lows = low + np.arange(count, dtype=_STATE)
    counters = (*_split(lows), *_split(high + (lows < low)))
    words = np.stack(np.broadcast_arrays(*philox_4x32(counters, key)), axis=-1).reshape(-1)
    bits = words if width == 32 else _join(words[::2], words[1::2])
    next_low = low + np.uint64(count)
    next_state = np.array([state[0], next_low, high + np.uint64(next_low < low)], _STATE)
    return next_state[: state.size], bits[:size].reshape(shape)


def random_bits(op: Op) -> Callable[[Any, tuple[int, ...]], tuple[np.ndarray, np.ndarray]]:
    """Return the function from a state and a shape to the next state and bits, by algorithm and element type."""
    generate = threefry if op.enum("rng_algorithm") == "THREE_FRY" else philox
    elements = op.tensor_result(1).element_type
    width = 64 if elements.bits == 64 else 32
    bits_dtype = np.dtype(f"u{elements.dtype.itemsize}")
    mask = bits_dtype.type((1 << elements.bits) - 1)

    def state_and_bits(initial_state: Array, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        state, bits = generate(np.asarray(initial_state), shape, width)
        return state, (bits.astype(bits_dtype) & mask).view(elements.dtype)

    return state_and_bits


@evaluates("stablehlo.rng_bit_generator")
def rng_bit_generator(op: Op) -> Kernel:
    """The next state, and an array of random bits, the same as XLA's for that state. Spec: rng_bit_generator.

    DEFAULT is Philox, as XLA has it on CPUs. Elements of less than 32 bits are the low bits of 32.
    """
    generate, shape = random_bits(op), op.tensor_result(1).static_shape
    return lambda initial_state: generate(initial_state, shape)


@cache
def _generator() -> np.random.Generator:
    """The hidden state, made when first needed, as numpy's random numbers take time to import."""
    return np.random.default_rng(0)


@evaluates("stablehlo.rng")
def rng(op: Op) -> Kernel:
    """An array of random numbers, of the uniform distribution over [a, b) or of the normal distribution with mean a and
    standard deviation b. Each process starts with the same hidden state. Spec: rng."""
    elements = op.tensor_result().element_type
    distribution = op.enum("rng_distribution")
    draw = _normal if distribution == "NORMAL" else _uniform_float if elements.kind is Kind.FLOAT else _uniform_integer

    def kernel(a: Array, b: Array, shape: Array) -> Array:
        sizes = tuple([int(size) for size in shape])
        require_memory(sizes, np.dtype(np.float64))
        return draw(elements, a, b, sizes)

    return kernel


def _normal(elements: ElementType, a: Array, b: Array, shape: tuple[int, ...]) -> Array:
    numbers = float(a) + float(b) * _generator().standard_normal(shape)
    return converter(element_type("f64"), elements)(np.asarray(numbers))


def _uniform_float(elements: ElementType, a: Array, b: Array, shape: tuple[int, ...]) -> Array:
    numbers = float(a) + (float(b) - float(a)) * _generator().random(shape)
    rounded = converter(element_type("f64"), elements)(np.asarray(numbers))
    return np.where(rounded < b, rounded, a)  # rounding can reach b, which is not in the interval


def _uniform_integer(elements: ElementType, a: Array, b: Array, shape: tuple[int, ...]) -> Array:
    low, span = int(a), int(b) - int(a)
    if span <= 0:
        return np.broadcast_to(np.asarray(a), shape)
    offsets = _generator().integers(0, span - 1, shape, np.uint64, endpoint=True)
    return converter(element_type("ui64"), elements)(np.asarray(offsets + np.uint64(low % (1 << 64))))
