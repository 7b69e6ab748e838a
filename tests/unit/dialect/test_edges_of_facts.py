"""Facts, constraints and descriptions of ops at their edges: strangers, defaults, and ops that have nothing to tell."""

from __future__ import annotations

from typing import Any

import pytest
from parsed import parsed, shared_context

from stablehlo_py.bindings.walk import operations
from stablehlo_py.dialect.catalog import constraints, contract, contract_names
from stablehlo_py.dialect.facts import OpFacts, _facts, facts, op_names
from stablehlo_py.dialect.loops import counter_of
from stablehlo_py.dialect.messages import constraint_note, generalize, violated_constraint
from stablehlo_py.dialect.values import ValueSpecification, operands, results

# What allows a pass to move, drop or join an op, and the value that forbids it.
CAREFUL = {
    "traits": frozenset(), "elementwise": "never", "floats": "rounded", "quantized": "storage", "shape": "",
    "regions": (), "ends": "", "effect": "", "idempotent": False, "opaque": False, "per_process": False,
    "exact_types": False, "components": True,
}  # fmt: skip
PROPERTIES = (
    *("is_constant", "is_elementwise", "is_elementwise_on_scalars", "is_control_flow", "ignores_regions"),
    "is_as_effectful_as_its_regions",
)


def test_a_stranger_has_the_careful_value_of_each_fact() -> None:
    known = facts("tosa.add")._asdict()
    assert known.pop("name") == "tosa.add"
    assert known == CAREFUL
    assert facts("tosa.add").dialect == "tosa"
    assert facts("alone").dialect == "alone"
    assert OpFacts("a.b.c").dialect == "a"


@pytest.mark.parametrize(
    ("op", "true"),
    [
        ("tosa.add", ()),
        ("stablehlo.add", ("is_elementwise", "is_elementwise_on_scalars")),
        ("stablehlo.bitcast_convert", ("is_elementwise_on_scalars",)),
        ("stablehlo.constant", ("is_constant", "is_elementwise_on_scalars")),
        ("stablehlo.while", ("is_control_flow", "is_as_effectful_as_its_regions")),
        ("stablehlo.case", ("is_control_flow", "is_as_effectful_as_its_regions")),
        ("stablehlo.if", ("is_control_flow", "is_as_effectful_as_its_regions")),
        ("stablehlo.reduce", ("is_as_effectful_as_its_regions",)),
        ("stablehlo.composite", ("ignores_regions",)),
        ("stablehlo.partition_id", ()),
    ],
)
def test_each_property_holds_of_the_ops_that_have_it(op: str, true: tuple[str, ...]) -> None:
    assert [name for name in PROPERTIES if getattr(facts(op), name)] == [name for name in PROPERTIES if name in true]


def test_what_a_trait_implies_gives_way_to_what_is_said_of_the_op() -> None:
    assert (facts("stablehlo.add").elementwise, facts("stablehlo.add").shape) == ("always", "like operand 0")
    assert facts("stablehlo.clamp").shape == "like operand 1"
    assert facts("stablehlo.while").regions == ("condition", "body")
    assert "ConstantLike" in facts("stablehlo.constant").traits
    assert facts("stablehlo.send").effect.startswith("reads and writes")
    assert (facts("stablehlo.add").effect, facts("stablehlo.constant").effect) == ("", "")
    assert (facts("stablehlo.add").quantized, facts("stablehlo.reshape").quantized) == ("expressed", "storage")
    assert facts("stablehlo.partition_id").per_process
    assert facts("stablehlo.optimization_barrier").opaque


def test_ops_are_listed_by_their_names_and_no_other_dialect_is_among_them() -> None:
    for dialect in ("stablehlo", "chlo", "arith"):
        names = op_names(dialect)
        assert list(names) == sorted(names)
        assert {name.partition(".")[0] for name in names} == {dialect}
    assert op_names("stable") == ()
    assert list(contract_names()) == [name.removeprefix("stablehlo.") for name in op_names("stablehlo")]


def test_an_op_that_is_none_has_no_contract_and_one_like_another_has_its_constraints() -> None:
    assert contract("nothing") is None
    attributes = {each.name: (each.type, each.default) for each in contract("sort").attributes}  # type: ignore[union-attr]
    (required,) = contract("transpose").attributes  # type: ignore[union-attr]
    assert (required.name, required.type, required.default) == ("permutation", "array<i64>", None)
    assert attributes == {"dimension": ("i64", "-1"), "is_stable": ("bool", "false")}
    assert "nothing" not in constraints()
    for op, found in constraints().items():
        known = contract(op)
        assert known is not None
        assert known.constraints == found != ()
        assert len({each.number for each in found}) == len(found), f"{op} has a number twice"
        assert known.example.endswith("}\n")


