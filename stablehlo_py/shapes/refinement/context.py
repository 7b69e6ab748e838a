"""A function in one context of calls: the facts about its values, and the refinement of results by library
functions."""

from __future__ import annotations

from collections.abc import Container, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from ...bindings import ir
from ...bindings.diagnostics import file_location
from ...bindings.walk import blocks, body_of, functions, has_body, operations
from ..errors import LimitError, RefutedError
from ..evaluation.conditions import compare
from ..evaluation.conditions import learned as learned_from
from ..evaluation.conditions import replace as replace_in
from ..evaluation.evaluator import Assertion, Evaluator, InfeasibleError, Procedure, RefutedAssertionError
from ..evaluation.op_arguments import declared_shape
from ..evaluation.procedure_builder import build_procedure
from ..language import DYNAMIC
from ..library import Library
from ..signatures import SHAPE
from . import wrapping
from .demand import Demand
from .op_evaluation import DirectEvaluator, disagreement
from .outline import OutlineNode
from .reification import element_types_of
from .value_facts import Elements, Number, Sizes, SymbolNames, ValueFacts, is_unknown, small_integer_count

State = tuple[Sizes | None, Elements | None]


@dataclass
class Evaluation:
    """The outcome of a library function: a value for each result, and the assertions that are not proven."""

    wrapper: ir.Operation  # or the op itself, where there is none
    kind: str
    op: ir.Operation | None  # the library function in the wrapper
    values: tuple[Any, ...]
    assertions: tuple[Assertion, ...]


@dataclass
class AnalyzedProgram:
    """A module under analysis, and the shared state of its functions' analyses.

    Args:
        module: The module, which an analysis does not change.
        library: The library functions.
        kinds: Which of them to evaluate: shape, dtype.
        direct: Whether to evaluate the library's functions for ops without a wrapper too.
        max_iterations: How many rounds of a loop to look at before it is taken to be as declared.
    """

    module: ir.Operation
    library: Library
    kinds: tuple[str, ...] = (SHAPE,)
    direct: bool = False
    max_iterations: int = 10
    names: SymbolNames = field(default_factory=SymbolNames)
    limits: dict[str, None] = field(default_factory=dict[str, None])  # what was given up, to warn about
    procedures: dict[ir.Operation, Procedure] = field(default_factory=dict[ir.Operation, Procedure])

    def __post_init__(self) -> None:
        self.codes = element_types_of(self.module)
        self.functions = functions(self.module)
        self.demanded = Demand(self.module, self.library)
        self.evaluator = DirectEvaluator(self.library, self.codes)

    def procedure(self, op: ir.Operation) -> Procedure:
        """Return the procedure of a library function in the module, which is a function or next to an op."""
        if op not in self.procedures:
            self.procedures[op] = build_procedure(body_of(op))
        return self.procedures[op]

    def procedure_of(self, symbol_name: str) -> Procedure | None:
        """Return the module's own copy of a library function wins over the library's."""
        function = self.functions.get(symbol_name)
        if function is None or not has_body(function):
            return self.library.procedure_of(symbol_name)
        return self.procedure(function)


