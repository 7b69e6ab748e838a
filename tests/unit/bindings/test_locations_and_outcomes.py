"""Locations as data, and how other processes end, at their edges."""

from __future__ import annotations

import os
import pickle
import signal
import time
from dataclasses import replace

import pytest
from parsed import shared_context

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.diagnostics import shows_op, verified
from stablehlo_py.bindings.locations import (
    CallSite,
    Elsewhere,
    FilePosition,
    Fused,
    Name,
    caller_positions,
    first_position,
    location_in_text,
    map_printed_positions,
    name_stack,
    parsed_location,
)
from stablehlo_py.errors import InputError, ResourceError, UsageError, VerificationError
from stablehlo_py.isolation import limits as limits_module
from stablehlo_py.isolation.limits import Limits, Patience, limits
from stablehlo_py.isolation.outcome import Outcome, cause_of_crash, describe_crash, died, directly, late, report_of

A = FilePosition("a.py", 1, 2, 1, 2)
B = FilePosition("b.py", 3, 4, 3, 4)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"a.py":1:2', A),
        ('"a.py":1:2 to :9', FilePosition("a.py", 1, 2, 1, 9)),
        ('"a.py":1:2 to 3:4', FilePosition("a.py", 1, 2, 3, 4)),
        ("unknown", Elsewhere()),
        ('"name"', Name("name", Elsewhere())),
        ('"na\\22me\\C3\\A9"("a.py":1:2)', Name('na"me\u00e9', A)),
        ('callsite("a.py":1:2 at "b.py":3:4)', CallSite(A, B)),
        ('callsite("a.py":1:2 at callsite("b.py":3:4 at unknown))', CallSite(A, CallSite(B, Elsewhere()))),
        ('fused["a.py":1:2, "b.py":3:4]', Fused((A, B))),
        ('fused<"meta">["a.py":1:2, "b.py":3:4]', Fused((A, B), '"meta"')),
        ('"x"("y"("a.py":1:2))', Name("x", Name("y", A))),
    ],
)
def test_locations_are_read_as_mlir_prints_them(text: str, found: object) -> None:
    assert location_in_text(f"loc({text})") == found
    with make_context():
        assert parsed_location(ir.Module.parse(f"module {{}} loc({text})").operation.location) == found


@pytest.mark.parametrize(
    ("size", "given", "found"),
    [
        (0, Limits(), Limits(10.0, 1 << 30)),
        (10**6, Limits(), Limits(11.0, (1 << 30) + 256 * 10**6)),
        (10**6, Limits(3.0), Limits(3.0, (1 << 30) + 256 * 10**6)),
        (10**6, Limits(None, 5), Limits(11.0, 5)),
        (10**6, Limits(0.0, 0), Limits(0.0, 0)),
    ],
)
def test_limits_of_reading_grow_with_what_is_read(size: int, given: Limits, found: Limits) -> None:
    assert given.for_reading(size) == found


