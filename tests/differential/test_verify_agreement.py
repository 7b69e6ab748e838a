"""Verifier and inference agree with each other, and with the specification's formulas, on random instances of ops.

A valid instance verifies, with the types of the specification and with less specific ones, and inference finds those
types. An instance that breaks one constraint is rejected with a located diagnostic; where that diagnostic is traced to
a constraint, it is the one that was broken.
"""

from __future__ import annotations

import re
from functools import cache

import op_instances
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.dialect.messages import violated_constraint
from stablehlo_py.passes.hlo_test.infer import inferred_types

OP_LINE = 2  # of the text of an instance
STATIC_RESULTS = {"broadcast_in_dim", "iota", "reshape"}
# These pass values on: their types are equal, not only compatible.
EQUAL_TYPES = {"optimization_barrier", "tuple"}


@cache
def context() -> ir.Context:
    return make_context()


def rejections(instance: op_instances.Instance) -> list[ir.DiagnosticInfo]:
    """The diagnostics for an instance; none if it is accepted."""
    try:
        ir.Module.parse(instance.text, context())
    except ir.MLIRError as error:
        return list(error.error_diagnostics)
    return []


def inferred(instance: op_instances.Instance) -> list[str] | None:
    """The result types that the dialect infers, or None for an op that infers none."""
    module = ir.Module.parse(instance.text, context())
    op = module.body.operations[0].regions[0].blocks[0].operations[0].operation
    with op.location:
        types = inferred_types(op)
    return None if types is None else [str(kind) for kind in types]


def loosened(draw: op_instances.Draw, kind: str) -> str:
    """The type with some dimensions unknown; one of something other than a tensor as it is."""
    parts = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", kind)
    if parts is None:
        return kind
    sizes, element = parts.groups()
    unknown = [draw(st.booleans()) for _ in sizes.split("x")[:-1]]
    shape = "".join(f"{'?' if free else size}x" for free, size in zip(unknown, sizes.split("x"), strict=False))
    return f"tensor<{shape}{element}>"


def assert_accepted(instance: op_instances.Instance) -> None:
    assert [diagnostic.message for diagnostic in rejections(instance)] == []


@pytest.mark.parametrize("op", sorted(op_instances.load()))
@given(data=st.data())
def test_a_valid_instance_is_accepted_with_the_types_of_the_specification_and_with_less_known_ones(op, data):
    instance, _ = op_instances.STRATEGIES[op](data.draw)
    assert_accepted(instance)
    types = inferred(instance)
    assert types is None or types == list(instance.results)
    if op in EQUAL_TYPES:
        return
    for side in ("operand",) if op in STATIC_RESULTS else ("operand", "result"):
        less_known = instance
        for position, kind in enumerate(getattr(instance, f"{side}s")):
            less_known = getattr(less_known, f"with_{side}")(position, loosened(data.draw, kind))
        assert_accepted(less_known)


@pytest.mark.parametrize("op", sorted(op_instances.load()))
@given(data=st.data())
def test_a_broken_constraint_is_rejected_and_named(op, data):
    _, breaks = op_instances.STRATEGIES[op](data.draw)
    broken = data.draw(st.sampled_from(breaks))
    diagnostics = rejections(broken.instance)
    assert diagnostics, f"{broken.constraint} is not checked: {broken.instance.text}"
    for diagnostic in diagnostics:
        assert re.search(rf'"-":{OP_LINE}:\d+', str(diagnostic.location)), diagnostic.message
    constraint = violated_constraint(op, diagnostics[0].message)
    if constraint is not None:
        assert constraint.number == broken.constraint, diagnostics[0].message
