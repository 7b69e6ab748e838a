"""Programs with a planted error are reduced to the op that has it."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np
import planted_engine
import pytest
from speeds import later
from swapped_engine import Here
from test_debug import ARGUMENTS, chain

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.reduction.predicates import Command, Disagreement, Failure
from stablehlo_py.debug.reduction.question import DistantPredicate, EnginePair, Question
from stablehlo_py.debug.reduction.reduce import reduce
from stablehlo_py.debug.reduction.search import Candidate, FlakyError, Search, minimize
from stablehlo_py.debug.reduction.simplifying import constant_candidates, region_candidates, simpler_values
from stablehlo_py.engines import Engine, Limits, Outcome, open_engine
from stablehlo_py.errors import StablehloError, UsageError
from stablehlo_py.isolation.pool import Pool

pytestmark = pytest.mark.usefixtures("importable")  # engines start with `planted_engine` at hand


def disagreement():
    return Disagreement(Local(), Here("planted", planted_engine.backend()))


def in_processes():
    return Disagreement(open_engine("reference"), Engine("planted", "planted_engine:backend"))


def reduced(text, arguments=ARGUMENTS, jobs=1, folder=None, predicate=disagreement):
    search = Search([predicate() for _ in range(jobs)], folder)
    try:
        return reduce(stablehlo_py.parse(text), arguments, Local(), search)
    finally:
        for one in search.predicates:
            one.close()


@pytest.mark.parametrize(("length", "seed"), [(24, 1), later(90, 6)])
def test_the_planted_op_is_all_that_is_left(length, seed):
    text = chain(length, length // 2, "negated", seed)
    found = reduced(text)
    assert found.ops <= 2 < found.ops_before
    assert [op.attributes["planted"] for op in operations(found.program.operation) if "planted" in op.attributes]
    assert found.program.operation.verify()
    again = disagreement()
    assert again.signature(str(found.program).encode(), found.arguments) == found.signature
    again.close()


@pytest.mark.release
def test_as_many_jobs_as_wanted_find_the_same_program():
    text = chain(30, 12, "reversed", 3)
    one, three = (reduced(text, jobs=jobs, predicate=in_processes) for jobs in (1, 3))
    assert str(one.program) == str(three.program)


def test_a_search_that_was_killed_goes_on_from_its_verdicts(tmp_path):
    text = chain(16, 8, "negated", 2)
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

        def limit(self, seconds):
            return

        def close(self):
            return

    with pytest.raises(FlakyError, match="differs from run to run"):
        reduced(chain(5, 2, "negated", 1), predicate=Flaky)


def test_what_was_found_before_an_interrupt_is_kept():
    judge = disagreement()
    tests = []

    class Impatient:
        def signature(self, module, arguments):
            tests.append(module)
            if len(tests) > 12:
                raise KeyboardInterrupt
            return judge.signature(module, arguments)

        def limit(self, seconds):
            return

        def close(self):
            judge.close()

    found = reduced(chain(40, 20, "negated", 4), predicate=Impatient)
    assert found.interrupted
    assert 1 < found.ops < found.ops_before
    assert found.notes == ()  # which ops are left says nothing yet
    again = disagreement()
    assert again.signature(str(found.program).encode(), found.arguments)
    again.close()
    assert "interrupted: this is the smallest program so far" in str(found)


def test_an_interrupted_command_writes_what_it_has(tmp_path):
    program, count, output = (tmp_path / name for name in ("program.mlir", "count", "reduced.mlir"))
    program.write_text(LOOP)
    script = f"echo x >> {count}; test $(wc -l < {count}) -lt 8 || kill -INT $PPID; true"
    start = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from stablehlo_py.cli.stablehlo import main; main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", start, "reduce", program, f"--command=sh -c '{script}' {{module}}", "-j1", "-o", output],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 130, ended.stderr
    assert "interrupted: this is the smallest program so far" in ended.stdout
    assert f"to go on, run the same command on {output} with --inputs={tmp_path}/reduced.npz" in ended.stderr
    left = stablehlo_py.parse(output.read_text())
    assert len(operations(left.operation)) < len(operations(stablehlo_py.parse(LOOP).operation))


def test_a_failing_engine_is_a_reason_to_reduce():
    text = """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.sine %a : tensor<8xf32>
      %1 = stablehlo.cbrt %0 : tensor<8xf32>
      %2 = stablehlo.negate %1 : tensor<8xf32>
      return %2 : tensor<8xf32> }"""
    found = reduced(
        text, ARGUMENTS[:1], predicate=lambda: Failure(Here("lacking", planted_engine.lacking_cbrt()), "unsupported")
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


LOOP = """func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<8xf32>
  %c = stablehlo.constant dense<17> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%i = %z, %v = %0) : tensor<i32>, tensor<8xf32>
  cond { %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do { %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.sine %v : tensor<8xf32>
    %t = func.call @f(%s) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %n, %t : tensor<i32>, tensor<8xf32> }
  %2 = stablehlo.negate %w#1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.cosine %x : tensor<8xf32>
  %k = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %1 = stablehlo.power %0, %k : tensor<8xf32>
  return %1 : tensor<8xf32> }
