"""The kernels of ops whose definitions ask numpy for arithmetic: by the formulas of their definitions, or hashes."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...bindings.build import attributes_of
from ...bindings.dimension_numbers import DotDimensionNumbers
from ...bindings.types import Kind, TensorType, ValueType
from ...errors import StablehloError
from ..custom_calls import CustomCall, is_users_handler
from ..element_types.ulp import layout
from ..op import Kernel, Op
from ..ops.bodies import as_result
from ..ops.contraction import dot_general_array, matmul_of
from ..plan import as_results
from ..registry import MakeKernel, is_users
from .complex_elements import COMPLEX, of_parts
from .elements import DOUBLE, FINGERPRINT, Fingerprinting, Fingerprints
from .storage import as_numbers, as_values, is_read, numbers, residues

_OBSERVERS = ("check.", "interpreter.print", "interpreter.probe")


def kernel(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Return the kernel of an op: its definition's, unless that asks numpy for arithmetic on elements."""
    if op.name.startswith(_OBSERVERS):
        return lambda *operands: as_result(operands[: len(op.result_types)])
    if op.name == "stablehlo.rng":
        raise op.error("has no reading as fingerprints: its numbers are any")
    if is_users(op.name):
        return _hashed(state, op, make_kernel)
    found = _KERNELS.get(op.name)
    dtypes = [type_.dtype for type_ in (*op.operand_types, *op.result_types) if isinstance(type_, TensorType)]
    is_numeric = FINGERPRINT not in dtypes and COMPLEX not in dtypes
    return make_kernel(op) if found is None or is_numeric else found(state, op, make_kernel)


def _attributes(op: Op) -> str:
    return ", ".join(sorted([f"{name} = {value}" for name, value in attributes_of(op.operation).items()]))


def _on_values(op: Op, make_kernel: MakeKernel) -> Callable[..., Any]:
    """Return the definition's kernel on the operands' values, as numbers of the program's types."""
    plain = copy.copy(op)
    plain.operand_types = tuple(map(as_numbers, op.operand_types))
    plain.result_types = tuple(map(as_numbers, op.result_types))
    compute = make_kernel(plain)

    def on_values(*operands: Any) -> tuple[Any, ...]:
        pairs = zip(operands, plain.operand_types, strict=True)
        given = [as_values(each).astype(t.dtype) if isinstance(t, TensorType) else each for each, t in pairs]
        return as_results(compute(*given), len(op.result_types))

    return on_values


