"""What a profile learns of an op, and what it says of programs: refused is only what one feature explains."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import PassError, UsageError
from stablehlo_py.passes.check_profile import BackendProfile, CheckProfile, OpProfile, features, profile_names

ABS = "stablehlo.abs"
KEPT: list[ir.Module] = []  # an operation does not keep its module alive


def module(line: str, *types: str) -> ir.Operation:
    """A program of one line with the parameters `%0`, `%1`, …"""
    parameters = ", ".join(f"%{number}: {type_}" for number, type_ in enumerate(types))
    text = f"func.func @main({parameters}) {{\n  {line}\n  return\n}}"
    parsed = ir.Module.parse(text, make_context())
    KEPT.append(parsed)
    return parsed.operation


def unary(op: str, type_: str) -> ir.Operation:
    return module(f'%r = "{op}"(%0) : ({type_}) -> {type_}', type_)


@pytest.mark.parametrize(
    ("line", "types", "expected"),
    [
        ("%r = stablehlo.abs %0 : tensor<2x3xf32>", ["tensor<2x3xf32>"], {"element types": "f32", "rank": "2"}),
        (
            "%r = stablehlo.compare LT, %0, %0, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>",
            ["tensor<f32>"],
            {
                "element types": "(f32, f32) -> (i1)",
                "rank": "0",
                "comparison_direction": "LT",
                "compare_type": "TOTALORDER",
            },
        ),
        (
            "%r = stablehlo.slice %0 [0:4:1] : (tensor<4xi8>) -> tensor<4xi8>",
            ["tensor<4xi8>"],
            {
                "element types": "i8",
                "rank": "1",
                "start_indices": "all 0",
                "limit_indices": "other numbers",
                "strides": "all 1",
            },
        ),
        (
            "%r = stablehlo.pad %0, %1, low = [-1], high = [0], interior = [0]"
            " : (tensor<4xi8>, tensor<i8>) -> tensor<3xi8>",
            ["tensor<4xi8>", "tensor<i8>"],
            {
                "element types": "i8",
                "rank": "1",
                "edge_padding_low": "negative numbers",
                "edge_padding_high": "all 0",
                "interior_padding": "all 0",
            },
        ),
        (
            "%r = stablehlo.dot %0, %0, precision = [HIGH, DEFAULT] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>",
            ["tensor<2xf32>"],
            {"element types": "f32", "rank": "1", "precision_config": "DEFAULT, HIGH"},
        ),
        (
            "%r = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 1.0}>>) -> tensor<2xf32>",
            ["tensor<2x!quant.uniform<i8:f32:0, {0.5, 1.0}>>"],
            {"element types": "(quantized i8:f32 along an axis) -> (f32)", "rank": "1"},
        ),
        (
            "%r = stablehlo.uniform_dequantize %0 : (tensor<!quant.uniform<i8<-127:127>:f32, 0.5:3>>) -> tensor<f32>",
            ["tensor<!quant.uniform<i8<-127:127>:f32, 0.5:3>>"],
            {"element types": "(quantized i8:f32) -> (f32)", "rank": "0"},
        ),
        ("%r = stablehlo.constant dense<1> : tensor<2xi8>", [], {"element types": "i8", "rank": "1"}),
    ],
)
def test_features(line: str, types: list[str], expected: dict[str, str]) -> None:
    op = next(op for op in operations(module(line, *types)) if op.name.startswith("stablehlo."))
    assert dict(features(op)) == expected


@pytest.mark.parametrize(
    ("numbers", "form"),
    [
        ([0, 0], "all 0"),
        ([1, 1], "all 1"),
        ([2, 2], "other numbers"),
        ([3, 3], "other numbers"),
        ([0, 1], "other numbers"),
        ([1, 2], "other numbers"),
        ([-1, -1], "negative numbers"),
        ([1, -1], "negative numbers"),
        ([], None),
        ([1] * 64, "all 1"),
        ([1] * 65, None),
        ([0] * 64 + [1], None),
    ],
)
@pytest.mark.parametrize("is_array", [True, False])
def test_the_form_of_a_list_of_numbers(numbers: list[int], form: str | None, is_array: bool) -> None:
    count = len(numbers)
    text = "array<i64>" if not numbers else f"array<i64: {', '.join(map(str, numbers))}>"
    text = text if is_array else f"dense<{numbers}> : tensor<{count}xi64>"
    op = next(op for op in operations(module(f'"stablehlo.custom_call"() {{call_target_name = "f", mhlo.n = {text}}}'
                                             " : () -> ()")) if op.name.startswith("stablehlo."))  # fmt: skip
    assert dict(features(op)).get("mhlo.n") == form


@pytest.mark.parametrize("names", list(itertools.product(("DEFAULT", "HIGH", "HIGHEST"), repeat=2)))
def test_enumerators_of_a_list_are_told_once_in_their_order(names: tuple[str, str]) -> None:
    line = (
        f"%r = stablehlo.dot %0, %0, precision = [{', '.join(names)}] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>"
    )
    op = next(op for op in operations(module(line, "tensor<2xf32>")) if op.name == "stablehlo.dot")
    assert dict(features(op))["precision_config"] == ", ".join(sorted(set(names)))


def learned(*runs: tuple[ir.Operation, str, bool]) -> BackendProfile:
    return BackendProfile.learned({"engine": "mine", "date": "2026-11-26"}, runs)


def test_what_runs_is_taken_and_one_new_feature_is_refused() -> None:
    profile = learned(
        (unary(ABS, "tensor<2xf8E5M2>"), ABS, False),  # before anything is taken
        (unary(ABS, "tensor<2xf32>"), ABS, True),
        (unary(ABS, "tensor<2xf32>"), ABS, True),
        (unary(ABS, "tensor<2x2xf64>"), ABS, False),  # two features are new: neither is blamed
        (unary("stablehlo.cosine", "tensor<2xf32>"), "stablehlo.cosine", False),
    )
    assert profile.ops == {
        ABS: OpProfile({"element types": ["f32"], "rank": ["1"]}, {"element types": ["f8E5M2"]}),
        "stablehlo.cosine": OpProfile(),
    }


def test_ops_beside_the_one_that_a_program_is_about_are_taken_and_never_blamed() -> None:
    text = "%r = stablehlo.abs %0 : tensor<f32>\n  %s = stablehlo.sine %r : tensor<f32>"
    ran, refused = learned((module(text, "tensor<f32>"), ABS, True)), learned((module(text, "tensor<f32>"), ABS, False))
    assert set(ran.ops) == {ABS, "stablehlo.sine"}
    assert set(refused.ops) == {ABS}


def test_a_profile_is_read_as_it_was_written(tmp_path: Path) -> None:
    profile = learned(
        (unary(ABS, "tensor<2xf32>"), ABS, True),
        (unary(ABS, "tensor<2xf64>"), ABS, False),
        (unary("stablehlo.cosine", "tensor<2xf32>"), "stablehlo.cosine", False),
    )
    path = tmp_path / 'a "profile".toml'
    path.write_text(profile.toml())
    read = BackendProfile.read(str(path))
    assert (read.about, read.ops, read.name) == (profile.about, profile.ops, 'a "profile"')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no profile: 'about'"),
        ("[about\n", "no profile: Expected"),
        ("[about]\nops = 1\n", "no profile: 'ops'"),
        ('[about]\nengine = "x"\n[ops.a]\nwrong = 1\n', "no profile: .*unexpected keyword argument 'wrong'"),
        ("about = 1\nops = 2\n", "no profile: "),
    ],
)
def test_files_that_are_no_profiles(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        BackendProfile.read(str(path))


def test_unknown_names_are_told_what_there_is() -> None:
    with pytest.raises(
        UsageError, match=r"no profile 'xla-cpv'; did you mean xla-cpu\?; there are .*reference.*, and files"
    ):
        BackendProfile.read("xla-cpv")


@pytest.mark.parametrize("name", profile_names())
def test_profiles_of_the_package(name: str) -> None:
    profile = BackendProfile.read(name)
    assert {"engine", "versions", "date", "cases"} == profile.about.keys()
    assert len(profile.ops) > 90
    assert "f32" in profile.ops["stablehlo.add"].takes["element types"]
    for entry in profile.ops.values():
        for kind, values in entry.refuses.items():
            assert values
            assert not {*values} & {*entry.takes[kind]}


def test_there_are_profiles() -> None:
    assert {"iree-llvm-cpu", "reference", "xla-cpu"} == {*profile_names()}


def test_the_pass_names_each_op_with_what_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(learned((unary(ABS, "tensor<f32>"), ABS, True), (unary(ABS, "tensor<f64>"), ABS, False)).toml())
    check = CheckProfile(str(path))
    check.run(unary(ABS, "tensor<2xf32>"))  # its rank is not measured
    with pytest.raises(PassError) as caught:
        check.run(unary(ABS, "tensor<f64>"))
    (found,) = caught.value.diagnostics
    assert found.message == "'stablehlo.abs' op is outside the profile 'mine': element types f64 refused; taken: f32"
    assert [note.message for note in found.notes] == ["measured with mine on 2026-11-26"]


def test_an_op_of_which_nothing_is_taken_is_refused_in_every_form() -> None:
    profile = learned((unary(ABS, "tensor<f32>"), ABS, False))
    (found,) = profile.outside(unary(ABS, "tensor<9x9xi8>"))
    assert found.message.endswith(": the op is refused")


def test_what_was_not_measured_is_counted() -> None:
    profile = learned((unary(ABS, "tensor<f32>"), ABS, True), (unary(ABS, "tensor<f64>"), ABS, False))
    lines = [
        f"%{number + 1} = stablehlo.{op} %{number} : tensor<f16>" for number, op in enumerate(("abs", "sine", "sine"))
    ]
    text = "\n".join(lines)
    assert profile.unmeasured(module(text, "tensor<f16>")) == {"stablehlo.abs of f16": 1, "stablehlo.sine": 2}
    assert not profile.unmeasured(unary(ABS, "tensor<f64>"))
