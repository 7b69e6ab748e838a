"""Plans as one Python function: slots become local variables, steps become lines.

    def run(v0, v1):
     try:
      v2 = g0(v0, v1)
      del v1
      v3, v4 = g1(B(g2, (v0,)), v2)
      del v0, v2
      return (v3, v4,)
     except Exception as error:
      raise L(error) from error

Each line belongs to a step, so the line in a traceback, which shows its text, tells which op raised. Constants become
global names, operations with an operator in Python become expressions, small functions are inlined. `loops` makes one
function of a condition and a body. A limit on steps is checked once for all ops up to the next with an effect, and a
limit on time once a millisecond. Gains: `loop of small ops` 4 x, `while, 10,000 iterations` 6 x.
"""

from __future__ import annotations

import itertools
import linecache
import operator
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from types import BuiltinFunctionType, TracebackType
from typing import Any

import numpy as np

from ...bindings.types import TensorType
from ...dialect.facts import facts
from ...errors import InterpreterError, StablehloError
from ..limits import StepCounter
from ..op import Kernel, Op
from ..ops.elementwise import select_elements as select
from ..plan import BoundPlan, Plan, RegionPlan, Step, located
from ..registry import is_users
from .plans import DonatingKernel, FastBody, FastPlan, donated_slots
from .sharing import concerns_processes

_serial = itertools.count()
CONSTANTS = frozenset({"arith.constant", "stablehlo.constant"})
_MOVEMENTS = frozenset({"stablehlo.broadcast_in_dim", "stablehlo.iota", "stablehlo.reshape", "stablehlo.slice"})
_LARGEST_MOVED = 1 << 12  # bytes of the result of such an op of constants, which is made once
_SIGNS: dict[Any, tuple[str, np.ufunc]] = {
    operator.add: ("+", np.add),
    operator.and_: ("&", np.bitwise_and),
    operator.eq: ("==", np.equal),
    operator.ge: (">=", np.greater_equal),
    operator.gt: (">", np.greater),
    operator.invert: ("~", np.invert),
    operator.le: ("<=", np.less_equal),
    operator.lshift: ("<<", np.left_shift),
    operator.lt: ("<", np.less),
    operator.mul: ("*", np.multiply),
    operator.ne: ("!=", np.not_equal),
    operator.neg: ("-", np.negative),
    operator.or_: ("|", np.bitwise_or),
    operator.rshift: (">>", np.right_shift),
    operator.sub: ("-", np.subtract),
    operator.truediv: ("/", np.divide),
    operator.xor: ("^", np.bitwise_xor),
}
"""Kernels that Python has a sign for, which costs less than a call, and numpy's functions for them."""
_LEAST_REUSED = 1 << 14
"""From how many bytes on an array that dies is reused for the result."""
_CHOICE = "{1} if {0} else {2}"
"""`select` by a scalar."""
_MOST_INLINED = 500
"""The limit on inlined steps of callees in one function."""