def _hashed(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Return a kernel whose results are hashes of the op's name, attributes and all its operands."""
    on_values = _on_values(op, make_kernel)
    name = f"{op.name} {_attributes(op)}"
    if op.name == "stablehlo.custom_call":  # in whichever version of its interface
        call = CustomCall(op)
        name = f"{call.target} {call.backend_config or None}"

    def run(*operands: Any) -> Any:
        digest = hashlib.sha256(name.encode())
        for operand in operands:
            digest.update(f"{np.shape(operand)}".encode() + residues(operand).tobytes())
        results = enumerate(zip(on_values(*operands), op.result_types, strict=True))
        return as_result([of_digest(f"{digest.hexdigest()} {number}", *each) for number, each in results])

    def of_digest(key: str, value: Any, type_: ValueType) -> Any:
        if not isinstance(type_, TensorType) or type_.dtype not in (FINGERPRINT, COMPLEX):
            return value
        array = np.asarray(value)
        index = np.arange(array.size).reshape(array.shape)
        parts = [state.result(part, state.fields.hashed(f"{key} {name}", index))
                 for name, part in (("real", array.real), ("imag", array.imag))]  # fmt: skip
        return of_parts(*parts) if type_.dtype == COMPLEX else parts[0]

    return run


def _by_definition_or_hashed(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Return the definition's kernel if it only moves elements, which numpy cannot compute with; else hashes."""
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


def _rounded(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Return the definition's kernel, which is the identity, or if rounding counts a function of each element."""
    source, target = [as_numbers(type_) for type_ in (op.operand_types[0], op.result_types[0])]
    if not (state.keeps_rounding and source.element_type.kind is target.element_type.kind is Kind.FLOAT):
        return make_kernel(op)
    name = f"{target.element_type} {_attributes(op)}"
    kept = zip(layout(source.dtype)[:2], layout(target.dtype)[:2], strict=True)
    if op.name == "stablehlo.convert" and all(wide <= narrow for wide, narrow in kept):
        return make_kernel(op)
    on_values = _on_values(op, make_kernel)
    return lambda operand: state.hashed(name, on_values(operand)[0], operand)


def _dot_general(_: Fingerprinting, op: Op, __: MakeKernel) -> Kernel:
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
            given = residues(operand)
            state.doubt(np.broadcast_to(True, given.shape), given)
        return numbers(state, on_values(operand)[0], target.element_type)

    return run


def _fft(state: Fingerprinting, op: Op, make_kernel: MakeKernel) -> Kernel:
    """Products with matrices of roots of unity: numbers for 1, -1, i and -i, else hashes of the fraction of a turn."""
    fft_length, kind = op.ints("fft_length"), op.enum("fft_type")
    axes, zero = range(-len(fft_length), 0), Fingerprints.zero

    def over(operand: Any, axes: Sequence[int], inverse: bool) -> Any:
        for axis in reversed(axes):
            moved = np.moveaxis(operand, axis, -1)
            size = moved.shape[-1]
            rows, matrix = moved.reshape(1, -1, size), _roots(state, size, inverse)[np.newaxis]
            found = op.program.reading.matmul(rows, matrix, COMPLEX, False)
            operand = np.moveaxis(found.reshape(moved.shape), -1, axis)
        return operand

    def run(operand: Any) -> Any:
        operand = np.asarray(operand)
        if kind == "RFFT":
            whole = over(of_parts(operand, zero), axes[-1:], False)
            return over(whole[..., : operand.shape[-1] // 2 + 1], axes[:-1], False)
        if kind != "IRFFT":
            return over(operand, axes, kind == "IFFT")
        x = np.array(over(operand, axes[:-1], True)[..., : fft_length[-1] // 2 + 1])
        x["imag"][..., [0] if fft_length[-1] % 2 else [0, -1]] = zero
        mirrored = op.arithmetic().conjugate(x[..., (fft_length[-1] - 1) // 2 : 0 : -1])
        return over(np.concatenate([x, np.asarray(mirrored)], -1), [-1], True)["real"]

    return run


def _roots(state: Fingerprinting, size: int, inverse: bool) -> Any:
    """Return the matrix of a discrete Fourier transform."""
    turns = (1 if inverse else -1) * np.multiply.outer(np.arange(size), np.arange(size)) % size
    divisor = np.gcd(turns, size)
    numerator, denominator = turns // divisor, size // divisor
    mirrored = (denominator - numerator) % denominator
    hashes = [state.fields.hashed(name, np.minimum(numerator, mirrored), denominator) for name in ("cosine", "sine")]
    hashes[1] = np.where(numerator <= mirrored, hashes[1], state.fields.main.reduced(-hashes[1]))
    parts = []
    for of_angle, residue in zip((np.cos, np.sin), hashes, strict=True):
        value = of_angle(2 * np.pi * turns / size)
        parts.append(np.where(4 % denominator == 0, state.number(np.rint(value)), state.result(value, residue)))
    scale = state.number(float(size if inverse else 1))
    return of_parts(*[Fingerprints(DOUBLE, state).divide(part, scale) for part in parts])


_KERNELS: dict[str, Callable[[Fingerprinting, Op, MakeKernel], Kernel]] = {
    **dict.fromkeys(("stablehlo.custom_call", "stablehlo.einsum", "stablehlo.unary_einsum"), _by_definition_or_hashed),
    "stablehlo.bitcast_convert": _bitcast_convert,
    **dict.fromkeys(("stablehlo.convert", "stablehlo.reduce_precision"), _rounded),
    "stablehlo.dot": _dot_general,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.fft": _fft,
}
