"""Programs with a planted error are reduced to the op that has it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest
from test_debug import ARGUMENTS, chain, importable  # noqa: F401  (a fixture of that file)

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug.predicates import Command, Disagreement, Failure
from stablehlo_py.debug.reduction import Reduction, reduce
from stablehlo_py.debug.reproducer import issue_text, self_checking
from stablehlo_py.debug.search import FlakyError, Search, minimize
from stablehlo_py.engines import Engine, open_engine
from stablehlo_py.errors import StablehloError, UsageError


def disagreement():
    return Disagreement(open_engine("reference"), Engine("planted", "planted_engine:backend"))


def reduced(text, arguments=ARGUMENTS, jobs=1, folder=None, predicate=disagreement):
    search = Search([predicate() for _ in range(jobs)], folder)
    try:
        with open_engine("reference") as reference:
            return reduce(stablehlo_py.parse(text), arguments, reference, search)
    finally:
        for one in search.predicates:
            one.close()


@pytest.mark.parametrize(("length", "seed"), [(40, 1), (90, 6)])
def test_the_planted_op_is_all_that_is_left(length, seed):
    text = chain(length, length // 2, "negated", seed)
    found = reduced(text)
    assert found.ops <= 2 < found.ops_before
    assert [op.attributes["planted"] for op in operations(found.program.operation) if "planted" in op.attributes]
    assert found.program.operation.verify()
    again = disagreement()
    assert again.signature(str(found.program).encode(), found.arguments) == found.signature
    again.close()


def test_as_many_jobs_as_wanted_find_the_same_program():
    text = chain(30, 12, "reversed", 3)
    one, three = (reduced(text, jobs=jobs) for jobs in (1, 3))
    assert str(one.program) == str(three.program)


def test_a_search_that_was_killed_goes_on_from_its_verdicts(tmp_path):
    text = chain(40, 20, "negated", 2)
    first = reduced(text, folder=tmp_path)
    lines = (tmp_path / "verdicts.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "verdicts.jsonl").write_text("".join(lines[: len(lines) // 2]) + lines[-1][:20])
    second = reduced(text, folder=tmp_path)
    assert str(second.program) == str(first.program)
    assert second.tests == first.tests - len(lines) // 2
    assert reduced(text, folder=tmp_path).tests == 0


def test_shapes_and_values_shrink_with_the_program():
    text = """func.func @main(%a: tensor<6x10xf64>, %b: tensor<6x10xf64>) -> tensor<10x6xf64> {
      %0 = stablehlo.add %a, %b {planted = "negated"} : tensor<6x10xf64>
      %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x10xf64>) -> tensor<10x6xf64>
      return %1 : tensor<10x6xf64> }"""
    random = np.random.default_rng(0)
    found = reduced(text, [random.standard_normal((6, 10)) for _ in range(2)])
    assert sum(argument.size for argument in found.arguments) <= 2
    assert found.ops == 1


def test_a_program_that_is_not_interesting_is_refused():
    with pytest.raises(StablehloError, match="nothing to reduce"):
        reduced(chain(5, -1, "", 1))


def test_a_verdict_that_changes_is_called_flaky():
    @dataclass
    class Flaky:
        runs: int = 0

        def signature(self, module, arguments):
            self.runs += 1
            return "odd" if self.runs % 2 else ""

        def close(self):
            return

    with pytest.raises(FlakyError, match="differs from run to run"):
        reduced(chain(5, 2, "negated", 1), predicate=Flaky)


def test_a_failing_engine_is_a_reason_to_reduce():
    text = """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.sine %a : tensor<8xf32>
      %1 = stablehlo.cbrt %0 : tensor<8xf32>
      %2 = stablehlo.negate %1 : tensor<8xf32>
      return %2 : tensor<8xf32> }"""
    found = reduced(
        text, ARGUMENTS[:1], predicate=lambda: Failure(Engine("lacking", "planted_engine:lacking_cbrt"), "unsupported")
    )
    names = [op.name for op in operations(found.program.operation) if op.name.startswith("stablehlo.")]
    assert names == ["stablehlo.cbrt"]


def test_a_script_decides_by_its_exit_code_and_its_output():
    script = "import sys; text = open(sys.argv[1]).read(); print('has sine' if 'stablehlo.sine' in text else '')"
    command = f'{sys.executable} -c "{script}" {{module}}'
    text = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n" + "\n".join(
        [f"%{n} = stablehlo.{op} {'%a' if not n else f'%{n - 1}'} : tensor<8xf32>"
         for n, op in enumerate(["negate", "cosine", "sine", "abs"])]
    ) + "\nreturn %3 : tensor<8xf32> }"  # fmt: skip
    found = reduced(text, ARGUMENTS[:1], predicate=lambda: Command(command, pattern="has sine"))
    assert found.ops == 1
    with pytest.raises(UsageError, match="lacks"):
        Command("true")


def test_minimize_removes_whatever_can_go():
    def shows(parts):
        return next((part for part in parts if {3, 17} <= set(part)), None)

    assert minimize(range(40), shows) == [3, 17]


def test_the_reproducer_checks_itself(tmp_path):
    text = """func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>) {
      %0 = stablehlo.sine %a : tensor<2xf32>
      %1 = stablehlo.compare LT, %0, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
      return %0, %1 : tensor<2xf32>, tensor<2xi1> }"""
    module, arguments = stablehlo_py.parse(text), [np.float32([0.5, -1])]
    results = stablehlo_py.interpret(module, arguments)
    path = tmp_path / "test.mlir"
    for wrong in (False, True):
        expected = [results[0] + wrong, results[1]]
        path.write_text(self_checking(module, arguments, expected))
        ended = subprocess.run(
            [sys.executable, "-c", "from stablehlo_py.cli import *; stablehlo_translate()", "--interpret", path],
            capture_output=True,
            text=True,
        )
        assert ended.returncode == int(wrong), ended.stderr


def test_the_issue_text_has_all_that_is_needed():
    module = stablehlo_py.parse("func.func @main() { return }")
    found = Reduction(module, (np.float32([1]),), 1, 500, "values differ", 40)
    text = issue_text(found, "stablehlo compare x.mlir", {"xla": {"provider": "jaxlib 1"}}, [("xla", "2.0")])
    for part in ("500 ops", "func.func @main", "0: [1.0]", "stablehlo compare x.mlir", "jaxlib 1", "2.0"):
        assert part in text
