"""Ops have one number in all verbs and in reports, where overlays find them by it."""

from __future__ import annotations

import contextlib
import re

import numpy as np
import pytest
from browser import CHROMIUM, evaluate
from viewed_programs import T, data_of, long_program, marks

import stablehlo_py
from stablehlo_py.analysis import view
from stablehlo_py.analysis.numbering import numbering
from stablehlo_py.analysis.overlays import overlay_of
from stablehlo_py.interpreter.profile import Profile

PLACE = 'loc("jit(f)/layer"("model.py":10:4))'
LAYER = [("dot", "%d = stablehlo.dot {x}, %w : ({T}, {T}) -> {T} {PLACE}"),
         ("tanh", "%t = stablehlo.tanh %d : {T} {PLACE}"),
         ("add", "%r = stablehlo.add %t, {x} : {T} {PLACE}")]  # fmt: skip


def layers(called: bool) -> str:
    """Three equal layers with one location for all ops, called or inlined."""

    def body(number: int, x: str) -> list[str]:
        lines = [line.format(x=x, T=T, PLACE=PLACE) for _, line in LAYER]
        return [re.sub(r"%([dtr])\b", rf"%\g<1>{number}", line) for line in lines]

    values = ["%x", "%r0", "%r1"]
    if called:
        main = [f"%r{n} = func.call @layer({x}, %w) : ({T}, {T}) -> {T}" for n, x in enumerate(values)]
        layer = [f"func.func private @layer(%x: {T}, %w: {T}) -> {T} {{", *body(0, "%x"), f"return %r0 : {T}", "}"]
    else:
        main, layer = [line for n, x in enumerate(values) for line in body(n, x)], []
    return "\n".join([f"func.func @main(%x: {T}, %w: {T}) -> {T} {{", *main, f"return %r2 : {T}", "}", *layer])


def engines(stack, *names):
    from stablehlo_py.engines import open_engine

    return [stack.enter_context(open_engine(name)) for name in names]


def numbers_of(data) -> list[str]:
    """The lines of a report that have a number, each with it in front."""
    strings, ops = data["strings"], data["ops"]
    return [f"{strings[number]} {strings[name]}" for number, name in zip(ops["number"], ops["name"], strict=True)
            if strings[number]]  # fmt: skip


@pytest.mark.parametrize("called", [False, True])
def test_each_of_three_equal_layers_shows_its_own_numbers(called):
    from stablehlo_py.debug.programs.subject import examine
    from stablehlo_py.debug.tracing.numerics import numerics

    arguments = [np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32) for _ in range(2)]
    with contextlib.ExitStack() as stack:
        program, shadow = engines(stack, "reference", "reference:f64")
        found = numerics(examine(stablehlo_py.parse(layers(called))), arguments, program, shadow)
    introduced = {one.place.number: f"introduces {one.introduced:.4g} ULP" for one in found.contributions}
    assert len(set(introduced.values())) > 3
    _, data = data_of(layers(called), overlays=[overlay_of(found.as_dict())])
    strings, ops = data["strings"], data["ops"]
    (overlay,) = data["overlays"]
    shown = {position: text for position, _, text in overlay["marks"]}
    assert overlay["missed"] == 0
    if not called:
        assert {strings[ops["number"][position]]: text.partition(";")[0] for position, text in shown.items()} == {
            f"#{number}": text for number, text in introduced.items()
        }
        return
    calls = [position for position in shown if strings[ops["name"][position]] == "func.call"]
    assert [strings[ops["number"][position]] for position in calls] == ["#0 … #2", "#3 … #5", "#6 … #8"]
    assert all(shown[call].startswith("largest: ") for call in calls)
    lines = {line.partition(";")[0] for position, text in shown.items() if position not in calls
             for line in text.split("\n")}  # fmt: skip
    assert lines == {f"#{number}: {text}" for number, text in introduced.items()}


FIRST, LAYER_TEXT = layers(True).split("func.func private")
WRONG = f"""{FIRST.replace("@layer(%r1", "@last(%r1")}func.func private{LAYER_TEXT}
func.func private{LAYER_TEXT.replace("@layer", "@last").replace("%d0 :", '%d0 {planted = "negated"} :')}"""
LOOP_OF_LAYERS = f"""func.func @main(%x: {T}, %w: {T}) -> {T} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i, %y = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, {T}
  cond {{
    %three = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %k, %one : tensor<i32>
    %last = func.call @last(%v, %w) : ({T}, {T}) -> {T}
    stablehlo.return %next, %last : tensor<i32>, {T}
  }}
  return %y : {T}
}}
{WRONG[WRONG.rindex("func.func private") :]}"""


def test_times_and_changes_of_equal_layers_are_those_of_each_op():
    profile = Profile()
    arguments = [np.eye(4, dtype=np.float32)] * 2
    stablehlo_py.load(layers(False), listeners=[profile])(*arguments)
    _, data = data_of(layers(False), overlays=[overlay_of(profile.as_dict())])
    assert [text.partition(" in ")[2][:6] for _, _, text in data["overlays"][0]["marks"]] == ["1 runs"] * 9
    changed = layers(False).replace("%t1 = stablehlo.tanh", "%t1 = stablehlo.cosine")
    changes = stablehlo_py.load(layers(False)).diff(changed)
    _, data = data_of(changed, overlays=[overlay_of(changes.as_dict())])
    strings, ops = data["strings"], data["ops"]
    assert {strings[ops["number"][position]] for position, _, _ in data["overlays"][0]["marks"]} == {"#4", "#5"}


