"""The result of a run of a program in an engine, and the limits of the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import StablehloError


class EngineCrashError(StablehloError):
    """A process that an engine started, such as its compiler, ended with a crash."""


Status = Literal["ok", "unsupported", "rejected", "error", "crash", "timeout", "memory"]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one run.

    Attributes:
        status: `ok`; `unsupported` (the engine names an op or type that it lacks), `rejected` (the program does not
            compile), `error` (it fails while running), `crash`, `timeout` or `memory`.
        results: An array for each result of `main`; empty unless the status is `ok`.
        message: What the engine said, empty where the status is `ok`.
        load_seconds: Time to read and compile the program; 0 when the engine had it already.
        run_seconds: Time of the run itself.
        peak_bytes: The largest resident size that the engine's process has had, 0 where it cannot be known.
    """

    status: Status
    results: tuple[np.ndarray, ...] = ()
    message: str = ""
    load_seconds: float = 0.0
    run_seconds: float = 0.0
    peak_bytes: int = 0

    @property
    def ok(self) -> bool:
        """Whether the program ran to its end."""
        return self.status == "ok"

    def __str__(self) -> str:
        return self.status if self.ok else f"{self.status}: {self.message}"
