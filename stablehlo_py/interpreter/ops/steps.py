"""The operations that factors of matrices and solutions of systems are made of."""

from __future__ import annotations

import operator
from typing import NamedTuple

import numpy as np

from ..element_types.arithmetic import Operation
from .matmul import product


class Steps(NamedTuple):
    """Operations on elements; `root` and `is_positive` are of the real part."""

    divide: Operation
    multiply: Operation
    subtract: Operation
    root: Operation
    conjugate: Operation
    is_positive: Operation


NUMBERS = Steps(operator.truediv, product, operator.sub, lambda a: np.sqrt(a.real), np.conj, lambda a: a.real > 0)
