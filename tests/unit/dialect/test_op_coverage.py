"""Every op of the dialect has a kernel and a test of what it computes; what lacks one is named."""

from pathlib import Path

from stablehlo_py.bindings.op_signatures import op_names
from stablehlo_py.dialect.catalog import contract_names
from stablehlo_py.dialect.facts import facts
from stablehlo_py.interpreter.registry import kernels

TERMINATORS = {name for name in op_names("stablehlo") if facts(name).ends}
SUITE = Path(__file__).parents[2] / "lit" / "interpret"


def dialect_ops():
    ops = set(op_names("stablehlo"))
    assert len(ops) >= 110
    return ops


def test_every_op_has_a_kernel():
    assert not sorted(dialect_ops() - set(kernels()) - TERMINATORS)


def test_every_kernel_of_the_dialect_is_for_an_op():
    known = dialect_ops() | {f"stablehlo.{name}" for name in contract_names()}
    assert not sorted(name for name in kernels() if name.startswith("stablehlo.") and name not in known)


def test_every_op_is_interpreted_in_the_suite():
    tested = {f"stablehlo.{path.stem}" for path in SUITE.glob("*.mlir")}
    assert not sorted(dialect_ops() - tested - TERMINATORS)


def test_every_file_of_the_suite_names_an_op_or_a_kind_of_check():
    known = {name.partition(".")[2] for name in {*dialect_ops(), *kernels()}} | {"check", "check_failures"}
    dialects_of_shapes = ("shape_", "tensor_", "arith_", "chlo_", "quantized_", "constant_", "dynamic_", "custom_call_")
    assert not sorted(
        p.stem
        for p in SUITE.glob("*.mlir")
        if p.stem.partition(".")[0] not in known and not p.stem.startswith(dialects_of_shapes)
    )
