"""Which op of a program corresponds to which of another: after one known edit, and in neighbourhoods of all kinds."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from parsed import shared_context

from stablehlo_py.analysis.diff import Diff, diff
from stablehlo_py.analysis.identity import program_hash
from stablehlo_py.syntax import parse

T = "tensor<4xf32>"
Line = tuple[str, str, str, str]


def compared(first: str, second: str) -> Diff:
    context = shared_context()
    return diff(parse(first, context=context), parse(second, context=context))


def edits(first: str, second: str) -> list[str]:
    """The differences: `changed sine 3 -> 4` with the positions in both texts, and `-` where there is none."""
    return [
        f"{change.kind} {change.op.partition('.')[2]} "
        + " -> ".join("-" if index is None else str(index) for index in change.indices)
        for change in compared(first, second)
    ]


def function(*lines: str, result: str = "%a", arguments: str = f"%a: {T}, %b: {T}, %p: tensor<i1>") -> str:
    """A program of lines such as `%0 = add %a, %b`, or of MLIR where they name a dialect."""
    written = [line if "stablehlo." in line else f"{line.replace('= ', '= stablehlo.', 1)} : {T}" for line in lines]
    return f"func.func @main({arguments}) -> {T} {{\n" + "\n".join(written) + f"\nreturn {result} : {T}\n}}\n"


def drawn(seed: int, names: tuple[str, ...], size: int = 24) -> list[Line]:
    choose, values, lines = random.Random(seed), ["%a", "%b"], list[Line]()
    for number in range(size):
        lines.append((f"%v{number}", choose.choice(names), choose.choice(values[-6:]), choose.choice(values)))
        values.append(f"%v{number}")
    return lines


def text_of(lines: list[Line]) -> str:
    return function(*(f"{name} = {op} {x}, {y}" for name, op, x, y in lines), result=lines[-1][0])


@pytest.mark.parametrize("names", [("add",), ("add", "multiply", "maximum")])
@pytest.mark.parametrize("seed", range(6))
def test_one_edit_of_a_program_is_told_as_that_edit(seed: int, names: tuple[str, ...]) -> None:
    lines = drawn(seed, names)
    for place in (1, 9, 22):
        name, op, x, y = lines[place]
        at = f"{place + 1} -> {place + 1}"
        before, after, text = lines[:place], lines[place + 1 :], text_of(lines)
        users = [n for n, line in enumerate(lines) if name in line[2:]]
        assert edits(text, text) == []
        other = text_of([*before, (name, op, "%b" if x == "%a" else "%a", y), *after])
        assert edits(text, other) == [f"changed {op} {at}"], (lines, place)
        other = text_of([*before, (name, op, y, x), *after])
        assert edits(text, other) == [f"changed {op} {at}"] * (x != y), (lines, place)
        other = text_of([*before, (name, "divide", x, y), *after])
        assert edits(text, other) == [
            f"removed {op} {place + 1} -> -",
            *(f"changed {lines[n][1]} {n + 1} -> {n + 1}" for n in users),
            f"inserted divide - -> {place + 1}",
        ], (lines, place)
        longer = text_of([*before, ("%new", "divide", x, y), *lines[place:]])
        assert edits(text, longer) == [f"inserted divide - -> {place + 1}"], (lines, place)
        assert edits(longer, text) == [f"removed divide {place + 1} -> -"], (lines, place)


def dead(*ops: str) -> str:
    """A program of ops that nothing uses: `b e5m3` rounds %b to that format, `sine` is one of %a."""
    rounding = "%{} = stablehlo.reduce_precision %{}, format = {} : " + T
    return function(*(rounding.format(n, *op.split()) if " " in op else f"%{n} = {op} %a" for n, op in enumerate(ops)))


def rounded(*formats: str) -> str:
    return dead(*(f"a {each}" for each in formats))


def branches(
    one: str, other: str, *, before: Sequence[str] = (), true: str = "", false: str = "", behind: Sequence[str] = ()
) -> str:
    """A program with an `if`: the ends of its branches, and ops before it, before these ends and behind it."""
    ops = (f"{op.replace('= ', '= stablehlo.', 1)} : {T}\n" if op else "" for op in (true, false))
    blocks = [f"{{\n{op}{end}\n}}" for op, end in zip(ops, (one, other), strict=True)]
    op = f'%0 = "stablehlo.if"(%p) ({", ".join(blocks)}) : (tensor<i1>) -> {T}'
    return function(*before, op, *behind, result="%0")


def barriers(operands: str, taken: str, other: str = "") -> str:
    """A program with the sine of one of three results, or with a tangent beside it and one more such op."""
    written = "%{}:3 = stablehlo.optimization_barrier {} : " + ", ".join([T] * 3)
    more = (written.format(1, other), "%8 = tan %0#0") if other else ()
    return function(written.format(0, operands), *more, f"%9 = sine %0#{taken}", result="%9")


ROUNDED = "%8 = reduce_precision %{}, format = {}"
SINE = f"%1 = stablehlo.sine %a : {T}\nstablehlo.return %1 : {T}"
PLAIN = f"stablehlo.return %a : {T}"
JUMP = f"""func.func @main(%a: {T}) -> {T} {{
  cf.br ^second
^first:
  %0 = stablehlo.add %x, %a : {T}
  return %0 : {T}
^second:
  %x = stablehlo.sine %a : {T}
  %y = stablehlo.tan %x : {T}
  cf.br ^first
}}
"""
E5, E6 = [f"e5m{n}" for n in range(1, 17)], [f"e6m{n}" for n in range(1, 17)]
PAIRS: dict[str, tuple[str, str, list[str]]] = {
    "an op in a chain leaves both ends": (
        function("%0 = sine %a", "%1 = cosine %0", "%2 = tan %1", result="%2"),
        function("%0 = sine %a", "%9 = abs %0", "%1 = cosine %9", "%2 = tan %1", result="%2"),
        ["changed cosine 2 -> 3", "inserted abs - -> 2"],
    ),
    "of twins the one that goes is told by its user": (
        function("%0 = sine %a", "%1 = sine %a", "%2 = cosine %0", "%3 = tan %1", "%4 = add %2, %3", result="%4"),
        function("%1 = sine %a", "%2 = cosine %a", "%3 = tan %1", "%4 = add %2, %3", result="%4"),
        ["removed sine 1 -> -", "changed cosine 3 -> 2"],
    ),
    "of twins the one that goes is told by the operand that it is": (
        function("%0 = sine %a", "%1 = sine %a", "%2 = power %0, %b", "%3 = power %b, %1", "%4 = add %2, %3",
                 result="%4"),
        function("%1 = sine %a", "%2 = power %b, %b", "%3 = power %b, %1", "%4 = add %2, %3", result="%4"),
        ["removed sine 1 -> -", "changed power 3 -> 2"],
    ),
    "of twins in regions the one that goes is told by the region": (
        branches(SINE, SINE),
        branches(PLAIN, SINE),
        ["removed sine 2 -> -", "changed return 3 -> 2"],
    ),
    "and the second one as well": (
        branches(SINE, SINE),
        branches(SINE, PLAIN),
        ["removed sine 4 -> -", "changed return 5 -> 4"],
    ),
    "an op that goes over to the other region has moved": (
        branches(SINE, PLAIN),
        branches(PLAIN, SINE),
        ["moved sine 2 -> 3", "changed return 3 -> 2", "changed return 4 -> 4"],
    ),
    "ops of one kind are matched in their order": (
        rounded(*E5),
        rounded(*E6),
        [f"changed reduce_precision {n} -> {n}" for n in range(1, 17)],
    ),
    "what is left over has gone": (
        rounded(*E5[:10]),
        rounded(*E6[5:10]),
        [*(f"changed reduce_precision {n} -> {n}" for n in range(1, 6)),
         *(f"removed reduce_precision {n} -> -" for n in range(6, 11))],
    ),
    "or is new": (
        rounded(*E6[5:10]),
        rounded(*E5[:10]),
        [*(f"changed reduce_precision {n} -> {n}" for n in range(1, 6)),
         *(f"inserted reduce_precision - -> {n}" for n in range(6, 11))],
    ),
    "of several the one that takes the same": (
        dead("b e5m1"),
        dead(*["a e6m1"] * 5, "b e6m1"),
        ["changed reduce_precision 1 -> 6", *(f"inserted reduce_precision - -> {n}" for n in range(1, 6))],
    ),
    "also before the place where it would be": (
        dead("sine", "b e5m1"),
        dead("b e6m1", *["a e6m1"] * 5, "sine"),
        ["moved sine 1 -> 7", "changed reduce_precision 2 -> 1",
         *(f"inserted reduce_precision - -> {n}" for n in range(2, 7))],
    ),
    "two that change places": (
        dead("b e5m1", "a e5m2"),
        dead("a e6m1", "b e6m2"),
        ["changed reduce_precision 1 -> 2", "changed reduce_precision 2 -> 1"],
    ),
    "between the same ops, of another operand": (
        dead("tan", "abs", "exponential", "sine", "b e5m1", "cosine"),
        dead("sine", "a e6m1", "cosine"),
        ["removed tan 1 -> -", "removed abs 2 -> -", "removed exponential 3 -> -", "changed reduce_precision 5 -> 2"],
    ),
    "between other ops, of another operand": (
        dead("b e5m1", "sine", "cosine"),
        dead("sine", "a e6m1", "cosine"),
        ["removed reduce_precision 1 -> -", "inserted reduce_precision - -> 2"],
    ),
    "in another order, of another operand": (
        dead("sine", "b e5m1", "a e5m1", "cosine"),
        dead("sine", "x e6m1", "b e6m1", "cosine").replace("%x,", "%0,"),
        ["changed reduce_precision 2 -> 3", "removed reduce_precision 3 -> -", "inserted reduce_precision - -> 2"],
    ),
    "of two with equal neighbours the one with more of the same operands": (
        function("%0 = clamp %a, %b, %b", "%1 = sine %0", "%2 = abs %1", result="%2"),
        function("%3 = clamp %b, %a, %a", "%4 = sine %3", "%5 = tan %4", "%0 = clamp %a, %b, %a", "%1 = sine %0",
                 "%2 = exponential %1", result="%2"),
        ["changed clamp 1 -> 4", "removed abs 3 -> -", "changed return 4 -> 7", "inserted clamp - -> 1",
         "inserted sine - -> 2", "inserted tan - -> 3", "inserted exponential - -> 6"],
    ),
    "users by the operand that they take a value as": (
        function("%0 = sine %a", "%1 = abs %b", "%2 = tan %b", "%3 = power %0, %1", "%4 = power %2, %0",
                 "%5 = cosine %3", "%6 = cosine %4"),
        function("%0 = sine %a", "%1 = sign %b", "%2 = floor %b", "%4 = power %2, %0", "%3 = power %0, %1",
                 "%5 = ceil %3", "%6 = ceil %4"),
        ["removed abs 2 -> -", "removed tan 3 -> -", "changed power 4 -> 5", "changed power 5 -> 4",
         "removed cosine 6 -> -", "removed cosine 7 -> -", *(f"inserted {op} - -> {n}" for op, n in
         (("sign", 2), ("floor", 3), ("ceil", 6), ("ceil", 7)))],
    ),
    "an op of a region is not the one that stood before it": (
        branches(PLAIN, PLAIN, before=("%1 = sine %a", "%2 = power %a, %b"), true="%3 = power %1, %b"),
        branches(PLAIN, PLAIN, before=("%1 = cosine %a",), true="%3 = power %1, %b"),
        ["removed sine 1 -> -", "removed power 2 -> -", "changed power 4 -> 3", "inserted cosine - -> 1"],
    ),
    "an op alone that goes over to the other region has moved": (
        branches(PLAIN, PLAIN, false="%1 = sine %a"),
        branches(PLAIN, PLAIN, true="%1 = sine %a"),
        ["moved sine 3 -> 2"],
    ),
    "an op alone of the other region and another operand is another op": (
        branches(PLAIN, PLAIN, true=ROUNDED.format("a", "e5m1")),
        branches(PLAIN, PLAIN, false=ROUNDED.format("b", "e6m1")),
        ["removed reduce_precision 2 -> -", "inserted reduce_precision - -> 3"],
    ),
    "an operand in a region before says as much as the place": (
        branches(PLAIN, PLAIN, behind=("%7 = sine %a", ROUNDED.format("b", "e5m1"))),
        branches(PLAIN, PLAIN, true=ROUNDED.format("b", "e6m1"), behind=("%7 = sine %a", ROUNDED.format("a", "e6m1"))),
        ["changed reduce_precision 5 -> 2", "inserted reduce_precision - -> 6"],
    ),
    "an op is known by the result that is taken": (
        barriers("%a, %b, %a", "0"),
        barriers("%b, %a, %b", "1", "%a, %b, %b"),
        ["changed optimization_barrier 1 -> 2", "changed sine 2 -> 4", "inserted optimization_barrier - -> 1",
         "inserted tan - -> 3"],
    ),
    "a value that another block defines below": (JUMP, JUMP.replace("%x", "%z"), []),
    "another value that is defined below": (
        JUMP,
        JUMP.replace("add %x", "add %y"),
        ["changed add 2 -> 2"],
    ),
    "where a constant stands says nothing": (
        function(f"%0 = stablehlo.constant dense<1.0> : {T}", "%1 = sine %a", "%2 = power %0, %1", result="%2"),
        function("%1 = sine %a", f"%0 = stablehlo.constant dense<1.0> : {T}", "%2 = power %0, %1", result="%2"),
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_partners_of_ops_by_what_is_around_them(name: str) -> None:
    first, second, expected = PAIRS[name]
    assert edits(first, second) == expected


def test_a_value_is_named_by_the_op_that_makes_it_also_below_its_use() -> None:
    (change,) = compared(JUMP, JUMP.replace("add %x, %a", "add %a, %y"))[:1]
    assert change.details == (
        "operand 0 is another value",
        "  result 0 of stablehlo.sine at <string>:7:8 -> argument 0 of func.func",
        "operand 1 is another value",
        "  argument 0 of func.func -> result 0 of stablehlo.tan at <string>:8:8",
    )


def test_a_name_of_a_program_tells_values_that_are_defined_below_apart() -> None:
    texts = [JUMP, JUMP.replace("%x", "%z"), JUMP.replace("add %x", "add %y"), JUMP.replace("%x, %a", "%a, %x")]
    first, same, *others = (program_hash(parse(text, context=shared_context())) for text in texts)
    assert first == same
    assert len({first, *others}) == 3


@pytest.mark.parametrize("inside", [0, 1, 2])
def test_an_op_with_regions_is_told_once_with_the_number_of_ops_inside(inside: int) -> None:
    without = function("%9 = tan %b", result="%9")
    ends = [SINE, SINE][:inside] + [PLAIN, PLAIN][inside:]
    block = f'%0 = "stablehlo.if"(%p) ({{\n{ends[0]}\n}}, {{\n{ends[1]}\n}}) : (tensor<i1>) -> {T}'
    whole = function(block, "%9 = tan %b", result="%9")
    for first, second, kind, partner in ((without, whole, "inserted", "main"), (whole, without, "removed", "")):
        (change,) = compared(first, second)
        assert (change.kind, change.op, change.details) == (kind, "stablehlo.if", (f"with {2 + inside} ops inside",))
        assert (change.function, change.partner, change.path) == ("main", partner, ("func.func",))
        assert change.indices == ((None, 1) if kind == "inserted" else (1, None))
        assert bool(change.first) == (kind == "removed")
        assert bool(change.second) == (kind == "inserted")
