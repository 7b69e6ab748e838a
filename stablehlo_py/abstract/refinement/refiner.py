"""Refines a module: an analysis finds out what is known about every value, and what it found is applied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...bindings import ir
from ..library import Library
from ..signatures import SHAPE
from .analysis import analyse
from .application import Application, Instance
from .reification import element_types_of
from .value_facts import Facts


@dataclass
class Refinement:
    """A refined module, and what is known about it."""

    module: ir.Operation
    library: Library
    functions: dict[str, ir.Operation]
    instances: dict[str, Instance]

    def facts(self, name: str) -> Facts:
        """The facts about the values of a function; only its types where no call of it was looked at."""
        instance = self.instances.get(name)
        return Facts(function=name) if instance is None else instance.facts

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances.values())


def refine(
    module: ir.Operation,
    library: Library,
    kinds: tuple[str, ...] = (SHAPE,),
    *,
    direct: bool = False,
    max_iterations: int = 10,
) -> Refinement:
    """Refine the types of a module by the calculations in it.

    Args:
        module: The module. It changes only if nothing is raised.
        library: The calculations that those in the module call.
        kinds: Which calculations to evaluate: shape, dtype.
        direct: Whether ops without a calculation next to them have the library's.
        max_iterations: How many rounds of a loop to look at before it is taken to be as declared.

    Returns:
        What is known about the module's values.

    Raises:
        RefutedError: The program breaks a rule of a calculation.
    """
    program, roots = analyse(
        module, library, kinds, direct=direct, max_iterations=max_iterations, codes=element_types_of(module)
    )
    application = Application(program)
    application.run(roots)
    return Refinement(module, library, program.functions, application.instances)
