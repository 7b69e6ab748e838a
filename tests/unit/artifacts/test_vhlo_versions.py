"""The version log against the bindings: everything that it says is tried."""

import itertools
from pathlib import Path

import pytest
from parsed import parsed

import stablehlo_py
from stablehlo_py.artifacts import needs as needs_module
from stablehlo_py.artifacts.artifact import legalize_to_vhlo, serialize, try_downgrade
from stablehlo_py.artifacts.explanation import explain, minimum
from stablehlo_py.artifacts.header import read_header
from stablehlo_py.artifacts.needs import FORMS, needs
from stablehlo_py.artifacts.versions import (
    Version,
    current_version,
    features,
    minimum_version,
    named_versions,
    opset_versions,
    resolve_version,
    version_log,
)
from stablehlo_py.bindings import ir, make_context, passmanager, stablehlo_extension
from stablehlo_py.errors import UsageError

COMPENDIUM = Path(__file__).parents[2] / "lit" / "vhlo" / "Inputs" / "compendium.mlir"
WRITABLE = [feature for feature in features() if feature.version <= current_version().opset]


def oldest_by_trying(module: ir.Module) -> Version:
    for version in opset_versions():
        if try_downgrade(legalize_to_vhlo(module), version) is None:
            return version
    raise AssertionError("no version can hold the program")


@pytest.mark.parametrize("feature", WRITABLE, ids=lambda feature: feature.name)
def test_a_feature_came_with_its_version(feature):
    module = parsed(feature.program)
    assert oldest_by_trying(module) == feature.version


@pytest.mark.parametrize("feature", WRITABLE, ids=lambda feature: feature.name)
def test_a_feature_is_what_keeps_its_program_from_the_version_before(feature):
    module = parsed(feature.program)
    before = opset_versions()[opset_versions().index(feature.version) - 1]
    explanation = explain(module, before)
    assert feature in [need.feature for need in explanation.blockers]
    assert explanation.minimum == feature.version
    assert {need.version for need in explanation.blockers} == {feature.version}
    assert feature in [need.feature for need in minimum(module).held_by]


@pytest.mark.parametrize(
    "feature", [feature for feature in WRITABLE if feature.lifted_by], ids=lambda feature: feature.name
)
def test_the_pass_that_lifts_a_feature_does(feature):
    module = parsed(feature.program)
    before = opset_versions()[opset_versions().index(feature.version) - 1]
    on_module = "expander" in feature.lifted_by
    pipeline = f"{feature.lifted_by}{{target={before}}}" if on_module else f"func.func({feature.lifted_by})"
    with module.context:
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
    assert try_downgrade(legalize_to_vhlo(module), before) is None


@pytest.mark.parametrize("version", opset_versions(), ids=str)
def test_artifacts_are_written_in_the_bytecode_format_of_the_log(version):
    entry = [entry for entry in version_log() if entry.version <= version][-1]
    context = make_context()
    with context:
        module = ir.Module.parse("func.func @main() { return }")
        written = read_header(stablehlo_extension.serialize_portable_artifact(module, str(version)))
    assert (written.bytecode_version, written.version) == (entry.bytecode, version)


def test_the_log_is_complete_and_in_order():
    log = version_log()
    assert [entry.version for entry in log] == sorted(entry.version for entry in log)
    assert log[0].version == minimum_version()
    assert current_version().opset in [entry.version for entry in log]
    assert [entry.date for entry in log] == sorted(entry.date for entry in log)
    for earlier, later in itertools.pairwise(log):
        follows = (earlier.version.major, earlier.version.minor + 1), (earlier.version.major + 1, 0)
        assert (later.version.major, later.version.minor) in follows


def test_every_form_has_a_reason():
    assert sorted(FORMS) == sorted(feature.name for feature in features() if feature.kind == "form")


def test_what_is_known_of_each_function_agrees_with_trying():
    context = make_context()
    module = ir.Module.parse(COMPENDIUM.read_text(), context)
    known = {}
    for need in needs(legalize_to_vhlo(module)):
        for place in need.places:
            known[place.function] = max(need.version, known.get(place.function, minimum_version()))
    callee = next(op for op in module.body.operations if str(op.name) == '"callee"')
    assert len(known) > 20
    for function in module.body.operations:
        name = str(function.name).strip('"')
        text = str(function) if name == "callee" else f"{function}\n{callee}"
        alone = ir.Module.parse(text, context)
        assert oldest_by_trying(alone) == known.get(name, minimum_version()), name


@pytest.mark.parametrize(
    ("text", "version"),
    [("0.9.0", (0, 9)), ("1.4.7", (1, 4)), ("minimum", (0, 9)), ("MINIMUM", (0, 9)), ("0.9.9", (0, 9))],
)
def test_a_patch_version_folds_to_the_minor(text, version):
    assert resolve_version(text) == Version(*version)


