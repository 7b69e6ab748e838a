"""Predicates of interesting programs: engines disagree on one, an engine fails, or a command says so.

The kind of a difference stays the same while a program gets smaller: NaN, infinities, the sign and the first wrong
digit, without the values themselves.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ...engines import Engine, Outcome
from ...errors import UsageError
from ...interpreter.storage import save_arrays
from ...isolation.commands import TimeoutExpired, filled, run_command, words_of
from ...syntax import readable_text
from ..allowed.measures import Tolerance, difference, is_float, mismatches
from ..allowed.spread import tolerances

_DIGIT = re.compile(r"values differ in digit (\d+)")
_FLIPPED = "values differ in sign"
_ANYHOW = "values differ"  # wanted where the sign and the digit are not
_DIGITS_APART = 1  # by which one error may change while a program gets smaller
_SHARE = 0.25  # by which one error may change with the element types, of the largest difference


def kinds(given: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> list[str]:
    """Return the kinds of differences beyond the tolerance between a result and the expected one, in words."""
    if given.shape != expected.shape:
        return ["a result of another shape"]
    if not is_float(given.dtype) or not is_float(expected.dtype):
        named = "booleans differ" if given.dtype == np.bool_ else "integers differ"
        return [] if difference(given, expected, tolerance).same else [named]
    a, b = mismatches(given, expected, tolerance)
    found = {
        "NaN in place of numbers": np.isnan(a) & ~np.isnan(b),
        "numbers in place of NaN": np.isnan(b) & ~np.isnan(a),
        "infinity in place of numbers": np.isinf(a) & np.isfinite(b),
        "numbers in place of infinity": np.isinf(b) & np.isfinite(a),
        "infinities differ in sign": np.isinf(a) & np.isinf(b),
    }
    finite = np.isfinite(a) & np.isfinite(b)
    named = [text for text, where in found.items() if where.any()]
    return [*named, _digits(a[finite], b[finite], expected)] if finite.any() else named


def _digits(a: npt.NDArray[np.longdouble], b: npt.NDArray[np.longdouble], expected: np.ndarray) -> str:
    """Return the kind of a difference of finite values: the sign, or the first decimal digit that is wrong.

    Values count as large as is typical for the result at least, as they do for tolerances."""
    if (np.sign(a) * np.sign(b) < 0).all():
        return _FLIPPED
    with np.errstate(all="ignore"):
        magnitudes = np.abs(_wide(expected))
        typical = np.sqrt(np.mean(np.square(magnitudes[np.isfinite(magnitudes)])))
        scale = np.maximum(np.maximum(np.abs(a), np.abs(b)), typical if np.isfinite(typical) else 0)
        share = np.max(np.abs(a / scale - b / scale))
        return f"values differ in digit {max(1, 1 - int(np.floor(np.log10(share))))}"


def shows(signature: str, wanted: str) -> bool:
    """Whether a predicate's signature has a line of the kind that is wanted.

    A sign that is wanted has to be wrong. The first wrong digit may be the next one."""
    return any(_same(line, wanted) for line in signature.split("\n"))


def relaxed(wanted: str) -> str:
    """Return the kind without the sign and the digit."""
    return _ANYHOW if wanted.startswith(_ANYHOW) else wanted


def _same(line: str, wanted: str) -> bool:
    if line == wanted or (wanted == _ANYHOW and line.startswith(wanted)):
        return True
    digit = _DIGIT.fullmatch(wanted)
    found = "1" if line == _FLIPPED else next(iter(_DIGIT.findall(line)), None)
    return digit is not None and found is not None and abs(int(digit[1]) - int(found)) <= _DIGITS_APART


def same_error(first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether two results are wrong by the same, in different element types; each is given and expected."""
    if len({array.shape for array in (*first, *second)}) > 1:
        return False
    a, b, c, d = map(_wide, (*first, *second))
    special = [[np.isnan(array), np.isposinf(array.real), np.isneginf(array.real)] for array in (a, b, c, d)]
    if not all(np.array_equal(x, y) for x, y in zip(special[0] + special[1], special[2] + special[3], strict=True)):
        return False
    finite = np.isfinite(a) & np.isfinite(b)
    before, after = (a - b)[finite], (c - d)[finite]
    return bool((np.abs(after - before) <= _SHARE * np.abs(before).max(initial=0)).all())


def _wide(array: np.ndarray) -> npt.NDArray[np.clongdouble]:
    """Return an array of any numbers in the widest type."""
    numbers = array if array.dtype.kind in "fc" else array.astype(np.float64)  # all that others convert to
    return numbers.astype(np.clongdouble)


NOT_INTERESTING = ""
_DIGITS = re.compile(r"\w*\d\w*")

Form = tuple[bytes, Sequence[np.ndarray]]  # a program and its arguments


