"""The conformance kit: its names, its bytes, its verdicts, and that the reference passes a part of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from speeds import later

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.cli.verbs.conformance import command
from stablehlo_py.conformance.case import Case, Expected, single
from stablehlo_py.conformance.cases.derived import derived
from stablehlo_py.conformance.cases.elementwise import ON_FLOATS, ON_INTEGERS, float_pool, integers_of
from stablehlo_py.conformance.catalog import Choice, Draw, cases, families
from stablehlo_py.conformance.generate.texts import tensor, typed_program
from stablehlo_py.conformance.generate.values import BINARY, ELEMENTS, FLOATS, INTEGERS, UNARY, part_of, values
from stablehlo_py.conformance.oracle import functions, scalars
from stablehlo_py.conformance.oracle.rounding import rounded
from stablehlo_py.conformance.score.export import _scored, check, export, exported_cases
from stablehlo_py.conformance.score.reports import Known, read_known, regressions
from stablehlo_py.conformance.score.run import Kept, run
from stablehlo_py.conformance.score.scoring import judge, score
from stablehlo_py.dialect.facts import op_names
from stablehlo_py.engines import Outcome
from stablehlo_py.errors import InputError, UsageError

EXAMPLES = Path(__file__).parents[3] / "examples"

FEW = Choice(ops=("add", "sort", "gather", "while"), types=("i32", "bf16"), level="smoke")


def expecting(expected: Expected, kind: str = "ordinary") -> Case:
    return single("negate", "f32", kind, [("f32", expected.value)], [expected], source="the test")


def test_every_op_that_stands_alone_has_cases() -> None:
    context = make_context()
    known = {name for name in op_names("stablehlo") if context.is_registered_operation(name)}
    without = known - {f"stablehlo.{op}" for op in families()}
    assert without == {"stablehlo.return"}  # it is in every region of the others


def test_elementwise_ops_are_tried_on_the_real_types_that_the_verifier_takes() -> None:
    context = make_context()

    def takes(op: str, element: str) -> bool:
        types = [tensor((), element)] * len(op_signature(f"stablehlo.{op}").operands)
        names = ", ".join(f"%{index}" for index in range(len(types)))
        try:
            ir.Module.parse(typed_program(types, types[:1], f'"stablehlo.{op}"({names})'), context)
        except ir.MLIRError:
            return False
        return True

    for op in ON_INTEGERS.keys() | ON_FLOATS:
        tried = [*integers_of(op), *(FLOATS if op in ON_FLOATS else ())]
        assert tried == [element for element in (*INTEGERS, *FLOATS) if takes(op, element)], op


def test_names_are_stable_and_stand_for_one_case_each() -> None:
    first, again = list(cases(FEW)), list(cases(FEW))
    assert [case.digest() for case in first] == [case.digest() for case in again]
    assert max(Counter(case.name for case in first).values()) == 1
    other = list(cases(replace(FEW, seed=1)))
    assert [case.name for case in other] == [case.name for case in first]
    assert [case.digest() for case in other] != [case.digest() for case in first]


def test_a_case_does_not_depend_on_which_others_are_asked_for() -> None:
    alone = {case.name: case.digest() for case in cases(replace(FEW, ops=("sort",), types=("bf16",)))}
    among = {case.name: case.digest() for case in cases(Choice(ops=("sort",)))}
    assert alone
    assert all(among[name] == digest for name, digest in alone.items())


@pytest.mark.parametrize(("types", "least"), [(("quantized",), 30), later(("i32", "f32", "i1", "quantized"), 400)])
def test_the_reference_passes(types: tuple[str, ...], least: int) -> None:
    report = run("reference", Choice(level="smoke", types=types))
    assert report.count("pass") == len(report.entries) > least
    assert not regressions(report, [])


@pytest.mark.parametrize(
    ("element", "ops"),
    [
        (
            "i32",
            "add all_reduce collective_permute cross-replica-sum dot_general gather reduce reduce_window reverse "
            "scatter select sort transpose while",
        ),
        ("ui8", "convert rng rng_bit_generator shift_left"),
        ("f32", "cholesky maximum reduce_precision sign"),
    ],
)
def test_the_reference_passes_some_ops_of_each_file_of_cases(element: str, ops: str) -> None:
    report = run("reference", Choice(ops=tuple(ops.split()), level="smoke", types=(element,)))
    assert {entry.op for entry in report.entries} == set(ops.split())
    assert [entry.name for entry in report.entries if entry.verdict != "pass"] == []


@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "f16"])
def test_kinds_of_floats_meet_at_the_smallest_normal_number(element: str) -> None:
    tiny = 2.0 ** {"f64": -1022, "f16": -14}.get(element, -126)
    pools = {kind: float_pool(element, kind) for kind in ("ordinary", "denormals", "special values")}
    with np.errstate(invalid="ignore"):  # signaling NaN
        sizes = {kind: np.abs(pool.astype(np.float64)) for kind, pool in pools.items()}
    assert sizes["ordinary"].min() == tiny
    assert sizes["denormals"].min() > 0
    assert sizes["denormals"].max() < tiny
    assert np.isfinite(sizes["ordinary"]).all()
    assert {0.0, np.inf} <= set(sizes["special values"].tolist())


@pytest.mark.parametrize("element", ["i8", "ui8", "i32", "i64", "f32", "complex<f32>"])
def test_tame_values_are_small_integers_and_others_are_not(element: str) -> None:
    draws = [[values(Random(seed), (6,), element, tame=tame) for seed in range(20)] for tame in (True, False)]
    tame, wild = [np.stack(each) for each in draws]
    assert (np.abs(tame) <= 8 * 2**0.5).all()
    assert (tame == np.round(tame)).all()
    assert not (np.abs(wild) <= 8 * 2**0.5).all()


def test_artifacts_of_an_older_version_are_what_that_version_has() -> None:
    choice = Choice(ops=("add", "tan"), types=("f32",), level="smoke")
    report = run("reference", choice, target="0.9.0")
    assert {entry.op for entry in report.entries} == {"add"}
    assert report.count("pass") == len(report.entries)


@pytest.mark.parametrize(
    ("expected", "right", "wrong"),
    [
        (Expected(np.float32([1, 0]), "f32"), [1, 0], [1, -0.0]),
        (Expected(np.float32([np.nan]), "f32"), [-np.nan], [np.inf]),
        (Expected(np.float32([1]), "f32", "ulp", 2), [np.nextafter(np.float32(1), np.float32(2))], [1.0001]),
        (
            Expected(np.float32([1]), "f32", "bounds", low=np.array([0.5]), high=np.array([2.0])),
            [1.9],
            [np.nan],
        ),
        (Expected(np.float32([1, 2, 2]), "f32", "any order"), [2, 1, 2], [2, 1, 1]),
        (Expected(np.array(1, np.float32), "f32"), 1, 2),
    ],
)
def test_what_a_rule_allows(expected: Expected, right: list[float] | float, wrong: list[float] | float) -> None:
    case = expecting(expected)
    assert judge(case, [np.array(right, np.float32)]).verdict == "pass"
    assert judge(case, [np.array(wrong, np.float32)]).verdict == "wrong"


def test_anything_is_allowed_that_has_the_type() -> None:
    case = expecting(Expected(np.float32([1]), "f32", "anything"))
    assert judge(case, [np.float32([9])]).verdict == "pass"
    assert judge(case, [np.float64([9])]).verdict == "wrong"
    assert judge(case, []).message == "0 results, expected 1"


def test_how_runs_end_decides_the_verdict() -> None:
    case = expecting(Expected(np.float32([1]), "f32"))
    for status, verdict in (("crash", "crash"), ("timeout", "timeout"), ("unsupported", "unsupported")):
        assert score(case, Outcome(status, message="why")).verdict == verdict


@pytest.mark.parametrize("bits", range(0, 1 << 16, 971))
def test_rounding_agrees_with_the_hardware(bits: int) -> None:
    number = float(np.array(bits << 13 | 0x1000, np.uint32).view(np.float32)) * 2.0**-112
    assert rounded(number, "f16") == float(np.float16(number))
    assert rounded(number, "f32") == float(np.float32(number))


def test_functions_are_those_of_the_c_library_to_a_unit_or_two() -> None:
    arguments = [0.1, 1.5, -3.7, 20.0, 1e-9, 1e5]
    names = {"sine": np.sin, "tanh": np.tanh, "log_plus_one": np.log1p, "cbrt": np.cbrt, "exponential": np.exp}
    with np.errstate(all="ignore"):
        for name, function in names.items():
            for x in arguments:
                here, there = rounded(scalars.TRANSCENDENTAL[name](x), "f64"), float(function(np.float64(x)))
                assert np.isnan(here) == np.isnan(there)
                assert here == there or np.isnan(here) or abs(here - there) <= 2 * np.spacing(abs(there))


def test_a_wrong_engine_is_found_and_its_failures_can_be_accepted(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(
        "import json, sys, numpy as np\n"
        "for line in sys.stdin:\n"
        "    files = json.loads(line)\n"
        "    arrays = np.load(files['inputs'])\n"
        "    np.savez(files['outputs'], arrays[arrays.files[0]])\n"
        "    print(json.dumps({'status': 'ok'}), flush=True)\n",
        encoding="utf-8",
    )
    engine = f"command+:{sys.executable} {script}"
    known = tmp_path / "known.txt"
    known.write_text("# a comment\nnegate.i32.* # returns its operand\n", encoding="utf-8")
    assert read_known(str(known)) == [Known("negate.i32.*", "returns its operand")]
    files = [f"--{kind}={tmp_path / kind}" for kind in ("json", "junit", "html", "markdown")]
    words = ["run", f"--engine={engine}", "--ops=negate", "--types=i32", "--level=smoke", "-j1", *files]
    found = CliRunner().invoke(command, words, standalone_mode=False)
    assert found.return_value == 1, found.output
    assert "elements are wrong" in found.output
    accepted = CliRunner().invoke(command, [*words, f"--known={known}"], standalone_mode=False)
    assert accepted.return_value == 0, accepted.output
    report = json.loads((tmp_path / "json").read_bytes())
    assert {case["known"] for case in report["cases"] if case["verdict"] == "wrong"} == {"returns its operand"}
    assert ElementTree.parse(tmp_path / "junit").getroot()[0].get("skipped") != "0"
    assert b"returns its operand" in (tmp_path / "html").read_bytes()
    assert "returns its operand" in (tmp_path / "markdown").read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--ops=ad", "--types=f31"])
def test_unknown_ops_and_types_are_said(option: str) -> None:
    code = "from stablehlo_py.cli.stablehlo import main; main()"
    words = [sys.executable, "-c", code, "conformance", "run", option]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert "the kit has no cases of the" in ended.stderr


EXPORTED = Choice(ops=("add", "sort", "convert"), types=("i4", "bf16", "f32", "f8E5M2"), level="smoke")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_goes_on_where_it_was_stopped_and_only_with_the_same_engine(tmp_path: Path) -> None:
    work, choice, ran = tmp_path / "scores.jsonl", Choice(ops=("transpose",), types=("i8",), level="smoke"), list[str]()
    whole = run("reference", choice, work=work)
    assert 0 < whole.seconds < 600
    lines = work.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(whole.entries) + 1
    changed = lines[1].replace('"pass"', '"wrong"')  # a score that is kept is taken as it is
    work.write_text("\n".join([lines[0], changed, *lines[2:-1], lines[-1][:20]]), encoding="utf-8")
    again = run("reference", choice, work=work, finished=lambda entry: ran.append(entry.verdict))
    assert Counter(ran) == {"pass": len(whole.entries) - 1, "wrong": 1}
    assert work.read_text(encoding="utf-8").splitlines()[-1] == lines[-1]
    assert [entry.case for entry in again.entries] == [entry.case for entry in whole.entries]
    kept = Kept(work, json.loads(lines[0]))
    case = next(cases(choice))
    assert kept.score_of(case) is not None
    assert kept.score_of(replace(case, inputs=tuple([array + 1 for array in case.inputs]))) is None
    with pytest.raises(UsageError, match="holds scores of"):
        Kept(work, {"engine": "xla"})


def test_special_powers_are_those_of_ieee_754() -> None:
    assert scalars.power(-np.inf, 0.5) == np.inf
    assert (scalars.power(-0.0, 0.5), np.signbit(float(scalars.power(-0.0, 0.5)))) == (0, False)
    assert scalars.power(-0.0, -1.0) == -np.inf
    assert scalars.power(0.0, -2.0) == np.inf
    assert np.isnan(float(scalars.power(-2.0, 0.5)))
    assert float(scalars.power(-2.0, 3.0)) == -8


def test_the_same_seed_is_exported_as_the_same_bytes(tmp_path: Path) -> None:
    few = replace(EXPORTED, ops=("sort",))
    for name in "ab":
        assert export(str(tmp_path / name), few) == len(list(cases(few)))
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    for case, read in zip(cases(few), exported_cases(str(tmp_path / "a")), strict=True):
        assert replace(read, inputs=case.inputs, parameters=case.parameters).digest() == case.digest()


@pytest.mark.release
def test_a_runner_of_the_exported_kit_scores_as_run_does(tmp_path: Path) -> None:
    kit, results = tmp_path / "kit", tmp_path / "results"
    export(str(kit), EXPORTED, "1.0.0")
    lines = (EXAMPLES / "run_conformance_kit.py").read_text(encoding="utf-8").splitlines()
    assert sum(map(bool, lines)) <= 60
    words = [sys.executable, str(EXAMPLES / "run_conformance_kit.py"), str(kit), str(results)]
    subprocess.run(words, check=True, capture_output=True)
    there, here = check(str(kit), str(results)), run("xla", EXPORTED)
    verdicts = [[(entry.case, entry.verdict, entry.ulp) for entry in each.entries] for each in (there, here)]
    assert verdicts[0] == verdicts[1]
    assert {verdict for _, verdict, _ in verdicts[0]} >= {"pass", "wrong"}


def test_what_a_runner_may_leave(tmp_path: Path) -> None:
    kit, results = tmp_path / "kit", tmp_path / "results"
    few = Choice(ops=("replica_id", "not"), types=("ui32", "i1"))
    export(str(kit), few)
    results.mkdir()
    names = [case.name for case in cases(few)]
    (results / f"{names[0]}.txt").write_text("crash: gone\n", encoding="utf-8")
    np.savez(results / f"{names[1]}.npz", **{"7": np.zeros(1)})
    report = check(str(kit), str(results))
    assert [entry.verdict for entry in report.entries[:3]] == ["crash", "wrong", "unsupported"]
    (kit / "not" / f"{names[0]}.mlir").write_text("changed", encoding="utf-8")
    with pytest.raises(InputError, match="was changed"):
        check(str(kit), str(results))


@pytest.mark.parametrize("order", ["forwards", "backwards"])
@pytest.mark.parametrize("count", [1, 2, 12])  # names of more than ten results are not in the order of texts
def test_a_runner_names_its_results_by_their_numbers(count: int, order: str, tmp_path: Path) -> None:
    values_ = [np.full(1, number, np.float32) for number in range(count)]
    case = single("negate", "f32", "several", values_, values_, source="the test")
    named = {str(number): value for number, value in enumerate(values_)}
    np.savez(tmp_path / f"{case.name}.npz", **dict(sorted(named.items(), reverse=order == "backwards")))
    assert _scored(case, tmp_path).verdict == "pass"
    np.savez(tmp_path / f"{case.name}.npz", **{**named, str(count - 1): np.full(1, -1, np.float32)})
    assert _scored(case, tmp_path).verdict == "wrong"
    for other in (dict(list(named.items())[1:]), named | {str(count): values_[0]}):
        np.savez(tmp_path / f"{case.name}.npz", **other)
        assert f"expected 0 to {count - 1}" in _scored(case, tmp_path).message


def test_elementwise_ops_take_the_element_types_of_the_tables():
    """The dialect's verifier accepts exactly these, in the installed bindings."""
    wrong: list[str] = []
    context = make_context()
    for arity, table in ((1, UNARY), (2, BINARY)):
        for op, elements in table.items():
            for element in ELEMENTS:
                part = part_of(element)
                result = {"is_finite": "i1", "abs": part, "real": part, "imag": part}.get(op, element)
                operands = ", ".join(["%a"] * arity)
                types = ", ".join([f"tensor<2x{element}>"] * arity)
                text = f"""func.func @main(%a: tensor<2x{element}>) -> tensor<2x{result}> {{
                  %0 = "stablehlo.{op}"({operands}) : ({types}) -> tensor<2x{result}>
                  return %0 : tensor<2x{result}>
                }}"""
                try:
                    ir.Module.parse(text, context)
                    is_valid = True
                except ir.MLIRError:
                    is_valid = False
                if is_valid != (element in elements):
                    wrong.append(f"{op} of {element}: {'accepted' if is_valid else 'rejected'}")
    assert wrong == []


def test_an_op_without_cases_of_its_own_is_called_as_beside_its_shape_function() -> None:
    found = list(derived("reverse", Draw(types=("i8", "f4E2M1FN"))))
    assert [case.type for case in found] == ["i8", "f4E2M1FN"]
    assert [case.inputs[0].shape for case in found] == [(2, 2)] * 2  # of 2x?
    for case in found:
        assert case.expected[0].element == case.type
        assert case.expected[0].value.tobytes() == np.flip(case.inputs[0]).tobytes()
    assert list(derived("while", Draw())) == []  # its regions are not beside it


def test_functions_of_complex_numbers_are_those_of_numpy() -> None:
    names = {
        "log_plus_one": np.log1p,
        "exponential_minus_one": np.expm1,
        "log": np.log,
        "sqrt": np.sqrt,
        "tanh": np.tanh,
    }
    numbers = [0.5 + 0.25j, -0.75 + 2j, 3 - 4j, 1e-3 - 1e-3j]
    assert names.keys() <= functions.COMPLEX_UNARY.keys()
    for name, function in names.items():
        for number in numbers:
            found = complex(*map(float, functions.of_complex(name, number)))
            np.testing.assert_allclose(found, function(number), rtol=1e-12, err_msg=f"{name} of {number}")
