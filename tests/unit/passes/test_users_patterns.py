"""Patterns and passes of users: which are taken, when they are tried, and where their errors are reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stablehlo_py import UsageError
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import Diagnostic, PassError
from stablehlo_py.extend import load_file, pattern
from stablehlo_py.passes import catalog, optimization, users_patterns
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import collect
from stablehlo_py.passes.rewriter import Rewriter
from stablehlo_py.passes.snapshot.parts import Op

TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@pytest.fixture(autouse=True)
def _nothing_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users_patterns, "_PATTERNS", {})
    monkeypatch.setattr(catalog, "_USERS", {})


CONTEXT = make_context()


def parsed(text: str) -> ir.Module:
    """The program, read in this process: children take most of the time."""
    return ir.Module.parse(text, CONTEXT)


def rewritten(pass_name: str, text: str = TEXT) -> str:
    module = parsed(text)
    run_pipeline(module, f"builtin.module(func.func({pass_name}))")
    return " ".join(re.findall(r"stablehlo\.(\w+)", str(module)))


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("negate", "stablehlo.negate"),
        ("stablehlo.negat", "stablehlo.negate"),
        ("chlo.acoss", "chlo.acos"),
        ("stablhlo.negate", "stablehlo.negate"),
        ("top_k", "chlo.top_k"),
        ("xyzzy", ""),
    ],
)
def test_roots_that_no_dialect_has_are_refused(name: str, guess: str) -> None:
    hint = f"; did you mean '{guess}'?" if guess else ""
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (all of its message is compared)
        pattern("stablehlo.add", name, of="my-pass")
    assert str(raised.value) == f"there is no op '{name}'{hint}"


@pytest.mark.parametrize("name", ["stablehlo.negate", "chlo.acos", "func.call", "my_own_dialect.op", "shape.shape_of"])
def test_roots_of_any_dialect_are_taken(name: str) -> None:
    pattern(name, of="my-pass")(lambda op, rewriter: False)
    assert [each.roots for each in users_patterns.users_patterns("my-pass")] == [(name,)]


@pytest.mark.parametrize("name", ["cse", "stablehlo-decompose", "stablehlo-fold-constants"])
def test_passes_that_take_no_patterns_say_which_do(name: str) -> None:
    which = ", ".join(users_patterns.EXTENSIBLE)
    with pytest.raises(ValueError, match=f"^the pass '{name}' takes no patterns; {which} do$"):
        pattern("stablehlo.negate", of=name)(lambda op, rewriter: False)
    assert users_patterns.users_patterns(name) == ()


@pytest.mark.parametrize("of", [*users_patterns.EXTENSIBLE, "my-pass"])
def test_a_pattern_belongs_to_one_pass(of: str) -> None:
    @pattern("stablehlo.negate", of=of)
    def to_sine(op: Op, rewriter: Rewriter) -> bool:
        return rewriter.rewrite_as(op, "sine", op.operands)

    @pattern("stablehlo.cosine", of=of)
    def never(op: Op, rewriter: Rewriter) -> bool:
        return False

    assert rewritten(of) == "sine"
    for other in users_patterns.EXTENSIBLE:
        assert rewritten(other) == ("sine" if other == of else "negate"), other
    assert ("my-pass" in catalog.pass_names()) == (of == "my-pass")


def test_a_pass_of_ones_own_runs_on_functions_and_reports_under_its_name() -> None:
    @pattern("stablehlo.negate", of="my-pass")
    def to_sine(op: Op, rewriter: Rewriter) -> bool:
        return rewriter.rewrite_as(op, "sine", op.operands)

    found = catalog.find_pass("my-pass")
    assert found is not None
    assert (found.anchor, found.summary) == ("func.func", "Apply the patterns that were loaded for this pass")
    with collect() as collection:
        assert rewritten("my-pass") == "sine"
    assert [*collection.reports] == ["my-pass"]
    assert collection.report_for("my-pass").patterns["to_sine"].fired == 1


@pytest.mark.parametrize(
    ("first", "second", "tried"), [(None, None, "ab"), (1, 2, "ba"), (None, 1, "ab"), (None, 2, "ba"), (2, None, "ab")]
)
def test_more_benefit_is_tried_first(first: int | None, second: int | None, tried: str) -> None:
    seen: list[str] = []
    for name, benefit in (("a", first), ("b", second)):

        def look(op: Op, rewriter: Rewriter, name: str = name) -> bool:
            seen.append(name)
            return False

        look.__name__ = name
        chosen = {} if benefit is None else {"benefit": benefit}
        assert pattern("stablehlo.negate", of="my-pass", **chosen)(look) is look
    rewritten("my-pass")
    assert "".join(seen) == tried


def test_a_later_pattern_of_the_same_name_replaces_the_first() -> None:
    for to in ("sine", "cosine"):

        @pattern("stablehlo.negate", of="my-pass")
        def change(op: Op, rewriter: Rewriter, to: str = to) -> bool:
            return rewriter.rewrite_as(op, to, op.operands)

    assert rewritten("my-pass") == "cosine"


def test_patterns_of_users_see_ops_with_effects() -> None:
    @pattern("stablehlo.custom_call", of="my-pass")
    def to_negate(op: Op, rewriter: Rewriter) -> bool:
        return rewriter.rewrite_as(op, "negate", op.operands)

    call = "stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>"
    assert rewritten("my-pass", TEXT.replace("stablehlo.negate %x : tensor<2xf32>", call)) == "negate"


FILE = """import math
from dataclasses import dataclass
from stablehlo_py.extend import Pass, pattern, register_pass

