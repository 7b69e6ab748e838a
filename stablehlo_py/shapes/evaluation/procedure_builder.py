"""From blocks of arith, scf, tensor, shape, func and cf ops to procedures that the evaluator runs.

Most ops become a function here: of the evaluator and the values of the operands. An operand that the library function
does not compute is a tensor of the program; its value is the `ir.Value` itself.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from ...bindings import ir
from ...bindings.attributes import int_of, string_of, symbol_of
from ..errors import LibraryError
from . import symbols
from .conditions import Condition, both, compare, either, exclusive, negate, replace
from .evaluator import UNKNOWN_LIST, Evaluator, Frame, InfeasibleError, Instruction, Procedure
from .symbols import Number

_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "slt", "sle", "sgt", "sge")  # arith's order, unsigned as signed


def _divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise InfeasibleError("division by zero")
    return left // right


def _remainder(left: Number, right: Number) -> Number:
    return left - _divide(left, right) * right


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.floordivsi": _divide,
    "arith.divsi": _divide,
    "arith.divui": _divide,
    "arith.remsi": _remainder,
    "arith.remui": _remainder,
    "arith.minsi": symbols.minimum,
    "arith.maxsi": symbols.maximum,
    "arith.andi": both,
    "arith.ori": either,
    "arith.xori": exclusive,
}


def _truth_as_integer(evaluator: Evaluator, value: Any) -> Any:
    return evaluator.join(value, 1, 0) if isinstance(value, bool | Condition) else value


def _elements(evaluator: Evaluator, value: Any) -> Any:
    """Return a list as it is, or the elements of an integer tensor of the program."""
    return evaluator.environment.elements(value) if isinstance(value, ir.Value) else value


def _extract(evaluator: Evaluator, owner: Any, *indices: Any) -> Any:
    """Return an element of a list, or of an integer tensor of rank 0 or 1 of the program."""
    values, position = _elements(evaluator, owner), indices[0] if indices else 0
    of_program = isinstance(owner, ir.Value)
    if values is None or not isinstance(position, int) or (of_program and not 0 <= position < len(values)):
        return evaluator.unknown("index")
    return values[_checked(position, values)]


def _checked(position: int, values: Sequence[Any]) -> int:
    if not 0 <= position < len(values):
        raise InfeasibleError(f"index {position} is outside a list of {len(values)}")
    return position


def _dimension(evaluator: Evaluator, owner: Any, index: Any) -> Any:
    """Return the length of a list, or a dimension size of a tensor of the program."""
    if not isinstance(owner, ir.Value):
        return evaluator.unknown("index") if owner is None else len(owner)
    sizes: Any = evaluator.environment.sizes(owner)
    return evaluator.unknown("index") if sizes is None else sizes[index]


def _insert(evaluator: Evaluator, item: Any, values: Any, position: Any) -> Any:
    if values is None or not isinstance(position, int):
        return UNKNOWN_LIST
    return *values[: _checked(position, values)], item, *values[position + 1 :]


def _concatenate(evaluator: Evaluator, *parts: Any) -> Any:
    return UNKNOWN_LIST if None in parts else tuple([item for part in parts for item in part])


def _slice(evaluator: Evaluator, values: Any, first: Any, count: Any) -> Any:
    """As in Python, a slice never fails: it stops at the end of the list."""
    if values is None or not isinstance(first, int) or not isinstance(count, int):
        return UNKNOWN_LIST
    return values[max(first, 0) : max(first + count, 0)] if count > 0 else ()


def _row(evaluator: Evaluator, *items: Any) -> Any:
    return items


def _shape(evaluator: Evaluator, value: Any) -> Any:
    return evaluator.environment.sizes(value)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "arith.select": Evaluator.join,
    "arith.index_castui": _truth_as_integer,
    "arith.index_cast": _elements,
    "tensor.cast": _elements,
    "tensor.collapse_shape": _elements,
    "tensor.extract": _extract,
    "tensor.from_elements": _row,
    "tensor.dim": _dimension,
    "tensor.insert": _insert,
    "tensor.concat": _concatenate,
    "tensor.extract_slice": _slice,
    "shape.shape_of": _shape,
}


def _constant(attribute: ir.Attribute) -> Any:
    if isinstance(attribute, ir.BoolAttr):
        return bool(attribute.value)
    if isinstance(attribute, ir.IntegerAttr):
        is_truth = isinstance(attribute.type, ir.IntegerType) and attribute.type.width == 1
        return bool(attribute.value) if is_truth else attribute.value
    dense = ir.DenseIntElementsAttr(attribute)
    # The bindings read an element of index type as if it had no sign.
    return tuple([(int(dense[i]) + (1 << 63)) % (1 << 64) - (1 << 63) for i in range(len(dense))])


def _kinds(op: ir.Operation) -> list[str]:
    """Return the kinds of an op's results: list, index or i1."""
    kinds = ((ir.RankedTensorType, "list"), (ir.IntegerType, "i1"), (ir.IndexType, "index"))
    return [kind for result in op.results for class_, kind in kinds if isinstance(result.type, class_)]


def _put(frame: Frame, slots: Sequence[int], values: Iterable[Any]) -> None:
    for slot, value in zip(slots, values, strict=True):
        frame[slot] = value


def build_procedure(block: ir.Block) -> Procedure:
    """Return the procedure of a whole library function: a function's body, or a region in a program."""
    return _Builder().block(block)