class Writer:
    """The lines of a function, the step of each, and the names that they use."""

    def __init__(self, plan: FastPlan) -> None:
        self.names: dict[str, Any] = {"B": FastBody, "L": self._locate, "N": plan.counter, "M": plan.counter.limit}
        self._counter = plan.counter if plan.counts_steps else None
        self._counted: list[Op | None] = []
        self._place_of_count = 0
        self.skipped: list[Step] = []
        """Steps whose results are known otherwise."""
        self._filename = f"<plan {next(_serial)}>"
        self._lines: list[str] = []
        self._steps: list[Step | None] = []
        self._claims: Counter[str] = Counter()
        """The use counts of local variables, in slots. Uncounted variables live as long as the function runs."""
        self._fresh: set[str] = set()
        """Local variables of arrays that nothing else can refer to."""
        self.is_loop = False
        self._computed: dict[str, str] = {}
        """The variables of expressions of scalars, which live as long as the function runs."""
        self._next = itertools.count()
        self._inlined = 0

    def line(self, text: str, step: Step | None = None) -> None:
        """Add a line."""
        self._lines.append(text)
        self._steps.append(step)

    def new(self, value: Any) -> str:
        """Return a global name of a value."""
        name = f"g{next(self._next)}"
        self.names[name] = value
        return name

    def _expression(self, kernel: Kernel, arguments: list[str]) -> str:
        if not _has_sign(kernel):
            return f"{self.new(kernel)}({', '.join(arguments)})"
        sign = _SIGNS[kernel][0]
        return f" {sign} ".join(arguments) if len(arguments) == 2 else f"{sign}{arguments[0]}"

    def _is_of_scalars(self, step: Step) -> bool:
        """Whether the step, of a loop, computes one scalar of others by an expression. Elsewhere arrays may stand for
        them; see `BoundPlan.on_arrays`."""
        if not self.is_loop or type(step) is not Step:
            return False
        types = (*step.op.operand_types, *step.op.result_types)
        return (_has_sign(step.kernel) or step.kernel is select) and all(
            isinstance(type_, TensorType) and not type_.rank for type_ in types
        )

    def own(self, names: Sequence[str]) -> None:
        """From here on, delete these variables when no slot stands for them any more."""
        self._claims.update(dict.fromkeys(names, 0))

    def owned(self, names: Sequence[str]) -> set[str]:
        """Return which of these are variables that can be deleted."""
        return {name for name in names if name in self._claims}

    def steps(
        self,
        plan: Plan,
        inputs: Sequence[str],
        indent: str,
        ended: Sequence[str] = (),
        calls: tuple[int, ...] = (),
        caller: Op | None = None,
    ) -> list[str]:
        """Write the steps of a plan, and return the names of its results, which the caller then stands for.

        `inputs` are the names of its inputs; of these, `ended` are done with by the caller. `calls` are the plans that
        call this one, the last of them by `caller`."""
        variables = dict(zip(plan.inputs, inputs, strict=True))
        self._claim(inputs)
        self._end([*ended, *[variables[slot] for slot in plan.dies_at_entry]], indent)
        if not plan.steps:
            self.count(caller, indent)
        for step in plan.steps:
            self.count(step.op, indent)
            callee = self._callee(step, (*calls, id(plan)))
            operands, ends = [variables[slot] for slot in step.operands], step.dies
            if callee is not None:
                passed = [variables[slot] for slot in ends if slot in step.operands]
                ends = tuple([slot for slot in ends if slot not in step.operands])
                results = self.steps(callee, operands, indent, passed, (*calls, id(plan)), step.op)
            elif step in self.skipped:
                results = ["None"]
            elif self._is_constant(step, operands):
                results = [self._named(step.kernel(*[self.names[name] for name in operands]))]
            elif self._is_of_scalars(step):
                results = [self._scalar(step, operands, indent)]
            else:
                results = [f"v{next(self._next)}" for _ in step.results]
                ends = self._write(step, operands, variables, results, indent)
            variables.update(zip(step.results, results, strict=True))
            self._end([variables[slot] for slot in ends], indent)
        results = [variables[slot] for slot in plan.returns]
        self._claim(results)
        self._claims.subtract([name for slot in {*plan.returns} if (name := variables[slot]) in self._claims])
        return results

    def _write(
        self, step: Step, operands: list[str], variables: dict[int, str], results: list[str], indent: str
    ) -> tuple[int, ...]:
        """Write the line of a step, and return the slots that die after it."""
        kernel, ends = step.kernel, step.dies
        if step.check_sizes is not None:
            self.line(f"{indent}{self.new(step.check_sizes)}({tuple_of(operands)})", step)
        if self._makes_fresh(step):
            kernel, operands = self._reusing(step, operands, results)
        else:  # its results may be views of what it reads, or that itself
            captured = [variables[slot] for region in step.regions for slot in region.captures]
            self._fresh.difference_update(operands, captured)
        if isinstance(kernel, DonatingKernel) and (donated := donated_slots(step)):
            self.line(f"{indent}h = [{', '.join(self._bodies(step, variables) + operands)}]")
            self._end([variables[slot] for slot in donated], indent)
            ends = tuple([slot for slot in ends if slot not in donated])
            kernel, arguments = kernel.take, ["h"]
        else:
            arguments = self._bodies(step, variables) + operands
        self.line(f"{indent}{self._call(step, kernel, arguments, results)}", step)
        self.own(results)
        self._claim(results)
        if step.regions or concerns_processes(step):
            self.end_count()
        return ends

    @staticmethod
    def _makes_fresh(step: Step) -> bool:
        """Whether the results are new arrays, as numpy's own functions return."""
        return type(step) is Step and (_has_sign(step.kernel) or isinstance(step.kernel, np.ufunc))

    def _reusing(self, step: Step, operands: list[str], results: list[str]) -> tuple[Kernel, list[str]]:
        """The kernel and its arguments: with one more, where an array that dies here can take the result."""
        if len(results) != 1 or step.result_bytes < _LEAST_REUSED:  # none are known of a dynamic result
            return step.kernel, operands
        self._fresh.update(results)
        ufunc = _SIGNS[step.kernel][1] if _has_sign(step.kernel) else step.kernel
        for slot, name, type_ in zip(step.operands, operands, step.op.operand_types, strict=True):
            dies = slot in step.dies and self._claims[name] == 1 and name in self._fresh
            if dies and type_ == step.op.result_types[0] and isinstance(ufunc, np.ufunc):
                return ufunc, [*operands, f"out={name}"]
        return step.kernel, operands

    def _scalar(self, step: Step, operands: list[str], indent: str) -> str:
        """The variable of an expression of scalars."""
        is_choice = step.kernel is select
        expression = _CHOICE.format(*operands) if is_choice else self._expression(step.kernel, operands)
        if expression not in self._computed:
            self._computed[expression] = f"v{next(self._next)}"
            self.line(f"{indent}{self._computed[expression]} = {expression}", step)
        return self._computed[expression]

    def _bodies(self, step: Step, variables: dict[int, str]) -> list[str]:
        """Return expressions of the step's regions, bound to their captured values."""
        return [
            f"{'B' if isinstance(region.plan, FastPlan) else self.new(BoundPlan)}({self.new(region.plan)}, "
            f"({''.join(f'{variables[slot]}, ' for slot in region.captures)}))"
            for region in step.regions
        ]

    def _call(self, step: Step, kernel: Kernel, arguments: list[str], results: list[str]) -> str:
        """Return the line that runs a step."""
        call = self._expression(kernel, arguments)
        if step.is_checked:
            call = f"{self.new(step.checked)}({call})"
        return f"{', '.join(results)} = {call}" if results else call

    def count(self, op: Op | None, indent: str) -> None:
        """Count a run of an op, or of a block without any, together with those before it; `end_count` writes how."""
        if self._counter is None:
            return
        if not self._counted:
            self._begin_count(indent)
        self._counted.append(op)

    def _begin_count(self, indent: str) -> None:
        self._place_of_count = len(self._lines)
        self.line(indent)
        self.line(indent)

    def end_count(self) -> None:
        """Write the count of the pending steps; later steps are counted when they are reached."""
        if self._counter is None or not self._counted:
            return
        refuse = self.new(partial(_refuse, self._counter, tuple(self._counted)))
        self._lines[self._place_of_count] += f"N.steps += {len(self._counted)}"
        self._lines[self._place_of_count + 1] += f"if N.steps > M: {refuse}()"
        self._counted.clear()

    def return_unless(self, holds: str, results: Sequence[str]) -> None:
        """End a loop unless the condition holds. Pending steps are counted on either exit."""
        pending = list(self._counted)
        self.line(f"   if not {holds}:")
        if pending:
            self._begin_count("    ")
            self.end_count()
        self.line(f"    return {tuple_of(results)}")
        if pending:
            self._counted = pending
            self._begin_count("   ")

    def _claim(self, names: Sequence[str]) -> None:
        self._claims.update([name for name in names if name in self._claims])

    def _end(self, names: Sequence[str], indent: str) -> None:
        """Decrement the use count of each variable; write `del` at zero."""
        counted = [name for name in names if name in self._claims]
        self._claims.subtract(counted)
        dead = [name for name in dict.fromkeys(counted) if not self._claims[name]]
        if dead:
            self.line(f"{indent}del {', '.join(dead)}")
        for name in dead:
            del self._claims[name]

    def _is_constant(self, step: Step, operands: list[str]) -> bool:
        """Whether a name stands for the step's value: a constant, or constants that are moved into a small array."""
        if type(step) is not Step or is_users(step.op.name):
            return False
        is_small = step.op.name in _MOVEMENTS and not step.is_dynamic and step.result_bytes <= _LARGEST_MOVED
        return step.op.name in CONSTANTS or (is_small and all(name in self.names for name in operands))

    def _named(self, value: Any) -> str:
        """Return the name of a value; equal scalars have one name, so that expressions of them are equal."""
        if getattr(value, "ndim", 0):
            value = value.view()
            value.flags.writeable = False
            return self.new(value)
        key = f"{value.dtype}{value.tobytes()}"
        if key not in self._computed:
            self._computed[key] = self.new(value)
        return self._computed[key]

    def _callee(self, step: Step, calls: tuple[int, ...]) -> Plan | None:
        """Return the plan of the called function if it can be inlined.

        It must have run, so that its results are checked, be small, not be a caller of this code, and not be called
        by its own regions.
        """
        if type(step) is not Step or step.op.name != "func.call" or is_users(step.op.name):
            return None
        callee = step.op.program.planned(step.op.symbol("callee"))
        if callee is None or not callee.has_run or id(callee) in calls:
            return None
        if self._inlined + len(callee.steps) > _MOST_INLINED:
            return None
        if any(type(inner) is not Step or any(map(_can_call, inner.regions)) for inner in callee.steps):
            return None
        self._inlined += len(callee.steps)
        return callee

    def function(self) -> Callable[..., tuple[Any, ...]]:
        """Compile what was written, which defines `run`."""
        self.end_count()
        self.line(" except Exception as error:")
        self.line("  raise L(error) from error")
        lines = [f"{line}\n" for line in self._lines]
        exec(compile("".join(lines), self._filename, "exec"), self.names)
        run = self.names["run"]
        linecache.cache[self._filename] = 0, None, lines, self._filename  # a traceback shows them
        weakref.finalize(run, linecache.cache.pop, self._filename, None)
        return run

    def _locate(self, error: Exception) -> StablehloError:
        step = self._steps[_line_in(error.__traceback__, self._filename) - 1]
        if step is not None:
            return located(error, step)
        return error if isinstance(error, StablehloError) else InterpreterError(str(error))


