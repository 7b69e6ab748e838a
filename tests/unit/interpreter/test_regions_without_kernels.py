"""CHLO ops and ops that have no kernel, in the regions of each op that runs some."""

from __future__ import annotations

import numpy as np
import pytest

from stablehlo_py.errors import UnsupportedOpError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.syntax import parse

SCALAR = "tensor<f32>"
# Each runs its region, if at all, on a number of operands that are scalars, the first of which it gives OP.
IF = f"""%0 = "stablehlo.if"(%yes) ({{
    OP
    stablehlo.return %o : {SCALAR}
  }}, {{
    stablehlo.return %p : {SCALAR}
  }}) : (tensor<i1>) -> {SCALAR}"""
CASE = f"""%0 = "stablehlo.case"(%index) ({{
    stablehlo.return %p : {SCALAR}
  }}, {{
    OP
    stablehlo.return %o : {SCALAR}
  }}) : (tensor<i32>) -> {SCALAR}"""
WHILE = f"""%r:2 = stablehlo.while(%go = %yes, %x = %p) : tensor<i1>, {SCALAR} cond {{
    stablehlo.return %go : tensor<i1>
  }} do {{
    OP
    stablehlo.return %no, %o : tensor<i1>, {SCALAR}
  }}
  %0 = stablehlo.add %r#1, %zero : {SCALAR}"""
REDUCE = f"""%0 = stablehlo.reduce(%list init: %p) across dimensions = [0] : (LIST, {SCALAR}) -> {SCALAR}
    reducer(%a: {SCALAR}, %b: {SCALAR}) {{
    OP
    stablehlo.return %o : {SCALAR}
  }}"""
MAP = f"""%m = "stablehlo.map"(%list) ({{
  ^bb0(%a: {SCALAR}):
    OP
    stablehlo.return %o : {SCALAR}
  }}) {{dimensions = array<i64: 0>}} : (LIST) -> LIST
  %0 = stablehlo.reduce(%m init: %p) applies stablehlo.maximum across dimensions = [0] : (LIST, {SCALAR}) -> {SCALAR}"""
OWNERS = {"if": IF, "case": CASE, "while": WHILE, "reduce": REDUCE, "map": MAP}
CONTROL_FLOW = ("if", "case", "while")


def program(owner: str, op: str, *, runs: bool, fast: bool) -> Program:
    """A program whose op called `owner` has a region with `op`, which takes a scalar; the region runs or does not."""
    argument = "%p" if owner in CONTROL_FLOW else "%a"
    size = 1 if runs else 0
    body = OWNERS[owner].replace("OP", f'%o = "{op}"({argument}) : ({SCALAR}) -> {SCALAR}')
    text = f"""func.func @main(%p: {SCALAR}) -> {SCALAR} {{
  %yes = stablehlo.constant dense<{str(runs).lower()}> : tensor<i1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %index = stablehlo.constant dense<{size}> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : {SCALAR}
  %list = stablehlo.broadcast_in_dim %p, dims = [] : ({SCALAR}) -> LIST
  {body}
  return %0 : {SCALAR}
}}""".replace("LIST", f"tensor<{size}xf32>")
    return Program(parse(text, allow_unregistered_dialects=True), Settings(fast=fast))


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("owner", OWNERS)
def test_chlo_ops_run_in_every_region(owner: str, fast: bool) -> None:
    number = np.array(0.75, np.float32)
    run, idle = (program(owner, "chlo.square", runs=runs, fast=fast) for runs in (True, False))
    for _ in range(3):
        expected = 0.75 if owner == "map" else 0.5625  # the maximum of both
        assert run.run([number])[0] == expected
        assert idle.run([number])[0] == 0.75


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("owner", OWNERS)
def test_what_has_no_kernel_is_refused_unless_a_branch_or_loop_leaves_it_out(owner: str, fast: bool) -> None:
    number = np.array(0.75, np.float32)
    for runs in (True, False):
        built = program(owner, "other.op", runs=runs, fast=fast)
        if not runs and owner in CONTROL_FLOW:
            assert [built.run([number])[0] for _ in range(3)] == [0.75] * 3
            continue
        for _ in range(2):
            with pytest.raises(UnsupportedOpError, match=r"'other.op' op has no kernel") as caught:
                built.run([number])
            assert caught.value.location, f"the place of the op in {owner} is not said"
