"""Every fuzzer for a small budget, and the loop around them on a judge that is wrong."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from damaged_artifacts import mutated
from fuzzers import FUZZERS
from fuzzing import Fuzzer, Judging, WrongError, fuzz
from own_parsers import TARGETS

from stablehlo_py.isolation.policy import is_expendable

COUNTS = {
    "texts": 24,
    "shardings": 24,
    "artifacts": 24,
    "programs": 3,
    "commands": 3,
    "calls": 60,
    "arrays": 80,
    "donations": 50,
    "numbers": 60,
    "ops": 24,
    "sizes": 24,
    "signals": 2,
}


@pytest.mark.parametrize("name", sorted(FUZZERS))
def test_nothing_breaks(name: str) -> None:
    if name == "signals" and sys.platform == "win32":
        pytest.skip("this system has no such signals")
    findings = fuzz(FUZZERS[name], count=COUNTS[name], seed=1, seconds=60)
    assert not findings.wrong, findings.wrong
    assert findings.cases


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_own_parsers_have_an_answer_to_anything(name: str) -> None:
    """What coverage_guided.py does for hours, for a moment and without coverage."""
    target, generator = TARGETS[name], random.Random(1)
    seeds = target.seeds()
    assert seeds
    for count in range(120):
        data = generator.choice(seeds)
        with suppress(*target.errors):
            target.parse(data if count < 20 else mutated(data, generator))


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
    later = fuzz(fuzzer, count=20, seed=3, first=10)
    assert later.wrong == {number: problem for number, problem in findings.wrong.items() if number >= 10}


def _judge_harshly(case: bytes) -> str:
    """End the process that runs unguarded on some letters, and be wrong or slow on others."""
    if is_expendable() and case[0] in b"ab":
        os.kill(os.getpid(), signal.SIGSEGV)
    if case[0] in b"cd":
        raise WrongError("c or d")
    return "unguarded" if is_expendable() else "guarded"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="batches are forked")
def test_what_ends_a_batch_is_judged_again_with_the_guard() -> None:
    fuzzer = Fuzzer("letters", "letters", lambda generator: generator.choice("abcdefgh").encode(), _judge_harshly)
    findings = fuzz(fuzzer, count=60, seed=1, batch=16)
    drawn = [random.Random(f"letters-1-{number}").choice("abcdefgh") for number in range(60)]
    assert findings.cases == 60
    assert findings.answers["guarded"] == sum(letter in "ab" for letter in drawn) > 0
    assert sorted(findings.wrong) == [number for number, letter in enumerate(drawn) if letter in "cd"]


@pytest.mark.release
@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="needs the extra cluster")
def test_workers_of_a_cluster_find_what_one_process_finds() -> None:
    fuzzer = FUZZERS["arrays"]
    here, there = [fuzz(fuzzer, count=30, seed=2, first=5, batch=8, cluster=cluster) for cluster in ("", "local")]
    assert (there.cases, there.answers, there.wrong) == (here.cases, here.answers, here.wrong)


def test_cases_whose_workers_end_are_found() -> None:
    judged = Judging("arrays", 0, 2).lost(range(4, 6), "its workers ended")
    assert [(each.number, each.answer, each.problem) for each in judged] == [
        (number, "wrong", "lost: its workers ended") for number in (4, 5)
    ]
