"""Cases of ops that no other file has: the calls that stand beside their shape functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ... import ops
from ...bindings.types import TensorType
from ...errors import StablehloError
from ...interpreter.program import Program
from ...ops.functions import built
from ...shapes.library import library
from ...shapes.registry import ErrorInvocation, Invocation
from ...shapes.signatures import SHAPE
from ..case import Case, Expected
from ..catalog import OTHERS, Draw, cases_of
from ..generate.values import ELEMENTS
from .choosing import draw_elements

_TENSOR = re.compile(r"((?:[\d?]+x)*)[a-z]\w*")


def _calls(op: str) -> list[Invocation]:
    """Return the calls of an op that its shape function is tested with: those on tensors alone that are accepted."""
    found = library().find(SHAPE, f"stablehlo.{op}")
    return [
        call
        for call in (found.registration.cases if found is not None else ())
        if not isinstance(call, ErrorInvocation)
        and all(isinstance(operand, str) and _TENSOR.fullmatch(operand) for operand in call.operands)
    ]


@cases_of(OTHERS)
def derived(op: str, draw: Draw) -> Iterator[Case]:
    """Make the calls of an op with drawn operands of each element type that the verifier takes. Unknown sizes are 2.

    Their results are those of the definition: an op whose results are numbers deserves cases with another source.
    """
    for call in _calls(op):
        for element in draw.only(ELEMENTS):
            case = _case(op, call, element, draw)
            if case is not None:
                yield case


def _case(op: str, call: Invocation, element: str, draw: Draw) -> Case | None:
    generator = draw(op, element, *call.operands)
    arrays: list[np.ndarray] = []
    for operand in call.operands:
        shape = [2 if size == "?" else int(size) for size in str(operand).split("x")[:-1]]
        elements = draw_elements(element, "special values", int(np.prod(shape)), generator)
        arrays.append(elements.reshape(shape))
    try:
        operands = [ops.typed(array, element) for array in arrays]
        module = built(lambda *values: getattr(ops, op)(*values, **call.attributes), operands)
        program = Program(module)
        results = program.run(arrays)
    except StablehloError:
        return None
    types = tuple([str(operand.type) for operand in operands])
    expected = [
        Expected(result, str(type_.element_type))
        for result, type_ in zip(results, program.result_types(), strict=True)
        if isinstance(result, np.ndarray) and isinstance(type_, TensorType)
    ]
    source = "the definition of this package"
    return Case(op, element, "call", str(module), tuple(arrays), tuple(expected), source, 0, types)
