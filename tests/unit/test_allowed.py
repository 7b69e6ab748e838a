"""What results may be: the verbs answer alike, and an engine is wrong only if it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.cli.verbs.compare import command as compare_command
from stablehlo_py.cli.verbs.corpus import command as corpus_command
from stablehlo_py.cli.verbs.judge import command as judge_command
from stablehlo_py.debug import bisect, compare, draw_arguments, examine, judge, trace
from stablehlo_py.debug.predicates import NOT_INTERESTING, Disagreement
from stablehlo_py.debug.spread import nudged_weights
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.interpreter.storage import load_arrays

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "proofs"))

from enclosures import Trial, sharpness, soundness  # noqa: E402  (it stands beside the other proofs)

pytestmark = pytest.mark.usefixtures("importable")  # engines start with `planted_engine` at hand

ROW = "tensor<8xf32>"
ARGUMENTS = [np.linspace(0.5, 1, 8, dtype="f4")]


def one_op(line: str, result: str = ROW):
    return stablehlo_py.parse(f"func.func @main(%a: {ROW}) -> {result} {{\n%0 = {line}\nreturn %0 : {result} }}")


def test_all_that_is_permitted_is_inside():
    looked, outside = soundness(60, 6)
    assert looked.total() == 360
    assert outside.total() == 0


def test_planted_errors_are_outside():
    looked, outside = sharpness(120)
    assert outside.total() >= 0.96 * looked.total()


@pytest.mark.parametrize(
    ("terms", "permitted"),
    [
        ([-3e38, -3e38, 1], [-np.inf]),  # its terms have one sign, or nearly
        ([3e38, 3e38, -3e38], [3e38, np.inf]),
        ([3e38, 3e38, -3e38, -3e38], [0, np.inf, -np.inf, np.nan]),
    ],
)
def test_sums_may_overflow_where_an_order_of_theirs_does(terms, permitted):
    type_ = f"tensor<{len(terms)}xf32>"
    text = f"""func.func @main(%a: {type_}, %b: {type_}) -> tensor<f32> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : ({type_}, {type_}) -> tensor<f32>
      return %0 : tensor<f32> }}"""
    operands = np.array(terms, "f4"), np.ones(len(terms), "f4")
    allowed = Trial("sum", text, operands, lambda _: operands[0], lambda _: operands[0]).enclosure("default")
    values = np.array([0, 1e38, 3e38, np.inf, -np.inf, np.nan], "f4")
    inside = [value for value in values if not allowed.outside(np.asarray(value)).any()]
    np.testing.assert_array_equal(sorted(inside), sorted(np.array(permitted, "f4")))


@pytest.mark.parametrize(
    ("engine", "program"),
    [("reference:bf16", "attention"), ("reference:f16", "recurrent_network"), ("reference:reverse", "attention"),
     ("xla", "attention"), ("xla", "recurrent_network")],
)  # fmt: skip
def test_the_verbs_answer_alike(engine, program):
    module = stablehlo_py.parse((ROOT / "examples" / "jax" / f"{program}.mlir").read_text())
    subject = examine(module)
    arguments = draw_arguments(subject.function, 0)
    with open_engine("reference") as reference, open_engine(engine) as other:
        pair = reference, other
        assert compare(module, pair, arguments=[arguments]).exit_code == 0
        assert trace(subject, arguments, *pair, cuts=0).culprit is None  # data that is moved is never wrong by rounding
        assert bisect(subject, arguments, *pair).culprit is None
        assert Disagreement(*pair).signature(subject.bytecode(), arguments) == NOT_INTERESTING
        (ruling,) = judge(module, [other], reference=reference, arguments=arguments).rulings
        assert ruling.verdict == "permitted"


def test_weights_within_a_program_are_as_uncertain_as_arguments():
    """The digits' only argument is of integers, so rounding shows in the weights alone."""
    module = stablehlo_py.parse(ROOT / "examples" / "digits" / "digits.mlir")
    assert compare(module, ["reference", "xla"]).verdict == "same"


def test_weights_without_elements_are_left_alone():
    constants = """%c = stablehlo.constant dense<> : tensor<0x2xf32>
      %0 = stablehlo.constant dense<[[0.1, 0.2]]> : tensor<1x2xf32>"""
    module = stablehlo_py.parse(f"func.func @main() -> tensor<1x2xf32> {{ {constants}\nreturn %0 : tensor<1x2xf32> }}")
    assert "0.1" not in str(stablehlo_py.load(nudged_weights(bytecode_of(module), 0)))


