"""Every fuzzer for a small budget, and the loop around them on a judge that is wrong."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from fuzzers import FUZZERS
from fuzzing import Fuzzer, WrongError, fuzz

COUNTS = {"texts": 60, "artifacts": 60, "programs": 6, "commands": 6, "calls": 150, "arrays": 200, "signals": 3}


@pytest.mark.parametrize("name", sorted(FUZZERS))
def test_nothing_breaks(name: str) -> None:
    if name == "signals" and sys.platform == "win32":
        pytest.skip("this system has no such signals")
    findings = fuzz(FUZZERS[name], count=COUNTS[name], seed=1, seconds=60)
    assert not findings.wrong, findings.wrong
    assert findings.cases


def test_what_is_wrong_is_found_kept_and_made_small(tmp_path: Path) -> None:
    def judge(case: bytes) -> str:
        if b"x" in case:
            raise WrongError("an x")
        return "fine"

    def draw(generator: random.Random) -> bytes:
        return bytes(generator.choices(b"abcdefghijklmnopqrstuvwxyz", k=40))

    fuzzer = Fuzzer("letters", "letters", draw, judge)
    findings = fuzz(fuzzer, count=30, seed=3, keep=tmp_path)
    assert findings.wrong
    assert findings.answers["fine"] + len(findings.wrong) == 30
    for number in findings.wrong:
        assert b"x" in (tmp_path / f"letters-3-{number}.txt").read_bytes()
        assert (tmp_path / f"letters-3-{number}.min.txt").read_bytes() == b"x"
    again = fuzz(fuzzer, count=30, seed=3)
    assert again.wrong == findings.wrong
