"""What a program costs, as data that a person or a tool can read."""

from .cost import Cost, OpCost, cost

__all__ = ["Cost", "OpCost", "cost"]
