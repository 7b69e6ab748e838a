"""stablehlo.custom_call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UnsupportedOpError
from ..custom_calls import CustomCall, find_handler, is_users_handler, kind_of
from ..op import Kernel, Op
from ..python_values import as_result_values
from ..registry import evaluates


@evaluates("stablehlo.custom_call")
def custom_call(op: Op) -> Kernel:
    """Return what the handler of call_target_name computes from inputs. Spec: custom_call."""
    call = CustomCall(op)
    handler = find_handler(call.target)
    if handler is None:
        kind = kind_of(call.target)
        raise UnsupportedOpError(
            f"calls '{call.target}', which has no handler" + (f"; it is {kind}" if kind else ""),
            op=op.name,
            location=op.location,
            notes=[f"register one with @stablehlo_py.custom_call_handler({call.target!r})"],
        )

    if not is_users_handler(call.target):
        return lambda *inputs: as_result_values(handler(call, *map(_read_only, inputs)), op)

    def kernel(*inputs: Any) -> Any:
        return _copied(as_result_values(handler(call, *map(_read_only, inputs)), op))

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
