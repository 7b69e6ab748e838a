"""The search for a smaller program: candidates in a fixed order, tested in parallel, every verdict remembered."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...bindings import ir
from ...bindings.bytecode import bytecode_of
from ...bindings.walk import operations
from ...errors import StablehloError
from ...isolation.logs import add_to_log, read_log
from ...syntax import readable_text
from ..programs.slices import Progress
from .predicates import NOT_INTERESTING, Predicate, shows

Item = TypeVar("Item")
_LEAST_SECONDS = 5.0
_TIMES_AS_LONG = 10.0  # as the first program
_RETRIES = 2  # runs of a program beyond the first, to see whether the verdict is stable
_LOG = "verdicts.jsonl"
_CONFIRMED = "+"  # behind the digest of a program whose verdict did not change


class FlakyError(StablehloError):
    """The same program was interesting in one run and not in another."""


class NotInterestingError(StablehloError):
    """The program that was to be made smaller does not show the error."""


@dataclass(frozen=True)
class Candidate:
    """A program with arguments for it."""

    module: ir.Module
    arguments: tuple[np.ndarray, ...]

    def bytecode(self) -> bytes:
        """Return the program without locations, which differ between candidates that are the same."""
        return bytecode_of(self.module)

    def digest(self, data: bytes) -> str:
        """Return a name for the program and its arguments."""
        found = hashlib.sha256(data)
        for argument in self.arguments:
            found.update(f"{argument.dtype.name}{argument.shape}".encode() + np.ascontiguousarray(argument).tobytes())
        return found.hexdigest()


@dataclass
class Search:
    """Tests candidates. With a `folder`, verdicts are kept there, so that a search that was killed goes on.

    Attributes:
        predicates: One for each candidate that is tested at a time; all judge alike.
        folder: Where verdicts are kept, and accepted candidates with `keep`.
        keep: Whether to keep every accepted candidate as a file.
        tests: Candidates that a predicate looked at.
        unstable: Candidates that showed the error in one run and not in another, and were passed over.
        signature: The error that is searched for, a line of a predicate's signature.
        best: The last candidate that was accepted.
        required_ops: Names of ops, one of which a candidate needs; empty as long as no op is known to be wrong.
        removed: Ops of the first program that the best candidate lacks.
        removable: Ops of the first program that a candidate may lack.
        stopped: Whether candidates were left when the time was used up.
        seconds: How long a run of a candidate may take.
        end: When to stop, as `time.monotonic` tells it: what was found until then is the result.
        progress: Called with the ops removed, and all that may be: one op is left in the end.
    """

    predicates: Sequence[Predicate]
    folder: Path | None = None
    keep: bool = False
    tests: int = 0
    unstable: int = 0
    accepted: int = 0
    signature: str = ""
    seconds: float = 0.0
    progress: Progress | None = None
    _verdicts: dict[str, str] = field(default_factory=dict[str, str])
    required_ops: frozenset[str] = frozenset()
    best: Candidate | None = None
    stopped: bool = False
    end: float = math.inf
    removed: int = 0
    removable: int = 0

    def start(self, candidate: Candidate) -> None:
        """Look at the first program, whose error is searched for from then on.

        Raises:
            FlakyError: The verdict differs from run to run.
            NotInterestingError: It does not show any.
        """
        self._load()
        data = candidate.bytecode()
        start = time.perf_counter()
        signatures: list[str] = []
        while len(signatures) <= _RETRIES and not (signatures and self.is_over):
            signatures.append(self.predicates[0].signature(data, candidate.arguments))
        self.seconds = max(_LEAST_SECONDS, _TIMES_AS_LONG * (time.perf_counter() - start))
        wanted = signatures[0].partition("\n")[0]
        if not all(shows(text, wanted) for text in signatures):
            texts = ", ".join(text if text else "not interesting" for text in signatures)
            raise FlakyError(f"the verdict differs from run to run: {texts}")
        if wanted == NOT_INTERESTING:
            raise NotInterestingError("the program is not interesting: there is nothing to reduce")
        self.signature, self.removable = wanted, _removable(candidate)
        if "timeout" not in self.signature:  # a loop that lost its counter is not waited for
            for predicate in self.predicates:
                predicate.limit(self.seconds)

    def settle(self, candidate: Candidate, required_ops: Iterable[str]) -> None:
        """Search from now on for the error of an accepted candidate, in one of the required ops."""
        digest = candidate.digest(candidate.bytecode())
        lines = self._verdicts.get(digest, self.signature).split("\n")
        self.signature = next(line for line in lines if shows(line, self.signature))
        self.required_ops = frozenset(required_ops)

    def first(self, candidates: Iterable[Candidate | None]) -> Candidate | None:
        """Return the first candidate that shows the error; as many are tested at a time as there are predicates."""
        pending = iter(candidates)
        while batch := list(islice(pending, len(self.predicates))):
            if self.is_over:
                self.stopped = True
                return None
            real = [candidate for candidate in batch if candidate is not None and self._has_suspect(candidate)]
            for candidate, interesting in zip(real, self._test(real), strict=True):
                if interesting and self._is_stable(candidate):
                    self._accept(candidate)
                    return candidate
        return None

    def first_part(
        self, parts: Iterable[list[Item]], program_of: Callable[[list[Item]], Candidate | None]
    ) -> list[Item] | None:
        """Return the first of several parts whose program shows the error."""
        tried: list[tuple[Candidate | None, list[Item]]] = []

        def candidates() -> Iterator[Candidate | None]:
            for part in parts:
                tried.append((program_of(part), part))
                yield tried[-1][0]

        found = self.first(candidates())
        return None if found is None else next(part for made, part in tried if made is found)

    def fewest(self, items: Sequence[Item], program_of: Callable[[list[Item]], Candidate | None]) -> Candidate | None:
        """Return the program with the fewest items that show the error, or None if all are needed."""
        kept = minimize(items, lambda parts: self.first_part(parts, program_of))
        return program_of(kept) if len(kept) < len(items) else None

    def _has_suspect(self, candidate: Candidate) -> bool:
        """Whether a candidate can show the error: the op that is wrong is still in it."""
        return not self.required_ops or any(
            op.name in self.required_ops for op in operations(candidate.module.operation)
        )

    @property
    def is_over(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() >= self.end

    def _test(self, batch: Sequence[Candidate]) -> list[bool]:
        data = [candidate.bytecode() for candidate in batch]
        digests = [candidate.digest(part) for candidate, part in zip(batch, data, strict=True)]
        new = [number for number, digest in enumerate(digests) if digest not in self._verdicts]

        def look(task: tuple[int, Predicate]) -> str:
            number, predicate = task
            return predicate.signature(data[number], batch[number].arguments)

        if len(new) > 1:
            with ThreadPoolExecutor(len(new)) as pool:
                found = list(pool.map(look, zip(new, self.predicates, strict=False)))
        else:
            found = [look((number, self.predicates[0])) for number in new]
        self.tests += len(new)
        if self.progress is not None:
            self.progress(self.removed, self.removable)
        for number, signature in zip(new, found, strict=True):
            self._remember(digests[number], signature)
        return [shows(self._verdicts[digest], self.signature) for digest in digests]

    def _is_stable(self, candidate: Candidate) -> bool:
        """Whether a candidate shows the error in every run."""
        data = candidate.bytecode()
        key = candidate.digest(data) + _CONFIRMED
        if key not in self._verdicts:
            found = [self.predicates[0].signature(data, candidate.arguments) for _ in range(_RETRIES)]
            self.tests += 1
            is_stable = all(shows(text, self.signature) for text in found)
            self._remember(key, found[0] if is_stable else NOT_INTERESTING)
        stable = shows(self._verdicts[key], self.signature)
        self.unstable += not stable
        return stable

    def _accept(self, candidate: Candidate) -> None:
        self.accepted += 1
        self.best = candidate
        self.removed = max(self.removable - _removable(candidate), 0)
        if self.keep and self.folder is not None:
            path = self.folder / f"step-{self.accepted:04}.mlir"
            path.write_text(readable_text(candidate.module), encoding="utf-8")

    def _load(self) -> None:
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        self._verdicts.update(read_log(self.folder / _LOG, _verdict))

    def _remember(self, digest: str, signature: str) -> None:
        self._verdicts[digest] = signature
        if self.folder is not None:
            add_to_log(self.folder / _LOG, [digest, signature])


def _verdict(entry: Any) -> tuple[str, str]:
    """Return a program's digest and signature."""
    digest, signature = entry
    if not (isinstance(digest, str) and isinstance(signature, str)):
        raise ValueError
    return digest, signature


def _removable(candidate: Candidate) -> int:
    """Return the number of ops besides one, and the module, a function and its return."""
    return max(len(operations(candidate.module.operation)) - 4, 0)


def minimize(items: Sequence[Item], shows: Callable[[Iterable[list[Item]]], list[Item] | None]) -> list[Item]:
    """Delta debugging: remove items, in large chunks first, one at a time last, until all that are left are needed.

    `shows` returns the first of several lists that shows the error, or None.
    """
    current = list(items)
    chunk = len(current) // 2
    while chunk:
        parts = [current[start : start + chunk] for start in range(0, len(current), chunk)]
        alone = shows(parts)
        if alone is not None:
            current = alone
            chunk = min(chunk, len(current)) // 2 if len(current) > 1 else 0
            continue
        starts = range(0, len(current), chunk) if len(parts) > 2 else ()
        rest = shows(current[:start] + current[start + chunk :] for start in starts)
        if rest is not None:
            current = rest
        else:
            chunk //= 2
    return current
