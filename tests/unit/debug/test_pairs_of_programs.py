"""Two programs side by side: what is measured of each pair of ops, and what is said where one side does not run."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped, program

from stablehlo_py.debug import Tolerance, examine, trace, trace_against
from stablehlo_py.debug.allowed.measures import difference, half_the_digits
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.programs.slices import run_until
from stablehlo_py.debug.programs.subject import Subject
from stablehlo_py.engines import Outcome

F, BF16 = np.float32, ml_dtypes.bfloat16
CHAIN = ("sine", "exponential", "cosine", "tanh")
X = F([0.3, -0.7, 1.9, 2.6])


def chain(element: str, *names: str) -> Subject:
    ops = [f"%{n} = stablehlo.{name} %{n - 1 if n else 'x'}" for n, name in enumerate(names or CHAIN)]
    return examine(program(*ops, x=f"tensor<4x{element}>"))


def test_each_value_is_held_against_that_of_the_other_program_in_the_narrowest_type() -> None:
    subject, other, x = chain("bf16"), chain("f32"), X.astype(BF16)
    found = trace_against(subject, other, [x], Local(), Local(), cuts=0)
    assert found.matched == "4 of 4 ops have a partner among 4 of the other program"
    assert (found.reference, found.engine) == ("the other program in reference", "reference")
    for number, row in enumerate(found.rows):
        (mine,), (theirs,) = (run_until(Local(), one, number, [given]).results
                              for one, given in ((subject, x), (other, x.astype(F))))  # fmt: skip
        wanted = difference(mine, theirs, half_the_digits(np.dtype(BF16)))
        assert row.accumulated is not None
        assert (row.accumulated.max_ulp, row.accumulated.mismatches) == (wanted.max_ulp, wanted.mismatches), str(row)
        assert row.partner is not None
        assert (row.place.number, row.partner.number, row.partner.op) == (number, number, row.place.op)


def test_ops_alone_get_operands_that_both_programs_can_hold() -> None:
    subject, other = chain("bf16"), chain("f32")
    found = trace_against(subject, other, [X.astype(BF16)], Local(), Local(), cuts=0)
    value = X.astype(BF16).astype(F)
    functions = (np.sin, np.exp, np.cos, np.tanh)
    for row, function in zip(found.rows, functions, strict=True):
        operand = value.astype(BF16).astype(float)  # of the other program's value
        wanted = difference(function(operand).astype(BF16), function(operand).astype(F), Tolerance())
        assert row.local is not None
        assert row.local.same, str(row)
        assert row.local.max_ulp == pytest.approx(wanted.max_ulp, abs=0.02), str(row)
        value = function(value.astype(float)).astype(F)


@pytest.mark.parametrize("lacking", ["sine", "cosine"])
def test_what_the_reference_lacks_is_noted_and_nothing_behind_it_is_measured(lacking: str) -> None:
    found = trace_against(chain("f32"), chain("f32"), [X], Swapped(bad=lacking), Local(), cuts=0)
    assert found.note == (
        f"the reference cannot run stablehlo.{lacking}: unsupported: lacks {lacking}; ops that use it are not measured"
    )
    first = CHAIN.index(lacking)
    assert [row.local is not None for row in found.rows] == [number < first for number in range(4)]
    assert [row.accumulated is not None for row in found.rows] == [number < first for number in range(4)]
    assert found.exit_code == 2


class LacksTwo(Local):
    """Lacks the sine and the cosine."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        lacking = [op for op in ("cosine", "sine") if f"stablehlo.{op} " in str(parsed(module))]
        return Outcome("unsupported", message=f"lacks {lacking[0]}") if lacking else super().run(module, arguments)


@pytest.mark.parametrize("cap", [16, 1 << 20])
@pytest.mark.parametrize("first", ["sine", "cosine"])
def test_the_first_op_that_the_reference_lacks_is_noted(first: str, cap: int) -> None:
    ops = [first, "abs", "floor", "cosine" if first == "sine" else "sine"]
    module = program(*(f"%{n} = stablehlo.{op} %x" for n, op in enumerate(ops)), x="tensor<2xf32>",
                     results=[f"%{n}: tensor<2xf32>" for n in range(4)])  # fmt: skip
    subject = examine(module)
    found = trace_against(subject, examine(module), [X[:2]], LacksTwo(), Local(), cuts=0, cap=cap)
    assert found.note.startswith(f"the reference cannot run stablehlo.{first}: unsupported: lacks {first};")


def test_what_the_engine_lacks_is_a_failure_of_its_row() -> None:
    found = trace_against(chain("f32"), chain("f32"), [X], Local(), Swapped(bad="cosine"), cuts=0)
    assert [row.failure for row in found.rows] == ["", "", "unsupported: lacks cosine", ""]
    assert [row.wrong for row in found.rows] == [False, False, True, False]
    assert found.program is not None
    alone = examine(found.program)
    assert [op.name for op in alone.ops] == ["stablehlo.cosine"]
    np.testing.assert_allclose(found.arguments[0], np.exp(np.sin(X)), rtol=1e-6)


