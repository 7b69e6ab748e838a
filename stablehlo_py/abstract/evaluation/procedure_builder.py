"""From blocks of arith, scf, tensor, shape, func and cf ops to procedures that the evaluator runs."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...bindings import ir
from ..errors import CalculationError
from . import symbols
from .conditions import Condition, both, compare, either, negate
from .evaluator import UNKNOWN_LIST, Evaluator, Frame, InfeasibleError, Instruction, Procedure

Number = symbols.Expression | int

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
}


def _xor(left: Any, right: Any) -> Any:
    if isinstance(right, bool):
        return negate(left) if right else left
    if isinstance(left, bool):
        return negate(right) if left else right
    return either(both(left, negate(right)), both(negate(left), right))


_BINARY["arith.xori"] = _xor


def _signed(value: int) -> int:
    """The bindings read an element of index type as if it had no sign."""
    return value - (1 << 64) if value >= 1 << 63 else value


def _kind(type_: ir.Type) -> str:
    """How the evaluator treats values of a type: list, index or i1."""
    if isinstance(type_, ir.RankedTensorType):
        return "list"
    return "i1" if isinstance(type_, ir.IntegerType) else "index"


class ProcedureBuilder:
    """Builds the procedure of one block and of the blocks inside it; all share a frame."""

    def __init__(self) -> None:
        self._places: dict[ir.Value, int] = {}
        self._count = 0
        self._collapsed: set[ir.Value] = set()

    def place(self, value: ir.Value) -> int:
        """The place of a value that a calculation computes."""
        known = self._places.get(value)
        if known is None:
            known = self._places[value] = self._count
            self._count += 1
        return known

    def procedure(self, block: ir.Block) -> Procedure:
        """The procedure of a whole calculation: a function's body, or a region in a program."""
        procedure = self._block(block)
        procedure.size = self._count
        return procedure

    def _block(self, block: ir.Block) -> Procedure:
        arguments = tuple(self.place(argument) for argument in block.arguments)
        instructions: list[Instruction] = []
        operations = list(block.operations)
        for view in operations[:-1]:
            instructions.append(self._instruction(view.operation))
        last = operations[-1].operation
        if last.name not in ("scf.yield", "func.return", "scf.condition"):
            raise CalculationError(f"a calculation cannot end with {last.name}")
        return Procedure(0, arguments, instructions, tuple(self.place(operand) for operand in last.operands))

    def _instruction(self, op: ir.Operation) -> Instruction:
        name = op.name
        if name in _BINARY:
            return self._binary(op, _BINARY[name])
        method = getattr(self, "_" + name.replace(".", "_"), None)
        if method is None:
            raise CalculationError(f"a calculation cannot contain {name}")
        return method(op)

    def _binary(self, op: ir.Operation, function: Callable[[Any, Any], Any]) -> Instruction:
        left, right, result = self.place(op.operands[0]), self.place(op.operands[1]), self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = function(frame[left], frame[right])

        return run

    def _arith_constant(self, op: ir.Operation) -> Instruction:
        result, attribute = self.place(op.results[0]), op.attributes["value"]
        if isinstance(attribute, ir.BoolAttr):
            value: Any = bool(attribute.value)
        elif isinstance(attribute, ir.IntegerAttr):
            value = (
                bool(attribute.value)
                if isinstance(attribute.type, ir.IntegerType) and attribute.type.width == 1
                else attribute.value
            )
        else:
            dense = ir.DenseIntElementsAttr(attribute)
            value = tuple([_signed(int(dense[i])) for i in range(len(dense))])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = value

        return run

    def _arith_cmpi(self, op: ir.Operation) -> Instruction:
        left, right, result = self.place(op.operands[0]), self.place(op.operands[1]), self.place(op.results[0])
        predicate = _PREDICATES[ir.IntegerAttr(op.attributes["predicate"]).value]
        of_bools = isinstance(op.operands[0].type, ir.IntegerType)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            if of_bools:
                different = _xor(frame[left], frame[right])
                frame[result] = different if predicate == "ne" else negate(different)
            else:
                frame[result] = compare(predicate, frame[left], frame[right])

        return run

    def _arith_select(self, op: ir.Operation) -> Instruction:
        places, result, type_ = (
            [self.place(v) for v in op.operands],
            self.place(op.results[0]),
            _kind(op.results[0].type),
        )

        def run(evaluator: Evaluator, frame: Frame) -> None:
            condition, first, second = (frame[place] for place in places)
            if isinstance(condition, bool):
                frame[result] = first if condition else second
            else:
                frame[result] = evaluator.join(condition, first, second, type_)

        return run

    def _arith_index_castui(self, op: ir.Operation) -> Instruction:
        operand, result = self.place(op.operands[0]), self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            value = frame[operand]
            frame[result] = int(value) if isinstance(value, bool) else value
            if isinstance(value, Condition):
                frame[result] = symbols.computed("select", f"(1 if {value} else 0)", (value, 1, 0), 0, 1)

        return run

    def _arith_index_cast(self, op: ir.Operation) -> Instruction:
        """Elements of an integer tensor of the program, as a list."""
        if op.operands[0] in self._places and op.operands[0] not in self._collapsed:
            return self._tensor_cast(op)
        value, result = op.operands[0], self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = evaluator.surroundings.elements(value)

        return run

    def _tensor_extract(self, op: ir.Operation) -> Instruction:
        if op.operands[0] not in self._places:
            return self._extract_from_program(op)
        owner, index, result = self.place(op.operands[0]), self.place(op.operands[1]), self.place(op.results[0])
        type_ = _kind(op.results[0].type)

        def run(evaluator: Evaluator, frame: Frame) -> None:
            values, position = frame[owner], frame[index]
            if values is None or not isinstance(position, int):
                frame[result] = evaluator.unknown(type_)
                return
            if not 0 <= position < len(values):
                raise InfeasibleError(f"index {position} is outside a list of {len(values)}")
            frame[result] = values[position]

        return run

    def _extract_from_program(self, op: ir.Operation) -> Instruction:
        """One element of an integer tensor of rank 0 or 1 of the program."""
        value, result = op.operands[0], self.place(op.results[0])
        indices = [self.place(operand) for operand in list(op.operands)[1:]]

        def run(evaluator: Evaluator, frame: Frame) -> None:
            elements = evaluator.surroundings.elements(value)
            position = frame[indices[0]] if indices else 0
            known = elements is not None and isinstance(position, int) and 0 <= position < len(elements)
            frame[result] = elements[position] if elements is not None and known else evaluator.unknown("index")

        return run

    def _tensor_from_elements(self, op: ir.Operation) -> Instruction:
        places, result = tuple(self.place(operand) for operand in op.operands), self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = tuple([frame[place] for place in places])

        return run

    def _tensor_collapse_shape(self, op: ir.Operation) -> Instruction:
        self._collapsed.add(op.results[0])  # only its elements are asked for, and those are its operand's
        return lambda evaluator, frame: None

    def _tensor_cast(self, op: ir.Operation) -> Instruction:
        if op.operands[0] not in self._places:  # a tensor of index of the program
            return self._arith_index_cast(op)
        operand, result = self.place(op.operands[0]), self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = frame[operand]

        return run

    def _tensor_dim(self, op: ir.Operation) -> Instruction:
        result, index, value = self.place(op.results[0]), self.place(op.operands[1]), op.operands[0]
        type_ = _kind(op.results[0].type)
        if value in self._places:
            owner = self.place(value)

            def length(evaluator: Evaluator, frame: Frame) -> None:
                frame[result] = evaluator.unknown(type_) if frame[owner] is None else len(frame[owner])

            return length

        def extent(evaluator: Evaluator, frame: Frame) -> None:
            extents = evaluator.surroundings.extents(value)
            frame[result] = evaluator.unknown(type_) if extents is None else extents[frame[index]]

        return extent

    def _shape_shape_of(self, op: ir.Operation) -> Instruction:
        value, result = op.operands[0], self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            frame[result] = evaluator.surroundings.extents(value)

        return run

    def _tensor_insert(self, op: ir.Operation) -> Instruction:
        item, owner, index = (self.place(operand) for operand in op.operands)
        result = self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            values, position = frame[owner], frame[index]
            if values is None or not isinstance(position, int):
                frame[result] = UNKNOWN_LIST
                return
            if not 0 <= position < len(values):
                raise InfeasibleError(f"index {position} is outside a list of {len(values)}")
            frame[result] = (*values[:position], frame[item], *values[position + 1 :])

        return run

    def _tensor_concat(self, op: ir.Operation) -> Instruction:
        places, result = tuple(self.place(operand) for operand in op.operands), self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            parts = [frame[place] for place in places]
            frame[result] = UNKNOWN_LIST if None in parts else tuple([item for part in parts for item in part])

        return run

    def _tensor_extract_slice(self, op: ir.Operation) -> Instruction:
        owner, start, size = (self.place(operand) for operand in op.operands)
        result = self.place(op.results[0])

        def run(evaluator: Evaluator, frame: Frame) -> None:
            values, first, count = frame[owner], frame[start], frame[size]
            if values is None or not isinstance(first, int) or not isinstance(count, int):
                frame[result] = UNKNOWN_LIST
                return
            stop = first + count  # as in Python, a slice never fails: it stops at the end of the list
            frame[result] = values[max(first, 0) : max(stop, 0)] if stop > first else ()

        return run

    def _cf_assert(self, op: ir.Operation) -> Instruction:
        condition, message = self.place(op.operands[0]), ir.StringAttr(op.attributes["msg"]).value

        def run(evaluator: Evaluator, frame: Frame) -> None:
            evaluator.check(frame[condition], message)

        return run

    def _func_call(self, op: ir.Operation) -> Instruction:
        callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        places = tuple(self.place(operand) for operand in op.operands)
        results = tuple(self.place(result) for result in op.results)
        types = [_kind(result.type) for result in op.results]
        if callee.startswith("message.inputs."):

            def note(evaluator: Evaluator, frame: Frame) -> None:
                evaluator.inputs = tuple([frame[place] for place in places])

            return note

        def run(evaluator: Evaluator, frame: Frame) -> None:
            procedure = evaluator.surroundings.procedure_of(callee)
            if procedure is None:
                values: tuple[Any, ...] = tuple(evaluator.unknown(type_) for type_ in types)
            else:
                values = evaluator.run(procedure, [frame[place] for place in places])
            for place, value in zip(results, values, strict=True):
                frame[place] = value

        return run

    def _scf_if(self, op: ir.Operation) -> Instruction:
        condition = self.place(op.operands[0])
        procedures = [
            self._block(region.blocks[0]) if len(region.blocks) else Procedure(0, (), [], ()) for region in op.regions
        ]
        results = tuple(self.place(result) for result in op.results)
        types = [_kind(result.type) for result in op.results]

        def run(evaluator: Evaluator, frame: Frame) -> None:
            test = evaluator.settled(frame[condition])
            if isinstance(test, bool):
                values = evaluator.run_in(procedures[0] if test else procedures[1], frame)
            else:
                first = evaluator.way(test, procedures[0], frame)
                second = evaluator.way(negate(test), procedures[1], frame)
                if first is None and second is None:
                    raise InfeasibleError("both ways of a branch fail")
                if first is None or second is None:
                    values = second if first is None else first
                else:
                    values = [evaluator.join(test, a, b, t) for a, b, t in zip(first, second, types, strict=True)]
            for place, value in zip(results, values if values is not None else (), strict=True):
                frame[place] = value

        return run

    def _scf_for(self, op: ir.Operation) -> Instruction:
        low, high, step = (self.place(operand) for operand in list(op.operands)[:3])
        initial = [self.place(operand) for operand in list(op.operands)[3:]]
        procedure = self._block(op.regions[0].blocks[0])
        results = tuple(self.place(result) for result in op.results)
        types = [_kind(result.type) for result in op.results]

        def run(evaluator: Evaluator, frame: Frame) -> None:
            bounds = (frame[low], frame[high], frame[step])
            values = tuple([frame[place] for place in initial])
            if all(isinstance(bound, int) for bound in bounds):
                for index in range(*bounds):
                    for place, value in zip(procedure.arguments, (index, *values), strict=True):
                        frame[place] = value
                    values = evaluator.run_in(procedure, frame)
            else:
                values = tuple([evaluator.unknown(type_) for type_ in types])
            for place, value in zip(results, values, strict=True):
                frame[place] = value

        return run

    def _scf_while(self, op: ir.Operation) -> Instruction:
        before, after = (self._block(region.blocks[0]) for region in op.regions)
        initial = [self.place(operand) for operand in op.operands]
        results = tuple(self.place(result) for result in op.results)
        types = [_kind(result.type) for result in op.results]

        def run(evaluator: Evaluator, frame: Frame) -> None:
            values: tuple[Any, ...] = tuple([frame[place] for place in initial])
            while True:
                for place, value in zip(before.arguments, values, strict=True):
                    frame[place] = value
                holds, *passed = evaluator.run_in(before, frame)
                if holds is False:
                    break
                if holds is not True:
                    passed = [evaluator.unknown(type_) for type_ in types]
                    break
                for place, value in zip(after.arguments, passed, strict=True):
                    frame[place] = value
                values = evaluator.run_in(after, frame)
            for place, value in zip(results, passed, strict=True):
                frame[place] = value

        return run
