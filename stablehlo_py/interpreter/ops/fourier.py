"""fft."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array

_TRANSFORMED = frozenset(map(np.dtype, "fdFD"))


@evaluates("stablehlo.fft")
def fft(op: Op) -> Kernel:
    """The forward or inverse Fourier transform over the last dimensions, as many as fft_length has. Spec: fft."""
    fft_length = op.ints("fft_length")
    axes = tuple(range(-len(fft_length), 0))
    transforms: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "FFT": lambda operand: np.fft.fftn(operand, axes=axes),
        "IFFT": lambda operand: np.fft.ifftn(operand, axes=axes),
        "RFFT": lambda operand: np.fft.rfftn(operand, axes=axes),
        "IRFFT": lambda operand: np.fft.irfftn(operand, s=fft_length, axes=axes),
    }
    transform = transforms[op.enum("fft_type")]
    dtype = op.tensor_result().dtype

    def kernel(operand: Array) -> np.ndarray:
        array = np.asarray(operand)
        if array.dtype not in _TRANSFORMED:
            array = array.astype(np.float32)
        if 0 in fft_length:  # which C4 and C5 make a size of the operand and of the result
            return np.zeros(array.shape, dtype)
        return transform(array).astype(dtype, copy=False)

    return kernel