@pytest.mark.parametrize(("absolute", "wrong"), [(5.0, []), (1e-3, [1])])
def test_a_tolerance_of_users_holds_for_each_op(absolute: float, wrong: list[int]) -> None:
    engine = Swapped({"exponential": "exponential_minus_one"})
    found = trace_against(chain("f32"), chain("f32"), [X], Local(), engine, cuts=0,
                          tolerance=Tolerance(absolute=absolute))  # fmt: skip
    assert [row.place.number for row in found.rows if row.wrong] == wrong
    assert [row.sentence for row in found.rows] == [""] * 4
    assert found.parting is not None
    assert found.parting.place.number == 1


@pytest.mark.parametrize("cap", [16, 40, 1 << 20])
def test_slices_of_any_size_give_the_same_rows(cap: int) -> None:
    said: list[tuple[int, int]] = []
    whole, found = (
        trace_against(chain("bf16"), chain("f32"), [X.astype(BF16)], Local(), Local(), cuts=0, cap=size,
                      progress=lambda *each: said.append(each))
        for size in (1 << 30, cap)
    )  # fmt: skip
    assert [str(row) for row in whole.rows] == [str(row) for row in found.rows]
    assert [row.accumulated for row in whole.rows] == [row.accumulated for row in found.rows]
    sizes = {16: [2, 4], 40: [4], 1 << 20: [4]}[cap]
    assert said == [(4, 4), *[(size, 4) for size in sizes]]


def test_the_first_op_that_makes_no_numbers_is_named_in_each_program() -> None:
    other = chain("f32", "sine", "exponential", "cosine", "tanh")
    subject = chain("f32", "sine", "log", "cosine", "tanh")
    found = trace_against(subject, other, [X], Local(), Local(), cuts=0)
    assert {name: (place.op, place.number) for name, place in found.first_nonfinite.items()} == {}
    both = chain("f32", "sine", "log", "cosine", "tanh")
    found = trace_against(both, both, [X], Local(), Local(), cuts=0)
    assert {name: (place.op, place.number) for name, place in found.first_nonfinite.items()} == {
        "the program": ("stablehlo.log", 1), "the other program": ("stablehlo.log", 1)}  # fmt: skip


def test_programs_may_have_ops_without_partners() -> None:
    subject = chain("f32", "sine", "abs", "cosine")
    other = examine(program("%a = stablehlo.sine %x", "%n = stablehlo.negate %x", "%b = stablehlo.abs %a",
                            "%c = stablehlo.cosine %b", x="tensor<4xf32>"))  # fmt: skip
    found = trace_against(subject, other, [X], Local(), Local(), cuts=0)
    assert found.matched == "3 of 3 ops have a partner among 4 of the other program"
    assert [None if row.partner is None else row.partner.number for row in found.rows] == [0, 2, 3]
    assert [str(row).rpartition(", ")[2] for row in found.rows] == ["there #0", "there #2", "there #3"]


