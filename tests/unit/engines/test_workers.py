"""Tasks in threads and on a Dask cluster: the same results, and none is lost with a worker."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.conformance.fuzz.builder import ProgramOptions
from stablehlo_py.conformance.fuzz.session import Engines, Session, Trial
from stablehlo_py.debug.compare import compare
from stablehlo_py.debug.reduction.question import DistantPredicate, EnginePair, Question
from stablehlo_py.debug.reduction.reduce import reduce
from stablehlo_py.debug.reduction.search import Search
from stablehlo_py.engines import Limits, open_engine
from stablehlo_py.engines.distant import distant_engine
from stablehlo_py.isolation.commands import python_command
from stablehlo_py.isolation.pool import open_pool, perform_all
from stablehlo_py.isolation.worker import Worker

PROGRAM = """func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.add %a, %b : tensor<4xi32>
  %1 = stablehlo.multiply %0, %a : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %2 = stablehlo.divide %1, %zero : tensor<4xi32>
  %3 = stablehlo.subtract %2, %b : tensor<4xi32>
  return %3 : tensor<4xi32>
}
"""
TASKS = """
import os
import signal
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Squares:
    folder: str

    @contextmanager
    def open(self):
        with open(Path(self.folder, "opened"), "a") as file:
            file.write("x")
        yield self.square

    def square(self, number):
        tried = Path(self.folder, str(number))
        once = not tried.exists()
        tried.touch()
        if number == 13 or (number == 4 and once):
            os.kill(os.getpid(), signal.SIGKILL)
        return number, number * number

    def lost(self, number, why):
        return number, why
"""
dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs the extra cluster")


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "planted_tasks.py").write_text(TASKS, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("planted_tasks")
    del sys.modules["planted_tasks"]


def test_a_thread_opens_what_it_needs_once_and_nothing_is_opened_without_tasks(tasks, tmp_path):
    squares = tasks.Squares(str(tmp_path))
    assert list(perform_all(squares, [], lambda: open_pool("", 2))) == []
    assert not (tmp_path / "opened").exists()
    found = list(perform_all(squares, range(20, 40), lambda: open_pool("", 2), ahead=3))
    assert dict(found) == {number: number * number for number in range(20, 40)}
    assert (tmp_path / "opened").read_text() in ("x", "xx")


@dask
@pytest.mark.release
def test_a_task_that_kills_its_workers_costs_only_its_own_result(tasks, tmp_path):
    found = list(perform_all(tasks.Squares(str(tmp_path)), range(20), lambda: open_pool("local", 2)))
    assert len(found) == 20
    lost = dict(found).pop(13)
    assert lost == "its workers ended: KilledWorker"
    assert {number: square for number, square in found if number != 13} == {n: n * n for n in range(20) if n != 13}


# Where the tasks run, and in how many workers.
HERE, ONE, TWO = ("", 2), ("local", 1), ("local", 2)
both_pools = pytest.mark.parametrize("pool", [HERE, pytest.param(ONE, marks=dask)], indirect=True, ids=str)
cluster_later = pytest.mark.parametrize(
    "pool", [HERE, pytest.param(TWO, marks=[dask, pytest.mark.release])], indirect=True, ids=str
)


@pytest.fixture(scope="module")
def pool(request):
    with open_pool(*request.param) as opened:
        yield opened


@pytest.fixture(scope="module")
def compared():
    """A program, and how it compares here."""
    module = parsed(PROGRAM.replace("divide", "maximum"))
    return module, compare(module, ("reference", "reference"), samples=5)


@both_pools
def test_engines_in_workers_give_the_same_comparison(pool, compared):
    module, expected = compared
    names = ("reference", "reference:reverse")
    with ExitStack() as opened:
        engines = [opened.enter_context(distant_engine(name, pool, Limits(60))) for name in names]
        found = compare(module, engines, samples=5)
    assert found.verdict == expected.verdict == "same"
    assert found.engines == names
    for mine, theirs in zip(found.outcomes, expected.outcomes, strict=True):
        assert [r.tobytes() for r in mine[0].results] == [r.tobytes() for r in theirs[0].results]


@cluster_later
def test_a_crash_and_a_limit_in_workers_are_outcomes(pool):
    arguments = [np.arange(4, dtype=np.int32)] * 2
    with distant_engine("official", pool, Limits(60)) as engine:
        crash, fine = engine.runs(PROGRAM.encode(), [arguments, arguments])
        assert crash.status == fine.status == "crash"
        assert engine.run(PROGRAM.replace("divide", "maximum").encode(), arguments).ok


@cluster_later
def test_a_reduction_in_workers_ends_with_the_same_program(pool):
    question = Question(EnginePair("reference", "xla", None), False, "grep -q stablehlo.divide {module}", "0", "")
    found = []
    for predicates in (
        [question.predicate(Limits(60))],
        [DistantPredicate(pool, question, Limits(60), "1") for _ in range(pool.size)],
    ):
        module = parsed(PROGRAM)
        arguments = [np.array([1, 2, 3, 4], np.int32)] * 2
        with open_engine("reference") as reference, ExitStack() as stack:
            for predicate in predicates:
                stack.callback(predicate.close)
            found.append(reduce(module, arguments, reference, Search(predicates)))
    assert found[0].signature == found[1].signature
    assert str(found[0].program.operation) == str(found[1].program.operation)
    assert "stablehlo.divide" in str(found[0].program.operation)


@dask
@pytest.mark.release
def test_a_search_on_a_cluster_finds_what_one_here_finds(tmp_path):
    engines = Engines("reference,reference:reverse", "", "", 60.0)
    options = ProgramOptions(size=6, elements=("f32",))
    tallies = []
    for cluster in ("", "local"):
        session = Session(Trial(engines, options, "{seed}"), tmp_path / f"work{cluster}")
        tallies.append(session.run(iter(range(5)), jobs=2, cluster=cluster))
    assert tallies[0].answers == tallies[1].answers
    assert tallies[0].groups == tallies[1].groups
    assert list(tallies[0].groups) == list(tallies[1].groups)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGIO")
def test_a_late_word_of_a_request_does_not_end_the_worker() -> None:
    """The system may tell that a request was written while it is answered: only the end of the sender counts."""
    answer = "lambda _: bool(fcntl.fcntl(0, fcntl.F_GETFL) & os.O_ASYNC)"
    code = f"import fcntl, os\nfrom stablehlo_py.isolation.worker import serve\nserve({answer})"
    worker = Worker(python_command("-c", code), dict(os.environ))
    worker.start()
    try:
        assert worker.ask("anything", 1e300).value is False  # longer than a clock of threads runs
    finally:
        worker.close()
