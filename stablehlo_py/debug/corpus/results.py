"""The file of results, a line of JSON for each check of a module, and its summary."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ...errors import InputError

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
        self.rows: dict[tuple[str, str, str], Row] = {}
        try:
            if resume and os.path.exists(path):
                self._read(path)
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | (os.O_APPEND if resume else os.O_EXCL), 0o666)
        except FileExistsError:
            raise InputError(f"'{path}' exists", notes=["--resume goes on with it"]) from None
        except OSError as error:
            raise InputError(f"cannot open '{path}': {error.strerror}") from None

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def _read(self, path: str) -> None:
        """Take over the rows of an earlier run, and cut off a line that it did not finish."""
        with open(path, "r+b") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    file.truncate(file.tell() - len(line))
                    return
                try:
                    row = Row(**json.loads(line))
                except (ValueError, TypeError):
                    raise InputError(f"{path}:{number}: not a row of results") from None
                self.rows[row.key] = row

    def add(self, row: Row) -> None:
        """Append a row; it is in the file when this returns."""
        line = json.dumps(asdict(row)).encode() + b"\n"
        while line:
            line = line[os.write(self._descriptor, line) :]
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
        """The summary as JSON holds it."""
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
