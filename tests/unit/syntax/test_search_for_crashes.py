"""The search for the op that crashes the compiler, with a test in the place of the compiler."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from stablehlo_py.bindings import capabilities, ir, make_context
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.syntax import crash_site
from stablehlo_py.syntax.crash_site import Trials, crashing_part, locate

FUNCTION = """func.func @NAME(%x: tensor<f32>) {
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.sine %0 : tensor<f32>
  return
}
"""
ALIASES = "!v = tensor<f32>\n#loc = loc(unknown)\n"


def program(*names: str) -> str:
    return ALIASES + "".join(FUNCTION.replace("NAME", name) for name in names)


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are tried; one that has `needed` crashes."""

    class Texts(list[str]):
        needed = ("%1 =",)

    texts = Texts()

    def crash(self: Trials, job: Any) -> bool:
        (text,) = job.args
        texts.append(text)
        return all(word in text for word in texts.needed)

    monkeypatch.setattr(Trials, "crash", crash)
    return texts


@pytest.mark.parametrize(
    ("names", "needed", "line"),
    [
        ("a", ("%0 =",), 4),
        ("a", ("%1 =",), 5),
        ("a", ("@a",), 3),
        ("a", ("%2 =",), None),
        ("abcde", ("@a", "%1 ="), 5),
        ("abcde", ("@d", "%0 ="), 19),
        ("abcde", ("@e", "%1 ="), 25),
        ("abcde", ("@e",), 23),
        ("ab", ("@a", "@b"), None),  # neither crashes alone
        ("", (), None),
    ],
)
def test_the_line_of_the_op_that_crashes(names: str, needed: tuple[str, ...], line: int | None, tried: Any) -> None:
    tried.needed = needed
    text = program(*names)
    assert locate(text) == line
    for one in tried:
        assert one.startswith(ALIASES.rstrip("\n"))
        assert one.count("{") == one.count("}")
    if line is not None and needed != ("@a",) and needed != ("@e",):
        assert "return" not in text.splitlines()[line - 1]


DECLARATION = "func.func private @NAME(tensor<f32>)\n"


@pytest.mark.parametrize("order", ["p", "pq", "apb", "pab", "abp", "papbp"])
@pytest.mark.parametrize("bad", ["a", "b", "p", "@NAME0(", "@NAME1(", "@NAME2("])
def test_functions_without_a_body_are_searched_as_well(order: str, bad: str, tried: Any) -> None:
    """Names of declarations are numbered, those of other functions are letters."""
    text, places, number = "", dict[str, int](), 0
    for letter in order:
        is_declared = letter in "pq"
        name = f"NAME{number}" if is_declared else letter
        places[f"@{name}("] = text.count("\n") + (1 if is_declared else 3)
        text += (DECLARATION if is_declared else FUNCTION).replace("NAME", name)
        number += is_declared
    needed = bad if bad.startswith("@") else f"@{bad}("
    tried.needed = (needed,) if bad.startswith("@") else (needed, "%1 =")
    assert locate(text) == places.get(needed), text
    assert all(one.count("{") == one.count("}") for one in tried)


def test_long_texts_are_left_alone(tried: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = program("a")
    monkeypatch.setattr(crash_site, "_LONGEST_TEXT", len(text))
    assert locate(text) == 5
    monkeypatch.setattr(crash_site, "_LONGEST_TEXT", len(text) - 1)
    assert locate(text) is None


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_the_part_that_crashes_is_found_in_few_trials(count: int) -> None:
    for bad in range(count):
        for length in range(5):
            asked = list[Any]()

            def crashes(
                items: Any, cut: int | None = None, *, bad: int = bad, length: int = length, asked: list[Any] = asked
            ) -> bool:
                asked.append((list(items), cut))
                assert cut is None or len(items) == 1
                return bad in items and (cut is None or cut >= length)

            assert crashing_part(range(count), crashes, lambda _: 5) == (bad, length)
            assert len(asked) <= 2 * count.bit_length() + 3
    assert crashing_part(range(count), lambda *_: False, lambda _: 5) is None
    assert crashing_part([], lambda *_: True, lambda _: 5) is None


@pytest.mark.parametrize(
    ("now", "crash", "answer"),
    [
        (100.0, "SIGSEGV (x)", True),
        (103.0, "SIGABRT", True),
        (103.0, "it did not end within 7 s", False),
        (103.0, "", False),
        (110.0, "SIGSEGV (x)", None),
        (120.0, "SIGSEGV (x)", None),
    ],
)
def test_a_job_has_the_time_that_is_left(
    now: float, crash: str, answer: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(crash_site, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    asked = list[Any]()
    monkeypatch.setattr(
        crash_site, "module_in_child", lambda *given, **more: (asked.append((*given, more)), Outcome(crash=crash))[1]
    )
    context: Any = "context"
    trials, job = Trials(context), lambda _: (None, None)
    assert not trials.is_late
    clock[0] = now
    assert trials.crash(job) == bool(answer)
    assert trials.is_late == (answer is None)
    assert asked == ([] if answer is None else [(job, "context", {"bounds": Limits(110.0 - now)})])


@pytest.mark.parametrize("is_there", [True, False])
def test_ops_whose_effects_nobody_knows(is_there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old bindings have a list of the ops that do not declare their effects."""
    if is_there and not capabilities.has("memory-effects"):
        pytest.skip("old bindings")
    monkeypatch.setattr(capabilities, "_FOUND", {**capabilities.capabilities(), "memory-effects": is_there})
    context = make_context(allow_unregistered_dialects=True)
    text = """func.func @f(%x: tensor<f32>) {
      %0 = stablehlo.abs %x : tensor<f32>
      %1 = stablehlo.custom_call @f(%0) : (tensor<f32>) -> tensor<f32>
      %2 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %a : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      "other.op"() : () -> ()
      return
    }"""
    module = ir.Module.parse(text, context)
    ops = [op.operation for op in module.body.operations[0].regions[0].blocks[0].operations]
    with context:
        found = {op.name: capabilities.declares_effects_interface(op) for op in ops}
    assert found["stablehlo.abs"]
    assert not found["stablehlo.all_reduce"]
    assert not found["other.op"]
    assert found["stablehlo.custom_call"]