class _Builder:
    """Builds the procedure of one block and of the blocks inside it; all share a frame."""

    def __init__(self) -> None:
        self._slots: dict[ir.Value, int] = {}
        self._initial: Frame = []

    def _slot(self, value: ir.Value) -> int:
        """Return the slot of a value; one that nothing has computed so far is a tensor of the program."""
        known = self._slots.get(value)
        return self._new_slot(value, value) if known is None else known

    def _new_slot(self, value: ir.Value, content: Any = None) -> int:
        self._slots[value] = len(self._initial)
        self._initial.append(content)
        return self._slots[value]

    def _operands(self, op: ir.Operation) -> tuple[int, ...]:
        return tuple(map(self._slot, op.operands))

    def _results(self, op: ir.Operation) -> tuple[int, ...]:
        return tuple(map(self._new_slot, op.results))

    def block(self, block: ir.Block) -> Procedure:
        arguments = tuple(map(self._new_slot, block.arguments))
        instructions: list[Instruction] = []
        *ops, last = [view.operation for view in block.operations]
        if last.name not in ("scf.yield", "func.return", "scf.condition"):
            raise LibraryError(f"a library function cannot end with {last.name}")
        for op in ops:
            name = op.name
            if name == "arith.constant":
                self._new_slot(op.result, _constant(op.attributes["value"]))
            else:
                instructions.append(self._instruction(op, name))
        return Procedure(self._initial, arguments, instructions, self._operands(last))

    def _instruction(self, op: ir.Operation, name: str) -> Instruction:
        if name in _BINARY:
            return self._binary(op, _BINARY[name])
        if name == "arith.cmpi":
            return self._binary(op, partial(compare, _PREDICATES[int_of(op.attributes["predicate"])]))
        if name in _FUNCTIONS:
            return self._applied(op, _FUNCTIONS[name])
        method = getattr(self, "_" + name.replace(".", "_"), None)
        if method is None:
            raise LibraryError(f"a library function cannot contain {name}")
        return method(op)

    def _binary(self, op: ir.Operation, function: Callable[[Any, Any], Any]) -> Instruction:
        (left, right), result = self._operands(op), self._new_slot(op.result)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = function(frame[left], frame[right])

        return run

    def _applied(self, op: ir.Operation, function: Callable[..., Any]) -> Instruction:
        operands, result = self._operands(op), self._new_slot(op.result)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = function(evaluator, *[frame[slot] for slot in operands])

        return run

    def _cf_assert(self, op: ir.Operation) -> Instruction:
        (condition,), message = self._operands(op), string_of(op.attributes["msg"])
        return lambda evaluator, frame: evaluator.check(frame[condition], message)

    def _func_call(self, op: ir.Operation) -> Instruction:
        callee, operands = symbol_of(op.attributes["callee"]), self._operands(op)
        results, kinds = self._results(op), _kinds(op)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            arguments = [frame[slot] for slot in operands]
            if callee.startswith("message.inputs."):
                evaluator.inputs = tuple(arguments)
                return
            procedure = evaluator.environment.procedure_of(callee)
            known = None if procedure is None else evaluator.run(procedure, arguments)
            _put(frame, results, map(evaluator.unknown, kinds) if known is None else known)

        return run

    def _scf_if(self, op: ir.Operation) -> Instruction:
        (condition,) = self._operands(op)
        then, *rest = [self.block(region.blocks[0]) for region in op.regions if len(region.blocks)]
        otherwise = rest[0] if rest else Procedure(self._initial, (), [], ())
        results = self._results(op)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            test = replace(frame[condition], evaluator.known)
            if isinstance(test, bool):
                _put(frame, results, evaluator.run_in(then if test else otherwise, frame))
                return
            first = evaluator.way(test, then, frame)
            second = evaluator.way(negate(test), otherwise, frame)
            if first is not None and second is not None:
                first = [evaluator.join(test, a, b) for a, b in zip(first, second, strict=True)]
            found = second if first is None else first
            if found is None:
                raise InfeasibleError("both ways of a branch fail")
            _put(frame, results, found)

        return run

    def _scf_for(self, op: ir.Operation) -> Instruction:
        low, high, step, *initial = self._operands(op)
        body = self.block(op.regions[0].blocks[0])
        results, kinds = self._results(op), _kinds(op)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            bounds = (frame[low], frame[high], frame[step])
            values = tuple([frame[slot] for slot in initial])
            if all(isinstance(bound, int) for bound in bounds):
                for index in range(*bounds):
                    _put(frame, body.arguments, (index, *values))
                    values = evaluator.run_in(body, frame)
            else:
                values = tuple(map(evaluator.unknown, kinds))
            _put(frame, results, values)

        return run

    def _scf_while(self, op: ir.Operation) -> Instruction:
        initial = self._operands(op)
        before, after = (self.block(region.blocks[0]) for region in op.regions)
        results, kinds = self._results(op), _kinds(op)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            values: Sequence[Any] = [frame[slot] for slot in initial]
            while True:
                _put(frame, before.arguments, values)
                holds, *passed = evaluator.run_in(before, frame)
                if not isinstance(holds, bool):
                    passed = map(evaluator.unknown, kinds)
                if holds is not True:
                    break
                _put(frame, after.arguments, passed)
                values = evaluator.run_in(after, frame)
            _put(frame, results, passed)

        return run
