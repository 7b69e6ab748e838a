"""One op with dynamic operands, and sizes for them that may contradict each other.

The same op with these sizes as static types is the oracle. A run has to refuse what the verifier refuses; otherwise
both give the same bits. A run may refuse more, where a constraint is about values or where there is no verifier.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from fuzzing import WrongError

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.build import create, refresh_type, tensor_type
from stablehlo_py.bindings.op_signatures import op_names
from stablehlo_py.bindings.types import decode_type
from stablehlo_py.bindings.walk import body_of, functions, has_body, terminator_of
from stablehlo_py.dialect.catalog import contract, contract_names
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.passes.hlo_test.infer import inferred_types
from stablehlo_py.shapes.library import library
from stablehlo_py.shapes.registry import ErrorInvocation
from stablehlo_py.shapes.signatures import SHAPE
from stablehlo_py.testing.cases import program_text

# Results that operands do not decide or that are bounded, branches that do not run, and ops of CHLO whose expansion
# asks for less than they do.
_LEFT_OUT = frozenset(
    {
        *("stablehlo.rng", "stablehlo.custom_call", "stablehlo.set_dimension_size"),
        *("stablehlo.if", "stablehlo.case", "stablehlo.return", "chlo.constant_like", "chlo.ragged_dot"),
        "chlo.scan",
    }
)
# Ops that no verifier checks, or whose sizes are values; and what ops of CHLO are expanded into.
_STRICTER = (
    *("stablehlo.einsum", "stablehlo.torch_index_select", "stablehlo.unary_einsum", "stablehlo.dynamic_"),
    *("stablehlo.real_dynamic_slice", "stablehlo.all_gather", "shape."),
)
_NAME = "checked"


@cache
def context() -> ir.Context:
    return make_context()


class Parsed(NamedTuple):
    """A program of one op: the module, which has to be kept, its first function, and that function's last op."""

    module: ir.Module
    function: ir.Operation
    op: ir.Operation

    @property
    def argument_types(self) -> list[ir.Type]:
        return [argument.type for argument in body_of(self.function).arguments]


def parsed(text: str) -> Parsed:
    """Parse a program; what follows is in the common context."""
    with context():
        module = ir.Module.parse(text)
    function = next(op for op in functions(module.operation).values() if has_body(op))
    return Parsed(module, function, [view.operation for view in body_of(function).operations][-2])


@cache
def instances() -> dict[str, list[str]]:
    """Valid programs of one op each, by op: the contracts' examples, and the cases of shape functions."""
    texts = {f"stablehlo.{name}": [contract(name).example] for name in contract_names()}
    for name in (*op_names("stablehlo"), *op_names("chlo")):
        found = library().find(SHAPE, name)
        cases = () if found is None else found.registration.cases
        accepted = [program_text(name, case) for case in cases if not isinstance(case, ErrorInvocation)]
        texts[name] = texts.get(name, []) + accepted
    return {name: kept for name, some in texts.items() if name not in _LEFT_OUT and (kept := list(filter(_fits, some)))}


def _fits(text: str) -> bool:
    """Whether an instance can be run: its operands are tensors, one of them with sizes, and are its function's."""
    program = parsed(text)
    types = program.argument_types
    tensors = all(isinstance(each, ir.RankedTensorType) for each in (*types, *(r.type for r in program.op.results)))
    return tensors and any(ir.RankedTensorType(type_).rank for type_ in types)


def _sizes(type_: ir.Type) -> list[int | None]:
    tensor = ir.RankedTensorType(type_)
    return [None if tensor.is_dynamic_dim(i) else tensor.shape[i] for i in range(tensor.rank)]


def _with_sizes(type_: ir.Type, sizes: Sequence[int | None]) -> ir.Type:
    return tensor_type(list(sizes), ir.RankedTensorType(type_).element_type)


def retyped(text: str, arguments: Sequence[Sequence[int | None]], result_types: Callable[[ir.Operation], Any]) -> str:
    """Return the program with other sizes in the types of its arguments, and which returns the op's results.

    Raises `ir.MLIRError` if it does not verify.
    """
    module, function, op = parsed(text)
    with context(), ir.Location.unknown():
        for argument, sizes in zip(body_of(function).arguments, arguments, strict=True):
            argument.set_type(_with_sizes(argument.type, sizes))
        for result, type_ in zip(op.results, result_types(op), strict=True):
            result.set_type(type_)
        terminator_of(body_of(function)).erase()
        create("func.return", list(op.results), [], at=ir.InsertionPoint(body_of(function)))
        refresh_type(function)
        function.attributes["sym_name"] = ir.StringAttr.get(_NAME)
        module.operation.verify()
        return module.operation.get_asm(print_generic_op_form=True)


def open_program(text: str, generator: random.Random, share: float = 1.0) -> tuple[str, list[list[int]]] | None:
    """Return the program with `?` for a share of the sizes of its arguments, and sizes that fit."""
    known = [_sizes(type_) for type_ in parsed(text).argument_types]
    opened = [[None if generator.random() < share else size for size in sizes] for sizes in known]
    fitting = [[generator.randint(1, 3) if size is None else size for size in sizes] for sizes in known]
    for open_results in (generator.random() < 0.7, True):

        def result_types(op: ir.Operation, is_open: bool = open_results) -> list[ir.Type]:
            types = [result.type for result in op.results]
            return [_with_sizes(type_, [None] * len(_sizes(type_))) for type_ in types] if is_open else types

        try:
            return retyped(text, opened, result_types), fitting
        except ir.MLIRError:
            continue
    return None


