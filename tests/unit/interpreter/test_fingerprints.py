"""Fingerprints have the identities of their functions, their values are the interpreter's, and a change is seen."""

from __future__ import annotations

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import element_type
from stablehlo_py.debug.equivalence import DIFFERENT, SAME, equivalent
from stablehlo_py.errors import InterpreterError
from stablehlo_py.extend import op_kernel
from stablehlo_py.interpreter import registry
from stablehlo_py.interpreter.fingerprints.elements import FINGERPRINT
from stablehlo_py.interpreter.fingerprints.fields import PRIMES, fields
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import argument, as_read, as_values, residues
from stablehlo_py.interpreter.program import Program

RANDOM = np.random.default_rng(0)
COUNT = 200


@pytest.fixture(scope="module", params=range(len(PRIMES)))
def reading(request):
    return FingerprintReading(request.param)


@pytest.fixture(scope="module")
def floats(reading):
    return reading.arithmetic(as_read(element_type("f32")))


def drawn(reading, number: int, low: float = 0.5):
    return reading.state.argument(RANDOM.uniform(low, 2, COUNT), number)


def same(a, b) -> bool:
    return np.array_equal(residues(a), residues(b)) and np.allclose(as_values(a), as_values(b), equal_nan=True)


def test_the_fields_have_inverses_and_exponents(reading):
    both = fields(reading.state.fields.seed)
    for field in (both.main, both.exponents):
        numbers = RANDOM.integers(1, field.modulus, COUNT).astype(np.float64)
        assert (field.reduced(numbers * field.inverse(numbers)) == 1).all()
    x, y = RANDOM.integers(0, both.exponents.modulus, (2, COUNT)).astype(np.float64)
    products = both.main.reduced(both.exponential(x) * both.exponential(y))
    assert np.array_equal(both.exponential(both.exponents.reduced(x + y)), products)


def test_products_of_matrices_are_exact(reading):
    main = reading.state.fields.main
    lhs = RANDOM.integers(0, main.modulus, (2, 3, 5_000))
    rhs = RANDOM.integers(0, main.modulus, (2, 5_000, 4))
    exact = np.matmul(lhs.astype(object), rhs.astype(object)) % main.modulus
    assert np.array_equal(main.matmul(lhs, rhs), exact.astype(np.float64))


IDENTITIES = {
    "x - y = x + -y": lambda f, x, y: (f.subtract(x, y), f.add(x, f.negate(y))),
    "x / y y = x": lambda f, x, y: (f.multiply(f.divide(x, y), y), x),
    "exp(x + y) = exp(x) exp(y)": lambda f, x, y: (
        f.exponential(f.add(x, y)), f.multiply(f.exponential(x), f.exponential(y))),
    "exp(-x) = 1 / exp(x)": lambda f, x, y: (f.exponential(f.negate(x)), f.divide(f._one, f.exponential(x))),
    "expm1": lambda f, x, y: (f.add(f.exponential_minus_one(x), f._one), f.exponential(x)),
    "tanh(x) = 2 logistic(2 x) - 1": lambda f, x, y: (
        f.tanh(x), f.subtract(f.add(f.logistic(f.add(x, x)), f.logistic(f.add(x, x))), f._one)),
    "log1p": lambda f, x, y: (f.log_plus_one(x), f.log(f.add(f._one, x))),
    "exp(y log x) = x^y": lambda f, x, y: (f.exponential(f.multiply(y, f.log(x))), f.power(x, y)),
    "rsqrt": lambda f, x, y: (f.multiply(f.rsqrt(x), f.sqrt(x)), f.divide(x, x)),
    "sqrt(x y) = sqrt(x) sqrt(y)": lambda f, x, y: (f.sqrt(f.multiply(x, y)), f.multiply(f.sqrt(x), f.sqrt(y))),
    "x^3": lambda f, x, y: (f.power(x, f.state.number(3.0)), f.multiply(x, f.multiply(x, x))),
    "x^-2": lambda f, x, y: (f.power(x, f.state.number(-2.0)), f.divide(f._one, f.multiply(x, x))),
    "x^0.5": lambda f, x, y: (f.power(x, f.state.number(0.5)), f.sqrt(x)),
    "cbrt(x)^3 = x": lambda f, x, y: (f.power(f.cbrt(x), f.state.number(3.0)), x),
    "sin(-x) = -sin(x)": lambda f, x, y: (f.sine(f.negate(x)), f.negate(f.sine(x))),
    "cos(-x) = cos(x)": lambda f, x, y: (f.cosine(f.negate(x)), f.cosine(x)),
    "tan": lambda f, x, y: (f.multiply(f.tan(x), f.cosine(x)), f.sine(x)),
    "min + max": lambda f, x, y: (f.add(f.minimum(x, y), f.maximum(x, y)), f.add(x, y)),
    "remainder": lambda f, x, y: (f.remainder(f.add(x, f.state.number(8.0)), f.state.number(4.0)), x),
}  # fmt: skip


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities(name, reading, floats):
    left, right = IDENTITIES[name](floats, drawn(reading, 0), drawn(reading, 1))
    assert same(left, right)


