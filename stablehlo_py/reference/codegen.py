"""A plan as one Python function: slots become local variables, steps become lines.

    def run(v0, v1):
     try:
      v2 = k0(v0, v1)
      v3, v4 = k1(B(r0, (v0,)), v2); del v0, v1, v2
      return (v3, v4,)
     except Exception as error:
      raise L(error) from error

Line `n + 3` is step `n`, so the line in a traceback tells which op raised, at no cost while nothing does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ..errors import InterpreterError, StablehloError
from .plan import BoundPlan, Plan, Step, located

_serial = itertools.count()


def _names(slots: tuple[int, ...]) -> str:
    return ", ".join(f"v{slot}" for slot in slots)


def _tuple(slots: tuple[int, ...]) -> str:
    return f"({''.join(f'v{slot}, ' for slot in slots)})"


def _line(index: int, step: Step, names: dict[str, Any]) -> str:
    names[f"k{index}"] = step.kernel
    arguments: list[str] = []
    for number, region in enumerate(step.regions):
        name = f"r{index}_{number}"
        names[name] = region.plan
        arguments.append(f"B({name}, {_tuple(region.captures)})")
    arguments += [f"v{slot}" for slot in step.operands]
    call = f"k{index}({', '.join(arguments)})"
    if step.is_dynamic:
        names[f"c{index}"] = step.checked
        call = f"c{index}({call})"
    line = f"  {_names(step.results)} = {call}" if step.results else f"  {call}"
    if step.dies:
        line += f"; del {_names(step.dies)}"
    return line


def compile_plan(plan: Plan) -> Callable[..., tuple[Any, ...]]:
    """A function of the plan's inputs that returns what its block returns."""
    filename = f"<plan {next(_serial)}>"

    def locate(error: Exception) -> StablehloError:
        index = _line_in(error.__traceback__, filename) - 3
        if index < len(plan.steps):
            return located(error, plan.steps[index])
        return error if isinstance(error, StablehloError) else InterpreterError(str(error))

    names: dict[str, Any] = {"B": BoundPlan, "L": locate}
    lines = [f"def run({_names(plan.inputs)}):", " try:"]
    body = [_line(index, step, names) for index, step in enumerate(plan.steps)]
    body.append(f"  return {_tuple(plan.returns)}")
    if plan.clock.timeout is not None:
        names["T"] = plan.clock.check
        body[0] = f"  T();{body[0].lstrip()}"
    lines += [*body, " except Exception as error:", "  raise L(error) from error"]
    exec(compile("\n".join(lines) + "\n", filename, "exec"), names)
    return names["run"]


def _line_in(traceback: TracebackType | None, filename: str) -> int:
    """The line of the generated function in which the exception passed through it."""
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            return traceback.tb_lineno
        traceback = traceback.tb_next
    raise LookupError(f"{filename} is not in the traceback")
