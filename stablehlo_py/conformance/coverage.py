"""The coverage of the kit: the element types, kinds of case and constraints that it tries of each op.

A case keeps all constraints. It is at the edge of one if the dialect's verifier says that a single step breaks it. A
step is another number in an attribute, a number more or less in a list, or another dimension size, rank or element type
of an operand or a result. tests/lit/verify has cases on both sides of every constraint, and names the constraint of
each message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from ..bindings import ir, make_context
from ..bindings.build import attributes_of, create_value
from ..bindings.walk import operations
from ..dialect.catalog import constraints
from ..dialect.messages import violated_constraint
from ..isolation.limits import Limits
from ..isolation.process import run_in_child
from .case import Case

_NUMBER = re.compile(r"(?<![\w.#-])-?\d+(?=\s*[,\])>x:]|$)")
_ELEMENTS = ("i32", "f32", "ui8", "!quant.uniform<i8:f32, 0.5:1>")
_LONGEST = 2000  # characters of an attribute; longer ones are tensors of elements


def edges(chosen: Iterable[Case]) -> set[str]:
    """Return the numbers of the constraints that some of these cases, all of one op, are at the edge of."""
    context = make_context()
    outcome = run_in_child(lambda: {number for case in chosen for number in _edges(case, context)}, Limits())
    if outcome.crash:
        raise RuntimeError(f"the verifier ended its process: {outcome.crash}")
    return outcome.result()


def _edges(case: Case, context: ir.Context) -> Iterator[str]:
    module = ir.Module.parse(case.module, context)
    op = next((op for op in operations(module.operation) if op.name == f"stablehlo.{case.op}"), None)
    if op is None:
        return
    with context, ir.Location.unknown():
        for _ in chain(_attribute_steps(op), _operand_steps(op), _result_steps(op)):
            try:
                op.verify()
            except ir.MLIRError as error:
                broken = violated_constraint(case.op, error.error_diagnostics[0].message)
                if broken is not None:
                    yield broken.number


def _attribute_steps(op: ir.Operation) -> Iterator[None]:
    """Change an attribute, yield while the caller looks at the op, and change it back."""
    for name, before in attributes_of(op).items():
        text = str(before)
        for found in _NUMBER.finditer(text) if len(text) <= _LONGEST else ():
            head, number, tail = text[: found.start()], int(found[0]), text[found.end() :]
            for other in (f"{head}{number - 1}", f"{head}{number + 1}", f"{head}{number}, {number}", head.rstrip(", ")):
                try:
                    op.attributes[name] = ir.Attribute.parse(other + tail)
                except (ir.MLIRError, ValueError):
                    continue
                yield
        op.attributes[name] = before


def _operand_steps(op: ir.Operation) -> Iterator[None]:
    for index, before in enumerate(list(op.operands)):
        for type_ in _type_steps(before.type):
            op.operands[index] = create_value("builtin.unrealized_conversion_cast", [], type_, at=ir.InsertionPoint(op))
            yield
        op.operands[index] = before


def _result_steps(op: ir.Operation) -> Iterator[None]:
    for result in op.results:
        before = result.type
        for type_ in _type_steps(before):
            result.set_type(type_)
            yield
        result.set_type(before)


def _type_steps(type_: ir.Type) -> Iterator[ir.Type]:
    """Yield tensors that differ from a tensor in one size, in their rank or in their element type."""
    if not isinstance(type_, ir.RankedTensorType):
        return
    shape, element = list(type_.shape), type_.element_type
    for dim, size in enumerate(shape):
        for other in (size - 1, size + 1):
            if min(size, other) >= 0:
                yield ir.RankedTensorType.get([*shape[:dim], other, *shape[dim + 1 :]], element, type_.encoding)
    for other in ([*shape, 2], shape[:-1]):
        yield ir.RankedTensorType.get(other, element)
    for name in _ELEMENTS:
        yield ir.RankedTensorType.get(shape, ir.Type.parse(name))


@dataclass
class Coverage:
    """The types, kinds of case and constraints that the cases of one op exercise.

    Attributes:
        op: The op.
        cases: How many cases.
        types: Element types, each with how many.
        kinds: Kinds of case, each with how many.
        constraints: Numbers of the spec's constraints that the first cases of each type and kind are at the edge of.
        others: Numbers of those that hold and are nowhere at their edge.
    """

    op: str
    cases: int = 0
    types: dict[str, int] = field(default_factory=dict[str, int])
    kinds: dict[str, int] = field(default_factory=dict[str, int])
    constraints: list[str] = field(default_factory=list[str])
    others: list[str] = field(default_factory=list[str])


def coverage(chosen: Iterable[Case]) -> list[Coverage]:
    """Count what cases exercise, op by op."""
    found: dict[str, Coverage] = {}
    first: dict[str, list[Case]] = {}
    for case in chosen:
        entry = found.setdefault(case.op, Coverage(case.op))
        entry.cases += 1
        if case.type not in entry.types or case.kind not in entry.kinds:
            first.setdefault(case.op, []).append(case)
        entry.types[case.type] = entry.types.get(case.type, 0) + 1
        entry.kinds[case.kind] = entry.kinds.get(case.kind, 0) + 1
    for entry in found.values():
        broken = edges(first[entry.op])
        for each in constraints().get(entry.op, ()):
            (entry.constraints if each.number in broken else entry.others).append(each.number)
    return list(found.values())


def text(found: Iterable[Coverage]) -> str:
    """The counts as Markdown."""
    lines = ["| op | cases | types | kinds | at the edge of | other constraints |", "|---|--:|--:|---|---|---|"]
    at_edge = total = 0
    for each in found:
        kinds = ", ".join(f"{kind} {count}" for kind, count in each.kinds.items())
        numbers = [", ".join(part) for part in (each.constraints, each.others)]
        lines.append(f"| `{each.op}` | {each.cases} | {len(each.types)} | {kinds} | {' | '.join(numbers)} |")
        at_edge += len(each.constraints)
        total += len(each.constraints) + len(each.others)
    lines += ["", f"{at_edge} of {total} constraints have a case at their edge: one step further breaks them."]
    return "\n".join([*lines, "docs/constraints.md lists the programs of tests/lit/verify on both sides of each."])
