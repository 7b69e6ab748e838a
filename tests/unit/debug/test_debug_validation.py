"""`stablehlo-opt --validate-each`: passes that keep results pass, one that changes them is named with a reproducer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings.bytecode import copy_of
from stablehlo_py.bindings.walk import body_of, functions, terminator_of
from stablehlo_py.debug import draw_arguments, examine, validation
from stablehlo_py.debug.equivalence import DIFFERENT, ROUNDED, SAME
from stablehlo_py.debug.programs.inputs import Distribution
from stablehlo_py.debug.validation import Validator
from stablehlo_py.errors import UsageError

PROGRAM = """func.func @main(%a: tensor<4xf32>, %b: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %z : tensor<4xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<4xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<4xf32>
  %3 = stablehlo.subtract %b, %b : tensor<4xi32>
  return %2, %3 : tensor<4xf32>, tensor<4xi32>
}
"""
# A user's pass that is wrong: it drops a reversal.
WRONG = """
from stablehlo_py.bindings.walk import operations
from stablehlo_py.extend import Pass, register_pass


@register_pass
class DropReverse(Pass):
    name = "drop-reverse"
    summary = "Drop what reverses"

    anchor = "builtin.module"

    def run(self, module):
        op = next(op for op in operations(module) if op.name == "stablehlo.reverse")
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()
"""


def opt(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "program.mlir").write_text(PROGRAM, encoding="utf-8")
    code = "from stablehlo_py.cli.opt import main; main()"
    line = [sys.executable, "-c", code, *words, "program.mlir"]
    return subprocess.run(line, capture_output=True, text=True, check=False, cwd=folder)


def test_right_passes_are_let_through(tmp_path: Path) -> None:
    pipeline = "--pass-pipeline=builtin.module(func.func(stablehlo-aggressive-simplification),canonicalize,cse)"
    plain, watched = opt(tmp_path, pipeline), opt(tmp_path, pipeline, "--validate-each=4")
    assert watched.returncode == 0, watched.stderr
    assert watched.stdout == plain.stdout


def test_a_pass_that_changes_results_is_named_with_modules_and_inputs(tmp_path: Path) -> None:
    module = stablehlo_py.parse(PROGRAM)
    validator = Validator(samples=2)
    validator.start(module)
    stablehlo_py.run_passes(module, "builtin.module(func.func(stablehlo-aggressive-simplification))")
    assert validator.check(module) is None
    wrong = stablehlo_py.parse(PROGRAM.replace("return %2", "return %1"))
    change = validator.check(wrong)
    assert change is not None
    assert change.message.startswith("result 0[")
    before, after = [stablehlo_py.parse(text) for text in (change.before, change.after)]
    results = [stablehlo_py.interpret(each, change.arguments)[0] for each in (before, after)]
    assert not np.array_equal(*map(np.asarray, results), equal_nan=True)


def test_the_tool_stops_there_and_writes_the_pair(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    ended = opt(tmp_path, "--load=wrong.py", "--cse", "--drop-reverse", "--canonicalize", "--validate-each=2")
    assert ended.returncode == 1, ended.stderr
    assert "drop-reverse' changes what the program computes: result 0[" in ended.stderr
    assert "wrote validate-each.before.mlir, validate-each.after.mlir, validate-each.npz" in ended.stderr
    counts = [(tmp_path / f"validate-each.{end}.mlir").read_text().count("reverse") for end in ("before", "after")]
    assert counts == [2, 1]
    with np.load(tmp_path / "validate-each.npz") as inputs:
        assert len(inputs.files) == 2


def test_results_of_another_number_or_type_are_changes() -> None:
    validator = Validator(samples=1)
    validator.start(stablehlo_py.parse(PROGRAM))
    fewer = PROGRAM.replace("(tensor<4xf32>, tensor<4xi32>) {", "tensor<4xf32> {")
    fewer = fewer.replace("return %2, %3 : tensor<4xf32>, tensor<4xi32>", "return %2 : tensor<4xf32>")
    change = validator.check(stablehlo_py.parse(fewer))
    assert change is not None
    assert change.message == "2 results become 1 on inputs 0"


def test_a_program_that_does_not_run_cannot_be_validated(tmp_path: Path) -> None:
    dynamic = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }"
    with pytest.raises(UsageError, match="cannot validate passes"):
        Validator().start(stablehlo_py.parse(dynamic))
    assert "expects a number of inputs" in opt(tmp_path, "--validate-each=x", "--cse").stderr


@pytest.mark.parametrize("index", [*np.ndindex(2, 3)])
def test_the_largest_difference_is_told_with_its_index(index: tuple[int, int]) -> None:
    type_ = "tensor<2x3xf32>"
    text = f"func.func @main(%x: {type_}) -> ({type_}, {type_}) {{ return %x, %x : {type_}, {type_} }}".encode()
    expected = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    given, other = expected.copy(), (index[0], (index[1] + 1) % 3)
    given[index] += 100
    for off in (0, 1):
        given[other] = expected[other] + off
        assert validation._first_difference(text, [expected], [expected, given], [expected, expected]) == (
            f"result 1{list(index)} becomes {given[index]}, it was {expected[index]}"
        )


def test_each_pass_is_compared_with_the_program_in_front_of_it() -> None:
    """A rounding of a constant counts for the pass that makes it, and for none behind it."""
    body = ["%c = stablehlo.constant dense<3.0> : T", "%r = stablehlo.divide %x, %c : T"]
    rounded = ["%c = stablehlo.constant dense<0.333333343> : T", "%r = stablehlo.multiply %x, %c : T"]
    unused = "%u = stablehlo.negate %x : T"
    other = [*rounded, "%s = stablehlo.negate %r : T"]
    texts = []
    for lines in (body, rounded, [*rounded, unused], rounded, other):
        last = lines[-2] if lines[-1] == unused else lines[-1]
        inner = "\n".join([*lines, f"return {last[:2]} : T"])
        texts.append(f"func.func @main(%x: T) -> T {{\n{inner}\n}}".replace("T", "tensor<4xf32>"))
    modules = [stablehlo_py.parse(text) for text in texts]
    validator = Validator(samples=2)
    validator.start(modules[0])
    assert validator.check(modules[0]) is None
    assert validator.function is None
    for module, verdict in zip(modules[1:4], (ROUNDED, SAME, SAME), strict=True):
        assert validator.check(module) is None
        assert validator.function is not None
        assert validator.function.verdict == verdict, str(module)
        assert validator.check(module) is None
        assert validator.function is None, "nothing has changed"
    change = validator.check(modules[4])
    assert change is not None
    assert (change.before, change.after) == (str(modules[3].operation), str(modules[4].operation))
    assert change.message.startswith("result 0[")
    assert change.message.endswith(" on inputs 0")


def test_a_pass_that_makes_another_function_is_told_also_if_results_are_the_same() -> None:
    """What is dropped is too small to be seen in the results."""
    texts = [
        f"""func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {{
      %c = stablehlo.constant dense<1.0e-20> : tensor<4xf32>
      %0 = stablehlo.multiply %y, %c : tensor<4xf32>
      %1 = stablehlo.add %x, %0 : tensor<4xf32>
      return {result} : tensor<4xf32>
    }}"""
        for result in ("%1", "%x")
    ]
    before, after = map(stablehlo_py.parse, texts)
    validator = Validator(samples=1, seed=3)
    passed = copy_of(before)
    validator.start(passed)
    block = body_of(functions(passed.operation)["main"])
    terminator_of(block).operands[0] = block.arguments[0]  # a pass works on the module itself
    change = validator.check(passed)
    assert change is not None
    assert validator.function is not None
    assert validator.function.verdict == DIFFERENT
    assert (change.message, change.before, change.after) == (
        str(validator.function), str(before.operation), str(after.operation))  # fmt: skip
    subject = examine(before)
    drawn = draw_arguments(subject.function, 3)
    assert [one.tolist() for one in change.arguments] == [one.tolist() for one in drawn]


def test_the_inputs_that_show_a_change_are_those_of_their_sample() -> None:
    """Every second sample has special values, infinities among them."""
    texts = [
        f"""func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {{
          %c = stablehlo.constant dense<-1.0e+6> : tensor<64xf32>
          %0 = stablehlo.maximum %x, %c : tensor<64xf32>
          return {result} : tensor<64xf32> }}"""
        for result in ("%0", "%x")
    ]
    before, after = map(stablehlo_py.parse, texts)
    validator = Validator(samples=4, seed=5)
    validator.start(before)
    change = validator.check(after)
    assert change is not None
    assert change.message.endswith(" on inputs 1")
    (drawn,) = change.arguments
    results = [np.asarray(stablehlo_py.interpret(each, [drawn])[0]) for each in (before, after)]
    assert not np.array_equal(*results, equal_nan=True)


@pytest.mark.parametrize("sample", [0, 1, 2])
def test_each_set_of_inputs_is_another_one(sample: int) -> None:
    """A change that only one of them shows is found by it."""
    text = "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> { LINES return %r : tensor<2xi32> }"
    module = stablehlo_py.parse(text.replace("LINES", "%r = stablehlo.add %x, %x : tensor<2xi32>"))
    how = Distribution(special=bool(sample % 2))
    subject = examine(module)
    (drawn,) = draw_arguments(subject.function, 5 + sample, {None: how})
    wrong = text.replace(
        "LINES",
        f"""%c = stablehlo.constant dense<{drawn.tolist()}> : tensor<2xi32>
      %e = stablehlo.compare EQ, %x, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      %s = stablehlo.add %x, %x : tensor<2xi32>
      %r = stablehlo.select %e, %c, %s : tensor<2xi1>, tensor<2xi32>""",
    )
    validator = Validator(samples=3, seed=5)
    validator.start(module)
    change = validator.check(stablehlo_py.parse(wrong))
    assert change is not None
    assert change.message.endswith(f"on inputs {sample}")
    assert [each.tolist() for each in change.arguments] == [drawn.tolist()]