def test_functions_differ(reading, floats):
    names = ("sqrt", "rsqrt", "cbrt", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic",
             "sine", "cosine", "tan", "tanh", "negate")  # fmt: skip
    x = drawn(reading, 0)
    found = [residues(getattr(floats, name)(x)) for name in names]
    assert [(a, b) for i, a in enumerate(names) for j, b in enumerate(names[:i]) if (found[i] == found[j]).any()] == []


def test_numbers_are_their_values(reading, floats):
    values = np.concatenate([[0.0, 1.0, -1.0, 0.1, 2.0**-1074, 1e300], RANDOM.standard_normal(50)])
    whole = RANDOM.integers(-1000, 1000, 50).astype(np.float64)
    assert reading.state.is_number(reading.state.number(values)).all()
    assert same(
        floats.multiply(*map(reading.state.number, (whole, values[0:1] + 0.375))), reading.state.number(whole * 0.375)
    )
    assert same(floats.sqrt(reading.state.number(whole * whole)), reading.state.number(np.abs(whole)))


def test_a_decision_by_rounding_is_a_doubt():
    reading = FingerprintReading()
    floats = reading.arithmetic(as_read(element_type("f32")))
    x, y = [reading.state.argument(np.full(3, 0.25), number) for number in range(2)]
    assert floats.comparison("EQ")(floats.add(x, y), floats.add(y, x)).all()
    assert not reading.state.doubts
    floats.comparison("LT")(x, y)
    assert len(reading.state.doubts) == 3


