"""Cases of `torch_modules.py`: a module of PyTorch and random arguments of both signs, drawn from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Case:
    """A module by name, with arguments; `make` and `draw` are called after seeding torch."""

    name: str
    make: Callable[[], nn.Module]
    draw: Callable[[], tuple[Tensor, ...]]
    dynamic: Any = None


class Function(nn.Module):
    """A function as a module."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *arguments: Tensor) -> Any:
        """Call the function."""
        return self.function(*arguments)


def floats(*shape: int, scale: float = 1.0) -> Callable[[], tuple[Tensor, ...]]:
    """Draw one array of normal numbers."""
    return lambda: (scale * torch.randn(*shape),)


def integers(low: int, high: int, *shape: int) -> Tensor:
    """Draw integers, `high` not among them."""
    return torch.randint(low, high, shape)