class Watched(Local):
    """The reference, with weak references to all results that it gave."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[weakref.ref[np.ndarray]] = []

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        outcome = super().run(module, arguments)
        results = tuple([one.copy() for one in outcome.results])
        self.given += map(weakref.ref, results)
        return replace(outcome, results=results)

    @property
    def alive(self) -> int:
        return sum(each() is not None for each in self.given)


@pytest.mark.parametrize("pairs", [False, True])
def test_few_values_are_held_at_a_time(pairs: bool) -> None:
    """Of a chain of fourteen ops, with the first value used again in the end."""
    names = ["sine", "cosine"] * 7
    ops = [f"%{n} = stablehlo.{name} %{n - 1 if n else 'x'}" for n, name in enumerate(names)]
    subject, other = (examine(program(*ops, "%r = stablehlo.add %13, %0", x="tensor<4xf32>")) for _ in "ab")
    reference, engine, held = Watched(), Watched(), list[tuple[int, int]]()

    def note(done: int, _: int) -> None:
        held.append((reference.alive, engine.alive))

    if pairs:
        found = trace_against(subject, other, [X], reference, engine, cap=16, cuts=0, progress=note)
    else:
        found = trace(subject, [X], reference, engine, cap=16, cuts=0, progress=note)
    assert len(held) == len(found.rows) == 15
    assert max(max(each) for each in held) <= 8, held
    assert found.exit_code == 0


def test_constants_are_told_apart_by_their_elements_and_have_no_row() -> None:
    lines = ["%c = stablehlo.constant dense<2.0>", "%d = stablehlo.constant dense<3.0>",
             "%e = stablehlo.constant dense<[2.0, 2.0, 2.0, 5.0]>", "%0 = stablehlo.multiply %x, %c",
             "%1 = stablehlo.add %0, %d", "%2 = stablehlo.divide %1, %e"]  # fmt: skip
    in_order, turned = (examine(program(*each, x="tensor<4xf32>")) for each in (lines, [*lines[2::-1], *lines[3:]]))
    for other in (in_order, turned):
        found = trace_against(in_order, other, [X], Local(), Local(), cuts=0)
        assert len(found.rows) == 3
        assert [row.place.op for row in found.rows] == [f"stablehlo.{name}" for name in ("multiply", "add", "divide")]
        for row in found.rows:
            assert row.local is not None, str(row)
            assert (row.local.max_ulp, row.wrong) == (0, False), str(row)


@pytest.mark.parametrize(("mine", "theirs"), [("f32", "bf16"), ("bf16", "f32"), ("f32", "f16"), ("f32", "f32")])
def test_both_programs_get_arguments_that_both_can_hold(mine: str, theirs: str) -> None:
    """What a narrower type cannot hold is no difference, also where it is all that is left."""
    subject, other = (
        examine(program("%a = stablehlo.subtract %x, %y", "%r = stablehlo.abs %a", x=f"tensor<4x{element}>",
                        y=f"tensor<4x{element}>"))
        for element in (mine, theirs)
    )  # fmt: skip
    dtype = BF16 if mine == "bf16" else F
    given = [np.array([1 + 2.0**-12, 3, 2, -1 - 2.0**-13]).astype(dtype), np.array([1, 3, 1, -1]).astype(dtype)]
    found = trace_against(subject, other, given, Local(), Local(), cuts=2)
    assert (found.exit_code, found.apart, found.parting) == (0, "", None), str(found)
    assert [row.accumulated.max_ulp for row in found.rows] == [0, 0]  # type: ignore[union-attr]
    assert [row.compiled is None or row.compiled.max_ulp == 0 for row in found.rows] == [True, True]


@pytest.mark.parametrize(
    ("lacking", "differs", "code"), [("", False, 0), ("tanh", False, 2), ("", True, 1), ("tanh", True, 1)]
)
def test_a_cause_is_looked_for_only_if_something_is_wrong(lacking: str, differs: bool, code: int) -> None:
    marked = "%a = stablehlo.sine %x {mine = 1 : i32} : tensor<4xf32>"
    ops = [[marked, "%b = stablehlo.tanh %x", "%c = stablehlo.abs %a"],
           ["%a = stablehlo.sine %x", "%b = stablehlo.tanh %x",
            f"%c = stablehlo.{'negate' if differs else 'abs'} %a"]]  # fmt: skip
    subject, other = (examine(program(*lines, x="tensor<4xf32>")) for lines in ops)
    found = trace_against(subject, other, [X], Swapped(bad=lacking), Local(), cuts=0)
    assert (found.exit_code, bool(found.note)) == (code, bool(lacking)), str(found)
    assert "has mine = 1 : i32 where #0 stablehlo.sine of the other program has none" in found.changes[0]
    assert bool(found.cause) == (code == 1), found.cause


@pytest.mark.parametrize(("mine", "theirs"), [("f32", "bf16"), ("bf16", "f32"), ("f16", "bf16"), ("bf16", "bf16")])
def test_results_may_be_as_far_apart_as_the_narrower_type_makes_them(mine: str, theirs: str) -> None:
    dtype = {"f32": F, "bf16": BF16, "f16": np.float16}[mine]
    found = trace_against(chain(mine), chain(theirs), [X.astype(dtype)], Local(), Local(), cuts=0)
    assert (found.apart, found.exit_code) == ("", 0), str(found)
    far = trace_against(chain(mine, *CHAIN[:3], "abs"), chain(theirs), [X.astype(dtype)], Local(), Local(), cuts=0)
    assert far.apart.startswith(f"result 0 differs (allowed: {half_the_digits(np.dtype(BF16))})\n"), far.apart


@pytest.mark.parametrize("wrong", [(), ("tanh",), ("sine", "cosine"), ("exponential", "cosine", "tanh")])
def test_the_first_wrong_op_is_the_program_that_shows_it(wrong: tuple[str, ...]) -> None:
    engine = Swapped(dict.fromkeys(wrong, "negate"))
    found = trace_against(chain("f32"), chain("f32"), [X], Local(), engine, cuts=0)
    assert [CHAIN[row.place.number] for row in found.rows if row.wrong] == list(wrong)
    assert (found.program is None) == (not wrong)
    if found.program is not None:
        assert [op.name for op in examine(found.program).ops] == [f"stablehlo.{wrong[0]}"]
