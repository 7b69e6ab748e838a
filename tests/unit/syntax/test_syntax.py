"""Reading and splitting sources, and what `parse` takes and says."""

from __future__ import annotations

import io
import random
import re

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import InputError, ParseError, VerificationError
from stablehlo_py.syntax import Source, parse, parse_source, print_text, read_source, split_source
from stablehlo_py.syntax.expansion import long_number

TEXT = "func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {\n  return %operand : tensor<2xf32>\n}\n"


def bytecode(module: ir.Module) -> bytes:
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def test_parse_takes_text_bytes_bytecode_and_paths(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(TEXT)
    from_text = parse(TEXT)
    expected = print_text(from_text)
    assert "func.func @main" in expected
    for source in (TEXT.encode(), bytecode(from_text), path):
        assert print_text(parse(source)) == expected


def test_locations_name_the_file_and_count_from_one(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(TEXT)
    module = parse(path)
    function = module.body.operations[0]
    assert (function.location.filename, function.location.start_line, function.location.start_col) == (str(path), 1, 1)
    module = parse("\n" + TEXT, source_name="here.mlir")
    function = module.body.operations[0]
    argument = function.regions[0].blocks[0].arguments[0]
    assert (argument.location.filename, argument.location.start_line, argument.location.start_col) == (
        "here.mlir",
        2,
        17,
    )


def test_a_syntax_error_has_a_location():
    with pytest.raises(ParseError) as raised:
        parse("func.func @main( {", source_name="broken.mlir")
    assert raised.value.location == "broken.mlir:1:17"
    assert raised.value.diagnostics[0].severity == "error"


def test_a_verifier_error_shows_the_op():
    text = '  "stablehlo.add"(%operand, %operand) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>\n'
    with pytest.raises(VerificationError) as raised:
        parse(TEXT.replace("  return", "  %0 = " + text.strip() + "\n  return"), source_name="wrong.mlir")
    assert raised.value.location == "wrong.mlir:2:8"
    assert "requires the same shape for all operands and results" in raised.value.message
    assert raised.value.diagnostics[0].notes[0].message.startswith("see current operation: ")


def test_unregistered_dialects_are_let_pass_on_demand():
    text = '"garden.water"() : () -> ()'
    with pytest.raises(ParseError, match="unregistered dialect"):
        parse(text)
    assert "garden.water" in print_text(parse(text, allow_unregistered_dialects=True))


@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_an_empty_file_is_an_error(tmp_path, data):
    path = tmp_path / "empty.mlir"
    path.write_bytes(data)
    with pytest.raises(InputError, match="empty") as raised:
        parse(path)
    assert raised.value.location == f"{path}:1:1"


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match="No such file or directory"):
        read_source(tmp_path / "missing.mlir")


def test_chunks_keep_the_line_numbers_of_the_file():
    chunks, misses = split_source(Source("file.mlir", b"a\n// -----\nb\nc\n// -----\nd"))
    assert not misses
    assert [chunk.data.strip() for chunk in chunks] == [b"a", b"b\nc", b"d"]
    assert [chunk.line(number) for chunk, number in zip(chunks, (1, 3, 6), strict=True)] == ["a", "b", "d"]
    assert chunks[2].line(7) is None


def test_a_longer_line_of_dashes_splits_nothing():
    chunks, misses = split_source(Source("file.mlir", b"a\n// ----------\nb\n  // --- near\n"))
    assert len(chunks) == 1
    assert [(miss.line, miss.column) for miss in misses] == [(2, 1), (4, 3)]


def test_bytecode_is_one_chunk():
    source = Source("program.bc", b"ML\xefR// -----\n")
    assert split_source(source) == ([source], [])


def test_a_marker_needs_characters():
    with pytest.raises(InputError, match="split marker"):
        split_source(Source("file.mlir", b"a"), "//")


def test_lines_that_cannot_be_shown_are_none():
    source = Source("file.mlir", b"sound\t1\r\n\xff\xfe\n\x01\n")
    assert [source.line(number) for number in (0, 1, 2, 3)] == [None, "sound\t1", None, None]


def test_errors_of_the_parser_are_in_the_error_alone():
    received = []
    with pytest.raises(ParseError) as caught:
        parse_source(Source("x.mlir", b"func.func @f() { garden }"), make_context(), sink=received.append)
    assert [diagnostic.location for diagnostic in caught.value.diagnostics] == ["x.mlir:1:18"]
    assert received == []


def test_long_numbers_are_found_as_by_looking_at_each_place():
    draw = random.Random(0)
    for _ in range(3000):
        digits = draw.choice([3, 4, 5, 7])
        text = "".join(draw.choice('0123a" \nF_' if draw.random() < 0.4 else "0123") for _ in range(40)).encode()
        first = re.search(rb'(?<![\w"])[0-9]{%d}' % digits, text)
        assert long_number(text, digits) == (None if first is None else first.start()), text
