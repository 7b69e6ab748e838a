"""Ops and layers that are alike are compiled once, and a judgement says first how far the results are apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from swapped_engine import Swapped, program

import stablehlo_py
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.judge import judge
from stablehlo_py.debug.programs.slices import run_ops, slices
from stablehlo_py.debug.programs.subject import Subject, examine
from stablehlo_py.engines import Outcome

F = np.float32
LAYER = ("tanh", *("sine", "cosine") * 12)


class Recording(Local):
    """The reference, with a list of the programs that it runs; it fails where one has an op that it lacks."""

    def __init__(self, lacks: str = "nothing") -> None:
        super().__init__()
        self.codes, self.lacks = list[bytes](), lacks

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        self.codes.append(module)
        if self.lacks.encode() in module:
            return Outcome("unsupported", message=f"lacks {self.lacks}")
        return super().run(module, arguments)


def chain(names: Sequence[str], attributes: Sequence[str] = ()) -> Subject:
    lines, marks = list[str](), [*attributes, *[""] * len(names)]
    for number, name in enumerate(names):
        before = f"%{number - 1}" if number else "%x"
        lines.append(
            f'%{number} = stablehlo.{name} {before} {marks[number]} : tensor<4xf32> loc("f.py":{number + 1}:1)'
        )
    body = "\n".join(lines)
    text = (
        f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n{body}\nreturn %{len(names) - 1} : tensor<4xf32> }}"
    )
    return examine(stablehlo_py.parse(text))


def values_of(subject: Subject) -> dict:
    values = {subject.block.arguments[0]: F([0.25, 0.5, 0.75, 1])}
    return values | run_ops(Local(), subject.extractor, subject.ops, values, isolated=False)[0]


def test_ops_that_are_alike_run_in_one_program():
    subject = chain(["tanh"] * 4 + ["sine"])
    values, engine = values_of(subject), Recording()
    made, failed = run_ops(engine, subject.extractor, subject.ops, values, isolated=True)
    assert not failed
    assert all((made[op.results[0]] == values[op.results[0]]).all() for op in subject.ops)
    alone = [code for code in engine.codes if b"tanh" in code]
    assert (len(alone), len(set(alone)), len(engine.codes)) == (4, 1, 5)
    assert b"f.py" not in alone[0]


def test_ops_of_other_attributes_are_not_alike():
    subject = chain(["tanh"] * 4, ["", '{planted = "negated"}'])
    engine = Recording()
    run_ops(engine, subject.extractor, subject.ops, values_of(subject), isolated=True)
    assert len(engine.codes) == 4
    assert len(set(engine.codes)) == 2


def test_each_of_the_alike_ops_that_fail_is_named():
    subject = chain(["tanh"] * 3 + ["sine"])
    _, failed = run_ops(Recording("tanh"), subject.extractor, subject.ops, values_of(subject), isolated=True)
    assert list(failed) == subject.ops[:3]
    assert {str(outcome) for outcome in failed.values()} == {"unsupported: lacks tanh"}


def test_layers_that_are_alike_are_slices_that_are_alike():
    subject = chain(("negate", "negate", *LAYER, *LAYER, *LAYER, *LAYER, "negate"))
    found = list(slices(subject.ops, subject.results, 1 << 20))
    assert [(part.first, len(part.ops)) for part in found] == [(0, 2), (2, 101)]  # as many layers as a slice may have
    subject = chain((*("negate",) * 2, *LAYER * 24))
    found = list(slices(subject.ops, subject.results, 1 << 20))
    assert [len(part.ops) for part in found] == [2, 200, 200, 200]
    codes = [subject.extractor.ops(part.ops, [part.ops[-1].results[0]]).text() for part in found[1:]]
    assert len(set(codes)) == 1
    assert [len(part.ops) for part in slices(subject.ops, subject.results, 160)] == [2, *[10] * 60]  # the cap is kept


def test_a_judgement_says_first_how_far_the_results_are_apart():
    subject, said = chain(["tanh", "sine"]), list[str]()
    given = [F([0.25, 0.5, 0.75, 1])]
    with Recording() as right:
        judge(subject.module, [Local("bf16")], reference=right, arguments=given, say=said.append,
              progress=lambda done, total: said.append("an op"))  # fmt: skip
    assert said[0].startswith("reference:bf16: the results differ by ")
    assert said[0].endswith("; looking at each op")
    assert said[1:] == ["an op"]


@pytest.mark.parametrize(
    ("swaps", "words"),
    [
        ({}, "the results are the reference's"),
        ({"abs": "sign"}, "the results differ by 0.75 relative at most"),  # 1 for 4
        ({"sign": "abs"}, "the results differ by 3 relative at most"),  # 4 for 1
        ({"sqrt": "tanh"}, "the results differ by 0.5003 relative at most"),
    ],
)
def test_a_judgement_says_how_far_an_engine_is_from_the_reference(swaps: dict[str, str], words: str) -> None:
    type_ = "tensor<1xf32>"
    ops = [f"%{name} = stablehlo.{name} %x" for name in ("abs", "sign", "sqrt")]
    module = program(*ops, results=[f"%{name}: {type_}" for name in ("abs", "sign", "sqrt")], x=type_)
    said = list[str]()
    judge(module, [Swapped(swaps)], reference=Local(), arguments=[F([4])], say=said.append)
    assert said == [f"swapped: {words}; looking at each op"]


@pytest.mark.parametrize(
    ("before", "period", "times", "lengths"),
    [
        (2, 20, 12, [2, 200, 40]),
        (2, 19, 12, [200, 30]),  # a layer has twenty ops at least
        (2, 200, 3, [2, 200, 200, 200]),
        (2, 201, 3, [200, 200, 200, 5]),  # and two hundred at most
        (0, 30, 9, [180, 90]),
        (1, 30, 9, [1, 180, 90]),
        (174, 25, 9, [174, 200, 25]),
        (175, 25, 9, [200, 200]),  # half of the ops come again, not most of them
        (176, 25, 9, [200, 200, 1]),
        (2, 150, 1, [152]),
    ],
)
def test_layers_are_of_ops_most_of_which_come_again(before: int, period: int, times: int, lengths: list[int]) -> None:
    sizes = [*range(1000, 1000 + before), *[*range(1, period + 1)] * times]
    lines = [f"%{n} = stablehlo.iota dim = 0 : tensor<{size}xi8>" for n, size in enumerate(sizes)]
    subject = examine(stablehlo_py.parse("func.func @main() {{ {} return }}".format("\n".join(lines))))
    found = list(slices(subject.ops, subject.results, 1 << 30))
    assert [len(part.ops) for part in found] == lengths
    assert [op for part in found for op in part.ops] == subject.ops
