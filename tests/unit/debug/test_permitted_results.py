"""What results may be: the verbs answer alike, and an engine is wrong only if it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import planted_engine
import pytest
from click.testing import CliRunner
from speeds import later
from swapped_engine import Here, Swapped

import stablehlo_py
from stablehlo_py import sarif
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.cli.verbs.compare import command as compare_command
from stablehlo_py.cli.verbs.corpus import command as corpus_command
from stablehlo_py.cli.verbs.judge import command as judge_command
from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.debug import bisect, compare, draw_arguments, examine, judge, trace
from stablehlo_py.debug.allowed.enclosures import Question
from stablehlo_py.debug.allowed.ops import allowed
from stablehlo_py.debug.allowed.spread import Local, perturbed_weights
from stablehlo_py.debug.bisect_passes import GENERATION
from stablehlo_py.debug.programs.slices import run_ops
from stablehlo_py.debug.reduction.predicates import NOT_INTERESTING, Disagreement
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.engines.reference import backend
from stablehlo_py.interpreter.storage import load_arrays

ROOT = Path(__file__).parents[3]

ROW = "tensor<8xf32>"
ARGUMENTS = [np.linspace(0.5, 1, 8, dtype="f4")]


@pytest.fixture(scope="module")
def reference():
    return Local()


@pytest.fixture(scope="module")
def xla():
    with open_engine("xla") as engine:
        yield engine


@pytest.fixture(scope="module")
def planted():
    return Here("planted", planted_engine.backend())


def one_op(line: str, result: str = ROW):
    return stablehlo_py.parse(f"func.func @main(%a: {ROW}) -> {result} {{\n%0 = {line}\nreturn %0 : {result} }}")


@pytest.mark.parametrize(
    ("engine", "example"),
    [("reference:bf16", "perceptron"), ("reference:f16", "recurrent_network"), ("reference:reverse", "perceptron"),
     ("xla", "perceptron"), later("reference:bf16", "attention"), later("reference:reverse", "attention"),
     later("xla", "attention"), later("xla", "recurrent_network")],
)  # fmt: skip
def test_the_verbs_answer_alike(engine, example, reference, xla):
    module = stablehlo_py.parse((ROOT / "examples" / "jax" / f"{example}.mlir").read_text())
    subject = examine(module)
    arguments = draw_arguments(subject.function, 0)
    other = xla if engine == "xla" else Here(engine, backend(engine[10:]))
    pair = reference, other
    assert compare(module, pair, arguments=[arguments]).exit_code == 0
    assert trace(subject, arguments, *pair, cuts=0).culprit is None  # data that is moved is never wrong by rounding
    assert bisect(subject, arguments, *pair).culprit is None
    assert Disagreement(*pair).signature(subject.bytecode(), arguments) == NOT_INTERESTING
    (judgement,) = judge(module, [other], reference=reference, arguments=arguments).judgements
    assert judgement.verdict == "permitted"


def test_weights_within_a_program_are_as_uncertain_as_arguments(reference, xla):
    """The digits' only argument is of integers, so rounding shows in the weights alone."""
    module = stablehlo_py.parse(ROOT / "examples" / "digits" / "digits.mlir")
    assert compare(module, [reference, xla]).verdict == "same"


def test_weights_without_elements_are_left_alone():
    constants = """%c = stablehlo.constant dense<> : tensor<0x2xf32>
      %0 = stablehlo.constant dense<[[0.1, 0.2]]> : tensor<1x2xf32>"""
    module = stablehlo_py.parse(f"func.func @main() -> tensor<1x2xf32> {{ {constants}\nreturn %0 : tensor<1x2xf32> }}")
    assert "0.1" not in str(stablehlo_py.load(perturbed_weights(bytecode_of(module), 0)))


def test_a_planted_error_has_one_number_and_one_name_in_all_verbs(reference, planted):
    module = stablehlo_py.parse(f"""func.func @main(%a: {ROW}) -> {ROW} {{
      %0 = stablehlo.sine %a : {ROW}
      %1 = stablehlo.negate %0 {{planted = "negated"}} : {ROW}
      %2 = stablehlo.exponential %1 : {ROW}
      return %2 : {ROW} }}""")
    subject = examine(module)
    pair = reference, planted
    places = [trace(subject, ARGUMENTS, *pair).culprit, bisect(subject, ARGUMENTS, *pair).culprit]
    (entry,) = compare(module, pair, arguments=[ARGUMENTS]).results
    (judgement,) = judge(module, [planted], reference=reference, arguments=ARGUMENTS).judgements
    assert {str(place) for place in [*places, judgement.place]} == {entry.culprit}
    assert entry.culprit.startswith("#1 stablehlo.negate")
    again = judge(judgement.program, [planted], reference=reference, arguments=judgement.arguments)
    assert (judgement.verdict, again.judgements[0].verdict) == ("wrong", "wrong")


