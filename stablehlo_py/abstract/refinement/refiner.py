"""Refines the types of a program by evaluating the calculations in it, from the arguments to the results.

One walk in program order reaches the fixed point of everything but loops, which are walked until what they carry no
longer changes. A private function is refined for what its callers pass; where callers differ each gets its own copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ...bindings import ir
from ...bindings.diagnostics import file_location, warn
from ..errors import LimitError, RefutedError
from ..evaluation.conditions import compare
from ..evaluation.conditions import learned as learned_from
from ..evaluation.conditions import replace as replace_in
from ..evaluation.evaluator import Assertion, Evaluator, InfeasibleError, Procedure, RefutedAssertionError
from ..evaluation.op_arguments import ElementTypes, declared_shape
from ..evaluation.procedure_builder import ProcedureBuilder
from ..evaluation.symbols import Symbol, substitute
from ..library import Library
from ..signatures import SHAPE
from . import control_flow, wrapping
from .demand import demanded_values
from .op_evaluation import DirectEvaluator
from .refined_types import refined_type
from .reification import STRUCTURAL
from .shape_arithmetic import evaluate_elements
from .value_facts import Facts, Number, is_unknown

# Dialects whose ops accept operands of a more precise type.
_FLEXIBLE_USERS = {"stablehlo", "chlo", "sdy", "func", "shape"}
_FLEXIBLE_OPS = {"tensor.dim", "scf.yield", "arith.index_cast", "tensor.extract", "tensor.cast"}


@dataclass
class Evaluation:
    """What a calculation in a wrapper came to: a value for each result, and the assertions that are not proven."""

    wrapper: ir.Operation  # or the op itself, where there is none
    kind: str
    op: ir.Operation | None  # the calculation in the wrapper
    values: tuple[Any, ...]
    assertions: tuple[Assertion, ...]


@dataclass
class Refiner:
    """One refinement of a module. `direct` evaluates the library's calculations for ops without a
    wrapper too; `commit` is off during the trial rounds of a loop, which change nothing."""

    module: ir.Operation
    library: Library
    kinds: tuple[str, ...] = (SHAPE,)
    direct: bool = False
    max_iterations: int = 10
    facts: Facts = field(default_factory=Facts)
    codes: ElementTypes = field(default_factory=ElementTypes)
    evaluations: list[Evaluation] = field(default_factory=list)
    stand_ins: list[ir.Operation] = field(default_factory=list)  # custom calls that are just their operand
    commit: bool = True
    changed: bool = False
    limit_hit: bool = False
    functions: dict[str, ir.Operation] = field(default_factory=dict)
    _declared: list[Assertion] = field(default_factory=list)
    _declared_shapes: dict[ir.Type, list[int]] = field(default_factory=dict)
    _refined_types: dict[tuple[Any, ...], ir.Type] = field(default_factory=dict)
    _procedures: dict[ir.Operation, Procedure] = field(default_factory=dict)
    _calculation_functions: dict[str, Procedure] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.calls = control_flow.Calls(self)
        self._direct = DirectEvaluator(self.library, self.facts, self, self.codes)
        for view in self.module.regions[0].blocks[0].operations:
            op = view.operation
            if op.name == "func.func":
                self.functions[ir.StringAttr(op.attributes["sym_name"]).value] = op

    # What calculations ask about the program (`evaluator.Surroundings`).

    def extents(self, value: ir.Value) -> tuple[Number, ...] | None:
        return self.facts.extents(value)

    def elements(self, value: ir.Value) -> tuple[Number, ...] | None:
        elements = self.facts.elements(value)
        if elements is None and not isinstance(value.owner, ir.Block):
            owner = value.owner
            if owner.name == "tensor.collapse_shape":
                return self.facts.elements(owner.operands[0])
        return elements

    def procedure_of(self, symbol_name: str) -> Procedure | None:
        """The module's own copy of a calculation counts; the library's stands in for one that is not there."""
        found = self._calculation_functions.get(symbol_name)
        if found is None:
            function = self.functions.get(symbol_name)
            if function is not None and len(function.regions[0].blocks):
                found = ProcedureBuilder().procedure(function.regions[0].blocks[0])
            else:
                found = self.library.procedure_of(symbol_name)
            if found is not None:
                self._calculation_functions[symbol_name] = found
        return found

    # The walk.

    def run(self) -> bool:
        """Refines the module. Returns whether any type changed. Raises `RefutedError` where a rule is broken."""
        self.facts.demanded = demanded_values(self.module, self.library)
        called = set(self._callees())
        roots = [
            op
            for name, op in self.functions.items()
            if not wrapping.is_calculation_function(op) and (name not in called or control_flow.is_public(op))
        ]
        self.facts.only_root = ir.StringAttr(roots[0].attributes["sym_name"]).value if len(roots) == 1 else "main"
        for function in roots:
            self.calls.refine_root(function)
        if self.limit_hit:
            warn(self.module.location, f"refinement stopped after {self.max_iterations} iterations of a loop")
        return self.changed

    def _callees(self) -> Iterator[str]:
        for function in self.functions.values():
            if wrapping.is_calculation_function(function):
                continue
            for op in walk(function):
                if op.name == "func.call":
                    yield ir.FlatSymbolRefAttr(op.attributes["callee"]).value
                elif op.name == "stablehlo.composite":
                    yield ir.FlatSymbolRefAttr(op.attributes["decomposition"]).value

    def block(self, block: ir.Block) -> ir.Operation:
        """Walks a block. Returns its terminator."""
        operations = list(block.operations)
        for view in operations:
            op = view.operation
            if wrapping.is_wrapper(op):
                self._wrapper(op)
            else:
                self.plain(op)
                if self.direct and len(op.results) and op.name not in STRUCTURAL:
                    self._evaluate_directly(op)
        return operations[-1].operation

    def plain(self, op: ir.Operation) -> None:
        """An op without a wrapper, or the body of one: what control flow and integer arithmetic make of it."""
        handler = control_flow.HANDLERS.get(op.name)
        if handler is not None:
            handler(self, op)
        else:
            evaluate_elements(op, self.facts)

    def scoped(self, block: ir.Block) -> ir.Operation:
        """As `block`, with what assertions teach inside forgotten afterwards."""
        known = self.facts.known
        self.facts.known = dict(known)
        try:
            return self.block(block)
        finally:
            self.facts.known = known

    def _wrapper(self, wrapper: ir.Operation) -> None:
        body = wrapping.body_of(wrapper)
        self.plain(body)
        for kind, op in wrapping.calculations_of(wrapper):
            if kind not in self.kinds:
                continue
            values, assertions = self._evaluate(op, body)
            self._apply(body, kind, values)
            if self.commit:
                self.evaluations.append(Evaluation(wrapper, kind, op, values, (*assertions, *self._declared)))
        for inner, outer in zip(body.results, wrapper.results, strict=True):
            self.carry(inner, outer)

    def _evaluate_directly(self, op: ir.Operation) -> None:
        for kind in self.kinds:
            with self._blaming(op):
                outcome = self._direct.evaluate(op, kind)
            if outcome is None:
                continue
            if outcome.learned:
                self._learn_all(outcome.learned)
            self._apply(op, kind, outcome.values)
            if self.commit:
                self.evaluations.append(
                    Evaluation(op, kind, None, outcome.values, (*outcome.assertions, *self._declared))
                )

    def _apply(self, op: ir.Operation, kind: str, values: Sequence[Any]) -> None:
        self._declared = []
        if kind == SHAPE:
            self._apply_shapes(op, values)
        else:
            self._check_dtypes(op, values)

    @contextmanager
    def _blaming(self, op: ir.Operation) -> Iterator[None]:
        """Turns what goes wrong in a calculation into an error at the op."""
        try:
            yield
        except RefutedAssertionError as error:
            raise self.refuted(op, error.assertion.text) from error
        except InfeasibleError as error:
            raise self.refuted(op, f"its calculation fails: {error}") from error
        except LimitError as error:
            raise LimitError(error.message, location=file_location(op.location), op=op.name) from error

    def _learn_all(self, learned: dict[Symbol, Number]) -> None:
        known = self.facts.known
        for symbol, value in learned.items():
            known = {old: substitute(was, {symbol: value}) for old, was in known.items()}
            known[symbol] = value
        self.facts.known = known

    def carry(self, source: ir.Value, target: ir.Value) -> None:
        """Makes `target` known to be the same value as `source`."""
        extents = self.facts.extents(source)
        if extents is not None:
            self.facts.set_extents(target, extents)
            self.retype(target, source.type)
        self.facts.set_elements(target, self.facts.known_elements(source))

    def carry_facts(self, source: ir.Value, target: ir.Value, op: ir.Operation) -> None:
        """Refines a result of `op` that is the same value as `source`."""
        extents = self.facts.extents(source)
        if extents is not None and isinstance(target.type, ir.RankedTensorType):
            self.refine(target, extents, op)
            self.facts.set_elements(target, self.facts.known_elements(source))

    def _evaluate(self, op: ir.Operation, body: ir.Operation) -> tuple[tuple[Any, ...], tuple[Assertion, ...]]:
        procedure = self._procedures.get(op)
        if procedure is None:
            procedure = self._procedures[op] = ProcedureBuilder().procedure(op.regions[0].blocks[0])
        evaluator = Evaluator(self, known=dict(self.facts.known))
        with self._blaming(body):
            values = tuple([evaluator.settled(value) for value in evaluator.run(procedure, ())])
        self.facts.known = evaluator.known
        return values, tuple(evaluator.assertions)

    def refuted(self, op: ir.Operation, message: str) -> RefutedError:
        """The error for an op that breaks a rule."""
        return RefutedError(message, location=file_location(op.location), op=op.name)

    def _apply_shapes(self, op: ir.Operation, values: Sequence[Any]) -> None:
        for index, (result, value) in enumerate(zip(op.results, values, strict=True)):
            if isinstance(result.type, ir.RankedTensorType):
                self.refine(result, value, op, index)

    def refine(self, result: ir.Value, extents: Sequence[Number] | None, op: ir.Operation, index: int = 0) -> None:
        """Puts calculated extents and the declared ones together, in the facts and in the type."""
        type_ = result.type
        declared = self._declared_shapes.get(type_)
        if declared is None:
            declared = self._declared_shapes[type_] = declared_shape(type_)
        if extents is None:
            self.facts.set_extents(result, self.declared_extents(result))
            return
        if len(extents) != len(declared):
            raise self.refuted(op, f"result {index} is declared with rank {len(declared)}, it has rank {len(extents)}")
        merged: list[Number] = []
        tighter = False
        for dimension, old in enumerate(declared):
            new = extents[dimension]
            if old != new or old < 0:
                new = self._merged(result, op, index, dimension, old, new)
                tighter |= old < 0 and isinstance(new, int)
            merged.append(new)
        self.facts.set_extents(result, merged)
        if tighter and self.commit:
            key = (type_, *merged)
            if key not in self._refined_types:
                self._refined_types[key] = refined_type(type_, merged)
            self.retype(result, self._refined_types[key])

    def declared_extents(self, value: ir.Value) -> tuple[Number, ...]:
        """What a value's type says about its extents, and no more."""
        declared = declared_shape(value.type)
        return tuple([self.facts.fresh_extent(value, i) if size < 0 else size for i, size in enumerate(declared)])

    def _merged(self, result: ir.Value, op: ir.Operation, index: int, dimension: int, old: int, new: Number) -> Number:
        if is_unknown(new):
            return self.facts.fresh_extent(result, dimension) if old < 0 else old
        if isinstance(new, int):
            if old >= 0 and old != new:
                raise self.refuted(op, f"dimension {dimension} of result {index} is declared {old}, it is {new}")
            if new < 0:
                raise self.refuted(op, f"dimension {dimension} of result {index} would be {new}")
            return new
        if old < 0:
            return new
        equal = compare("eq", new, old)
        if equal is False:
            raise self.refuted(op, f"dimension {dimension} of result {index} is declared {old}, it is {new}")
        if replace_in(equal, self.facts.known) is not True:
            message = f"dimension {dimension} of result {index} is declared {old}, it is {{0}}"
            self._declared.append(Assertion(equal, message, (new,)))
            self.learn(equal)
        return old

    def learn(self, condition: Any) -> None:
        """Takes a condition to hold from here on."""
        self._learn_all(learned_from(replace_in(condition, self.facts.known)))

    def _check_dtypes(self, op: ir.Operation, values: Sequence[Any]) -> None:
        for index, (result, value) in enumerate(zip(op.results, values, strict=True)):
            declared = self.codes.code(result.type)
            if isinstance(value, int) and value >= 0 and declared >= 0 and value != declared:
                names = (self.codes.name(declared), self.codes.name(value))
                raise self.refuted(op, f"the element type of result {index} is declared {names[0]}, it is {names[1]}")

    def retype(self, value: ir.Value, type_: ir.Type) -> None:
        """Gives a value a more precise type, where all its users take one."""
        if not self.commit or value.type == type_:
            return
        for use in value.uses:
            if not _is_flexible(use.owner.operation.name):
                return
        value.set_type(type_)
        self.changed = True


@cache
def _is_flexible(name: str) -> bool:
    """Whether an op takes operands of a more precise type."""
    return name.partition(".")[0] in _FLEXIBLE_USERS or name in _FLEXIBLE_OPS


def walk(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region:
            for view in block.operations:
                yield view.operation
                if len(view.operation.regions):
                    yield from walk(view.operation)