def root(value):
    return (value and
            math.sqrt(value))

@pattern("stablehlo.negate", of="stablehlo-aggressive-simplification")
def take_root(op, rewriter):
    return bool(root(-1))

@pattern("stablehlo.sine", of="stablehlo-aggressive-simplification")
def change_badly(op, rewriter):
    return rewriter.replace(op, [])

@pattern("stablehlo.cosine", of="stablehlo-aggressive-simplification")
def say_nothing(op, rewriter):
    raise KeyError

@register_pass
class Mine(Pass):
    name = "my-pass"
    summary = "Fails"
    anchor = "func.func"
    def run(self, op):
        assert op.name == "b", op.name
"""
SIMPLIFY = "stablehlo-aggressive-simplification"
ERRORS = [
    ("negate", SIMPLIFY, "7:13", rf"pattern 'take_root' of pass '{SIMPLIFY}' raised ValueError: .*", "in root: "),
    ("sine", SIMPLIFY, "15:12", rf"pattern 'change_badly' of pass '{SIMPLIFY}' raised ValueError: zip.*", ""),
    (
        "cosine",
        SIMPLIFY,
        "19:5",
        rf"pattern 'say_nothing' of pass '{SIMPLIFY}' raised KeyError",
        "in say_nothing: raise",
    ),
    ("abs", "my-pass", "27:16", "pass 'my-pass' raised AssertionError: func.func", 'in run: assert op.name == "b"'),
]


@pytest.mark.parametrize(("op", "pass_name", "where", "message", "note"), ERRORS, ids=[each[2] for each in ERRORS])
@pytest.mark.parametrize("is_inside", [True, False])
def test_errors_of_users_are_at_their_line(
    op: str, pass_name: str, where: str, message: str, note: str, is_inside: bool, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for folder in ("inner", "elsewhere"):
        (tmp_path / folder).mkdir()
    path = tmp_path / "inner" / "mine.py"
    path.write_text(FILE)
    monkeypatch.chdir(tmp_path if is_inside else tmp_path / "elsewhere")
    load_file(str(path))
    received: list[Diagnostic] = []
    with pytest.raises(PassError) as raised:
        run_pipeline(parsed(TEXT.replace("negate", op)), f"func.func({pass_name})", sink=received.append)
    (found,) = raised.value.diagnostics
    shown = "inner/mine.py" if is_inside else str(path)
    assert found.location == f"{shown}:{where}"
    assert re.fullmatch(message, found.message), found.message
    (said,) = found.notes
    assert (found.severity, said.severity) == ("error", "note")
    assert said.message.startswith(note or "in replace_uses: "), said.message
    assert said.location.partition(":")[0].endswith("mine.py" if note else "rewriter.py")
    assert received == [found]
    assert raised.value.__cause__ is not None


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError, SystemExit])
def test_what_is_no_mistake_of_a_user_is_raised_as_it_is(kind: type[BaseException]) -> None:
    @pattern("stablehlo.negate", of="my-pass")
    def stop(op: Op, rewriter: Rewriter) -> bool:
        raise kind("stop")

    with pytest.raises(kind, match="stop"):
        rewritten("my-pass")


def test_options_that_are_wrong_are_no_mistake_in_a_pattern() -> None:
    pattern("stablehlo.negate", of=SIMPLIFY)(lambda op, rewriter: False)
    with pytest.raises(UsageError, match="must not be negative"):
        rewritten(f"{SIMPLIFY}{{fold-op-element-limit=-1}}")


def test_a_mistake_of_the_package_is_no_users(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern("stablehlo.negate", of=SIMPLIFY)(lambda op, rewriter: False)
    monkeypatch.setattr(optimization, "current_report", None)
    with pytest.raises(TypeError, match="'NoneType' object is not callable"):
        rewritten(SIMPLIFY)
