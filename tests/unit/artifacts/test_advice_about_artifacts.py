"""What is said of artifacts that MLIR's reader rejects, what blame falls on whom, and flaws that come after others."""

from __future__ import annotations

import io
import itertools

import pytest
from bytecode_bytes import Entry, varint, with_tables

import stablehlo_py
from stablehlo_py.artifacts import Version
from stablehlo_py.artifacts.bytecode import Bytecode, Section
from stablehlo_py.artifacts.contents import Tables
from stablehlo_py.artifacts.soundness import check_names, check_types, check_values
from stablehlo_py.artifacts.versions import current_version, minimum_version
from stablehlo_py.artifacts.writers import ProducerWriter
from stablehlo_py.errors import ArtifactError

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
CURRENT = current_version()


@pytest.fixture(scope="module")
def rejected() -> bytes:
    """An artifact whose tables are sound, with an op of a number that is none."""
    data = stablehlo_py.serialize(stablehlo_py.parse(PROGRAM))
    place = Bytecode(data).sections[Section.IR].start + 1
    return data[:place] + bytes([data[place] ^ 0x18]) + data[place + 1 :]


def with_producer(data: bytes, producer: str) -> bytes:
    buffer = io.BytesIO()
    ProducerWriter(buffer, producer).write(data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("producer", "what"),
    [
        (f"StableHLO_v{CURRENT}", f"an artifact of StableHLO {CURRENT}"),
        (f"StableHLO_v{minimum_version()}", f"an artifact of StableHLO {minimum_version()}"),
        ("StableHLO_v1.0.0", "an artifact of StableHLO 1.0.0"),
        (f"StableHLO_v{CURRENT.major}.{CURRENT.minor + 1}.0", ""),
        (f"StableHLO_v{CURRENT.major + 1}.0.0", ""),
        ("MLIR21.0.0", "MLIR bytecode by MLIR21.0.0"),
    ],
)
def test_advice_goes_by_the_version_that_an_artifact_says(rejected: bytes, producer: str, what: str) -> None:
    with pytest.raises(ArtifactError) as raised:
        stablehlo_py.deserialize(with_producer(rejected, producer))
    reads = f"this stablehlo_py reads StableHLO {minimum_version()} to {CURRENT}"
    note = (
        f"the file says that it is {what}; {reads}: it is damaged, or not what it says"
        if what
        else f"the artifact is of StableHLO {producer.partition('_v')[2]}; {reads}: update stablehlo_py and jaxlib, "
        f"or ask for an artifact written with --target={CURRENT}"
    )
    assert raised.value.notes[-1] == note
    assert raised.value.message.startswith("invalid operation name index")


@pytest.mark.parametrize("producer", [b"", b"M", b"MLIR21"])
def test_a_producer_of_any_length_is_exchanged(producer: bytes) -> None:
    data = b"ML\xefR\x0d" + producer + b"\0the rest\0of it"
    for cut in range(len(data) + 1):
        buffer = io.BytesIO()
        writer = ProducerWriter(buffer, "mine")
        writer.write(data[:cut])
        writer.write(data[cut:])
        assert buffer.getvalue() == b"ML\xefR\x0dmine\0the rest\0of it", f"cut at {cut}"


FOREIGN = "#arith.fastmath<none>"


@pytest.mark.parametrize(
    "op",
    [
        'stablehlo.compare EQ, %x, %x {{"zz.foreign" = {}}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>',
        'stablehlo.abs %x {{"aa.own" = #stablehlo<precision HIGH>, "zz.foreign" = {}}} : tensor<4xf32>',
        'stablehlo.abs %x {{"aa.own" = [#stablehlo.bounds<4>], "zz.foreign" = [1 : i32, {}]}} : tensor<4xf32>',
        'stablehlo.abs %x {{"aa.text" = "#arith.fastmath<none>", "zz.foreign" = {}}} : tensor<4xf32>',
    ],
)
def test_the_attribute_of_another_dialect_is_blamed_and_none_of_the_own(op: str) -> None:
    text = f"func.func @main(%x: tensor<4xf32>) {{\n  %0 = {op.format(FOREIGN)}\n  return\n}}"
    with pytest.raises(ArtifactError) as raised:
        stablehlo_py.serialize(stablehlo_py.parse(text))
    assert "op carries the attribute 'zz.foreign' of the dialect arith" in raised.value.message
    assert raised.value.location == "<string>:2:8"


def custom(code: int, *numbers: int, dialect: str = "vhlo", rest: bytes = b"") -> Entry:
    return dialect, b"".join(map(varint, (code, *numbers))) + rest, True


F32 = custom(4)
TENSOR = custom(20, 1, rest=varint(6 << 0) + varint(0))  # of one dimension of size 3, as a signed number, of f32


def constant(size: int, type_: int = 1) -> Entry:
    return custom(15, type_, size, rest=b"x" * size)


