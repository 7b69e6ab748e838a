"""The name that a program gets from its ops: what it depends on, and what it does not."""

from __future__ import annotations

import pytest

from stablehlo_py.analysis.identity import program_hash
from stablehlo_py.syntax import parse

T = "tensor<4xf32>"
MAIN = f"""func.func @main(%x: {T}, %y: {T}) -> {T} {{
  %0 = stablehlo.sine %x : {T}
  %1 = stablehlo.cosine %y : {T}
  %2 = stablehlo.subtract %0, %1 : {T}
  %3 = stablehlo.custom_call @target(%2) {{backend_config = "b"}} : ({T}) -> {T}
  return %3 : {T}
}}
"""
HELPERS = [
    f"func.func private @{name}(%x: {T}) -> {T} {{\n  %0 = stablehlo.{op} %x : {T}\n  return %0 : {T}\n}}\n"
    for name, op in (("b", "tanh"), ("a", "abs"))
]
PROGRAM = MAIN + "".join(HELPERS)
MESH = 'sdy.mesh @m = <["x"=2]>\n'


def name(text: str) -> str:
    found = program_hash(parse(text))
    assert len(found) == 32
    return found


@pytest.mark.parametrize(
    "other",
    [
        "\n" + PROGRAM.replace("%0", "%first").replace("%x", "%arg"),
        PROGRAM.replace(f"%0, %1 : {T}", f'%0, %1 : {T} loc("f.py":1:2)'),
        PROGRAM.replace("%1 = stablehlo.cosine %y", "%z = stablehlo.cosine %y").replace("%0, %1", "%0, %z"),
        MAIN.replace(f"  %0 = stablehlo.sine %x : {T}\n", "").replace("  %2", f"  %0 = stablehlo.sine %x : {T}\n  %2")
        + "".join(HELPERS),
        MAIN + "".join(HELPERS[::-1]),
        HELPERS[1] + MAIN + HELPERS[0],
        PROGRAM.replace("sine %x :", "sine %x {other.note = 1 : i32} :"),
        PROGRAM.replace(f"%y: {T})", f'%y: {T} {{other.note = "n"}})'),
        PROGRAM.replace(f"%y: {T}) -> {T}", f'%y: {T}) -> ({T} {{other.note = "n"}})'),
        PROGRAM.replace("private ", ""),
    ],
)
def test_what_changes_no_meaning_changes_no_name(other: str) -> None:
    assert other != PROGRAM
    assert name(other) == name(PROGRAM)


def test_every_other_change_gives_another_name() -> None:
    others = [
        PROGRAM.replace("stablehlo.sine", "stablehlo.tan"),
        PROGRAM.replace("%0, %1", "%1, %0"),
        PROGRAM.replace("sine %x", "sine %y"),
        PROGRAM.replace("4xf32", "5xf32"),
        PROGRAM.replace("4xf32", "4xf64"),
        PROGRAM.replace("@target", "@another"),
        PROGRAM.replace('"b"', '"c"'),
        PROGRAM.replace("return %3", "return %2"),
        PROGRAM.replace("sine %x :", 'sine %x {mhlo.sharding = "{replicated}"} :'),
        PROGRAM.replace('backend_config = "b"', 'backend_config = "b", mhlo.backend_config = {a = 1 : i32}'),
        PROGRAM.replace('backend_config = "b"', 'backend_config = "b", mhlo.attributes = {a = 1 : i32}'),
        PROGRAM.replace(f"%y: {T})", f'%y: {T} {{mhlo.sharding = "{{replicated}}"}})'),
        MESH + PROGRAM.replace(f"%y: {T})", f'%y: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"x"}}]>}})'),
        MESH + PROGRAM.replace(f"-> {T} {{\n", f'-> ({T} {{sdy.sharding = #sdy.sharding<@m, [{{"x"}}]>}}) {{\n', 1),
        MAIN,
        MAIN + HELPERS[0],
        MAIN + HELPERS[0] + HELPERS[1].replace("abs", "negate"),
    ]  # fmt: skip
    assert PROGRAM not in others
    names = [name(text) for text in (PROGRAM, *others)]
    assert [(first, names.index(each)) for first, each in enumerate(names) if names.index(each) != first] == []


def test_calls_count_as_what_they_call() -> None:
    called = f"""func.func @main(%x: {T}) -> {T} {{
  %0 = call @f(%x) : ({T}) -> {T}
  %1 = call @f(%0) : ({T}) -> {T}
  return %1 : {T}
}}
func.func private @f(%x: {T}) -> {T} {{
  %0 = stablehlo.tanh %x : {T}
  return %0 : {T}
}}
"""
    written = f"""func.func @main(%x: {T}) -> {T} {{
  %0 = stablehlo.tanh %x : {T}
  %1 = stablehlo.tanh %0 : {T}
  return %1 : {T}
}}
"""
    assert name(called) == name(written) == name(written.replace("@main", "@only"))
    assert name(called) != name(written.replace("return %1", "return %0"))
