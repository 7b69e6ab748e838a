"""Costs of a program, differences of two programs, and reports, as data and as pages that a person can read."""

from .cost import Cost, OpCost, cost
from .page import Page
from .view import view

__all__ = ["Cost", "OpCost", "Page", "cost", "view"]
