"""Every message of the dialects' verifiers, shape functions and parsers is expected by a test, or cannot appear.

The messages are those in the library of the bindings. tests/lit/verify provokes most of them. ODS refuses some programs
first; `BUILT` provokes the rest, as a builder runs inference before ODS.
"""

from __future__ import annotations

import importlib
import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from native_messages import messages

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.diagnostics import diagnostics_to
from stablehlo_py.bindings.op_signatures import newest_names
from stablehlo_py.bindings.provider import provider

LIT = Path(__file__).parents[2] / "lit"
UNREACHABLE = tomllib.loads((LIT / "verify" / "unreachable.toml").read_text(encoding="utf-8"))
LARGE = 50_000_000  # bytes: the library with MLIR in it

V, PRED, INDEX = "tensor<2xf32>", "tensor<i1>", "tensor<i32>"
BOUNDED = "tensor<?xf32, #stablehlo.bounds<1>>"
GATHER = "#stablehlo.gather<offset_dims = [0], start_index_map = [0], index_vector_dim = 0>"
SCAN = {"dimension": "0 : i64", "operandSegmentSizes": "array<i32: 1, 0>"}
BUILT = [
    ("stablehlo.if", [PRED], {}, 2, "expect non-empty region"),
    ("stablehlo.case", [INDEX], {}, 1, "expect non-empty region"),
    ("stablehlo.case", [INDEX], {}, 0, "expect at least one branch"),
    ("stablehlo.map", [V], {"dimensions": "array<i64: 0>"}, 1, "expect non-empty region"),
    ("chlo.scan", [V], SCAN, 1, "ScanOp region is empty"),
    ("stablehlo.async_start", [V], {}, 0, "'stablehlo.async_start' op expected at least one region"),
    ("stablehlo.async_start", [V], {}, 1, "'stablehlo.async_start' op region must not be empty"),
    ("stablehlo.async_done", [V], {}, 0, "'stablehlo.async_done' op operand must be a future type"),
    ("stablehlo.add", [], {}, 0, "Expected non-empty operands for AddOp::inferReturnTypes"),
    ("stablehlo.negate", [], {}, 0, "Expected non-empty operands for [CompatibleOperandsAndResultType]"),
    ("stablehlo.subtract", [V, "tensor<3xf32>"], {}, 0, "Mismatched dimension sizes 2 and 3 in dimension 0"),
    ("stablehlo.subtract", [V, "tensor<2x2xf32>"], {}, 0, "Mismatched ranks of types1 vs 2"),
    ("stablehlo.subtract", [BOUNDED, V], {}, 0, "Mismatched dimension size 2 and bound 1 in dimension 0"),
    ("stablehlo.subtract", [f"tuple<{V}>", V], {}, 0,
     "Mismatched type kinds: either all types must be tuples, or no types must be tuples"),
    ("stablehlo.subtract", [f"tuple<{V}>", f"tuple<{V}, {V}>"], {}, 0,
     "Mismatched tuple sizes: all tuple sizes must be the same"),
    ("stablehlo.get_dimension_size", [V], {"dimension": "-1 : i64"}, 0,
     "requires non-negative dimension attribute; found (-1)"),
    ("stablehlo.set_dimension_size", [V, INDEX], {"dimension": "-1 : i64"}, 0,
     "requires non-negative dimension attribute; found (-1)"),
    ("stablehlo.dynamic_gather", [V, "tensor<1xi64>", "tensor<1x1xi64>"], {"dimension_numbers": GATHER}, 0,
     "slice_sizes.rank != 1 (got 2)"),
]  # fmt: skip


def built(name, types, attributes, regions):
    """Make an op by a builder, and return the diagnostics of inference."""
    context, said = make_context(), []
    context.allow_unregistered_dialects = True
    with context, ir.Location.unknown(), diagnostics_to(context, said.append):
        holder = ir.Operation.create("test.holder", regions=1)
        operands = list(holder.regions[0].blocks.append(*map(ir.Type.parse, types)).arguments)
        parsed = {key: ir.Attribute.parse(text) for key, text in attributes.items()}
        with pytest.raises(ir.MLIRError):
            ir.Operation.create(name, None, operands, parsed, regions=regions, infer_type=True)
    return said


@pytest.mark.parametrize(("name", "types", "attributes", "regions", "message"), BUILT)
def test_inference_refuses_what_a_builder_makes(name, types, attributes, regions, message):
    if name not in newest_names() or not make_context().is_registered_operation(name):
        pytest.skip(f"these bindings have no {name}")
    assert message in built(name, types, attributes, regions)[0].message


def said_about(text, context):
    """Return all messages of the dialects about a program, notes included."""
    found = []
    with diagnostics_to(context, found.append), suppress(ir.MLIRError):
        ir.Module.parse(text, context)
    return [each.message for one in found for each in (one, *one.notes)]


def expected(left_out=""):
    """Return the messages that tests/lit/verify provokes without the suite `left_out`, and other suites expect."""
    context, lines = make_context(), []
    for path in sorted(LIT.rglob("*.mlir")):
        text = path.read_text(encoding="utf-8")
        if path.parent.name == "verify" and path.stem != left_out:
            for chunk in text.split("// -----\n"):
                lines += said_about(chunk, context) if "expected-error" in chunk else []
        elif path.parent.name != "verify":
            lines += re.findall(r"expected-error.*?\{\{(.*)\}\}", text)
    return "\n".join([*lines, *(case[-1] for case in BUILT)])


@pytest.fixture(scope="module")
def parts():
    """The parts of messages in the provider's library. Tests before this one may have loaded those of others."""
    maps = Path("/proc/self/maps")
    loaded = set(re.findall(r"/\S+\.so[.\d]*$", maps.read_text(), re.MULTILINE)) if maps.exists() else set()
    package = Path(importlib.import_module(provider.root.partition(".")[0]).__file__).parent
    large = [Path(each) for each in loaded if Path(each).is_relative_to(package) and Path(each).stat().st_size > LARGE]
    found = {text: where for library in large for text, where in messages(library).items()}
    if not found:
        pytest.skip("the bindings' library has no symbol table, or is not for Linux on x86-64")
    return found


@pytest.fixture(scope="module")
def provoked():
    return expected()


def test_every_message_is_expected_or_cannot_appear(parts, provoked):
    missing = [text for text in parts if text not in provoked and text not in UNREACHABLE]
    assert not missing, "\n".join(f"no test expects {text!r} of {', '.join(sorted(parts[text]))}" for text in missing)
    assert len(parts) > 400


def test_what_cannot_appear_does_not_and_something_else_is_said_first(parts, provoked):
    assert [text for text in UNREACHABLE if text not in parts] == []
    assert [text for text in UNREACHABLE if text in provoked] == []
    for text, entry in UNREACHABLE.items():
        assert entry["reason"]
        assert entry.get("instead", "") in provoked, text


def test_a_message_without_a_case_is_missed(parts):
    without = expected(left_out="syntax")
    assert "expected tensor with complex element type" in [text for text in parts if text not in without]
