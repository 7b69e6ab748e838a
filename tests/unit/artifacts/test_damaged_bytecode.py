"""Damaged bytecode: `parse`, `deserialize` and `info` name the damage, and what they return can be used."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable

import pytest
from damaged_artifacts import GOLDEN, mutated, read

import stablehlo_py
from stablehlo_py.artifacts.bytecode import REQUIRED_SECTIONS, Bytecode, Encoded, Section
from stablehlo_py.artifacts.header import read_header
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.errors import ArtifactError, ParseError, as_diagnostics

READERS = (stablehlo_py.parse, stablehlo_py.deserialize)
PROGRAM = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = stablehlo.transpose %0, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  return %1 : tensor<4xf32>
}"""


@pytest.fixture(scope="module")
def artifact() -> bytes:
    return stablehlo_py.serialize(stablehlo_py.parse(PROGRAM), "1.0.0")


@pytest.fixture(scope="module")
def plain() -> bytes:
    """The same program as MLIR's own bytecode."""
    return bytecode_of(ir.Module.parse(PROGRAM, make_context()))


def refused(data: bytes, message: str, *readers: Callable[[bytes], object]) -> None:
    for reader in readers if readers else (*READERS, read_header):
        with pytest.raises(ArtifactError, match=message):
            reader(data)


def changed(data: bytes, position: int, byte: int) -> bytes:
    return data[:position] + bytes([byte]) + data[position + 1 :]


def without(data: bytes, section: Section) -> bytes:
    """The file without a section: its number, its length and its content; padding stays nobody's."""
    bytecode = Bytecode(data)
    kept = data[: data.index(b"\0") + 1]
    for number, size in bytecode.sections.items():
        if number != section:
            kept += bytes([number]) + b"\0" + size.size.to_bytes(8, "little") + data[size.start : size.end]
    return kept


@pytest.mark.parametrize("section", [*REQUIRED_SECTIONS, Section.PROPERTIES], ids=lambda section: section.name)
def test_a_missing_section_is_named(artifact, plain, section):
    for data in (artifact, plain):
        refused(without(data, section), f"the section for {section.name.lower().replace('_', ' ')} is missing")


def test_a_section_of_an_unknown_kind_is_refused(artifact):
    refused(artifact + bytes([9, 1]), "section 9 is of no kind that version 6 of the format has")


def test_a_newer_format_may_have_sections_that_are_not_known(artifact):
    newer = changed(artifact, 4, 99 << 1 | 1) + bytes([9, 1])
    assert read_header(newer).sections["section 9"] == 0


def test_offsets_past_the_end_of_a_section_are_refused(artifact):
    offsets = Bytecode(artifact).sections[Section.ATTRIBUTE_AND_TYPE_OFFSETS]
    wrong = [changed(artifact, position, 0xFF) for position in range(offsets.start, offsets.end)]
    messages = set()
    for data in wrong:
        with pytest.raises(ArtifactError) as caught:
            read_header(data)
        messages.add(caught.value.message.partition(": ")[2].partition(" ")[0])
    assert "attributes" in messages
    refused(wrong[-1], "attributes and types take")


def test_a_file_that_is_cut_off_is_refused(artifact, plain):
    for data in (artifact, plain):
        for end in range(4, len(data) - 1):
            refused(data[:end], "damaged or cut short", read_header)
        for end in range(4, len(data) - 1, 29):
            refused(data[:end], "damaged or cut short", *READERS)


def entry_of(data: bytes, entries: list[Encoded], code: int, dialect: str) -> Encoded:
    return next(entry for entry in entries if entry.dialect == dialect and data[entry.start] >> 1 == code)


@pytest.mark.parametrize(("kind", "dialect", "code"), [("artifact", "vhlo", 20), ("plain", "builtin", 13)])
def test_a_constant_of_another_size_than_its_type_is_refused(kind, dialect, code, artifact, plain):
    data = artifact if kind == "artifact" else plain
    tensor = entry_of(data, Bytecode(data).type_sizes(), code, dialect)
    size = data.index(bytes([4 << 2 | 1]), tensor.start, tensor.end)  # the dimension 4 as a signed integer
    refused(changed(data, size, 5 << 2 | 1), "holds 16 bytes for 5 elements of 32 bits", *READERS)
    refused(changed(data, size, 1 << 1 | 1), "a dimension of size -1", *READERS)
    assert "tensor<1xf32>" not in str(stablehlo_py.parse(data))


