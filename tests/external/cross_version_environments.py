"""An environment for each release that the cross-version matrix is run with."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

CHILD = Path(__file__).resolve().parent / "cross_version_child.py"
_STAMP = "complete"
# No wheel of theirs is for a newer Python.
_NEWEST_PYTHON = {"0.4.13": (3, 11), "0.4.20": (3, 12), "0.4.25": (3, 12), "0.4.30": (3, 12), "0.4.34": (3, 13)}
_INSTALL_TIMEOUT = 1800
_JOB_TIMEOUT = 120
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Release:
    """A release of a package that reads and writes artifacts, with its further requirements."""

    package: str
    number: str
    beside: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.package} {self.number}"

    @property
    def requirements(self) -> list[str]:
        """The requirement for pip."""
        return [f"{self.package}=={self.number}", *self.beside]


# Releases of before numpy 2 were built against numpy 1.
_NUMPY_1 = ("numpy<2", "ml_dtypes<0.5")
RELEASES = (
    Release("jaxlib", "0.4.13", _NUMPY_1),
    Release("jaxlib", "0.4.20", _NUMPY_1),
    Release("jaxlib", "0.4.25", _NUMPY_1),
    Release("jaxlib", "0.4.30"),
    Release("jaxlib", "0.4.34"),
    Release("jaxlib", "0.5.0"),
    Release("jaxlib", "0.6.0"),
    Release("jaxlib", "0.7.0"),
    Release("jaxlib", "0.8.0"),
    Release("jaxlib", "0.9.0"),
    Release("jaxlib", "0.10.2"),
    Release("jaxlib", "0.12.0.1"),
    Release("torch-mlir", "20261001"),
)


class UnavailableError(Exception):
    """A release cannot be had here; the message says why."""


def _installed_here(release: Release) -> bool:
    if release.package == "jaxlib" and find_spec("torch_mlir") is not None:
        return False  # where both are installed, the child runs torch-mlir
    try:
        return version(release.package) == release.number
    except PackageNotFoundError:
        return False


def _python_for(release: Release) -> str:
    """A Python that the release has a wheel for."""
    newest = _NEWEST_PYTHON.get(release.number, sys.version_info[:2])
    if sys.version_info[:2] <= newest:
        return sys.executable
    for minor in range(newest[1], 8, -1):
        found = shutil.which(f"python3.{minor}")
        if found is not None:
            return found
    raise UnavailableError(f"it needs Python 3.{newest[1]} or older, and none is installed")


def environment(release: Release, cache: Path) -> Path:
    """The Python of an environment with `release`, which is made below `cache` if it is missing. Raises
    `UnavailableError` where that fails."""
    if _installed_here(release):
        return Path(sys.executable)
    folder = cache / f"{release.package}-{release.number}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if (folder / _STAMP).exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    creator = _python_for(release)
    if creator == sys.executable:
        venv.create(folder, with_pip=True)
    else:
        subprocess.run([creator, "-I", "-m", "venv", folder], check=True)
    pip = [python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    finished = subprocess.run([*pip, *release.requirements], capture_output=True, text=True, timeout=_INSTALL_TIMEOUT)
    if finished.returncode:
        lines = [line for line in finished.stderr.splitlines() if line.startswith("ERROR")]
        raise UnavailableError(lines[-1] if lines else "pip could not install it")
    (folder / _STAMP).touch()
    return python


Job = dict[str, Any]
Answer = dict[str, Any]


def run_jobs(python: Path, jobs: Sequence[Job], folder: Path) -> Iterator[Answer]:
    """The answer of the environment to each job, as they come. A job that crashes the process, or takes more than two
    minutes, is answered with an error that says so; the jobs after it are run in a new process."""
    folder.mkdir(parents=True, exist_ok=True)
    done = 0
    while done < len(jobs):
        jobs_path, answers_path = folder / "jobs.json", folder / f"answers-{done}.jsonl"
        jobs_path.write_text(json.dumps(jobs[done:]), encoding="utf-8")
        answers_path.write_text("", encoding="utf-8")
        command = [str(python), "-I", str(CHILD), str(jobs_path), str(answers_path)]  # not with PYTHONPATH's packages
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ending, last_sign = "", time.monotonic()
        with answers_path.open(encoding="utf-8") as answers:
            while not ending:
                if time.monotonic() - last_sign > _JOB_TIMEOUT:
                    process.kill()
                    ending = f"no answer within {_JOB_TIMEOUT} s"
                try:
                    code = process.wait(_POLL_SECONDS)
                    ending = ending if ending else f"the process ended with code {code}"
                except subprocess.TimeoutExpired:
                    pass
                for line in _complete_lines(answers):
                    done, last_sign = done + 1, time.monotonic()
                    yield json.loads(line)
        if done < len(jobs):
            done += 1
            yield {"error": ending}


def _complete_lines(file: Any) -> Iterator[str]:
    """The lines that have been written whole since the last call."""
    while True:
        position = file.tell()
        line = file.readline()
        if not line.endswith("\n"):
            file.seek(position)
            return
        yield line
