"""The table of passes: anchors, options and defaults as lists and `--help` show them, and passes of users."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from stablehlo_py import extensions
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.passes import catalog
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.catalog import describe_pass, find_pass, is_pass, pass_names, register_pass

MODULE, FUNCTION, ANY = "builtin.module", "func.func", "any"
FOLD = {"assume-no-undeclared-side-effects": "false", "fold-op-element-limit": "65536", "optimize-float": "true"}
REFINE = {"shapes": "true", "dtypes": "false", "steps": "false", "max-iterations": "10"}
PASSES: dict[str, tuple[str, dict[str, str]]] = {
    "check-communication": (MODULE, {"num-replicas": "0", "num-partitions": "0"}),
    "chlo-expand-scan": (ANY, {}),
    "chlo-pre-serialization-pipeline": (ANY, {}),
    "hlo-test-broadcast": (FUNCTION, {}),
    "hlo-test-infer": (FUNCTION, {}),
    "hlo-test-speculatability": (FUNCTION, {}),
    "interpreter-instrument-with-probe": (MODULE, {"useDebugInfo": "false"}),
    "reconcile-unrealized-casts": (MODULE, {}),
    "sdy-resolve-single-device-sharding": (FUNCTION, {"replica-count": "1", "partition-count": "1"}),
    "stablehlo-aggressive-folder": (FUNCTION, FOLD),
    "stablehlo-aggressive-simplification": (FUNCTION, {"fold-op-element-limit": "65536", "optimize-float": "true"}),
    "stablehlo-canonicalize-dynamic-calls": (ANY, {}),
    "stablehlo-check-profile": (MODULE, {"file": "reference"}),
    "stablehlo-decompose": (MODULE, {"ops": ""}),
    "stablehlo-deserialize": (ANY, {}),
    "stablehlo-drop-abstract-interp-calculations": (MODULE, {}),
    "stablehlo-dtype-refinement-pipeline": (MODULE, REFINE | {"shapes": "false", "dtypes": "true"}),
    "stablehlo-fold-constants": (FUNCTION, {"max-bytes": "16777216"}),
    "stablehlo-fold-shape-values": (MODULE, {}),
    "stablehlo-inline-calculations": (MODULE, {}),
    "stablehlo-insert-shape-guards": (MODULE, {"max-iterations": "10"}),
    "stablehlo-reify-dtype-calculations": (MODULE, {}),
    "stablehlo-reify-shape-calculations": (MODULE, {}),
    "stablehlo-shape-refinement-pipeline": (MODULE, REFINE),
    "stablehlo-simplify-dtype-calculations": (MODULE, {"max-iterations": "10"}),
    "stablehlo-simplify-shape-calculations": (MODULE, {"max-iterations": "10"}),
    "stablehlo-target-independent-optimization": (FUNCTION, FOLD),
    "stablehlo-verify-spec": (MODULE, {}),
}


@pytest.fixture
def _no_users_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_USERS", {})


def made(name: str, summary: str = "Does nothing", **fields: Any) -> type[Pass]:
    return type("Mine", (Pass,), {"name": name, "summary": summary, "__annotations__": {}, **fields})


def test_the_table_of_this_test_has_every_pass_in_python() -> None:
    assert [name for name in catalog.PYTHON_PASSES if not name.startswith("torch-")] != []
    assert {name for name in catalog.PYTHON_PASSES if not name.startswith("torch-")} == PASSES.keys()


@pytest.mark.parametrize("name", PASSES)
def test_anchors_options_and_defaults(name: str) -> None:
    found = describe_pass(name, make_context())
    assert (found.anchor, {option.name: option.default for option in found.options}) == PASSES[name]


def test_the_limits_of_optimization_are_explained() -> None:
    names = [name for name in PASSES if "aggressive" in name or name.endswith(("-constants", "-optimization"))]
    assert len(names) == 4
    options = [option for name in names for option in describe_pass(name, make_context()).options]
    assert [option.name for option in options if not option.summary] == []


@dataclass(frozen=True)
class Everything(Pass):
    """Has a default of each kind."""

    name: ClassVar[str] = "my-everything"
    summary: ClassVar[str] = "Has options"
    anchor: ClassVar[str] = "func.func"
    none: int | None = None
    names: tuple[str, ...] = ("a", "b")
    no_names: tuple[str, ...] = ()
    on: bool = True
    off: bool = dataclasses.field(default=False, metadata={"summary": "turn it off"})
    count: int = 3
    text: str = "Some Text"

    def run(self, op: ir.Operation) -> None: ...


@pytest.mark.usefixtures("_no_users_passes")
def test_a_registered_pass_is_described_by_its_fields() -> None:
    assert register_pass(Everything) is Everything
    found = describe_pass("my-everything", make_context())
    assert found[:3] == ("my-everything", "Has options", "func.func")
    assert [option[:] for option in found.options] == [
        ("none", "", ""),
        ("names", "a,b", ""),
        ("no-names", "", ""),
        ("on", "true", ""),
        ("off", "false", "turn it off"),
        ("count", "3", ""),
        ("text", "Some Text", ""),
    ]


@pytest.mark.usefixtures("_no_users_passes")
def test_a_registered_pass_is_found_and_a_later_one_replaces_it() -> None:
    assert not is_pass("a-first-of-all")
    first = register_pass(made("a-first-of-all", times=2))
    assert first().name == "a-first-of-all"  # type: ignore[call-arg]
    with pytest.raises(dataclasses.FrozenInstanceError):
        first().name = "b"  # type: ignore[misc]
    assert (find_pass("a-first-of-all"), is_pass("a-first-of-all")) == (first, True)
    assert pass_names()[0] == "a-first-of-all"
    assert pass_names() == sorted(pass_names())
    assert "a-first-of-all" in catalog.available_passes()
    second = register_pass(made("a-first-of-all"))
    assert find_pass("a-first-of-all") is second
    assert pass_names().count("a-first-of-all") == 1


@pytest.mark.usefixtures("_no_users_passes")
@pytest.mark.parametrize(
    ("pass_class", "said"),
    [
        (made("", "x"), "the pass Mine has no name"),
        (made("my-pass", ""), "the pass Mine has no summary"),
        (type("Nameless", (Pass,), {}), "the pass Nameless has no name"),
        (made("stablehlo-decompose"), "the package has a pass 'stablehlo-decompose' already"),  # in Python
        (made("cse"), "the package has a pass 'cse' already"),  # in C++
    ],
)
def test_passes_without_a_name_of_their_own_are_refused(pass_class: type[Pass], said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        register_pass(pass_class)
    assert catalog._USERS == {}


def test_a_pass_of_other_releases_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {**catalog.compiled_passes(), "of-another-release": catalog.CompiledPass("Does what it does")}
    monkeypatch.setattr(catalog, "compiled_passes", lambda: table)
    with pytest.raises(ValueError, match="the package has a pass 'of-another-release' already"):
        register_pass(made("of-another-release"))
    assert is_pass("of-another-release")
    assert "of-another-release" in pass_names()
    assert "of-another-release" not in catalog.available_passes()


@pytest.mark.usefixtures("_no_users_passes")
@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (is_pass, True),
        (lambda name: getattr(find_pass(name), "summary", None), "Is loaded"),
        (lambda name: name in pass_names(), True),
        (lambda name: name in catalog.available_passes(), True),
    ],
    ids=["is_pass", "find_pass", "pass_names", "available_passes"],
)
def test_the_first_question_for_a_pass_loads_what_the_user_named(
    ask: Callable[[str], object], answer: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from stablehlo_py.extend import Pass, register_pass\n@register_pass\nclass Loaded(Pass):\n"
        "    name = 'my-loaded'\n    summary = 'Is loaded'\n    def run(self, op): pass\n"
    )
    monkeypatch.setattr(extensions, "_loaded", set())
    monkeypatch.setenv(extensions.LOAD_VARIABLE, str(path))
    assert ask("my-loaded") == answer


def test_passes_in_cpp_and_unknown_ones_have_no_class() -> None:
    assert [find_pass(name) for name in ("cse", "canonicalize", "none-of-the-kind")] == [None] * 3
    assert [is_pass(name) for name in ("cse", "stablehlo-decompose", "none-of-the-kind")] == [True, True, False]
    for name in PASSES:
        pass_class = find_pass(name)
        assert pass_class is not None
        assert pass_class.name == name


@pytest.mark.parametrize(
    ("name", "anchor", "wrong"),
    [
        ("stablehlo-refine-arguments", MODULE, FUNCTION),
        ("stablehlo-check-shape-assertions", FUNCTION, MODULE),
        ("stablehlo-check-shape-assertions", FUNCTION, ANY),
    ],
)
def test_the_anchor_of_a_pass_in_cpp_is_that_of_the_bindings(
    name: str, anchor: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = describe_pass(name, make_context())
    table = {**catalog.compiled_passes(), name: catalog.compiled_passes()[name]._replace(anchor=wrong)}
    monkeypatch.setattr(catalog, "compiled_passes", lambda: table)
    assert describe_pass(name, make_context()) == right
    assert right.anchor == anchor


def test_passes_that_no_release_has_are_told_with_a_reason() -> None:
    known = catalog.passes_elsewhere()
    assert known
    assert not known.keys() & {*pass_names()}
    assert all(known.values())
