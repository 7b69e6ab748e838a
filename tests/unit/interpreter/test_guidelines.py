"""The guidelines for tests of the interpreter: G2, coverage; G5, nothing unspecified; G7, names and pretty forms."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.op_signatures import newest_names
from stablehlo_py.interpreter.registry import kernels
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


def test_kernels_are_for_ops_that_exist():
    context = make_context()
    dialects = ("arith.", "math.", "shape.", "tensor.", "stablehlo.", "chlo.")
    ours = [name for name in kernels() if name.startswith(dialects) and name not in newest_names()]
    assert [name for name in ours if not context.is_registered_operation(name)] == []


@pytest.mark.release
def test_the_suite_covers_the_interpreter():
    """In twelve seconds: the whole suite twice, measured."""
    pytest.importorskip("coverage")
    command = [sys.executable, str(LIT.parents[1] / "benchmarks" / "interpreter_coverage.py"), "--least", "90"]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
