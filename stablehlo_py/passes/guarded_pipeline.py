"""Running a pipeline on a program that may crash a pass."""

from __future__ import annotations

from functools import partial

from ..bindings import ir
from ..bindings.bytecode import bytecode_of
from ..bindings.guarded import fork_is_safe, run_in_child
from ..bindings.handover import module_in_child
from ..errors import Diagnostic, PassError
from ..processes import Limits, is_expendable, limits
from .crash_site import shortest_crash
from .pipeline import Pipeline, run_pipeline


def _trial_job(bytecode: bytes, pipeline: Pipeline, context: ir.Context) -> tuple[None, None]:
    run_pipeline(ir.Module.parse(bytecode, context), pipeline)
    return None, None


def run_guarded_pipeline(op: ir.Operation | ir.Module, text: str, *, trust_input: bool = False) -> None:
    """Run a pipeline on `op`, in place, after a trial run in a child process, which shows whether a pass crashes. A
    function pass that is not nested runs on all functions.

    The second run is made here because what Python holds of `op` has to stay what it is.

    Raises:
        UsageError: The pipeline cannot be understood.
        PassError: A pass fails, or crashes in the trial; `op` is as it was then.
    """
    operation = op.operation
    pipeline = Pipeline.from_text(text, operation.name, nest=True)
    if not (trust_input or is_expendable()):
        bounds = limits()
        if fork_is_safe():
            outcome = run_in_child(
                lambda: run_pipeline(op, pipeline), timeout=bounds.seconds, memory=bounds.memory
            )  # fmt: skip
        else:
            outcome = module_in_child(partial(_trial_job, bytecode_of(operation), pipeline), operation.context)
        if outcome.crash:
            said = (*outcome.notes, *_guilty_pass(op, pipeline, bounds))
            notes = tuple(Diagnostic("note", "", note) for note in said)
            raise PassError([Diagnostic("error", "", f"a pass of {text} fails: {outcome.crash}", notes)])
    run_pipeline(op, pipeline)


def _guilty_pass(op: ir.Operation | ir.Module, pipeline: Pipeline, bounds: Limits) -> list[str]:
    """A note that names the pass of a pipeline that crashes, where the pipeline has several and can be tried again."""
    if not fork_is_safe() or len(list(pipeline.steps(one_pass_each=True))) < 2:
        return []

    def crashes(part: Pipeline) -> bool:
        outcome = run_in_child(lambda: run_pipeline(op, part), timeout=bounds.seconds, memory=bounds.memory)
        return bool(outcome.crash)

    return [f"it crashes in the pass {shortest_crash(pipeline, crashes)[1]}"]
