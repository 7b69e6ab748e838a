"""stablehlo.custom_call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import StablehloError, UnsupportedOpError
from ..arguments import as_result_values
from ..custom_calls import CustomCall, find_handler, is_users_handler, kind_of
from ..custom_calls.shape_operands import with_static_results
from ..op import Kernel, Op
from ..registry import evaluates
from .async_collectives import STARTS, start


@evaluates("stablehlo.custom_call")
def custom_call(op: Op) -> Kernel:
    """Return what the handler of call_target_name computes from inputs. Spec: custom_call."""
    return with_static_results(op, _handled)


def _handled(op: Op) -> Kernel:
    """Return a kernel that calls the handler of call_target_name."""
    call = CustomCall(op)
    if call.target in STARTS and not is_users_handler(call.target):
        return _guarded(op, call.target, start(op))
    handler = find_handler(call.target)
    if handler is None:
        kind = kind_of(call.target)
        raise UnsupportedOpError(
            f"calls '{call.target}', which has no handler" + (f"; it is {kind}" if kind else ""),
            op=op.name,
            location=op.location,
            notes=[f"register one with @stablehlo_py.custom_call_handler({call.target!r})"],
        )

    def users_kernel(*inputs: Any) -> Any:
        return _copied(as_result_values(handler(call, *map(_read_only, inputs)), op))

    def kernel(*inputs: Any) -> Any:
        return as_result_values(guarded(call, *map(_read_only, inputs)), op)

    guarded = _guarded(op, call.target, handler)
    return users_kernel if is_users_handler(call.target) else kernel


def _guarded(op: Op, target: str, run: Callable[..., Any]) -> Kernel:
    """Return a function of the interpreter's own so that what it raises is told of the call."""

    def kernel(*arguments: Any) -> Any:
        try:
            return run(*arguments)
        except (StablehloError, MemoryError, RecursionError):
            raise
        except Exception as error:
            message = f"calls '{target}' with operands, results or options that its handler does not know"
            raise op.error(message) from error

    return kernel


def _copied(value: Any) -> Any:
    """Return the value with copies in place of its arrays, which the handler may keep and change."""
    if isinstance(value, tuple):
        return tuple(map(_copied, value))
    return np.array(value, order="C") if isinstance(value, np.ndarray) else value


def _read_only(value: Any) -> Any:
    """A view of an array that cannot be written to; any other value as it is."""
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view
