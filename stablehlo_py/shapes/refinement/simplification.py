"""Replaces library functions by their remaining ops after evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.build import add_block, attributes_of, create
from ...bindings.elements import dtype_of
from ...bindings.walk import symbols
from ..signatures import SHAPE
from . import wrapping
from .application import Refinement, refine
from .context import AnalyzedProgram, Evaluation
from .reification import add_functions
from .shape_arithmetic import FOLDABLE, array_of
from .symbol_writing import NotExpressibleError, SymbolWriter
from .value_facts import ValueFacts


def simplify(program: AnalyzedProgram) -> Refinement:
    """Refine a module by the library functions in it, and simplify these. Raises `RefutedError`."""
    refinement = refine(program)
    for context, evaluation in refinement.evaluations():
        if evaluation.op is not None:
            _rewrite(program.module, context.facts, evaluation, evaluation.op)
    return refinement


def _rewrite(module: ir.Operation, facts: ValueFacts, evaluation: Evaluation, old: ir.Operation) -> None:
    """Put what is left of a library function in its place; a library function whose result is unknown stays as it
    is."""
    types = [result.type for result in old.results]
    at = ir.InsertionPoint(old)
    new = create(old.name, (), types, attributes_of(old), regions=1, at=at, location=old.location)
    builder = wrapping.LibraryBuilder(add_block(new.regions[0]), old.location)
    writer = SymbolWriter(builder, facts, evaluation.wrapper)
    try:
        for assertion in evaluation.assertions:
            condition = writer.condition(assertion.condition)
            inputs = [writer.number(value) for value in assertion.inputs]
            if inputs:
                callee = f"message.inputs.{len(inputs)}"
                if callee not in symbols(module):
                    add_functions(module, f"func.func private @{callee}({', '.join(['index'] * len(inputs))})")
                builder.create("func.call", [], inputs, callee=ir.FlatSymbolRefAttr.get(callee, builder.context))
            builder.create("cf.assert", [], [condition], msg=ir.StringAttr.get(assertion.message, builder.context))
        values = [_written(builder, writer, value, evaluation.kind) for value in evaluation.values]
    except NotExpressibleError:
        new.erase()
        return
    builder.create("scf.yield", [], values)
    old.erase()


def _written(builder: wrapping.LibraryBuilder, writer: SymbolWriter, value: Any, kind: str) -> ir.Value:
    if kind != SHAPE:
        return writer.number(value)
    if value is None:
        raise NotExpressibleError("a list of unknown length")
    if all(isinstance(size, int) for size in value):
        return builder.integers(value)
    sizes = [writer.number(size) for size in value]
    type_ = ir.RankedTensorType.get([len(sizes)], builder.index)
    return builder.as_list(builder.value("tensor.from_elements", type_, *sizes))


def known_elements(refinement: Refinement) -> dict[ir.Value, np.ndarray]:
    """Return the elements of the small integer tensors that the program computes and refinement knows."""
    found = {value: elements for context in refinement for value, elements in context.facts.all_elements()}
    return {
        value: array_of(value, elements).astype(dtype_of(ir.RankedTensorType(value.type).element_type))
        for value, elements in found.items()
        if not isinstance(value.owner, ir.Block)
        and value.owner.name in FOLDABLE
        and elements is not None
        and all(isinstance(element, int) for element in elements)
        and ir.RankedTensorType(value.type).has_static_shape
    }


def drop_stand_ins(refinement: Refinement) -> bool:
    """Remove the ops of refine-arguments between an argument and its uses if their types agree. Returns whether there
    was any."""
    found = [op for context in refinement for op in context.stand_ins]
    for op in found:
        if op.operands[0].type == op.results[0].type:
            outer = wrapping.around(op)
            outer.results[0].replace_all_uses_with(op.operands[0])
            outer.erase()
    return bool(found)