GOOD = {
    "without values": custom(14, 2),
    "of no bytes": ("vhlo", b"", True),
    "text": ("vhlo", b"dense\0", False),
    "right": constant(12),
    "of another type": constant(5, 0),
    "of a type that is none": constant(5, 99),
    "cut short": ("vhlo", varint(15) + varint(1), True),
    "of a type that is cut short": constant(5, 2),
    "of another dialect": custom(15, 1, 5, dialect="builtin", rest=b"xxxxx"),
}


def test_a_flaw_is_found_wherever_it_is() -> None:
    """Behind all kinds of attributes that have none, and those of which the reader says what is wrong."""
    types = [F32, TENSOR, ("vhlo", varint(20), True)]
    check_values(with_tables(list(GOOD.values()), types))
    for names in itertools.permutations(GOOD, 2):
        entries = [*[GOOD[name] for name in names], constant(7), constant(5)]
        with pytest.raises(ArtifactError, match="attribute 2 holds 7 bytes for 3 elements of 32 bits") as raised:
            check_values(with_tables(entries, types))
        assert "attribute 3" not in raised.value.message, names


@pytest.mark.parametrize("count", [0, 1, 3])
def test_types_that_are_parts_of_themselves_are_found_wherever_they_are(count: int) -> None:
    before = [F32, *[custom(23, 2, number, number) for number in range(count)]]
    first = len(before)
    check_types(with_tables([], [*before, custom(23, 1, first - 1)]))
    for length in (1, 2, 4):
        ring = [custom(23, 2, 0, first + (number + 1) % length) for number in range(length)]
        with pytest.raises(ArtifactError, match=r"type \d+ is a part of itself") as raised:
            check_types(with_tables([], [*before, *ring, F32]))
        assert f"type {first} is" in raised.value.message


def test_types_have_at_most_so_many_parts() -> None:
    """Each pair has twice the parts of the one before, and one more: 2^(n + 1) - 1."""
    pairs = [F32, *[custom(23, 2, number, number) for number in range(20)]]
    check_types(with_tables([], pairs[:20]))
    with pytest.raises(ArtifactError, match="type 20 has more than 1048576 parts"):
        check_types(with_tables([], pairs))
    just = [*pairs[:20], custom(23, 1, 19)]  # 2^20 - 1 parts, and itself
    check_types(with_tables([], just))
    with pytest.raises(ArtifactError, match="type 21 has more than 1048576 parts"):
        check_types(with_tables([], [*just, custom(23, 1, 20)]))


@pytest.mark.parametrize("size", [-1, -7, -(1 << 62)])
def test_sizes_below_zero_are_told_and_unknown_ones_are_not(size: int) -> None:
    def shaped(*sizes: int) -> Entry:
        zigzag = [each * 2 if each >= 0 else -each * 2 - 1 for each in sizes]
        return custom(20, len(sizes), rest=b"".join(map(varint, zigzag)) + varint(0))

    unknown = -(1 << 63)
    check_types(with_tables([], [F32, shaped(unknown, 2, 0)]))
    for shape in ((size,), (2, size, 3), (unknown, size), (size, unknown)):
        with pytest.raises(ArtifactError, match=f"type 1 has a dimension of size {size}\n"):
            check_types(with_tables([], [F32, shaped(*shape)]))


def test_names_of_attributes_are_looked_at_in_every_dictionary() -> None:
    """Text that is no name may be any bytes."""

    def file(name: int, *, used: bool) -> Bytecode:
        strings = [custom(2, number, dialect="builtin") for number in (2, name)]
        fine = custom(1, 1, 0, 2, dialect="builtin")
        other = custom(1, 2, 0, 2, 1, 2, dialect="builtin") if used else fine
        made = with_tables([*strings, custom(14, 2), fine, fine, other], texts=["a", "name", "bad\x7f"])
        return Bytecode(bytes(made.buffer).replace(b"bad\x7f", b"bad\xff"))

    check_names(file(3, used=True))
    check_names(file(4, used=False))
    with pytest.raises(ArtifactError, match="the name of an attribute is not UTF-8, in dictionary 5"):
        check_names(file(4, used=True))


@pytest.mark.parametrize("count", [4094, 4095, 4096, 4097, 5000])
def test_long_signatures_are_shown_up_to_a_limit(count: int) -> None:
    signature = custom(8, count, rest=varint(0) * count + varint(1) + varint(0))
    found = Tables(with_tables([custom(17, 1)], [F32, signature])).function_type(0)
    assert found is not None
    inputs, outputs = found
    shown = [each for each in (*inputs, *outputs) if each == "f32"]
    assert len(shown) == min(count + 1, 4096)
    assert inputs == ("f32",) * min(count, 4096) + ("…",) * (count > 4096)
    assert outputs == (("f32",) if count < 4096 else ("…",))


def test_versions_are_compared_by_their_parts() -> None:
    assert Version(1, 0) > Version(0, 99)
    assert Version(1, 10) > Version(1, 9)
