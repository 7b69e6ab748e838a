"""The engines and the kind of programs of a fuzzing session, from the words of a command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engines import Engine, Limits, open_engine
from ...errors import UsageError
from ...syntax.spelling import hint
from ..generate.values import ELEMENTS
from .builder import ELEMENTS as USUAL
from .builder import Options
from .changed import after_passes, through_artifact
from .structures import STEPS


@dataclass(frozen=True)
class Engines:
    """The engines that programs are run in; it can be called by workers."""

    engines: str
    passes: str
    through: str
    seconds: float

    def __call__(self) -> tuple[Engine, Engine]:
        """Return the trusted engine, and the engine to compare with it."""
        limits = Limits(self.seconds)
        if self.passes or self.through:
            changed = after_passes(self.passes, limits) if self.passes else through_artifact(self.through, limits)
            return open_engine("reference", limits), changed
        first, _, second = self.engines.partition(",")
        if not second:
            raise UsageError("--engines takes two engines")
        return open_engine(first, limits), open_engine(second, limits)


def options_from(types: str, weights: str, tame: bool, **others: Any) -> Options:
    """The kind of programs that the flags ask for."""
    chosen = tuple([each for each in types.split(",") if each])
    for element in chosen:
        if element not in ELEMENTS:
            raise UsageError(f"unknown element type '{element}'{hint(element, ELEMENTS)}")
    return Options(elements=chosen if chosen else USUAL, weights=_weights(weights), special=not tame, **others)


def _weights(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        name, _, weight = part.partition("=")
        if name not in STEPS or not weight.isdigit():
            raise UsageError(f"not a weight: '{part}'{hint(name, STEPS)}; steps are {', '.join(STEPS)}")
        found[name] = int(weight)
    return found


def as_flags(options: Options) -> str:
    """The options of programs that are not the default, as flags."""
    usual = Options()
    text = "".join(f" --{name}={getattr(options, name)}" for name in ("size", "depth")
                   if getattr(options, name) != getattr(usual, name))  # fmt: skip
    if options.elements != usual.elements:
        text += f" --types={','.join(options.elements)}"
    if options.weights:
        text += f" --weights={','.join(f'{name}={weight}' for name, weight in options.weights.items())}"
    flags = {"undefined": options.undefined, "dynamic": options.dynamic, "tame": not options.special}
    return text + "".join(f" --{name}" for name, given in flags.items() if given)
