"""Orders of needs, calls of typed interfaces, entries without bytes, and forms that are none."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from bytecode_bytes import section, strings, varint, with_tables

import stablehlo_py
from stablehlo_py.artifacts import artifact, explanation
from stablehlo_py.artifacts.artifact import legalize_to_vhlo
from stablehlo_py.artifacts.bytecode import MAGIC, Bytecode, ByteCursor, Section
from stablehlo_py.artifacts.contents import Tables
from stablehlo_py.artifacts.explanation import explain
from stablehlo_py.artifacts.formats import export, to_mlir
from stablehlo_py.artifacts.formats.hlo_export import _unfoldable
from stablehlo_py.artifacts.needs import FORMS, Need, NeedsOfOps, needs, occurrences, signature
from stablehlo_py.artifacts.soundness import check_names, check_types, check_values
from stablehlo_py.artifacts.versions import Feature, Version, current_version, features, first_version_with
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import ArtifactError, Diagnostic, UsageError

HIGHEST = "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>"


@pytest.mark.parametrize(
    ("op", "found"),
    [
        (f"stablehlo.exponential %n {{result_accuracy = {HIGHEST}}} : tensor<f8E4M3FNUZ>",
         ["f8E4M3FNUZ", "result accuracy of exponential"]),
        (f"stablehlo.tan %n {{result_accuracy = {HIGHEST}}} : tensor<f8E4M3FNUZ>",
         ["f8E4M3FNUZ", "tan", "result accuracy"]),
        ("stablehlo.convert %s : (tensor<f4E2M1FN>) -> tensor<f8E4M3FNUZ>", ["f8E4M3FNUZ", "f4E2M1FN"]),
        ("stablehlo.convert %n : (tensor<f8E4M3FNUZ>) -> tensor<f4E2M1FN>", ["f8E4M3FNUZ", "f4E2M1FN"]),
        ("stablehlo.abs %x : tensor<f32>", []),
    ],
)  # fmt: skip
def test_the_needs_of_an_op_are_listed_from_the_oldest_on_each_once(op: str, found: list[str]) -> None:
    parameters = "%n: tensor<f8E4M3FNUZ>, %s: tensor<f4E2M1FN>, %x: tensor<f32>"
    vhlo = legalize_to_vhlo(stablehlo_py.parse(f"func.func @main({parameters}) {{ %0 = {op} return }}"))
    (one,) = (each.operation for each in occurrences(vhlo) if each.place.index == 1)
    needs_of = NeedsOfOps()
    for _ in range(2):  # also when they are known
        assert [feature.name for feature in needs_of.of(one)] == found


def call(attributes: str) -> str:
    return f"stablehlo.custom_call @mine(%x) {{{attributes}}} : (tensor<f32>) -> tensor<f32>"


@pytest.mark.parametrize(
    ("attributes", "typed"),
    [
        ("", False),
        ("api_version = 2 : i32", False),
        ('api_version = 2 : i32, backend_config = "#vhlo.dict_v1"', False),
        ("api_version = 4 : i32", True),
        ("api_version = 4 : i32, backend_config = {a = 1 : i32}", True),
    ],
)
def test_calls_of_the_typed_interface_need_it(attributes: str, typed: bool) -> None:
    module = stablehlo_py.parse(f"func.func @main(%x: tensor<f32>) {{ %0 = {call(attributes)} return }}")
    vhlo = legalize_to_vhlo(module)
    (one,) = (each.operation for each in occurrences(vhlo) if each.place.index == 1)
    assert FORMS["typed custom call"](one) == typed
    assert ["typed custom call"] * typed == [need.feature.name for need in needs(vhlo)]


@pytest.mark.parametrize("types", list(permutations(["f4E2M1FN", "f8E8M0FNU", "f8E4M3"])), ids="-".join)
def test_features_are_told_newest_first_and_those_of_one_version_in_the_order_of_the_program(
    types: tuple[str, ...],
) -> None:
    lines = [f"%{n} = stablehlo.constant dense<1.0> : tensor<2x{type_}>" for n, type_ in enumerate(types)]
    module = stablehlo_py.parse(f"func.func @main() {{ {' '.join(lines)} return }}")
    newest = [type_ for type_ in types if type_ != "f8E4M3"]  # of 1.8.0, after 1.7.0
    assert [need.feature.name for need in needs(legalize_to_vhlo(module))] == [*newest, "f8E4M3"]


def test_blockers_that_are_known_and_those_that_are_found_by_trying_come_newest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unknown = [Feature(Version(1, minor), f"u{minor}", "unknown", (), "", "", "", "") for minor in (2, 12, 5)]
    monkeypatch.setattr(explanation, "_unexplained", lambda *_: [Need(each) for each in unknown])
    ops = f"%0 = stablehlo.tan %x : tensor<f32>\n%1 = {call('api_version = 4 : i32')}"
    module = stablehlo_py.parse(f"func.func @main(%x: tensor<f32>) {{ {ops} return }}")
    found = explain(module, Version(1, 0)).blockers
    assert [need.feature.name for need in found] == ["u12", "u5", "tan", "typed custom call", "u2"]
    assert explain(module, Version(1, 4)).blockers == ()  # nothing is tried where the program has a form


@pytest.mark.parametrize("minor", range(8))
def test_an_op_without_a_form_in_a_version_that_has_it_is_told_with_the_oldest_that_works(
    minor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tangents came with 1.4.0; here they have a form from 1.7.0 on only, for a reason that nobody knows."""

    def has_form(vhlo: ir.Operation, target: Version) -> bool:
        return target >= Version(1, 7) or "vhlo.tan" not in str(vhlo)

    monkeypatch.setattr(explanation, "_can_downgrade", has_form)
    ops = (
        "%0 = stablehlo.tan %x : tensor<f32>\n%1 = stablehlo.abs %0 : tensor<f32>\n%2 = stablehlo.tan %1 : tensor<f32>"
    )
    module = stablehlo_py.parse(f"func.func @main(%x: tensor<f32>) {{\n{ops}\nreturn }}")
    found = explain(module, Version(1, minor))
    assert found.minimum == Version(1, 7)
    told = [(re.sub(r"_v\d", "", need.feature.name), need.version, len(need.places)) for need in found.blockers]
    known, unknown = ("tan", Version(1, 4), 2), ("tan in this form", Version(1, 7), 2)
    assert told == ([known] if minor < 4 else [unknown] if minor < 7 else [])


