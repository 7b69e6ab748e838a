"""Workers of Dask. Only this file imports it; it comes with `pip install stablehlo-py[cluster]`."""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Generator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ..errors import ProviderError
from .commands import python_command, tied_command

LOCAL = "local"
# Dask's command for workers; they end with its process.
_WORKERS = python_command("-m", "distributed.cli.dask_worker")
_SECONDS_TO_CONNECT, _SECONDS_TO_START = 30, 120


@contextmanager
def workers(address: str, jobs: int) -> Generator[tuple[Executor, int, tuple[type[BaseException], ...]]]:
    """The workers of the cluster at `address`, or `jobs` processes on this machine for `local`; and how many there are.

    A task whose worker is lost is given to another one, until that has happened as often as Dask allows (three times
    by default): then it ends with one of the errors that are returned.

    Raises:
        ProviderError: Dask is missing, or nobody answers.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        notes = ["pip install 'stablehlo-py[cluster]' installs dask and distributed"]
        raise ProviderError(f"--cluster needs Dask: {error}", notes=notes) from error
    with ExitStack() as opened:
        try:
            found = opened.enter_context(_local_scheduler(jobs)) if address == LOCAL else address
            client: Any = opened.enter_context(Client(found, timeout=_SECONDS_TO_CONNECT))
            client.wait_for_workers(1, timeout=_SECONDS_TO_START)
            size = jobs if address == LOCAL else sum(client.nthreads().values())
        except (OSError, ValueError) as error:
            raise ProviderError(f"the cluster at {address} does not answer: {error}") from error
        yield client.get_executor(pure=False), size, (KilledWorker,)


@contextmanager
def _local_scheduler(jobs: int) -> Generator[str]:
    """The address of a scheduler in this process, with `jobs` worker processes that are replaced when they end.

    They are started by Dask's own command: multiprocessing would run the tool's script again in each.
    """
    from distributed import LocalCluster

    cluster: Any = LocalCluster(
        n_workers=0,
        processes=False,
        dashboard_address=":0",
        host="127.0.0.1",
        protocol="tcp",
        silence_logs=logging.CRITICAL,
    )
    with cluster:
        # The children that the workers start have limits of memory, not the workers.
        options = ["--nthreads=1", f"--nworkers={jobs}", "--memory-limit=0", "--no-dashboard", "--host=127.0.0.1"]
        package = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH", "")]))
        process = subprocess.Popen(
            tied_command([*_WORKERS, cluster.scheduler_address, *options]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        try:
            yield cluster.scheduler_address
        finally:
            process.terminate()
            process.wait()
