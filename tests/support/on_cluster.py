"""Tasks of scripts: done here one after the other, or on a Dask cluster."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from stablehlo_py.isolation.pool import Work

Task = TypeVar("Task")
Result = TypeVar("Result")
CLUSTER = "run on Dask: on this machine, or with a scheduler whose workers see this tree and its files"
JOBS = "workers of --cluster=local"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let a tool take `--cluster` and `--jobs`."""
    parser.add_argument("--cluster", default="", metavar="local|ADDRESS", help=CLUSTER)
    parser.add_argument("-j", "--jobs", type=_positive, default=2, help=f"{JOBS} (default: %(default)s)")


def _positive(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a positive number, found '{text}'")
    return int(text)


def results(work: Work[Task, Result], tasks: Iterable[Task], cluster: str, jobs: int) -> Iterator[Result]:
    """The results of tasks as they come. Ends the process if the cluster cannot be reached.

    Args:
        work: What is done with a task.
        tasks: They are asked for when there is time to do them.
        cluster: `local`, the address of a scheduler, or empty.
        jobs: The workers of a local cluster.
    """
    if not cluster:
        with work.open() as perform:
            yield from map(perform, tasks)
        return
    from stablehlo_py.errors import ProviderError
    from stablehlo_py.isolation.pool import open_pool, perform_all

    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # workers find the modules that this one does
    try:
        yield from perform_all(work, tasks, lambda: open_pool(cluster, jobs))
    except ProviderError as error:
        sys.exit(str(error))
    finally:
        os.environ["PYTHONPATH"] = before
