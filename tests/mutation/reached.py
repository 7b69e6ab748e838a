"""A plugin of pytest that names a context of coverage.py after each test function, and writes the seconds of each.

`rooms.py` runs it, under coverage.py, with a test file and the name of the file to write in STABLEHLO_PY_REACHED.
Lines of child processes have the same context.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from coverage import Coverage

from stablehlo_py.isolation.worker import Worker


class Reached:
    """Names the contexts, and writes which tests pass."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds = defaultdict[str, float](float)
        self.failed = set[str]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        function, started = item.nodeid.partition("[")[0], time.monotonic()
        measured = Coverage.current()
        assert measured is not None, "runs under coverage.py"
        measured.switch_context(function)
        measured.config.context = function  # of child processes
        os.environ["COVERAGE_PROCESS_CONFIG"] = measured.config.serialize()
        result = yield
        measured.switch_context("")
        self.seconds[function] += time.monotonic() - started
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        seconds = {function: round(self.seconds[function], 3) for function in self.seconds.keys() - self.failed}
        found = {"seconds": seconds, "failed": sorted(self.failed)}
        self.path.write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Take part, and let workers end by themselves: a process that is killed writes no lines."""
    kill = Worker.close

    def close(worker: Worker) -> None:
        process = worker._process
        if process is not None and process.poll() is None:
            process.stdin.close()
            process.stdin = None
            with suppress(subprocess.TimeoutExpired):
                process.wait(2)
        kill(worker)

    Worker.close = close
    config.pluginmanager.register(Reached(Path(os.environ["STABLEHLO_PY_REACHED"])))