@pytest.mark.parametrize(
    ("minor", "said"),
    [
        (3, "tan needs StableHLO 1.4.0, and the target is 1.3.0"),
        (4, "no way: it has no form in StableHLO 1.4.0"),
        (5, "no way: it has no form in StableHLO 1.5.0"),
    ],
)
def test_what_a_version_has_is_no_reason_that_a_program_has_no_form_in_it(
    minor: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = Diagnostic("error", "here:1:2", "no way that was explicitly marked illegal: vhlo.tan_v1")
    monkeypatch.setattr(artifact, "try_downgrade", lambda *_: refusal)
    module = stablehlo_py.parse("func.func @main(%x: tensor<f32>) {\n%0 = stablehlo.tan %x : tensor<f32>\nreturn }")
    with pytest.raises(ArtifactError) as raised:
        artifact.downgrade(legalize_to_vhlo(module), Version(1, minor))
    assert raised.value.message.endswith(said)
    assert raised.value.location == ("<string>:2:6" if minor < 4 else "here:1:2")
    assert f"stablehlo-compat explain --target 1.{minor}.0 -" in str(raised.value.notes[-1])


@pytest.mark.parametrize(("start", "end", "left"), [(0, 0, 0), (0, 2, 2), (3, 4, 1), (4, 3, 0), (9, 1, 0)])
def test_a_cursor_says_what_is_left_of_its_part(start: int, end: int, left: int) -> None:
    for count in range(1, left + 1):
        ByteCursor(bytes(16), start, end).skip(count)
    with pytest.raises(ArtifactError) as raised:
        ByteCursor(bytes(16), start, end).take(left + 1)
    what = "1 byte" if left == 0 else f"{left + 1} bytes"
    assert raised.value.message.endswith(f"{what} should follow at offset {start}, where {left} are left")


def test_an_entry_without_bytes_at_the_end_of_a_file_is_left_to_the_reader() -> None:
    for custom in (0, 1):
        offsets = (
            varint(1) + varint(1) + varint(0) + varint(1) + varint(custom) + varint(0) + varint(1) + varint(custom)
        )
        parts = {
            Section.STRINGS: strings(b"builtin"), Section.DIALECTS: varint(1) + varint(0) + varint(0),
            Section.ATTRIBUTE_AND_TYPE_OFFSETS: offsets, Section.IR: b"ir", Section.PROPERTIES: b"\x01",
            Section.ATTRIBUTES_AND_TYPES: b"",
        }  # fmt: skip
        body = b"".join(section(identity, content) for identity, content in parts.items())
        found = Bytecode(MAGIC + varint(6) + b"mine\0" + body)
        (attribute,), (type_,) = found.attribute_sizes(), found.type_sizes()
        assert (attribute.start, attribute.end, type_.size) == (len(found.buffer), len(found.buffer), 0)
        check_types(found)
        check_names(found)
        check_values(found)


def test_ops_of_dialects_that_nobody_knows_stay_for_the_converter() -> None:
    text = 'func.func @main(%x: tensor<2xf32>) {\n%0 = "mine.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>\nreturn\n}'
    assert '"mine.op"(%arg0)' in _unfoldable(text.encode()).decode()


def test_a_form_that_is_none_is_told_with_those_that_there_are() -> None:
    for asked, hint in (("hlo-txt", "; did you mean hlo-text?"), ("", "")):
        with pytest.raises(UsageError) as raised:
            to_mlir(b"", asked)
        assert raised.value.message == f"no importer for '{asked}'{hint}"
        assert raised.value.notes == ("there are hlo-text, hlo-proto, jax-export, mhlo, onnx, torch-export",)
        with pytest.raises(UsageError) as raised:
            export(stablehlo_py.parse("func.func @main() { return }"), asked)
        assert raised.value.message == f"no exporter for '{asked}'{hint}"
        assert raised.value.notes == ("there are hlo-text, hlo-proto, mhlo",)


def test_ops_are_in_the_first_version_that_has_them() -> None:
    known = {feature.name: str(feature.version) for feature in features() if feature.kind == "op"}
    assert {"tan", "composite", "collective_broadcast", "collective_reduce"} <= known.keys()
    for name in ("tan", "composite", "collective_broadcast", "collective_reduce"):
        assert first_version_with(name) == known[name]
    assert first_version_with("async_done") == first_version_with("async_start") == known["async"]
    for name in ("add", "gather", "custom_call", "exponential", "f8E4M3", "nothing", "ta", ""):
        assert first_version_with(name) == "0.9.0 or before"


def test_ops_are_alike_in_all_but_their_places_and_the_values_of_constants() -> None:
    lines = [
        "%0 = stablehlo.constant dense<1.0> : tensor<2xf32>",
        "%1 = stablehlo.constant dense<2.0> : tensor<2xf32>",
        "%2 = stablehlo.constant dense<1.0> : tensor<3xf32>",
        "%3 = stablehlo.constant {a.b = 1 : i32} dense<1.0> : tensor<2xf32>",
        "%4 = stablehlo.abs %0 : tensor<2xf32>",
        "%5 = stablehlo.abs %1 : tensor<2xf32>",
        "%6 = stablehlo.negate %1 : tensor<2xf32>",
    ]
    module = stablehlo_py.parse("\n".join(["func.func @main() {", *lines, "return }"]))
    found = [signature(op) for op in operations(module.operation)[2:-1]]
    vhlo = legalize_to_vhlo(module)
    of_vhlo = [signature(op) for op in operations(vhlo)[2:-1]]
    for each, constants in ((found, False), (of_vhlo, True)):  # the values of constants count in other dialects alone
        numbers = [each.index(one) for one in each]
        assert numbers == [0, 0 if constants else 1, 2, 3, 4, 4, 6]


def test_dictionaries_that_are_damaged_are_left_to_the_reader_if_all_names_are_text() -> None:
    damaged = "builtin", varint(1) + varint(5), True  # it announces entries that it has not
    check_names(with_tables([damaged], texts=["name"]))
    with pytest.raises(ArtifactError):
        list(Tables(with_tables([damaged])).dictionaries())


REDUCE = """func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.if"(%p) ({ stablehlo.return %0 : tensor<f32> }, { stablehlo.return %z : tensor<f32> })
    : (tensor<i1>) -> tensor<f32>
  return %1 : tensor<f32>
}"""


def test_ops_by_themselves_are_valid_with_empty_regions_and_have_a_form() -> None:
    vhlo = legalize_to_vhlo(stablehlo_py.parse(REDUCE))
    found = [each.operation for each in occurrences(vhlo) if each.place.op.startswith("stablehlo.")]
    ops = [op for op in found if op.name != "vhlo.return_v1"]
    assert sum(len(op.regions) for op in ops) == 3
    alone = explanation._isolated(ops)
    assert alone.operation.verify()
    homes = [home.operation for home in alone.body.operations]
    assert len(homes) == len(ops)
    for home, op in zip(homes, ops, strict=True):
        *casts, copy = [inner for inner in operations(home)[1:] if inner.name != "vhlo.return_v1"]
        assert [cast.name for cast in casts] == ["builtin.unrealized_conversion_cast"] * bool(len(op.operands))
        assert signature(copy) == signature(op)
        assert sum(inner.name == "vhlo.return_v1" for inner in operations(home)) == len(op.regions)
    assert explanation._stuck(ops, current_version()) == explanation._stuck([], current_version()) == []
