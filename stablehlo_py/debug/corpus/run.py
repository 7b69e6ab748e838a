"""The run over a corpus: every worker busy, every row written when it is there.

A task is a check of a module in a child process, under limits, tried again where the machine may be to blame.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...artifacts.versions import resolve_version
from ...engines import open_engine
from ...engines.process import START_SECONDS, child_environment, how_it_ended
from ...errors import InputError, UsageError
from ...isolation.commands import python_command
from ...isolation.files import read_stream
from ...isolation.logs import add_to_log, read_log
from ...isolation.pool import open_pool, perform_all
from ...isolation.worker import Worker
from ...syntax.spelling import hint
from .checks import Verdict

# The parts that vary between messages of one cause: locations, types, values, numbers.
_PLACE = re.compile(r"\S+:\d+:\d+: ")
_VARIABLE = ((re.compile(r"<[^<>]*>"), "<…>"), (re.compile(r"%[\w#]+"), "%…"), (re.compile(r"(?<!\w)\d[\d.]*"), "N"))
_CAUSE_WIDTH = 160


@dataclass(frozen=True)
class Row:
    """One check of one module.

    Attributes:
        module: Its file.
        digest: SHA-256 of its contents.
        bytes: Its size.
        check: As the command line names it.
        status: `ok`; `differs` where the check fails; `rejected` (no program, or not a valid one), `unsupported`,
            `error`, `crash`, `timeout`, `memory`, or `lost` (its workers ended each time).
        message: Why it is not `ok`.
        attempts: How often it was tried.
        seconds: How long all attempts took.
    """

    module: str
    digest: str
    bytes: int
    check: str
    status: str
    message: str = ""
    attempts: int = 1
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of the same check of the same module in another run."""
        return self.module, self.digest, self.check

    @property
    def cause(self) -> str:
        """The message without what is particular to the module."""
        text = _PLACE.sub("", self.message.partition("\n")[0]).removeprefix("error: ")
        for pattern, replacement in _VARIABLE:
            text = pattern.sub(replacement, text)
        return text[:_CAUSE_WIDTH]


class Results:
    """A file of rows that are appended as they come, so that nothing that was found out is lost.

    Attributes:
        rows: What it holds, by key.
    """

    def __init__(self, path: str, *, resume: bool) -> None:
        """Open the file; `resume` continues an existing one. Raises InputError."""
        self.path = Path(path)
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | (0 if resume else os.O_EXCL), 0o666))
        except FileExistsError:
            raise InputError(f"'{path}' exists", notes=["--resume goes on with it"]) from None
        except OSError as error:
            raise InputError(f"cannot open '{path}': {error.strerror}") from None
        self.rows = {row.key: row for row in read_log(self.path, lambda entry: Row(**entry))}

    def add(self, row: Row) -> None:
        """Append a row; it is in the file when this returns."""
        add_to_log(self.path, asdict(row))
        self.rows[row.key] = row


@dataclass(frozen=True)
class Cause:
    """Rows with the same check, status and cause: how many, and the one with the smallest module."""

    count: int
    smallest: Row


