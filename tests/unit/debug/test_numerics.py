"""Rounding errors are attributed to the ops that make them."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.programs.subject import OpLocation, examine
from stablehlo_py.debug.tracing.numerics import Contribution, Numerics, _sum_causes, numerics, numerics_text, plot

T = "tensor<16xf32>"


@pytest.fixture(scope="module")
def shadow():
    return Local("f64")


def found(body, shadow, *arguments, engine="reference"):
    lines = "\n".join(f"%{number} = {line}" for number, line in enumerate(body))
    names = ", ".join(f"%{name}: {T}" for name in "abc"[: len(arguments)])
    text = f"func.func @main({names}) -> {T} {{\n{lines}\nreturn %{len(body) - 1} : {T} }}"
    given = [np.float32(a) for a in arguments]
    return numerics(examine(stablehlo_py.parse(text)), given, Local(engine.partition(":")[2]), shadow)


SMALL = np.linspace(0.1, 0.9, 16)


def test_the_subtraction_that_cancels_is_first(shadow):
    body = [f"stablehlo.add %a, %b : {T}", f"stablehlo.subtract %0, %b : {T}", f"stablehlo.sine %1 : {T}"]
    worst = found(body, shadow, SMALL, np.full(16, 1e5)).ranked()[0]
    assert worst.place.op == "stablehlo.subtract"
    assert worst.causes == ("cancellation",)
    assert worst.introduced == 0  # the subtraction itself is exact: it shows what was lost before


def test_a_number_that_is_too_small_to_matter_is_absorbed(shadow):
    (addition,) = found([f"stablehlo.add %a, %b : {T}"], shadow, SMALL, np.full(16, 1e9)).contributions
    assert addition.causes == ("absorption",)
    assert addition.elements == (1.0,)


def test_overflow_and_underflow_are_told_from_what_double_precision_has(shadow):
    body = [f"stablehlo.multiply %a, %b : {T}"]
    (large,) = found(body, shadow, SMALL, np.full(16, 1e5), engine="reference:f16").contributions
    assert "overflow" in large.causes
    (tiny,) = found(body, shadow, SMALL, np.full(16, 1e-6), engine="reference:f16").contributions
    assert "underflow" in tiny.causes
    assert tiny.amount == "denormal numbers"


def test_errors_are_those_of_numpy_in_both_precisions(shadow):
    body = [f"stablehlo.multiply %a, %a : {T}", f"stablehlo.add %0, %a : {T}"]
    single = np.float32(SMALL) * np.float32(SMALL) + np.float32(SMALL)
    double = np.float64(np.float32(SMALL)) ** 2 + np.float64(np.float32(SMALL))
    expected = np.sqrt(np.mean((single - double) ** 2) / np.mean(double**2))
    assert found(body, shadow, SMALL).contributions[1].total == pytest.approx(expected, rel=1e-6)


def test_ops_without_floats_contribute_nothing(shadow):
    text = f"""func.func @main(%a: {T}, %n: tensor<2xi32>) -> ({T}, tensor<2xi32>, tensor<16xi1>, tensor<16xi32>) {{
      %0 = stablehlo.sine %a : {T}
      %1 = stablehlo.add %n, %n : tensor<2xi32>
      %2 = stablehlo.compare LT, %0, %a : ({T}, {T}) -> tensor<16xi1>
      %3 = stablehlo.convert %a : ({T}) -> tensor<16xi32>
      return %0, %1, %2, %3 : {T}, tensor<2xi32>, tensor<16xi1>, tensor<16xi32>
    }}"""
    given = [np.float32(SMALL), np.array([1, 2], np.int32)]
    outcome = numerics(examine(stablehlo_py.parse(text)), given, Local(""), shadow)
    assert [one.place.op for one in outcome.contributions] == ["stablehlo.sine"]


def test_source_lines_add_up(shadow):
    result = found([f"stablehlo.sine %a : {T}", f"stablehlo.cosine %0 : {T}"], shadow, SMALL)
    assert list(result.by_line()) == sorted(result.by_line(), key=lambda line: -result.by_line()[line])
    assert len(result.by_line()) == 2


BITS = """!t = tensor<3xf32>
func.func @main(%a: !t, %m: tensor<f32>) -> (tensor<3xi32>, !t, !t, tensor<2xf32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<3xf32>) -> tensor<3xi32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<3xi32>) -> tensor<3xf32>
  %2 = stablehlo.reduce_precision %a, format = e5m2 : tensor<3xf32>
  %3 = stablehlo.constant dense<2> : tensor<1xi64>
  %4 = stablehlo.rng %m, %m, %3, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1, %2, %4 : tensor<3xi32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>
}"""


def test_ops_on_bits_work_on_the_values_in_their_own_types(shadow):
    values = np.float32([1, 0.1, 3.14159])
    outcome = shadow.run(BITS.encode(), [values, np.float32(0.1)])
    bits, back, reduced, random = outcome.results
    assert bits.tolist() == values.view(np.int32).tolist()
    assert (back.dtype, back.tolist()) == (np.float64, values.astype(np.float64).tolist())
    assert reduced.tolist() == [1.0, 0.09375, 3.0]
    assert random.tolist() == [float(np.float32(0.1))] * 2


def test_the_shadow_goes_on_behind_bits(shadow):
    body = [
        f"stablehlo.bitcast_convert %a : ({T}) -> tensor<16xi32>",
        f"stablehlo.bitcast_convert %0 : (tensor<16xi32>) -> {T}",
        f"stablehlo.sine %1 : {T}",
    ]
    outcome = found(body, shadow, SMALL)
    sine = next(one for one in outcome.contributions if one.place.op == "stablehlo.sine")
    plain = found([f"stablehlo.sine %a : {T}"], shadow, SMALL).contributions[0]
    assert sine.total == sine.grown == plain.total > 0


def test_what_cannot_be_measured_says_why(shadow):
    text = f"""func.func @main(%a: {T}) -> {T} {{
      %s = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
      %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, {T})
      %2 = stablehlo.sine %a : {T}
      %3 = stablehlo.minimum %1, %2 : {T}
      %4 = stablehlo.sine %2 : {T}
      return %3 : {T} }}"""
    outcome = numerics(examine(stablehlo_py.parse(text)), [np.float32(SMALL)], Local(), shadow)
    by_op = {one.place.number: one for one in outcome.contributions}
    assert by_op[3].total is by_op[3].grown is None
    assert "does not run #1 stablehlo.rng_bit_generator" in by_op[3].unmeasured
    assert by_op[2].total > 0
    assert "           -           -  #3 stablehlo.minimum" in str(outcome)
    assert "<td>-</td>" in outcome._repr_html_()


def test_the_accuracy_that_an_op_states_is_shown(shadow):
    tolerance = "atol = 1.0e-3, rtol = 0x7FF8000000000000, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>"
    body = [f'"stablehlo.tanh"(%a) {{result_accuracy = #stablehlo.result_accuracy<{tolerance}>}} : ({T}) -> {T}']
    text = str(found(body, shadow, SMALL))
    assert "(result_accuracy of the op: atol 0.001, rtol 0, 2 ULP)" in text


def made(number, grown, introduced=0.0, location="", causes=(), **more):
    place = OpLocation(number, "stablehlo.add", location, "")
    return Contribution(
        place, introduced, 1.0, grown, causes, (0.25,) * len(causes), amount=f"{introduced:g} ULP", **more
    )


def test_what_grows_most_is_first_then_what_is_introduced_then_the_order_of_the_program():
    ops = [made(3, 0.0, 2.0), made(0, -1.0, 9.0), made(1, 0.0, 1.0), made(2, 5.0), made(4, 0.0, 2.0)]
    assert [one.place.number for one in Numerics(tuple(ops), None).ranked()] == [2, 3, 4, 1, 0]


def test_lines_add_up_what_grows_and_nothing_that_shrinks():
    grown = [(1.0, "a"), (-8.0, "a"), (2.0, "b"), (0.5, "a"), (0.25, "")]
    ops = [made(number, amount, location=place) for number, (amount, place) in enumerate(grown)]
    found = Numerics(tuple(ops), None)
    assert list(found.by_line().items()) == [("b", 2.0), ("a", 1.5), ("stablehlo.add", 0.25)]
    assert found.as_dict()["lines"] == found.by_line()


@pytest.mark.parametrize(
    ("causes", "note", "code"),
    [((), "", 0), ((), "stopped", 2), (("overflow",), "stopped", 1), (("underflow",), "", 0), (("overflow",), "", 1)],
)
def test_codes_tell_overflow_before_what_did_not_run(causes, note, code):
    found = Numerics((made(0, 1.0), made(1, 1.0, causes=causes)), None, note)
    assert found.exit_code == code
    assert str(found).endswith(f"note: {note}") == bool(note)
    assert (f"({causes[0]} 25%)" in str(found)) if causes else ("%" not in str(found))


def test_the_first_ten_ops_are_shown():
    found = Numerics(
        tuple(made(number, 1.0, location=f"m.py:{number}") for number in range(11)), OpLocation(7, "x", "", "")
    )
    assert str(found).count("#") == 11  # with the first NaN
    assert "#9 " in str(found)
    assert "#10 " not in str(found)
    assert "first NaN or infinity: #7 x" in str(found)


def test_a_sum_cancels_and_absorbs_from_half_of_the_digits_and_half_of_a_unit_on():
    half, unit = 2.0**-11.5, 2.0**-23

    def share(first, second, result):
        return tuple(_sum_causes(np.float64([first]), np.float64([second]), np.float32([result])).values())

    assert share(1.0, -1.0, np.nextafter(np.float32(half), np.float32(0)))[0] == 1.0
    assert share(1.0, -1.0, np.nextafter(np.float32(half), np.float32(1)))[0] == 0.0
    wide = [_sum_causes(np.ones(1), -np.ones(1), np.array([2.0**-26 * one]))["cancellation"] for one in (0.99, 1, 1.01)]
    assert wide == [1.0, 0.0, 0.0]
    assert share(0.0, 0.0, 0.0) == (0.0, 0.0)
    assert [share(1.0, small, 1.0)[1] for small in (unit / 2, np.nextafter(unit / 2, 0), -unit / 4, 0.0)] == [
        0,
        1,
        1,
        0,
    ]
    assert share(unit / 4, -1.0, -1.0)[1] == 1.0


def test_errors_are_relative_to_the_values_in_double_precision(shadow):
    body = [f"stablehlo.multiply %a, %a : {T}", f"stablehlo.multiply %0, %a : {T}"]
    lost = found(body, shadow, np.full(16, 1e-3), engine="reference:f16").contributions[1]
    assert lost.total == 1.0  # the whole value: it is zero in the narrow type
    large = found(body, shadow, np.full(16, 1e3), engine="reference:f16").contributions[1]
    assert large.total == np.inf
    exact = np.float32(0.3).astype(float) ** 2
    narrow = float(np.float16(0.3) * np.float16(0.3))
    first = found(body, shadow, np.full(16, 0.3), engine="reference:f16").contributions[0]
    assert first.total == pytest.approx(abs(narrow - exact) / exact, rel=1e-6)


@pytest.mark.parametrize("zeros", [0, 4, 16])
def test_products_that_are_zero_in_both_precisions_are_no_underflow(zeros, shadow):
    body = [f"stablehlo.multiply %a, %b : {T}"]
    for value, lost in ((1.0, False), (1e-20, True), (1e-30, True)):  # 1e-40 is denormal, 1e-60 is nothing in f32
        a, b = np.full(16, value), np.full(16, value)
        a[:zeros] = 0
        (one,) = found(body, shadow, a, b).contributions
        share = (16 - zeros) / 16 if lost else 0.0
        assert dict(zip(one.causes, one.elements, strict=True)) == ({"underflow": share} if share else {}), value


def test_complex_sums_have_no_causes():
    """What cancels in one part of a number may be small in the other."""
    text = """func.func @main(%a: tensor<2xcomplex<f32>>, %b: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
      %0 = stablehlo.subtract %a, %b : tensor<2xcomplex<f32>>
      return %0 : tensor<2xcomplex<f32>>
    }"""
    a = np.complex64([1 + 1e5j, 3 - 2j])
    subject = examine(stablehlo_py.parse(text))
    (one,) = numerics(subject, [a, a - np.complex64(1e-6)], Local(), Local("f64")).contributions
    assert (one.causes, one.elements) == ((), ())


@pytest.mark.parametrize("top", [0, 2, 3, 9])
def test_the_text_has_so_many_ops_and_lines(top):
    ops = [
        replace(made(n, 1.0, 2.0), place=OpLocation(n, "stablehlo.abs", f"a.py:{n}:1", ""), grown=n) for n in range(5)
    ]
    text, by_line = numerics_text(Numerics(tuple(ops), None), top).split("by source line:")
    numbers = [4, 3, 2, 1, 0][:top]
    assert [line.split()[3] for line in text.splitlines()[1:]] == [f"#{n}" for n in numbers]
    assert [line.split()[1] for line in by_line.strip().splitlines()] == [f"a.py:{n}:1" for n in numbers]


def test_the_plot_has_the_total_and_the_introduced_error_of_every_op(monkeypatch, tmp_path):
    """What is introduced is drawn up to 16 ULP, and what is unknown is left out."""
    drawn = []

    class Axes:
        def __getattr__(self, name):
            return lambda *given, **options: drawn.append((name, given, options)) or self

    class Figure(Axes):
        def __init__(self, **options):
            pass

        def savefig(self, path):
            drawn.append(("saved", (path,), {}))

    monkeypatch.setitem(sys.modules, "matplotlib", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "matplotlib.figure", SimpleNamespace(Figure=Figure))
    ops = [made(0, 1.0, 2.0), made(3, 1.0, 16.0), made(4, 1.0, 17.5), replace(made(7, None, 0.0), total=None)]
    plot(Numerics(tuple(ops), None), str(tmp_path / "a.png"))
    calls = {name: given for name, given, _ in drawn}
    numbers, totals = calls["plot"]
    assert numbers == [0, 3, 4, 7]
    assert totals[:3] == [1.0, 1.0, 1.0]
    assert np.isnan(totals[3])
    assert calls["bar"] == ([0, 3, 4, 7], [2.0, 16.0, 16.0, 0.0])
    assert calls["saved"] == (str(tmp_path / "a.png"),)