def test_an_array_of_another_size_than_it_says_is_refused(plain):
    array = entry_of(plain, Bytecode(plain).attribute_sizes(), 17, "builtin")
    refused(changed(plain, array.start + 2, 9 << 1 | 1), "an array of 9 elements, and has 8 bytes", stablehlo_py.parse)


@pytest.mark.parametrize("size", [-1, -5, -(1 << 40)])
def test_a_negative_dimension_size_is_refused(size: int) -> None:
    """Such a type can be read and verified, and its text cannot be parsed."""
    data = stablehlo_py.serialize(stablehlo_py.parse("func.func @main(%x: tensor<1099511627776xi8>) { return }"))
    encoded = signed_varint(1 << 40)
    assert data.count(encoded) == 1
    refused(data.replace(encoded, signed_varint(size, len(encoded))), f"a dimension of size {size}", *READERS)


def signed_varint(value: int, length: int = 6) -> bytes:
    """MLIR's encoding of a number: the sign last, then as many zero bits as there are bytes more, the lowest first."""
    zigzag = value * 2 if value >= 0 else -value * 2 - 1
    return ((zigzag * 2 + 1) << (length - 1)).to_bytes(length, "little")


def test_an_attribute_whose_name_is_not_utf8_is_refused():
    module = ir.Module.parse("module attributes {house.flag} {}", make_context())
    data = bytecode_of(module).replace(b"house.flag", b"house.fl\xffg")
    refused(data, "the name of an attribute is not UTF-8", stablehlo_py.parse)


FUNCTION = """
"vhlo.func_v1"() <{
  sym_name = SYMBOL, function_type = TYPE, sym_visibility = #vhlo.string_v1<"">,
  arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>
}> ({ "vhlo.return_v1"() : () -> () }) : () -> ()"""
SYMBOL, TYPE = '#vhlo.string_v1<"f">', "#vhlo.type_v1<!vhlo.func_v1<(()) -> ()>>"


@pytest.mark.parametrize(
    ("symbol", "type_", "message"),
    [
        (SYMBOL, '"x"', "attribute 'function_type' is not a function type"),
        (SYMBOL, "#vhlo.type_v1<!vhlo.f32_v1>", "attribute 'function_type' is not a function type"),
        ("unit", TYPE, "attribute 'sym_name' is not a string"),
    ],
)
def test_a_function_that_cannot_be_printed_is_refused(symbol, type_, message):
    text = FUNCTION.replace("SYMBOL", symbol).replace("TYPE", type_)
    with pytest.raises(ParseError, match=message):
        stablehlo_py.parse(text)
    good = FUNCTION.replace("SYMBOL", SYMBOL).replace("TYPE", TYPE)
    nested = good.replace("({ ", f"({{ {text}\n")
    for program in (text, nested):
        data = bytecode_of(ir.Module.parse(program, make_context()))
        refused(data, message, *READERS)
        with pytest.raises(ArtifactError) as caught:
            stablehlo_py.deserialize(data)
        assert len(as_diagnostics(caught.value)) == 1


def test_a_function_that_can_be_printed_is_read():
    text = FUNCTION.replace("SYMBOL", SYMBOL).replace("TYPE", TYPE)
    assert "vhlo.func_v1 @f() -> ()" in str(stablehlo_py.parse(text))


@pytest.mark.parametrize("command", ["stablehlo", "compat"])
def test_info_of_a_damaged_artifact_is_one_clear_error(tmp_path, artifact, command):
    path = tmp_path / "damaged.mlirbc"
    path.write_bytes(without(artifact, Section.ATTRIBUTES_AND_TYPES))
    code = f"from stablehlo_py.cli.{command} import main; main()"
    run = subprocess.run([sys.executable, "-c", code, "info", str(path)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    error, note = run.stderr.splitlines()
    assert error.endswith("damaged.mlirbc: error: the bytecode is damaged or cut short: "
                          "the section for attributes and types is missing")  # fmt: skip
    assert "note: copy the file again" in note


def test_what_is_read_of_mutated_artifacts_can_be_used():
    context, answers = make_context(), set[str]()
    originals = [path.read_bytes() for path in sorted(GOLDEN.glob("*.bc"))]
    for number in range(40):
        generator = random.Random(f"damaged-{number}")
        answers.add(read(mutated(generator.choice(originals), generator), context))
    assert "rejected" in answers
