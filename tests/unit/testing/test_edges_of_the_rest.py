"""Pools, passes, imports and comparisons where a part of their inputs is there or is not."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from installed import needs_dialect
from parsed import shared_context

from stablehlo_py import ops
from stablehlo_py.bindings import ir, torch_dialect
from stablehlo_py.bindings.context import is_registered_pass
from stablehlo_py.bindings.hlo import mhlo_to_bytecode, program_to_mhlo
from stablehlo_py.debug import Tolerance
from stablehlo_py.errors import ArgumentError, ParseError, PassError, ProviderError
from stablehlo_py.isolation import pool as pool_module
from stablehlo_py.isolation.pool import Pool, open_pool, perform_all
from stablehlo_py.shapes.library import library
from stablehlo_py.testing import assert_programs_agree, cases


@pytest.fixture(autouse=True)
def _nothing_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this thread opened in another test was closed with a pool of that test."""
    monkeypatch.setattr(pool_module, "_of_thread", threading.local())
    monkeypatch.setattr(pool_module, "_all", [])


class Squares:
    """Work that is performed where it stands."""

    @contextmanager
    def open(self) -> Generator[Any]:
        yield lambda number: number * number

    def lost(self, task: int, why: str) -> str:
        return f"{task}: {why}"


class Frail(Executor):
    """Workers that end with a task so many times."""

    def __init__(self, ends: dict[int, int], error: BaseException) -> None:
        self.ends, self.error, self.given = ends, error, list[int]()

    def submit(self, fn: Any, /, *args: Any, **_named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        task = args[1]
        self.given.append(task)
        self.ends[task] = self.ends.get(task, 0) - 1
        if self.ends[task] >= 0:
            future.set_exception(self.error)
        else:
            future.set_result(fn(*args))
        return future


def test_a_task_whose_workers_end_is_tried_once_more_alone() -> None:
    frail = Frail({2: 1, 3: 9}, KeyError("gone"))
    pool = Pool(frail, 2, (KeyError,))
    assert sorted(pool.results(Squares(), range(5)), key=str) == [0, 1, 16, "3: its workers ended: KeyError", 4]
    assert sorted(frail.given) == [0, 1, 2, 2, 3, 3, 4]
    assert sorted(frail.given[5:]) == [2, 3]
    again = Pool(Frail({2: 1, 3: 9}, KeyError("gone")), 1, (KeyError,))
    assert [again.submit(Squares(), task)() for task in (1, 2, 3)] == [1, 4, "3: its workers ended: KeyError"]
    with pytest.raises(KeyError):
        Pool(Frail({1: 9}, KeyError("gone")), 1).submit(Squares(), 1)()
    with pytest.raises(ProviderError, match="the cluster's scheduler ended") as caught:
        list(Pool(Frail({1: 9}, CancelledError()), 1).results(Squares(), [1]))
    assert len(caught.value.notes) == 1


@pytest.mark.parametrize(("size", "ahead"), [(1, 0), (2, 0), (2, 3)])
def test_tasks_are_asked_for_when_a_worker_is_free(size: int, ahead: int) -> None:
    asked, found, most = 0, 0, 0

    def tasks() -> Generator[int]:
        nonlocal asked
        for number in range(9):
            asked += 1
            yield number

    results = Pool(Frail({}, KeyError()), size).results(Squares(), tasks(), ahead)
    for _ in results:
        found += 1
        most = max(most, asked - found + 1)
    assert (found, most) == (9, size + ahead)


def test_a_cluster_that_is_named_has_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    frail, calls = Frail({}, KeyError()), list[Any]()

    @contextmanager
    def workers(cluster: str, jobs: int) -> Generator[Any]:
        calls.append((cluster, jobs))
        yield frail, 7, (KeyError,)
        calls.append("closed")

    monkeypatch.setitem(sys.modules, "stablehlo_py.isolation.cluster", SimpleNamespace(workers=workers))  # type: ignore[arg-type]
    with open_pool("somewhere", 3) as pool:
        assert (pool.executor, pool.size, pool.errors) == (frail, 7, (KeyError,))
    assert calls == [("somewhere", 3), "closed"]
    with open_pool("", 3) as pool:
        assert (pool.size, pool.errors, len(calls)) == (3, (), 2)
        assert pool.submit(Squares(), 4)() == 16
    assert sorted(perform_all(Squares(), [1, 2, 3], lambda: open_pool("", 2))) == [1, 4, 9]


@pytest.mark.parametrize(
    ("name", "is_pass"),
    [
        ("canonicalize", True), ("func.func(cse)", True), ("cse,cse", True),
        ("no-such-pass", False), ("a(", False), ("\udcff", False),
    ],
)  # fmt: skip
def test_passes_are_known_by_their_names(name: str, is_pass: bool) -> None:
    assert is_registered_pass(name) == is_pass


@needs_dialect("mhlo")
def test_ops_of_strangers_pass_through_mhlo() -> None:
    text = '"garden.water"() : () -> ()'
    for data in (mhlo_to_bytecode(text.encode()), program_to_mhlo(text.encode())):
        context = ir.Context()
        context.allow_unregistered_dialects = True
        assert "garden.water" in str(ir.Module.parse(data, context))


def stand_in_for_torch(monkeypatch: pytest.MonkeyPatch, calls: list[Any]) -> None:
    """Let the modules of torch-mlir be those of the installed bindings, with a pass manager that takes notes."""

    class Manager:
        @staticmethod
        def parse(pipeline: str, context: Any) -> Manager:
            calls.append((pipeline, context))
            return Manager()

        def run(self, operation: Any) -> None:
            calls.append(operation)
            if len(calls) > 2:
                operation.verify()

    parts = {"ir": ir, "passmanager": SimpleNamespace(PassManager=Manager)}
    monkeypatch.setattr(torch_dialect, "torch_module", parts.__getitem__)


def test_passes_of_torch_run_in_the_context_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    stand_in_for_torch(monkeypatch, calls)
    context = shared_context()
    module = torch_dialect.parse_torch("func.func private @f(tensor<2xf32>)", context)
    torch_dialect.run_torch_passes(module, "builtin.module(a,b)")
    assert calls == [("builtin.module(a,b)", context), module.operation]
    with pytest.raises(ParseError) as unread:
        torch_dialect.parse_torch("func.func @f(", context)
    assert [each.severity for each in unread.value.diagnostics] == ["error"]
    module.body.operations[0].attributes["sym_visibility"] = ir.StringAttr.get("odd", context)
    with pytest.raises(PassError) as failed:
        torch_dialect.run_torch_passes(module, "builtin.module(c)")
    assert [each.severity for each in failed.value.diagnostics] == ["error"]
    assert "visibility" in failed.value.message


def test_programs_agree_within_the_tolerance_that_is_given() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %c = stablehlo.constant dense<0.0> : tensor<2xf32>
      %0 = stablehlo.add %x, %c : tensor<2xf32>
      return %0 : tensor<2xf32> }"""
    other = text.replace("dense<0.0>", "dense<0.5>")
    assert_programs_agree(text, other, tolerances={"": Tolerance(absolute=0.6)})
    for tolerances in (None, {"": Tolerance(absolute=0.4)}):
        with pytest.raises(AssertionError, match=r"^sample 0, result 0 tensor<2xf32>: second differs \(allowed: "):
            assert_programs_agree(text, other, tolerances=tolerances)
    pair = text.replace("-> tensor<2xf32>", "-> (tensor<2xf32>, tensor<2xf32>)")
    pair = pair.replace("return %0 : tensor<2xf32> }", "return %0, %0 : tensor<2xf32>, tensor<2xf32> }")
    with pytest.raises(AssertionError, match="2 results instead of 1"):
        assert_programs_agree(text, pair)


def test_a_library_function_with_too_few_results_fails_its_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    (function, *_) = library().functions(op="stablehlo.abs")
    context = shared_context()
    with context, ir.Location.unknown():
        assert list(cases.failures(library(), function, context)) == []
        monkeypatch.setattr(cases.CaseOp, "run_python", lambda _self: [])
        monkeypatch.setattr(cases.CaseOp, "run_compiled", lambda _self: [])
        found = list(cases.failures(library(), function, context))
    assert found
    assert all(" gives [], not [" in text for text in found), found


@pytest.mark.parametrize(
    ("op", "build"),
    [
        ("composite", lambda: ops.composite([], name="a.b", decomposition="nobody")),
        ("iota", lambda: ops.iota(iota_dimension=0)),
        ("rng_bit_generator", lambda: ops.rng_bit_generator([1, 2], rng_algorithm="DEFAULT")),
    ],
)
def test_an_op_whose_types_nothing_tells_asks_for_them(op: str, build: Any) -> None:
    with pytest.raises(ArgumentError) as caught, ops.module():
        ops.function()(build)
    assert (caught.value.message, caught.value.op) == (
        "needs result_type: nothing tells the types of its results",
        f"stablehlo.{op}",
    )
