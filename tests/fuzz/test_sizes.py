"""Each op with sizes that contradict each other, dimension by dimension, and whether a missing check is found."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from contradicting_sizes import instances, judge_contradiction, open_program
from fuzzing import WrongError

from stablehlo_py.dialect.catalog import contract_names
from stablehlo_py.dialect.facts import facts
from stablehlo_py.isolation.policy import guarding
from stablehlo_py.shapes.refinement.actual_sizes import SizeCheck

# Their operands have no sizes, or they are left out of `instances`.
_WITHOUT = (
    *("after_all", "async_done", "async_start", "constant", "create_token", "get_tuple_element", "infeed", "iota"),
    *("outfeed", "partition_id", "recv", "replica_id", "send", "tuple"),
    *("case", "custom_call", "if", "return", "rng", "set_dimension_size"),
)


@pytest.fixture(autouse=True)
def _unguarded():
    with guarding(False):
        yield


def judged(text: str, most: int = 8) -> list[str]:
    """The answers for each of the first dimensions of each argument of a program, made one larger."""
    opened = open_program(text, random.Random(1))
    if opened is None:
        return []
    program, fitting = opened
    answers: list[str] = []
    for argument, sizes in enumerate(fitting):
        for dimension in range(min(len(sizes), most)):
            changed = [list(each) for each in fitting]
            changed[argument][dimension] += 1
            answers.append(judge_contradiction(f"// {json.dumps([fitting, changed])}\n{program}".encode()))
    return answers


def test_every_op_of_the_specification_is_drawn() -> None:
    drawn = {name.partition(".")[2] for name in instances() if name.startswith("stablehlo.")}
    assert set(contract_names()) - drawn == set(_WITHOUT)


def test_every_op_refuses_contradicting_sizes_or_takes_them_as_a_static_program_does() -> None:
    wrong: list[str] = []
    answers = Counter[str]()
    for name, texts in instances().items():
        if facts(name).is_elementwise and "lhs" not in texts[0]:  # one operand cannot contradict another
            continue
        try:
            answers.update(judged(texts[0], most=1 if facts(name).is_elementwise else 8))
        except WrongError as error:
            wrong.append(f"{name}: {error}")
    assert not wrong
    assert answers["refused by both, with the constraint"] > 50
    assert answers["the same"] > 50


@pytest.mark.parametrize("op", ["stablehlo.gather", "stablehlo.dot_general", "stablehlo.add"])
def test_a_missing_check_is_found(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SizeCheck, "__call__", lambda *_: None)
    with pytest.raises(WrongError):
        _ = [judged(text) for text in instances()[op]]
