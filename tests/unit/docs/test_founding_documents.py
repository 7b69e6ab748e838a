"""What the founding documents claim holds, each claim by its command."""

from __future__ import annotations

import subprocess
import sys

import founding_documents
import pytest


def commands(program: str) -> list[str]:
    return [claim.command for claim in founding_documents.claims() if claim.command.startswith(f"{program} ")]


def test_the_page_is_up_to_date() -> None:
    assert founding_documents.PAGE.read_text(encoding="utf-8") == founding_documents.page()


def test_each_claim_has_a_number_and_a_command_of_its_own_kind() -> None:
    found = founding_documents.claims()
    assert len({claim.number for claim in found}) == len(found)
    assert len(commands("lit")) + len(commands("pytest")) == len(found)


def test_the_suites_of_the_claims_are_there() -> None:
    """They run with the others of lit."""
    words = [word for command in commands("lit") for word in command.split()[1:]]
    assert words
    files = {each for word in words if (path := founding_documents.TOP / word).exists()
             for each in (path.rglob("*.mlir") if path.is_dir() else [path])}  # fmt: skip
    assert [word for word in words if not (founding_documents.TOP / word).exists()] == []
    assert [file.name for file in files if "RUN:" not in file.read_text(encoding="utf-8")] == []


def test_the_tests_of_the_other_claims_are_there() -> None:
    """They run with the suite; here they are collected."""
    words = {word for command in commands("pytest") for word in command.split() if word.startswith("tests/")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "--collect-only", *sorted(words)]
    done = subprocess.run(command, cwd=founding_documents.TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.release
def test_the_claims_hold() -> None:
    """In processes of their own, as the page says."""
    assert founding_documents.failed_files(commands("lit")) + founding_documents.failed_tests(commands("pytest")) == ""
