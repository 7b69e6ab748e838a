"""Follow pages in new environments: `python tests/external/tutorials.py [PAGE...]`, by default each tutorial.

For each page this makes a virtual environment and a folder with a checkout in it, installs by the page's own command,
and does what the page says. It prints the seconds of every step. A session with other output than the page's is
reported, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import doctest
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from pages import CHECKER, blocks, sessions  # noqa: E402

_INCLUDE = re.compile(r"```\{include\} (\S+)\n:start-after: (.*)\n:end-before: (.*)\n```")


def whole(page: Path) -> str:
    """Return a page and its includes as one text."""

    def included(found: re.Match[str]) -> str:
        text = (page.parent / found[1]).read_text(encoding="utf-8")
        return text.partition(found[2])[2].partition(found[3])[0].strip()

    return _INCLUDE.sub(included, page.read_text(encoding="utf-8"))


def steps(page: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Write the files of a page in its order, and yield its commands with the output on the page."""
    written = ""
    for block in blocks(whole(page)):
        if block.file:
            target = folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            yield from sessions(block.text)
        elif block.language == "sh":
            yield block.text.strip(), "..."
        elif block.language == "python":  # one namespace for the page
            written += block.text
            folder.joinpath("blocks.py").write_text(written, encoding="utf-8")
            yield "python blocks.py", ""


def follow(page: Path, folder: Path, python: str) -> list[str]:
    """Follow a page, print a line for each step, and return the differences from the page."""
    subprocess.run([python, "-m", "venv", folder / ".venv"], check=True)
    subprocess.run(["git", "clone", "--quiet", ROOT, folder / "stablehlo-py"], check=True)
    hidden = ("PYTHONPATH", "VIRTUAL_ENV")
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    variables["PATH"] = os.pathsep.join([str(folder / ".venv" / "bin"), os.environ["PATH"]])
    surprises: list[str] = []
    for command, expected in steps(page, folder):
        start = time.perf_counter()
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=1800,
            check=False,
        )
        fits = CHECKER.check_output(expected, ended.stdout, doctest.ELLIPSIS) if expected != "..." else True
        fits = fits and not (expected == "..." and ended.returncode)
        print(f"  {time.perf_counter() - start:6.1f} s  {'' if fits else 'NOT AS WRITTEN '}{command.splitlines()[0]}")
        if not fits:
            surprises.append(f"{page.stem}: {command}\nprints\n{ended.stdout}\ninstead of\n{expected}")
    return surprises


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--python", default=sys.executable, help="the Python of the environments")
    options = parser.parse_args()
    surprises: list[str] = []
    for page in options.pages or sorted((ROOT / "docs" / "tutorials").glob("*.md")):
        start = time.perf_counter()
        print(page.stem, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            surprises += follow(page.resolve(), Path(folder), options.python)
        print(f"  {time.perf_counter() - start:6.1f} s in all", flush=True)
    print(*surprises, sep="\n")
    return int(bool(surprises))


if __name__ == "__main__":
    sys.exit(main())
