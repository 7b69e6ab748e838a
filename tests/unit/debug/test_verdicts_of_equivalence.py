"""Verdicts of `equivalent` at their edges, and what their texts and records say."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.debug import draw_arguments, examine
from stablehlo_py.debug.equivalence import (
    DIFFERENT,
    ROUNDED,
    SAME,
    UNKNOWN,
    Equivalence,
    Rounding,
    equivalent,
    function_hash,
    same_function,
)
from stablehlo_py.debug.programs.inputs import Distribution
from stablehlo_py.engines import Limits
from stablehlo_py.errors import ResourceError, StablehloError, UsageError
from stablehlo_py.interpreter.fingerprints.fields import fields
from stablehlo_py.interpreter.fingerprints.reading import FingerprintReading, Run

F = np.float32
NEXT = {value: repr(float(np.nextafter(F(value), F(99)))) for value in (3.0, 5.0, 7.0)}
AFTER = repr(float(np.nextafter(np.nextafter(F(3), F(99)), F(99))))


def program(*ops: str, parameters: str = "%x: tensor<3xf32>", types: str = "tensor<3xf32>") -> ir.Module:
    """A program whose ops are `NAME = OP`, and which returns the last ones, as many as it has types."""
    names = [op.partition(" = ")[0] for op in ops][-types.count("tensor") :]
    body = "\n".join(op if ":" in op else f"{op} : tensor<3xf32>" for op in ops)
    text = f"func.func @main({parameters}) -> ({types}) {{\n{body}\nreturn {', '.join(names)} : {types} }}"
    return parsed(text)


def constant(name: str, value: object) -> str:
    return f"{name} = stablehlo.constant dense<{value}> : tensor<3xf32>"


def scaled(*factors: object, op: str = "multiply") -> ir.Module:
    ops = []
    for number, factor in enumerate(factors):
        ops += [constant(f"%c{number}", factor)]
        ops += [f"%r{number} = stablehlo.{op} {f'%r{number - 1}' if number else '%x'}, %c{number}"]
    return program(*ops, f"%s = stablehlo.sine %r{len(factors) - 1}")


@pytest.mark.parametrize("op", ["multiply", "divide"])
def test_each_rounding_of_a_constant_is_counted_once(op: str) -> None:
    first = scaled(3.0, 5.0, 7.0, op=op)
    assert equivalent(first, scaled(3.0, 5.0, 7.0, op=op)) == Equivalence(SAME, samples=2)
    for others, count in (((NEXT[3.0], 5.0, 7.0), 1), ((NEXT[3.0], NEXT[5.0], 7.0), 2), ((3.0, 5.0, NEXT[7.0]), 1)):
        found = equivalent(first, scaled(*others, op=op))
        assert (found.verdict, len(found.roundings)) == (ROUNDED, count), str(found)
        assert {one.first.partition(" ")[0] for one in found.roundings} == {"stablehlo.constant"}
        plural = "s" if count > 1 else ""
        assert str(found).splitlines()[0] == f"the same function but for {count} rounding{plural} of constants"
        assert len(str(found).splitlines()) == 1 + count
        assert all(0 < one.distance <= 2 * 2.0**-23 for one in found.roundings)


def test_one_constant_stands_for_one_other_though_several_are_near_it() -> None:
    """Two constants of the first program are a rounding apart from the only one of the second."""
    lines = ["%p = stablehlo.multiply %x, %a", "%s = stablehlo.sine %p"]
    first = program(constant("%a", 3.0), constant("%b", NEXT[3.0]), *lines)
    found = equivalent(first, program(constant("%a", AFTER), *lines))
    assert [one.first for one in found.roundings] == ["stablehlo.constant at <string>:2:6"], str(found)


@pytest.mark.parametrize(
    ("value", "verdict"), [(3.0, SAME), (NEXT[3.0], ROUNDED), (3.00001, DIFFERENT), (3.1, DIFFERENT), (-3.0, DIFFERENT)]
)
def test_constants_that_are_more_than_a_rounding_apart_make_other_functions(value: object, verdict: str) -> None:
    found = equivalent(scaled(3.0), scaled(value))
    assert found.verdict == verdict, str(found)
    assert found.exit_code == {SAME: 0, ROUNDED: 0, DIFFERENT: 1}[verdict]
    assert found.is_same == (verdict != DIFFERENT)
    assert bool(found.arguments) == (verdict == DIFFERENT)


def test_a_long_chain_of_factors_is_followed() -> None:
    factors = [3.0] * 6
    found = equivalent(scaled(*factors, 7.0), scaled(*factors, NEXT[7.0]))
    assert (found.verdict, len(found.roundings)) == (ROUNDED, 1), str(found)
    inverse = equivalent(scaled(7.0, op="divide"), scaled(float(F(1) / F(7))))
    assert (inverse.verdict, len(inverse.roundings)) == (ROUNDED, 1), str(inverse)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 10])
@pytest.mark.parametrize("is_first", [True, False])
def test_up_to_eight_factors_in_a_row_are_one_that_is_a_rounding_apart(count: int, is_first: bool) -> None:
    chain = scaled(*[3.0] * count)
    product = scaled(repr(float(np.nextafter(F(3.0**count), F(np.inf)))))
    found = equivalent(*((chain, product) if is_first else (product, chain)))
    assert (found.verdict == ROUNDED) == (count <= 8), str(found)
    assert len(found.roundings) == (count <= 8), str(found)


@pytest.mark.parametrize(("samples", "same"), [(1, True), (3, True), (3, False)])
def test_the_first_difference_ends_the_samples(samples: int, same: bool) -> None:
    other = program("%0 = stablehlo.sine %x" if same else "%0 = stablehlo.cosine %x")
    found = equivalent(program("%0 = stablehlo.sine %x"), other, samples=samples)
    assert (found.samples, found.verdict) == ((samples, SAME) if same else (1, DIFFERENT))


@pytest.mark.parametrize("words", [{}, {"arguments": [F([1, 2, 3])]}])
def test_no_sample_tells_nothing(words: dict[str, Any]) -> None:
    programs = program("%0 = stablehlo.sine %x"), program("%0 = stablehlo.cosine %x")
    for samples in (0, -1):
        with pytest.raises(UsageError, match="there is no set of arguments to run"):
            equivalent(*programs, samples=samples, **words)
    with pytest.raises(UsageError, match="there is no set of arguments to run"):
        function_hash(programs[0], samples=0)


def test_the_element_that_differs_most_is_shown() -> None:
    types = "tensor<3xf32>, tensor<3xf32>"
    ops = [constant("%w", "[1.0, 2.0, 3.0]"), constant("%z", "[0.0, 0.0, 0.0]")]
    first = program(*ops, "%p = stablehlo.add %x, %z", "%q = stablehlo.multiply %x, %z", types=types)
    second = program(*ops, "%p = stablehlo.add %x, %z", "%q = stablehlo.multiply %x, %w", types=types)
    found = equivalent(first, second, arguments=[F([1, 1, 1])])
    assert found.message == "result 1[2] is 0.0 in the first program, 3.0 in the second"
    lines = str(found).splitlines()
    assert lines[0] == f"{DIFFERENT}: {found.message}"
    named = [(number, op) for number, op in enumerate(found.first, 1) if op]
    assert lines[1:] == [f"  first op of program {number} that the other lacks: {op}" for number, op in named] != []


def test_results_of_other_shapes_are_another_function() -> None:
    one = program("%0 = stablehlo.sine %x")
    two = program("%0 = stablehlo.slice %x [0:2] : (tensor<3xf32>) -> tensor<2xf32>", types="tensor<2xf32>")
    found = equivalent(one, two)
    assert (found.verdict, found.message) == (DIFFERENT, "results of shapes [(3,)] and [(2,)]")


def test_integers_that_differ_are_another_function() -> None:
    options = {"parameters": "%x: tensor<3xi32>", "types": "tensor<3xi32>"}
    one, two = (program(f"%0 = stablehlo.{op} %x, %x : tensor<3xi32>", **options) for op in ("add", "multiply"))
    found = equivalent(one, two, arguments=[np.int32([2, 5, 2])])
    assert (found.verdict, found.message) == (
        DIFFERENT, "result 0[1] is 10 in the first program, 25 in the second")  # fmt: skip


def test_conversions_to_narrower_floats_count_only_if_they_are_asked_for() -> None:
    narrow = program(
        "%0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xbf16>",
        "%1 = stablehlo.convert %0 : (tensor<3xbf16>) -> tensor<3xf32>",
        "%2 = stablehlo.sine %1",
    )
    plain = program("%2 = stablehlo.sine %x")
    assert equivalent(plain, narrow).verdict == SAME
    assert equivalent(plain, narrow, keeps_rounding=False).verdict == SAME
    assert equivalent(plain, narrow, keeps_rounding=True).verdict != SAME
    assert equivalent(narrow, narrow, keeps_rounding=True).verdict == SAME


def test_what_does_not_run_cannot_be_told_and_says_why() -> None:
    unheard = program("%0 = stablehlo.custom_call @unheard(%x) : (tensor<3xf32>) -> tensor<3xf32>")
    found = equivalent(program("%0 = stablehlo.sine %x"), unheard)
    assert (found.verdict, found.exit_code) == (UNKNOWN, 2)
    assert "unheard" in found.message
    assert len(found.arguments) == 1


def test_a_run_beyond_its_limit_is_an_error_and_no_verdict() -> None:
    loop = """func.func @main() -> tensor<i64> {
      %zero = stablehlo.constant dense<0> : tensor<i64>
      %one = stablehlo.constant dense<1> : tensor<i64>
      %0 = stablehlo.while(%i = %zero) : tensor<i64> cond {
        %c = stablehlo.compare GE, %i, %zero : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do { %j = stablehlo.add %i, %one : tensor<i64>
             stablehlo.return %j : tensor<i64> }
      return %0 : tensor<i64> }"""
    endless = parsed(loop)
    with pytest.raises(ResourceError):
        equivalent(endless, endless, limits=Limits(0.05))


@pytest.mark.parametrize("verdicts", list(product((SAME, UNKNOWN, DIFFERENT), repeat=3)))
def test_the_worst_verdict_of_all_samples_counts_the_first_of_equal_ones(verdicts: tuple[str, ...]) -> None:
    """A difference ends the samples; each has fields and arguments of its own."""
    asked: list[int] = []

    def run_of(sample: int, number: int) -> Run:
        def run(reading: FingerprintReading) -> list[np.ndarray]:
            asked.append(sample)
            assert reading.state.fields is fields(sample)
            if verdicts[sample] == UNKNOWN:
                raise StablehloError(f"why {sample}")
            return [np.array([sample + number * (verdicts[sample] == DIFFERENT)], np.int32)]

        return run

    arguments = [[np.int32([sample])] for sample in range(3)]
    found = same_function([(run_of(sample, 0), run_of(sample, 9), arguments[sample]) for sample in range(3)])
    worst = max(verdicts, key=[SAME, UNKNOWN, DIFFERENT].index)
    sample = verdicts.index(worst)
    assert found.verdict == worst
    assert found.exit_code == {SAME: 0, UNKNOWN: 2, DIFFERENT: 1}[worst]
    assert found.samples == (sample + 1 if worst == DIFFERENT else 3)
    assert list(dict.fromkeys(asked)) == list(range(found.samples))
    assert [each.tolist() for each in found.arguments] == ([] if worst == SAME else [[sample]])
    shown = f"result 0[0] is {sample} in the first program, {sample + 9} in the second"
    assert found.message == {SAME: "", UNKNOWN: f"error: why {sample}", DIFFERENT: shown}[worst]


def test_arguments_that_are_given_serve_every_sample() -> None:
    module = program("%0 = stablehlo.sine %x")
    given = [F([1, 2, 3])]
    assert equivalent(module, module, arguments=given, samples=4).samples == 4


def test_function_names_depend_on_the_function_and_its_arguments_alone() -> None:
    add, swapped = program("%0 = stablehlo.add %x, %x"), program(constant("%c", 2.0), "%0 = stablehlo.multiply %c, %x")
    assert function_hash(add) == function_hash(swapped)
    assert function_hash(add) != function_hash(add, samples=1)
    assert len(function_hash(add)) == 32
    both = program("%0 = stablehlo.add %x, %x", "%1 = stablehlo.sine %x", types="tensor<3xf32>, tensor<3xf32>")
    assert len({function_hash(one) for one in (add, both, program("%0 = stablehlo.sine %x"))}) == 3


ROUNDINGS = (Rounding("a at f:1", "b at g:2", 1.25e-7), Rounding("c", "d", 0.5))


@pytest.mark.parametrize(
    ("found", "texts", "level"),
    [
        (Equivalence(SAME), [], ""),
        (Equivalence(ROUNDED, ROUNDINGS), ["a at f:1 ~ b at g:2: 1.2e-07 apart", "c ~ d: 5.0e-01 apart"], "note"),
        (Equivalence(UNKNOWN, message="why"), ["cannot tell: why"], "warning"),
        (
            Equivalence(DIFFERENT, first=("", "add at f:1"), message="far"),
            ["different functions: far\n  first op of program 2 that the other lacks: add at f:1"],
            "error",
        ),
    ],
)
def test_sarif_has_a_result_for_each_rounding_or_for_the_verdict(found, texts, level) -> None:
    (run,) = found.as_sarif("p.mlir")["runs"]
    assert [one["message"]["text"] for one in run["results"]] == texts
    assert {one["level"] for one in run["results"]} == ({level} if level else set())
    assert {one["ruleId"] for one in run["results"]} == ({"equiv"} if level else set())
    assert run["tool"]["driver"]["name"] == "stablehlo equiv"
    for one in run["results"]:
        (location,) = one["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"].endswith("p.mlir")


def test_records_have_every_field_but_the_arguments() -> None:
    found = Equivalence(ROUNDED, ROUNDINGS, ("x", ""), "m", 2, (F([1]),)).as_dict()
    assert json.loads(json.dumps(found)) == {
        "verdict": ROUNDED,
        "roundings": [
            {"first": "a at f:1", "second": "b at g:2", "distance": 1.25e-7},
            {"first": "c", "second": "d", "distance": 0.5},
        ],
        "first": ["x", ""],
        "message": "m",
        "samples": 2,
    }


@pytest.mark.parametrize("sizes", [(2, 0, 3), (0, 4, 3), (2, 4, 0)])
def test_products_without_elements_are_compared(sizes: tuple[int, int, int]) -> None:
    rows, terms, columns = sizes
    texts = [
        f"""func.func @main(%x: tensor<{rows}x{terms}xf32>, %y: tensor<{terms}x{columns}xf32>)
            -> tensor<{rows}x{columns}xf32> {{
          %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
            : (tensor<{rows}x{terms}xf32>, tensor<{terms}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
          %1 = stablehlo.{op} %0 : tensor<{rows}x{columns}xf32>
          return %1 : tensor<{rows}x{columns}xf32> }}"""
        for op in ("sine", "cosine")
    ]
    one, other = (parsed(text) for text in texts)
    assert equivalent(one, one).verdict == SAME
    assert equivalent(one, other).verdict == (SAME if 0 in (rows, columns) else DIFFERENT)


HALVES = ["%z = stablehlo.constant dense<0.0> : tensor<3xf32>",
          "%p = stablehlo.compare GT, %x, %z : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>",
          "%s = stablehlo.sine %x : tensor<3xf32>", "%c = stablehlo.cosine %x : tensor<3xf32>",
          "%0 = stablehlo.select %p, %s, %c : tensor<3xi1>, tensor<3xf32>"]  # fmt: skip


def whole(lines: list[str]) -> ir.Module:
    body = "\n".join(lines)
    text = f"func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{\n{body}\nreturn %0 : tensor<3xf32> }}"
    return parsed(text)


@pytest.mark.parametrize("key", [None, 0])
@pytest.mark.parametrize(("low", "high", "verdict"), [(1.0, 2.0, SAME), (-2.0, -1.0, DIFFERENT)])
def test_arguments_are_drawn_as_is_asked_for(key: int | None, low: float, high: float, verdict: str) -> None:
    one, other = whole(HALVES), whole(["%0 = stablehlo.sine %x : tensor<3xf32>"])
    drawn = {key: Distribution("uniform", low, high)}
    found = equivalent(one, other, distributions=drawn, seed=4)
    assert found.verdict == verdict
    if verdict == DIFFERENT:
        subject = examine(one)
        (expected,) = draw_arguments(subject.function, 4, drawn)
        assert [argument.tolist() for argument in found.arguments] == [expected.tolist()]


@pytest.mark.parametrize("seed", range(4))
def test_the_arguments_that_show_a_difference_are_those_of_its_sample(seed: int) -> None:
    """Each sample has arguments of its own; the functions differ below zero alone."""
    one, other = whole(HALVES), whole(["%0 = stablehlo.sine %x : tensor<3xf32>"])
    subject = examine(one)
    drawn = [draw_arguments(subject.function, seed + number)[0] for number in range(4)]
    found = equivalent(one, other, samples=4, seed=seed)
    number = next((number for number, each in enumerate(drawn) if (each <= 0).any()), None)
    assert number is not None
    assert (found.verdict, found.samples) == (DIFFERENT, number + 1)
    assert [argument.tolist() for argument in found.arguments] == [drawn[number].tolist()]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_roundings_are_counted_in_words(count: int) -> None:
    found = Equivalence(ROUNDED if count else SAME, ROUNDINGS[:count])
    heads = [SAME, "the same function but for 1 rounding of constants",
             "the same function but for 2 roundings of constants"]  # fmt: skip
    assert found.summary == heads[count]
    assert replace(found, message="why").summary == f"{heads[count]}: why"
    assert str(found).splitlines() == [heads[count], *(f"  {each}" for each in ROUNDINGS[:count])]


@pytest.mark.parametrize(("value", "verdict"), [(999999936, DIFFERENT), (1e9, UNKNOWN), (1000000064, UNKNOWN)])
def test_values_without_constants_have_to_differ_by_more_than_a_billionth(value: float, verdict: str) -> None:
    """Of functions that an identity may connect, the second is smaller by one."""
    zero = "%z = stablehlo.subtract %x, %x"
    one = program(zero, "%r = stablehlo.add %x, %z")
    other = program(zero, "%e = stablehlo.exponential %z", "%r = stablehlo.subtract %x, %e")
    found = equivalent(one, other, arguments=[np.full(3, value, F)])
    assert found.verdict == verdict, str(found)
    assert "may be explained by an identity that fingerprints do not know" in found.message or verdict == DIFFERENT
