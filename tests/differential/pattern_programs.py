"""The programs of the patterns' lit tests, each function by itself or with other element types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from agreement import edges_of
from rewrites import CONTEXT

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.build import add_block, create, refresh_type
from stablehlo_py.bindings.bytecode import bytecode_of
from stablehlo_py.bindings.elements import from_numpy, to_numpy
from stablehlo_py.bindings.types import Kind, TensorType, TokenType, TupleType, ValueType, decode_type, element_type
from stablehlo_py.bindings.walk import blocks, body_of, functions, operations, replace_operands, terminator_of
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.planner import Planner
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.interpreter.values import Token

LIT = Path(__file__).parents[1] / "lit" / "passes"
FILES = sorted([*LIT.glob("simplify_*.mlir"), *LIT.glob("fold_*.mlir"), *LIT.glob("aggressive_target_*.mlir")])
FUNCTIONS = [
    (path.name, name)
    for path in FILES
    for name in re.findall(r"^func\.func @(\w+)\(", path.read_text(), flags=re.MULTILINE)
]
# Functions that cannot be run, and why.
UNRUNNABLE = {
    "shape_of_dynamic_reshape": "the interpreter has no shape dialect",
    "dynamic_broadcast_to_own_shape": "the interpreter has no shape dialect",
    "shape_of_static": "the interpreter has no shape dialect",
    "index_cast_of_constant": "the interpreter has no shape dialect",
    "keeps_index_cast_that_wraps": "the interpreter has no shape dialect",
    "keeps_state_that_an_effect_reads": "calls custom code",
    "backend_config_as_attribute": "calls custom code",
    "keeps_backend_config_in_use": "calls custom code",
    "keeps_effect_on_no_elements": "calls custom code",
    "inline_chosen_branch_beside_an_effect": "calls custom code",
    "keeps": "calls custom code",
    "keeps_unknown_ops": "uses ops of an unknown dialect",
    "loop_presumed_pure_that_never_runs": "the function it calls has no body",
    "endless": "does not end",
}


def parse_function(file: str, name: str) -> ir.Module:
    """The module of a lit test with only one function that has a body."""
    return ir.Module.parse(_function(file, name), CONTEXT)


@cache
def _function(file: str, name: str) -> bytes:
    module = ir.Module.parse((LIT / file).read_text(), CONTEXT)
    for op in list(module.body.operations):
        if len(op.regions[0].blocks) and ir.StringAttr(op.attributes["sym_name"]).value != name:
            op.operation.erase()
    return bytecode_of(module)


def random_value(type_: ValueType, hints: dict[str, Any], generator: np.random.Generator) -> Any:
    """A value of the type with special values among its elements, or the one that the function asks for."""
    if isinstance(type_, TupleType):
        return tuple(random_value(part, {}, generator) for part in type_.types)
    if isinstance(type_, TokenType):
        return Token()
    assert isinstance(type_, TensorType)
    if "test.value" in hints:
        return to_numpy(hints["test.value"])
    shape = list(hints["test.shape"]) if "test.shape" in hints else [size or 0 for size in type_.shape]
    return generator.choice(edges_of(str(type_.element_type)), shape)


def arguments_of(module: ir.Module, name: str, seed: int) -> list[Any]:
    generator = np.random.default_rng(seed)
    function = functions(module.operation)[name]
    block = function.regions[0].blocks[0]
    hints: list[dict[str, Any]] = [{} for _ in block.arguments]
    if "arg_attrs" in function.attributes:
        hints = [{entry.name: entry.attr for entry in ir.DictAttr(each)} for each in function.attributes["arg_attrs"]]
    return [
        random_value(decode_type(argument.type), hint, generator)
        for argument, hint in zip(block.arguments, hints, strict=True)
    ]


def _values(function: ir.Operation) -> Iterator[ir.Value]:
    for op in operations(function):
        yield from op.results
        for block in blocks(op):
            yield from block.arguments


def _element(type_: ir.Type) -> str:
    return str(type_.element_type) if isinstance(type_, ir.RankedTensorType) else ""


def _principal_element(function: ir.Operation) -> str:
    """The element type of a test, of floats rather than integers, or empty; none that a loop may count in."""
    names = dict.fromkeys(_element(value.type) for value in _values(function))
    kinds = {name: element_type(name).kind for name in names if name and not name.startswith("!quant.")}
    wanted = [Kind.FLOAT, Kind.COMPLEX]
    if all(op.name != "stablehlo.while" for op in operations(function)) and "arg_attrs" not in function.attributes:
        wanted += [Kind.SIGNED, Kind.UNSIGNED, Kind.BOOLEAN]
    return next((name for kind in wanted for name in kinds if kinds[name] is kind and name != "index"), "")


@cache
def _retypable(kind: str) -> list[tuple[str, str, str]]:
    """The name, the principal element type and the text of each function that can run."""
    chosen = [(file, name) for file, name in FUNCTIONS if file.startswith(kind) and name not in UNRUNNABLE]
    runnable = [(name, module) for file, name in chosen if "chlo." not in str(module := parse_function(file, name))]
    found = [
        (
            name,
            _principal_element(functions(module.operation)[name]),
            module.operation.get_asm(print_generic_op_form=True),
        )
        for name, module in runnable
    ]
    return [each for each in found if each[1]]


def _retype(function: ir.Operation, old: str, new: str) -> bool:
    """Give all values with elements of one type elements of another; return whether the function is still valid."""
    wanted, target = ir.Type.parse(new, CONTEXT), element_type(new)
    for op in operations(function):
        if op.name == "stablehlo.constant" and _element(op.results[0].type) == old:
            array = to_numpy(op.attributes["value"]).real
            type_ = ir.RankedTensorType.get(list(array.shape), wanted)
            op.attributes["value"] = from_numpy(np.asarray(array).astype(target.dtype), type_)
    for value in _values(function):
        if _element(value.type) == old:
            type_ = ir.RankedTensorType(value.type)
            value.set_type(ir.RankedTensorType.get(list(type_.shape), wanted, type_.encoding))
    refresh_type(function)
    try:
        return function.verify()
    except ir.MLIRError:
        return False


def empty_main(module: ir.Module) -> ir.Operation:
    """A new function `main`, without a block."""
    type_ = ir.TypeAttr.get(ir.FunctionType.get([], []))
    attributes = {"sym_name": ir.StringAttr.get("main"), "function_type": type_}
    return create("func.func", (), (), attributes, regions=1, at=ir.InsertionPoint(module.body))


def _can_run(module: ir.Module, name: str) -> bool:
    try:
        return bool(Planner(module.operation, Settings()).plan(name))
    except InterpreterError:
        return False


def retyped_programs(kind: str, element: str) -> tuple[list[str], ir.Module, list[Any]]:
    """The functions of a kind of files as one, with an element type: a name for each result, the program, arguments."""
    names: list[str] = []
    modules: list[tuple[str, ir.Module]] = []
    arguments: list[Any] = []
    for name, principal, text in _retypable(kind):
        module = ir.Module.parse(text, CONTEXT)
        function = functions(module.operation)[name]
        if _retype(function, principal, element) and _can_run(module, name):
            arguments += arguments_of(module, name, 1)
            names += [f"@{name}"] * len(terminator_of(body_of(function)).operands)
            modules.append((name, module))
    return names, _merged([functions(module.operation)[name] for name, module in modules]), arguments


def _merged(bodies: list[ir.Operation]) -> ir.Module:
    """One function `main` with the parameters, the ops and the results of all of them in turn."""
    module = ir.Module.create()
    types = [argument.type for function in bodies for argument in body_of(function).arguments]
    main = empty_main(module)
    block = add_block(main.regions[0], types)
    at, arguments, returned = ir.InsertionPoint(block), iter(block.arguments), []
    for function in bodies:
        own = body_of(function)
        values = dict(zip(own.arguments, arguments, strict=False))
        *ops, end = own.operations
        for op in ops:
            copy = op.operation.clone(ip=at)
            replace_operands(copy, values)
            values.update(zip(op.operation.results, copy.results, strict=True))
        returned += [values[value] for value in end.operation.operands]
    create("func.return", returned, (), at=at)
    refresh_type(main)
    return module
