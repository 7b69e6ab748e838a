"""Engines in this process, which start at once: a backend's, and the interpreter with other ops in place of some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.engines import Outcome
from stablehlo_py.engines.worker import Backend
from stablehlo_py.errors import StablehloError


class Here(Local):
    """The engine of a backend, without a process of its own."""

    def __init__(self, name: str, backend: Backend) -> None:
        super().__init__()
        self.name, self.loaded = name, backend

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        try:
            with np.errstate(all="ignore"):
                return Outcome("ok", tuple(map(np.asarray, self.loaded.load(module)(list(arguments)))))
        except StablehloError as error:
            return Outcome("unsupported", message=str(error).replace("error: ", "", 1))


class Swapped(Local):
    """Runs programs with an op for each of `swaps` in place of it, and ends with `outcome` where a program has `bad`.

    Attributes:
        asked: How many programs it was given.
    """

    def __init__(
        self,
        swaps: Mapping[str, str] | None = None,
        *,
        name: str = "swapped",
        bad: str = "",
        outcome: Outcome | None = None,
        element: str = "",
    ) -> None:
        super().__init__(element)
        self.name, self.bad, self.asked = name, bad, 0
        self.swaps = {} if swaps is None else swaps
        self.outcome = Outcome("unsupported", message=f"lacks {bad}") if outcome is None else outcome

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        self.asked += 1
        text = str(parsed(module))
        if self.bad and f"stablehlo.{self.bad} " in text:
            return self.outcome
        for before, after in self.swaps.items():
            text = text.replace(f"stablehlo.{before} ", f"stablehlo.{after} ")
        return super().run(text.encode(), arguments)


def program(*ops: str, results: Sequence[str] = (), **parameters: str) -> ir.Module:
    """A program of ops `%NAME = OP`, with parameters by name and type. An op without a type has the first one's.

    It returns the last value, of that type, or the `results` as `%NAME: TYPE`.
    """
    first = next(iter(parameters.values()))
    lines = [line if " : " in line else f"{line} : {first}" for line in ops]
    chosen = results if results else [f"{lines[-1].partition(' = ')[0]}: {first}"]
    names, returned = zip(*(each.split(": ", 1) for each in chosen), strict=True)
    given = ", ".join(f"%{name}: {type_}" for name, type_ in parameters.items())
    body = "\n".join(f"  {line}" for line in lines)
    head = f"func.func @main({given}) -> ({', '.join(returned)}) {{"
    return parsed(f"{head}\n{body}\n  return {', '.join(names)} : {', '.join(returned)}\n}}")
