"""The search for the pass, the function and the op to blame for a crash, where what crashes is known beforehand."""

from __future__ import annotations

from typing import Any

import pytest

import stablehlo_py
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.errors import PassError
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.passes import guarded_pipeline
from stablehlo_py.passes.guarded_pipeline import Site, locate_in_pipeline
from stablehlo_py.passes.pipeline import Pipeline
from stablehlo_py.syntax import Source
from stablehlo_py.syntax.crash_site import Trials, crashing_part

TEXT = """func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32> {a.b = 1 : i32}) {
  %0 = stablehlo.abs %x : tensor<2xf32>
  %1:2 = "stablehlo.custom_call"(%0) {call_target_name = "two"} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<3xi8>)
  %2 = stablehlo.negate %1#0 : tensor<2xf32>
  return %2 : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    ("length", "names", "results"),
    [
        (0, [], []),
        (1, ["abs"], ["tensor<2xf32>"]),
        (2, ["abs", "custom_call"], ["tensor<2xf32>", "tensor<3xi8>"]),
        (3, ["abs", "custom_call", "negate"], ["tensor<2xf32>"]),
        (4, ["abs", "custom_call", "negate"], ["tensor<2xf32>"]),  # the whole function
    ],
)
def test_a_function_is_cut_behind_an_op_whose_results_it_returns(
    length: int, names: list[str], results: list[str]
) -> None:
    module = stablehlo_py.parse(TEXT)
    (function,) = functions(module.operation).values()
    guarded_pipeline._shorten(function, length)
    *ops, end = body_of(function).operations
    assert [op.operation.name.removeprefix("stablehlo.") for op in ops] == names
    assert [str(operand.type) for operand in end.operation.operands] == results
    assert str(function.attributes["function_type"]).rpartition("-> ")[2].strip("()").replace(", ", "|") == "|".join(
        results
    )
    assert module.operation.verify()


@pytest.mark.parametrize("length", range(1, 4))
def test_a_function_that_is_cut_returns_the_last_op_whatever_it_returned(length: int) -> None:
    module = stablehlo_py.parse(TEXT.replace("return %2", "return %x"))
    (function,) = functions(module.operation).values()
    guarded_pipeline._shorten(function, length)
    *_, last, end = body_of(function).operations
    assert list(end.operation.operands) == list(last.operation.results)
    assert module.operation.verify()


@pytest.mark.parametrize("guilty", [0, 1, 2, 3])
def test_the_shortest_beginning_that_crashes_is_found(guilty: int) -> None:
    asked: list[int] = []

    def crashes(part: list[str], length: int | None = None) -> bool:
        if length is not None:
            asked.append(length)
        return length is None or length >= guilty

    assert crashing_part(["f"], crashes, lambda name: 3) == ("f", guilty)
    assert len(asked) <= 2
    assert crashing_part(["f"], lambda *_: False, lambda name: 3) is None


@pytest.mark.parametrize("guilty", range(5))
def test_the_last_pass_of_the_shortest_pipeline_is_guilty(guilty: int) -> None:
    pipeline = Pipeline.from_text("cse,canonicalize,func.func(cse,canonicalize),symbol-dce", nest=True)
    names = ["cse", "canonicalize", "cse", "canonicalize", "symbol-dce"]
    found, name = guarded_pipeline.shortest_crash(pipeline, lambda part: len(part.elements) > guilty)
    assert (len(found.elements), name) == (guilty + 1, names[guilty])


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8])
def test_one_of_several_functions_is_guilty_or_none_by_itself(count: int) -> None:
    names = [f"f{number}" for number in range(count)]
    for guilty in names:
        found = crashing_part(names, lambda part, *length, guilty=guilty: guilty in part, lambda name: 1)
        assert found is not None
        assert found[0] == guilty
    if count > 1:
        assert crashing_part(names, lambda part, *_: {"f0", names[-1]} <= set(part), lambda name: 1) is None


CALLS = """func.func @a(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = func.call @c(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @b(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
func.func @c(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"""


@pytest.mark.parametrize(
    ("names", "length", "left"),
    [
        (["a"], None, {"a": 3, "c": 1}),
        (["a"], 1, {"a": 2}),
        (["a"], 0, {"a": 1}),
        (["b"], None, {"b": 1}),
        (["c", "b"], 0, {"b": 1, "c": 1}),
        (["a", "b", "c"], None, {"a": 3, "b": 1, "c": 1}),
    ],
)
def test_a_trial_runs_on_the_chosen_functions_and_those_that_they_call(
    names: list[str], length: int | None, left: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, seen = stablehlo_py.parse(CALLS), list[dict[str, int]]()
    run = guarded_pipeline.run_pipeline

    def run_and_see(tried: Any, pipeline: Any) -> None:
        run(tried, pipeline)
        seen.append({name: len(body_of(op).operations) for name, op in functions(tried.operation).items()})

    monkeypatch.setattr(guarded_pipeline, "run_pipeline", run_and_see)
    pipeline = Pipeline.from_text("canonicalize")
    guarded_pipeline._trial(bytecode_of(module.operation), pipeline, names, length, module.context)
    assert seen[0] == left, "before the pipeline"
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("pipeline", "is_safe", "named"),
    [
        ("canonicalize", True, False),  # the message has it
        ("func.func(canonicalize)", True, False),
        ("cse,canonicalize", True, True),
        ("canonicalize,cse", True, True),
        ("cse,func.func(sccp,canonicalize,cse),symbol-dce", True, True),
        ("cse,canonicalize", False, False),  # trials would take long
        ("canonicalize", False, False),
    ],
)
def test_the_pass_that_crashes_is_named_if_there_are_several(
    pipeline: str, is_safe: bool, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, trials = stablehlo_py.parse(TEXT), list[str]()

    def tried(work: Any, _op: object) -> Outcome:
        trials.append(str(work.args[0]))
        return Outcome(cause="crash", crash="SIGABRT" if "canonicalize" in trials[-1] else "")

    for name, value in (("tried_in_child", tried), ("is_expendable", lambda: False), ("fork_is_safe", lambda: is_safe)):
        monkeypatch.setattr(guarded_pipeline, name, value)
    with pytest.raises(PassError, match="fails: SIGABRT") as raised:
        guarded_pipeline.run_guarded_pipeline(module, pipeline)
    notes = [note.message for note in raised.value.diagnostics[0].notes]
    assert notes == (["it crashes in the pass canonicalize"] if named else [])
    assert named or len(trials) == 1


@pytest.mark.parametrize(
    ("guilty", "length", "late", "found"),
    [
        ({"a"}, 1, False, Site("canonicalize", "program:2:8", "stablehlo.abs")),
        ({"a"}, 2, False, Site("canonicalize", "program:3:8", "func.call")),
        ({"a"}, 2, True, Site("canonicalize", "program:1:1", "func.func")),  # no time to look for the op
        ({"a"}, 0, False, Site("canonicalize", "program:1:1", "func.func")),
        ({"b"}, 0, False, Site("canonicalize", "program:6:1", "func.func")),
        ({"a", "b"}, 0, False, Site("canonicalize")),  # only both together
        ({"a", "c"}, 0, False, Site("canonicalize")),
    ],
)
def test_the_site_of_a_crash_is_as_precise_as_what_crashes_alone(
    guilty: set[str], length: int, late: bool, found: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(_self: Trials, job: Any) -> bool:
        _, part, names, cut = job.args
        return "canonicalize" in str(part) and guilty <= {*names} and (cut is None or cut >= length)

    monkeypatch.setattr(Trials, "crash", crash)
    monkeypatch.setattr(Trials, "is_late", late)
    declared = "\nfunc.func private @outside()"  # which has nothing to crash on
    assert locate_in_pipeline(Source("program", (CALLS + declared).encode()), "cse,canonicalize,symbol-dce") == found
