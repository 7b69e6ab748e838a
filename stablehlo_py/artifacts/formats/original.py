"""Programs in their own framework, for the comparison with their imports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Node:
    """A node of a program's graph: its name and op, and `file:line:column` of the code that made it, or empty."""

    name: str
    location: str = ""


@dataclass(frozen=True)
class Original:
    """A program that its own framework runs.

    Attributes:
        framework: The name of the framework.
        run: Returns the results, arrays or tensors, for arguments and a seed. Raises what the framework raises.
        expanded: Returns an imported program, its original, and the nodes whose values both return.
        examples: Sets of arguments that came with the program.
    """

    framework: str
    run: Callable[[Sequence[Any], int], Sequence[Any]]
    expanded: Callable[[], tuple[bytes, Original, Sequence[Node]]]
    examples: Sequence[Sequence[Any]] = ()


Check = Callable[[bytes, Original], str]
"""Compares an imported program with its original. Returns why it could not, or nothing; raises `InputError` where the
two differ. It pickles."""
