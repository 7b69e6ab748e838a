"""The run over a corpus: every worker busy, every row written when it is there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ...errors import InputError
from ...isolation.files import read_stream
from ...isolation.pool import open_pool, perform_all
from .results import Results, Row
from .tasks import Checking, Task, TaskLimits

SUFFIXES = (".mlir", ".mlirbc", ".bc", ".stablehlo", ".vhlo")
# Modules that are in memory beyond those that are checked.
_AHEAD = 256


def find_modules(paths: Sequence[str]) -> list[str]:
    """Return the files among `paths` and the modules in the folders among them, by their endings.

    Raises:
        InputError: There is no such file, or no module.
    """
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

    Args:
        modules: Files.
        checks: As `read_check` returns them.
        results: Where rows go, and come from.
        limits: Of each task.
        jobs: How many tasks at a time, where the workers are started here.
        cluster: `local` for a Dask cluster on this machine, the address of a scheduler, or empty for child processes.
        show: Is told how many rows there are, of how many.

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
