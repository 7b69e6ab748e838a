"""Runs the cases of library functions: as Python, compiled, and as a program for the official verifier."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

import numpy as np

from ..bindings import ir, make_context
from ..bindings.elements import constant_value
from ..bindings.narrowing import is_list, is_tuple
from ..bindings.op_signatures import AttributeParameter, Group, OpSignature, op_signature
from ..bindings.walk import operations
from ..shapes import language
from ..shapes.errors import LibraryError
from ..shapes.evaluation.evaluator import InfeasibleError, RefutedAssertionError
from ..shapes.evaluation.op_arguments import declared_shape
from ..shapes.library import Library, LibraryFunction
from ..shapes.refinement.actual_sizes import PythonArguments
from ..shapes.refinement.context import AnalyzedProgram, Context
from ..shapes.registry import ErrorInvocation, Invocation
from ..shapes.signatures import SHAPE

_CASE = "case.op"
_INT32 = {"exponent_bits", "mantissa_bits", "index", "version"}
_PRELUDE = """
func.func private @twice(tensor<2xf32>) -> tensor<2xf32>
"""
_CONSTANTS = """
  %two = "stablehlo.constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %true = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
"""


def type_text(text: str) -> str:
    """Return the MLIR type that a case writes as `2x3xf32`."""
    return text if text.startswith(("!stablehlo.", "tuple<", "tensor<")) else f"tensor<{text}>"


def element_text(text: str) -> str:
    """Return the element type of a type that a case writes."""
    bare = text.removeprefix("tensor<").removesuffix(">") if text.startswith("tensor<") else text
    return re.sub(r"^(?:(?:\d+|\?)x)*", "", bare.split(", #")[0])


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
    elif attribute.name == "einsum_config" or attribute.kind == "text":
        text = f'"{value}"'
    else:
        text = str(value)
    return f"{attribute.name} = {text}"


def _operand_groups(invocation: Invocation) -> list[list[str]]:
    return [group if isinstance(group, list) else [group] for group in invocation.operands]


def _region(types: Sequence[str], names: str, returned: str) -> str:
    """Return a region that takes scalars of these types, `%r0` and so on, and returns some values."""
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


def _free_signature(library_function: LibraryFunction) -> OpSignature:
    """Return the signature of an op, or a target, that no class describes, after its library function."""
    parameters = library_function.parameters
    operands = tuple([Group(p.name, p.source == "operands") for p in parameters if p.source.startswith("operand")])
    kinds = {p.name: "text" if p.annotation.startswith("str") else "" for p in parameters if p.source == "attribute"}
    attributes = tuple([AttributeParameter(name, kind, optional=True) for name, kind in kinds.items()])
    return OpSignature(library_function.registration.op, operands, attributes, (), (), ())


def program_text(op: str, invocation: Invocation, library_function: LibraryFunction | None = None) -> str:
    """Write a module whose function `case` holds the op of a case, in generic form.

    Args:
        op: The name of the op.
        invocation: The case.
        library_function: What the op is for. It is called `case.op` then, which no verifier knows.

    Returns:
        The module's text.

    Raises:
        LibraryError: The bindings do not have a class for the op.
    """
    signature = op_signature(op)
    if library_function is not None and (signature is None or library_function.registration.target):
        signature = _free_signature(library_function)
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
    named = f'"{op if library_function is None else _CASE}"({", ".join(names)})'
    line = f"{named} {f'({regions}) ' if regions else ''}{{{', '.join(attributes)}}}"
    count = len(invocation.returns)
    assigned = f"%result:{count} = " if count > 1 else "%result = " if count else ""
    body = "\n".join([*constants, f"  {assigned}{line} : ({', '.join(types)}) -> ({results})", "  return"])
    return f"module {{{_PRELUDE}\nfunc.func @case({', '.join(arguments)}) {{{_CONSTANTS}{body}\n}}\n}}"


class CaseOp:
    """The op of a case, under a name that no verifier knows."""

    def __init__(
        self, library: Library, library_function: LibraryFunction, invocation: Invocation, context: ir.Context
    ) -> None:
        self._function = library_function
        if not invocation.returns:  # it is one of an error
            invocation = copy(invocation)
            object.__setattr__(invocation, "returns", ["f32"] * max(len(library_function.type.parts), 1))
        text = program_text(library_function.registration.op, invocation, library_function)
        before, context.allow_unregistered_dialects = context.allow_unregistered_dialects, True
        self._module = ir.Module.parse(text, context)
        context.allow_unregistered_dialects = before
        self._op = next(op for op in operations(self._module.operation) if op.name == _CASE)
        self._program = AnalyzedProgram(self._module.operation, library)
        self._context = Context(self._program, "case", "")
        for operand in self._op.operands:
            if (value := _constant(operand)) is not None:
                self._context.facts.set_elements(operand, tuple(value.ravel().tolist()))

    @property
    def is_static(self) -> bool:
        """Whether all sizes and elements that the function may read are known."""
        return "?" not in "".join(str(value.type) for value in (*self._op.operands, *self._op.results))

    def expected(self) -> list[Any]:
        """Return what the function is to give for each result."""
        is_shape = self._function.registration.kind == SHAPE
        return [declared_shape(r.type) if is_shape else self._program.codes.code(r.type) for r in self._op.results]

    def run_python(self) -> list[Any]:
        """Run the function as Python and return one entry a result. Raises AssertionError where it rejects the case."""
        operands = [_constant(operand) for operand in self._op.operands]
        for number, operand in enumerate(self._op.operands):
            if operands[number] is None:
                operands[number] = np.broadcast_to(np.int64(0), declared_shape(operand.type))
        return self._function.run(PythonArguments(self._op, self._function, self._program.codes)(operands))

    def run_compiled(self) -> list[Any]:
        """Run the compiled function.

        Returns:
            One entry a result, unknown dimension sizes as DYNAMIC.

        Raises:
            RefutedAssertionError: The function rejects the case.
            InfeasibleError: The function's assertions contradict each other.
        """
        outcome = self._program.evaluator.call(self._function, self._op, self._context)
        return [_plain(value) for value in outcome.values]


def _constant(value: ir.Value) -> Any:
    """Return the elements of a constant, or None."""
    owner = value.owner
    return None if isinstance(owner, ir.Block) else constant_value(owner.operation)


def _plain(value: Any) -> Any:
    if is_tuple(value):
        return [_plain(item) for item in value]
    return value if isinstance(value, int) else language.DYNAMIC


def failures(library: Library, library_function: LibraryFunction, context: ir.Context) -> Iterator[str]:
    """Yield what is wrong with a library function by its cases, as Python and compiled."""
    shape = library.find(SHAPE, library_function.registration.op, library_function.registration.target)
    for invocation in shape.registration.cases if shape is not None else ():
        is_error = isinstance(invocation, ErrorInvocation)
        if is_error and library_function.registration.kind != SHAPE:
            continue
        for world in ("python", "compiled"):
            case = CaseOp(library, library_function, invocation, context)
            if world == "python" and not case.is_static:
                continue
            try:
                found = case.run_python() if world == "python" else case.run_compiled()
                problem = "" if not is_error else f"is accepted and gives {found}"
            except (AssertionError, RefutedAssertionError, InfeasibleError) as error:
                found = []
                problem = _rejection(invocation, str(error), is_error)
            if not problem and not is_error and not _agree(found, case.expected()):
                problem = f"gives {found}, not {case.expected()}"
            if problem:
                words = f"{invocation.operands} {dict(invocation.attributes)}"
                yield f"{library_function.symbol} ({world}): {words} {problem}"


def _rejection(invocation: Invocation, message: str, is_error: bool) -> str:
    if not is_error:
        return f"is rejected: {message}"
    return "" if re.search(invocation.match, message) else f"is rejected with '{message}', not '{invocation.match}'"


def _agree(found: list[Any], expected: list[Any]) -> bool:
    """Whether results are as expected; a dtype function may leave a result to its declaration."""
    if len(found) != len(expected):
        return False
    return all(a == b or (isinstance(a, int) and a == language.DYNAMIC) for a, b in zip(found, expected, strict=True))