def test_a_planted_error_has_one_number_and_one_name_in_all_verbs():
    module = stablehlo_py.parse(f"""func.func @main(%a: {ROW}) -> {ROW} {{
      %0 = stablehlo.sine %a : {ROW}
      %1 = stablehlo.negate %0 {{planted = "negated"}} : {ROW}
      %2 = stablehlo.exponential %1 : {ROW}
      return %2 : {ROW} }}""")
    subject = examine(module)
    with open_engine("reference") as reference, Engine("planted", "planted_engine:backend") as planted:
        pair = reference, planted
        places = [trace(subject, ARGUMENTS, *pair).culprit, bisect(subject, ARGUMENTS, *pair).culprit]
        (entry,) = compare(module, pair, arguments=[ARGUMENTS]).results
        (ruling,) = judge(module, [planted], reference=reference, arguments=ARGUMENTS).rulings
        assert {str(place) for place in [*places, ruling.place]} == {entry.culprit}
        assert entry.culprit.startswith("#1 stablehlo.negate")
        again = judge(ruling.program, [planted], reference=reference, arguments=ruling.arguments)
    assert (ruling.verdict, again.rulings[0].verdict) == ("wrong", "wrong")


FINDINGS = sorted(path for path in (ROOT / "examples" / "debug").glob("xla_*.mlir") if "leading_zeros" not in path.name)


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.stem)
def test_the_findings_about_xla_are_judged_wrong(path):
    module = stablehlo_py.parse(path.read_text())
    archive, subject = str(path.with_suffix(".npz")), examine(module)
    types = [str(argument.type) for argument in subject.block.arguments]
    arguments = [value.astype(np.int8).astype("int2") if "xi2" in type_ else value
                 for value, type_ in zip(load_arrays(archive), types, strict=True)]  # fmt: skip
    (ruling,) = judge(module, ["xla"], arguments=arguments).rulings
    assert ruling.verdict == "wrong"
    assert ruling.sentence
    assert ruling.section.startswith("https://openxla.org/stablehlo/spec#")


def test_an_op_that_states_its_accuracy_is_held_to_it():
    accuracy = (
        "#stablehlo.result_accuracy<atol = {}, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"
    )
    verdicts = []
    for absolute in ("1.0e-3", "0x7FF0000000000000", "1.0e-9"):
        attributes = f'{{result_accuracy = {accuracy.format(absolute)}, planted = "few_ulp"}}'
        module = one_op(f'"stablehlo.exponential"(%a) {attributes} : ({ROW}) -> {ROW}')
        with Engine("planted", "planted_engine:backend") as planted:
            (ruling,) = judge(module, [planted], arguments=ARGUMENTS).rulings
        verdicts.append(ruling.verdict)
        assert "result_accuracy" in ruling.sentence or ruling.verdict == "permitted"
    assert verdicts == ["permitted", "permitted", "wrong"]


def test_engines_without_results_and_open_ones_are_told_apart():
    random = """"stablehlo.rng"(%low, %high, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>"""
    values = (("low", 0.0, "f32"), ("high", 1.0, "f32"), ("shape", 8, "1xi64"))
    lines = [f"%{name} = stablehlo.constant dense<{value}> : tensor<{type_}>" for name, value, type_ in values]
    constants = "\n".join(lines)
    module = one_op(f"stablehlo.negate %a : {ROW}\n{constants}\n%1 = {random}\n%2 = stablehlo.add %0, %1 : {ROW}")
    with Engine("failing", "planted_engine:failing") as failing:
        found = judge(one_op(f"stablehlo.sine %a : {ROW}"), ["reference:reverse", failing], arguments=ARGUMENTS)
    assert [ruling.verdict for ruling in found.rulings] == ["permitted", "rejected"]
    assert found.exit_code == 2
    assert judge(module, ["xla"], arguments=ARGUMENTS).exit_code == 0


def test_the_verb_prints_and_writes_verdicts(tmp_path):
    program, log = tmp_path / "p.mlir", tmp_path / "p.sarif"
    program.write_text(f"func.func @main(%a: {ROW}) -> {ROW} {{ %0 = stablehlo.tanh %a : {ROW} return %0 : {ROW} }}")
    arguments = [str(program), "--engine=reference:bf16", "--profile=strict", f"--sarif={log}"]
    found = CliRunner().invoke(judge_command, arguments, standalone_mode=False)
    assert found.return_value == 0
    assert "reference:bf16 is permitted" in found.output
    assert json.loads(log.read_text())["runs"][0]["results"][0]["level"] == "none"


def test_two_programs_are_compared_in_one_engine(tmp_path):
    files = []
    for name in ("add", "subtract"):
        files.append(tmp_path / f"{name}.mlir")
        files[-1].write_text(str(one_op(f"stablehlo.{name} %a, %a : {ROW}")))
    codes = [CliRunner().invoke(compare_command, [str(files[0]), str(other)], standalone_mode=False).return_value
             for other in files]  # fmt: skip
    assert codes == [0, 1]


def test_a_corpus_is_judged(tmp_path):
    program, rows = tmp_path / "p.mlir", tmp_path / "rows.jsonl"
    program.write_text(str(one_op(f"stablehlo.tanh %a : {ROW}")))
    arguments = [str(program), "--check=judge:reference,reference:bf16", f"--output={rows}"]
    assert CliRunner().invoke(corpus_command, arguments, standalone_mode=False).return_value == 0
    assert json.loads(rows.read_text())["status"] == "ok"
