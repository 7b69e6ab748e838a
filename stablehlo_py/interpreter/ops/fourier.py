"""fft."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array
from .discrete_fourier import inverse_real_transform, real_transform, transform


@evaluates("stablehlo.fft")
def fft(op: Op) -> Kernel:
    """The forward or inverse Fourier transform over the last dimensions, as many as fft_length has. Spec: fft."""
    fft_length = op.ints("fft_length")
    axes = tuple(range(-len(fft_length), 0))
    transforms: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "FFT": lambda operand: transform(operand, axes),
        "IFFT": lambda operand: transform(operand, axes, inverse=True),
        "RFFT": lambda operand: real_transform(operand, axes),
        "IRFFT": lambda operand: inverse_real_transform(operand, axes, fft_length[-1]),
    }
    kind = op.enum("fft_type")
    dtype = op.tensor_result().dtype

    def kernel(operand: Array) -> np.ndarray:
        *shape, last = np.shape(operand)
        sizes = {"RFFT": last and last // 2 + 1, "IRFFT": fft_length[-1]}
        shape.append(sizes.get(kind, last))
        if 0 in shape:
            return np.zeros(shape, dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            return transforms[kind](np.asarray(operand)).astype(dtype, copy=False)

    return kernel
