"""Functions of doubles as intervals in double-double: the doubles nearest to both ends. `deciding` rounds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import exponentials, logarithms, roots, trigonometry

BOUNDS: dict[str, Callable[..., tuple[Any, Any]]] = {
    "atan2": trigonometry.atan2,
    "cbrt": roots.cbrt,
    "cosine": trigonometry.cosine,
    "exponential": exponentials.exponential,
    "exponential_minus_one": exponentials.exponential_minus_one,
    "log": logarithms.log,
    "log_plus_one": logarithms.log_plus_one,
    "logistic": exponentials.logistic,
    "power": logarithms.power,
    "rsqrt": roots.rsqrt,
    "sine": trigonometry.sine,
    "tan": trigonometry.tan,
    "tanh": exponentials.tanh,
}
