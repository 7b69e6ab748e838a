"""`--steps` and `stablehlo steps`: what each pass does is told, and a wrong or slow pass is never passed over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import CHROMIUM, evaluate

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.capabilities import has
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug.equivalence import DIFFERENT, SAME, UNKNOWN
from stablehlo_py.debug.steps import PassStep, PassSteps, remove_steps
from stablehlo_py.errors import Diagnostic, UsageError
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.syntax import parse

T = "tensor<4xf32>"
PROGRAM = f"""func.func @main(%a: {T}) -> {T} {{
  %z = stablehlo.constant dense<0.0> : {T}
  %0 = stablehlo.add %a, %z : {T}
  %1 = stablehlo.sine %0 : {T}
  %2 = stablehlo.sine %0 : {T}
  %3 = stablehlo.multiply %1, %2 : {T}
  return %3 : {T} }}"""
PASSES = ("canonicalize", "func.func(stablehlo-aggressive-simplification)", "cse", "cse")


def steps_of(text, passes=PASSES, **options):
    module = parse(text)
    found = PassSteps(module, "program", **options)
    for name in passes:
        with found.watch(name, module) as step:
            run_pipeline(module, f"builtin.module({name})", sink=step.hear)
    return found


def test_each_pass_tells_amounts_verdict_and_remarks():
    found = steps_of(PROGRAM).steps
    assert [step.after["ops"] for step in found] == [7, 5, 4, 4]
    assert [step.before["ops"] for step in found] == [7, 7, 5, 4]
    assert [step.function for step in found] == ["", SAME, SAME, ""]
    assert [bool(step.diff) for step in found] == [False, True, True, False]
    assert [step.changes for step in found] == ["", "2 changed, 2 removed", "1 changed, 1 removed", ""]
    if has("remarks"):
        assert ["add_zero" in remark for remark in found[1].remarks] == [True]


def test_a_pass_that_makes_another_function_is_told():
    module = parse(PROGRAM)
    found = PassSteps(module, "program")
    with found.watch("wrong", module):
        add = next(op for op in operations(module.operation) if op.name == "stablehlo.multiply")
        add.results[0].replace_all_uses_with(add.operands[0])
    assert found.steps[0].function.startswith(DIFFERENT)


def test_a_question_that_takes_too_long_is_not_asked_or_given_up():
    large = PROGRAM.replace("tensor<4xf32>", "tensor<100000000xf32>")
    assert [step.function[:9] for step in steps_of(large, ["cse"]).steps] == ["not asked"]
    loop = """func.func @main() -> tensor<i64> {
      %zero = stablehlo.constant dense<0> : tensor<i64>
      %one = stablehlo.constant dense<1> : tensor<i64>
      %again = stablehlo.constant dense<1> : tensor<i64>
      %0 = stablehlo.while(%i = %zero) : tensor<i64> cond {
        %c = stablehlo.compare NE, %i, %i : (tensor<i64>, tensor<i64>) -> tensor<i1>
        %n = stablehlo.not %c : tensor<i1>
        stablehlo.return %n : tensor<i1>
      } do { %j = stablehlo.add %i, %one : tensor<i64>
             %k = stablehlo.add %j, %again : tensor<i64>
             stablehlo.return %k : tensor<i64> }
      return %0 : tensor<i64> }"""
    (step,) = steps_of(loop, ["cse"], seconds=0.2).steps
    assert step.function.startswith(UNKNOWN)
    assert "longer than the limit of 0.2" in step.function


# A user's pass that ends the process as a crash of C++ does.
ABORTS = """
import os
from stablehlo_py.extend import Pass, register_pass

@register_pass
class Aborts(Pass):
    name = "aborts"
    summary = "Abort"
    anchor = "builtin.module"

    def run(self, module):
        os.abort()