OVERFLOWS = "unspecified", "integer overflows result in implementation-defined behavior"
SENTENCES = {
    "xla_convolution_groups": OVERFLOWS,
    "xla_convolution_saturates": OVERFLOWS,
    "xla_convolution_infinity": (
        "wrong",
        "padding_value is 0, in any order; Errors: exceptions give what IEEE-754 says",
    ),
    "xla_scatter_window": ("wrong", "each result_index that is in bounds is updated"),
    "xla_sort": ("wrong", "in non-descending order, as the comparator says"),
}
FINDINGS = sorted(path for path in (ROOT / "examples" / "debug").glob("xla_*.mlir") if "leading_zeros" not in path.name)


class Unnamed(Engine):
    """Returns what another engine returns, under a name that tells nobody that its passes can be searched."""

    def __init__(self, engine):
        super().__init__("unnamed", "none:none")
        self.run = engine.run


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.stem)
def test_the_findings_about_xla_are_judged_by_a_sentence_of_the_spec(path, reference, xla):
    module = stablehlo_py.parse(path.read_text())
    archive, subject = str(path.with_suffix(".npz")), examine(module)
    types = [str(argument.type) for argument in subject.block.arguments]
    arguments = [value.astype(np.int8).astype("int2") if "xi2" in type_ else value
                 for value, type_ in zip(load_arrays(archive), types, strict=True)]  # fmt: skip
    engine = xla if path.stem == "xla_scatter_window" else Unnamed(xla)  # a search takes XLA's start
    (judgement,) = judge(module, [engine], reference=reference, arguments=arguments).judgements
    verdict, sentence = SENTENCES[path.stem]
    assert judgement.verdict == verdict
    assert sentence in judgement.sentence
    assert judgement.step == (GENERATION if engine is xla else "")
    assert judgement.section.startswith("https://openxla.org/stablehlo/spec#")


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        (f"stablehlo.sqrt %a : {ROW}", [np.full(8, -1e-43, "f4")]),  # XLA takes denormals for zeros
        (f"stablehlo.tanh %a : {ROW}", [np.linspace(-0.01, 0.01, 8, dtype="f4")]),
    ],
)
def test_a_function_that_is_as_accurate_as_the_profile_says_is_not_wrong(line, arguments, reference, xla):
    (judgement,) = judge(one_op(line), [xla], reference=reference, arguments=arguments).judgements
    assert judgement.verdict == "permitted"


def test_an_error_after_an_op_that_the_spec_leaves_open_is_found(reference):
    lines = ["%low = stablehlo.constant dense<0.0> : tensor<f32>",
             "%high = stablehlo.constant dense<1.0> : tensor<f32>",
             "%size = stablehlo.constant dense<8> : tensor<1xi64>",
             '%r = "stablehlo.rng"(%low, %high, %size) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}'
             f" : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> {ROW}",
             f"%0 = stablehlo.divide %a, %a : {ROW}", f"%1 = stablehlo.exponential %0 : {ROW}",
             f"%2 = stablehlo.cosine %1 : {ROW}"]  # fmt: skip
    text = f"func.func @main(%a: {ROW}) -> ({ROW}, {ROW}) {{ {chr(10).join(lines)}\nreturn %r, %2 : {ROW}, {ROW} }}"
    slipping = Here("slipping", planted_engine.slipping())
    (judgement,) = judge(stablehlo_py.parse(text), [slipping], reference=reference, arguments=ARGUMENTS).judgements
    assert judgement.verdict == "wrong"
    assert str(judgement.place).startswith("#6 stablehlo.cosine")


