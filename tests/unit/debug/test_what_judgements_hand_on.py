"""What a judgement asks of the searches behind it: the program that shows the error, its arguments, and the options."""

from __future__ import annotations

import importlib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped, program

from stablehlo_py.debug import bisect, examine, judge, trace
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import PROFILES
from stablehlo_py.debug.judge import EngineJudgement, Judgement
from stablehlo_py.debug.programs.subject import OpLocation
from stablehlo_py.engines import Limits
from stablehlo_py.errors import StablehloError, UsageError

F = np.float32
T = "tensor<2xf32>"
JUDGE = importlib.import_module("stablehlo_py.debug.judge")
CHAIN = program("%s = stablehlo.sine %x", "%a = stablehlo.abs %s", "%r = stablehlo.add %a, %x", x=T)
X = F([-0.5, 1.25])


@pytest.mark.parametrize(
    ("name", "is_asked"),
    [("xla", True), ("xla:--xla_a=1", True), ("xla,b", True), ("xlab", False), ("my-xla", False), ("swapped", False)],
)
@pytest.mark.parametrize("guilty", [("algsimp",), ("algsimp", "fusion"), None, StablehloError("no HLO")])
def test_the_step_of_xla_is_asked_for_the_program_that_shows_the_error(
    name: str, is_asked: bool, guilty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[Any, ...]]()

    def bisect_xla(subject: Any, arguments: Any, reference: Any, **options: Any) -> Any:
        asked.append((subject, arguments, reference, options))
        if isinstance(guilty, StablehloError):
            raise guilty
        return None if guilty is None else SimpleNamespace(guilty=guilty)

    monkeypatch.setattr(JUDGE, "bisect_xla", bisect_xla)
    reference, engine = Local(), Swapped({"abs": "negate"}, name=name)
    engine.limits = Limits(12.0)
    (found,) = judge(CHAIN, [engine], reference=reference, arguments=[F([0.5, 1.25])]).judgements
    assert found.verdict == "wrong", found
    assert found.step == (" or ".join(guilty) if is_asked and isinstance(guilty, tuple) else "")
    assert len(asked) == is_asked
    for subject, arguments, other, options in asked:
        assert [op.name for op in subject.ops] == ["stablehlo.abs"]
        assert [one.tolist() for one in arguments] == [np.sin(F([0.5, 1.25])).tolist()]
        assert other is reference
        assert options == {"limits": Limits(12.0), "xla": name}
    right = judge(CHAIN, [Swapped(name=name)], reference=reference, arguments=[X]).judgements
    assert (right[0].verdict, right[0].step, len(asked)) == ("permitted", "", is_asked)


class Fuses(Swapped):
    """An engine that is wrong only where an absolute value follows a sine in one program."""

    def run(self, module: bytes, arguments: Any) -> Any:
        self.swaps = {"abs": "negate"} if b"sine" in module and b"abs" in module else {}
        return super().run(module, arguments)


@pytest.mark.parametrize("profile", list(PROFILES.values()), ids=list(PROFILES))
def test_the_search_for_ops_that_are_wrong_together_has_the_options_of_the_judgement(
    profile: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[Any, ...]]()

    def spied(*given: Any, **options: Any) -> Any:
        asked.append((*given, options))
        return bisect(*given, **options)

    monkeypatch.setattr(JUDGE, "bisect", spied)
    reference, engine = Local(), Fuses()
    (found,) = judge(CHAIN, [engine], reference=reference, arguments=[F([0.5, 1.25])], profile=profile).judgements
    assert (found.verdict, "compiled together" in found.sentence) == ("wrong", True), found
    assert found.place is not None
    assert (found.place.number, found.place.op) == (1, "stablehlo.abs")
    ((_, arguments, *engines, options),) = asked
    assert [one.tolist() for one in arguments] == [[0.5, 1.25]]
    assert engines == [reference, engine]
    assert options == {"profile": profile}


def test_an_op_that_does_not_run_alone_is_no_reason_to_look_at_ops_together() -> None:
    """An op may be as far off as its accuracy says, also in front of one that the engine does not run by itself."""

    class Needs(Swapped):
        def run(self, module: bytes, arguments: Any) -> Any:
            text = str(parsed(module))
            self.bad = "sqrt" if "stablehlo.sqrt %arg" in text else ""
            return super().run(module, arguments)

    accuracy = "atol = 2.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>"
    attributes = f"{{result_accuracy = #stablehlo.result_accuracy<{accuracy}>}}"
    module = program(f"%a = stablehlo.exponential %x {attributes} : {T}", "%r = stablehlo.sqrt %a", x=T)
    engine = Needs({"exponential": "exponential_minus_one"})
    (found,) = judge(module, [engine], reference=Local(), arguments=[F([0.5, 1.25])]).judgements
    assert (found.verdict, found.place, found.program) == ("permitted", None, None), found
    assert found.difference is not None
    assert found.difference.mismatches == 2
    assert trace(examine(module), [F([0.5, 1.25])], Local(), engine).rows[1].failure


def test_ops_are_wrong_together_only_if_their_program_is_wrong_once_more() -> None:
    """The last run of all is of that program."""

    class Recovers(Fuses):
        def __init__(self, runs: int) -> None:
            super().__init__()
            self.runs = runs

        def run(self, module: bytes, arguments: Any) -> Any:
            if self.asked < self.runs:
                return super().run(module, arguments)
            self.swaps = {}
            return Swapped.run(self, module, arguments)

    engines = [Recovers(1000)]
    (steady,) = judge(CHAIN, engines, reference=Local(), arguments=[F([0.5, 1.25])]).judgements
    assert (steady.verdict, steady.place is not None) == ("wrong", True), steady
    engines.append(Recovers(engines[0].asked - 1))
    (found,) = judge(CHAIN, engines[1:], reference=Local(), arguments=[F([0.5, 1.25])]).judgements
    assert found.verdict == "permitted", found
    assert str(replace(found, verdict="wrong")) == str(steady)
    assert engines[0].asked == engines[1].asked


