"""Elementwise functions of floats and complex numbers that are not computed exactly."""

from __future__ import annotations

from ..op import Kernel, Op
from ..registry import evaluates
from .elementwise import arithmetic


@evaluates("stablehlo.atan2")
def atan2(op: Op) -> Kernel:
    """The angle of the point (rhs, lhs). Spec: atan2."""
    return arithmetic(op).atan2


@evaluates("stablehlo.cbrt")
def cbrt(op: Op) -> Kernel:
    """The cubic root of operand. Spec: cbrt."""
    return arithmetic(op).cbrt


@evaluates("stablehlo.cosine")
def cosine(op: Op) -> Kernel:
    """cos(operand). Spec: cosine."""
    return arithmetic(op).cosine


@evaluates("stablehlo.exponential")
def exponential(op: Op) -> Kernel:
    """e^operand. Spec: exponential."""
    return arithmetic(op).exponential


@evaluates("stablehlo.exponential_minus_one")
def exponential_minus_one(op: Op) -> Kernel:
    """e^operand - 1. Spec: exponential_minus_one."""
    return arithmetic(op).exponential_minus_one


@evaluates("stablehlo.log")
def log(op: Op) -> Kernel:
    """The natural logarithm of operand. Spec: log."""
    return arithmetic(op).log


@evaluates("stablehlo.log_plus_one")
def log_plus_one(op: Op) -> Kernel:
    """The natural logarithm of operand + 1. Spec: log_plus_one."""
    return arithmetic(op).log_plus_one


@evaluates("stablehlo.logistic")
def logistic(op: Op) -> Kernel:
    """1 / (1 + e^-operand). Spec: logistic."""
    return arithmetic(op).logistic


@evaluates("stablehlo.power")
def power(op: Op) -> Kernel:
    """lhs^rhs: modulo 2^bits for integers. Spec: power."""
    return arithmetic(op).power


@evaluates("stablehlo.rsqrt")
def rsqrt(op: Op) -> Kernel:
    """1 / sqrt(operand). Spec: rsqrt."""
    return arithmetic(op).rsqrt


@evaluates("stablehlo.sine")
def sine(op: Op) -> Kernel:
    """sin(operand). Spec: sine."""
    return arithmetic(op).sine


@evaluates("stablehlo.sqrt")
def sqrt(op: Op) -> Kernel:
    """The square root of operand. Spec: sqrt."""
    return arithmetic(op).sqrt


@evaluates("stablehlo.tan")
def tan(op: Op) -> Kernel:
    """tan(operand). Spec: tan."""
    return arithmetic(op).tan


@evaluates("stablehlo.tanh")
def tanh(op: Op) -> Kernel:
    """tanh(operand). Spec: tanh."""
    return arithmetic(op).tanh
