"""The text of pipelines and of passes' options: empty, braced, quoted and nested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import UsageError
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.catalog import describe_pass
from stablehlo_py.passes.pipeline_text import PipelineElement, make_pass, parse_pipeline, split_top_level


@dataclass(frozen=True)
class Everything(Pass):
    """Has an option of each type."""

    name: ClassVar[str] = "everything"
    summary: ClassVar[str] = "Has options"
    some_text: str = "usual"
    count: int = 3
    on: bool = True
    off: bool = False
    names: tuple[str, ...] = ("a",)
    limit: int | None = None

    def run(self, op: ir.Operation) -> None: ...


@pytest.mark.parametrize(
    ("options", "values"),
    [
        ("", {}),
        ("  ", {}),
        ("some-text=", {"some_text": ""}),
        ("some-text={}", {"some_text": ""}),
        ("some-text={a b}", {"some_text": "a b"}),
        ("some-text={{a}}", {"some_text": "{a}"}),
        ("some-text='a b'", {"some_text": "a b"}),
        ('some-text="a \' b"', {"some_text": "a ' b"}),
        ("some-text='", {"some_text": "'"}),
        ("some-text={", {"some_text": "{"}),
        ("some-text=a=b", {"some_text": "a=b"}),
        ("count=0x10", {"count": 16}),
        ("count=-1", {"count": -1}),
        ("count={7}", {"count": 7}),
        ("limit=0", {"limit": 0}),
        ("on=false off", {"on": False, "off": True}),
        ("on=0 off=", {"on": False, "off": True}),
        ("off=TRUE", {"off": True}),
        ("names=", {"names": ()}),
        ("names={}", {"names": ()}),
        ("names=x,y", {"names": ("x", "y")}),
        ("names={x, y z}", {"names": ("x", "y z")}),
        ("names=f(a,b),c", {"names": ("f(a,b)", "c")}),
        ("count=1\tcount=2\n on=1", {"count": 2}),
    ],
)
def test_options_become_values(options: str, values: dict[str, object]) -> None:
    assert make_pass(Everything, options) == Everything(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("count=", "option 'count' of pass 'everything' is an integer, not ''"),
        ("count=1.5", "is an integer, not '1.5'"),
        ("on=yes", "option 'on' of pass 'everything' expects true or false, found 'yes'"),
        ("cuont=1", "pass 'everything' has no option 'cuont'; did you mean count?"),
        ("xyzzy=1", "has no option 'xyzzy'; it has: some-text, count, on, off, names, limit"),
        ("some_text=a", "has no option 'some_text'; did you mean some-text?"),
    ],
)
def test_wrong_options_are_said(options: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_pass(Everything, options)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("", ()),
        ("a", (PipelineElement("a"),)),
        (" a , b ", (PipelineElement("a"), PipelineElement("b"))),
        ("a,", (PipelineElement("a"),)),
        ("a{}", (PipelineElement("a"),)),
        ("a{ x=1 }", (PipelineElement("a", "x=1"),)),
        ("a{x={b c} y=2},b", (PipelineElement("a", "x={b c} y=2"), PipelineElement("b"))),
        ("m()", (PipelineElement("m", children=()),)),
        (
            "m(f(a{x=1}),b)",
            (
                PipelineElement(
                    "m", children=(PipelineElement("f", children=(PipelineElement("a", "x=1"),)), PipelineElement("b"))
                ),
            ),
        ),
        ("func.func(a-b.c)", (PipelineElement("func.func", children=(PipelineElement("a-b.c"),)),)),
    ],
)
def test_pipelines_are_read_and_written(text: str, elements: tuple[PipelineElement, ...]) -> None:
    assert parse_pipeline(text) == elements
    assert parse_pipeline(",".join(map(str, elements))) == elements


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a(b", "column 4: expected ')' after the passes of 'a'"),
        ("a)", "column 2: unexpected ')'"),
        ("a b", "column 3: unexpected 'b'"),
        ("a{x={b}", "column 2: missing closing '}'"),
        (",a", "column 1: expected the name"),
        ("a,,b", "column 3: expected the name"),
        ("a, 1", "column 4: expected the name"),
        ("m(a,)x", "column 6: unexpected 'x'"),
    ],
)
def test_errors_in_pipelines_have_their_column(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_pipeline(text)
    assert said in caught.value.message
    assert caught.value.message.endswith(f": {text}")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (",,", []),
        ("a,b,", ["a", "b"]),
        ("a(b,c),d", ["a(b,c)", "d"]),
        ("a<b,c>,{d,e},[f,g]", ["a<b,c>", "{d,e}", "[f,g]"]),
        ("'a,b',c", ["'a,b'", "c"]),
        ('"a\',b",c', ['"a\',b"', "c"]),
        ("a),b", ["a)", "b"]),
        ("({a,b},c),d", ["({a,b},c)", "d"]),
    ],
)
def test_lists_are_split_outside_of_brackets_and_quotes(text: str, parts: list[str]) -> None:
    assert list(split_top_level(text, ",")) == parts


@pytest.mark.parametrize(
    ("name", "anchor", "defaults"),
    [
        ("canonicalize", "any", {"max-iterations": "10", "top-down": "true", "region-simplify": "normal"}),
        ("inline", "any", {"default-pipeline": "canonicalize", "op-pipelines": ""}),
        ("cse", "any", {}),
        (
            "stablehlo-aggressive-folder",
            "func.func",
            {"assume-no-undeclared-side-effects": "false", "fold-op-element-limit": "65536", "optimize-float": "true"},
        ),
        ("stablehlo-refine-arguments", "builtin.module", {"types": ""}),
    ],
)
def test_passes_are_described_with_their_defaults(name: str, anchor: str, defaults: dict[str, str]) -> None:
    found = describe_pass(name, make_context())
    assert (found.name, found.anchor) == (name, anchor)
    assert found.summary
    assert {option.name: option.default for option in found.options}.items() >= defaults.items()
    assert all(option.summary for option in found.options)
    assert bool(found.options) == bool(defaults)
