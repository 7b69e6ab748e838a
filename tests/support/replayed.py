"""Programs in text, done again with the functions of `stablehlo_py.ops`: built, or run op by op on arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from stablehlo_py import ops, parse
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.attributes import enum_of, int_of, ints_of, string_of, symbol_name, symbol_of
from stablehlo_py.bindings.dimension_numbers import (
    ConvDimensionNumbers,
    DotAlgorithm,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablehlo_py.bindings.elements import constant_value, to_numpy
from stablehlo_py.bindings.op_signatures import OpSignature
from stablehlo_py.bindings.types import TensorType, decode_type
from stablehlo_py.errors import StablehloError
from stablehlo_py.interpreter.program import fold
from stablehlo_py.ops.functions import unpacked
from stablehlo_py.ops.parameters import OpParameters, functions, parameters_of

LIT = Path(__file__).parents[1] / "lit" / "interpret"
STRUCTS = {
    "conv": ConvDimensionNumbers,
    "dot": DotDimensionNumbers,
    "gather": GatherDimensionNumbers,
    "scatter": ScatterDimensionNumbers,
    "dot_algorithm": DotAlgorithm,
}
FUNCTIONS = {op: (d, name) for d in ("stablehlo", "chlo") for name, op in functions(d).items()}
READERS: dict[str, Callable[[Any], Any]] = {
    "int": int_of,
    "float": lambda a: ir.FloatAttr(a).value,
    "bool": lambda a: ir.BoolAttr(a).value,
    "flag": lambda a: True,
    "str": string_of,
    "symbol": symbol_of,
    "int_array": lambda a: list(ints_of(a)),
    "bool_array": lambda a: to_numpy(a).tolist(),
    "int_matrix": lambda a: to_numpy(a).tolist(),
}


def signature_of(op: str) -> OpSignature:
    """The signature of an op that is there."""
    found = parameters_of(op)
    assert found is not None
    return found.signature


def function_of(op: str) -> ops.OpFunction:
    """The function of an op."""
    dialect, name = FUNCTIONS[op]
    return getattr(ops if dialect == "stablehlo" else ops.chlo, name)


def python_value(attribute: ir.Attribute, kind: str, type_: str) -> Any:
    """The plain value of an attribute, as a user writes it."""
    if kind in READERS and not str(attribute).startswith("#"):
        return READERS[kind](attribute)
    if kind == "array" and "of #" in type_:
        return [enum_of(each) if "precision" in type_ else str(each) for each in ir.ArrayAttr(attribute)]
    if kind == "attribute" and re.match(r"#\w+<\w+ [A-Z]", type_):
        return enum_of(attribute)
    if type_.startswith("i32"):
        return int_of(attribute)
    return to_numpy(attribute).tolist() if "elements of i64" in type_ and "dense" in str(attribute) else attribute


def struct_fields(attribute: ir.Attribute, type_: str) -> dict[str, Any]:
    """The fields of a structured attribute by MLIR's names."""
    kind = STRUCTS.get(type_.partition(".")[2])
    if kind is not None:
        return vars(kind.of(attribute))
    pairs = re.findall(r"(\w+) = (\[[^]]*\]|\d+)", str(attribute))
    return {name: eval(value) for name, value in pairs}


def attributes_of(op: ir.Operation, parameters: OpParameters) -> dict[str, Any]:
    """The arguments of an op's function that stand for attributes."""
    found: dict[str, Any] = {}
    for each in parameters.parameters:
        if each.role != "attribute":
            continue
        if each.part_of:
            fields = struct_fields(op.attributes[each.part_of], each.type) if each.part_of in op.attributes else {}
            if each.field in fields:
                found[each.name] = fields[each.field]
        elif each.name in op.attributes:
            attribute = op.attributes[each.name]
            is_value = each.name == "value"
            found[each.name] = to_numpy(attribute) if is_value else python_value(attribute, each.kind, each.type)
    return found


