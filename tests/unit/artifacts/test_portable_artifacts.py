"""Portable artifacts: what is written, what is read, and what is said about data that is neither."""

import hashlib
import io
import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsed import parsed
from samples import examples

import stablehlo_py
from stablehlo_py.artifacts.artifact import (
    UnreadableError,
    check_bytecode,
    deserialize,
    legalize_to_vhlo,
    parse_bytecode,
    serialize,
    serialize_to,
)
from stablehlo_py.artifacts.bytecode import MAGIC, Bytecode
from stablehlo_py.artifacts.header import is_bytecode, read_header
from stablehlo_py.artifacts.versions import Version, current_version, opset_versions
from stablehlo_py.bindings import ir, make_context, stablehlo_extension
from stablehlo_py.bindings.handover import module_in_child
from stablehlo_py.bindings.op_signatures import op_names
from stablehlo_py.errors import ArtifactError, StablehloError, UsageError, VerificationError
from stablehlo_py.isolation.policy import CAN_FORK

needs_fork = pytest.mark.skipif(not CAN_FORK, reason="this system has no fork")
GOLDEN = Path(__file__).parents[2] / "lit" / "vhlo"
COMPENDIUM = GOLDEN / "Inputs" / "compendium.mlir"
TWICE = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


def module_of(text: str) -> ir.Module:
    return parsed(text)


@pytest.fixture(scope="module")
def artifact() -> bytes:
    return serialize(module_of(TWICE))


# Writing ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", opset_versions(), ids=str)
def test_the_bytes_are_those_of_the_bindings(version):
    text = (GOLDEN / f"compendium.{version.major}_{version.minor}_0.mlir").read_text()
    ours = serialize(module_of(text), version)
    context = make_context()
    with context:
        theirs = stablehlo_extension.serialize_portable_artifact(ir.Module.parse(text), str(version))
    assert ours == theirs


def test_the_same_module_gives_the_same_bytes():
    assert serialize(module_of(COMPENDIUM.read_text())) == serialize(module_of(COMPENDIUM.read_text()))


def test_writing_leaves_the_module_as_it_is():
    module = module_of(TWICE)
    before = module.operation.get_asm(enable_debug_info=True)
    serialize(module, "0.9.0", strip_debuginfo=True)
    assert module.operation.get_asm(enable_debug_info=True) == before


def test_a_module_in_vhlo_is_written_like_its_stablehlo(artifact):
    assert serialize(parse_bytecode(artifact, make_context())) == artifact


def test_the_patch_of_a_target_is_not_written():
    assert read_header(serialize(module_of(TWICE), "1.4.7")).version == Version(1, 4)


def test_debug_info_is_stripped_on_request():
    named = TWICE.replace("tensor<4xf32>\n", 'tensor<4xf32> loc("here.py":1:2)\n')
    assert b"here.py" in serialize(module_of(named))
    assert b"here.py" not in serialize(module_of(named), strip_debuginfo=True)


def test_other_dialects_are_refused_and_locations_kept_unless_somebody_asks() -> None:
    named = TWICE.replace("tensor<4xf32>\n", 'tensor<4xf32> loc("here.py":1:2)\n')
    written = io.BytesIO()
    serialize_to(module_of(named), written)
    assert written.getvalue() == serialize(module_of(named))
    assert b"here.py" in written.getvalue()
    foreign = module_of(TWICE.replace("stablehlo.add %x, %x", "math.absf %x"))
    for write in (serialize, lambda module: serialize_to(module, io.BytesIO())):
        with pytest.raises(ArtifactError, match=r"'math\.absf' op is not part of StableHLO"):
            write(foreign)
    serialize_to(foreign, written, allow_other_dialects=True)


RANGES = TWICE.replace(
    "tensor<4xf32>\n",
    'tensor<4xf32> loc(fused["a.py":1:2 to 3:4, callsite("f"("b.py":5:6 to :9) at "c.py":7:8)])\n',
)


def test_a_location_range_becomes_its_beginning_for_readers_that_know_no_ranges():
    old = parse_bytecode(serialize(module_of(RANGES), "1.8.0"), make_context())
    printed = old.operation.get_asm(enable_debug_info=True)
    assert '"a.py":1:2)' in printed
    assert '"b.py":5:6)' in printed
    assert '"c.py":7:8)' in printed
    assert " to " not in printed


def test_a_location_range_stays_where_readers_know_ranges():
    new = parse_bytecode(serialize(module_of(RANGES), "1.9.0"), make_context())
    assert '"a.py":1:2 to 3:4)' in new.operation.get_asm(enable_debug_info=True)


