"""A plugin of pytest that writes, for each test function, its seconds and the lines of the package that it gets to.

`rooms.py` runs it, under coverage.py, with a test file and the name of the file to write in STABLEHLO_PY_REACHED.
"""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage


class Reached:
    """Names a context of coverage.py after each test function; those that fail or are skipped are left out."""

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
        result = yield
        measured.switch_context("")
        self.seconds[function] += time.monotonic() - started
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        measured = Coverage.current()
        assert measured is not None
        data = measured.get_data()
        lines = defaultdict[str, dict[str, list[int]]](dict)
        for function in self.seconds.keys() - self.failed:
            data.set_query_context(function)
            for file in sorted(data.measured_files()):
                if found := data.lines(file):
                    lines[function][file] = sorted(found)
        seconds = {function: round(self.seconds[function], 3) for function in self.seconds.keys() - self.failed}
        found = {"seconds": seconds, "lines": lines, "failed": sorted(self.failed)}
        self.path.write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Take part if asked to."""
    config.pluginmanager.register(Reached(Path(os.environ["STABLEHLO_PY_REACHED"])))