@dataclass(frozen=True)
class Summary:
    """The number of rows of each status, and the causes of those not ok, the most frequent first."""

    statuses: dict[str, int]
    causes: tuple[Cause, ...]

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Summary:
        """The summary of rows."""
        statuses: dict[str, int] = {}
        groups: dict[tuple[str, str, str], list[Row]] = {}
        for row in rows:
            statuses[row.status] = statuses.get(row.status, 0) + 1
            if row.status != "ok":
                groups.setdefault((row.check, row.status, row.cause), []).append(row)
        causes = [Cause(len(group), min(group, key=lambda row: (row.bytes, row.module))) for group in groups.values()]
        return cls(statuses, tuple(sorted(causes, key=lambda cause: (-cause.count, cause.smallest.key))))

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as JSON holds it."""
        causes = [{"count": each.count, "cause": each.smallest.cause, **asdict(each.smallest)} for each in self.causes]
        return {"statuses": self.statuses, "causes": causes}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        counts = ", ".join(f"{self.statuses[status]:,} {status}" for status in sorted(self.statuses, key=_ok_first))
        yield f"{sum(self.statuses.values()):,} checks: {counts if counts else 'none'}"
        for cause in self.causes:
            row = cause.smallest
            yield f"{cause.count:,}  {row.check}: {row.status}: {row.cause}"
            yield f"   smallest: {row.module} ({row.bytes:,} bytes)"


def _ok_first(status: str) -> tuple[bool, str]:
    return status != "ok", status


# The default options of a check; None for a check without options.
CHECKS = {
    "verify": None, "roundtrip": "current", "interpret": None,
    "compare": "reference,xla", "judge": "reference,xla", "passes": "canonicalize,cse",
}  # fmt: skip
_SECONDS_TO_START = 30.0
_COMMAND = "from stablehlo_py.debug.corpus.checks import main; main()"
_GREETING = "verify", b"module {}"  # its answer tells that the child has loaded all
_WORTH_ANOTHER_TRY = frozenset(("crash", "timeout", "memory"))


def read_check(text: str) -> str:
    """Return a check in full, `roundtrip:current` for `roundtrip`. Raises UsageError if it is impossible."""
    name, colon, options = text.partition(":")
    if name not in CHECKS:
        raise UsageError(f"unknown check '{name}'{hint(name, CHECKS)}", notes=[f"the checks are {', '.join(CHECKS)}"])
    default = CHECKS[name]
    if default is None:
        if colon:
            raise UsageError(f"the check {name} has no options, found '{options}'")
        return name
    chosen = [option for option in (options if options else default).split(",") if option]
    if name == "roundtrip":
        chosen = [str(resolve_version(target)) for target in chosen]
    elif name in ("compare", "judge"):
        if len(chosen) < 2:
            raise UsageError("two or more engines are needed for a comparison")
        for engine in chosen:
            open_engine(engine)
    return f"{name}:{','.join(chosen)}"


@dataclass(frozen=True)
class TaskLimits:
    """The limits of a task: `seconds` for each run, `memory` in bytes (None: any), and how often it is tried again
    after a crash or a limit that was reached."""

    seconds: float = 60.0
    memory: int | None = None
    retries: int = 1


@dataclass(frozen=True)
class Task:
    """A check of a module, as a worker gets it: with the contents, since the file may be on another machine."""

    module: str
    data: bytes
    check: str

    def row(self, status: str, message: str = "", attempts: int = 1, seconds: float = 0.0) -> Row:
        """Return the row of this task."""
        digest = hashlib.sha256(self.data).hexdigest()
        return Row(self.module, digest, len(self.data), self.check, status, message, attempts, seconds)


@dataclass(frozen=True)
class Checking:
    """The work on tasks: a row for each, even where its module ends the child process."""

    limits: TaskLimits

    @contextmanager
    def open(self) -> Generator[Callable[[Task], Row]]:
        """Prepare the child process, which the first task starts."""
        memory = "" if self.limits.memory is None else str(self.limits.memory)
        command = python_command("-c", _COMMAND, str(self.limits.seconds), memory)
        with closing(Worker(command, child_environment())) as child:
            yield partial(self._row, child)

    def lost(self, task: Task, why: str) -> Row:
        """Return the row of a task whose workers ended."""
        return task.row("lost", why)

    def _row(self, child: Worker, task: Task) -> Row:
        # Engines that are compared have limits of their own, and are started first.
        engines = 1 + task.check.count(",") if task.check.startswith(("compare:", "judge:")) else 0
        seconds = self.limits.seconds + engines * (self.limits.seconds + _SECONDS_TO_START)
        began, attempts = time.perf_counter(), 0
        while True:
            attempts += 1
            status, message = _verdict(child, task, seconds)
            if status not in _WORTH_ANOTHER_TRY or attempts > self.limits.retries:
                return task.row(status, message, attempts, round(time.perf_counter() - began, 3))


def _verdict(child: Worker, task: Task, seconds: float) -> Verdict:
    if child.start():
        greeted = child.ask(_GREETING, START_SECONDS)
        if greeted.cause:
            return how_it_ended(greeted, START_SECONDS)
    outcome = child.ask((task.check, task.data), seconds)
    return how_it_ended(outcome, seconds) if outcome.cause else outcome.value


SUFFIXES = (".mlir", ".mlirbc", ".bc", ".stablehlo", ".vhlo")
# Modules that are in memory beyond those that are checked.
_AHEAD = 256


def find_modules(paths: Sequence[str]) -> list[str]:
    """Return the files and, by their endings, the modules in folders. Raises InputError if there are none."""
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            inside = (str(file) for file in Path(path).rglob("*") if file.suffix in SUFFIXES and file.is_file())
            found |= dict.fromkeys(sorted(inside))
        elif os.path.exists(path):
            found[path] = None
        else:
            raise InputError(f"cannot open input file '{path}': No such file or directory")
    if not found:
        raise InputError("no modules found", notes=[f"a folder is searched for files ending in {', '.join(SUFFIXES)}"])
    return list(found)


def _tasks(modules: Sequence[str], checks: Sequence[str], known: Results) -> Iterator[Task | Row]:
    """Return the tasks without a row, and the rows of earlier runs; files are read on demand."""
    for module in modules:
        try:
            with open(module, "rb") as file:
                data = read_stream(file, module)
        except OSError as error:
            raise InputError(f"cannot open input file '{module}': {error.strerror}") from None
        digest = hashlib.sha256(data).hexdigest()
        for check in checks:
            row = known.rows.get((module, digest, check))
            yield row if row is not None else Task(module, data, check)


def check_corpus(
    modules: Sequence[str],
    checks: Sequence[str],
    results: Results,
    *,
    limits: TaskLimits,
    jobs: int = 1,
    cluster: str = "",
    show: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Check modules without a row in `results`, write their rows, and return all rows of these modules.

    There are so many `jobs` at a time where the workers are started here. `cluster` is `local` for a Dask cluster on
    this machine, the address of a scheduler, or empty for child processes. `show` is told how many rows there are.

    Raises:
        InputError: A file cannot be read.
        ProviderError: Dask is missing, or nobody answers at the address.
    """
    rows: list[Row] = []
    total = len(modules) * len(checks)

    def take(row: Row) -> None:
        if row.key not in results.rows:
            results.add(row)
        rows.append(row)
        if show is not None:
            show(len(rows), total)

    def new() -> Iterator[Task]:
        for each in _tasks(modules, checks, results):
            if isinstance(each, Row):
                take(each)
            else:
                yield each

    for row in perform_all(Checking(limits), new(), lambda: open_pool(cluster, jobs), _AHEAD):
        take(row)
    return rows
