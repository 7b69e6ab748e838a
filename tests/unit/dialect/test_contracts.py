"""What `--explain-op` shows agrees with the bindings, and its examples are programs."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from stablehlo_py.analysis.op_description import describe, too_new
from stablehlo_py.artifacts.versions import first_version_with
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.op_signatures import op_signature
from stablehlo_py.cli.command_line import Options
from stablehlo_py.cli.information import explain_op
from stablehlo_py.dialect.catalog import contract, contract_names
from stablehlo_py.dialect.messages import generalize, violated_constraint
from stablehlo_py.dialect.values import operands, results
from stablehlo_py.errors import UsageError

PROVIDED = [op for op in contract_names() if op_signature(f"stablehlo.{op}") is not None]


@pytest.fixture(scope="module")
def context():
    return make_context()


def nested(op):
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from nested(inner.operation)


@pytest.mark.parametrize("op", PROVIDED)
def test_the_example_verifies_and_contains_the_op(op, context):
    module = ir.Module.parse(contract(op).example, context)
    assert f"stablehlo.{op}" in {inner.name for inner in nested(module.operation)}


@pytest.mark.parametrize("op", PROVIDED)
def test_attributes_are_those_of_the_bindings(op):
    declared = [(attribute.name, attribute.optional) for attribute in op_signature(f"stablehlo.{op}").attributes]
    assert [(attribute.name, attribute.default is not None) for attribute in contract(op).attributes] == declared


@pytest.mark.parametrize("op", PROVIDED)
def test_inference_traits_are_those_of_the_bindings(op, context):
    module = ir.Module.parse(contract(op).example, context)
    instance = next(inner for inner in nested(module.operation) if inner.name == f"stablehlo.{op}")
    for interface in (ir.InferTypeOpInterface, ir.InferShapedTypeOpInterface):
        try:
            with context:
                interface(instance)
            implemented = True
        except ValueError:
            implemented = False
        assert (interface.__name__ in contract(op).traits) == implemented, interface.__name__


@pytest.mark.parametrize("op", PROVIDED)
def test_a_required_attribute_that_is_missing_is_an_error(op, context):
    module = ir.Module.parse(contract(op).example, context)
    instance = next(inner for inner in nested(module.operation) if inner.name == f"stablehlo.{op}")
    for attribute in contract(op).attributes:
        if attribute.default is not None or attribute.name not in instance.attributes:
            continue
        before = instance.attributes[attribute.name]
        del instance.attributes[attribute.name]
        with pytest.raises(ir.MLIRError, match="requires attribute"):
            instance.verify()
        instance.attributes[attribute.name] = before


def test_values_are_described_by_the_dialect(context):
    (pred, on_true, on_false) = operands(contract("select"), context)
    assert (pred.name, pred.types) == ("pred", "ranked tensor of bool values")
    assert (on_true.name, on_false.name) == ("on_true", "on_false")
    assert on_true.types.startswith("ranked tensor of")
    (result,) = results(contract("partition_id"), context)
    assert result.types == "ranked tensor of 32-bit unsigned integer values"


def test_variadic_groups_are_told_apart(context):
    names = [value.name for value in operands(contract("dynamic_slice"), context)]
    assert names == ["operand", "start_indices"]
    assert operands(contract("dynamic_slice"), context)[1].types.startswith("variadic of 0D tensor")


def test_the_page_of_an_op_has_all_sections(capsys):
    assert explain_op("stablehlo.sort", Options()) == 0
    page = capsys.readouterr().out
    for title in ("Operands", "Attributes", "Regions", "Results", "Traits", "Constraints", "Example"):
        assert f"\n{title}\n" in page
    assert "is_stable  bool; default: false" in page
    assert "C4  dimension is one" in page
    assert "spec.md#sort" in page


@pytest.mark.parametrize("op", PROVIDED)
def test_every_op_has_a_page(op):
    page = describe(contract(op))
    assert page.startswith(f"stablehlo.{op}, since StableHLO ")
    assert "Example" in page


def test_the_first_version_is_that_of_the_log():
    assert first_version_with("tan") == "1.4.0"
    assert first_version_with("composite") == "0.19.0"
    assert first_version_with("async_start") == "1.15.0"
    assert first_version_with("add") == "0.9.0 or before"


def test_an_unknown_op_is_an_error_with_a_guess():
    with pytest.raises(UsageError, match="did you mean gather"):
        explain_op("gathr", Options())


@pytest.mark.parametrize(
    ("op", "message", "number"),
    [
        ("gather", "slice size (5) is out of bounds for operand dimension (4) at index 1", "C21"),
        ("cholesky", "minor dimensions of 'a' must have equal size, got shape 7, 2.", "C3"),
        ("transpose", "attribute permutation must be a permutation of [0, 1, 2] but got 1, 1, 0", "C2"),
        ("sort", "comparator must return tensor<i1> but got 'tensor<f64>'", "C5"),
        ("abs", "'stablehlo.abs' op all non-scalar operands/results must have the same shape and base type", "C1"),
    ],
)
def test_a_message_is_traced_to_its_constraint(op, message, number):
    assert violated_constraint(op, message).number == number


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ("gather", "'stablehlo.gather' op failed to infer returned types"),
        ("gather", "something that no verifier says"),
        ("dot_general", "inferred nothing"),
        ("nothing", "slice size (5) is out of bounds for operand dimension (4) at index 1"),
        # The constraint behind this one depends on what else the op holds: two of them say the same.
        (
            "reduce",
            "inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'",
        ),
    ],
)
def test_no_constraint_is_named_without_certainty(op, message):
    assert violated_constraint(op, message) is None


def test_messages_are_compared_without_their_values():
    one = generalize("'stablehlo.pad' op expects {1, 2} of 'tensor<?x3xf32>' to be [0, 7), got -3.")
    other = generalize("expects {4} of 'tensor<9xi8>' to be [0, 12), got 5.")
    assert one == other


def test_an_op_that_the_bindings_lack_has_no_page(monkeypatch, capsys):
    lacking = SimpleNamespace(is_registered_operation=lambda name: name != "stablehlo.tan")
    monkeypatch.setattr("stablehlo_py.cli.information.make_context", lambda: lacking)
    with pytest.raises(UsageError) as raised:
        explain_op("tan", Options())
    assert raised.value.message == too_new("tan")
    assert capsys.readouterr().out == ""
    assert explain_op("sort", Options()) == 0
