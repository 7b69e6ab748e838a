"""Running a pipeline on a program that may crash a pass, and finding the pass and the op that do.

The pass is the last of the shortest beginning of the pipeline that crashes. Child processes run the pipeline on parts
of the program: half of the functions, half of these, and so on, then ever shorter beginnings of the crashing one, which
return the results of their last op. A search that takes too long gives up; so does one in a crash that needs the whole
program.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ..bindings import ir, make_context
from ..bindings.build import refresh_type
from ..bindings.bytecode import bytecode_of
from ..bindings.diagnostics import file_location
from ..bindings.handover import tried_in_child
from ..bindings.walk import blocks, functions, has_body, terminator_of
from ..errors import Diagnostic, PassError
from ..isolation.limits import Limits, limits
from ..isolation.policy import fork_is_safe, is_expendable
from ..syntax import Source, parse_source
from ..syntax.crash_site import Trials, crashing_part
from .pipeline import Pipeline, run_pipeline
from .pipeline_text import parse_pipeline

# Passes of C++ that neither fold nor rewrite: they only drop what is there. Passes in Python raise where others crash.
_HARMLESS = frozenset(("cse", "symbol-dce", "strip-debuginfo"))


def _run(pipeline: Pipeline, op: ir.Operation) -> None:
    run_pipeline(op, pipeline)


def run_guarded_pipeline(op: ir.Operation | ir.Module, text: str, *, trust_input: bool = False) -> None:
    """Run a pipeline on `op`, in place; a function pass that is not nested runs on all functions.

    If a pass may crash, or the user limits time or memory, there is a trial run in a child process before that. The
    result of the trial is not taken over: what Python holds of `op` stays what it is, and passes of users run here.

    Args:
        op: A module or an op.
        text: The pipeline.
        trust_input: Do without the trial.

    Raises:
        UsageError: The pipeline cannot be understood.
        PassError: A pass fails, or crashes in the trial; `op` is as it was then.
    """
    operation = op.operation
    pipeline = Pipeline.from_text(text, operation.name, nest=True)
    may_crash = (
        step.python_pass is None and step.element.name not in _HARMLESS for step in pipeline.steps(one_pass_each=True)
    )
    if not (trust_input or is_expendable()) and (any(may_crash) or limits() != Limits()):
        outcome = tried_in_child(partial(_run, pipeline), operation)
        if outcome.crash:
            said = (*outcome.notes, *_guilty_pass(operation, pipeline))
            notes = tuple(Diagnostic("note", "", note) for note in said)
            raise PassError([Diagnostic("error", "", f"a pass of {text} fails: {outcome.crash}", notes)])
    run_pipeline(op, pipeline)


def _guilty_pass(op: ir.Operation, pipeline: Pipeline) -> list[str]:
    """A note that names the pass of a pipeline that crashes, where the pipeline has several and can be tried again."""
    if not fork_is_safe() or len(list(pipeline.steps(one_pass_each=True))) < 2:
        return []

    def crashes(part: Pipeline) -> bool:
        return bool(tried_in_child(partial(_run, part), op).crash)

    return [f"it crashes in the pass {shortest_crash(pipeline, crashes)[1]}"]


class Site(NamedTuple):
    """The site of a crash in a pipeline: the pass, and the location and name of the op, empty if unknown."""

    pass_name: str
    location: str = ""
    op: str = ""


def shortest_crash(pipeline: Pipeline, crashes: Callable[[Pipeline], bool]) -> tuple[Pipeline, str]:
    """Return the shortest beginning of `pipeline` that crashes as all of it does, and the name of its last pass."""
    steps = list(pipeline.steps(one_pass_each=True))
    elements = [element for step in steps for element in parse_pipeline(str(step))]

    def beginning(last: int) -> Pipeline:
        return replace(pipeline, elements=elements[: last + 1])

    last = bisect_left(range(len(steps) - 1), True, key=lambda last: crashes(beginning(last)))
    return beginning(last), steps[last].element.name


def locate_in_pipeline(source: Source, pipeline: str) -> Site:
    """Return the site of a crash in `pipeline`, as precise as time allows."""
    module = parse_source(source, make_context(allow_unregistered_dialects=True))
    search = _Search(module, Pipeline.from_text(pipeline, nest=True))
    defined = {name: op for name, op in functions(module.operation).items() if has_body(op)}
    search.pipeline, pass_name = shortest_crash(search.pipeline, lambda part: search.crashes(list(defined), part=part))
    found = crashing_part(list(defined), search.crashes, lambda name: _length(defined[name]))
    if found is None:
        return Site(pass_name)
    name, length = found
    guilty = defined[name]
    if length and not search.is_late:
        guilty = blocks(guilty)[0].operations[length - 1].operation
    return Site(pass_name, file_location(guilty.location), guilty.name)


def _length(function: ir.Operation) -> int:
    """The number of ops before the return; 0 for a function of several blocks."""
    return len(blocks(function)[0].operations) - 1 if len(function.regions[0].blocks) == 1 else 0


class _Search(Trials):
    """Runs a pipeline on parts of a module in child processes, as long as there is time."""

    def __init__(self, module: ir.Module, pipeline: Pipeline) -> None:
        super().__init__(module.context)
        self.bytecode = bytecode_of(module.operation)
        self.pipeline = pipeline

    def crashes(self, names: Sequence[str], length: int | None = None, part: Pipeline | None = None) -> bool:
        """Whether the pipeline, or `part` of it, crashes on these functions, the first of them cut to `length` ops."""
        return self.crash(partial(_trial, self.bytecode, self.pipeline if part is None else part, list(names), length))


def _trial(
    bytecode: bytes, pipeline: Pipeline, names: list[str], length: int | None, context: ir.Context
) -> tuple[None, None]:
    module = ir.Module.parse(bytecode, context)
    if length is not None:
        _shorten(functions(module.operation)[names[0]], length)
    for name, op in functions(module.operation).items():
        visibility = "public" if name in names else "private"
        op.attributes["sym_visibility"] = ir.StringAttr.get(visibility, context)
    run_pipeline(module, "builtin.module(symbol-dce)")  # which leaves `names` and the symbols that they refer to
    run_pipeline(module, pipeline)
    return None, None


def _shorten(function: ir.Operation, length: int) -> None:
    """Leave the first `length` ops in the function, which returns the results of the last of them."""
    block = blocks(function)[0]
    ops = [op.operation for op in block.operations]
    results = list(ops[length - 1].results) if length else []
    end = terminator_of(block)
    if length > len(ops) - 1 or end.name != "func.return":
        return
    with function.context, function.location, ir.InsertionPoint(end):
        ir.Operation.create("func.return", operands=results)
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]
    for op in reversed(ops[length:]):
        op.erase()
    refresh_type(function)
