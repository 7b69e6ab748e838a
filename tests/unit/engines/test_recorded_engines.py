"""Outcomes that are kept in a folder are the same when they are taken from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from speeds import later

from stablehlo_py.engines import Engine, Limits, Outcome, open_engine
from stablehlo_py.engines.recorded import RecordedEngine

TEXT = b"""func.func @main(%a: tensor<2x3x{e}>, %b: tensor<{e}>) -> (tensor<3x2x{e}>, tensor<{e}>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3x{e}>) -> tensor<3x2x{e}>
  return %0, %b : tensor<3x2x{e}>, tensor<{e}>
}"""


@pytest.mark.parametrize(
    ("element", "dtype"),
    [("bf16", ml_dtypes.bfloat16), later("f32", np.float32), later("i4", ml_dtypes.int4), later("i1", bool)],
)
def test_what_is_kept_comes_back(tmp_path, element, dtype):
    module = TEXT.replace(b"{e}", element.encode())
    arguments = [np.arange(6).reshape(2, 3).astype(dtype), np.asarray(1, dtype)]
    with open_engine("reference", folder=tmp_path) as engine:
        first = engine.run(module, arguments)
        (file,) = tmp_path.iterdir()
        second = engine.run(module, arguments)
        assert [file] == list(tmp_path.iterdir())
        other = engine.run(module, [arguments[0], np.asarray(0, dtype)])
    assert len(list(tmp_path.iterdir())) == 2
    assert first.run_seconds == second.run_seconds
    for a, b, type_ in zip(first.results, second.results, (dtype, dtype), strict=True):
        assert a.dtype == b.dtype == type_
        np.testing.assert_array_equal(a, b)
    assert other.results[1] == 0


def test_a_failure_is_kept(tmp_path):
    with open_engine("reference", folder=tmp_path) as engine:
        first = engine.run(b"not a program", [])
        assert first == engine.run(b"not a program", [])
    assert first.status == "rejected"
    assert len(list(tmp_path.iterdir())) == 1


def counted(monkeypatch: pytest.MonkeyPatch, folder: Path, *outcomes: Outcome) -> tuple[RecordedEngine, list[bytes]]:
    asked, pending = list[bytes](), iter(outcomes)

    def run(_: Engine, module: bytes, __: object) -> Outcome:
        asked.append(module)
        return next(pending)

    monkeypatch.setattr(Engine, "run", run)
    monkeypatch.setattr(Engine, "versions", property(lambda each: {"limit": str(each.limits.seconds)}))
    return RecordedEngine("mine", "mine:backend", (), Limits(1), folder=folder), asked


OK = Outcome("ok", (np.float32([[1, -0.0]]), np.bool_(True)), load_seconds=0.25, run_seconds=0.5, peak_bytes=7)


@pytest.mark.parametrize("status", ["timeout", "memory"])
def test_what_another_run_may_mend_is_not_kept(status, monkeypatch, tmp_path):
    engine, asked = counted(monkeypatch, tmp_path, Outcome(status, message="too much"), OK)
    assert engine.run(b"m", []).status == status
    assert not list(tmp_path.iterdir())
    assert engine.run(b"m", []) is OK
    assert len(asked) == 2


@pytest.mark.parametrize("status", ["unsupported", "rejected", "error", "crash"])
def test_other_failures_are_kept_with_their_messages(status, monkeypatch, tmp_path):
    engine, asked = counted(monkeypatch, tmp_path, Outcome(status, message="so\n\u00e9"), OK)
    assert engine.run(b"m", []) == engine.run(b"m", []) == Outcome(status, message="so\n\u00e9")
    assert len(asked) == 1


def test_everything_that_an_outcome_depends_on_is_in_its_key(monkeypatch, tmp_path):
    engine, _ = counted(monkeypatch, tmp_path)
    zero = np.zeros((2, 1), np.float32)
    asked = [
        (engine, b"m", [zero]),
        (replace(engine, name="other"), b"m", [zero]),
        (replace(engine, limits=Limits(2)), b"m", [zero]),  # which this engine has as its version
        (engine, b"n", [zero]),
        (engine, b"m", []),
        (engine, b"m", [zero, zero]),
        (engine, b"m", [-zero]),
        (engine, b"m", [zero.reshape(1, 2)]),
        (engine, b"m", [zero.astype(np.int32)]),
    ]
    keys = [each._key(module, arguments) for each, module, arguments in asked]
    assert len(set(keys)) == len(keys)
    assert engine._key(b"m", [zero.copy()]) == keys[0]


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-1], lambda data: data[:-1] + b"x", lambda data: data[1:], lambda _: b""],
    ids=["cut off", "another byte", "no header", "empty"],
)
def test_a_damaged_file_is_asked_for_again(damage, monkeypatch, tmp_path):
    engine, asked = counted(monkeypatch, tmp_path, OK, OK)
    engine.run(b"m", [])
    (file,) = tmp_path.iterdir()
    kept = engine.run(b"m", [])
    assert [result.tobytes() for result in kept.results] == [result.tobytes() for result in OK.results]
    assert [result.shape for result in kept.results] == [(1, 2), ()]
    assert (kept.load_seconds, kept.run_seconds, kept.peak_bytes) == (0.25, 0.5, 7)
    file.write_bytes(damage(file.read_bytes()))
    assert engine.run(b"m", []) is OK
    assert len(asked) == 2
