"""A virtual environment inside the source tree, made on first use with nothing but Python's standard library."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIRECTORY = ROOT / ".venv"
BINARIES = DIRECTORY / ("Scripts" if os.name == "nt" else "bin")
OLDEST = (3, 11)
NEWEST = (3, 15)


def pythons() -> Iterator[str]:
    """Pythons that may be there, the newest that the newest jaxlib has wheels for first, the running one last."""
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        if sys.version_info[:2] == (3, minor):
            yield getattr(sys, "_base_executable", sys.executable)
        found = shutil.which(f"python3.{minor}")
        if found:
            yield found
        yield from map(str, sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"), reverse=True))
    if sys.version_info >= OLDEST:
        yield getattr(sys, "_base_executable", sys.executable)


def _interpreter() -> str:
    """The newest Python at hand that works and has the module venv."""
    for python in pythons():
        probe = [python, "-c", "import ensurepip, venv"]
        try:
            if subprocess.run(probe, capture_output=True).returncode == 0:
                return python
        except OSError:
            continue
    sys.exit(
        f"error: Python {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]} with its venv module is needed; this is "
        f"{sys.version.split()[0]}. {how_to_install(f'3.{NEWEST[1]}')}"
    )


def how_to_install(version: str) -> str:
    """Return the advice for installing a Python, such as 3.13."""
    return f"On Debian and Ubuntu: apt install python{version} python{version}-venv; elsewhere: pyenv install {version}"


def _fingerprint() -> str:
    """Return a digest of the inputs of the environment: the package's metadata and the tree's path."""
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()


def _install(extra: str) -> bool:
    """Whether pip installed the package with this extra."""
    requirement = f"{ROOT}[{extra}]" if extra else str(ROOT)
    pip = (BINARIES / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    # Compiling all that is installed takes longer than installing it; Python compiles what is imported.
    return subprocess.run([*pip, "--no-compile", "-e", requirement], cwd=ROOT).returncode == 0


def _create() -> None:
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    completed = subprocess.run([_interpreter(), "-m", "venv", DIRECTORY])
    if completed.returncode:
        shutil.rmtree(DIRECTORY, ignore_errors=True)
        sys.exit("error: Python's venv module is needed; on Debian and Ubuntu: apt install python3-venv")


def prepare(extra: str = "") -> None:
    """Installs this package with its `extra` into the tree's environment, unless that was done before."""
    if not prepare_if_possible(extra):
        sys.exit("error: pip could not install the package; what it said is above")


def prepare_if_possible(extra: str) -> bool:
    """As `prepare`, but tells whether it could, for an extra that not every platform has packages of."""
    stamp = DIRECTORY / f"installed-{extra}".rstrip("-")
    fingerprint = _fingerprint()
    works = (BINARIES / "python").exists()  # not so when the Python that it was made from is gone
    if works and stamp.is_file() and stamp.read_text() == fingerprint:
        return True
    print(f"preparing {DIRECTORY} (once)", file=sys.stderr, flush=True)
    if not works or not any(path.read_text() == fingerprint for path in DIRECTORY.glob("installed*")):
        _create()
    if not _install(extra):
        return False
    stamp.write_text(fingerprint)
    return True


def python_version() -> str:
    """The environment's Python, such as 3.13."""
    probe = [BINARIES / "python", "-c", "import sys; print('{}.{}'.format(*sys.version_info))"]
    return subprocess.run(probe, capture_output=True, text=True, check=True).stdout.strip()


def variables() -> dict[str, str]:
    """Return the environment variables of a shell after activation.

    Python keeps what it compiles, whatever the caller's shell says: the tests start the tools thousands of times.
    """
    path = os.pathsep.join([str(BINARIES), os.environ.get("PATH", os.defpath)])
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PATH": path, "VIRTUAL_ENV": str(DIRECTORY)}


def execute(program: str, *arguments: str) -> None:
    """Ends this process as that program of the environment."""
    path = BINARIES / program
    if os.name == "nt":
        sys.exit(subprocess.run([path, *arguments], env=variables()).returncode)
    os.execve(path, [str(path), *arguments], variables())