class Context:
    """Facts about a function for one kind of call. Nothing in the program changes.

    Args:
        program: The module that the function belongs to.
        name: The function's name.
        label: What the names of symbols for the function's arguments start with.
    """

    def __init__(self, program: AnalyzedProgram, name: str, label: str) -> None:
        self.program = program
        self.name = name
        self.function = program.functions[name]
        self.facts = ValueFacts(program.names, label, program.demanded, self._changed)
        self.tightened: dict[ir.Value, None] = {}  # values whose types can be refined, in program order
        self.evaluations: dict[tuple[int, str], Evaluation] = {}  # by node and kind
        self.headers: dict[ir.Operation, list[State]] = {}  # what loops carry
        self.stand_ins: dict[ir.Operation, None] = {}  # custom calls that are just their operand
        self.rounds: dict[ir.Operation, int] = {}
        self.calls: dict[int, tuple[ir.Operation, Context]] = {}  # by node
        self.results: list[State] | None = None  # once the analysis is done
        self.narrowed: dict[ir.Value, list[int]] = {}  # results of the current node
        self.symbol = ""  # the function that is for this context, once the program is refined
        self._declared: list[Assertion] = []

    def move_to(self, function: ir.Operation) -> None:
        """Make this about a copy of the function. Neither may have changed yet: the hash of an op changes with it."""
        ops: dict[ir.Operation, ir.Operation] = {}
        values: dict[ir.Value, ir.Value] = {}
        for old, new in zip(operations(self.function), operations(function), strict=True):
            ops[old] = new
            values.update(zip(old.results, new.results, strict=True))
            for old_block, new_block in zip(blocks(old), blocks(new), strict=True):
                values.update(zip(old_block.arguments, new_block.arguments, strict=True))
        self.function = function
        self.facts = self.facts.moved(values)
        self.tightened = {values[value]: None for value in self.tightened}
        self.evaluations = {
            key: replace(found, wrapper=ops[found.wrapper], op=None if found.op is None else ops[found.op])
            for key, found in self.evaluations.items()
        }
        self.headers = {ops[loop]: states for loop, states in self.headers.items()}
        self.stand_ins = {ops[op]: None for op in self.stand_ins}
        self.calls = {node: (ops[call], callee) for node, (call, callee) in self.calls.items()}

    def _changed(self, value: ir.Value) -> None:
        for use in value.uses:
            self.mark(use.owner.operation)

    def mark(self, user: ir.Operation) -> None:
        """Note that an op has to be looked at again."""

    # A library function's view of the program (`evaluator.Environment`).

    def sizes(self, value: ir.Value) -> tuple[Number, ...] | None:
        return self.facts.sizes(value)

    def elements(self, value: ir.Value) -> Elements | None:
        return self.facts.elements(value)

    def procedure_of(self, symbol_name: str) -> Procedure | None:
        return self.program.procedure_of(symbol_name)

    # States: the facts about a value.

    def states(self, values: Sequence[ir.Value]) -> list[State]:
        """Return the states of values, to hand on to others."""
        return [(self.facts.sizes(value), self.facts.known_elements(value)) for value in values]

    def assume(self, value: ir.Value, state: State) -> None:
        """Refine a block argument by `state`, if its type leaves that open."""
        sizes, elements = state
        if sizes is not None and isinstance(value.type, ir.RankedTensorType):
            declared = declared_shape(value.type)
            if len(declared) == len(sizes):
                merged = [new if old < 0 else old for old, new in zip(declared, sizes, strict=True)]
                self.facts.set_sizes(value, merged)
                self.tightened[value] = None
        if small_integer_count(value.type) is None:
            return
        if elements is None:
            self.facts.forget_elements(value)
        else:
            self.facts.set_elements(value, elements)

    def joined(self, value: ir.Value, first: State, second: State) -> State:
        """Return the common state of two paths. A size that differs becomes a dimension size of `value`, and differing
        elements become unknown."""
        sizes: Sizes | None = None
        if first[0] is not None and second[0] is not None and len(first[0]) == len(second[0]):
            sizes = tuple(
                a if a == b else self.facts.fresh_size(value, i)
                for i, (a, b) in enumerate(zip(first[0], second[0], strict=True))
            )
        return sizes, first[1] if first[1] == second[1] else None

    def give(self, op: ir.Operation, states: Sequence[State]) -> None:
        """Refine an op's results by the facts about them."""
        for index, (result, (sizes, elements)) in enumerate(zip(op.results, states, strict=True)):
            if isinstance(result.type, ir.RankedTensorType):
                self.refine(result, sizes, op, index)
                if elements is not None:
                    self.facts.set_elements(result, elements)
                elif small_integer_count(result.type) is not None:
                    self.facts.forget_elements(result)

    def pass_through(self, source: ir.Value, target: ir.Value, op: ir.Operation) -> None:
        """Refine a result of `op` that is the same value as `source`."""
        sizes = self.facts.sizes(source)
        if sizes is not None and isinstance(target.type, ir.RankedTensorType):
            self.refine(target, sizes, op)
            self.facts.set_elements(target, self.facts.known_elements(source))

    def carry(self, source: ir.Value, target: ir.Value) -> None:
        """Make `target`, which has the same type, known to be the same value as `source`."""
        if self.facts.sizes(source) is not None:
            self.facts.set_sizes(target, self.facts.found_sizes(source))
            self.tightened[target] = None
        self.facts.set_elements(target, self.facts.known_elements(source))

    # Library functions.

    def evaluate_wrapped(self, node: int, wrapper: ir.Operation, kind: str, op: ir.Operation) -> None:
        """Evaluate the library function `op` in a wrapper."""
        body = wrapping.body_of(wrapper)
        evaluator = Evaluator(self)
        with self._blaming(body):
            values = tuple(map(evaluator.settled, evaluator.run(self.program.procedure(op), ())))
        self.facts.known.learn(evaluator.known)
        self._conclude(node, body, Evaluation(wrapper, kind, op, values, tuple(evaluator.assertions)))

    def evaluate_directly(self, node: OutlineNode, wrapped: Container[str] = ()) -> None:
        """Evaluate the library's functions for an op, but of those kinds that are `wrapped` with it."""
        op = node.body
        for kind in [kind for kind in self.program.kinds if kind not in wrapped]:
            with self._blaming(op):
                outcome = self.program.evaluator.evaluate(op, kind, self)
            if outcome is not None:
                self.facts.known.learn(outcome.learned)
                self._conclude(node.index, op, Evaluation(node.op, kind, None, outcome.values, outcome.assertions))

    def _conclude(self, node: int, op: ir.Operation, evaluation: Evaluation) -> None:
        """Refine an op's results by its library function's results, and assert the demands of the declared types."""
        self._declared = []
        if evaluation.kind == SHAPE:
            for index, (result, value) in enumerate(zip(op.results, evaluation.values, strict=True)):
                if isinstance(result.type, ir.RankedTensorType):
                    self.refine(result, value, op, index)
        else:
            codes = self.program.codes
            for index, (result, value) in enumerate(zip(op.results, evaluation.values, strict=True)):
                declared = codes.code(result.type)
                if isinstance(value, int) and value >= 0 and declared >= 0 and value != declared:
                    message = f"the element type of result {index} is declared {codes.name(declared)}, it is "
                    raise self.refuted(op, message + codes.name(value))
        if self._declared:
            evaluation.assertions = (*evaluation.assertions, *self._declared)
        self.evaluations[node, evaluation.kind] = evaluation

    @contextmanager
    def _blaming(self, op: ir.Operation) -> Generator[None]:
        """Make errors of a library function errors at the op."""
        try:
            yield
        except LimitError as error:
            raise LimitError(error.message, location=file_location(op.location), op=op.name) from error
        except RefutedAssertionError as error:
            raise self.refuted(op, str(error)) from error
        except InfeasibleError as error:
            raise self.refuted(op, f"its library function fails: {error}") from error

    def refuted(self, op: ir.Operation, message: str) -> RefutedError:
        """Return the error for an op that breaks a rule."""
        return RefutedError(message, location=file_location(op.location), op=op.name)

    def refine(self, result: ir.Value, sizes: Sequence[Number] | None, op: ir.Operation, index: int = 0) -> None:
        """Put calculated dimension sizes and the declared ones together."""
        if sizes is None:
            self.facts.set_sizes(result, self.declared_sizes(result))
            return
        declared = self.declared(result)
        if len(sizes) != len(declared):
            raise self.refuted(op, f"result {index} is declared with rank {len(declared)}, it has rank {len(sizes)}")
        merged: list[Number] = []
        tighter = False
        for dimension, (old, new) in enumerate(zip(declared, sizes, strict=True)):
            size = new
            if old < 0 and isinstance(new, int) and new >= 0:
                tighter = True
            elif is_unknown(new):
                size = self.facts.fresh_size(result, dimension) if old < 0 else old
            elif old != new and (wrong := disagreement(index, dimension, old, new)):
                raise self.refuted(op, wrong)
            elif old >= 0 and not isinstance(new, int):
                size, equal = old, compare("eq", new, old)
                if replace_in(equal, self.facts.known) is not True:
                    message = f"dimension {dimension} of result {index} is declared {old}, it is {{0}}"
                    self._declared.append(Assertion(equal, message, (new,)))
                    self.learn(equal)
            merged.append(size)
        if tighter:
            self.tightened[result] = None
            self.narrowed[result] = [size if isinstance(size, int) else DYNAMIC for size in merged]
        self.facts.set_sizes(result, merged)

    def declared(self, result: ir.Value) -> list[int]:
        """Return the dimension sizes that a result's type declares, or what control flow has found out about it at this
        node."""
        return self.narrowed.get(result) or declared_shape(result.type)

    def declared_sizes(self, value: ir.Value) -> tuple[Number, ...]:
        """Return the dimension sizes of a value as its type alone gives them."""
        declared = self.declared(value)
        return tuple([self.facts.fresh_size(value, i) if size < 0 else size for i, size in enumerate(declared)])

    def learn(self, condition: Any) -> None:
        """Take a condition to hold from here on."""
        self.facts.known.learn(learned_from(replace_in(condition, self.facts.known)))
