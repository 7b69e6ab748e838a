"""What options of `stablehlo-translate --interpret` mean for the run, and what is said where arguments are missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stablehlo_py.bindings.types import TensorType, element_type
from stablehlo_py.cli import interpret, translation
from stablehlo_py.cli.diagnostics import ALL, ERRORS, Filter
from stablehlo_py.errors import InputError, NumberError
from stablehlo_py.interpreter.profile import Profile
from stablehlo_py.interpreter.settings import Settings, physical_memory
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.tool import SECONDS_TO_SAY_SO

TEXT = "func.func @main() {\n  return\n}\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """The settings that the programs of a run are made with; none of them runs."""
    found = list[Settings]()

    def program(_module: Any, given: Settings) -> None:
        found.append(given)
        raise InputError("does not run")

    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(TEXT)
    monkeypatch.setattr(interpret, "Program", program)
    return found


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("", {}),
        ("--max-memory=99", {"max_memory": 99}),
        ("--max-memory=0", {"max_memory": 0}),
        ("--max-steps=7", {"max_steps": 7}),
        ("--max-steps=0", {"max_steps": 0}),
        ("--timeout=2.5", {"timeout": 2.5}),
        ("--deterministic", {"deterministic": True}),
        ("--deterministic=false", {}),
        ("--probe-output-dir=probes", {"probe_directory": "probes"}),
        ("--progress", {}),  # standard error is no terminal
        ("--num-replicas=2 --num-partitions=3", {}),
    ],
)
def test_each_option_changes_one_setting(words: str, changed: dict[str, Any], settings: list[Settings]) -> None:
    with pytest.raises(InputError, match="does not run"):
        translation.run(["--interpret", "a.mlir", *words.split()])
    assert settings == [Settings(**{"max_memory": physical_memory(), **changed})]


@pytest.mark.parametrize(
    ("words", "limit"),
    [("", None), ("--timeout=2.5", Limits(2.5 + SECONDS_TO_SAY_SO)), ("--timeout=0", Limits(SECONDS_TO_SAY_SO))],
)
def test_the_guard_leaves_a_run_the_time_to_say_that_it_took_too_long(
    words: str, limit: Limits | None, settings: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[tuple[str, Any]]()
    monkeypatch.setattr(translation, "doing", lambda activity, limit, options: told.append((activity, limit, options)))
    with pytest.raises(InputError, match="does not run"):
        translation.run(["--interpret", "a.mlir", *words.split()])
    assert told == [("interpreting a.mlir", limit, ("--timeout", "--guard-memory"))]
    assert len(settings) == 1


@pytest.mark.parametrize("words", ["--profile", "--profile-output=p.json", "--profile --profile-output=p.json"])
def test_a_profile_listens_where_it_is_asked_for(
    words: str, settings: list[Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="does not run"):
        translation.run(["--interpret", "a.mlir", *words.split()])
    (found,) = settings
    (listener,) = found.listeners
    assert isinstance(listener, Profile)
    # What was measured is reported although the run failed; the file is written after a run alone.
    assert (listener.report() in capsys.readouterr().err) == ("--profile" in words.split())
    assert not Path("p.json").exists()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_ways_to_give_arguments_name_two_types_at_most(count: int) -> None:
    types = [TensorType((number,), element_type("f32")) for number in range(count)]
    shown = ", ".join([f"dense<...> : tensor<{number}xf32>" for number in range(min(count, 2))])
    more = ", ..." if count > 2 else ""
    assert interpret.ways_to_give(types) == (
        f"--args='[{shown}{more}]', --input=@FILE.npy for each, or --inputs=FILE.npz gives them"
    )


@pytest.mark.parametrize("target", ["i1", "i8", "ui8", "i64", "f32", "bf16", "complex<f32>"])
@pytest.mark.parametrize("source", ["bool", "uint8", "int64", "float32", "float64", "complex64"])
def test_arguments_are_converted_on_demand_alone(source: str, target: str) -> None:
    array, type_ = np.array([0, 1]).astype(source), TensorType((2,), element_type(target))
    kept = interpret.fitted(array, type_, cast=False)
    assert (kept.dtype, kept.tolist()) == (array.dtype, array.tolist())
    if source.startswith("complex") and not target.startswith("complex"):
        with pytest.raises(NumberError):
            interpret.fitted(array, type_, cast=True)
        return
    found = interpret.fitted(array, type_, cast=True)
    assert (found.dtype, found.tolist()) == (type_.dtype, [0, 1])


@pytest.mark.parametrize(
    ("words", "severities"),
    [
        ("", ALL),
        ("--error-diagnostics-only", ERRORS),
        ("--error-diagnostics-only=false", ALL),
        # Comments may expect warnings and remarks, too.
        ("--error-diagnostics-only --verify-diagnostics", ALL),
        ("--verify-diagnostics=only-expected --error-diagnostics-only", ALL),
    ],
)
@pytest.mark.parametrize("with_ops", [True, False])
def test_which_diagnostics_are_shown(
    words: str, severities: frozenset[str], with_ops: bool, settings: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Filter]()

    def of(_options: Any, shown: Filter) -> None:
        asked.append(shown)
        raise InputError("does not run")

    monkeypatch.setattr(translation.Chunks, "of", of)
    flag = f"--mlir-print-op-on-diagnostic={str(with_ops).lower()}"
    with pytest.raises(InputError, match="does not run"):
        translation.run(["--interpret", "a.mlir", flag, *words.split()])
    assert asked == [Filter(severities, with_ops=with_ops, with_notes=True)]
    assert settings == []


def test_the_form_of_the_input_is_that_of_the_first_step_alone(
    settings: list[Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a step writes is the next one's input."""
    forms, right = list[str](), translation.load_program

    def load_program(*given: Any, form: str) -> Any:
        forms.append(form)
        return right(*given)

    monkeypatch.setattr(translation, "load_program", load_program)
    with pytest.raises(InputError, match="does not run"):
        translation.run(["--serialize", "--interpret", "--import=mhlo", "a.mlir"])
    assert forms == ["mhlo", ""]
    assert len(settings) == 1
