"""A plugin for pytest: `.mlir` files with RUN lines as test items, and programs as fixtures.

Turn it on with `pytest -p stablehlo_py.testing.pytest`, or `pytest_plugins = ["stablehlo_py.testing.pytest"]` in the
`conftest.py` at the top. A file below a `lit.cfg.py` is run with that; others need none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ..isolation.commands import LIT, run_command
from .programs import assert_programs_agree as check_programs

_CONFIGURATION = """from stablehlo_py.testing import lit
lit.configure(config, lit_config, name="pytest", source_root={folder!r})
config.test_exec_root = {output!r}
"""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take `.mlir` files that say how to run them."""
    if file_path.suffix != ".mlir" or "RUN:" not in file_path.read_text(encoding="utf-8", errors="replace"):
        return None
    return MlirFile.from_parent(parent, path=file_path)


class MlirFile(pytest.File):
    """A file with RUN lines."""

    def collect(self) -> Iterator[pytest.Item]:
        """Give the one test that the file is."""
        yield MlirItem.from_parent(self, name=self.path.stem)


class LitFailedError(Exception):
    """lit's report on a test that failed."""


class MlirItem(pytest.Item):
    """The RUN lines of a file."""

    def runtest(self) -> None:
        """Run them by lit."""
        target = self.path
        if not any((folder / "lit.cfg.py").exists() for folder in self.path.parents):
            target = self._configured()
        command = [*LIT, "-v", str(target)]
        done = run_command(command)
        if "UNSUPPORTED: 1" in done.stdout or "Unsupported: 1" in done.stdout:
            pytest.skip("the file asks for features that are not there (REQUIRES)")
        if done.returncode:
            raise LitFailedError(done.stdout + done.stderr)

    def _configured(self) -> Path:
        """Return a path of the test for lit, in a new folder whose configuration names the folder of the test."""
        factory: pytest.TempPathFactory = self.config._tmp_path_factory  # pyright: ignore[reportAttributeAccessIssue]
        folder = factory.mktemp("lit")
        text = _CONFIGURATION.format(folder=str(self.path.parent), output=str(folder))
        (folder / "lit.site.cfg.py").write_text(text, encoding="utf-8")
        return folder / self.path.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the output of lit, without a traceback."""
        if isinstance(excinfo.value, LitFailedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the path of the test, its line and its title."""
        return self.path, 0, f"RUN lines of {self.path.name}"


@pytest.fixture
def interpret() -> Callable[..., list[Any]]:
    """A function that takes a program, as `stablehlo_py.parse` does, and its arguments, and returns its results."""
    import stablehlo_py
    from stablehlo_py.bindings import ir

    def run(source: Any, arguments: Sequence[Any] = ()) -> list[Any]:
        module = source if isinstance(source, ir.Module) else stablehlo_py.parse(source)
        return list(stablehlo_py.interpret(module, list(arguments)))

    return run


@pytest.fixture
def assert_programs_agree() -> Callable[..., None]:
    """`stablehlo_py.testing.assert_programs_agree`."""
    return check_programs
