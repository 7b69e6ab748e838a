"""Modules made in another process, and handed over as bytecode that it wrote.

So this process never reads what came from outside. `isolation.calls` knows what kind of process that is. In a
process whose crash another one reports (see `isolation.policy.is_expendable`) the work is done directly.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from functools import cache, partial
from io import FileIO
from typing import Any, NamedTuple, TypeVar

from ..errors import Diagnostic, InputError, VerificationError
from ..isolation import policy
from ..isolation.calls import call
from ..isolation.files import read_all, shared_file
from ..isolation.limits import Limits, limits
from ..isolation.outcome import Outcome, directly
from ..isolation.process import run_in_child
from .bytecode import bytecode_of
from .context import has_dialect, make_context
from .diagnostics import verified
from .mapped import parse_mapped
from .provider import ir

# Larger bytecode is not copied into memory again, but mapped.
_MAPPED = 1 << 24
_Value = TypeVar("_Value")
Job = Callable[[ir.Context], tuple[ir.Module | None, Any]]


def _read_module(file: FileIO, context: ir.Context) -> ir.Module:
    """Return the module in a file of bytecode that a child wrote."""
    path = f"/proc/self/fd/{file.fileno()}"
    if os.fstat(file.fileno()).st_size > _MAPPED and os.path.exists(path):
        return parse_mapped(path, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), context)
    return ir.Module.parse(read_all(file), context)


class _Context(NamedTuple):
    """A context that another process makes anew, once for each kind."""

    context: ir.Context

    def __reduce__(self) -> tuple[Callable[..., _Context], tuple[bool, bool]]:
        return _context_of_kind, (has_dialect(self.context, "sdy"), self.context.allow_unregistered_dialects)


_made = cache(make_context)


def _context_of_kind(with_sdy: bool, allow_unregistered_dialects: bool) -> _Context:
    context = _made(with_sdy=with_sdy)
    context.allow_unregistered_dialects = allow_unregistered_dialects
    return _Context(context)


def _perform(job: Job, held: _Context, path: str) -> tuple[bool, bool, Any]:
    """Do `job` in this process, the child: its module goes to the file as bytecode.

    Returns:
        Whether there is a module, whether the context allows unregistered dialects now, and the job's value.
    """
    module, value = job(held.context)
    if module is not None:
        with open(path, "wb") as opened:
            module.operation.write_bytecode(opened)
    return module is not None, held.context.allow_unregistered_dialects, value


def module_in_child(job: Job, context: ir.Context, size: int = 0, bounds: Limits | None = None) -> Outcome:
    """Return the outcome of `job(context)`, a module and some value, from a child: `value` is that pair.

    The module is read from bytecode that the child wrote. The limits are those of the user, and for reading `size`
    bytes where the user sets none.

    Args:
        job: What to do; for a process with threads it has to be a function that pickles, with its arguments.
        context: Where the module is made; the child works on a copy of it, or on one of its kind.
        size: The number of bytes that the job reads.
        bounds: The limits for a job that does more than read.
    """
    if policy.is_expendable():
        return directly(lambda: job(context))
    bounds = limits().for_reading(size) if bounds is None else bounds
    try:
        with shared_file("module") as (file, path):
            outcome = call(partial(_perform, job, _Context(context), path), bounds)
            if outcome.crash or outcome.error is not None:
                return outcome
            has_module, allows_unregistered, value = outcome.value
            context.allow_unregistered_dialects = allows_unregistered
            module = _read_module(file, context) if has_module else None
        return outcome._replace(value=(module, value))
    except ir.MLIRError as error:  # the bytecode writer checks less than the reader: negative sizes, for example
        reasons = "; ".join(diagnostic.message for diagnostic in error.error_diagnostics)
        return Outcome(cause="crash", crash=f"the module cannot be read back: {reasons}")


def tried_in_child(work: Callable[[Any], object], op: ir.Operation, bounds: Limits | None = None) -> Outcome:
    """Return the outcome of `work(op)` in a child process, on `op` in a copy of this one or on a copy of `op`.

    Args:
        work: What to do; for a process with threads it has to pickle.
        op: The op, which stays as it is here.
        bounds: The limits, by default those of the user.
    """
    if policy.fork_is_safe():
        return run_in_child(lambda: work(op), limits() if bounds is None else bounds)
    data = bytecode_of(op)
    return module_in_child(partial(_on_copy, work, data), op.context, len(data), bounds)


def _on_copy(work: Callable[[Any], object], data: bytes, context: ir.Context) -> tuple[None, None]:
    work(verified(context, lambda: ir.Module.parse(data, context)).operation)
    return None, None


def value_in_child(convert: Callable[[bytes], _Value], data: bytes, who: str) -> _Value:
    """Return the function's result for `data`, from a child process: C++ may crash on it.

    Args:
        convert: A function at the top of a module, or a part of one, so that it pickles; and so does its result.
        data: What it takes.
        who: Whose C++ it is, for the message.

    Raises:
        InputError: It crashes.
        StablehloError: What it raises.
    """
    if policy.is_expendable():
        return convert(data)
    outcome = call(partial(convert, data), limits())
    if outcome.crash:
        raise InputError(f"{who} crashes: {outcome.crash}", notes=outcome.notes)
    return outcome.result()


def _verify(operation: ir.Operation) -> None:
    verified(operation.context, operation.verify)


def verify(module: ir.Module | ir.Operation, *, trust_input: bool = False) -> None:
    """Raise VerificationError unless every op in `module` obeys its constraints, or where finding out crashes.

    Args:
        module: A module or an op.
        trust_input: Verify in this process, which some invalid programs crash.
    """
    if trust_input or policy.is_expendable():
        _verify(module.operation)
        return
    outcome = tried_in_child(_verify, module.operation)
    if outcome.crash:
        notes = tuple(Diagnostic("note", "", note) for note in outcome.notes)
        raise VerificationError([Diagnostic("error", "", f"MLIR's verifier fails: {outcome.crash}", notes)])
    outcome.result()
