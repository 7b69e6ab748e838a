"""The kernels of ops whose definitions ask numpy for arithmetic: by the formulas of their definitions, or hashes."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...bindings.dimension_numbers import DotDimensionNumbers
from ...bindings.types import TensorType
from ...errors import StablehloError, UnsupportedOpError
from ..custom_calls import CustomCall, is_users_handler
from ..op import Kernel, Op
from ..ops.contraction import dot_general_array, matmul_of
from ..plan import as_results
from ..registry import MakeKernel, is_users
from .complex_elements import COMPLEX, ComplexFingerprints, of_parts
from .elements import DOUBLE, FINGERPRINT, Fingerprinting, Fingerprints
from .storage import as_numbers, as_values, is_read, numbers, residues

_OBSERVERS = ("check.", "interpreter.print", "interpreter.probe")


def kernel(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Return the kernel of an op: its definition's, unless that asks numpy for arithmetic on elements."""
    if op.name.startswith(_OBSERVERS):
        return lambda *operands: operands[: len(op.result_types)]
    if is_users(op.name):
        return _hashed(state, op, make_kernel)
    if op.name in ("stablehlo.custom_call", "stablehlo.einsum", "stablehlo.unary_einsum"):
        return _by_definition_or_hashed(state, op, make_kernel)
    if op.name == "stablehlo.rng":
        raise UnsupportedOpError(
            "has no reading as fingerprints: its numbers are any", op=op.name, location=op.location
        )
    found = _KERNELS.get(op.name)
    is_of_floats = any(
        isinstance(type_, TensorType) and type_.dtype in (FINGERPRINT, COMPLEX)
        for type_ in (*op.operand_types, *op.result_types)
    )
    return make_kernel(op) if found is None or not is_of_floats else found(state, op, make_kernel)


def _of_numbers(op: Op) -> Op:
    """Return the op with its elements stored as numbers."""
    plain = copy.copy(op)
    plain.operand_types = tuple(map(as_numbers, op.operand_types))
    plain.result_types = tuple(map(as_numbers, op.result_types))
    return plain


def _on_values(op: Op, make_kernel: MakeKernel) -> Callable[..., Any]:
    """Return the definition's kernel on the operands' values, as numbers of the program's types."""
    plain = _of_numbers(op)
    compute = make_kernel(plain)

    def on_values(*operands: Any) -> tuple[Any, ...]:
        given = [
            as_values(operand).astype(type_.dtype) if isinstance(type_, TensorType) else operand
            for operand, type_ in zip(operands, plain.operand_types, strict=True)
        ]
        return as_results(compute(*given), len(op.result_types))

    return on_values


