"""Patterns on a mirror do what they do on the program itself: the same program, locations included, is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from simplification import chain, nested_concatenations

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations_within
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.mirror.driver import apply_mirrored
from stablehlo_py.passes.report import PassReport
from stablehlo_py.passes.rewriting import Pattern, RewriteOptions, apply_patterns, pattern
from stablehlo_py.passes.simplification import SIMPLIFICATIONS

FILES = sorted((Path(__file__).parents[1] / "lit" / "passes").glob("simplify_*.mlir"))
PROGRAMS = sorted((Path(__file__).parents[2] / "examples" / "jax").glob("*.mlir"))


@pytest.fixture(scope="module")
def context() -> Iterator[ir.Context]:
    with make_context(allow_unregistered_dialects=True) as context:
        yield context


def functions(text: str) -> tuple[ir.Module, list[ir.Operation]]:
    module = ir.Module.parse(text)
    with_body = [op.operation for op in module.body.operations if op.regions[0].blocks]
    return module, [op for op in with_body if op.name == "func.func"]


def figures(report: PassReport) -> dict[str, object]:
    """What a report says, without the seconds, and without the patterns that never fired."""
    fired = {name: record.fired for name, record in report.patterns.items() if record.fired}
    return {**report.as_dict(), "seconds": 0, "patterns": fired}


def compare(text: str, options: RewriteOptions) -> int:
    """Simplify both ways; returns for how many functions the mirror did it all."""
    direct, ops = functions(text)
    expected, found, done = PassReport(), PassReport(), 0
    for op in ops:
        apply_patterns(op, SIMPLIFICATIONS, options, expected)
    mirrored, ops = functions(text)
    for op in ops:
        if apply_mirrored(op, SIMPLIFICATIONS, options, found):
            done += 1
        else:
            apply_patterns(op, SIMPLIFICATIONS, options, found)
    mirrored.operation.verify()
    assert mirrored.operation.get_asm(enable_debug_info=True) == direct.operation.get_asm(enable_debug_info=True)
    assert figures(found) == figures(expected)
    return done


@pytest.mark.parametrize("path", [*FILES, *PROGRAMS], ids=lambda path: path.stem)
def test_programs_become_the_same(path: Path, context: ir.Context) -> None:
    for text in re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE):
        for exact in (False, True):
            compare(text, RewriteOptions(optimize_float=not exact))


def nest(depth: int) -> str:
    """Branches in branches, each of which adds nothing to a value from outside."""
    t = "tensor<4xf32>"
    body = f"%r0 = stablehlo.abs %x : {t}\n"
    for i in range(depth):
        start = f"%n{i} = stablehlo.constant dense<-0.0> : {t} %a{i} = stablehlo.add %n{i}, %r{i} : {t}"
        end = f"stablehlo.return %a{i} : {t} }}, {{ stablehlo.return %x : {t} }}) : (tensor<i1>) -> {t}"
        body = f'%r{i + 1} = "stablehlo.if"(%p) ({{\n{body}{start} {end}\n'
    return f"func.func @main(%p: tensor<i1>, %x: {t}) -> {t} {{\n{body}return %r{depth} : {t} }}"


def repeated(count: int) -> str:
    """A value of many uses, and an op of many operands, each of which becomes another."""
    t = "tensor<2xi32>"
    body = "\n".join(f"%v{i} = stablehlo.add %zero, %x : {t}" for i in range(count))
    names, types = ", ".join(f"%v{i}" for i in range(count)), ", ".join([t] * count)
    return (
        f"func.func @main(%x: {t}) -> ({types}) {{\n%zero = stablehlo.constant dense<0> : {t}\n"
        f"{body}\nreturn {names} : {types} }}"
    )


@pytest.mark.parametrize("text", [chain(2000), nest(100), repeated(1000), nested_concatenations(300)])
def test_long_deep_and_wide_programs_become_the_same(text: str, context: ir.Context) -> None:
    assert compare(text, RewriteOptions()) == 1


@pytest.mark.parametrize(("text", "left"), [(chain(10000), 2649), (nest(1000), 3002), (repeated(10000), 1)])
def test_large_programs_arrive(text: str, left: int, context: ir.Context) -> None:
    module, ops = functions(text)
    assert apply_mirrored(ops[0], SIMPLIFICATIONS, RewriteOptions(), PassReport())
    assert len(operations_within(ops[0])) == left
    module.operation.verify()


LOOP = """
func.func @main(%x: tensor<4xi32>, %p: tensor<i1>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %y = stablehlo.add %x, %zero : tensor<4xi32>
  %r:2 = stablehlo.while(%a = %y, %b = %p) : tensor<4xi32>, tensor<i1>
  cond { stablehlo.return %b : tensor<i1> }
  do {
    %not = stablehlo.not %b : tensor<i1>
    stablehlo.return %a, %not : tensor<4xi32>, tensor<i1>
  }
  return %r#0 : tensor<4xi32>
}
"""


def test_the_program_stays_where_the_mirror_gives_up(context: ir.Context) -> None:
    """Loops are made anew by the driver on the program: a mirror does not move blocks."""
    module, ops = functions(LOOP)
    before = str(module)
    report = PassReport()
    assert not apply_mirrored(ops[0], SIMPLIFICATIONS, RewriteOptions(), report)
    assert str(module) == before
    assert report.as_dict() == PassReport().as_dict()
    compare(LOOP, RewriteOptions())


def test_patterns_without_end_are_an_error(context: ir.Context) -> None:
    patterns: list[Pattern] = []

    @pattern(patterns, "not")
    def to_and_fro(op, rewriter):
        rewriter.replace_with(op, "not", [op.operands[0]])
        return True

    _, ops = functions(
        "func.func @main(%p: tensor<i1>) -> tensor<i1> {\n%0 = stablehlo.not %p : tensor<i1>\nreturn %0 : tensor<i1> }"
    )
    with pytest.raises(StablehloError, match="the patterns do not come to an end; the last was to_and_fro"):
        apply_mirrored(ops[0], patterns, RewriteOptions(), PassReport())
    ops[0].verify()
