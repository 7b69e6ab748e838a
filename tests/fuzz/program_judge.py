"""Valid programs for the fuzzer: both interpreters, passes and versions have to agree about them.

The engines run in this process and in forks of it, which costs a fraction of what processes of their own cost.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from fuzzing import WrongError
from long_programs import TOLERANCES, Writer

import stablehlo_py
from stablehlo_py.artifacts.versions import current_version, minimum_version, version_log
from stablehlo_py.debug import compare
from stablehlo_py.engines import Engine, Limits, Outcome, official, reference
from stablehlo_py.engines.worker import Run
from stablehlo_py.isolation.limits import Limits as CallLimits
from stablehlo_py.isolation.outcome import Outcome as Ended
from stablehlo_py.isolation.outcome import directly
from stablehlo_py.isolation.process import run_in_child

# Passes that keep what a program computes, to the bit.
PASSES = (
    *("canonicalize", "cse", "inline", "sccp", "symbol-dce", "strip-debuginfo", "stablehlo-refine-shapes"),
    *(
        f"func.func({name})"
        for name in (
            *("stablehlo-aggressive-folder", "stablehlo-aggressive-simplification", "stablehlo-fold-constants"),
            *("stablehlo-target-independent-optimization", "stablehlo-canonicalize-dynamism", "cse", "canonicalize"),
            *("stablehlo-complex-math-expander", "chlo-legalize-to-stablehlo", "shape-legalize-to-stablehlo"),
            *("stablehlo-legalize-deprecated-ops", "stablehlo-legalize-composite-to-call"),
            "stablehlo-legalize-quant-to-math",
        )
    ),
    "stablehlo-compatibility-expander{target=1.0.0}",
)
_SECONDS = 60.0


def draw_program(generator: random.Random) -> bytes:
    """A valid program of one basic block, after the passes and the version that it goes through."""
    program = Writer(generator.randrange(1 << 30)).write(generator.randint(2, 25))
    passes = ",".join(generator.choices(PASSES, k=generator.randint(1, 4)))
    return f"// builtin.module({passes})\n// {generator.choice(_versions())}\n{program}".encode()


@cache
def _versions() -> list[str]:
    return [
        str(entry.version.opset)
        for entry in version_log()
        if minimum_version() <= entry.version.opset <= current_version().opset
    ]


class Near(Engine):
    """An engine without a process of its own: it runs here, or in a fork of this process."""

    def __init__(self, name: str, load: Callable[[bytes], Run], start: Callable[..., Ended]) -> None:
        super().__init__(name, f"stablehlo_py.engines.{name}:backend", limits=Limits(_SECONDS))
        self.load = load
        self.start = start

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        """The outcome of a program."""
        ended = self.start(lambda: [np.asarray(result) for result in self.load(module)(arguments)])
        if ended.crash:
            return Outcome("crash", message=ended.crash)
        if ended.error is not None:
            return Outcome("error", message=str(ended.error))
        return Outcome("ok", tuple(ended.value))


@cache
def _engines() -> tuple[Engine, Engine]:
    """The interpreter of this package, and the official one, which many programs end with its process."""
    in_child = partial(run_in_child, limits=CallLimits(_SECONDS))
    return Near("reference", reference.backend().load, directly), Near("official", official.backend().load, in_child)


def judge_program(case: bytes) -> str:
    """A program gives the same in both interpreters, after passes, and after a way through an artifact."""
    passes, target, *_ = (line.removeprefix("// ") for line in case.decode().splitlines())
    module = stablehlo_py.parse(case, trust_input=True)
    found = compare(module, _engines(), tolerances=TOLERANCES)
    (expected, other), (arguments,) = found.outcomes[0], found.arguments
    if found.verdict == "differs" or not expected.ok:
        raise WrongError(f"reference: {expected}; the official interpreter: {other}")
    changed = module.operation.clone().operation
    stablehlo_py.run_passes(changed, passes)
    _expect_same(expected.results, changed, arguments, passes)
    try:
        artifact = stablehlo_py.serialize(module, target)
    except stablehlo_py.ArtifactError:
        return f"official {other.status}, needs a newer version"
    _expect_same(expected.results, stablehlo_py.deserialize(artifact), arguments, target)
    return f"official {other.status}"


def _expect_same(before: Sequence[np.ndarray], changed: Any, arguments: Sequence[np.ndarray], how: str) -> None:
    after = stablehlo_py.interpret(changed, arguments)
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        kept, found = np.asarray(old), np.asarray(new)
        same = kept.tobytes() == found.tobytes() or bool(np.all((kept == found) | ((kept != kept) & (found != found))))
        if kept.dtype != found.dtype or not same:
            raise WrongError(f"{how} changes result {index}: {kept} becomes {found}")
