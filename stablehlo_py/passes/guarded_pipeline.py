"""Running a pipeline on a program that may crash a pass."""

from __future__ import annotations

from functools import partial

from ..bindings import ir
from ..bindings.handover import tried_in_child
from ..errors import Diagnostic, PassError
from ..isolation.limits import Limits, limits
from ..isolation.policy import fork_is_safe, is_expendable
from .crash_site import shortest_crash
from .pipeline import Pipeline, run_pipeline

# Passes written in C++ that neither fold nor rewrite: they only drop what is there.
_HARMLESS = frozenset(("cse", "symbol-dce", "strip-debuginfo"))


def _run(pipeline: Pipeline, op: ir.Operation) -> None:
    run_pipeline(op, pipeline)


def _may_crash(pipeline: Pipeline) -> bool:
    """Whether a pipeline has a pass written in C++ that folds or rewrites; passes in Python raise instead."""
    steps = pipeline.steps(one_pass_each=True)
    return any(step.python_pass is None and step.element.name not in _HARMLESS for step in steps)


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
    if not (trust_input or is_expendable()) and (_may_crash(pipeline) or limits() != Limits()):
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
