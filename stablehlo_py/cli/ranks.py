"""Tools on the ranks of mpiexec: all ranks do the same, the first one prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import NoReturn

from ..errors import StablehloError
from ..interpreter.process_grid import ProcessGrid
from ..isolation.tool import doing
from ..spmd.mpi_grid import MpiGrid
from ..spmd.ranks import ranks


def run_on_ranks(work: Callable[[], int], failed: int | None = None) -> NoReturn:
    """Do work in every rank, and end them all with its exit code; with `failed`, or the error's own, where it fails."""
    found = ranks()
    if found.rank:
        sys.stdout, sys.stderr = [open(os.devnull, "w", encoding="utf-8") for _ in range(2)]  # noqa: SIM115
    try:
        code = work()
    except StablehloError as error:
        sys.stderr.write(f"{error}\n")
        code = error.exit_code if failed is None else failed
    found.exit(code)


@contextmanager
def together(activity: str) -> Generator[Callable[..., ProcessGrid]]:
    """Give a function that makes the grid of a step of all ranks; an error in one of them is raised in all."""
    try:
        yield partial(MpiGrid, note=lambda where: doing(f"{activity}, last {where}"))
        ranks().all(None)
    except StablehloError as error:
        if error is not ranks().failure:
            ranks().fail(error)
        raise
