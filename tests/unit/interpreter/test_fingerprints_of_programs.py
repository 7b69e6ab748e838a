"""Programs of calls and observers as fingerprints: what counts as part of the function, and what does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.debug.equivalence import DIFFERENT, SAME, UNKNOWN, equivalent
from stablehlo_py.interpreter.custom_calls import CustomCall, custom_call_handler, registry
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading
from stablehlo_py.interpreter.fingerprints.storage import as_values
from stablehlo_py.interpreter.program import Program

TARGET = "fingerprints.pair"


@pytest.fixture(autouse=True)
def _handler() -> Iterator[None]:
    @custom_call_handler(TARGET)
    def pair(call: CustomCall, operand: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        flat = operand.reshape(-1)
        return flat + 1, flat + 1

    yield
    registry.USERS.pop(TARGET)


def program(lines: str, result: str, type_: str = "tensor<6xf32>", operand: str = "tensor<6xf32>") -> str:
    return f"func.func @main(%x: {operand}) -> {type_} {{\n{lines}\nreturn {result} : {type_}\n}}"


def pair(config: str = "", type_: str = "tensor<6xf32>", operand: str = "tensor<6xf32>", value: str = "%x") -> str:
    attributes = f'{{backend_config = "{config}"}}' if config else ""
    return f"%r:2 = stablehlo.custom_call @{TARGET}({value}) {attributes} : ({operand}) -> ({type_}, {type_})"


def verdict(first: str, second: str) -> str:
    return equivalent(parsed(first), parsed(second)).verdict


def test_what_only_looks_at_values_is_no_part_of_the_function(capfd: pytest.CaptureFixture[str]) -> None:
    plain = program("", "%x")
    observed = [
        '%y = interpreter.probe %x, probe_id = "p" : tensor<6xf32>',
        "interpreter.print %x : tensor<6xf32>\n%y = stablehlo.optimization_barrier %x : tensor<6xf32>",
    ]
    for lines in observed:
        assert verdict(plain, program(lines, "%y")) == SAME
        doubled = program(f"{lines}\n%z = stablehlo.add %y, %y : tensor<6xf32>", "%z")
        assert verdict(plain, doubled) == DIFFERENT
    assert capfd.readouterr() == ("", "")


def test_calls_are_functions_of_their_options_and_their_results_differ() -> None:
    call = program(pair("a"), "%r#0")
    assert verdict(call, program(pair("a"), "%r#0")) == SAME
    for other in (program(pair("b"), "%r#0"), program(pair(), "%r#0"), program(pair("a"), "%r#1")):
        assert verdict(call, other) == UNKNOWN  # their values are the same


def test_calls_are_functions_of_the_shapes_of_their_operands() -> None:
    shapes = ["tensor<2x3xf32>", "tensor<3x2xf32>", "tensor<6xf32>"]
    texts = [
        program(
            f"%y = stablehlo.reshape %x : (tensor<6xf32>) -> {shape}\n{pair(operand=shape, value='%y')}",
            "%r#0",
        )
        for shape in shapes
    ]
    for index, first in enumerate(texts):
        for number, second in enumerate(texts):
            assert verdict(first, second) == (SAME if number == index else UNKNOWN)


def test_parts_of_complex_results_of_calls_differ() -> None:
    complex_ = "tensor<6xcomplex<f32>>"
    lines = pair(type_=complex_, operand=complex_)
    parts = [
        program(f"{lines}\n%y = stablehlo.{part} %r#0 : ({complex_}) -> tensor<6xf32>", "%y", operand=complex_)
        for part in ("real", "imag")
    ]
    assert verdict(parts[0], parts[0]) == SAME
    zero = "%i = stablehlo.constant dense<0.0> : tensor<6xf32>\n%x0 = stablehlo.complex %x, %i : " + complex_
    real = [
        program(
            f"{zero}\n{pair(type_=complex_, operand=complex_, value='%x0')}\n"
            f"%y = stablehlo.{part} %r#0 : ({complex_}) -> tensor<6xf32>",
            "%y",
        )
        for part in ("real", "imag")
    ]
    assert verdict(*parts) == DIFFERENT
    assert verdict(*real) == DIFFERENT


@pytest.mark.parametrize(("source", "target", "is_doubtful"), [("f32", "i32", True), ("i32", "f32", False)])
def test_bits_of_floats_are_a_doubt_and_floats_of_bits_are_none(source: str, target: str, is_doubtful: bool) -> None:
    line = f"%0 = stablehlo.bitcast_convert %x : (tensor<6x{source}>) -> tensor<6x{target}>"
    text = program(line, "%0", f"tensor<6x{target}>", f"tensor<6x{source}>")
    reading = FingerprintReading()
    runs = Program(parsed(text), None, reading)
    given = np.arange(6).astype(np.float32 if source == "f32" else np.int32)
    (found,) = runs.run_values(reading.arguments_of([given], runs.parameter_types()))
    np.testing.assert_array_equal(as_values(found), given.view(np.float32 if target == "f32" else np.int32))
    assert bool(reading.state.doubts) == is_doubtful
