"""Searches whose reference does not run the program, or an op of it, and those that options decide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped, program

from stablehlo_py.debug import Tolerance, bisect, examine, trace
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import PROFILES
from stablehlo_py.debug.reduction.reduce import recorded
from stablehlo_py.engines import Outcome
from stablehlo_py.errors import StablehloError

F = np.float32
T = "tensor<2xf32>"
OPS = ("sine", "cosine", "abs", "tanh", "exponential")
CHAIN = program(*(f"%{n} = stablehlo.{op} %{n - 1 if n else 'x'}" for n, op in enumerate(OPS)), x=T)
X = F([0.5, 1.25])


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("tolerance", [None, Tolerance(absolute=1.0)])
def test_a_search_for_a_difference_needs_a_reference_that_runs_the_program(
    op: str, tolerance: Tolerance | None
) -> None:
    with pytest.raises(StablehloError, match=f"the reference does not run the program: unsupported: lacks {op}"):
        bisect(examine(CHAIN), [X], Swapped(bad=op), Local(), tolerance=tolerance)


def test_a_judge_that_never_sees_the_error_asks_for_no_reference() -> None:
    reference, engine = Swapped(bad="abs"), Swapped()
    found = bisect(examine(CHAIN), [X], reference, engine, judge=lambda _module, _arguments: False)
    assert (found.place, found.alone, len(found.steps)) == (None, False, 1)
    assert (reference.asked, engine.asked) == (0, 0)


@pytest.mark.parametrize(("number", "op"), list(enumerate(OPS)))
def test_an_op_that_the_reference_lacks_is_cut_out_if_it_runs_those_before_it(number: int, op: str) -> None:
    def shows(module: bytes, arguments: Sequence[np.ndarray]) -> bool:
        return f"stablehlo.{op}".encode() in module or op.encode() in module

    found = bisect(examine(CHAIN), [X], Swapped(bad=op), Local(), judge=shows)
    assert found.place is not None
    assert (found.place.number, found.alone) == (number, True)
    assert [each.name for each in examine(found.program).ops] == [f"stablehlo.{op}"]
    wanted = X
    for before in OPS[:number]:
        (wanted,) = Local().run(examine(program(f"%r = stablehlo.{before} %x", x=T)).bytecode(), [wanted]).results
    assert [one.tolist() for one in found.arguments] == [wanted.tolist()]


@pytest.mark.parametrize("missing", OPS[:2])
def test_an_op_behind_what_the_reference_lacks_is_shown_with_the_ops_before_it(missing: str) -> None:
    found = bisect(examine(CHAIN), [X], Swapped(bad=missing), Local(), judge=lambda module, _: b"abs" in module)
    assert found.place is not None
    assert (found.place.op, found.alone) == ("stablehlo.abs", False)
    assert [each.name for each in examine(found.program).ops] == [f"stablehlo.{op}" for op in OPS[:3]]
    assert [one.tolist() for one in found.arguments] == [X.tolist()]


class Off(Swapped):
    """An engine whose exponentials are five units off."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        outcome = super().run(module, arguments)
        if b"exponential" not in module:
            return outcome
        return Outcome("ok", tuple([one + 5 * np.spacing(one) for one in outcome.results]))


@pytest.mark.parametrize(("profile", "is_wrong"), [("strict", True), ("default", True), ("xla", False)])
def test_an_op_is_wrong_alone_if_the_profile_says_so(profile: str, is_wrong: bool) -> None:
    module = program("%a = stablehlo.abs %x", "%r = stablehlo.exponential %a", x=T)
    found = bisect(examine(module), [F([0, 0])], Local(), Off(), profile=PROFILES[profile])
    assert found.place is not None
    assert (found.place.number, found.alone) == (1, is_wrong), profile
    assert len(examine(found.program).ops) == (1 if is_wrong else 2)
    assert found.difference is not None
    assert found.difference.max_ulp == 5


def test_a_tolerance_decides_about_an_op_alone_whatever_the_profile_says() -> None:
    module = program("%a = stablehlo.abs %x", "%r = stablehlo.exponential %a", x=T)
    found = bisect(examine(module), [F([0, 0])], Local(), Off(), tolerance=Tolerance(ulp=2), profile=PROFILES["xla"])
    assert found.place is not None
    assert (found.place.number, found.alone) == (1, True)


