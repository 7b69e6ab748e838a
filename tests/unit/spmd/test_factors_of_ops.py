"""Which dimensions of an op are cut alike: the factors of its rule, as `operands -> results: size`."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from installed import needs
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.spmd.rules import Factor, Rule, combines, rule_of


def body(op: str, result: str = "%t") -> str:
    """A body of an op and a return."""
    inner = f"%t = stablehlo.{op} : tensor<f32> stablehlo.return {result} : tensor<f32>"
    return f"({{ ^bb0(%l: tensor<f32>, %r: tensor<f32>): {inner} }})"


def text_of(factor: Factor) -> str:
    """As `operand.dimension … -> result.dimension …: size`, with the windows."""
    sides = [" ".join([f"{number}.{d}" for number, d in side]) for side in (factor.operands, factor.results)]
    halos = [
        f" [{halo.size} to {halo.result} from {halo.start} by {halo.stride} of {halo.extent} in {halo.dilation}"
        f"{' back' * halo.reversed}; {halo.number}]"
        for halo in factor.halos
    ]
    return f"{sides[0]} -> {sides[1]}: {factor.size}{''.join(halos)}"


def rule(text: str, *arguments: str) -> Rule:
    types = [type_ if type_.startswith("tensor") else f"tensor<{type_}>" for type_ in arguments]
    given = ", ".join([f"%{name}: {type_}" for name, type_ in zip("abc", types, strict=False)])
    module = parsed(f"func.func @main({given}) {{ {text} return }}")
    return rule_of(next(op for op in operations(module.operation) if op.name not in ("builtin.module", "func.func")))


pytestmark = needs("partition")
CASES = tomllib.loads(Path(__file__).with_name("factors_of_ops.toml").read_text(encoding="utf-8"))


def written(text: str) -> str:
    """With the bodies written out."""
    for kind in ("add %l, %r", "add %l, %l", "subtract %l, %r"):
        text = text.replace(f"{{{kind}}}", body(kind))
    return text.replace("{add %l, %r -> %r}", body("add %l, %r", "%r")).replace("ADD", body("add %l, %r"))


@pytest.mark.parametrize("name", CASES)
def test_factors_of_an_op(name: str) -> None:
    case = CASES[name]
    found = rule(written(case["op"]), *case["takes"])
    assert [text_of(each) for each in found.factors] == case["factors"]
    assert found[1:] == (case.get("combiner", "add"), case.get("initial", -1))


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [
        ("add", ["i1", "i32", "ui8", "bf16", "f16", "f32", "f64", "complex<f32>"], ["f8E5M2", "f8E4M3FN"]),
        ("maximum", ["i32", "bf16", "f32", "f8E5M2"], ["!quant.uniform<i8:f32, 2.0>"]),
        ("multiply", ["i32", "f32"], ["f8E4M3FN", "!quant.uniform<i8:f32, 2.0>"]),
        ("subtract", [], ["i32", "f32"]),
        ("power", [], ["f32"]),
    ],
)
def test_partial_results_are_combined_where_the_order_is_free(kind: str, yes: list[str], no: list[str]) -> None:
    with make_context():
        known = [(element, combines(kind, ir.Type.parse(f"tensor<4x{element}>"))) for element in (*yes, *no)]
    assert known == [(element, element in yes) for element in (*yes, *no)]