class Predicate(Protocol):
    """Looks at a program. Programs that show the same error get the same text, others another one or none.

    A program with several errors gets a line for each, see `shows`."""

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        """Return the text of the program's error, or `NOT_INTERESTING`."""
        ...

    def limit(self, seconds: float) -> None:
        """Let runs from now on take so long at most."""
        ...

    def close(self) -> None:
        """End the processes behind it."""
        ...


def alike(predicate: Predicate, first: Form, second: Form) -> bool | None:
    """Whether both forms of a program, which differ in element types, show one error. None if it cannot tell."""
    ask = getattr(predicate, "alike", None)
    return None if ask is None else ask(first, second)


@dataclass
class Disagreement:
    """Interesting where an engine's results are beyond the tolerance, by default what `spread` finds. The kind of the
    difference is part of the error, so that a search for one error does not slide into another."""

    reference: Engine
    engine: Engine
    tolerance: Tolerance | None = None

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        form = module, arguments
        return self.told(form, *self._run(form))

    def told(self, form: Form, expected: Outcome, given: Outcome) -> str:
        """Return the text of the error that two outcomes of a program show, or `NOT_INTERESTING`."""
        if not expected.ok:
            return NOT_INTERESTING
        if not given.ok:
            return f"{self.engine.name}: {_failure(given)}"
        results = given.results, expected.results
        allowed = tolerances(*form, *results) if self.tolerance is None else repeat(self.tolerance)
        found = [kinds(*three) for three in zip(*results, allowed, strict=False)]
        return "\n".join(dict.fromkeys(chain.from_iterable(found)))

    def alike(self, first: Form, second: Form) -> bool:
        """Whether both engines' results differ by the same in both forms of a program."""
        outcomes = *self._run(first), *self._run(second)
        if not all(outcome.ok for outcome in outcomes):
            return outcomes[0].ok and outcomes[2].ok and _same_failure(outcomes[1], outcomes[3])
        expected, given, expected_again, given_again = (outcome.results for outcome in outcomes)
        pairs = zip(given, expected, given_again, expected_again, strict=True)
        return all(same_error((a, b), (c, d)) for a, b, c, d in pairs)

    def _run(self, form: Form) -> tuple[Outcome, Outcome]:
        """Return the outcomes in the reference and in the engine, which does not run if the reference cannot."""
        expected = self.reference.run(*form)
        return expected, self.engine.run(*form) if expected.ok else expected

    def limit(self, seconds: float) -> None:
        shorten(self.reference, seconds)
        shorten(self.engine, seconds)

    def close(self) -> None:
        self.reference.close()
        self.engine.close()


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
        return _failure(outcome)

    def alike(self, first: Form, second: Form) -> bool:
        """Whether the engine says the same of both forms, apart from names of types and numbers."""
        return _same_failure(self.engine.run(*first), self.engine.run(*second))

    def limit(self, seconds: float) -> None:
        if self.status != "timeout":
            shorten(self.engine, seconds)

    def close(self) -> None:
        self.engine.close()


def _failure(outcome: Outcome) -> str:
    """Return the kind of a failure: its status, and the signal of a crash."""
    how = outcome.message.partition(":")[0]  # the signal of a crash; other messages are about one op
    return f"crash: {how}" if outcome.status == "crash" else outcome.status


def _same_failure(first: Outcome, second: Outcome) -> bool:
    """Whether two outcomes are failures with one message, apart from words with digits in them."""
    messages = [_DIGITS.sub("", outcome.message) for outcome in (first, second)]
    return not first.ok and first.status == second.status and messages[0] == messages[1]


@dataclass
class Command:
    """A command decides: by its exit code, and by a pattern in its output.

    `{module}` stands for the program as text, `{inputs}` for its arguments in an .npz."""

    command: str
    exit_code: str = "0"  # or `any`, or `crash`: the end by a signal, which counts as 128 and its number
    pattern: str = ""
    seconds: float = 600.0

    def __post_init__(self) -> None:
        if "{module}" not in self.command:
            raise UsageError(f"the command lacks {{module}}: '{self.command}'")
        words_of(self.command)  # a mistake is told at once

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        from ...engines.reading import read_module

        with tempfile.TemporaryDirectory(prefix="stablehlo-reduce-") as name:
            program, archive = Path(name) / "module.mlir", Path(name) / "inputs.npz"
            program.write_text(readable_text(read_module(module)), encoding="utf-8")
            archive.write_bytes(save_arrays(archive.name, list(arguments)))
            words = [filled(word, module=program, inputs=archive) for word in words_of(self.command)]
            try:
                ended = run_command(words, seconds=self.seconds)
            except TimeoutExpired:
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
    engine.limits = engine.limits._replace(seconds=min(engine.seconds, seconds))
