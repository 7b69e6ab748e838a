"""Write docs/results/founding-documents.md: the claims of the project's founding documents, each with a command.

`python tools/generate/founding_documents.py` runs the commands, most in one process of lit and one of pytest, and
writes the page. tests/unit/docs/test_founding_documents.py does the same and compares.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs" / "results" / "founding-documents.md"
TITLES = {
    "interpreter": "Interpreter design",
    "guidelines": "Interpreter design: testing guidelines",
    "verifiers": "Verifiers and shape functions",
    "vhlo": "The VHLO dialect",
    "shapes": "The abstract interpretation library of torch-mlir",
}
HEAD = """# The founding documents, claim by claim

The project grew from upstream's pages on the interpreter, on verifiers and on VHLO, and from torch-mlir's page on its
library of shape functions. This is each claim in our words, with the command that shows it. A test runs the commands;
`tools/run generate/founding_documents` runs them and writes the page.
"""


class Claim(NamedTuple):
    """A claim: its document, its number, the claim in our words, and the command that shows it."""

    document: str
    number: str
    text: str
    command: str


def claims() -> list[Claim]:
    """Return the claims that have a command, in the order of the documents."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return [Claim(document, *row) for document in TITLES for row in table[document]]


def _run(program: str, *arguments: str) -> str:
    """Return what a program of this Python prints, on both streams."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def failed_files(commands: list[str]) -> str:
    """Run all tests of lit in these commands at once; return its output where one fails, else nothing."""
    files = sorted({file for command in commands for file in command.split()[1:]})
    missing = [file for file in files if not (TOP / file).exists()]
    shown = _run("from lit.main import main; main()", "-q", "-j1", *[file for file in files if file not in missing])
    return "\n".join([*missing, *re.findall(r"^FAIL: .*|^.*error: .*", shown, re.MULTILINE)])


def failed_tests(commands: list[str]) -> str:
    """Run the tests of pytest in these commands; return its output where one fails, else nothing.

    Those of a command with options run by themselves.
    """
    plain = sorted({word for command in commands if " -" not in command for word in command.split()[1:]})
    found = []
    for words in [plain, *[command.split()[1:] for command in commands if " -" in command]]:
        shown = _run("import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))", "-q", "-p", "no:xdist", *words)
        if not re.search(r"\[100%\]", shown) or re.search(r"^(FAILED|ERROR)", shown, re.MULTILINE):
            found.append(shown)
    return "\n".join(found)


def failures() -> str:
    """Run every command; return what fails."""
    commands = [claim.command for claim in claims()]
    lit = [command for command in commands if command.startswith("lit ")]
    return failed_files(lit) + failed_tests([command for command in commands if command not in lit])


def page() -> str:
    """Return the page of a run in which everything holds."""
    parts = [HEAD]
    for document, title in TITLES.items():
        rows = [claim for claim in claims() if claim.document == document]
        parts.append(f"## {title}\n\n| | claim | command | result |\n|---|---|---|---|")
        parts[-1] += "".join(f"\n| {one.number} | {one.text} | `{one.command}` | holds |" for one in rows) + "\n"
    return "\n".join(parts)


def main() -> int:
    """Run the commands, and write the page if all succeed."""
    wrong = failures()
    if wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
