"""Predicates of interesting programs: engines disagree on one, an engine fails, or a command says so."""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from ..engines import Engine
from ..errors import UsageError
from ..interpreter.storage import save_arrays
from .measures import Tolerance, difference, is_float
from .tolerances import first_beyond

NOT_INTERESTING = ""


class Predicate(Protocol):
    """Looks at a program. Programs that show the same error get the same text, others another one or none."""

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        """A text for what is interesting about the program, `NOT_INTERESTING` where nothing is."""
        ...

    def limit(self, seconds: float) -> None:
        """Let runs from now on take so long at most."""
        ...

    def close(self) -> None:
        """End the processes behind it."""
        ...


@dataclass
class Disagreement:
    """Interesting where an engine's results are beyond the tolerance. Values, NaN and failures are different errors, so
    that a search for one does not slide into another."""

    reference: Engine
    engine: Engine
    tolerance: Tolerance | None = None

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        expected = self.reference.run(module, arguments)
        if not expected.ok:
            return NOT_INTERESTING
        given = self.engine.run(module, arguments)
        if not given.ok:
            return f"{self.engine.name}: {given.status}"
        wrong = first_beyond(given.results, expected.results, self.tolerance)
        if wrong is None:
            return NOT_INTERESTING
        a, b = given.results[wrong[0]], expected.results[wrong[0]]
        return "special values differ" if _nonfinite(a, b) else "values differ"

    def limit(self, seconds: float) -> None:
        shorten(self.reference, seconds)
        shorten(self.engine, seconds)

    def close(self) -> None:
        self.reference.close()
        self.engine.close()


def _nonfinite(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether the difference is one of NaN or infinities alone."""
    if not is_float(first.dtype) or first.shape != second.shape:
        return False
    finite = np.isfinite(first) & np.isfinite(second)
    same = difference(
        np.where(finite, first, 0).astype(first.dtype), np.where(finite, second, 0), Tolerance(ulp=4)
    ).same
    return bool(same and not finite.all())


@dataclass
class Failure:
    """Interesting where an engine fails as it did at first: the same status, and a message that matches."""

    engine: Engine
    status: str = ""
    pattern: str = ""

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        outcome = self.engine.run(module, arguments)
        if outcome.ok or (self.status and outcome.status != self.status):
            return NOT_INTERESTING
        if not re.search(self.pattern, outcome.message):
            return NOT_INTERESTING
        if self.pattern:
            return f"{outcome.status}: {self.pattern}"
        how = outcome.message.partition(":")[0]  # the signal of a crash; other messages are about one op
        return f"crash: {how}" if outcome.status == "crash" else outcome.status

    def limit(self, seconds: float) -> None:
        if self.status != "timeout":
            shorten(self.engine, seconds)

    def close(self) -> None:
        self.engine.close()


@dataclass
class Command:
    """Interesting where a command says so: by its exit code, and by a pattern in what it prints.

    `{module}` stands for the program as text, `{inputs}` for its arguments in an .npz."""

    command: str
    exit_code: str = "0"  # or `any`, or `crash`: the end by a signal, which counts as 128 and its number
    pattern: str = ""
    seconds: float = 600.0

    def __post_init__(self) -> None:
        if "{module}" not in self.command:
            raise UsageError(f"the command lacks {{module}}: '{self.command}'")

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        from ..engines.reading import read_module

        with tempfile.TemporaryDirectory(prefix="stablehlo-reduce-") as name:
            program, archive = Path(name) / "module.mlir", Path(name) / "inputs.npz"
            program.write_text(str(read_module(module).operation), encoding="utf-8")
            archive.write_bytes(save_arrays(archive.name, list(arguments)))
            words = [word.format(module=program, inputs=archive) for word in shlex.split(self.command)]
            try:
                ended = subprocess.run(
                    words, capture_output=True, encoding="utf-8", errors="replace", check=False, timeout=self.seconds
                )
            except subprocess.TimeoutExpired:
                return NOT_INTERESTING
            except OSError as error:
                raise UsageError(f"cannot run '{words[0]}': {error.strerror}") from None
        code = ended.returncode if ended.returncode >= 0 else 128 - ended.returncode
        wanted = code > 128 if self.exit_code == "crash" else self.exit_code in ("any", str(code))
        found = wanted and re.search(self.pattern, ended.stderr + ended.stdout)
        return f"exit code {code}" if found else NOT_INTERESTING

    def limit(self, seconds: float) -> None:
        self.seconds = min(self.seconds, seconds)

    def close(self) -> None:
        return


def shorten(engine: Engine, seconds: float) -> None:
    """Let the runs of an engine take so long at most."""
    engine.limits = replace(engine.limits, seconds=min(engine.limits.seconds, seconds))