def _hashed(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Return a kernel whose results are hashes of the op's name, attributes and all its operands."""
    on_values = _on_values(op, make_kernel)
    name = f"{op.name} {op.operation.attributes}"
    if op.name == "stablehlo.custom_call":  # in whichever version of its interface
        call = CustomCall(op)
        name = f"{call.target} {call.backend_config or None}"

    def run(*operands: Any) -> Any:
        digest = hashlib.sha256(name.encode())
        for operand in operands:
            digest.update(f"{np.shape(operand)}".encode() + residues(operand).tobytes())
        results = []
        for number, (value, type_) in enumerate(zip(on_values(*operands), op.result_types, strict=True)):
            if isinstance(type_, TensorType) and type_.dtype in (FINGERPRINT, COMPLEX):
                array = np.asarray(value)
                index = np.arange(array.size).reshape(array.shape)
                keys = [f"{digest.hexdigest()} {number} {part}" for part in ("real", "imag")]
                hashes = [state.fields.hashed(key, index) for key in keys]
                parts = [state.result(part, each) for part, each in zip((array.real, array.imag), hashes, strict=True)]
                results.append(of_parts(*parts) if type_.dtype == COMPLEX else parts[0])
            else:
                results.append(value)
        return results[0] if len(results) == 1 else tuple(results)

    return run


def _by_definition_or_hashed(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Return the definition's kernel if it only moves elements, on which numpy has no arithmetic, or hashes."""
    hashed = _hashed(state, op, make_kernel)
    if op.name == "stablehlo.custom_call" and is_users_handler(op.string("call_target_name")):
        return hashed
    definition = make_kernel(op)

    def run(*operands: Any) -> Any:
        try:
            return definition(*operands)
        except (StablehloError, TypeError, ValueError):
            return hashed(*operands)

    return run


def _dot_general(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """The algorithm is about rounding."""
    dims = DotDimensionNumbers.of_op(op.operation, op.tensor_operand(0).rank)
    dtype, multiply = op.tensor_result().dtype, matmul_of(op)
    return lambda lhs, rhs: dot_general_array(lhs, rhs, dims, dtype, multiply)


def _bitcast_convert(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """The bits of a float are those of its value, which rounding may have changed; floats of bits are numbers."""
    on_values, source, target = _on_values(op, make_kernel), op.tensor_operand(0), op.tensor_result()
    if is_read(source.element_type) and source.element_type == target.element_type:
        return lambda operand: operand

    def run(operand: Any) -> Any:
        if is_read(source.element_type):
            state.doubt(~state.is_number(operand) if source.dtype == FINGERPRINT else True)
        return numbers(state, on_values(operand)[0], target.element_type)

    return run


def _adjoint(elements: Any, a: Any) -> Any:
    return (elements.conjugate(a) if a.dtype == COMPLEX else a).swapaxes(-1, -2)


def _cholesky(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    lower, elements = op.bool("lower", False), op.arithmetic()

    def factor(a: Any) -> Any:
        rest, found = a.copy(), np.zeros_like(a)
        for k in range(a.shape[-1]):
            root = elements.sqrt(rest[..., k : k + 1, k])
            found[..., k:, k] = elements.divide(rest[..., k:, k], root)
            found[..., k : k + 1, k] = root
            below = found[..., k + 1 :, k, np.newaxis]
            products = elements.multiply(below, _adjoint(elements, below))
            rest[..., k + 1 :, k + 1 :] = elements.subtract(rest[..., k + 1 :, k + 1 :], products)
        return found

    return factor if lower else lambda a: _adjoint(elements, factor(_adjoint(elements, a)))


def _triangular_solve(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    left_side, unit_diagonal = op.bool("left_side"), op.bool("unit_diagonal")
    transpose_a, elements = op.enum("transpose_a"), op.arithmetic()
    is_transposed = (transpose_a != "NO_TRANSPOSE") == left_side
    lower = op.bool("lower") != is_transposed

    def solve(a: Any, b: Any) -> Any:
        if transpose_a == "ADJOINT" and a.dtype == COMPLEX:
            a = elements.conjugate(a)
        a = a.swapaxes(-1, -2) if is_transposed else a
        x = np.array(b if left_side else b.swapaxes(-1, -2))
        size = a.shape[-1]
        for row in range(size) if lower else reversed(range(size)):
            if not unit_diagonal:
                x[..., row, :] = elements.divide(x[..., row, :], a[..., row, row, np.newaxis])
            rest = slice(row + 1, None) if lower else slice(0, row)
            products = elements.multiply(a[..., rest, row, np.newaxis], x[..., row, np.newaxis, :])
            x[..., rest, :] = elements.subtract(x[..., rest, :], products)
        return x if left_side else x.swapaxes(-1, -2)

    return solve


def _fft(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Products with matrices of roots of unity: numbers for 1, -1, i and -i, else hashes of the fraction of a turn."""
    fft_length, kind = op.ints("fft_length"), op.enum("fft_type")
    axes, complexes = range(-len(fft_length), 0), ComplexFingerprints(DOUBLE, state)

    def along(operand: Any, axis: int, inverse: bool) -> Any:
        moved = np.moveaxis(operand, axis, -1)
        size = moved.shape[-1]
        matrix = _roots(state, size, inverse)
        found = op.program.reading.matmul(moved.reshape(1, -1, size), matrix[np.newaxis], COMPLEX, False)
        return np.moveaxis(found.reshape(moved.shape), -1, axis)

    def over(operand: Any, axes: Sequence[int], inverse: bool = False) -> Any:
        for axis in reversed(axes):
            operand = along(operand, axis, inverse)
        return operand

    def run(operand: Any) -> Any:
        operand = np.asarray(operand)
        if kind in ("FFT", "IFFT"):
            return over(operand, axes, kind == "IFFT")
        if kind == "RFFT":
            whole = over(of_parts(operand, np.zeros((), FINGERPRINT)), axes[-1:])
            return over(whole[..., : operand.shape[-1] // 2 + 1], axes[:-1])
        x = np.array(over(operand, axes[:-1], True)[..., : fft_length[-1] // 2 + 1])
        x["imag"][..., 0] = np.zeros((), FINGERPRINT)
        if fft_length[-1] % 2 == 0:
            x["imag"][..., -1] = np.zeros((), FINGERPRINT)
        whole = np.concatenate([x, np.asarray(complexes.conjugate(x[..., (fft_length[-1] - 1) // 2 : 0 : -1]))], -1)
        return over(whole, [-1], True)["real"]

    return run


def _roots(state: Fingerprinting, size: int, inverse: bool) -> Any:
    """Return the matrix of a discrete Fourier transform."""
    sign = 1 if inverse else -1
    turns = sign * np.multiply.outer(np.arange(size), np.arange(size)) % size
    angle, divisor = 2 * np.pi * turns / size, np.gcd(turns, size)
    fraction = turns // divisor, np.where(divisor, size // np.maximum(divisor, 1), 1)
    mirrored = (fraction[1] - fraction[0]) % fraction[1]
    lower = np.minimum(fraction[0], mirrored)
    main = state.fields.main
    cosine, sine = [state.fields.hashed(name, lower, fraction[1]) for name in ("root real", "root imag")]
    sine = np.where(fraction[0] <= mirrored, sine, main.reduced(-sine))
    is_number, quarter = 4 % fraction[1] == 0, np.rint(4 * turns / size)
    parts = [
        np.where(is_number, state.number(np.rint(of_values(quarter * (np.pi / 2)))), state.result(value, residue))
        for of_values, value, residue in ((np.cos, np.cos(angle), cosine), (np.sin, np.sin(angle), sine))
    ]
    matrix = of_parts(*parts)
    if not inverse:
        return matrix
    floats, count = Fingerprints(DOUBLE, state), state.number(float(size))
    return of_parts(*[floats.divide(part, count) for part in (matrix["real"], matrix["imag"])])


_KERNELS: dict[str, Callable[[Fingerprinting, Op, MakeKernel], Kernel]] = {
    "stablehlo.bitcast_convert": _bitcast_convert,
    "stablehlo.cholesky": _cholesky,
    "stablehlo.dot": _dot_general,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.fft": _fft,
    "stablehlo.triangular_solve": _triangular_solve,
}
