"""What a child is given and what comes back of it: limits, contexts, modules, and errors."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from stablehlo_py.bindings import context as contexts
from stablehlo_py.bindings import handover, ir, make_context
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.bindings.context import context_like, has_dialect, keep_a_context
from stablehlo_py.bindings.diagnostics import diagnostics_to
from stablehlo_py.errors import Diagnostic, InputError, UsageError, VerificationError
from stablehlo_py.isolation import policy
from stablehlo_py.isolation.limits import MEMORY_VARIABLE, TIMEOUT_VARIABLE, Limits
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.policy import guarding

PLAIN = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
STRANGE = '"unknown.op"() : () -> ()'
GIB = 1 << 30


def reads(text: str, allows: bool, context: ir.Context) -> tuple[ir.Module, str]:
    """A job: reads a text, and says what the context had allowed before."""
    before = context.allow_unregistered_dialects
    context.allow_unregistered_dialects = allows
    return ir.Module.parse(text, context), f"was {before}"


def nothing(context: ir.Context) -> tuple[None, int]:
    return None, int(has_dialect(context, "sdy"))


def copied(function: Callable[[], Any], limits: Limits) -> Outcome:
    """As a process that cannot be forked makes calls: the function and its result are pickled."""
    given = pickle.loads(pickle.dumps(function))
    return Outcome(value=pickle.loads(pickle.dumps(given())))


@pytest.fixture(params=["forked", "copied"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    if request.param == "copied":
        monkeypatch.setattr(handover, "call", copied)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize(("text", "allows"), [(PLAIN, False), (PLAIN, True), (STRANGE, True)])
def test_a_module_comes_back_with_what_its_context_allows_now(allowed: bool, text: str, allows: bool) -> None:
    context = make_context(allow_unregistered_dialects=allowed)
    found = handover.module_in_child(partial(reads, text, allows), context)
    assert (found.cause, found.error) == ("", None)
    module, value = found.value
    assert value == f"was {allowed}"
    assert module.context is context
    assert context.allow_unregistered_dialects is allows
    assert str(module) == str(ir.Module.parse(text, make_context(allow_unregistered_dialects=True)))


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("with_sdy", [True, False])
def test_a_job_may_have_no_module(with_sdy: bool) -> None:
    context = make_context(with_sdy=with_sdy)
    assert handover.module_in_child(nothing, context).value == (None, int(with_sdy))


@pytest.mark.parametrize("found", [Outcome(cause="crash", crash="SIGSEGV"), Outcome(error=InputError("no"))])
def test_a_child_that_fails_changes_nothing_here(found: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    monkeypatch.setattr(handover, "call", lambda *_: found)
    context = make_context(allow_unregistered_dialects=True)
    assert handover.module_in_child(partial(reads, PLAIN, False), context) is found
    assert context.allow_unregistered_dialects is True


def test_in_a_process_that_another_one_guards_a_job_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handover, "call", lambda *_: pytest.fail("it is another process"))
    context = make_context()
    with guarding(False):
        module, value = handover.module_in_child(partial(reads, PLAIN, False), context).value
        assert (module.context is context, value) == (True, "was False")
        assert handover.value_in_child(len, b"123", "nobody's") == 3
        with pytest.raises(ZeroDivisionError):
            handover.value_in_child(lambda _: 1 / 0, b"", "nobody's")
        wrong = ir.Module.parse(PLAIN, context)
        handover.verify(wrong)
        raising = handover.module_in_child(partial(reads, STRANGE, False), context)
        assert isinstance(raising.error, ir.MLIRError)


@pytest.mark.parametrize(
    ("variables", "size", "bounds", "expected"),
    [
        ({}, 0, None, Limits(10.0, GIB)),
        ({}, 1_000_000, None, Limits(11.0, GIB + 256_000_000)),
        ({TIMEOUT_VARIABLE: "3"}, 1_000_000, None, Limits(3.0, GIB + 256_000_000)),
        ({TIMEOUT_VARIABLE: "3", MEMORY_VARIABLE: "5"}, 7, None, Limits(3.0, 5)),
        ({TIMEOUT_VARIABLE: "3"}, 7, Limits(8.0), Limits(8.0)),
        ({}, 7, Limits(None, 9), Limits(None, 9)),
        ({}, 7, Limits(), Limits()),
    ],
)
def test_limits_are_those_of_the_job_or_of_the_user_or_for_reading(
    variables: dict[str, str], size: int, bounds: Limits | None, expected: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    for name in (TIMEOUT_VARIABLE, MEMORY_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    asked, ended = list[Limits](), Outcome(cause="crash", crash="SIGSEGV")
    monkeypatch.setattr(handover, "call", lambda _, limits: (asked.append(limits), ended)[1])
    context = make_context()
    handover.module_in_child(nothing, context, size, bounds)
    assert asked == [expected]
    if not size:
        handover.module_in_child(nothing, context)
        assert asked == [expected] * 2, "without a size nothing is read"


def no_work(_: object) -> None: ...


@pytest.mark.parametrize("can_fork", [True, False])
@pytest.mark.parametrize("bounds", [None, Limits(2.0, 3)])
def test_an_op_is_tried_in_a_fork_or_on_a_copy_within_its_limits(
    can_fork: bool, bounds: Limits | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TIMEOUT_VARIABLE, "7")
    monkeypatch.delenv(MEMORY_VARIABLE, raising=False)
    monkeypatch.setattr(policy, "fork_is_safe", lambda: can_fork)
    asked, ended = list[tuple[Any, ...]](), Outcome(value=(None, None))
    monkeypatch.setattr(handover, "run_in_child", lambda *given: (asked.append(given[1:]), ended)[1])
    monkeypatch.setattr(handover, "module_in_child", lambda *given: (asked.append(given[1:]), ended)[1])
    op = ir.Module.parse(PLAIN, make_context()).operation
    assert handover.tried_in_child(no_work, op, bounds) is ended
    in_fork = (Limits(7.0) if bounds is None else bounds,)
    assert asked == [in_fork if can_fork else (op.context, len(bytecode_of(op)), bounds)]


@pytest.mark.parametrize("can_fork", [True, False])
def test_work_on_an_op_sees_it_and_its_error_comes_back(can_fork: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    monkeypatch.setattr(policy, "fork_is_safe", lambda: can_fork)
    monkeypatch.setattr(handover, "call", copied)
    op = ir.Module.parse(PLAIN, make_context()).operation
    for work in (no_work, handover._verify):
        assert handover.tried_in_child(work, op).cause == ""


def test_a_module_that_cannot_be_read_back_is_a_crash_with_its_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    context = make_context()
    monkeypatch.setattr(handover, "call", lambda *_: Outcome(value=(True, False, None)))
    monkeypatch.setattr(handover, "read_all", lambda _: b"func.func @f() -> i32 { return }")
    found = handover.module_in_child(nothing, context)
    assert found.cause == "crash"
    assert found.crash.startswith("the module cannot be read back: ")
    assert "return" in found.crash


@pytest.mark.parametrize(
    ("found", "error", "text", "notes"),
    [
        (Outcome(value=b"it"), None, "", ()),
        (Outcome(cause="crash", crash="SIGABRT (Aborted)", notes=("a", "b")), InputError,
         "jaxlib's C++ crashes: SIGABRT (Aborted)", ("a", "b")),
        (Outcome(error=UsageError("so")), UsageError, "so", ()),
    ],
)  # fmt: skip
def test_a_value_comes_back_or_it_is_said_whose_code_crashed(
    found: Outcome, error: type | None, text: str, notes: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    monkeypatch.setenv(TIMEOUT_VARIABLE, "7")
    asked = list[Limits]()
    monkeypatch.setattr(handover, "call", lambda _, limits: (asked.append(limits), found)[1])
    if error is None:
        assert handover.value_in_child(bytes.lower, b"x", "jaxlib's C++") == b"it"
    else:
        with pytest.raises(error) as raised:
            handover.value_in_child(bytes.lower, b"x", "jaxlib's C++")
        assert (raised.value.message, raised.value.notes) == (text, notes)
    assert [each.seconds for each in asked] == [7.0]


def test_a_verifier_that_crashes_is_an_error_with_what_it_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "_expendable", False)
    found = Outcome(cause="crash", crash="SIGSEGV (x)", notes=("one", "two"))
    monkeypatch.setattr(handover, "tried_in_child", lambda *_: found)
    module = ir.Module.parse(PLAIN, make_context())
    with pytest.raises(VerificationError) as raised:
        handover.verify(module)
    notes = tuple(Diagnostic("note", "", text) for text in ("one", "two"))
    assert raised.value.diagnostics == (Diagnostic("error", "", "MLIR's verifier fails: SIGSEGV (x)", notes),)


def test_a_context_that_is_kept_is_taken_once_and_by_no_one_who_wants_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contexts, "_kept", [])
    keep_a_context()
    keep_a_context()
    (kept,) = contexts._kept
    without = make_context(with_sdy=False)
    assert without is not kept
    assert not has_dialect(without, "sdy")
    taken = make_context(allow_unregistered_dialects=True)
    assert taken is kept
    assert taken.allow_unregistered_dialects is True
    assert make_context() is not kept
    for allows in (True, False):
        assert (context_like(taken, allow_unregistered_dialects=allows) is taken) == allows
        assert context_like(taken, allow_unregistered_dialects=allows).allow_unregistered_dialects is allows
        assert context_like(without, allow_unregistered_dialects=allows) is not without
    other = ir.Context()
    other.allow_unregistered_dialects = True
    assert context_like(other, allow_unregistered_dialects=True) is not other


@pytest.mark.parametrize(
    ("location", "place", "prefix"),
    [
        ("unknown", "", ""),
        ('"a.mlir":2:3', "a.mlir:2:3", ""),
        ('"layer"', "", 'loc("layer"): '),
        ('"layer"("a.mlir":2:3)', "a.mlir:2:3", ""),
        ('fused["x", "y"]', "", 'loc(fused["x", "y"]): '),
    ],
)
def test_a_location_without_a_file_stands_in_front_of_the_message(location: str, place: str, prefix: str) -> None:
    context, heard = make_context(), list[Diagnostic]()
    at = ir.Module.parse(f"module {{}} loc({location})", context).operation.location
    with diagnostics_to(context, heard.append):
        at.emit_error("said")
    assert heard == [Diagnostic("error", place, f"{prefix}said")]