def _has_sign(kernel: Kernel) -> bool:
    return isinstance(kernel, BuiltinFunctionType) and kernel in _SIGNS


def _can_call(region: RegionPlan) -> bool:
    """Whether a region may run a function: it holds more than elementwise ops."""
    return any(step.regions or not facts(step.op.name).is_elementwise_on_scalars for step in region.plan.steps)


def tuple_of(names: Sequence[str]) -> str:
    return f"({''.join(f'{name}, ' for name in names)})"


def _refuse(counter: StepCounter, ops: Sequence[Op | None]) -> None:
    """Raise `ResourceError` for the first of these ops, which are counted already, that is past the limit."""
    counter.steps -= len(ops)
    for op in ops:
        counter.count(op)


def compile_plan(plan: FastPlan, taking: bool) -> Callable[..., tuple[Any, ...]]:
    """Return the plan as a function of its inputs, or of a list of inputs that it empties."""
    writer = Writer(plan)
    inputs = [f"a{index}" for index in range(len(plan.inputs))]
    writer.line(f"def run({'S' if taking else ', '.join(inputs)}):")
    writer.line(" try:")
    if taking:
        writer.line(f"  [{', '.join(inputs)}] = S")
        writer.line("  S.clear()")
    if plan.clock.timeout is not None:
        writer.names["T"] = plan.clock.check
        writer.line("  T()")
    writer.own(inputs)
    writer.line(f"  return {tuple_of(writer.steps(plan, inputs, '  '))}")
    return writer.function()


def _line_in(traceback: TracebackType | None, filename: str) -> int:
    """Return the line of the generated function that raised the exception."""
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            return traceback.tb_lineno
        traceback = traceback.tb_next
    raise LookupError(f"{filename} is not in the traceback")