def operands_of(op: ir.Operation, parameters: OpParameters, values: list[Any]) -> dict[str, Any]:
    """The arguments of an op's function that stand for operands."""
    groups = parameters.operands
    variadic = [each for each in groups if each.is_variadic]
    size = (len(values) - len(groups) + len(variadic)) // max(len(variadic), 1)
    if "operandSegmentSizes" in op.attributes:
        size = None
        sizes = iter(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    left = iter(values)
    found: dict[str, Any] = {}
    for each in groups:
        count = size if size is not None else next(sizes)
        found[each.name] = [next(left) for _ in range(count)] if each.is_variadic else next(left)
    return found


class Replay:
    """A module, done again: built, or with `runs` on arrays, op by op."""

    def __init__(self, text: str, *, runs: bool = False) -> None:
        self.module = parse(text)
        self.runs = runs
        self.defined: dict[str, Any] = {}
        self.done: set[str] = set()
        self.checked = 0
        self.functions = {symbol_name(f.operation): f.operation for f in self.module.body.operations}

    def block(self, block: ir.Block, values: tuple[Any, ...], outer: dict[ir.Value, Any]) -> list[Any]:
        """Do the ops of a block for these arguments, and return what it returns."""
        known = {**outer, **dict(zip(block.arguments, values, strict=True))}
        *inner, end = [each.operation for each in block.operations]
        for op in inner:
            results = self.op(op, [known[operand] for operand in op.operands], known)
            results = list(results) if len(op.results) > 1 else [results]
            known.update(zip(op.results, results, strict=False))
        return [known[operand] for operand in end.operands]

    def body(self, block: ir.Block, outer: dict[ir.Value, Any], *values: Any) -> list[Any]:
        """A region as a Python function."""
        return self.block(block, values, outer)

    def op(self, op: ir.Operation, values: list[Any], known: dict[ir.Value, Any]) -> Any:
        """The results of an op, as the op's function returns them."""
        if op.name.startswith("check."):
            return self.check(op, values)
        if op.name == "func.call":
            return self.function(symbol_of(op.attributes["callee"]))(*values)
        if op.name == "stablehlo.constant":
            return ops.constant(constant_value(op), str(op.results[0].type))
        parameters = parameters_of(op.name)
        assert parameters is not None
        arguments = operands_of(op, parameters, values) | attributes_of(op, parameters)
        if "decomposition" in arguments:
            arguments["decomposition"] = self.function(arguments["decomposition"])
        for number, region in enumerate(op.regions):
            body = partial(self.body, region.blocks[0], known)
            group = parameters.signature.regions[min(number, len(parameters.signature.regions) - 1)]
            if group.variadic:
                arguments.setdefault(group.name, []).append(body)
            else:
                arguments[group.name] = body
        if not self.is_inferred(op):
            is_promoted = "reduction" in parameters.facts.regions and len(op.results) == 1
            types = [str(result.type) for result in op.results]
            arguments["result_type"] = decode_type(op.results[0].type).element_type if is_promoted else types
        self.done.add(op.name)
        return function_of(op.name)(**arguments)

    def is_inferred(self, op: ir.Operation) -> bool:
        """Whether the op's function finds the types of results: not those that the op is there to give."""
        types = [decode_type(each.type) for each in op.results]
        tensors = [type_ for type_ in types if isinstance(type_, TensorType)]
        if op.name in GIVEN or any(not t.is_static or t.element_type.is_quantized for t in tensors):
            return False
        source = decode_type(op.operands[0].type if op.operands else op.results[0].type)
        is_same = isinstance(source, TensorType) and all(t.element_type == source.element_type for t in tensors)
        return is_same or "stablehlo.compare" in op.name or not signature_of(op.name).declared_results

    def check(self, op: ir.Operation, values: list[Any]) -> None:
        """Check arrays as a check op says, by running it. While building there is nothing to check."""
        if not self.runs:
            return
        arrays = [getattr(value, "value", value) for value in values]
        self.checked += 1
        fold(op, arrays)

    def function(self, name: str) -> Any:
        """The function of that name, which is built when it is first asked for."""
        if name not in self.defined:
            body = self.functions[name].regions[0].blocks[0]
            if self.runs:
                self.defined[name] = lambda *values: unpacked(self.block(body, values, {}))
                self.defined[name].__name__ = name
                return self.defined[name]
            names = [f"arg{number}" for number in range(len(body.arguments))]
            types = {each: str(argument.type) for each, argument in zip(names, body.arguments, strict=True)}
            scope: dict[str, Any] = {"do": lambda *values: self.block(body, values, {})}
            exec(f"def f({', '.join(names)}): return do({', '.join(names)})", scope)
            scope["f"].__name__ = name
            self.defined[name] = ops.function(**types)(scope["f"])
        return self.defined[name]


GIVEN = {
    f"stablehlo.{name}"
    for name in ("bitcast_convert", "broadcast_in_dim", "convert", "custom_call", "infeed", "iota", "recv", "reshape")
    + ("rng_bit_generator", "uniform_quantize", "dynamic_iota", "dynamic_reshape")
}


def renumbered(text: str) -> str:
    """The text with its values named in the order of their first use."""
    numbers: dict[str, str] = {}
    return re.sub(r"%\w+", lambda name: numbers.setdefault(name[0], f"%{len(numbers)}"), text)


def bodies(module: ir.Module, *, drop_checks: bool) -> dict[str, str]:
    """The text of each function by name, without locations and without check ops."""
    found: dict[str, str] = {}
    for function in module.body.operations:
        for op in list(function.operation.regions[0].blocks[0].operations) if drop_checks else []:
            if op.operation.name.startswith("check."):
                op.operation.erase()
        text = function.operation.get_asm(print_generic_op_form=True, enable_debug_info=False)
        found[symbol_name(function.operation)] = renumbered(re.sub(r"^\"func.func\"\(\) <\{.*?\}>", "", text))
    return found


def programs() -> Iterator[tuple[str, str]]:
    """The self-checking programs of the interpreter's tests that consist of ops of StableHLO and CHLO."""
    for path in sorted(LIT.glob("*.mlir")):
        for number, text in enumerate(path.read_text(encoding="utf-8").split("// -----")):
            yield f"{path.stem}.{number}", text


def is_replayed(text: str) -> bool:
    """Whether a program has no ops of other dialects."""
    try:
        module = parse(text)
    except StablehloError:
        return False
    names: set[str] = set()
    pending = [module.operation]
    while pending:
        op = pending.pop()
        names.add(op.name)
        pending += [each.operation for region in op.regions for block in region.blocks for each in block.operations]
    return all(name.startswith(("stablehlo.", "chlo.", "func.", "check.", "builtin.module")) for name in names)