def test_each_name_is_asked_for_by_itself(monkeypatch):
    requirement = stablehlo_extension.StablehloCompatibilityRequirement
    said = {requirement.WEEK_4: "1.3.5", requirement.WEEK_12: "1.2.7"}
    monkeypatch.setattr(stablehlo_extension, "get_version_from_compatibility_requirement", said.__getitem__)
    found = named_versions.__wrapped__()
    assert (found["4w"], found["12w"]) == (Version(1, 3, 5), Version(1, 2, 7))
    assert (found["current"], found["minimum"]) == (current_version(), minimum_version())


def test_names_stand_for_what_the_bindings_say():
    assert resolve_version("current") == current_version().opset
    assert minimum_version() < resolve_version("12w") <= resolve_version("4w") <= current_version()
    assert set(named_versions()) == {"current", "minimum", "4w", "12w"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a version"),
        ("1.4", "is not a version"),
        ("v1.4.0", "is not a version"),
        ("1.4.0-rc1", "is not a version"),
        ("1" * 5000 + ".0.0", "is not a version"),
        ("0.8.0", "less than minimum supported 0.9.0"),
        ("99.0.0", "greater than current version"),
    ],
)
def test_what_is_no_target_is_refused_with_what_is(text, message):
    with pytest.raises(UsageError, match=message) as caught:
        resolve_version(text)
    assert "current, minimum, 4w and 12w" in str(caught.value)


def test_versions_order_by_number_and_not_by_text():
    assert Version(1, 9) < Version(1, 10) < Version(2, 0)
    assert str(Version(1, 10, 3)) == "1.10.3"


def test_all_blockers_are_found_and_not_the_first():
    program = """
func.func @main(%a: tensor<2xi2>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%b) <{
    result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>
  }> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @house(%0, %a) {api_version = 4 : i32}
    : (tensor<2xf32>, tensor<2xi2>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}"""
    explanation = explain(parsed(program), Version(1, 0))
    found = {need.feature.name: [place.op for place in need.places] for need in explanation.blockers}
    assert found == {
        "result accuracy": ["stablehlo.tan"],
        "tan": ["stablehlo.tan"],
        "typed custom call": ["stablehlo.custom_call"],
        "i2": ["func.func", "stablehlo.custom_call"],
    }
    versions = [need.version for need in explanation.blockers]
    assert versions == sorted(versions, reverse=True), "the newest comes first"
    assert versions[0] > versions[-1]


def test_an_op_that_the_log_does_not_know_is_found_by_trying(monkeypatch):
    monkeypatch.setattr(needs_module, "_carriers", lambda *kinds: {})
    program = next(feature for feature in features() if feature.name == "tan").program
    explanation = explain(parsed(program), Version(1, 3))
    (blocker,) = explanation.blockers
    assert (blocker.feature.kind, blocker.version, blocker.places[0].op) == ("unknown", Version(1, 4), "stablehlo.tan")


def test_an_attribute_s_default_needs_nothing():
    program = "func.func @main(%a: tensor<f32>) { %0 = stablehlo.cosine %a : tensor<f32> return }"
    assert minimum(parsed(program)).version == minimum_version()


def test_explaining_leaves_the_program_as_it_is():
    module = parsed(COMPENDIUM.read_text())
    before = str(module)
    explain(module, minimum_version())
    serialize(module)
    assert str(module) == before


HIGHEST = "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>"


@pytest.mark.parametrize(
    ("op", "first", "second"),
    [
        ("stablehlo.convert", "%x : (tensor<f32>) -> tensor<f16>", "%x : (tensor<f32>) -> tensor<f4E2M1FN>"),
        ("stablehlo.convert", "%x : (tensor<f32>) -> tensor<i8>", "%y : (tensor<f6E2M3FN>) -> tensor<i8>"),
        ("stablehlo.sine", "%x : tensor<f32>", f"%x {{result_accuracy = {HIGHEST}}} : tensor<f32>"),
    ],
)
@pytest.mark.parametrize("position", [1, 2])
def test_ops_that_differ_in_one_thing_have_their_own_needs(op, first, second, position):
    """What was found out for one op is kept for those like it."""
    lines = [first, second] if position == 2 else [second, first]
    body = "".join(f"  %{number} = {op} {line}\n" for number, line in enumerate(lines))
    module = stablehlo_py.parse(f"func.func @f(%x: tensor<f32>, %y: tensor<f6E2M3FN>) {{\n{body}  return\n}}")
    assert {place.index for need in needs(legalize_to_vhlo(module)) for place in need.places} - {0} == {position}