def test_nothing_is_written_for_a_program_that_breaks_a_constraint():
    """Neither where the artifact is read back nor where it goes to a file."""
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(
            "func.func @main(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {\n"
            "  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
            "  return %0 : tensor<3x2xf32>\n}"
        )
        transpose = module.body.operations[0].regions[0].blocks[0].operations[0]
        transpose.attributes["permutation"] = ir.DenseI64ArrayAttr.get([0, 0])
    buffer = io.BytesIO()
    for write in (stablehlo_py.serialize, lambda program: serialize_to(program, buffer)):
        with pytest.raises(VerificationError, match="must be a permutation of"):
            write(module)
    assert buffer.getvalue() == b""


def test_nothing_is_written_for_a_program_that_does_not_fit():
    written = io.BytesIO()
    with pytest.raises(ArtifactError, match=r"the op tan needs StableHLO 1\.4\.0, and the target is 1\.3\.0"):
        serialize_to(module_of(TWICE.replace("add %x, %x", "tan %x")), written, "1.3.0")
    assert written.getvalue() == b""


MIXED = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.absf %x : tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""


def test_other_dialects_are_named_and_allowed_on_request():
    with pytest.raises(ArtifactError, match=r"'math.absf' op is not part of StableHLO") as caught:
        serialize(module_of(MIXED))
    assert caught.value.location == "<string>:3:8"
    assert "--allow-other-dialects" in str(caught.value)
    back = deserialize(serialize(module_of(MIXED), allow_other_dialects=True))
    assert "math.absf" in str(back)


def test_chlo_is_told_how_to_be_lowered():
    with pytest.raises(ArtifactError) as caught:
        serialize(module_of(TWICE.replace("stablehlo.add %x, %x :", "chlo.erf %x : tensor<4xf32> ->")))
    assert "--chlo-pre-serialization-pipeline" in str(caught.value)


@pytest.mark.parametrize("target", ["0.8.0", "1.99.0", "newest", ""])
def test_an_unknown_target_is_a_usage_error(target):
    with pytest.raises(UsageError):
        serialize(module_of(TWICE), target)


# Reading ------------------------------------------------------------------------------------------------------------


def test_what_is_written_is_read(artifact):
    assert str(deserialize(artifact)) == str(module_of(TWICE))


def test_reading_happens_in_the_context_that_is_given(artifact):
    context = make_context()
    assert deserialize(artifact, context=context).context == context


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"func.func @main() { return }", "this is not MLIR bytecode"),
        (MAGIC, "damaged or cut short"),
        (MAGIC + b"\x0dStableHLO_v1.0.0", "damaged or cut short"),
        (MAGIC + b"\x0dStableHLO_v1.0.0\x00", "the section for strings is missing"),
    ],
)
def test_what_is_no_artifact_is_said_to_be_none(data, message):
    with pytest.raises(ArtifactError, match=message):
        deserialize(data)


def test_an_artifact_cut_anywhere_is_rejected(artifact):
    for length in range(len(artifact)):
        with pytest.raises(ArtifactError):
            check_bytecode(artifact[:length])
    for length in (0, 3, 4, *range(5, len(artifact), 151), len(artifact) - 1):
        with pytest.raises(ArtifactError):
            deserialize(artifact[:length])


@pytest.fixture(scope="module")
def future(artifact) -> bytes:
    text = f"StableHLO_v{current_version().opset}".encode()
    assert text in artifact
    return artifact.replace(text, b"StableHLO_v9.9.0".ljust(len(text), b"0")[: len(text)]).replace(b"add_v1", b"add_v9")


def test_an_op_that_was_taken_out_is_named_with_who_can_read_it():
    """An artifact whose `floor_v1` is called by another op's name of this length."""
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(
            "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
            "  %0 = stablehlo.floor %a : tensor<f32>\n  return %0 : tensor<f32>\n}"
        )
    data = serialize(module, "0.9.0").replace(b"floor_v1", b"trace_v1")
    with pytest.raises(ArtifactError, match=r"unregistered operation 'vhlo\.trace_v1'") as caught:
        deserialize(data)
    [note] = [str(note) for note in caught.value.notes if "took" in str(note)]
    assert "StableHLO took vhlo.trace_v1 out after 0.19: versions from 0.9.0 to 0.19 read it" in note
    assert "damaged" not in str(caught.value)


def test_a_future_artifact_is_told_from_a_damaged_one(future):
    with pytest.raises(UnreadableError) as caught:
        deserialize(future)
    text = str(caught.value)
    assert "unregistered operation 'vhlo.add_v9'" in text
    assert f"this stablehlo_py reads StableHLO 0.9.0 to {current_version()}" in text


def test_the_header_of_a_future_artifact_can_be_read(future):
    header = read_header(future)
    assert header.version is not None
    assert header.version > current_version()
    assert "vhlo.add_v9" in header.op_names
    assert [function.name for function in header.functions] == ["main"]


