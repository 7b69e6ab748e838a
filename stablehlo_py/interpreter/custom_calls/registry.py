"""The registry of the functions that run custom calls, by target.

@custom_call_handler("my_scale")
def my_scale(call: CustomCall, operand: np.ndarray) -> np.ndarray:
    return operand * call.backend_config["factor"]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..registry import enters, registered

Handler = Callable[..., Any]
"""Takes a `CustomCall` and the operands' values; returns the result, a tuple of several, or None for none. Python
numbers and lists stand for the tensors of the result types."""

USERS: dict[str, Handler] = {}
BUILT_IN: dict[str, Handler] = {}


def custom_call_handler(target: str) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of `stablehlo.custom_call @target`; a later one replaces it."""

    def register(handler: Handler) -> Handler:
        USERS[target] = handler
        registered()
        return handler

    return register


def runs(*targets: str) -> Callable[[Handler], Handler]:
    """Register the decorated function for targets that come with the interpreter. Users' handlers win over it."""
    return enters(BUILT_IN, targets)


def is_users_handler(target: str) -> bool:
    """Whether the handler of this target is a user's."""
    return target in USERS