QUANTIZED = "tensor<3x4x!quant.uniform<i8:f32, 0.5:1>>"
PROGRAM = """func.func @main(%x: tensor<3x4xf32>, %z: tensor<3x4xcomplex<f32>>, %q: {quantized}) -> ({types}) {{
  {ops}
}}"""
OPS = {
    "fft": ("%0 = stablehlo.fft %z, type = FFT, length = [4] : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>",
            "tensor<3x4xcomplex<f32>>"),
    "fft of 3": ("%1 = stablehlo.transpose %z, dims = [1, 0] : (tensor<3x4xcomplex<f32>>) -> tensor<4x3xcomplex<f32>>\n"
                 "%0 = stablehlo.fft %1, type = IFFT, length = [4, 3] : (tensor<4x3xcomplex<f32>>) -> "
                 "tensor<4x3xcomplex<f32>>", "tensor<4x3xcomplex<f32>>"),
    "rfft": ("%0 = stablehlo.fft %x, type = RFFT, length = [3, 4] : (tensor<3x4xf32>) -> tensor<3x3xcomplex<f32>>",
             "tensor<3x3xcomplex<f32>>"),
    "irfft": ("%0 = stablehlo.fft %z, type = IRFFT, length = [6] : (tensor<3x4xcomplex<f32>>) -> tensor<3x6xf32>",
              "tensor<3x6xf32>"),
    "complex": ("%1 = stablehlo.exponential %z : tensor<3x4xcomplex<f32>>\n"
                "%2 = stablehlo.divide %1, %z : tensor<3x4xcomplex<f32>>\n"
                "%3 = stablehlo.sine %2 : tensor<3x4xcomplex<f32>>\n"
                "%0 = stablehlo.log %3 : tensor<3x4xcomplex<f32>>", "tensor<3x4xcomplex<f32>>"),
    "quantized": (f"%0 = stablehlo.uniform_dequantize %q : ({QUANTIZED}) -> tensor<3x4xf32>",
                  "tensor<3x4xf32>"),
    "systems": ("%1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>\n"
                "%2 = stablehlo.dot %x, %1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>\n"
                "%3 = stablehlo.cholesky %2, lower = true : tensor<3x3xf32>\n"
                '%0 = "stablehlo.triangular_solve"(%3, %x) {left_side = true, lower = true, unit_diagonal = false, '
                "transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> "
                "tensor<3x4xf32>", "tensor<3x4xf32>"),
    "products": ('%0 = stablehlo.einsum %x, %x, config = "ab,cb->ac" : (tensor<3x4xf32>, tensor<3x4xf32>) -> '
                 "tensor<3x3xf32>", "tensor<3x3xf32>"),
    "bits": ("%1 = stablehlo.bitcast_convert %x : (tensor<3x4xf32>) -> tensor<3x4xi32>\n"
             "%0 = stablehlo.bitcast_convert %1 : (tensor<3x4xi32>) -> tensor<3x4xf32>", "tensor<3x4xf32>"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPS)
def test_values_are_the_interpreters(name):
    ops, type_ = OPS[name]
    text = PROGRAM.format(quantized=QUANTIZED, types=type_, ops=f"{ops}\n  return %0 : {type_}")
    module = stablehlo_py.parse(text)
    x = RANDOM.standard_normal((3, 4)).astype(np.float32)
    z = (x + 1j * RANDOM.standard_normal((3, 4))).astype(np.complex64)
    values = [x, z, RANDOM.integers(-100, 100, (3, 4)).astype(np.int8)]
    (plain,) = stablehlo_py.interpret(module, values)
    reading = FingerprintReading()
    program = Program(module, None, reading)
    given = [
        argument(reading.state, v, t, n) for n, (v, t) in enumerate(zip(values, program.parameter_types(), strict=True))
    ]
    (found,) = program.run_values(given)
    assert np.allclose(as_values(found), plain, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("type_", ["f32", "bf16", "f64"])
def test_bits_that_stay_of_their_type_are_no_doubt(type_):
    tensor = f"tensor<4x{type_}>"
    text = f"""func.func @main(%x: {tensor}) -> {tensor} {{
      %0 = stablehlo.bitcast_convert %x : ({tensor}) -> {tensor}
      return %0 : {tensor}
    }}"""
    reading = FingerprintReading()
    program = Program(stablehlo_py.parse(text), None, reading)
    x = argument(reading.state, np.linspace(0.1, 0.7, 4), program.parameter_types()[0], 0)
    assert same(program.run_values([x])[0], x)
    assert not reading.state.doubts


def test_transforms_are_linear_and_have_inverses():
    complexes = "tensor<4xcomplex<f32>>"
    text = f"""func.func @main(%z: {complexes}) -> {complexes} {{
      %0 = stablehlo.fft %z, type = FFT, length = [4] : ({complexes}) -> {complexes}
      %1 = stablehlo.fft %0, type = IFFT, length = [4] : ({complexes}) -> {complexes}
      return %1 : {complexes}
    }}"""
    reading = FingerprintReading()
    program = Program(stablehlo_py.parse(text), None, reading)
    z = argument(reading.state, np.arange(4) + 1j, program.parameter_types()[0], 0)
    assert same(program.run_values([z])[0], z)


def test_numpy_has_no_arithmetic_on_fingerprints():
    array = np.zeros(3, FINGERPRINT)
    for compute in (np.add, np.multiply, np.sqrt, np.sum, np.matmul):
        with pytest.raises(TypeError):
            compute(*[array] * (1 if compute in (np.sqrt, np.sum) else 2))


def test_an_op_without_a_reading_is_an_error():
    module = stablehlo_py.parse("""func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<2xf32> {
      %s = stablehlo.constant dense<2> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }""")
    with pytest.raises(InterpreterError, match="no reading as fingerprints"):
        Program(module, None, FingerprintReading()).run_values([np.zeros((), FINGERPRINT)] * 2)


def test_ops_of_users_are_functions_of_their_attributes_and_operands(monkeypatch):
    monkeypatch.setattr(registry, "_USERS", {})

    @op_kernel("mine.scale")
    def scale(op):
        factor = op.operation.attributes["factor"].value
        return lambda operand: operand * np.float32(factor)

    def module(factor):
        text = f"""func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {{
          %0 = "mine.scale"(%a) {{factor = {factor} : f32}} : (tensor<3xf32>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }}"""
        return ir.Module.parse(text, make_context(allow_unregistered_dialects=True))

    assert equivalent(module(2.0), module(2.0)).verdict == SAME
    assert equivalent(module(2.0), module(3.0)).verdict == DIFFERENT
