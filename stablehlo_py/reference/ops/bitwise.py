"""Elementwise ops on the bits of integers, and on booleans."""

from __future__ import annotations

from ..op import Kernel, Op
from ..registry import evaluates
from .elementwise import arithmetic


@evaluates("stablehlo.and")
def and_(op: Op) -> Kernel:
    """lhs and rhs, bit by bit. Spec: and."""
    return arithmetic(op).and_


@evaluates("stablehlo.or")
def or_(op: Op) -> Kernel:
    """lhs or rhs, bit by bit. Spec: or."""
    return arithmetic(op).or_


@evaluates("stablehlo.xor")
def xor(op: Op) -> Kernel:
    """lhs exclusive or rhs, bit by bit. Spec: xor."""
    return arithmetic(op).xor


@evaluates("stablehlo.not")
def not_(op: Op) -> Kernel:
    """The complement of operand, bit by bit. Spec: not."""
    return arithmetic(op).not_


@evaluates("stablehlo.count_leading_zeros")
def count_leading_zeros(op: Op) -> Kernel:
    """How many zero bits operand has above its highest one. Spec: count_leading_zeros."""
    return arithmetic(op).count_leading_zeros


@evaluates("stablehlo.popcnt")
def popcnt(op: Op) -> Kernel:
    """How many bits of operand are set. Spec: popcnt."""
    return arithmetic(op).popcnt


@evaluates("stablehlo.shift_left")
def shift_left(op: Op) -> Kernel:
    """lhs shifted left by rhs bits; zero once rhs, as an unsigned number, reaches the width. Spec: shift_left."""
    return arithmetic(op).shift_left


@evaluates("stablehlo.shift_right_arithmetic")
def shift_right_arithmetic(op: Op) -> Kernel:
    """lhs shifted right by rhs bits, its highest bit copied in from the left. Spec: shift_right_arithmetic."""
    return arithmetic(op).shift_right_arithmetic


@evaluates("stablehlo.shift_right_logical")
def shift_right_logical(op: Op) -> Kernel:
    """lhs shifted right by rhs bits, zeros coming in from the left. Spec: shift_right_logical."""
    return arithmetic(op).shift_right_logical
