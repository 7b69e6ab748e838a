"""Programs that no artifact holds, or none of a version: the op, the value, the place and the remedies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stablehlo_py.artifacts import Version
from stablehlo_py.artifacts.artifact import (
    _check_readable,
    deserialize_text,
    downgrade,
    legalize_to_vhlo,
    serialize,
    try_downgrade,
)
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import ArtifactError

KEEP = "keep what is not stablehlo as it is, without the guarantee, with: --allow-other-dialects"
REMOVE, STRING = "remove the attribute, or write its text as a string", "write its text as a string"
ONLY = "and a portable artifact holds only StableHLO's"
ATTRIBUTES: dict[str, tuple[str, str] | None] = {
    "my.a = array<i64: 1>": None,
    'my.a = "#foo.bar"': None,
    "my.a = dense<1> : tensor<2xindex>": None,
    "my.a = 1 : index": None,
    "my.a = {b = [1 : i32]}": None,
    "my.a = array<i32: 1, 2>": (f"carries the attribute 'my.a' with array<i32: 1, 2>, {ONLY}", REMOVE),
    "my.a = array<f32>": (f"carries the attribute 'my.a' with array<f32>, {ONLY}", REMOVE),
    "my.a = [1 : i32, array<i8: 1>]": (f"carries the attribute 'my.a' with array<i8: 1>, {ONLY}", REMOVE),
    'my.a = ["array<i8: 1>", unit]': ("carries my.a[1] = unit, which no portable artifact can hold", STRING),
    "my.a = #arith.fastmath<none>": (f"carries the attribute 'my.a' of the dialect arith, {ONLY}", REMOVE),
    "my.a = {b = [1 : i32, affine_map<(d0) -> (d0)>]}": (
        "carries my.a.b[1] = affine_map<(d0) -> (d0)>, which no portable artifact can hold",
        STRING,
    ),
    "my.a = loc(unknown)": ("carries my.a = loc(unknown), which no portable artifact can hold", STRING),
}
CONFIGS = {
    "array<i32: 1, 2>": "write dense<[1, 2]> : tensor<2xi32>",
    "array<f32: 1.500000e+00>": "write dense<[1.500000e+00]> : tensor<1xf32>",
    "array<i8>": "write dense<[]> : tensor<0xi8>",
    "unit": STRING,
}


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def refusal(text: str) -> tuple[str, str, tuple[str, ...]] | None:
    """The message, the place, and the notes but the last of a program that is refused; None for others."""
    module = ir.Module.parse(text)
    before = str(module)
    try:
        legalize_to_vhlo(module)
    except ArtifactError as error:
        *notes, last = error.notes
        assert last == KEEP
        assert str(module) == before
        return error.message, error.location, tuple(notes)
    return None


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes_without_a_form_are_named(attribute: str) -> None:
    text = f"""func.func @main(%x: tensor<f32>) {{
      %0 = stablehlo.sine %x {{my.fine = 1 : i32}} : tensor<f32>
      %1 = stablehlo.abs %x {{my.fine = 1 : i32, {attribute}}} : tensor<f32>
      return
    }}"""
    wanted = ATTRIBUTES[attribute]
    if wanted is None:
        assert refusal(text) is None
        return
    message, note = wanted
    found = refusal(text)
    assert found is not None
    assert found[0] == f"'stablehlo.abs' op {message}"
    assert found[1].endswith(":3:12")
    assert found[2] == (note,)


@pytest.mark.parametrize("value", CONFIGS)
def test_values_inside_of_an_ops_own_attribute_have_a_path(value: str) -> None:
    config = f"backend_config = {{a = [1 : i32, {{b = {value}}}]}}"
    call = f"stablehlo.custom_call @f() {{api_version = 4 : i32, {config}}} : () -> ()"
    found = refusal(f"func.func @main() {{\n  {call}\n  return\n}}")
    assert found is not None
    assert (
        found[0]
        == f"'stablehlo.custom_call' op carries backend_config.a[1].b = {value}, which no portable artifact can hold"
    )
    assert found[2] == (CONFIGS[value],)


def test_ops_of_other_dialects_are_named_with_what_lowers_them() -> None:
    found = refusal("func.func @main(%x: index) {\n  %0 = arith.addi %x, %x : index\n  return\n}")
    message = "'{}' op is not part of StableHLO, and a portable artifact holds nothing else"
    uses = "the program uses these dialects besides stablehlo: {}"
    assert found is not None
    assert (found[0], found[2]) == (message.format("arith.addi"), (uses.format("arith"),))
    assert found[1].endswith(":2:8")
    found = refusal("""func.func @main(%x: tensor<f32>) {
      %0 = stablehlo.abs %x : tensor<f32>
      %1 = shape.shape_of %x : tensor<f32> -> tensor<0xindex>
      %2 = chlo.sinh %x : tensor<f32> -> tensor<f32>
      %3 = math.sin %x : tensor<f32>
      %4 = tensor.extract %x[] : tensor<f32>
      %5 = arith.negf %4 : f32
      return
    }""")
    lower = "lower chlo and shape first, with: stablehlo-opt --chlo-pre-serialization-pipeline"
    assert found is not None
    assert (found[0], found[2]) == (
        message.format("shape.shape_of"),
        (uses.format("arith, chlo, math, shape, tensor"), lower),
    )


TAN = """func.func @main(%x: tensor<f32>, %y: tensor<2xi2>) -> tensor<f32> {
  %0 = stablehlo.tan %x : tensor<f32>
  %1 = stablehlo.tan %0 : tensor<f32>
  return %1 : tensor<f32>
}"""


def test_what_a_version_lacks_is_told_newest_first() -> None:
    module = ir.Module.parse(TAN)
    vhlo = legalize_to_vhlo(module)
    before = str(vhlo)
    with pytest.raises(ArtifactError) as raised:
        downgrade(vhlo, Version(1, 0))
    assert str(vhlo) == before
    assert raised.value.message == "the op tan needs StableHLO 1.4.0, and the target is 1.0.0"
    assert raised.value.location.endswith(":2:8")
    place = raised.value.location.rpartition(":2:8")[0] + ":1:1"
    assert raised.value.notes == (
        f"the element type i2 needs StableHLO 1.2.0, at {place}",
        "all of it, and what would do without: stablehlo-compat explain --target 1.0.0 -",
    )
    assert try_downgrade(vhlo, Version(1, 0)) is not None
    assert try_downgrade(legalize_to_vhlo(module), Version(1, 20)) is None


@pytest.mark.parametrize(
    ("file", "shown"), [("a b.mlir", "'a b.mlir'"), ("a.py", "-"), ("<stdin>", "-"), ("<string>", "-"), ("x", "x")]
)
def test_the_hint_names_the_file_of_the_program(file: str, shown: str) -> None:
    text = TAN.replace("}", '} loc("' + file + '":1:1)', 1)
    module = ir.Module.parse(f'module {{\n{text}\n}} loc("{file}":1:1)')
    with pytest.raises(ArtifactError) as raised:
        serialize(module, "1.0.0")
    assert raised.value.notes[-1].endswith(f"explain --target 1.0.0 {shown}")


def test_each_op_with_an_attribute_of_this_name_is_looked_at() -> None:
    found = refusal("""func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @f(%a) {mine = "#sdy.x"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @g(%0) {mine = [1], theirs = [#arith.fastmath<fast>]} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}""")
    assert found is not None
    assert found[0].startswith("'stablehlo.custom_call' op carries the attribute 'theirs' of the dialect arith")
    assert found[1].endswith(":3:8")


def test_an_array_that_no_artifact_holds_is_named():
    """JAX leaves one in the composites of scans for cuda and rocm."""
    module = ir.Module.parse(
        """func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "my.op" %a {
    decomposition = @same, composite_attributes = {a = array<i64: 1>, b = [{c = array<i32: 1, 1>}]}
  } : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @same(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }"""
    )
    message = "op carries the attribute 'composite_attributes' with array<i32: 1, 1>, and"
    with pytest.raises(ArtifactError, match=message):
        serialize(module)
    assert serialize(module, allow_other_dialects=True)


@pytest.mark.parametrize(
    ("old", "new", "message", "place"),
    [
        (
            "#vhlo.integer_v1<0 : i64>",
            '#vhlo.string_v1<"a">',
            "'stablehlo.iota' op requires attribute 'iota_dimension'",
            3,
        ),
        ("<0 : i64>", "<7 : i64>", "iota dimension cannot go beyond the output rank.", 3),
        ("vhlo.iota_v1", "vhlo.iota_v9", "this is not MLIR bytecode: it begins with b'modu' instead of b'ML\\xefR'", 0),
    ],
)
def test_text_in_vhlo_that_is_no_program_says_why(old: str, new: str, message: str, place: int) -> None:
    module = ir.Module.parse("func.func @main() {\n  %0 = stablehlo.iota dim = 0 : tensor<2xf32>\n  return\n}")
    text = str(legalize_to_vhlo(module))
    assert "stablehlo.iota" in str(deserialize_text(text.encode()))
    with pytest.raises(ArtifactError) as raised:
        deserialize_text(text.replace(old, new, 1).encode())
    assert raised.value.message == message
    assert raised.value.location.endswith(f":{place}:10" if place else "")


@pytest.mark.parametrize("version", ["1.0.0", "1.9.0", "current"])
def test_bytes_that_cannot_be_read_back_are_no_artifact(version: str) -> None:
    """MLIR writes some attributes that it cannot read."""
    module = ir.Module.parse("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    data = serialize(module, version)
    _check_readable(data, module.context)
    for bad in (b"no artifact", data[: len(data) // 2], data[:-1]):
        with pytest.raises(ArtifactError, match=r"^[^\n]*the artifact could not be read back: ."):
            _check_readable(bad, module.context)
