"""Runs the cases of library functions: as Python, compiled, and as a program for the official verifier."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..bindings import ir, make_context
from ..bindings.narrowing import is_list, is_tuple
from ..bindings.op_signatures import AttributeParameter, OpSignature, op_signature
from ..shapes import language
from ..shapes.errors import LibraryError
from ..shapes.evaluation.evaluator import Evaluator, InfeasibleError, RefutedAssertionError
from ..shapes.evaluation.op_arguments import ElementTypes, declared_shape, results_of, written
from ..shapes.evaluation.symbols import symbol
from ..shapes.library import Library, LibraryFunction
from ..shapes.refinement.op_evaluation import AbstractValues
from ..shapes.registry import ErrorInvocation, Invocation
from ..shapes.signatures import DTYPE, SHAPE, Parameter
from ..shapes.types import type_of

_INT32 = {"exponent_bits", "mantissa_bits", "index", "version"}
_PRELUDE = """
func.func private @twice(tensor<2xf32>) -> tensor<2xf32>
"""
_CONSTANTS = """
  %two = "stablehlo.constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %true = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
"""


def type_text(text: str) -> str:
    """The MLIR type that a case writes as `2x3xf32`."""
    return text if text.startswith(("!stablehlo.", "tuple<", "tensor<")) else f"tensor<{text}>"


def element_text(text: str) -> str:
    """The element type of a type that a case writes."""
    return re.sub(r"^(?:(?:\d+|\?)x)*", "", text.removeprefix("tensor<").split(", #")[0].removesuffix(">"))


def _record_text(value: Any) -> str:
    with make_context():
        return str(value.binding().get(*dataclasses.astuple(value)))


def _matrix_text(rows: Sequence[Sequence[int]]) -> str:
    columns = len(rows[0]) if rows else 0
    return f"dense<{[list(row) for row in rows]}> : tensor<{len(rows)}x{columns}xi64>"


def attribute_text(attribute: AttributeParameter, value: Any) -> str | None:
    """Return an attribute of a case as MLIR text, or None if the case omits it."""
    if value is None or (attribute.kind == "flag" and not value):
        return None
    if attribute.kind == "flag":
        return attribute.name
    if dataclasses.is_dataclass(value):
        text = _record_text(value)
    elif isinstance(value, bool):
        text = str(value).lower()
    elif attribute.name == "channel_handle" and isinstance(value, int):
        text = f"#stablehlo.channel_handle<handle = {value}, type = 0>"
    elif isinstance(value, int):
        text = f"{value} : {'i32' if attribute.name in _INT32 else 'i64'}"
    elif is_list(value):
        nested = attribute.kind == "int_matrix" or (bool(value) and isinstance(value[0], list))
        text = _matrix_text(value) if nested else f"array<i64{': ' if value else ''}{', '.join(map(str, value))}>"
    elif attribute.name == "fft_type":
        text = f"#stablehlo<fft_type {value}>"
    elif attribute.name == "einsum_config":
        text = f'"{value}"'
    else:
        text = str(value)
    return f"{attribute.name} = {text}"


def _operand_groups(invocation: Invocation) -> list[list[str]]:
    return [group if isinstance(group, list) else [group] for group in invocation.operands]


def _region(types: Sequence[str], names: str, returned: str) -> str:
    """A region that takes scalars of these types, `%r0` and so on, and returns some values."""
    arguments = ", ".join(f"%r{i}: tensor<{text}>" for i, text in enumerate(types))
    return f'^bb0({arguments}): "stablehlo.return"({names}) : ({returned}) -> ()'


def _regions(op: str, signature: OpSignature, invocation: Invocation) -> list[str]:
    if invocation.regions or not signature.regions or op == "stablehlo.composite":
        return list(invocation.regions)
    types = [element_text(text) for text in _operand_groups(invocation)[0]]
    if op == "stablehlo.map":
        return [_region(types, "%r0", f"tensor<{types[0]}>")]
    comparator = _region([t for text in types for t in (text, text)], "%true", "tensor<i1>")
    names = ", ".join(f"%r{i}" for i in range(len(types)))
    reducer = _region([*types, *types], names, ", ".join(f"tensor<{text}>" for text in types))
    if op == "stablehlo.sort":
        return [comparator]
    return [comparator, reducer] if op == "stablehlo.select_and_scatter" else [reducer]


def program_text(op: str, invocation: Invocation) -> str:
    """Write a module whose function `case` holds the op of a case, in generic form.

    Args:
        op: The name of the op.
        invocation: The case.

    Returns:
        The module's text.

    Raises:
        LibraryError: The bindings do not have a class for the op.
    """
    signature = op_signature(op)
    if signature is None:
        raise LibraryError(f"the bindings know no op class of '{op}'")
    arguments: list[str] = []
    constants: list[str] = []
    names: list[str] = []
    types: list[str] = []
    groups = _operand_groups(invocation)
    for operand, group in zip(signature.operands, groups, strict=True):
        for i, text in enumerate(group):
            names.append(f"%{operand.name}{i}")
            types.append(type_text(text))
            if operand.name in invocation.values:
                value = f"{{value = dense<{invocation.values[operand.name]}> : tensor<{text}>}}"
                constants.append(f'%{operand.name}{i} = "stablehlo.constant"() {value} : () -> tensor<{text}>')
            else:
                arguments.append(f"%{operand.name}{i}: {type_text(text)}")
    values = [attribute_text(a, invocation.attributes.get(a.name)) for a in signature.attributes]
    attributes = [value for value in values if value is not None]
    if op == "chlo.scan":
        sizes = [len(group) for group in groups]
        carries = sizes[1]
        attributes.append(f"operandSegmentSizes = array<i32: {sizes[0]}, {sizes[1]}>")
        attributes.append(f"resultSegmentSizes = array<i32: {len(invocation.returns) - carries}, {carries}>")
    regions = ", ".join(f"{{ {region} }}" for region in _regions(op, signature, invocation))
    results = ", ".join(map(type_text, invocation.returns))
    line = f'"{op}"({", ".join(names)}) {f"({regions}) " if regions else ""}{{{", ".join(attributes)}}}'
    count = len(invocation.returns)
    assigned = f"%result:{count} = " if count > 1 else "%result = " if count else ""
    body = "\n".join([*constants, f"  {assigned}{line} : ({', '.join(types)}) -> ({results})", "  return"])
    return f"module {{{_PRELUDE}\nfunc.func @case({', '.join(arguments)}) {{{_CONSTANTS}{body}\n}}\n}}"


@dataclass(frozen=True)
class CaseArguments:
    """Return the arguments of a library function in a case, by parameter, and the expected results."""

    arguments: dict[str, Any]
    expected: list[Any]
    is_static: bool


class _Decoder:
    """Convert types of a case to arguments of library functions: shapes, or codes of element types."""

    def __init__(self, context: ir.Context, kind: str) -> None:
        self._context = context
        self._kind = kind
        self._codes = ElementTypes()
        self._unknown = 0

    def _fresh(self, sizes: Sequence[int]) -> list[Any]:
        result: list[Any] = []
        for size in sizes:
            self._unknown += size < 0
            result.append(symbol("size", f"n{self._unknown}", 0) if size < 0 else size)
        return result

    def constant(self, text: str, *, operand: bool = False) -> Any:
        type_ = ir.Type.parse(type_text(text), self._context)
        if self._kind == DTYPE:
            return self._codes.code(type_)
        return self._fresh(declared_shape(type_)) if operand else declared_shape(type_)

    def members(self, text: str) -> list[Any]:
        type_ = ir.TupleType(ir.Type.parse(text, self._context))
        return [self.constant(str(type_.get_type(i))) for i in range(type_.num_types)]


def case_arguments(library_function: LibraryFunction, invocation: Invocation, context: ir.Context) -> CaseArguments:
    """The arguments of a library function in a case. Unknown dimension sizes of operands become symbols."""
    registration = library_function.registration
    decoder = _Decoder(context, registration.kind)
    groups = iter(invocation.operands)
    results = list(invocation.returns)
    arguments: dict[str, Any] = {}
    for parameter in library_function.parameters:
        if parameter.source in ("operand", "operands"):
            arguments[parameter.name] = _operand(decoder, parameter, next(groups), invocation, registration.kind)
        elif parameter.source == "attribute":
            arguments[parameter.name] = _attribute(decoder, parameter, invocation)
        elif parameter.source in ("region", "regions"):
            arguments[parameter.name] = _region_types(decoder, registration.op, parameter, invocation)
        else:
            arguments[parameter.name] = _declared(decoder, parameter, invocation, results)
    texts = [text for group in invocation.operands for text in (group if isinstance(group, list) else [group])]
    static = not any("?" in text for text in [*texts, *results])
    return CaseArguments(arguments, [decoder.constant(text) for text in results], static)


def _operand(decoder: _Decoder, parameter: Parameter, group: str | list[str], invocation: Invocation, kind: str) -> Any:
    if parameter.name in invocation.values and kind == SHAPE:
        return invocation.values[parameter.name]
    if parameter.source == "operands":
        return [decoder.constant(text, operand=True) for text in (group if isinstance(group, list) else [group])]
    if parameter.annotation.startswith("list[Shape") or parameter.annotation.startswith("list[DType"):
        return decoder.members(str(group))
    if parameter.annotation in ("Value", "Values"):
        return symbol("element", parameter.name)
    return decoder.constant(str(group), operand=True)


def _attribute(decoder: _Decoder, parameter: Parameter, invocation: Invocation) -> Any:
    value = invocation.attributes.get(parameter.name)
    if parameter.annotation in ("Shape", "DType"):
        return decoder.constant(str(value).rpartition(" : ")[2])
    return bool(value) if parameter.annotation == "bool" else value


def _declared(decoder: _Decoder, parameter: Parameter, invocation: Invocation, results: list[str]) -> Any:
    if parameter.source == "result":
        return decoder.constant(results[parameter.index])
    if parameter.name in ("outputs", "carries"):
        carries = len(invocation.operands[1])
        results = results[:-carries] if parameter.name == "outputs" else results[-carries:]
    return [decoder.constant(text) for text in results]


def _region_types(decoder: _Decoder, op: str, parameter: Parameter, invocation: Invocation) -> list[Any]:
    if not invocation.regions:
        types = [element_text(text) for text in _operand_groups(invocation)[0]]
        if op == "stablehlo.sort" or parameter.name == "select":
            types = ["i1"]
        return [decoder.constant(text) for text in (types[:1] if op == "stablehlo.map" else types)]
    regions = invocation.regions[parameter.index :]
    regions = regions if parameter.source == "regions" else regions[:1]
    found = [re.search(r'"stablehlo.return"\(.*?\) : \((.*)\) -> \(\)', region) for region in regions]
    return [decoder.constant(text.strip()) for match in found if match for text in match[1].split(", ")]


def run_compiled(library: Library, library_function: LibraryFunction, arguments: CaseArguments) -> list[Any]:
    """Run the compiled function of a case.

    Returns:
        One entry a result, unknown dimension sizes as DYNAMIC.

    Raises:
        RefutedAssertionError: The function rejects the case.
        InfeasibleError: The function's assertions contradict each other.
    """
    values, world = list[Any](), AbstractValues()
    for parameter in library_function.parameters:
        if parameter.annotation.startswith("Attribute"):
            continue
        values.extend(written(arguments.arguments[parameter.name], type_of(parameter.annotation), world))
    evaluator = Evaluator(_Nothing(library))
    found = evaluator.run(library.procedure(library_function), values)
    count, kind = len(arguments.expected), library_function.registration.kind
    settled = [evaluator.settled(v) for v in results_of(found, library_function.type, count, kind, world)]
    return [_plain(value) for value in settled]


def _plain(value: Any) -> Any:
    if is_tuple(value):
        return [_plain(item) for item in value]
    return value if isinstance(value, int) else language.DYNAMIC


@dataclass(frozen=True)
class _Nothing:
    """The environment of a library function outside of a program."""

    library: Library

    def sizes(self, value: ir.Value) -> None:
        return None

    def elements(self, value: ir.Value) -> None:
        return None

    def procedure_of(self, symbol_name: str) -> Any:
        return self.library.procedure_of(symbol_name)


def failures(library: Library, library_function: LibraryFunction, context: ir.Context) -> Iterator[str]:
    """Yield what is wrong with a library function by its cases, as Python and compiled."""
    shape = library.find(SHAPE, library_function.registration.op, library_function.registration.target)
    for invocation in shape.registration.cases if shape is not None else ():
        is_error = isinstance(invocation, ErrorInvocation)
        if is_error and library_function.registration.kind != SHAPE:
            continue
        for world in ("python", "compiled"):
            arguments = case_arguments(library_function, invocation, context)
            if world == "python" and not arguments.is_static:
                continue
            try:
                found = (
                    library_function.run(arguments.arguments)
                    if world == "python"
                    else run_compiled(library, library_function, arguments)
                )
                problem = "" if not is_error else f"is accepted and gives {found}"
            except (AssertionError, RefutedAssertionError, InfeasibleError) as error:
                found = []
                problem = _rejection(invocation, str(error), is_error)
            if not problem and not is_error and not _agree(found, arguments.expected):
                problem = f"gives {found}, not {arguments.expected}"
            if problem:
                case = f"{invocation.operands} {dict(invocation.attributes)}"
                yield f"{library_function.symbol} ({world}): {case} {problem}"


def _rejection(invocation: Invocation, message: str, is_error: bool) -> str:
    if not is_error:
        return f"is rejected: {message}"
    return "" if re.search(invocation.match, message) else f"is rejected with '{message}', not '{invocation.match}'"


def _agree(found: list[Any], expected: list[Any]) -> bool:
    """Whether results are as expected; a dtype function may leave a result to its declaration."""
    if len(found) != len(expected):
        return False
    return all(a == b or (isinstance(a, int) and a == language.DYNAMIC) for a, b in zip(found, expected, strict=True))
