"""What `compare`, `judge` and `bisect` say of engines that are wrong in known ways, by sample and by engine."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from swapped_engine import Swapped, program

from stablehlo_py.debug import Tolerance, bisect, compare, draw_arguments, examine, judge, trace
from stablehlo_py.debug.allowed.measures import EXACT, difference
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import PROFILES
from stablehlo_py.debug.bisect import Bisection, BisectionStep
from stablehlo_py.debug.compare import (
    Comparison,
    OtherProgram,
    ResultComparison,
    as_junit,
    draw_samples,
    explained,
    failed_runs,
)
from stablehlo_py.debug.judge import EngineJudgement, Judgement
from stablehlo_py.debug.programs.subject import OpLocation
from stablehlo_py.engines import Outcome
from stablehlo_py.errors import StablehloError, UsageError

F = np.float32
T = "tensor<2xf32>"
BOTH = program("%a = stablehlo.abs %x", "%c = stablehlo.maximum %y, %y", "%r = stablehlo.add %a, %c", x=T, y=T)
SAMPLES = [[F([1, 2]), F([0, 0])], [F([-1, -2]), F([0.5, 1.5])], [F([1, 2]), F([0.5, 1.5])]]


def lists(sets) -> list[list]:
    return [[one.tolist() for one in each] for each in sets]


def test_each_engine_and_sample_has_its_own_first_wrong_op() -> None:
    swaps = {"both": {"abs": "negate", "maximum": "add"}, "maximum": {"maximum": "add"}, "abs": {"abs": "negate"}}
    engines = [Swapped(each, name=name) for name, each in swaps.items()]
    found = compare(BOTH, [Local(), *engines], arguments=SAMPLES)
    culprits = {(one.sample, one.engine): one.culprit.partition(" at")[0] for one in found.results}
    wrong_abs, wrong_maximum = "#0 stablehlo.abs", "#1 stablehlo.maximum"
    assert culprits == {
        (0, "both"): wrong_abs, (0, "maximum"): "", (0, "abs"): wrong_abs,
        (1, "both"): wrong_maximum, (1, "maximum"): wrong_maximum, (1, "abs"): "",
        (2, "both"): wrong_abs, (2, "maximum"): wrong_maximum, (2, "abs"): wrong_abs,
    }  # fmt: skip
    assert {(one.sample, one.engine): one.verdict == "differs" for one in found.results} == {
        key: bool(culprit) for key, culprit in culprits.items()
    }
    assert found.engines == ("reference", "both", "maximum", "abs")
    assert [[one.tolist() for one in each] for each in found.arguments] == [
        [one.tolist() for one in each] for each in SAMPLES
    ]


def test_ops_are_looked_at_only_if_that_is_asked_for_and_something_differs() -> None:
    for engine, explains, runs in ((Swapped(), True, 1), (Swapped({"abs": "negate"}), False, 1)):
        found = compare(BOTH, [Local(), engine], arguments=SAMPLES[:1], explains=explains)
        assert engine.asked == runs
        assert [one.culprit for one in found.results] == [""]
    wrong = Swapped({"abs": "negate"})
    plain = compare(BOTH, [Local(), wrong], arguments=SAMPLES[:1], explains=False)
    (entry,) = explained(plain, BOTH, [Local(), wrong]).results
    assert entry.culprit.startswith("#0 stablehlo.abs")
    assert replace(entry, culprit="") == plain.results[0]


@pytest.mark.parametrize(("dividend", "is_wrong"), [(7, True), (-7, False)])
def test_an_op_is_wrong_on_the_operands_of_its_engine(dividend: int, is_wrong: bool) -> None:
    """A quotient by zero is open: the engine takes another one, and negates only what is negative."""
    type_ = "tensor<1xi32>"
    module = program("%a = stablehlo.divide %x, %y", "%r = stablehlo.negate %a", x=type_, y=type_)
    engine = Swapped({"divide": "subtract", "negate": "abs"})
    sets = [[np.int32([dividend]), np.int32([0])]]
    (entry,) = compare(module, [Local(), engine], arguments=sets).results
    assert entry.culprit.partition(" at")[0] == ("#1 stablehlo.negate" if is_wrong else ""), entry
    assert entry.verdict == ("differs" if is_wrong else "implementation-defined"), entry
    assert len(entry.open_ops) == (not is_wrong), entry


def test_another_program_in_the_same_engine_is_compared_as_a_whole() -> None:
    other = program("%a = stablehlo.negate %x", "%c = stablehlo.maximum %y, %y", "%r = stablehlo.add %a, %c", x=T, y=T)
    engine = Local()
    found = compare(BOTH, [engine, OtherProgram("other", engine, other)], arguments=SAMPLES)
    assert [(one.sample, one.verdict, one.culprit) for one in found.results] == [
        (0, "differs", ""), (1, "same", ""), (2, "differs", "")]  # fmt: skip
    assert found.engines == ("reference", "other")


@pytest.mark.parametrize("seed", [0, 7])
def test_samples_are_drawn_from_seeds_in_a_row(seed: int) -> None:
    found = compare(BOTH, [Local(), Local("f64")], samples=3, seed=seed)
    subject = examine(BOTH)
    wanted = lists(draw_arguments(subject.function, seed + number) for number in range(3))
    assert lists(found.arguments) == wanted
    assert lists(draw_samples(subject, 3, seed)) == wanted
    assert len(compare(BOTH, [Local(), Local()]).arguments) == 1


@pytest.mark.parametrize("words", [{"samples": 0}, {"samples": -2}, {"arguments": []}, {"seed": -1}])
def test_nothing_agrees_by_no_arguments(words: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="a seed is 0 or more, found -1" if "seed" in words else "there is no set of"):
        compare(BOTH, [Local(), Local("f64")], **words)


def test_tolerances_of_users_take_the_place_of_the_spread_for_their_results() -> None:
    pair = program("%a = stablehlo.sine %x", "%b = stablehlo.cosine %x", x=T, results=(f"%a: {T}", f"%b: {T}"))
    engines = [Local(), Swapped({"sine": "tanh", "cosine": "exponential"})]
    for tolerances, verdicts in (
        ({}, ["differs", "differs"]),
        ({"0": Tolerance(absolute=9)}, ["same", "differs"]),
        ({"1": Tolerance(absolute=9)}, ["differs", "same"]),
        ({"f32": Tolerance(absolute=9)}, ["same", "same"]),
        ({"": Tolerance(absolute=9), "1": EXACT}, ["same", "differs"]),
    ):
        found = compare(pair, engines, arguments=[[F([1, 2])]], tolerances=tolerances, explains=False)
        assert [one.verdict for one in found.results] == verdicts, tolerances
        assert [one.result for one in found.results] == [0, 1]
    assert str(found.results[0].tolerance) == "9 absolute"
    with pytest.raises(UsageError, match="two or more engines are needed"):
        compare(pair, engines[:1])


def test_the_profile_decides_which_op_is_wrong() -> None:
    """An exponential that is three units off is permitted by the default profile, and not by the strict one."""

    class Off(Swapped):
        def run(self, module, arguments):
            outcome = super().run(module, arguments)
            if b"exponential" not in module:
                return outcome
            return replace(outcome, results=tuple([one + 3 * np.spacing(one) for one in outcome.results]))

    module = program("%r = stablehlo.exponential %x", x=T)
    arguments = [F([0.5, 0.25])]
    for name, wrong in (("default", False), ("strict", True)):
        given = {"profile": PROFILES[name]}
        (entry,) = compare(module, [Local(), Off()], arguments=[arguments], tolerances={"": EXACT}, **given).results
        assert bool(entry.culprit) == wrong, name
        (judged,) = judge(module, [Off()], reference=Local(), arguments=arguments, **given).judgements
        assert (judged.verdict == "wrong") == wrong, name
        assert (trace(examine(module), arguments, Local(), Off(), **given).first is not None) == wrong, name


FAILED = Outcome("crash", message="signal 11")


@pytest.mark.parametrize(
    ("verdicts", "failed", "verdict", "code"),
    [
        ((), False, "same", 0), ((), True, "could not be run", 2), (("same",), False, "same", 0),
        (("same", "implementation-defined"), False, "implementation-defined", 0),
        (("implementation-defined",), True, "could not be run", 2), (("same", "differs"), True, "differs", 1),
        (("implementation-defined", "differs"), False, "differs", 1),
    ],
)  # fmt: skip
def test_the_worst_verdict_is_that_of_the_comparison(verdicts, failed, verdict, code) -> None:
    one, other = difference(F([1]), F([1]), EXACT), difference(F([1]), F([2]), EXACT)
    fields = [(one if each == "same" else other, EXACT, ("open",) * each.startswith("impl")) for each in verdicts]
    entries = [ResultComparison(0, number, "t", "e", *each) for number, each in enumerate(fields)]
    outcomes = (Outcome("ok"), FAILED if failed else Outcome("ok"))
    found = Comparison(("r", "e"), (outcomes,), tuple(entries))
    assert (found.verdict, found.exit_code) == (verdict, code)
    assert [each.verdict for each in found.results] == list(verdicts)
    assert [(number, name) for number, name, _ in failed_runs(found)] == ([(0, "e")] if failed else [])
    assert found.as_dict()["verdict"] == verdict
    count = verdicts.count("same")
    assert f"{verdict}: {count} of {len(verdicts)} results agree with r" in str(found).splitlines()


def test_the_report_of_a_comparison_has_a_case_for_each_engine_sample_and_result() -> None:
    far = difference(F([1, 5]), F([1, 2]), EXACT)
    entries = (
        ResultComparison(0, 0, T, "e", difference(F([1]), F([1]), EXACT), EXACT),
        ResultComparison(0, 1, T, "e", far, Tolerance(ulp=2), culprit="#3 op"),
        ResultComparison(1, 0, T, "e", None, EXACT),
        ResultComparison(1, 1, T, "e", far, EXACT, open_ops=("#4: sentence",)),
    )
    found = Comparison(("r", "e", "f"), ((Outcome("ok"), Outcome("ok"), FAILED),) * 2, entries)
    suite = ElementTree.fromstring(as_junit("p.mlir", found))
    cases = [
        (case.get("classname"), case.get("name"), child.tag if child is not None else "ok",
         None if child is None else child.get("message"))
        for case in suite.iter("testcase") for child in [next(iter(case), None)]
    ]  # fmt: skip
    assert cases == [
        ("f", "sample 0", "error", "crash: signal 11"),
        ("f", "sample 1", "error", "crash: signal 11"),
        ("e", "sample 0 result 0", "ok", None),
        ("e", "sample 0 result 1", "failure", f"differs by {far.amount}, allowed 2 ulp"),
        ("e", "sample 1 result 0", "failure", "differs by another shape, allowed exact"),
        ("e", "sample 1 result 1", "ok", None),
    ]
    lines = str(found).splitlines()
    assert lines[:2] == ["sample 0: f: crash: signal 11", "sample 1: f: crash: signal 11"]
    assert f"sample 0, result 1 {T}: e differs (allowed: 2 ulp)" in lines
    assert f"sample 1, result 0 {T}: e differs: it is of another shape" in lines
    assert "  first wrong op: #3 op" in lines
    assert "  implementation-defined: #4: sentence" in lines
    assert lines[-2:] == ["differs: 1 of 4 results agree with r", f"largest difference: {far.amount}"]


# judge ----------------------------------------------------------------------------------------------------------------


def judged(module, engine, *arguments, **options) -> EngineJudgement:
    (found,) = judge(module, [engine], reference=Local(), arguments=list(arguments), **options).judgements
    return found


@pytest.mark.parametrize("count", [3, 5, 6, 20, 1000])
@pytest.mark.parametrize("values", [1, 2, 7, 1000])
def test_of_equal_differences_the_first_are_told(count: int, values: int) -> None:
    errors = np.random.default_rng(0).integers(0, values, count)
    wrong = np.where(errors == values - 1, np.nan, 1.0 + errors).astype(np.float32)
    found = difference(wrong, np.zeros(count, np.float32), EXACT)
    order = sorted(range(count), key=lambda index: (-errors[index], index))
    assert [place for place, _, _ in found.worst] == [(index,) for index in order[:5]]


def test_engines_are_judged_one_by_one_in_their_order() -> None:
    engines = [Swapped(name="right"), Swapped({"abs": "negate"}, name="wrong"), Swapped(name="lacks", bad="maximum"),
               Swapped(name="crashes", bad="abs", outcome=FAILED),
               Swapped(name="slow", bad="abs", outcome=Outcome("timeout", message="1 s")),
               Swapped(name="refuses", bad="abs", outcome=Outcome("rejected", message="no"))]  # fmt: skip
    found = judge(BOTH, engines, reference=Local(), arguments=SAMPLES[0])
    assert [(one.engine, one.verdict) for one in found.judgements] == [
        ("right", "permitted"), ("wrong", "wrong"), ("lacks", "rejected"), ("crashes", "crashed"),
        ("slow", "crashed"), ("refuses", "rejected")]  # fmt: skip
    assert [one.sentence for one in found.judgements[2:]] == [
        "unsupported: lacks maximum", "crash: signal 11", "timeout: 1 s", "rejected: no"]  # fmt: skip
    wrong = found.judgements[1]
    assert str(wrong.place).startswith("#0 stablehlo.abs at ")
    assert wrong.section == "https://openxla.org/stablehlo/spec#abs"
    assert wrong.cause == f"wrong: wrong stablehlo.abs: {wrong.sentence}"
    alone = examine(wrong.program)
    assert [op.name for op in alone.ops] == ["stablehlo.abs"]
    assert [one.tolist() for one in wrong.arguments] == [[1, 2]]
    assert found.exit_code == 1


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [(("permitted", "unspecified"), 0), (("permitted", "crashed"), 2), (("rejected", "unspecified"), 2),
     (("wrong", "crashed"), 1), ((), 0)],
)  # fmt: skip
def test_the_exit_code_is_that_of_the_worst_judgement(verdicts, code) -> None:
    assert Judgement(tuple(EngineJudgement("e", verdict) for verdict in verdicts)).exit_code == code


def test_a_judgement_without_arguments_draws_them_from_the_seed() -> None:
    module = program("%r = stablehlo.abs %x", x=T)
    subject, signs = examine(module), {}
    for seed in range(6):
        (drawn,) = draw_arguments(subject.function, seed)
        (found,) = judge(module, [Swapped({"abs": "negate"})], reference=Local(), seed=seed).judgements
        signs[seed] = (bool((drawn > 0).any()), found.verdict)
    assert set(signs.values()) == {(True, "wrong"), (False, "permitted")}, signs


def test_ops_that_make_a_permitted_difference_larger_are_named_the_worst_first() -> None:
    """At most three of them, and none if there is no difference."""
    module = program(
        "%a = stablehlo.exponential %x", "%b = stablehlo.subtract %a, %y", "%c = stablehlo.multiply %b, %y",
        "%d = stablehlo.subtract %c, %z", "%e = stablehlo.subtract %d, %w", "%r = stablehlo.exponential %e",
        x=T, y=T, z=T, w=T,
    )  # fmt: skip
    given = [F([1, 1.5]), F([2.7, 4.4]), F([0.049, 0.35]), F([0.0003, 0.008])]
    found = judged(module, Swapped(element="bf16", name="bf16"), *given)
    growths = [growth for _, growth in found.amplifiers]
    assert 0 < len(growths) <= 3
    assert growths == sorted(growths, reverse=True)
    assert growths[-1] > 1
    rows = trace_of_own(module, given)
    assert {place.number: growth for place, growth in found.amplifiers} == {
        number: growth for growth, number in sorted(((each, number) for number, each in rows.items()), reverse=True)[:3]
    }
    same = judged(module, Swapped(), *given)
    assert same.amplifiers == ()
    assert same.difference is not None
    assert same.difference.max_ulp == 0


def test_ops_that_keep_a_difference_as_large_as_it_is_are_not_named() -> None:
    ops = ("%a = stablehlo.exponential %x", "%b = stablehlo.negate %a", "%c = stablehlo.reverse %b, dims = [0]")
    module = program(*ops, "%d = stablehlo.abs %c", "%r = stablehlo.sqrt %d", x=T)
    found = judged(module, Swapped(element="bf16", name="bf16"), F([1.3, 1.7]))
    assert (found.verdict, found.amplifiers) == ("permitted", ()), found
    assert found.difference is not None
    assert found.difference.max_ulp > 0


def trace_of_own(module, given) -> dict[int, float]:
    """The growth of the relative error in each op, by the values of both types."""
    subject = examine(module)
    wide, narrow = (dict(zip(subject.block.arguments, given, strict=True)) for _ in "ab")
    from stablehlo_py.debug.programs.slices import run_ops
    from stablehlo_py.debug.tracing.trace import relative_error

    wide |= run_ops(Local(), subject.extractor, subject.ops, wide, isolated=False)[0]
    narrow |= run_ops(Swapped(element="bf16"), subject.extractor, subject.ops, narrow, isolated=False)[0]
    errors = {value: relative_error(narrow[value], wide[value]) for value in wide}
    found = {}
    for number, op in enumerate(subject.ops):
        before = max(errors[operand] for operand in op.operands)
        found[number] = errors[op.results[0]] / before if before else 0.0
    return {number: growth for number, growth in found.items() if growth > 1}


PLACE = OpLocation(3, "stablehlo.sine", "<string>:4:5", "jit(f)/sin")


def test_the_text_of_a_judgement_has_all_that_is_known() -> None:
    found = EngineJudgement(
        "e", "wrong", PLACE, difference(F([1]), F([2]), EXACT), "sentence", ((PLACE, 12.345),),
        program("%r = stablehlo.sine %x", x=T), (), "algsimp",
    )  # fmt: skip
    lines = str(found).splitlines()
    assert lines[0] == f"e is wrong: {PLACE}"
    assert "  sentence" in lines
    assert "  https://openxla.org/stablehlo/spec#sine" in lines
    assert "  at fault: algsimp" in lines
    assert f"  differences grow 12.3 times at {PLACE}" in lines
    assert lines[lines.index("  this program shows it by itself:") + 1].startswith(("module", "func"))
    assert found.cause == "e: wrong stablehlo.sine (algsimp): sentence"
    assert str(EngineJudgement("e", "permitted")) == "e is permitted"
    record = json.loads(json.dumps(found.as_dict()))
    assert record["amplifiers"] == [{**vars(PLACE), "path": [], "growth": 12.345}]
    assert (record["step"], record["place"]["number"], record["section"][-5:]) == ("algsimp", 3, "#sine")
    assert "stablehlo.sine" in record["program"]
    assert EngineJudgement("e", "crashed", sentence="s").as_dict() == {
        "engine": "e", "verdict": "crashed", "place": None, "difference": None, "sentence": "s", "section": "",
        "step": "", "amplifiers": [], "program": None,
    }  # fmt: skip


def test_sarif_has_a_level_and_a_rule_for_each_verdict() -> None:
    verdicts = ("permitted", "wrong", "unspecified", "crashed", "rejected")
    found = Judgement(tuple(
        EngineJudgement("e", verdict, PLACE if verdict == "wrong" else None, sentence="s") for verdict in verdicts
    ))  # fmt: skip
    (run,) = found.as_sarif("model.mlir")["runs"]
    assert [one["level"] for one in run["results"]] == ["none", "error", "note", "error", "error"]
    assert [one["ruleId"] for one in run["results"]] == [
        "permitted", "wrong/stablehlo.sine", "unspecified", "crashed", "rejected"]  # fmt: skip
    places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert places[1]["region"] == {"startLine": 4, "startColumn": 5}
    assert {place["artifactLocation"]["uri"].rpartition("/")[2] for place in places} == {"model.mlir"}
    assert all("region" not in place for place in places[:1] + places[2:])
    fingerprints = [one["partialFingerprints"]["cause/v1"] for one in run["results"]]
    assert fingerprints == [one.cause for one in found.judgements]
    texts = {rule["id"]: rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"]}
    assert texts["crashed"] == "The engine ends with a crash."
    assert texts["wrong/stablehlo.sine"] == "An op gives a result that the specification does not permit."
    assert len(texts) == 5


# bisect ---------------------------------------------------------------------------------------------------------------

CHAIN = program(*(f"%{n} = stablehlo.{op} %{n - 1 if n else 'x'}"
                  for n, op in enumerate(("sine", "cosine", "abs", "tanh", "exponential"))), x=T)  # fmt: skip
X = F([0.5, 1.25])


@pytest.mark.parametrize(("op", "number"), [("sine", 0), ("cosine", 1), ("tanh", 3), ("exponential", 4)])
def test_bisection_names_the_op_with_its_operands_and_its_error(op: str, number: int) -> None:
    found = bisect(examine(CHAIN), [X], Local(), Swapped({op: "logistic"}))
    assert found.place is not None
    assert (found.place.number, found.place.op, found.alone) == (number, f"stablehlo.{op}", True)
    alone = examine(found.program)
    assert [each.name for each in alone.ops] == [f"stablehlo.{op}"]
    (operand,) = found.arguments
    (wanted,) = Local().run(alone.bytecode(), [operand]).results
    (given,) = Swapped({op: "logistic"}).run(alone.bytecode(), [operand]).results
    assert found.difference is not None
    assert found.difference.max_ulp == difference(given, wanted, EXACT).max_ulp
    assert (found.engine, found.ops, found.failure) == ("swapped", 5, "")
    text = str(found).splitlines()
    assert text[:2] == [f"first wrong op: {found.place}", f"it shows alone, found in {len(found.steps)} runs of 5 ops"]
    record = json.loads(json.dumps(found.as_dict()))
    assert record["culprit"]["number"] == number
    assert record["steps"] == [{"ops": step.ops, "shows": step.ops > number} for step in found.steps]
    assert record["difference"]["max_ulp"] == found.difference.max_ulp


def test_bisection_says_why_the_engine_fails() -> None:
    found = bisect(examine(CHAIN), [X], Local(), Swapped(bad="tanh"))
    assert found.place is not None
    assert (found.place.number, found.failure, found.difference) == (3, "unsupported: lacks tanh", None)
    assert "swapped fails: unsupported: lacks tanh" in str(found).splitlines()
    with pytest.raises(StablehloError, match="the engine swapped does not run"):
        bisect(examine(CHAIN), [X], Local(), Nothing())


class Nothing(Swapped):
    """An engine that runs no program."""

    def run(self, module, arguments):
        return FAILED


def test_the_tolerance_of_users_decides_what_bisection_looks_for() -> None:
    engine = Swapped({"abs": "negate"})
    for absolute, number in ((0.1, 2), (5.0, None)):
        found = bisect(examine(CHAIN), [X], Local(), engine, tolerance=Tolerance(absolute=absolute))
        assert (None if found.place is None else found.place.number) == number, absolute
    assert str(found) == "the results agree: swapped is not wrong on these arguments"
    assert found.as_dict()["culprit"] is None


def test_a_judge_of_users_decides_alone() -> None:
    seen: list[int] = []

    def shows(module: bytes, arguments) -> bool:
        (operand,) = arguments
        seen.append(operand.size)
        return b"abs" in module

    said: list[tuple[int, int]] = []
    found = bisect(examine(CHAIN), [X], Local(), Local(), judge=shows, progress=lambda *each: said.append(each))
    assert found.place is not None
    assert (found.place.op, found.alone, found.difference) == ("stablehlo.abs", True, None)
    assert said == [(number, 4) for number in range(len(found.steps))]
    assert len(seen) == len(found.steps) + 1
    whole = bisect(
        examine(CHAIN), [X], Local(), Local(), judge=lambda module, _: b"sine" in module and b"abs" in module
    )
    assert not whole.alone
    assert whole.difference is None
    assert [one.tolist() for one in whole.arguments] == [X.tolist()]
    assert "only together with the ops before it" in str(whole)
    assert whole.as_dict()["alone"] is False


def test_the_table_of_a_bisection_has_each_run() -> None:
    found = Bisection(PLACE, steps=(BisectionStep(4, shows=True), BisectionStep(2, shows=False)), engine="e", ops=4)
    page = found._repr_html_()
    assert page.count("<tr>") == 3
    assert page.index("<td>4</td><td>shows</td>") < page.index("<td>2</td><td>does not show</td>")
    assert "first wrong op: #3 stablehlo.sine" in page
    assert "the results agree" in Bisection(None, engine="e")._repr_html_()
