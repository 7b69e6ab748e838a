"""The guidelines for tests of the interpreter, G5 and G7: nothing unspecified, names for values, pretty forms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.passes.verify_spec import broken_constraints
from stablehlo_py.syntax.parser import parse

LIT = Path(__file__).parents[2] / "lit"
SUITES = sorted([*(LIT / "interpret").glob("*.mlir"), *(LIT / "choices").glob("*.mlir")])
GENERIC = re.compile(r'"((?:stablehlo|chlo)\.[\w-]+)"\(')


def chunks(path):
    """The programs of a suite, without its comments."""
    text = re.sub(r"^ *//(?! -----).*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return text.split("// -----\n")


def test_values_have_names():
    numbered = [f"{path.name}: {name}" for path in SUITES for name in re.findall(r"%\d+\b", "".join(chunks(path)))]
    assert numbered == []


@pytest.mark.parametrize("path", [p for p in SUITES if GENERIC.search(p.read_text())], ids=lambda path: path.stem)
def test_ops_are_written_in_their_pretty_form(path):
    context, found = make_context(), []
    for chunk in chunks(path):
        if GENERIC.search(chunk):
            printed = str(parse(chunk, context=context, trust_input=True))
            found += [op for op in GENERIC.findall(chunk) if f'"{op}"(' not in printed]
    assert found == []


def test_programs_keep_the_whole_specification():
    """What the interpreter does with others is a choice; `dynamic_conv_constraints` is about its errors."""
    context, found = make_context(), []
    for path in (LIT / "interpret").glob("*.mlir"):
        if path.stem != "dynamic_conv_constraints" and "REQUIRES" not in path.read_text(encoding="utf-8"):
            for chunk in chunks(path):
                found += [
                    f"{path.name}: {one.message}"
                    for one in broken_constraints(parse(chunk, context=context, trust_input=True).operation)
                ]
    assert found == []


def test_the_choices_are_named():
    page = (LIT.parents[1] / "docs" / "arithmetic.md").read_text(encoding="utf-8")
    assert [path.stem for path in (LIT / "choices").glob("*.mlir") if f"`{path.stem}`" not in page] == []