class Fuses(Swapped):
    """An engine that is wrong only where an absolute value follows a sine in one program."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        self.swaps = {"abs": "negate"} if b"sine" in module and b"abs" in module else {}
        return super().run(module, arguments)


@pytest.mark.parametrize(
    ("tolerance", "count"), [(None, 2), (Tolerance(ulp=9), 2), (Tolerance(absolute=1.5), 1), (Tolerance(absolute=2), 0)]
)
def test_the_difference_of_ops_together_is_that_beyond_the_tolerance(tolerance: Tolerance | None, count: int) -> None:
    """The engine is off by 0.96 and 1.9."""
    module = program("%s = stablehlo.sine %x", "%a = stablehlo.abs %s", "%r = stablehlo.negate %a", x=T)
    found = bisect(examine(module), [X], Local(), Fuses(), tolerance=tolerance)
    assert (found.place is None) == (not count)
    if found.place is not None:
        assert (found.place.number, found.alone, len(examine(found.program).ops)) == (1, False, 2)
        assert found.difference is not None
        assert (found.difference.count, found.difference.mismatches) == (2, count)


def test_values_that_the_reference_lacks_are_drawn_for_each_op_and_are_the_same_again() -> None:
    lines = [f"%{n} = stablehlo.{'tanh' if n in (0, 1, 200, 201, 399) else 'sine'} %x" for n in range(400)]
    subject = examine(program(*lines, x=T))
    first, again = (recorded(subject, [X], Swapped(bad="tanh")) for _ in range(2))
    results = [op.results[0] for op in subject.ops]
    assert {value for value in results if first[value].tobytes() != first[results[2]].tobytes()} == {
        results[number] for number in (0, 1, 200, 201, 399)
    }
    assert all(first[value].tobytes() == again[value].tobytes() for value in results)
    drawn = [first[results[number]].tobytes() for number in (0, 1, 200, 201, 399)]
    assert len({*drawn}) == 5, "each op has numbers of its own, in each slice of 200 ops"
    assert all(first[value].shape == (2,) and first[value].dtype == F for value in results)


class Lacks(Local):
    """The reference without two ops."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        missing = [op for op in (b"tanh", b"cosine") if op in module]
        return (
            Outcome("unsupported", message=f"lacks {missing[0].decode()}")
            if missing
            else super().run(module, arguments)
        )


@pytest.mark.parametrize(("first", "second"), [("tanh", "cosine"), ("cosine", "tanh")])
@pytest.mark.parametrize("between", [0, 3])
def test_the_first_op_that_the_reference_lacks_is_noted(first: str, second: str, between: int) -> None:
    lines = [f"%a = stablehlo.{first} %x", *(f"%s{n} = stablehlo.sine %x" for n in range(between)),
             f"%b = stablehlo.{second} %x", "%c = stablehlo.add %a, %b", "%d = stablehlo.abs %x",
             "%e = stablehlo.add %c, %d"]  # fmt: skip
    found = trace(examine(program(*lines, x=T)), [X], Lacks(), Local(), cuts=0)
    assert found.note.startswith(f"the reference cannot run #0 stablehlo.{first} at ")
    assert f"unsupported: lacks {first}" in found.note
    assert found.exit_code == 2
    measured = [row.place.op for row in found.rows if row.local is not None]
    assert measured == ["stablehlo.sine"] * between + ["stablehlo.abs"]
    assert not any(row.wrong or row.failure for row in found.rows)


LOOP = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4.0> : tensor<2xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<2xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.abs %s : tensor<2xf32>
    %m = stablehlo.multiply %a, %four : tensor<2xf32>
    stablehlo.return %j, %m : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}"""


@pytest.mark.parametrize("lacks", [False, True])
def test_a_search_shows_the_difference_of_the_op_inside_a_loop(lacks: bool) -> None:
    """Of the first round, where the loop as a whole is farther off; or why the engine does not run it."""
    subject = examine(parsed(LOOP))
    engine = Swapped(bad="abs") if lacks else Swapped({"abs": "negate"})
    found = bisect(subject, [F([1, 0.5])], Local(), engine)
    assert found.place is not None
    assert found.inside is not None
    assert (found.place.op, found.inside.place.op, found.alone) == ("stablehlo.while", "stablehlo.abs", True)
    assert found.failure == ("unsupported: lacks abs" if lacks else "")
    if lacks:
        assert found.difference is None
        return
    assert found.difference is not None
    assert (found.difference.max_absolute, found.difference.mismatches) == (2, 2)
    assert found.difference.worst[0][1:] in (("-1.0", "1.0"), ("-0.5", "0.5"))
    assert found.program is not None
    outcome = Local().run(examine(found.program).bytecode(), found.arguments)
    assert [each.tolist() for each in outcome.results] == [[1, 0.5]]


class Dead(Local):
    """Ends with every program."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        return Outcome("crash", message="SIGSEGV")


def test_an_engine_that_runs_nothing_is_no_error_of_an_op() -> None:
    with pytest.raises(StablehloError, match="crash: SIGSEGV"):
        bisect(examine(CHAIN), [X], Local(), Dead())