func.func private @g(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }"""


@dataclass
class Mentions:
    """Interesting is a program that has these ops, `inside` among those in regions of others."""

    names: tuple[str, ...]
    inside: str = ""

    def signature(self, module, arguments):
        parsed = stablehlo_py.parse(module)
        listed = operations(parsed.operation)
        names = [op.name for op in listed]
        inner = [op.name for op in listed if op.parent is not None and op.parent.operation.name == "stablehlo.while"]
        return "has them" if set(self.names) <= set(names) and (not self.inside or self.inside in inner) else ""

    def limit(self, seconds):
        return

    def close(self):
        return


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (Mentions(("stablehlo.power",)), ["stablehlo.power"]),
        (Mentions(("stablehlo.power", "stablehlo.sine")), ["stablehlo.power", "stablehlo.sine"]),
        (Mentions(("stablehlo.while",)), ["stablehlo.constant", "stablehlo.while"]),
        (Mentions((), "stablehlo.cosine"), ["stablehlo.constant", "stablehlo.cosine", "stablehlo.while"]),
        (Mentions(("func.call",)), ["func.call"]),
    ],
)
def test_values_take_the_place_of_ops_in_regions_and_functions(wanted, left):
    """Calls are inlined unless the error needs them, branches and loops are opened, functions are dropped."""
    found = reduced(LOOP, predicate=lambda: wanted)
    assert found.program.operation.verify()
    listed = operations(found.program.operation)
    kept = {op.name for op in listed} - {"builtin.module", "func.func", "func.return", "stablehlo.return"}
    assert sorted(kept) == left
    assert sum(op.name == "func.func" for op in listed) == 1 + ("func.call" in left)
    stablehlo_py.interpret(found.program, list(found.arguments))


def test_loops_run_less_often_and_constants_become_simple():
    candidate = Candidate(stablehlo_py.parse(LOOP), tuple(ARGUMENTS))
    texts = [str(one.module) for one in constant_candidates(candidate)]
    for simpler in (0, 1, 2, 8, 16):
        assert any(f"dense<{simpler}> : tensor<i32>" in text and "dense<17>" not in text for text in texts)
    assert any("dense<1.000000e+00> : tensor<8xf32>" in text for text in texts)
    assert all(one.module.operation.verify() for one in constant_candidates(candidate))


@pytest.mark.parametrize(
    ("value", "simpler"),
    [
        (np.float32(3.14159), [0, 1, 3, 3.1, 3.14, 3.142]),
        (np.float32(3.1), [0, 1, 3]),
        (np.float64(250), [0, 1]),
        (np.float32(np.nan), [0, 1]),
        (np.float32(-0.0), [0, 1]),
        (np.float32(0.0), []),
        (np.complex64(1.25 - 2j), [0, 1, 1 - 2j, 1.2 - 2j]),
        (np.int32(17), [0, 1, 2, 8, 16]),
        (np.uint8(255), [0, 1, 2, 127, 254]),
        (np.int32(2), [0, 1]),
        (np.int32(-3), [0, 1]),
        (np.bool_(True), [False]),
        (np.int32([[4]]), [[[0]], [[1]], [[2]], [[3]]]),
        (np.int32([5, 7]), [[0, 0], [1, 1], [5, 5]]),
        (np.float32([2.25, 7]), [[0, 0], [1, 1], [2.25, 2.25], [2, 7], [2.2, 7]]),
        (np.int32([9, 9]), [[0, 0], [1, 1]]),
        (np.zeros(0, np.int32), []),
    ],
    ids=repr,
)
def test_simpler_values_end_at_the_value_itself(value, simpler):
    found = list(simpler_values(np.asarray(value)))
    expected = [np.array(each, value.dtype) for each in simpler]
    assert [(one.tobytes(), one.shape, one.dtype) for one in found] == [
        (one.tobytes(), one.shape, one.dtype) for one in expected
    ], [one.tolist() for one in found]


@pytest.mark.parametrize(("seconds", "limit"), [(0.1, 5), (0.5, 5), (2, 20)])
def test_later_runs_may_take_ten_times_as_long_as_the_first(seconds, limit, monkeypatch):
    search = Search([Mentions(("stablehlo.negate",))])
    now = iter([0.0, seconds])
    with monkeypatch.context() as patch:
        patch.setattr("stablehlo_py.debug.reduction.search.time.perf_counter", lambda: next(now))
        search.start(Candidate(stablehlo_py.parse(chain(3, 1, "negated", 1)), tuple(ARGUMENTS)))
    assert search.seconds == limit


class _Answers:
    """An engine that answers programs by their text."""

    name = "answers"

    def __init__(self, **answers):
        self.answers = {text.encode(): answer for text, answer in answers.items()}

    def run(self, module, arguments):
        return self.answers[module]


ONE, TWO = (Outcome("ok", (np.array([value], np.float32),)) for value in (1, 2))
FAILS, OTHERWISE = Outcome("error", message="no sine of f32"), Outcome("error", message="no memory")


@pytest.mark.parametrize(
    ("expected", "given", "same"),
    [
        ((ONE, ONE), (TWO, TWO), True),
        ((ONE, ONE), (TWO, ONE), False),
        ((ONE, ONE), (FAILS, Outcome("error", message="no sine of f64")), True),  # apart from names of types
        ((ONE, ONE), (FAILS, OTHERWISE), False),
        ((ONE, ONE), (FAILS, Outcome("crash", message=FAILS.message)), False),
        ((ONE, ONE), (FAILS, ONE), False),
        ((ONE, ONE), (ONE, FAILS), False),
        ((FAILS, ONE), (FAILS, FAILS), False),
        ((ONE, FAILS), (FAILS, FAILS), False),
    ],
)
def test_two_forms_of_a_program_are_alike_where_they_fail_alike(expected, given, same):
    engines = [_Answers(first=first, second=second) for first, second in (expected, given)]
    assert Disagreement(*engines).alike((b"first", ()), (b"second", ())) is same
    if expected == (ONE, ONE):
        assert Failure(engines[1]).alike((b"first", ()), (b"second", ())) is (same and not given[0].ok)


class _Losing:
    """Loses the workers of the first tasks."""

    def __init__(self, losses):
        self.losses = losses

    def submit(self, function, work, task):
        future = Future()
        if self.losses:
            self.losses -= 1
            future.set_exception(ConnectionError())
        else:
            future.set_result("found")
        return future


@pytest.mark.parametrize("losses", [0, 1, 2])
def test_programs_that_end_workers_twice_are_not_interesting(losses):
    """Nor are they alike; a worker may be lost once by another program."""
    form = b"", ()
    question = Question(EnginePair("reference", "official", None), False, None, "0", "")
    for ask, unknown in ((lambda one: one.signature(*form), ""), (lambda one: one.alike(form, form), False)):
        pool = Pool(_Losing(losses), 1, (ConnectionError,))
        found = ask(DistantPredicate(pool, question, Limits(), "search"))
        assert found == (unknown if losses == 2 else "found" if unknown == "" else True)


def test_a_candidate_that_does_not_end_is_not_waited_for():
    """Runs may take ten times as long as the first program, and a few seconds."""
    search = Search([disagreement()])
    search.start(Candidate(stablehlo_py.parse(chain(5, 2, "negated", 1)), tuple(ARGUMENTS)))
    (judge,) = search.predicates
    assert 5 <= search.seconds < 600
    assert judge.engine.limits.seconds == judge.reference.limits.seconds == search.seconds
    judge.close()


def test_one_branch_takes_the_place_of_all():
    text = """func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.if"(%p) ({
        %a = stablehlo.sine %x : tensor<2xf32>
        %b = stablehlo.cbrt %a : tensor<2xf32>
        stablehlo.return %b : tensor<2xf32>
      }, { stablehlo.return %x : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>
      return %0 : tensor<2xf32> }"""
    wanted = Mentions(("stablehlo.sine", "stablehlo.cbrt"))
    candidate = Candidate(stablehlo_py.parse(text), (np.bool_(True), np.float32([1, 2])))
    first, second = region_candidates(candidate)
    assert wanted.signature(first.bytecode(), ())
    assert "stablehlo.if" not in str(first.module)
    assert len(first.arguments) == 1
    assert second is None  # nothing would be left of the program


def test_a_command_has_braces_and_quotes_of_its_own():
    command = Command("sh -c 'f() { grep main $1; }; f {module} && echo {} {print}'", pattern="(?m)^{} {print}$")
    assert command.signature(b"func.func @main() { return }", []) == "exit code 0"
    with pytest.raises(UsageError) as raised:
        Command("sh 'f {module}")
    assert raised.value.message == "cannot read the command 'sh 'f {module}': no closing quotation"


def test_a_signal_is_an_exit_code():
    program = stablehlo_py.parse("func.func @main() { return }").operation
    code = str(program).encode()
    dying = f'{sys.executable} -c "import os; os.abort()" {{module}}'
    assert Command(dying, "crash").signature(code, []) == "exit code 134"
    assert Command(dying, "134").signature(code, []) == "exit code 134"
    assert Command(dying, "any").signature(code, []) == "exit code 134"
    assert Command(dying).signature(code, []) == Command("true {module}", "crash").signature(code, []) == ""


def test_minimize_removes_whatever_can_go():
    def shows(parts):
        return next((part for part in parts if {3, 17} <= set(part)), None)

    assert minimize(range(40), shows) == [3, 17]