def draw_contradiction(generator: random.Random) -> bytes:
    """A program of one op with dynamic operands, sizes that fit, and sizes of which some are changed."""
    while True:
        text = generator.choice(instances()[generator.choice(sorted(instances()))])
        opened = open_program(text, generator, generator.choice((0.3, 0.6, 1.0, 1.0)))
        if opened is None:
            continue
        text, fitting = opened
        open_sizes = [_sizes(type_) for type_ in parsed(text).argument_types]
        places = [(i, j) for i, sizes in enumerate(open_sizes) for j, size in enumerate(sizes) if size is None]
        if not places:
            continue
        drawn = [list(sizes) for sizes in fitting]
        for i, j in generator.sample(places, min(len(places), generator.choice((1, 1, 1, 2)))):
            drawn[i][j] = max(0, generator.choice((drawn[i][j] - 1, drawn[i][j] + 1, 0, 1, generator.randint(0, 6))))
        return f"// {json.dumps([fitting, drawn])}\n{text}".encode()


def _values(text: str, sizes: Sequence[Sequence[int]]) -> list[np.ndarray]:
    generator = np.random.default_rng(sum(map(sum, sizes)))
    types = [decode_type(type_) for type_ in parsed(text).argument_types]
    return [generator.integers(0, 3, shape).astype(type_.dtype) for type_, shape in zip(types, sizes, strict=True)]


Outcome = list[bytes | tuple[int, ...]] | InterpreterError


def _outcome(program: Program, arguments: Sequence[np.ndarray]) -> Outcome:
    try:
        results = program.run(arguments, function=_NAME)
    except InterpreterError as error:
        if "mistake of the interpreter" in str(error):
            raise WrongError(str(error)) from error
        return error
    return [each for result in results for each in (result.shape, result.tobytes())]


@lru_cache(1)
def _programs(text: str) -> tuple[Program, Program]:
    """A program by definitions and fast, one after the other for all sizes of a test."""
    module = parsed(text).module
    return Program(module, Settings(fast=False)), Program(module, Settings(fast=True))


def run_dynamic(text: str, fitting: Sequence[Sequence[int]], sizes: Sequence[Sequence[int]]) -> Outcome:
    """The outcome of a program for arguments of these sizes: the same from definitions, and fast before and after it
    is compiled."""
    by_definitions, fast = _programs(text)
    arguments = _values(text, sizes)
    plain = _outcome(by_definitions, arguments)
    for run in ("first", "compiled"):
        found = _outcome(fast, arguments)
        if str(found) != str(plain):
            raise WrongError(f"{run} fast run: {found}; by definitions: {plain}")
        _outcome(fast, _values(text, fitting))
    return plain


def judge_contradiction(case: bytes) -> str:
    """Sizes are refused just when the verifier refuses the op of these sizes, or its shape function does; otherwise the
    results are those of the static program."""
    head, text = case.decode().split("\n", 1)
    fitting, sizes = json.loads(head.removeprefix("// "))
    found = run_dynamic(text, fitting, sizes)
    try:
        static = retyped_static(text, sizes, found)
    except ir.MLIRError as error:
        if isinstance(found, InterpreterError):
            return "refused by both" + (", with the constraint" if "this breaks constraint C" in str(found) else "")
        raise WrongError(f"{error}, and the run gives {found}") from error
    right = _outcome(Program(parsed(static).module), _values(static, sizes))
    if str(found) == str(right):
        return "the same"
    if isinstance(found, InterpreterError) and isinstance(right, InterpreterError):
        return "refused by both runs"
    if isinstance(found, InterpreterError) and found.op.startswith(_STRICTER):
        return "refused by the run alone"
    if isinstance(found, InterpreterError) and "cannot be expressed in StableHLO" in found.message:
        return "not expanded"
    raise WrongError(f"{found}, and with static types {right}")


def _first_known(*sources: Sequence[int | None]) -> list[int | None]:
    return [next((size for size in each if size is not None), None) for each in zip(*sources, strict=True)]


def retyped_static(text: str, sizes: Sequence[Sequence[int]], found: Outcome) -> str:
    """The program with these sizes as static types. Raises `ir.MLIRError` if the verifier refuses it."""
    shapes = [] if isinstance(found, InterpreterError) else found[::2]

    def result_types(op: ir.Operation) -> list[ir.Type]:
        declared = [result.type for result in op.results]
        inferred = inferred_types(op)
        if inferred is None or not all(isinstance(type_, ir.RankedTensorType) for type_ in inferred):
            inferred = declared
        sources = (map(_sizes, declared), map(_sizes, inferred), shapes or map(_sizes, declared))
        return [
            _with_sizes(op.results[i].type, _first_known(*each)) for i, each in enumerate(zip(*sources, strict=True))
        ]

    return retyped(text, sizes, result_types)
