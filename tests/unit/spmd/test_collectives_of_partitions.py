"""Which collectives a partition has, for whom, and what each of them moves."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.spmd import partition, simulate

pytestmark = needs("partition")
D = "4x8xf32"
X, Y, XY = '"x"', '"y"', '"x", "y"'
ALL, BY_X, BY_Y = ((0, 1, 2, 3),), ((0, 2), (1, 3)), ((0, 1), (2, 3))


class One(NamedTuple):
    """A collective: what it moves, and from whom to whom."""

    op: str
    line: int
    groups: tuple[tuple[int, ...], ...]
    bytes_sent: int
    made: str = ""
    had: str = ""
    taken: str = ""
    wanted: str = ""


def signed(types: list[str], shardings: list[str | None], before: str = "") -> str:
    texts = [f" {{sdy.sharding = #sdy.sharding<@mesh, [{s}]>}}" if s is not None else "" for s in shardings]
    return ", ".join([f"{before.format(n)}tensor<{types[n]}>{text}" for n, text in enumerate(texts)])


def program(types: list[str], cuts: list[str | None], ends: list[str], cut: list[str | None], *ops: str) -> str:
    """A program whose ops are in lines from 1 on, and whose return is in line 9."""
    lines = [f'{op} loc("f.py":{number}:1)' for number, op in enumerate(ops[:-1], 1)]
    values = f"return {ops[-1]} : {', '.join([f'tensor<{end}>' for end in ends])}"
    body = "\n".join([*lines, f'{values} loc("f.py":9:1)'])
    given = f"({signed(types, cuts, '%a{}: ')}) -> ({signed(ends, cut)})"
    return f'sdy.mesh @mesh = <["x"=2, "y"=2]>\nfunc.func @main{given} {{\n{body}\n}}'


def op(text: str, *types: str) -> str:
    operands = f"({', '.join(types[:-1])}) -> " if len(types) > 1 else ""
    return f"{text} : {operands}{types[-1]}"


ZERO, ONE = [f"%{name} = stablehlo.constant dense<{value}> : tensor<f32>" for name, value in (("z", 0.0), ("o", 1.0))]
T, V, S = f"tensor<{D}>", "tensor<8xf32>", "tensor<f32>"
DOT = op("%0 = stablehlo.dot_general %a0, %a1, contracting_dims=[1]x[0]", T, "tensor<8x6xf32>", "tensor<4x6xf32>")
FLIPS = op("%0 = stablehlo.reverse %a0, dims = [0]", T), op("%1 = stablehlo.reverse %a0, dims = [0, 1]", T)


def reduced(kind: str, init: str) -> str:
    return f"%0 = stablehlo.reduce(%a0 init: %{init}) applies stablehlo.{kind} across dimensions = [1] " + op(
        "", T, S, "tensor<4xf32>"
    )


def padded(low: int, high: int) -> str:
    return op(f"%0 = stablehlo.pad %a0, %o, low = [{low}], high = [{high}], interior = [0]", V, S, V)


def moved(kind: str, groups: tuple[tuple[int, ...], ...], size: int, had: str, wanted: str) -> list[One]:
    return [One(kind, 9, groups, size, "argument 0", f"[{had}]", "result 0", f"[{wanted}]")]


def reshards(before: str, after: str) -> str:
    return program([D], [before], [D], [after], "%a0")


TERMS = 'terms along {"x"}'
HALO = '2 of dimension 0 from {} + 2 x part on, along {{"x", "y"}}'
FLIPPED = '2 of dimension 0 from 2 - 2 x part on, along {"x"}'
SWAPPED = ((0, 0), (1, 2), (2, 1), (3, 3))
CASES = {
    "nothing moves": (
        program([D], [f"{{{X}}}, {{{Y}}}"], [D], [f"{{{X}}}, {{{Y}}}"], op("%0 = stablehlo.negate %a0", T), "%0"),
        [],
    ),
    "a further cut": (reshards(f"{{{X}}}, {{}}", f"{{{X}}}, {{{Y}}}"), []),
    "gathered": (
        reshards(f"{{}}, {{{XY}}}", f"{{}}, {{{X}}}"),
        moved("all_gather", BY_Y, 32, f"{{}}, {{{XY}}}", f"{{}}, {{{X}}}"),
    ),
    "all gathered": (
        reshards(f"{{}}, {{{XY}}}", "{}, {}"),
        moved("all_gather", ALL, 96, f"{{}}, {{{XY}}}", "{}, {}"),
    ),
    "two results take what is gathered once": (
        program([D], [f"{{}}, {{{XY}}}"], [D, D], ["{}, {}"] * 2, "%a0, %a0"),
        moved("all_gather", ALL, 96, f"{{}}, {{{XY}}}", "{}, {}"),
    ),
    "another dimension": (
        reshards(f"{{{X}}}, {{}}", f"{{}}, {{{X}}}"),
        moved("all_to_all", BY_X, 32, f"{{{X}}}, {{}}", f"{{}}, {{{X}}}"),
    ),
    "two dimensions change places": (
        reshards(f"{{{X}}}, {{{Y}}}", f"{{{Y}}}, {{{X}}}"),
        moved("collective_permute", SWAPPED, 32, f"{{{X}}}, {{{Y}}}", f"{{{Y}}}, {{{X}}}"),
    ),
    "axes change places": (
        reshards(f"{{{XY}}}, {{}}", '{"y", "x"}, {}'),
        moved("collective_permute", SWAPPED, 32, f"{{{XY}}}, {{}}", '{"y", "x"}, {}'),
    ),
    "a sum is scattered": (
        program([D, "8x6xf32"], [f"{{}}, {{{X}}}", f"{{{X}}}, {{}}"], ["4x6xf32"], [f"{{{X}}}, {{}}"], DOT, "%0"),
        [One("reduce_scatter", 1, BY_X, 48, "stablehlo.dot_general f.py:1:1", TERMS, "stablehlo.dot_general f.py:1:1",
             '[{"x"}, {}]')],
    ),
    "a sum": (
        program([D], [f"{{}}, {{{XY}}}"], ["4xf32"], ["{}"], ZERO, reduced("add", "z"), "%0"),
        [One("all_reduce", 2, ALL, 24, "stablehlo.reduce f.py:2:1", 'terms along {"x", "y"}',
             "stablehlo.reduce f.py:2:1", "[{}]")],
    ),
    "a maximum": (
        program([D], [f"{{}}, {{{X}}}"], ["4xf32"], ["{}"], ZERO, reduced("maximum", "z"), "%0"),
        [One("all_reduce", 2, BY_X, 16, "stablehlo.reduce f.py:2:1", TERMS, "stablehlo.reduce f.py:2:1", "[{}]")],
    ),
    "two ops take one halo": (
        program([D], [f"{{{X}}}, {{}}"], [D, D], [f"{{{X}}}, {{}}"] * 2, *FLIPS, "%0, %1"),
        [One("collective_permute", 1, ((0, 2), (1, 3), (2, 0), (3, 1)), 64, "argument 0", '[{"x"}, {}]',
             "stablehlo.reverse f.py:1:1", FLIPPED)],
    ),
    "a halo before": (
        program(["8xf32"], [f"{{{XY}}}"], ["8xf32"], [f"{{{XY}}}"], ONE, padded(1, -1), "%0"),
        [One("collective_permute", 2, ((0, 1), (1, 2), (2, 3)), 4, "argument 0", f"[{{{XY}}}]",
             "stablehlo.pad f.py:2:1", HALO.format(-1))],
    ),
    "a halo behind": (
        program(["8xf32"], [f"{{{XY}}}"], ["8xf32"], [f"{{{XY}}}"], ONE, padded(-1, 1), "%0"),
        [One("collective_permute", 2, ((1, 0), (2, 1), (3, 2)), 4, "argument 0", f"[{{{XY}}}]",
             "stablehlo.pad f.py:2:1", HALO.format(1))],
    ),
    "a whole part comes from another device": (
        program(["8xf32"], [f"{{{XY}}}"], ["8xf32"], [f"{{{XY}}}"], ONE, padded(4, -4), "%0"),
        [One("collective_permute", 2, ((0, 2), (1, 3)), 8, "argument 0", f"[{{{XY}}}]",
             "stablehlo.pad f.py:2:1", HALO.format(-4))],
    ),
    "what is the same everywhere": (
        program([], [], [D], [f"{{{X}}}, {{{Y}}}"], f"%0 = stablehlo.constant dense<2.0> : {T}",
                f"%1 = stablehlo.iota dim = 1 : {T}", op("%2 = stablehlo.add %0, %1", T), "%2"),
        [],
    ),
}  # fmt: skip


def place(name: str, location: str) -> str:
    return f"{name} {location}".strip()


@pytest.mark.parametrize("name", CASES)
def test_collectives_of_a_program(name: str) -> None:
    text, expected = CASES[name]
    module = stablehlo_py.parse(text)
    found = partition(module)
    got = []
    for one in found.collectives:
        demand = one.demand
        assert demand is not None, one
        ends = place(demand.producer, demand.producer_location), place(demand.consumer, demand.consumer_location)
        line = int(one.location.split(":")[1])
        kind = one.op.removeprefix("stablehlo.")
        got.append(One(kind, line, one.groups, one.bytes_sent, ends[0], demand.had, ends[1], demand.wanted))
        assert (one.bytes_received, one.runs) == (one.bytes_sent, 1)
    assert got == expected
    channels = [int(number) for number in re.findall(r"handle = (\d+)", str(found.module))]
    assert channels == list(range(1, len(expected) + 1))
    random = np.random.default_rng(0)
    types = [value.type for value in module.body.operations[1].regions[0].blocks[0].arguments]
    arguments = [random.integers(-9, 9, type_.shape).astype(np.float32) for type_ in types]
    for result, whole in zip(
        simulate(found, arguments).results, stablehlo_py.interpret(module, arguments), strict=True
    ):
        np.testing.assert_array_equal(result, whole)


def test_random_numbers_come_from_the_first_device_and_others_are_cut() -> None:
    seed = "%s = stablehlo.constant dense<[4]> : tensor<1xi64>"
    drawn = op("%0 = stablehlo.rng %a0, %a1, %s, distribution = UNIFORM", S, S, "tensor<1xi64>", "tensor<4xf32>")
    text = program(["f32", "f32"], [None, None], ["4xf32"], [f"{{{X}}}"], seed, drawn, "%0")
    (one,) = partition(stablehlo_py.parse(text)).collectives
    assert (one.op, one.groups, one.bytes_sent, one.demand) == ("stablehlo.collective_broadcast", ALL, 16, None)