@pytest.mark.parametrize(
    ("seconds", "memory", "found"),
    [("", "", Limits()), ("2.5", "", Limits(2.5)), ("", "7", Limits(None, 7)), ("1e1", "1", Limits(10.0, 1))],
)
def test_limits_come_from_the_environment(
    seconds: str, memory: str, found: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STABLEHLO_PY_GUARD_TIMEOUT", seconds)
    monkeypatch.setenv("STABLEHLO_PY_GUARD_MEMORY", memory)
    assert limits() == found


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5b", "nan"])
def test_limits_are_positive_numbers(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STABLEHLO_PY_GUARD_MEMORY", text)
    with pytest.raises(UsageError, match=f"STABLEHLO_PY_GUARD_MEMORY={text}: expected a positive number"):
        limits()


@pytest.mark.parametrize(
    ("waited", "used", "over"),
    [
        (9.9, 9.9, False),
        (10.0, 8.0, True),
        (10.0, 7.9, False),
        (39.9, 7.9, False),
        (40.0, 0.0, True),
        (10.0, None, True),
        (9.9, None, False),
    ],
)
def test_a_step_has_its_seconds_on_a_processor_and_four_times_as_many_by_the_clock(
    waited: float, used: float | None, over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, processor = [100.0], [5.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(limits_module, "_processor_seconds", lambda _: processor[0])
    patience = Patience(1, 10.0)
    clock[0] += waited
    processor[0] = None if used is None else 5.0 + used  # type: ignore[call-overload]
    assert patience.is_over() is over


def test_how_a_process_ended_in_words() -> None:
    assert describe_crash(-signal.SIGSEGV) == "SIGSEGV (Segmentation fault)"
    assert describe_crash(0) == describe_crash(3) == ""
    ended = died(-signal.SIGABRT, b"I0101 11:11:11.1 7 LLVM ERROR: out\nother\n  what():  x\n", 0)
    assert (ended.cause, ended.code, ended.crash) == ("crash", -signal.SIGABRT, "SIGABRT (Aborted)")
    assert ended.notes == ("LLVM ERROR: out", "what():  x")
    assert died(7, b"", 0).crash == "it ended the process with exit code 7"
    assert (late(2.50).cause, late(2.50).crash) == ("timeout", "it did not end within 2.5 s")


def test_only_a_process_that_the_system_killed_lacked_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from stablehlo_py.isolation import outcome

    monkeypatch.setattr(outcome, "memory_kills", lambda: 4)
    assert [died(-9, b"", kills).cause for kills in (3, 4)] == ["memory", "crash"]
    assert died(-11, b"", 3).cause == "crash"


def test_at_most_five_lines_of_four_hundred_characters_explain_a_crash() -> None:
    lines = cause_of_crash(b"\n".join(b"Check failed %d " % number + b"x" * 500 for number in range(7)))
    assert len(lines) == 5
    assert {len(line) for line in lines} == {400}
    assert lines[4].startswith("Check failed 4")
    assert cause_of_crash(b"nothing\n") == ()


def test_results_and_errors_come_back() -> None:
    assert directly(lambda: 3).result() == 3
    assert pickle.loads(report_of(lambda: os.sep)).result() == os.sep
    with pytest.raises(ZeroDivisionError):
        pickle.loads(report_of(lambda: 1 / 0)).result()
    with pytest.raises(ResourceError, match="out of memory"):
        Outcome(error=MemoryError()).result()

    class LocalError(InputError):
        def __reduce__(self):
            raise TypeError

    def fail() -> None:
        raise LocalError("said")

    with pytest.raises(RuntimeError, match="said"):
        pickle.loads(report_of(fail)).result()


def calls(depth: int) -> CallSite:
    """A location with this many callers, whose lines count up."""
    caller = FilePosition("c.py", depth, 1, depth, 1)
    for line in range(depth - 1, 0, -1):
        caller = CallSite(FilePosition("c.py", line, 1, line, 1), caller)  # type: ignore[assignment]
    return CallSite(A, caller)


def test_the_first_position_the_names_and_at_most_ten_callers() -> None:
    assert first_position(Fused((Elsewhere(), Name("x", B), A))) == "b.py:3:4"
    assert first_position(CallSite(A, B)) == "a.py:1:2"
    assert first_position(Elsewhere()) == ""
    assert first_position(FilePosition("-", 1, 2, 1, 2)) == "<string>:1:2"
    assert name_stack(Fused((A, Name("x", Name("y", A))))) == "x"
    assert name_stack(CallSite(Name("in", A), Name("out", B))) == "in"
    assert name_stack(A) == ""
    assert list(caller_positions(calls(3))) == ["c.py:1:1", "c.py:2:1", "c.py:3:1"]
    assert len(list(caller_positions(calls(10)))) == 10
    assert [*caller_positions(calls(11))][-1] == "c.py:10:1"
    assert list(caller_positions(A)) == []


def test_positions_move_in_printed_programs_and_texts_stay() -> None:
    text = '"s":1 loc("a.py":1:2 to :9) "a \\" b":3:4 {x = "a.py"} "é":5:6 to 7:8'
    moved = map_printed_positions(text, lambda at: replace(at, line=at.line + 1, end_line=at.end_line + 1))
    assert moved == ('"s":1 loc("a.py":2:2 to 2:9) "a \\22 b":4:4 {x = "a.py"} "\\C3\\A9":6:6 to 8:8')
    assert map_printed_positions(text, lambda at: at) == text


def test_moved_positions_are_written_as_mlir_prints_them() -> None:
    names = [f"a{chr(code)}b" for code in (*range(1, 256), 0x20AC, 0x1F600)]
    ends = [(3, 4), (3, 5), (4, 4), (4, 9)]
    with make_context():
        for name, (end_line, end_column) in [(name, ends[0]) for name in names] + [("a", end) for end in ends]:
            wanted = FilePosition(name, 3, 4, end_line, end_column)
            made = (
                ir.Location.file(name, 3, 4, end_line, end_column) if wanted.is_range else ir.Location.file(name, 3, 4)
            )
            moved = map_printed_positions('loc("x":1:2)', lambda at, wanted=wanted: wanted)
            printed = str(made).replace(r"\\", r"\5C")  # which is the same
            if wanted.is_range and end_line == 3:
                printed = printed.replace(" to :", " to 3:")
            assert moved == printed, repr(name)
            assert location_in_text(moved) == wanted, repr(name)


@pytest.mark.parametrize("depth", [1, 2, 20, 100, 198, 199, 200, 201, 5000])
@pytest.mark.parametrize("kind", ["names", "lists"])
def test_locations_in_each_other_are_followed_two_hundred_deep(kind: str, depth: int) -> None:
    opening, closing = ('"n"(', ")") if kind == "names" else ("fused[", "]")
    text = f'{opening * depth}"a.py":1:2{closing * depth}'
    found = location_in_text(f"loc({text})")
    if depth >= 200:
        assert found == Elsewhere(f"loc({text})")
        assert first_position(found) == ""
        return
    assert first_position(found) == "a.py:1:2"
    for _ in range(depth):
        assert isinstance(found, Name | Fused)
        found = found.child if isinstance(found, Name) else found.parts[0]
    assert found == A


@pytest.mark.parametrize("count", [1, 10, 200, 500, 501])
def test_callers_are_followed_five_hundred_times(count: int) -> None:
    text = f'{"callsite(" + chr(34)}a.py":1:2 at ' * count + '"b.py":3:4' + ")" * count
    found = location_in_text(f"loc({text})")
    if count > 500:
        assert isinstance(found, Elsewhere)
        return
    for _ in range(count):
        assert isinstance(found, CallSite)
        assert found.callee == A
        found = found.caller
    assert found == B


@pytest.mark.parametrize("shallow", [0, 150])
def test_one_list_after_another_is_no_deeper_than_each(shallow: int) -> None:
    part = '"n"(' * shallow + '"a.py":1:2' + ")" * shallow
    found = location_in_text(f"loc(fused[{', '.join([part] * 9)}])")
    assert isinstance(found, Fused)
    assert [first_position(each) for each in found.parts] == ["a.py:1:2"] * 9


@pytest.mark.parametrize(
    ("location", "position", "before", "callers"),
    [
        ("unknown", "", "", []),
        ('"layer"', "", 'loc("layer"): ', []),
        ('"a.py":1:2', "a.py:1:2", "", []),
        ('callsite("a.py":1:2 at "b.py":3:4)', "a.py:1:2", "", ["b.py:3:4"]),
        ('callsite("a.py":1:2 at callsite(unknown at "c.py":5:6))', "a.py:1:2", "", ["c.py:5:6"]),
    ],
)
def test_an_error_has_the_place_of_its_op_then_its_callers_and_then_its_own_notes(
    location: str, position: str, before: str, callers: list[str]
) -> None:
    """A place in no file is in the message, as MLIR's tools print it."""
    text, context = f"func.func @f() -> i32 {{ return loc({location}) }}", shared_context()
    with pytest.raises(VerificationError) as raised:
        verified(context, lambda: ir.Module.parse(text, context))
    (found,) = raised.value.diagnostics
    assert (found.location, found.message.startswith(f"{before}'func.return' op has 0 operands")) == (position, True)
    *called, shown = found.notes
    assert [(note.location, note.message) for note in called] == [(caller, "called from") for caller in callers]
    assert shown.location == position
    assert shown.message.startswith(f"{before}see current operation: ")
    assert [shows_op(note) for note in found.notes] == [False] * len(callers) + [True]


def test_callers_of_no_file_are_left_out() -> None:
    parsed = CallSite(A, CallSite(Elsewhere(), CallSite(Name("layer", Elsewhere()), B)))
    assert list(caller_positions(parsed)) == ["b.py:3:4"]
