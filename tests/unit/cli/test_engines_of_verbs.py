"""The engines that verbs open, here and in a pool, the names with options, and the limits that the guard is told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import pytest

from stablehlo_py.cli.verbs.shared import Inputs, tell
from stablehlo_py.engines import Limits
from stablehlo_py.isolation import tool
from stablehlo_py.isolation.limits import MEMORY_TO_READ
from stablehlo_py.isolation.limits import Limits as StepLimits
from stablehlo_py.isolation.pool import Pool


def inputs(**given: Any) -> Inputs:
    plain = {"archive": None, "attributes": "", "distributions": (), "seed": 0, "timeout": 600.0, "max_memory": None}
    return Inputs(**{**plain, "work": None, **given})


@pytest.mark.parametrize("work", [None, "kept"])
@pytest.mark.parametrize("memory", [None, 7])
@pytest.mark.parametrize("in_pool", [False, True])
def test_an_engine_has_the_limits_and_the_folder_of_the_options(
    work: str | None, memory: int | None, in_pool: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    monkeypatch.setattr(tool, "doing", lambda activity, **more: said.append(activity))
    given = inputs(timeout=3.0, max_memory=memory, work=work)
    with ThreadPoolExecutor(1) as executor:
        pool = Pool(executor, 1) if in_pool else None
        engine: Any = given.engine("reference:f64", pool)
        assert engine.name == "reference:f64"
        assert engine.limits == given.limits == Limits(3.0, memory)
        assert getattr(engine, "folder", None) == (None if work is None else tmp_path / "kept" / "outcomes")
        assert getattr(engine, "pool", None) is pool
        assert said == (["working with a cluster"] if in_pool else [])
        if not in_pool:
            assert (engine.waiting, engine.say) == (tool.waiting, tell)


@pytest.mark.parametrize(
    ("names", "options", "found"),
    [
        (["reference"], (), ["reference"]),
        (["xla", "reference"], ("a=1", "b=2"), ["xla:a=1,b=2", "reference"]),
        (["xla@python", "xla:c=3", "xlax"], ("a=1",), ["xla:a=1@python", "xla:c=3,a=1", "xlax"]),
        (["reference", "command:xla"], ("a=1",), "--xla is for the engine xla, not for reference and command:xla"),
        (["xla"], ("a=1", "b", "c"), "--xla takes KEY=VALUE, not 'b'"),
        (["xla"], ("a=1", "b=", "c"), "--xla takes KEY=VALUE, not 'c'"),
    ],
)
def test_options_of_xla_go_to_the_engines_of_xla(names: list[str], options: tuple[str, ...], found: Any) -> None:
    given = inputs(xla=options)
    if isinstance(found, list):
        assert given.named(names) == found
        return
    with pytest.raises(click.UsageError) as raised:
        given.named(names)
    assert raised.value.message == found


@pytest.mark.parametrize(
    ("timeout", "memory", "runs", "limit"),
    [
        (3.0, None, False, StepLimits(10.0, None)),
        (30.0, None, False, StepLimits(30.0, None)),
        (3.0, None, True, StepLimits(4.0, None)),
        (30.0, 5, True, StepLimits(31.0, MEMORY_TO_READ)),
        (3.0, MEMORY_TO_READ + 1, False, StepLimits(10.0, MEMORY_TO_READ + 1)),
    ],
)
def test_a_run_has_a_second_to_say_that_it_is_late_and_a_step_what_reading_has(
    timeout: float, memory: int | None, runs: bool, limit: StepLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(tool, "doing", lambda activity, **more: told.append((activity, more)))
    inputs(timeout=timeout, max_memory=memory).note("comparing", runs=runs)
    assert told == [("comparing", {"limit": limit, "options": ("--timeout", "--max-memory")})]
