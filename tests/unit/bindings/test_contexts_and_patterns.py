"""Contexts that other processes make anew, patterns without the compiler's driver, and what is not there."""

from __future__ import annotations

import pickle

import pytest

from stablehlo_py.bindings import handover, hlo, ir, make_context, patterns
from stablehlo_py.bindings.build import create, create_value
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.bindings.context import has_dialect, loaded_dialects
from stablehlo_py.bindings.diagnostics import diagnostics_to
from stablehlo_py.bindings.op_signatures import declared_signature
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import Diagnostic, InputError, ProviderError
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.policy import guarding

PROGRAM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  %2 = stablehlo.add %1, %0 : tensor<2xf32>
  return %2 : tensor<2xf32>
}"""


@pytest.mark.parametrize("with_sdy", [True, False])
@pytest.mark.parametrize("allows", [True, False])
def test_another_process_gets_a_context_of_the_same_kind(with_sdy: bool, allows: bool) -> None:
    context = make_context(with_sdy=with_sdy, allow_unregistered_dialects=allows)
    held = handover._Context(context)
    for _ in range(2):
        made = pickle.loads(pickle.dumps(held)).context
        assert made is not context
        assert has_dialect(made, "sdy") == has_dialect(context, "sdy")
        assert made.allow_unregistered_dialects == allows


@pytest.mark.parametrize(
    ("op", "result", "attributes"),
    [
        ("memref.alloc", "memref<2xf32>", {"operandSegmentSizes": "array<i32: 0, 0>"}),
        ("llvm.mlir.zero", "!llvm.ptr", {}),
        ("ub.poison", "vector<2xi8>", {}),
        ("gpu.block_dim", "index", {"dimension": "#gpu.dim<x>"}),
        ("arith.constant", "i8", {"value": "1 : i8"}),
        ("shape.const_shape", "!shape.shape", {"shape": "dense<1> : tensor<1xindex>"}),
    ],
)
def test_a_dialect_is_loaded_with_its_first_op(op: str, result: str, attributes: dict[str, str]) -> None:
    dialect = op.partition(".")[0]
    if dialect not in loaded_dialects(make_context()):
        pytest.skip(f"these bindings lack {dialect}")
    context = make_context()
    with context, ir.Location.unknown():
        module = ir.Module.create()
        parsed = {name: ir.Attribute.parse(text) for name, text in attributes.items()}
        made = create(op, (), ir.Type.parse(result), parsed, at=ir.InsertionPoint(module.body))
        assert module.operation.verify()
    assert context.is_registered_operation(made.name)
    for form in (str(module), bytecode_of(module)):
        read = ir.Module.parse(form, make_context())
        assert str(read) == str(module)
        assert read.operation.verify()


def test_an_op_that_the_bindings_lack_has_no_signature_of_theirs() -> None:
    assert declared_signature("stablehlo.nothing") is None
    assert declared_signature("nothing.add") is None
    found = declared_signature("stablehlo.add")
    assert found is None or len(found.operands) == 2


def test_bindings_without_mhlo_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hlo, "has_dialect", lambda _, name: name != "mhlo")
    for convert in (hlo.mhlo_to_bytecode, hlo.program_to_mhlo):
        with pytest.raises(ProviderError, match="MHLO is read and written by the bindings of jaxlib"):
            convert(b"module {}")


@pytest.mark.parametrize("has_driver", [True, False])
@pytest.mark.parametrize("once", [True, False])
def test_patterns_rewrite_with_and_without_the_driver(
    has_driver: bool, once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if has_driver and not patterns.HAS_DRIVER:
        pytest.skip("these bindings have no driver")
    monkeypatch.setattr(patterns, "HAS_DRIVER", has_driver)
    seen = list[str]()

    def multiply(op: ir.OpView, rewriter: patterns.Rewriter) -> None:
        seen.append(op.operation.name)
        value = create_value("stablehlo.multiply", op.operation.operands, op.operation.results[0].type, at=rewriter.ip)
        rewriter.replace_op(op, [value])

    module = ir.Module.parse(PROGRAM, make_context())
    with module.context, ir.Location.unknown():
        patterns.apply_patterns(module.operation, {"stablehlo.add": multiply}, once=once)
    names = [op.name.partition(".")[2] for op in operations(module.operation) if op.name.startswith("stablehlo")]
    assert names == ["multiply", "negate", "multiply"]
    assert seen == ["stablehlo.add"] * 2
    assert module.operation.verify()


@pytest.mark.parametrize("has_driver", [True, False])
def test_ops_are_gone_through_in_the_order_of_the_text(has_driver: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if has_driver and not patterns.HAS_DRIVER:
        pytest.skip("these bindings have no driver")
    monkeypatch.setattr(patterns, "HAS_DRIVER", has_driver)
    names = ["sine", "cosine", "tanh", "abs", "negate"]
    lines = [f"%{n} = stablehlo.{name} %{n - 1 if n else 'x'} : tensor<f32>\n" for n, name in enumerate(names)]
    text = (
        f"func.func @f(%x: tensor<f32>) -> tensor<f32> {{\n{''.join(lines)} return %{len(lines) - 1} : tensor<f32> }}"
    )
    module, seen = ir.Module.parse(text, make_context()), list[str]()

    def see(op: ir.OpView, _rewriter: patterns.Rewriter) -> bool:
        seen.append(op.operation.name.partition(".")[2])
        return True

    with module.context, ir.Location.unknown():
        patterns.apply_patterns(module.operation, {f"stablehlo.{name}": see for name in names}, once=True)
    assert seen == names


def test_an_op_whose_operands_stay_is_looked_at_once() -> None:
    looked_at = list[str]()

    def negate(op: ir.OpView, rewriter: patterns.Rewriter) -> None:
        value = create_value("stablehlo.negate", op.operation.operands, op.operation.results[0].type, at=rewriter.ip)
        rewriter.replace_op(op, [value])

    def stays(op: ir.OpView, _rewriter: patterns.Rewriter) -> bool:
        looked_at.append(op.operation.name)
        return True

    text = """func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %0 = stablehlo.tanh %x : tensor<2xf32>
      %1 = stablehlo.abs %x : tensor<2xf32>
      return %0, %1 : tensor<2xf32>, tensor<2xf32>
    }"""
    module = ir.Module.parse(text, make_context())
    with module.context, ir.Location.unknown():
        patterns.apply_patterns(module.operation, {"stablehlo.tanh": stays, "stablehlo.abs": negate}, once=True)
    assert looked_at == ["stablehlo.tanh"]


def test_a_sink_hears_nothing_after_its_block() -> None:
    context, heard = make_context(), list[Diagnostic]()
    with diagnostics_to(context, heard.append), pytest.raises(ir.MLIRError):
        ir.Module.parse("func.func @a( {", context)
    before = list(heard)
    with pytest.raises(ir.MLIRError):
        ir.Module.parse("func.func @a( {", context)
    assert before
    assert heard == before


@pytest.mark.parametrize(("trust", "asked"), [({}, 1), ({"trust_input": False}, 1), ({"trust_input": True}, 0)])
def test_a_module_is_verified_in_a_child_unless_it_is_trusted(
    trust: dict[str, bool], asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, module = list[ir.Operation](), ir.Module.parse(PROGRAM, make_context())
    outcome = Outcome(value=None)
    monkeypatch.setattr(handover, "tried_in_child", lambda _, op: (tried.append(op), outcome)[1])
    with guarding(True):
        handover.verify(module, **trust)
    assert len(tried) == asked


@pytest.mark.parametrize("kind", [RuntimeError, ValueError])
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("it is too large", "it is too large"),
        ("INVALID_ARGUMENT: no such op", "no such op"),
        ("UNKNOWN: no such op ", "no such op"),
        ("INTERNAL: no such op", "INTERNAL: no such op"),
        ("INVALID_ARGUMENT: UNKNOWN: a", "a"),
        ("UNKNOWN: <unknown>:0: error: 'x' op is odd", "'x' op is odd"),
        ("a.mlir:1:2: error: first\na.mlir:3:4: error: second", "first"),
        ("line one\nline two", "line one\nline two"),
    ],
)
def test_what_a_converter_says_is_told_without_its_kind_and_place(
    kind: type[Exception], said: str, reason: str
) -> None:
    def convert() -> None:
        raise kind(said)

    with pytest.raises(InputError) as raised:
        hlo._converted("expressed in HLO", convert)
    assert raised.value.message == f"cannot be expressed in HLO: {reason}"
    assert hlo._converted("expressed in HLO", lambda: 3) == 3
    with pytest.raises(KeyError):
        hlo._converted("expressed in HLO", dict[str, int]().popitem)


@pytest.mark.parametrize("has_driver", [True, False])
@pytest.mark.parametrize("once", [True, False])
def test_only_the_driver_folds_and_goes_through_ops_again(
    has_driver: bool, once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if has_driver and not patterns.HAS_DRIVER:
        pytest.skip("these bindings have no driver")
    monkeypatch.setattr(patterns, "HAS_DRIVER", has_driver)
    chain = {"stablehlo.sine": "stablehlo.cosine", "stablehlo.cosine": "stablehlo.tanh"}
    module = ir.Module.parse(
        """func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, i32) {
          %0 = arith.constant 20 : i32
          %1 = arith.addi %0, %0 : i32
          %2 = stablehlo.sine %x : tensor<2xf32>
          return %2, %1 : tensor<2xf32>, i32 }""",
        make_context(),
    )

    def next_one(op: ir.OpView, rewriter: patterns.Rewriter) -> None:
        name, operation = chain[op.operation.name], op.operation
        rewriter.replace_op(op, [create_value(name, operation.operands, operation.results[0].type, at=rewriter.ip)])

    with module.context, ir.Location.unknown():
        patterns.apply_patterns(module.operation, dict.fromkeys(chain, next_one), once=once)
    names = [op.name.partition(".")[2] for op in operations(module.operation) if op.name.startswith("stablehlo")]
    assert ("arith.addi" in str(module)) == (not has_driver)
    assert ("constant 40 : i32" in str(module)) == has_driver
    assert names == ["tanh" if has_driver and not once else "cosine"]