@settings(max_examples=examples(50, 100), deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_after_the_magic_number_are_an_error(rest):
    with pytest.raises(ArtifactError):
        check_bytecode(MAGIC + rest)


@pytest.mark.parametrize("rest", [b"", b"\x0d", b"\x0dMLIR\0", b"\xff" * 9, b"\x0dMLIR\0\x00\x03a", bytes(range(99))])
def test_bytes_after_the_magic_number_are_no_module(rest):
    with pytest.raises(ArtifactError):
        deserialize(MAGIC + rest)


@pytest.mark.parametrize("read", [deserialize, stablehlo_py.parse])
def test_a_location_that_is_no_text_is_shown_as_far_as_it_is(read):
    named = TWICE.replace("tensor<4xf32>\n", 'tensor<4xf32> loc("abcdef.py":1:1)\n')
    data = serialize(module_of(named)).replace(b"abcdef", b"ab\xff\xfeef").replace(b"add_v1", b"add_v9")
    with pytest.raises(StablehloError, match=r"unregistered operation 'vhlo\.add_v9'"):
        read(data)


@needs_fork
def test_a_reader_that_crashes_does_so_elsewhere(monkeypatch):
    monkeypatch.setattr("stablehlo_py.isolation.policy.fork_is_safe", lambda: True)  # whatever other tests have loaded
    context = make_context()
    assert module_in_child(lambda _: os.abort(), context, 1).crash == "SIGABRT (Aborted)"


# Headers ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", opset_versions(), ids=str)
def test_the_header_tells_version_and_functions(version):
    data = (GOLDEN / f"compendium.{version.major}_{version.minor}_0.mlir.bc").read_bytes()
    header = read_header(data)
    module = deserialize(data, trusted=True)
    assert (header.version, header.size) == (version, len(data))
    assert sum(header.sections.values()) < len(data)
    names = [str(function.name).strip('"') for function in module.body.operations]
    assert sorted(function.name for function in header.functions) == sorted(names)


def test_types_of_functions_read_like_stablehlo():
    data = (GOLDEN / "compendium.1_17_0.mlir.bc").read_bytes()
    functions = {function.name: str(function) for function in read_header(data).functions}
    assert functions["complex_numbers"] == (
        "@complex_numbers(tensor<2xf32>, tensor<2xf32>, tensor<2xcomplex<f64>>) -> (tensor<2xf32>)"
    )
    assert functions["unranked"] == "@unranked(tensor<*xf32>) -> (tensor<*xf32>)"
    assert functions["bounds"] == "@bounds(tensor<4xf32>, tensor<i32>) -> (tensor<?xf32>)"
    assert "tuple<tensor<2xf32>, !stablehlo.token>" in functions["tuples"]
    assert "!stablehlo.future<tensor<2xf32>>" in functions["custom_call_of_future"]
    assert not any("?" in text.replace("?x", "") for text in functions.values())


def test_bytecode_that_is_no_artifact_is_said_to_be_none():
    buffer = io.BytesIO()
    module_of(TWICE).operation.write_bytecode(buffer)
    header = read_header(buffer.getvalue())
    assert (header.version, header.is_portable) == (None, False)
    assert "stablehlo.add" in header.op_names


def test_a_header_is_read_through_a_memory_map(tmp_path, artifact):
    path = tmp_path / "program.mlir.bc"
    path.write_bytes(artifact)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
        assert read_header(contents) == read_header(artifact)


def test_constants_are_counted_in_bytes():
    values = ", ".join(map(str, range(100)))
    text = f"func.func @main() {{ %0 = stablehlo.constant dense<[{values}]> : tensor<100xi32> return }}"
    assert 400 <= read_header(serialize(module_of(text))).constant_bytes <= 410


def test_only_the_magic_number_makes_bytecode(artifact):
    assert is_bytecode(artifact)
    assert not is_bytecode(b"module {}")
    assert not is_bytecode(b"")


def test_the_structure_of_every_golden_artifact_is_sound():
    golden = list(GOLDEN.glob("*.bc"))
    assert golden
    for path in golden:
        Bytecode(path.read_bytes()).check()


# Golden artifacts ---------------------------------------------------------------------------------------------------


def test_golden_artifacts_are_never_edited():
    recorded = dict(reversed(line.split("  ")) for line in (GOLDEN / "artifacts.sha256").read_text().splitlines())
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in GOLDEN.glob("*.bc")}
    assert found == recorded
    assert len(found) >= len(opset_versions())