@pytest.mark.parametrize(
    ("location", "uri", "region"),
    [
        ("", "p.mlir", None),
        ("<string>:4:5", "p.mlir", {"startLine": 4, "startColumn": 5}),
        ("model.py:7:2", "model.py", {"startLine": 7, "startColumn": 2}),
    ],
)
def test_sarif_tells_the_place_of_an_op_or_the_file(location: str, uri: str, region: dict[str, int] | None) -> None:
    found = EngineJudgement("e", "wrong", OpLocation(0, "stablehlo.abs", location, ""), sentence="s")
    for one in (found, replace(found, verdict="unspecified")):
        (result,) = Judgement((one,)).as_sarif("p.mlir")["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].rpartition("/")[2] == uri
        assert place.get("region") == region


RANDOM = """%low{0} = stablehlo.constant dense<0.0> : tensor<f32>
  %high{0} = stablehlo.constant dense<1.0> : tensor<f32>
  %size{0} = stablehlo.constant dense<2> : tensor<1xi64>
  %r{0} = "stablehlo.rng"(%low{0}, %high{0}, %size{0}) {{rng_distribution = #stablehlo<rng_distribution UNIFORM>}}
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>"""


class OtherNumbers(Swapped):
    """Draws other random numbers than the reference, as it may."""

    def run(self, module: bytes, arguments: Any) -> Any:
        text = str(parsed(module)).replace("UNIFORM", "NORMAL")
        return super().run(text.encode(), arguments)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("wrong", ["", "floor", "sine", "cosine"])
def test_an_op_behind_any_number_of_open_ops_is_wrong_at_its_own_number(count: int, wrong: str) -> None:
    """An op before them is found without their values, one behind or beside them on the values that the engine has."""
    lines = ["%f = stablehlo.floor %x : tensor<2xf32>"]
    last = "%f"
    for number in range(count):
        lines += [RANDOM.format(number), f"%s{number} = stablehlo.add {last}, %r{number} : tensor<2xf32>"]
        last = f"%s{number}"
    lines += [f"%a = stablehlo.sine {last} : tensor<2xf32>", "%b = stablehlo.cosine %a : tensor<2xf32>"]
    body = "\n  ".join(lines)
    text = f"func.func @main(%x: {T}) -> {T} {{\n  {body}\n  return %b : {T}\n}}"
    module = parsed(text)
    subject = examine(module)
    names = [op.name.partition(".")[2] for op in subject.ops]
    engine, said = OtherNumbers({wrong: "tanh"} if wrong else {}), list[str]()
    (found,) = judge(module, [engine], reference=Local(), arguments=[F([0.5, 1.75])], say=said.append).judgements
    assert [line.partition(":")[0] for line in said] == ["swapped"], "how far results are apart is said once"
    assert found.place is not None
    expected = ("wrong", wrong) if wrong else ("unspecified", "rng")
    assert (found.verdict, found.place.op) == (expected[0], f"stablehlo.{expected[1]}"), text
    assert found.place.number == names.index(expected[1]), text


@pytest.mark.parametrize(("added", "is_named"), [(30.0, False), (-2.0, True)])
def test_ops_that_make_a_difference_smaller_do_not_amplify_it(added: float, is_named: bool) -> None:
    """A sum with a large number has a smaller relative error than its operand, what cancels has a larger one."""
    module = program("%a = stablehlo.exponential %x", "%r = stablehlo.add %a, %y", x=T, y=T)
    engine = Swapped(element="bf16", name="narrow")
    (found,) = judge(module, [engine], reference=Local(), arguments=[F([0.7, 0.7]), F([added] * 2)]).judgements
    assert (found.verdict, [place.number for place, _ in found.amplifiers]) == ("permitted", [1] * is_named), found
    assert found.difference is not None
    assert found.difference.max_ulp > 0


def test_without_an_engine_nothing_is_right() -> None:
    with pytest.raises(UsageError, match="there is no engine to judge"):
        judge(program("%0 = stablehlo.negate %x", x="tensor<2xf32>"), [])


def test_an_op_in_a_region_is_judged_by_its_own_results() -> None:
    """What the region makes of them is farther off."""
    text = f"""func.func @main(%x: {T}, %p: tensor<i1>) -> {T} {{
      %k = stablehlo.constant dense<100.0> : {T}
      %i = "stablehlo.if"(%p) ({{
        %s = stablehlo.sine %x : {T}
        %r = stablehlo.multiply %s, %k : {T}
        stablehlo.return %r : {T}
      }}, {{
        stablehlo.return %x : {T}
      }}) : (tensor<i1>) -> {T}
      return %i : {T}
    }}"""
    engine = Swapped({"sine": "cosine"})
    (found,) = judge(parsed(text), [engine], reference=Local(), arguments=[X, np.array(True)]).judgements
    assert (found.verdict, found.place and found.place.op) == ("wrong", "stablehlo.sine")
    assert found.difference is not None
    assert found.difference.max_absolute == pytest.approx(float(np.abs(np.cos(X) - np.sin(X)).max()), rel=1e-5)
    assert found.sentence.startswith("profile default: functions are at most 4 ULP")