"""


@pytest.mark.skipif(os.name == "nt", reason="abort opens a dialog there")
def test_after_a_crash_the_page_has_the_passes_before_it(tmp_path: Path):
    (tmp_path / "program.mlir").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "aborts.py").write_text(ABORTS, encoding="utf-8")
    line = [sys.executable, "-c", "from stablehlo_py.cli.opt import main; main()", "--load=aborts.py", "program.mlir"]
    ended = subprocess.run([*line, "--cse", "--aborts", "--steps=out"], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 1
    assert sorted(os.listdir(tmp_path / "out")) == ["00-input.mlir", "01-cse.mlir", "index.html"]
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert '"number":2,"name":"aborts"' in page
    assert "it did not end: the compiler crashed, or was stopped" in page


def test_only_what_an_earlier_run_wrote_goes_from_its_folder(tmp_path: Path):
    for path, data in steps_of(PROGRAM, ["canonicalize", "func.func(cse)"]).files(str(tmp_path)).items():
        Path(path).write_bytes(data)
    for mine in ("01-mine.mlir", "01-cse.mlir"):
        (tmp_path / mine).write_text("mine", encoding="utf-8")
    remove_steps(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == ["01-cse.mlir", "01-mine.mlir", "index.html"]


@pytest.mark.parametrize("gone", ["00-input.mlir", "01-canonicalize.mlir"])
def test_all_of_an_earlier_run_goes_also_if_some_is_gone_already(gone: str, tmp_path: Path):
    for path, data in steps_of(PROGRAM, ["canonicalize", "cse"]).files(str(tmp_path)).items():
        Path(path).write_bytes(data)
    (tmp_path / gone).unlink()
    remove_steps(str(tmp_path))
    assert os.listdir(tmp_path) == ["index.html"]


@pytest.mark.parametrize("page", ["", "mine", '<p id="data">{"steps": [{"number": "../1", "name": 3}]}</script>'])
def test_a_folder_with_another_page_keeps_its_files(tmp_path: Path, page: str):
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    (tmp_path / "00-input.mlir").write_text("mine", encoding="utf-8")
    remove_steps(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == ["00-input.mlir", "index.html"]


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page in")
def test_arrow_keys_lead_from_pass_to_pass():
    (html,) = steps_of(PROGRAM).files("page.html").values()
    script = """const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {key}));
    const name = () => document.querySelector('[aria-selected]').textContent;
    const seen = [name()];
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) { press(key); seen.push(name()); }
    return [seen, [...document.querySelectorAll('details > div')].map((one) => one.textContent),
            document.body.scrollWidth <= innerWidth, document.querySelectorAll('.pair.removed').length];"""
    names, folded, fits, removed = evaluate(html.decode(), script, size=(390, 700))
    assert [name[0] for name in names] == ["2", "3", "3", "2"]
    assert [name[0] for name in folded] == ["1", "4"]
    assert fits
    assert removed == 2


def test_a_step_in_words_tells_amounts_that_change_and_those_that_stay():
    step = PassStep(3, "cse", {"ops": 7, "flops": 12345, "bytes": "unknown"}, error="")
    assert str(step) == "3 cse: changed nothing"
    step.after = {"ops": 5, "flops": 12345, "bytes": "unknown", "peak_bytes": 3}
    assert str(step) == "3 cse: changed nothing"
    step.changes, step.function, step.remarks, step.diff = "2 removed", SAME, ["a:1: told"], ["-x", "+y"]
    assert str(step).splitlines() == [
        "3 cse: 7 -> 5 ops, 12.3 k flops, unknown bytes, ? -> 3 peak_bytes",
        f"  2 removed; {SAME}",
        "  remark: a:1: told",
        "-x",
        "+y",
    ]
    assert str(PassStep(1, "a", {})).splitlines() == [
        "1 a: error: it did not end: the compiler crashed, or was stopped"
    ]
    failed = PassStep(1, "a", {}, error="why", remarks=["r"])
    assert str(failed).splitlines() == ["1 a: error: why", "  remark: r"]
    failed.changes = "1 removed"  # what it has done is not counted where it has failed
    assert str(failed).splitlines() == ["1 a: error: why", "  remark: r"]


def test_a_step_as_json_has_all_but_what_pages_show():
    step = PassStep(2, "cse", {"ops": 7}, text="module {}", sides={"a": 1})
    fields = {"number", "name", "before", "after", "changes", "function", "remarks", "diff", "error"}
    assert set(step.as_dict()) == fields
    assert set(step.as_dict("diff")) == fields - {"diff"} | {"sides", "text"}
    assert step.as_dict()["before"] == {"ops": 7}


def test_remarks_are_kept_with_their_places_and_other_diagnostics_are_not():
    step = PassStep(1, "a", {})
    for severity, location, message in (
        ("remark", "f:1", "one"), ("error", "f:2", "two"), ("remark", "", "three"), ("warning", "", "four"),
    ):  # fmt: skip
        step.hear(Diagnostic(severity, location, message))
    assert step.remarks == ["f:1: one", "three"]


def test_a_pass_that_fails_is_told_and_the_next_one_goes_on_from_before_it():
    module = parse(PROGRAM)
    found = PassSteps(module, "program")
    with pytest.raises(UsageError), found.watch("bad", module):
        raise UsageError("it cannot")
    with found.watch("cse", module):
        run_pipeline(module, "builtin.module(cse)")
    assert [(step.number, step.name, step.error) for step in found.steps] == [
        (1, "bad", "error: it cannot"),
        (2, "cse", ""),
    ]
    assert found.steps[0].after is None
    assert [step.before["ops"] for step in found.steps] == [7, 7]
    assert found.steps[1].after["ops"] == 6
    assert found.steps[1].diff[:2] == ["--- before", "+++ after cse"]


def test_a_folder_has_the_program_after_each_pass_and_a_page_alone_has_none(tmp_path: Path):
    found = steps_of(PROGRAM, ("func.func(stablehlo-aggressive-simplification)", "cse"))
    folder = found.files(str(tmp_path))
    names = ["index.html", "00-input.mlir", "01-func.func-stablehlo-aggressive-simplification.mlir", "02-cse.mlir"]
    assert [os.path.relpath(path, tmp_path) for path in folder] == names
    counts = [folder[str(tmp_path / name)].count(b"stablehlo.") for name in names[1:]]
    assert counts == [5, 3, 2]
    assert list(found.files("x.html").values()) == [folder[str(tmp_path / "index.html")]]
    page = found.files("x.html")["x.html"].decode()
    shown = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert (shown["title"], [step["name"] for step in shown["steps"]]) == (
        "program", ["func.func(stablehlo-aggressive-simplification)", "cse"])  # fmt: skip
    assert all("sides" in step and "diff" not in step for step in shown["steps"])


@pytest.mark.parametrize(("seconds", "is_asked"), [(0.0, False), (3.1e-5, False), (1.0, True)])
def test_the_function_is_asked_about_if_its_bytes_fit_into_the_seconds(seconds: float, is_asked: bool):
    (step,) = steps_of(PROGRAM, ["cse"], seconds=seconds).steps
    assert step.function.startswith("not asked whether they are one function: ") != is_asked
    if not is_asked:
        assert step.function.endswith(f"s or more, where {seconds:g} s may pass")


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize(("factor", "is_asked"), [(0.9, False), (1.0, True), (1.1, True)])
def test_the_larger_of_the_programs_around_a_pass_decides_whether_there_is_time(
    grows: bool, factor: float, is_asked: bool
) -> None:
    """Four readings go over so many bytes of operands and results, 20 MB in a second."""
    module = parse(PROGRAM)
    with PassSteps(module, "program").watch("nothing", module) as step:
        pass
    sums = [op for op in operations(module.operation) if op.name == "stablehlo.add"]
    found = PassSteps(module, "program", seconds=factor * 4 * (step.before["bytes"] + grows * 48) / 2e7)
    with found.watch("changes", module) as step:
        if grows:
            with sums[0].location, ir.InsertionPoint(sums[0]):
                sums[0].clone()  # 16 bytes of each operand and of the result more
        else:
            run_pipeline(module, "builtin.module(cse)")
    assert (step.after["bytes"] > step.before["bytes"]) == grows
    assert step.function.startswith("not asked") != is_asked, step.function


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("cse", "01-cse"),
        ("func.func(a{b=1 c=2})", "01-func.func-a-b-1-c-2"),
        ("a" * 90, f"01-{'a' * 80}"),
        (f"{'a' * 79}(b)", f"01-{'a' * 79}"),
        (f"({'a' * 90})", f"01-{'a' * 79}"),
    ],
)
def test_files_of_programs_have_the_names_of_passes_without_other_signs(name: str, file: str, tmp_path: Path) -> None:
    found = PassSteps(module := parse(PROGRAM), "program")
    with found.watch(name, module):
        pass
    paths = [os.path.relpath(path, tmp_path) for path in found.files(str(tmp_path))]
    assert paths == ["index.html", "00-input.mlir", f"{file}.mlir"]


def test_what_a_pass_removes_and_adds_is_marked_so() -> None:
    (step,) = steps_of(PROGRAM, ["func.func(stablehlo-aggressive-simplification)"]).steps
    lines = [[line[1:].strip() for line in step.diff[2:] if line.startswith(sign)] for sign in "-+"]
    assert any("stablehlo.add" in line for line in lines[0])
    assert not any("stablehlo.add" in line for line in lines[1])
    assert any("stablehlo.sine %arg0" in line for line in lines[1])


@pytest.mark.parametrize("size", [15, 16, 17])
def test_constants_of_up_to_sixteen_elements_are_whole_in_a_difference(size: int) -> None:
    numbers = [*range(1, size + 1)]
    text = f"""func.func @main(%a: tensor<{size}xi32>) -> tensor<{size}xi32> {{
      %c = stablehlo.constant dense<{numbers}> : tensor<{size}xi32>
      %d = stablehlo.constant dense<{numbers}> : tensor<{size}xi32>
      %0 = stablehlo.add %a, %c : tensor<{size}xi32>
      %1 = stablehlo.add %0, %d : tensor<{size}xi32>
      return %1 : tensor<{size}xi32> }}"""
    (step,) = steps_of(text, ["cse"]).steps
    assert (str(numbers) in "\n".join(step.diff)) == (size <= 16)


@pytest.mark.parametrize(
    ("name", "is_page"), [("a.html", True), ("html", False), ("ahtml", False), ("a.html.d", False)]
)
def test_only_a_name_that_ends_in_html_is_a_page(name: str, is_page: bool, tmp_path: Path) -> None:
    paths = [os.path.relpath(path, tmp_path) for path in steps_of(PROGRAM, ["cse"]).files(str(tmp_path / name))]
    assert paths == (
        [name] if is_page else [f"{name}/{each}" for each in ("index.html", "00-input.mlir", "01-cse.mlir")]
    )