@pytest.mark.parametrize("calls", ["call", "composite"])
def test_what_a_function_leaves_open_is_not_wrong(calls, reference, xla):
    row = "tensor<8xi32>"
    body = f"""%s = stablehlo.constant dense<8> : tensor<1xi64>
      %high = stablehlo.constant dense<1000> : tensor<i32>
      %r = "stablehlo.rng"(%a, %high, %s) {{rng_distribution = #stablehlo<rng_distribution UNIFORM>}}
        : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> {row}\nreturn %r : {row}"""
    line = {"call": "func.call @f(%a)", "composite": 'stablehlo.composite "my.f" %a {decomposition = @f}'}[calls]
    text = f"""func.func private @f(%a: tensor<i32>) -> {row} {{ {body} }}
      func.func @main(%a: tensor<i32>) -> {row} {{ %0 = {line} : (tensor<i32>) -> {row}\nreturn %0 : {row} }}"""
    module, arguments = stablehlo_py.parse(text), [np.asarray(0, "i4")]
    (judgement,) = judge(module, [xla], reference=reference, arguments=arguments).judgements
    assert judgement.verdict in ("permitted", "unspecified")


def test_an_op_that_states_its_accuracy_is_held_to_it(reference, planted):
    accuracy = (
        "#stablehlo.result_accuracy<atol = {}, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"
    )
    verdicts = []
    for absolute in ("1.0e-3", "0x7FF0000000000000", "1.0e-9"):
        attributes = f'{{result_accuracy = {accuracy.format(absolute)}, planted = "few_ulp"}}'
        module = one_op(f'"stablehlo.exponential"(%a) {attributes} : ({ROW}) -> {ROW}')
        (judgement,) = judge(module, [planted], reference=reference, arguments=ARGUMENTS).judgements
        verdicts.append(judgement.verdict)
        assert "result_accuracy" in judgement.sentence or judgement.verdict == "permitted"
    assert verdicts == ["permitted", "permitted", "wrong"]


def test_engines_without_results_and_open_ones_are_told_apart(reference, xla):
    random = """"stablehlo.rng"(%low, %high, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>"""
    values = (("low", 0.0, "f32"), ("high", 1.0, "f32"), ("shape", 8, "1xi64"))
    lines = [f"%{name} = stablehlo.constant dense<{value}> : tensor<{type_}>" for name, value, type_ in values]
    constants = "\n".join(lines)
    module = one_op(f"stablehlo.negate %a : {ROW}\n{constants}\n%1 = {random}\n%2 = stablehlo.add %0, %1 : {ROW}")
    engines = ["reference:reverse", Here("failing", planted_engine.failing())]
    found = judge(one_op(f"stablehlo.sine %a : {ROW}"), engines, reference=reference, arguments=ARGUMENTS)
    assert [judgement.verdict for judgement in found.judgements] == ["permitted", "rejected"]
    assert found.exit_code == 2
    assert judge(module, [xla], reference=reference, arguments=ARGUMENTS).exit_code == 0


def moved(expected, share):
    """The values of a case of the kit, moved by a share of the distance to the lowest values that it allows."""
    value = np.ascontiguousarray(expected.value)
    parts = value.view(f"f{value.dtype.itemsize // 2}") if value.dtype.kind == "c" else value
    lowest = (
        parts - expected.ulp * np.where(np.isfinite(parts) & (parts != 0), np.spacing(np.abs(parts)), 0)
        if expected.low is None
        else expected.low
    )
    with np.errstate(invalid="ignore"):
        distance = np.where(np.isfinite(parts), parts - lowest.reshape(parts.shape), 0)
    return (parts - share * distance).astype(parts.dtype).view(value.dtype)


@pytest.mark.parametrize(
    ("op", "element"),
    [("tanh", "f32"), ("tanh", "f64"), ("exponential", "f32"), ("exponential", "complex<f32>"),
     later("dot_general", "f32"), ("fft", "f64"), ("fft", "complex<f32>")],
)  # fmt: skip
def test_the_kit_allows_what_the_verbs_allow(op, element):
    tried = 0
    for case in cases(Choice((op,), (element,), level="smoke")):
        beyond = moved(case.expected[0], 4)
        has_width = beyond != case.expected[0].value
        if case.kind not in ("ordinary", "cancelling", "odd", "ties") or not has_width.any():
            continue
        subject = examine(stablehlo_py.parse(case.module))
        operation, values = subject.ops[-1], dict(zip(subject.block.arguments, case.inputs, strict=True))
        values |= run_ops(Local(), subject.extractor, subject.ops, values, isolated=False)[0]
        wanted = [values[operation.results[0]]]
        question = Question(operation, values, wanted, [wanted[0].dtype], subject.extractor, list(operation.results))
        (enclosure,) = allowed(question)
        assert not enclosure.outside(moved(case.expected[0], 0.5)).any(), case.name
        assert enclosure.outside(beyond)[has_width].mean() > 0.8, case.name
        tried += 1
        if tried == 2:
            break
    assert tried