def test_results_are_described_one_by_one() -> None:
    context = shared_context()
    state, output = results(contract("rng_bit_generator"), context)  # type: ignore[arg-type]
    assert (state.name, state.types.partition(" tensor")[0]) == ("output_state", "ranked")
    assert (output.name, output.types.partition(" tensor")[0]) == ("output", "statically shaped")
    assert results(contract("return"), context) == ()  # type: ignore[arg-type]
    assert results(contract("outfeed"), context) == (ValueSpecification("results", "token"),)  # type: ignore[arg-type]
    several = results(contract("sort"), context)  # type: ignore[arg-type]
    assert [(each.name, each.types.partition(" tensor")[0]) for each in several] == [("results", "variadic of ranked")]


def test_a_group_without_a_value_in_the_example_has_no_types() -> None:
    context = shared_context()
    names = [each.name for each in operands(contract("composite"), context)]  # type: ignore[arg-type]
    assert names == ["inputs"]
    assert operands(contract("constant"), context) == ()  # type: ignore[arg-type]
    reduced = operands(contract("reduce"), context)  # type: ignore[arg-type]
    assert [each.name for each in reduced] == ["inputs", "init_values"]
    assert all(each.types.startswith("variadic of ranked tensor") for each in reduced)
    scattered = operands(contract("scatter"), context)  # type: ignore[arg-type]
    assert [each.types.startswith("variadic of") for each in scattered] == [True, False, True]


def test_a_note_names_the_constraint_that_is_broken_or_is_empty() -> None:
    message = "slice size (5) is out of bounds for operand dimension (4) at index 1"
    found = violated_constraint("gather", message)
    assert found is not None
    assert found.number == "C21"
    note = f"this breaks constraint C21 of gather: {found.label}; --explain-op=gather lists all"
    assert constraint_note("gather", message) == note
    assert constraint_note("gather", f"{message}\nsee also: [3]") == note
    assert constraint_note("gather", "what nobody says") == ""
    assert constraint_note("add", message) == ""


@pytest.mark.parametrize(
    ("message", "general"),
    [
        ("'stablehlo.a-b' op has 3 dims\nand more", "has * dims"),
        ("has 'stablehlo.a' op", "has 'stablehlo.a' op"),
        ("expects [1, 2], {3} and 'tensor<2xf32>', 'i8' or 'token'", "expects * and * or *"),
        ("of f32 at dim-1 or -2.5e+3.", "of f32 at dim-* or *"),
        ("got 1, 2, 3", "got *"),
        ("argument #1 and c2", "argument #1 and c2"),
    ],
)
def test_a_message_is_its_first_line_with_stars_for_values(message: str, general: str) -> None:
    assert generalize(message) == general


def test_a_loop_whose_condition_is_state_has_no_counter() -> None:
    module = parsed("""func.func @main(%x: tensor<i1>, %i: tensor<i32>) -> tensor<i1> {
      %r:2 = stablehlo.while(%go = %x, %n = %i) : tensor<i1>, tensor<i32>
        cond { stablehlo.return %go : tensor<i1> }
        do { stablehlo.return %go, %n : tensor<i1>, tensor<i32> }
      return %r#0 : tensor<i1>
    }""")
    loop = next(op for op in operations(module.operation) if op.name == "stablehlo.while")
    assert counter_of(loop) is None


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({}, {}),
        ({"traits": ["Elementwise"]}, {"elementwise": "always", "shape": "like operand 0", "quantized": "expressed"}),
        ({"traits": ["Elementwise"], "elementwise": "on scalars"},
         {"elementwise": "on scalars", "shape": "like operand 0"}),
        ({"traits": ["Elementwise"], "shape": "own", "quantized": "storage"},
         {"elementwise": "always", "shape": "own", "quantized": "storage"}),
        ({"elementwise": "always"}, {"elementwise": "always", "quantized": "expressed"}),
        ({"elementwise": "never"}, {"elementwise": "never"}),
        ({"traits": ["reads and writes a file"]}, {"effect": "reads and writes a file"}),
        ({"traits": ["reads and writes a file"], "effect": "other"}, {"effect": "other"}),
        ({"traits": ["reads"]}, {}),
        ({"traits": ["A", "B"], "regions": ["body", "never*"], "unknown": 3, "idempotent": True},
         {"regions": ("body", "never*"), "idempotent": True}),
    ],
)  # fmt: skip
def test_traits_imply_what_an_entry_does_not_say(entry: dict[str, Any], expected: dict[str, Any]) -> None:
    found = _facts("a.b", entry)
    assert found == OpFacts("a.b", **{"traits": frozenset(entry.get("traits", ())), **expected})


def test_facts_of_all_known_ops_are_kept_and_those_of_others_not_without_end() -> None:
    names = [name for dialect in ("stablehlo", "chlo", "func", "arith", "math", "check") for name in op_names(dialect)]
    first = [facts(name) for name in names]
    assert all(facts(name) is known for name, known in zip(names, first, strict=True))
    for number in range(3000):
        assert facts(f"other.op{number}") == OpFacts(f"other.op{number}")
    assert len(names) < facts.cache_info().currsize < 3000
