"""Whole programs with arguments, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from ...bindings import ir, make_context
from .builder import Builder, Options, Value
from .structures import step

_MOST_RESULTS = 6


@dataclass(frozen=True)
class Drawn:
    """A program's text and arguments for it."""

    text: str
    arguments: tuple[np.ndarray, ...]


def draw_program(generator: Random, options: Options | None = None, context: ir.Context | None = None) -> Drawn:
    """Draw a program that verifies and runs, with arguments.

    Args:
        generator: What everything is drawn from; the same state gives the same program.
        options: What programs are like.
        context: Where constants are made.

    Returns:
        The program with a function `main`, and arguments.
    """
    chosen = Options() if options is None else options
    build = Builder(generator, make_context() if context is None else context, chosen)
    parameters, arguments = list[Value](), list[np.ndarray]()
    for index in range(generator.randint(1, 3)):
        element = build.element()
        array = build.draw_array(element, build.draw_shape())
        arguments.append(array)
        parameters.append(Value(f"%p{index}", array.shape, element))
    build.pool += parameters
    for _ in range(generator.randint(2, max(2, chosen.size))):
        step(build)
    results = build.pool[-_MOST_RESULTS:]
    signature = ", ".join(f"{each.name}: {each.type}" for each in parameters)
    names, types = ", ".join(each.name for each in results), ", ".join(each.type for each in results)
    lines = "\n".join(build.lines)
    main = f"func.func @main({signature}) -> ({types}) {{\n{lines}\nreturn {names} : {types}\n}}\n"
    return Drawn("".join(build.functions) + main, tuple(arguments))