def test_the_verb_prints_and_writes_verdicts(tmp_path):
    file, log = tmp_path / "p.mlir", tmp_path / "p.sarif"
    file.write_text(f"func.func @main(%a: {ROW}) -> {ROW} {{ %0 = stablehlo.tanh %a : {ROW} return %0 : {ROW} }}")
    arguments = [str(file), "--engine=reference:bf16", "--profile=strict", f"--sarif={log}"]
    found = CliRunner().invoke(judge_command, arguments, standalone_mode=False)
    assert found.return_value == 0, found.output
    assert "reference:bf16 is permitted" in found.output
    run = json.loads(log.read_text())["runs"][0]
    assert run["results"][0]["level"] == "none"
    assert run["results"][0]["ruleId"] in [rule["id"] for rule in run["tool"]["driver"]["rules"]]


def test_files_in_a_repository_are_named_from_its_root(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "é.mlir").touch()
    monkeypatch.chdir(tmp_path / "models")
    for name in ("é.mlir", str(tmp_path / "models" / "é.mlir")):
        physical = sarif.location_of(f"{name}:2:3")["physicalLocation"]
        assert physical == {"artifactLocation": {"uri": "models/%C3%A9.mlir"},
                            "region": {"startLine": 2, "startColumn": 3}}  # fmt: skip
    assert sarif.location_of("<stdin>")["physicalLocation"] == {"artifactLocation": {"uri": "%3Cstdin%3E"}}
    assert sarif.location_of("") is None


def test_two_programs_are_compared_in_one_engine(tmp_path):
    files = []
    for name in ("add", "subtract"):
        files.append(tmp_path / f"{name}.mlir")
        files[-1].write_text(str(one_op(f"stablehlo.{name} %a, %a : {ROW}")))
    codes = [CliRunner().invoke(compare_command, [str(files[0]), str(other)], standalone_mode=False).return_value
             for other in files]  # fmt: skip
    assert codes == [0, 1]


@pytest.mark.release  # `test_corpus` judges in this process
def test_a_corpus_is_judged(tmp_path):
    file, rows = tmp_path / "p.mlir", tmp_path / "rows.jsonl"
    file.write_text(str(one_op(f"stablehlo.tanh %a : {ROW}")))
    arguments = [str(file), "--check=judge:reference,reference:bf16", f"--output={rows}"]
    assert CliRunner().invoke(corpus_command, arguments, standalone_mode=False).return_value == 0
    assert json.loads(rows.read_text())["status"] == "ok"


LOOP_BEHIND_AN_OPEN_OP = """func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %size = stablehlo.constant dense<2> : tensor<1xi64>
  %r = "stablehlo.rng"(%low, %high, %size) {rng_distribution = #stablehlo<rng_distribution UNIFORM>}
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32> cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %c = stablehlo.cosine %v : tensor<2xf32>
    stablehlo.return %j, %c : tensor<i32>, tensor<2xf32>
  }
  return %r, %w#1 : tensor<2xf32>, tensor<2xf32>
}"""


class Otherwise(Swapped):
    """Draws other random numbers, as it may, besides what it is wrong in."""

    def run(self, module, arguments):
        text = str(stablehlo_py.parse(module)).replace("UNIFORM", "NORMAL")
        return super().run(text.encode(), arguments)


@pytest.mark.parametrize(("swaps", "verdict"), [({}, "unspecified"), ({"cosine": "sine"}, "wrong")])
def test_a_wrong_op_in_a_loop_behind_one_that_is_open_has_its_own_number(swaps, verdict):
    module, given = stablehlo_py.parse(LOOP_BEHIND_AN_OPEN_OP), [np.float32([0.5, 1])]
    (found,) = judge(module, [Otherwise(swaps)], reference=Local(), arguments=given).judgements
    assert found.verdict == verdict
    if verdict == "unspecified":
        assert str(found.place).startswith("#3 stablehlo.rng")
        assert "random numbers" in found.sentence
    else:
        assert (found.place.number, found.place.op) == (2, "stablehlo.cosine")
        assert found.place.path == ("#5 stablehlo.while body, iteration 0",)
