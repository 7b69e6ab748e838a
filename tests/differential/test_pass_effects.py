"""No pass removes, copies or reorders an op with an effect, in whatever region of whatever op it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
import pytest
from pattern_programs import FUNCTIONS, LIT, UNRUNNABLE, arguments_of, parse_function
from rewrites import CONTEXT, assert_equal_values
from speeds import later

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.attributes import symbol_name
from stablehlo_py.bindings.build import create
from stablehlo_py.bindings.walk import body_of, functions, has_body, operations, replace_operands
from stablehlo_py.dialect.catalog import contract, contract_names
from stablehlo_py.dialect.facts import facts
from stablehlo_py.extend import CustomCall, custom_call_handler
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.catalog import PYTHON_PASSES
from stablehlo_py.passes.pipeline import Pipeline, run_pipeline

# Each body is put into a region; what is to stay there is its ops marked with `test.effect`.
EFFECTS = """
func.func private @effectful(tensor<f32>)
func.func @custom_call() {
  stablehlo.custom_call @effect() {has_side_effect = true, test.effect = 0} : () -> ()
  return
}
func.func @unused_result() {
  %0 = stablehlo.custom_call @effect() {has_side_effect = true, test.effect = 0} : () -> tensor<2xf32>
  return
}
func.func @call() {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  func.call @effectful(%c) {test.effect = 0} : (tensor<f32>) -> ()
  return
}
func.func @infeed_outfeed() {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = "", test.effect = 0}
    : (!stablehlo.token) -> (tensor<0xf32>, !stablehlo.token)
  %1 = "stablehlo.outfeed"(%0#0, %0#1) {outfeed_config = "", test.effect = 0}
    : (tensor<0xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @send_recv() {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %t = stablehlo.create_token : !stablehlo.token
  %0 = "stablehlo.send"(%c, %t) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true, test.effect = 0
  } : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.recv"(%0) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true, test.effect = 0
  } : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
func.func @rng() {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = "stablehlo.rng"(%c, %c, %s) {rng_distribution = #stablehlo<rng_distribution UNIFORM>, test.effect = 0}
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return
}
func.func @collective() {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = "stablehlo.collective_permute"(%c) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, test.effect = 0}
    : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func @check() {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  "check.expect_eq"(%c, %c) {test.effect = 0} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
func.func @probe() {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = "interpreter.probe"(%c) {probe_id = "p", test.effect = 0} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
func.func @unregistered() {
  "unknown.effect"() {test.effect = 0} : () -> ()
  return
}
"""
MARK = "test.effect"
KINDS = ("custom_call", "unused_result", "call", "infeed_outfeed", "send_recv", "rng", "collective", "check", "probe")
KINDS += ("unregistered",)

# Ops with regions of other dialects.
OTHERS = """
func.func @scf(%p: i1, %n: index, %x: tensor<2xf32>) {
  %0 = scf.if %p -> tensor<2xf32> {
    scf.yield %x : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  %1 = scf.for %i = %n to %n step %n iter_args(%y = %x) -> tensor<2xf32> {
    scf.yield %y : tensor<2xf32>
  }
  %2 = scf.index_switch %n -> tensor<2xf32>
  case 1 {
    scf.yield %x : tensor<2xf32>
  }
  default {
    scf.yield %x : tensor<2xf32>
  }
  %3 = scf.execute_region -> tensor<2xf32> {
    scf.yield %x : tensor<2xf32>
  }
  %4 = scf.while (%y = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    scf.condition(%p) %y : tensor<2xf32>
  } do {
  ^bb0(%y: tensor<2xf32>):
    scf.yield %y : tensor<2xf32>
  }
  return
}
"""
OPTIMIZATIONS = (
    "stablehlo-aggressive-folder",
    "stablehlo-aggressive-simplification",
    "stablehlo-aggressive-simplification{optimize-float=false}",
    "stablehlo-fold-constants",
    "stablehlo-target-independent-optimization{assume-no-undeclared-side-effects=true}",
)
UNDECLARED = ("call", "collective", "unregistered")  # what that option takes for pure


@cache
def effects() -> ir.Module:
    return ir.Module.parse(EFFECTS, CONTEXT)


@cache
def programs() -> list[ir.Module]:
    """A program for each op with regions, and the lit tests of the optimization passes."""
    texts = [
        known.example for name in contract_names() if facts(f"stablehlo.{name}").regions and (known := contract(name))
    ]
    files = [path for path in sorted(LIT.glob("*.mlir")) if path.name.startswith(("simplify_", "fold_", "aggressive_"))]
    return [ir.Module.parse(text, CONTEXT) for text in (*texts, OTHERS, *(path.read_text() for path in files))]


def regions(function: ir.Operation) -> list[tuple[int, ir.Region]]:
    """The regions of a function and of the ops in it that have a block, each with the position of its op.

    Branches of an op have no order among each other.
    """
    ops = enumerate(operations(function))
    return [(position, region) for position, op in ops for region in op.regions if len(region.blocks)]


def insert(kind: str, region: ir.Region, number: int) -> None:
    """Put the ops of an effect at the start of a region, and number the effects."""
    at = ir.InsertionPoint(region.blocks[0].operations[0])
    values: dict[ir.Value, ir.Value] = {}
    for op in list(body_of(functions(effects().operation)[kind]).operations)[:-1]:
        copy = op.operation.clone(ip=at)
        replace_operands(copy, values)
        values.update(zip(op.operation.results, copy.results, strict=True))
        if MARK in copy.attributes:
            copy.attributes[MARK] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)


def effects_in(op: ir.Operation) -> list[str]:
    """The numbered effects within an op, in order."""
    return [f"{inner.name} {inner.attributes[MARK]}" for inner in operations(op) if MARK in inner.attributes]


def is_valid(op: ir.Operation) -> bool:
    """Whether the op verifies: an asynchronous op takes nothing but a collective."""
    try:
        return op.verify()
    except ir.MLIRError:
        return False


def variants(function: ir.Operation, kind: str) -> Iterator[ir.Operation]:
    """The function with an effect in each region of its ops, one after the other, and in all regions at once."""
    count = len(regions(function))
    for chosen in (*([index] for index in range(1, count)), range(count)):
        copy = function.clone(ip=False)
        for index, (position, region) in enumerate(regions(copy)):
            if index in chosen:
                insert(kind, region, position)
        if is_valid(copy):
            yield copy


def all_variants(step: int) -> ir.Module:
    """One module with the variants of all functions of programs, or each of so many, that have ops with regions."""
    module = ir.Module.create()
    at = ir.InsertionPoint(module.body)
    originals = [function for program in programs() for function in functions(program.operation).values()]
    for function in (*functions(effects().operation).values(), *originals):
        if not has_body(function):
            function.clone(ip=at)
    for function, kind in [*product(originals, KINDS)][::step]:
        if len(regions(function)) > 1:
            for variant in variants(function, kind):
                name = f"{symbol_name(function)}.{kind}.{len(module.body.operations)}"
                variant.attributes["sym_name"] = ir.StringAttr.get(name)
                at.insert(variant)
    return module


def changed_effects(text: str, before: ir.Operation) -> list[str]:
    """Messages about functions in which a pipeline does not keep the effects."""
    module = before.clone(ip=False)
    run_pipeline(module, Pipeline.from_text(text, nest=True))
    old, new = ({name: effects_in(op) for name, op in functions(each).items()} for each in (before, module))
    return [f"{text}: @{name} had {old[name]}, has {new[name]}" for name in old if new[name] != old[name]]


@pytest.mark.parametrize("step", [6, later(1)])
def test_optimizations_keep_every_effect(step: int) -> None:
    with CONTEXT, ir.Location.unknown():
        module = all_variants(step).operation
        assert len(functions(module)) > 1000 / step
        wrong = [message for text in OPTIMIZATIONS for message in changed_effects(text, module)]
    presumed = [each for each in wrong if "assume-no" in each and any(f".{kind}." in each for kind in UNDECLARED)]
    assert wrong == presumed, "\n".join(wrong[:20])


@pytest.mark.parametrize("step", [2, later(1)])
def test_passes_in_python_keep_every_effect(step: int) -> None:
    wrong: list[str] = []
    with CONTEXT, ir.Location.unknown():
        for program in programs()[::step]:
            for function in functions(program.operation).values():
                every_effect = list(variants(function, "custom_call"))[-1:] if len(regions(function)) > 1 else []
                for variant in every_effect:
                    module = program.operation.clone(ip=False)
                    functions(module)[symbol_name(function)].erase()
                    ir.InsertionPoint(body_of(module)).insert(variant)
                    wrong += [message for name in PYTHON_PASSES for message in changed_effects(name, module)]
    assert not wrong, "\n".join(wrong[:20])


LOG: list[tuple[str, list[bytes]]] = []


@custom_call_handler("test.log")
def log(call: CustomCall, *operands: np.ndarray) -> tuple[()]:
    LOG.append((call.backend_config, [operand.tobytes() for operand in operands]))
    return ()


def log_arguments(function: ir.Operation) -> None:
    """Let every region of a function note the position of its op and the tensors that it is given."""
    for position, region in regions(function):
        block = region.blocks[0]
        attributes = {
            "call_target_name": ir.StringAttr.get("test.log"),
            "has_side_effect": ir.BoolAttr.get(True),
            "backend_config": ir.StringAttr.get(str(position)),
        }
        tensors = [argument for argument in block.arguments if isinstance(argument.type, ir.RankedTensorType)]
        create("stablehlo.custom_call", tensors, (), attributes, at=ir.InsertionPoint(block.operations[0]))


@pytest.mark.parametrize("text", OPTIMIZATIONS)
def test_effects_happen_as_often_and_in_the_same_order(text: str) -> None:
    happened = 0
    with CONTEXT, ir.Location.unknown():
        for file, name in FUNCTIONS:
            module = parse_function(file, name)
            function = functions(module.operation)[name]
            if name in UNRUNNABLE or len(regions(function)) < 2:
                continue
            log_arguments(function)
            arguments = arguments_of(module, name, 1)
            LOG.clear()
            before, expected = interpret(module, arguments, function=name), LOG.copy()
            run_pipeline(module, Pipeline.from_text(text, nest=True))
            LOG.clear()
            after = interpret(module, arguments, function=name)
            assert expected == LOG, f"{name}\n{module}"
            assert_equal_values(before, after, exact=False, text=str(module))
            happened += len(LOG)
    assert happened > 100