@pytest.mark.usefixtures("importable")
def test_all_verbs_and_the_report_give_a_wrong_op_the_same_number():
    from stablehlo_py.debug.bisect import bisect
    from stablehlo_py.debug.compare import compare
    from stablehlo_py.debug.judge import judge
    from stablehlo_py.debug.programs.subject import examine
    from stablehlo_py.debug.tracing.numerics import numerics
    from stablehlo_py.debug.tracing.trace import trace
    from stablehlo_py.engines import Engine, open_engine

    module = stablehlo_py.parse(WRONG)
    arguments = [np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32) for _ in range(2)]
    subject = examine(module)
    with open_engine("reference") as reference, Engine("planted", "planted_engine:backend") as planted:
        traced = trace(subject, arguments, reference, planted)
        halved = bisect(subject, arguments, reference, planted)
        compared = compare(module, [reference, planted], arguments=[arguments])
        judged = judge(module, [planted], reference=reference, arguments=arguments)
        lost = numerics(subject, arguments, reference, planted)
    assert [traced.culprit, halved.culprit, judged.judgements[0].place] == [traced.culprit] * 3
    assert str(traced.culprit) == "#7 stablehlo.tanh jit(f)/layer at model.py:10:4"
    assert str(traced.culprit) in str(compared)
    assert {one.place.number: one.place.op for one in lost.contributions}[7] == "stablehlo.tanh"
    _, data = data_of(WRONG, overlays=[overlay_of(traced.as_dict())])
    (text,) = [text for _, _, text in data["overlays"][0]["marks"] if text.startswith("wrong")]
    assert text.startswith("wrong, local 2 relative")
    assert "#7 stablehlo.tanh" in numbers_of(data)


@pytest.mark.usefixtures("importable")
def test_an_op_of_a_function_that_a_loop_calls_has_its_number_in_the_loop():
    from stablehlo_py.debug.programs.subject import examine
    from stablehlo_py.debug.tracing.trace import trace
    from stablehlo_py.engines import Engine, open_engine

    arguments = [np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32) for _ in range(2)]
    module = stablehlo_py.parse(LOOP_OF_LAYERS)
    with open_engine("reference") as reference, Engine("planted", "planted_engine:backend") as planted:
        found = trace(examine(module), arguments, reference, planted)
    assert str(found.culprit).startswith("#1 stablehlo.while body, iteration 0: #3 stablehlo.tanh")
    _, data = data_of(LOOP_OF_LAYERS, overlays=[overlay_of(found.as_dict())])
    assert marks(data)["tanh"] == "wrong in #1 stablehlo.while body, iteration 0"
    (overlay,), names = data["overlays"], [data["strings"][number] for number in data["ops"]["name"]]
    assert [names[position] for position in overlay["culprit"]] == ["stablehlo.tanh"]
    if CHROMIUM is None:
        return
    page = view(stablehlo_py.parse(LOOP_OF_LAYERS), overlays=[found]).html
    script = """return {
      glowing: graph.nodes.filter((node) => node.element.classList.contains("wrong")).map((node) => node.label),
      groups: document.querySelector(".crumbs").textContent,
      first: document.querySelector("#summary tbody").textContent, others: graph.nodes.length};"""
    seen = evaluate(page, script, "#tab=graph")
    assert seen["glowing"] == ["tanh"]
    assert seen["others"] > 1
    assert "@last" in seen["groups"]
    assert seen["first"].startswith("stablehlo.tanh #1 body: #3")
    assert {"#1 body: #3 stablehlo.tanh", "#1 body: #2 … #1 body: #4 func.call", "#1 condition: #1 stablehlo.compare",
            "#0 stablehlo.constant", "#1 stablehlo.while"} <= set(numbers_of(data))  # fmt: skip


def test_programs_that_are_not_inlined_are_numbered_as_they_are():
    double = "func.func private @f{n}(%a: {T}) -> {T} {{\n{calls}\nreturn %1 : {T} }}"
    calls = "%0 = func.call @f{m}(%a) : ({T}) -> {T}\n%1 = func.call @f{m}(%0) : ({T}) -> {T}"
    functions = [double.format(n=n, T=T, calls=calls.format(m=n - 1, T=T)) for n in range(1, 18)]
    functions[0] = double.format(n=0, T=T, calls=f"%1 = stablehlo.sine %a : {T}") + functions[0]
    text = "\n".join(functions).replace("private @f17(", "@main(")
    _, data = data_of(text)
    assert numbers_of(data) == ["#0 func.call", "#1 func.call"]
    assert not numbering(stablehlo_py.parse("func.func @a() { return }\nfunc.func @b() { return }")).spots


def test_numbers_of_deep_and_long_programs_are_short():
    assert numbers_of(data_of(long_program(10_000))[1])[-1] == "#9999 stablehlo.multiply"
    lines = [f"%x300 = stablehlo.sine %a : {T}"]
    for n in reversed(range(300)):
        ends = f"stablehlo.return %x{n + 1} : {T}\n}}, {{ stablehlo.return %a : {T} }}) : (tensor<i1>) -> {T}"
        lines = [f'%x{n} = "stablehlo.if"(%p) ({{', *lines, ends]
    body = "\n".join(lines)
    text = f"func.func @main(%a: {T}, %p: tensor<i1>) -> {T} {{\n{body}\nreturn %x0 : {T}\n}}"
    (number,) = [one for one in numbers_of(data_of(text)[1]) if one.endswith("sine")]
    assert number.startswith("…: #0 true branch: #0")
    assert len(number) < 100
