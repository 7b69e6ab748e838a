"""Fourier transforms of older JAX, whose first operand is a descriptor in a flatbuffer."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from called_targets import call

# The descriptors that jaxlib 0.4.13 makes, and one that its kernel was tried on.
FOURIER = {
    "dynamic_ducc_fft": "1400000000000e0010000800000000000c0007000e0000000000000102000000040000000100000001000000",
    "ducc_fft": (
        "1c00000000000000140028002700000020001c00180014001300040014000000000000000000e03f000000000000000114000000180000"
        "002c0000004000000000000001010000000100000002000000040000000000000001000000000000000000000002000000040000000000"
        "00000100000000000000000000000200000003000000000000000400000000000000"
    ),
}


@pytest.mark.parametrize("target", list(FOURIER))
def test_fourier_transforms_are_described_by_a_flatbuffer(target):
    x = np.random.default_rng(0).standard_normal((3, 4)) + 1j
    data = np.frombuffer(bytes.fromhex(FOURIER[target]), np.uint8)
    sizes = [np.array([3, 4], np.int32)] * 3 + [np.array([0.5])] if target == "dynamic_ducc_fft" else []
    (result,) = call(target, [data, x, *sizes], [x], layouts=False)
    np.testing.assert_allclose(result, np.fft.fft(x) / 2, atol=1e-14)


def ducc_descriptor(kind: int, axes: list[int], forward: bool) -> np.ndarray:
    """A table of `dynamic_ducc_fft`: the kind is its field 2, the axes are field 3, the direction is field 4."""
    offsets = struct.pack("<IHHHHHHHxx", 20, 14, 10, 0, 0, 8, 4, 9)
    table = struct.pack("<iIBBxx", 16, 8, kind, forward)
    return np.frombuffer(offsets + table + struct.pack(f"<{1 + len(axes)}I", len(axes), *axes), np.uint8)


@pytest.mark.parametrize("axes", [[0, 1], [1]])
@pytest.mark.parametrize("kind", ["forward", "inverse", "of reals", "to reals"])
def test_fourier_transforms_of_each_kind(kind, axes):
    random = np.random.default_rng(0)
    real = random.standard_normal((3, 4))
    x = real + 1j * random.standard_normal((3, 4))
    given, number, expected = {
        "forward": (x, 0, np.fft.fftn(x, axes=axes)),
        "inverse": (x, 0, np.fft.ifftn(x, axes=axes)),
        "of reals": (real, 2, np.fft.rfftn(real, axes=axes)),
        "to reals": (np.fft.rfftn(real, axes=axes), 1, real),
    }[kind]
    inverse = kind in ("inverse", "to reals")
    scale = 1 / np.prod([3, 4][-len(axes) :]) if inverse else 1.0
    sizes = [np.array([3, 4], np.int32)] * 3 + [np.array([scale])]
    data = ducc_descriptor(number, axes, not inverse)
    (result,) = call("dynamic_ducc_fft", [data, given, *sizes], [expected], layouts=False)
    np.testing.assert_allclose(result, expected, atol=1e-14)
