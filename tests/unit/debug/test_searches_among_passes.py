"""Searches for a pass where programs between the last right and the first wrong one cannot be run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from swapped_engine import program

from stablehlo_py.debug import bisect_xla, examine
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.bisect_passes import CONVERSION, GENERATION
from stablehlo_py.engines import Limits, Outcome
from stablehlo_py.errors import StablehloError

F = np.float32
HLO = "HloModule m\nENTRY main {{ x = f32[2] parameter(0)\n t = f32[2] tanh(x)\n ROOT r = f32[2] {root} }}"
ROOTS = {"r": "multiply(t, x)", "w": "add(t, x)", "u": 'custom-call(t), custom_call_target="unheard of"'}
MODULE = program("%t = stablehlo.tanh %x", "%r = stablehlo.multiply %t, %x", x="tensor<2xf32>")
X = F([0.5, 1.5])
ALL = ["".join(each) for each in product("ruw", repeat=4) if "wr" not in "".join(each).replace("u", "")]


def found_in(states: str, factor: float, folder: Path, monkeypatch: pytest.MonkeyPatch):
    """The finding about planted HLO: right, wrong or unheard of after the conversion and after each pass."""
    (right,) = Local().run(examine(MODULE).bytecode(), [X]).results

    def dump(*_: object) -> tuple[Outcome, list[tuple[str, Path]]]:
        dumps = list[tuple[str, Path]]()
        for number, state in enumerate(states):
            path = folder / f"{number}.txt"
            path.write_text(HLO.format(root=ROOTS[state]), encoding="utf-8")
            dumps.append((f"pass{number}", path))
        return Outcome("ok", (right * F(factor),)), dumps

    monkeypatch.setattr("stablehlo_py.debug.bisect_passes.dump_hlo", dump)
    return bisect_xla(examine(MODULE), [X], Local())


def last(states: Sequence[str], wanted: str) -> int:
    return max((number for number, state in enumerate(states, 1) if state == wanted), default=0)


@pytest.mark.parametrize("states", ALL)
def test_the_passes_from_the_last_right_to_the_first_wrong_program_are_guilty(
    states: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = found_in(states, 2.0, tmp_path, monkeypatch)
    names = [CONVERSION, "pass1", "pass2", "pass3", GENERATION]
    low = last(states, "r")
    high = states.index("w") + 1 if "w" in states else 5
    assert found.guilty == tuple(names[low:high]), states
    assert found.verdict == ("changes results" if high - low == 1 else "inconclusive"), states
    assert [text.partition(":")[0] for text in found.unknown] == names[low : high - 1], states
    assert all("unheard of" in text for text in found.unknown)
    assert found.runs <= 4
    assert found.functions == ()
    assert ("multiply(" if low else "stablehlo.multiply") in str(found.before)
    assert ("None" if high == 5 else "add(") in str(found.after)


@pytest.mark.parametrize("states", ["rrrr", "uuuu", "wwww"])
def test_nothing_is_searched_if_the_results_are_right(
    states: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found_in(states, 1.0, tmp_path, monkeypatch) is None


@pytest.mark.parametrize("limits", [None, Limits(7.0), Limits(3.0, 1 << 30)])
@pytest.mark.parametrize("name", ["xla", "xla:xla_a=1"])
def test_xla_runs_in_its_limits_and_under_its_name(
    limits: Limits | None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[object]()

    def dump(program: bytes, arguments: object, bounds: Limits, folder: Path, xla: str) -> tuple[Outcome, list]:
        asked.append((arguments, bounds, xla, folder.is_dir()))
        return Outcome("crash", message="signal 11"), []

    monkeypatch.setattr("stablehlo_py.debug.bisect_passes.dump_hlo", dump)
    with pytest.raises(StablehloError, match="XLA does not run the program: crash: signal 11"):
        bisect_xla(examine(MODULE), [X], Local(), limits=limits, xla=name)
    ((arguments, *rest),) = asked  # type: ignore[misc]
    assert [one is X for one in arguments] == [True]
    assert rest == [Limits() if limits is None else limits, name, True]
