"""`--timeout` holds in the verbs: inside one op, while the program is prepared, and if calls in calls multiply."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from speeds import later
from warm_tools import tool_of

import stablehlo_py
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.errors import InputError
from stablehlo_py.passes.inlining import too_many_inlined
from stablehlo_py.spmd import partition

SLEEPING = """import time
from stablehlo_py.extend import custom_call_handler
@custom_call_handler("sleep")
def sleep(call, operand):
    time.sleep(300)
    return operand
"""
LONG = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @sleep(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def doubling(levels: int) -> str:
    """Return a program whose innermost function is called twice as often with each level."""
    functions = [
        f"""func.func private @level{level}(%x: tensor<f32>) -> tensor<f32> {{
          %0 = call @level{level + 1}(%x) : (tensor<f32>) -> tensor<f32>
          %1 = call @level{level + 1}(%0) : (tensor<f32>) -> tensor<f32>
          return %1 : tensor<f32>
        }}"""
        for level in range(levels)
    ]
    return "\n".join([
        """func.func @main(%x: tensor<f32>) -> tensor<f32> {
          %0 = call @level0(%x) : (tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }""",
        *functions,
        f"""func.func private @level{levels}(%x: tensor<f32>) -> tensor<f32> {{
          %0 = stablehlo.negate %x : tensor<f32>
          return %0 : tensor<f32>
        }}""",
    ])  # fmt: skip


def tool(*arguments: str) -> tuple[int, str, float]:
    name, *rest = arguments
    began = time.monotonic()
    ended = subprocess.run([tool_of(name), *rest], capture_output=True, check=False, timeout=120)
    return ended.returncode, (ended.stdout + ended.stderr).decode(), time.monotonic() - began


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    for name, text in (("sleep.py", SLEEPING), ("long.mlir", LONG), ("doubling.mlir", doubling(40))):
        (folder / name).write_text(text)
    np.savez(folder / "x.npz", np.zeros(2, np.float32))
    return folder


@pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork the tool starts too slowly for this time")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("translate", "--interpret", "--inputs={}/x.npz"), "interpreting {}/long.mlir took too long"),
     later(("stablehlo", "simulate", "--mesh=x=2"), "simulating {}/long.mlir took too long"),
     later(("stablehlo", "run"), "reference: timeout: did not end within 2 s")],
)  # fmt: skip
def test_a_handler_that_does_not_come_back(arguments: tuple[str, ...], message: str, files: Path) -> None:
    given = [argument.format(files) for argument in arguments]
    code, said, seconds = tool(*given, str(files / "long.mlir"), f"--load={files}/sleep.py", "--timeout=2")
    assert code == (1 if arguments[0] == "translate" else 2)
    assert message.format(files) in said
    if "took too long" in said:
        assert "--timeout=SECONDS sets the limit" in said
    assert seconds < 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("run",), "reference: timeout: did not end within 0.5 s"),
     later(("trace", "--engine=reference"), "doubling.mlir took too long"),
     later(("bisect", "--engine=reference"), "the reference does not run the program: timeout: did not end within"),
     later(("numerics",), "timeout: did not end within 0.5 s"),
     (("simulate", "--mesh=x=2"), "the program has 1099511627776 ops with its calls inlined, too many to partition")],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_calls_that_double_end_in_time(arguments: tuple[str, ...], message: str, files: Path) -> None:
    _, said, seconds = tool("stablehlo", *arguments, str(files / "doubling.mlir"), "--timeout=0.5")
    assert message in said
    assert seconds < 100


@pytest.mark.parametrize("verb", [("cost",), ("view", "-o", "{}/page.html")], ids=lambda verb: verb[0])
def test_calls_that_double_are_counted(verb: tuple[str, ...], files: Path) -> None:
    code, _, seconds = tool("stablehlo", *[part.format(files) for part in verb], str(files / "doubling.mlir"))
    assert code == 0
    assert seconds < 60


def test_the_size_of_a_program_with_its_calls_inlined() -> None:
    small, large = [stablehlo_py.parse(doubling(levels)) for levels in (10, 40)]
    assert too_many_inlined(small.operation, "main") == 0
    assert too_many_inlined(large.operation, "main") == 1 << 40
    assert len(examine(small).ops) == 1 << 10
    whole = examine(large)  # it owns the ops
    assert [op.name for op in whole.ops] == ["func.call"]


def test_the_size_of_programs_with_long_chains_and_cycles_of_calls() -> None:
    links = "".join(
        f"func.func private @f{number}(%x: tensor<f32>) -> tensor<f32> {{\n"
        f"%0 = call @f{(number + 1) % 10_000}(%x) : (tensor<f32>) -> tensor<f32>\n"
        f"%1 = stablehlo.negate %0 : tensor<f32>\nreturn %1 : tensor<f32>\n}}\n"
        for number in range(10_000)
    )
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n%0 = call @f0(%x) : (tensor<f32>) -> tensor<f32>\n"
    module = stablehlo_py.parse(f"{text}return %0 : tensor<f32>\n}}\n{links}", trust_input=True)
    assert too_many_inlined(module.operation, "main") == 0


def test_a_partition_of_too_many_inlined_ops_is_refused() -> None:
    with pytest.raises(InputError, match=r"^p\.mlir:1:1: error: the program has 1099511627776 ops with its calls"):
        partition(stablehlo_py.parse(doubling(40), source_name="p.mlir"), mesh={"x": 2})