def test_the_compendium_holds_every_op():
    ops = set(op_names("stablehlo"))
    seen: set[str] = set()

    def visit(operation: ir.Operation) -> ir.WalkResult:
        seen.add(operation.name)
        return ir.WalkResult.ADVANCE

    module_of(COMPENDIUM.read_text()).operation.walk(visit)
    if current_version() >= Version(1, 22, 0):
        module_of(COMPENDIUM.with_name("compendium_later.mlir").read_text()).operation.walk(visit)
    later = set() if current_version() >= Version(1, 22, 0) else {"stablehlo.collective_reduce"}
    assert ops - seen <= later


VHLO_TYPES = [
    *("bool_v1", "complex_v1", "bf16_v1", "f16_v1", "f32_v1", "f64_v1", "f4E2M1FN_v1", "f6E2M3FN_v1", "f6E3M2FN_v1"),
    *("f8E3M4_v1", "f8E4M3_v1", "f8E4M3FN_v1", "f8E5M2_v1", "f8E4M3FNUZ_v1", "f8E4M3B11FNUZ_v1", "f8E5M2FNUZ_v1"),
    *("f8E8M0FNU_v1", "tf31_v1", "func_v1", "index_v1", "i2_v1", "i4_v1", "i8_v1", "i16_v1", "i32_v1", "i64_v1"),
    *("ui2_v1", "ui4_v1", "ui8_v1", "ui16_v1", "ui32_v1", "ui64_v1", "none_v1", "tensor_v1", "token_v1", "future_v1"),
    *("tuple_v1", "quant_v1", "quant_per_axis_v1", "unranked_tensor_v1", "witness_v1", "buffer_v1"),
]
VHLO_ATTRIBUTES = [
    *("array_v1", "bool_v1", "dict_v1", "float_v1", "integer_v1", "output_operand_alias_v1", "string_v1", "tensor_v1"),
    *("type_v1", "type_extensions_v1", "result_accuracy_v1", "sub_axis_info_v1", "axis_ref_v1", "mesh_axis_v1"),
    *("replica_group_mesh_axes_v1", "mesh_v1"),
]
VHLO_ENUMS = {
    "comparison_direction_v1": "EQ NE GE GT LE LT",
    "comparison_type_v1": "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED",
    "api_version_v1": "UNSPECIFIED ORIGINAL STATUS_RETURNING STATUS_RETURNING_UNIFIED TYPED_FFI",
    "fft_type_v1": "FFT IFFT RFFT IRFFT",
    "precision_v1": "DEFAULT HIGH HIGHEST",
    "rng_algorithm_v1": "DEFAULT THREE_FRY PHILOX",
    "rng_distribution_v1": "UNIFORM NORMAL",
    "transpose_v1": "NO_TRANSPOSE TRANSPOSE ADJOINT",
    "result_accuracy_mode_v1": "DEFAULT HIGHEST TOLERANCE",
}


def test_the_compendium_holds_every_type_and_attribute():
    vhlo = legalize_to_vhlo(module_of(COMPENDIUM.read_text())).get_asm(print_generic_op_form=True)
    assert [name for name in VHLO_TYPES if f"!vhlo.{name}" not in vhlo] == []
    assert [name for name in VHLO_ATTRIBUTES if f"#vhlo.{name}<" not in vhlo] == []
    for name, values in VHLO_ENUMS.items():
        prefix = "API_VERSION_" if name == "api_version_v1" else ""
        assert [value for value in values.split() if f"#vhlo<{name} {prefix}{value}>" not in vhlo] == []


# The package --------------------------------------------------------------------------------------------------------


def test_every_name_of_the_package_can_be_used():
    from stablehlo_py import artifacts

    assert sorted(artifacts._HOME) == sorted(artifacts.__all__)
    assert all(getattr(artifacts, name) is not None for name in artifacts.__all__)
    with pytest.raises(AttributeError):
        artifacts.nothing  # noqa: B018


def test_a_look_at_a_header_loads_no_bindings():
    code = "import sys; from stablehlo_py.artifacts import read_header; read_header; print('jaxlib' in sys.modules)"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout == "False\n"


def test_no_name_of_the_package_hides_behind_a_module():
    from stablehlo_py import artifacts

    assert set(artifacts._MODULES) & set(artifacts.__all__) == set()


def test_a_module_of_a_context_that_others_made_is_serialized():
    """As jax makes them, which registers no passes: in a process where nothing else has done that."""
    program = """
from stablehlo_py import artifacts
from stablehlo_py.bindings import ir, stablehlo_extension
from stablehlo_py.bindings.context import _upstream_registry
context = ir.Context()
stablehlo_extension.register_dialect(context)
context.append_dialect_registry(_upstream_registry())
context.load_all_available_dialects()
module = ir.Module.parse("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }", context)
assert b"StableHLO_v" in artifacts.serialize(module)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
