"""Checks of MLIR files for continuous integration and for pre-commit; `python -m stablehlo_py.testing.checks --help`.

With `--annotate`, the default in GitHub's workflows, problems appear on the lines of a pull request.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..isolation.commands import LIT, python_command, run_command, show_command

_OPT = "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()"
_COMPAT = "from stablehlo_py.cli import stablehlo_compat; stablehlo_compat()"


def workflow_command(severity: str, message: str, file: str | None, line: int | None, column: int | None) -> str:
    """Return the line that makes a workflow of GitHub's annotate a file: `::error file=a.mlir,line=2,col=8::…`."""

    def escaped(text: str, more: str = "") -> str:
        for character in f"%\r\n{more}":
            text = text.replace(character, f"%{ord(character):02X}")
        return text

    level = {"error": "error", "warning": "warning"}.get(severity, "notice")
    found = {"file": None if file is None else escaped(file, ":,"), "line": line, "col": column}
    location = ",".join(f"{name}={value}" for name, value in found.items() if value)
    return f"::{level} {location}::{escaped(message)}"


def _run(code: str, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """Return the exit code of a tool, the messages that it writes as JSON, and its output."""
    command = python_command("-c", code, "--error-format=json", *arguments)
    done = run_command(command)
    messages = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    return done.returncode, messages, done.stdout


def _say(message: dict[str, Any], *, annotate: bool) -> None:
    if annotate:
        text = "\n".join([message["message"], *(note["message"] for note in message["notes"])])
        print(workflow_command(message["severity"], text, message["file"], message["line"], message["column"]))
        return
    location = f"{message['file']}:{message['line']}:{message['column']}: " if message["file"] else ""
    print(f"{location}{message['severity']}: {message['message']}")


def verify(files: Sequence[str], *, annotate: bool) -> int:
    """Return 1 where a file is not a valid program, saying why, else 0; a file may be split by `// -----`."""
    failed = False
    for file in files:
        code, messages, _ = _run(_OPT, "--split-input-file", "-o", os.devnull, file)
        failed = failed or code != 0
        for message in messages:
            _say(message, annotate=annotate)
    return int(failed)


def minimum(files: Sequence[str], version: str, *, annotate: bool) -> int:
    """Return 1 where a file cannot be written for StableHLO `version`, saying what needs a newer one, else 0."""
    failed = False
    for file in files:
        code, messages, output = _run(_COMPAT, "explain", f"--target={version}", "--json", file)
        failed = failed or code != 0
        for message in messages:
            _say(message, annotate=annotate)
        for need in json.loads(output)["blockers"] if output else ():
            for location in need["places"]:
                name, line, column = f"{location['location'] or file}:0:0".split(":", 3)[:3]
                text = f"{need['what']} needs StableHLO {need['version']}"
                found: dict[str, Any] = {"file": name, "line": int(line), "column": int(column), "notes": []}
                _say({"severity": "error", "message": text, **found}, annotate=annotate)
    return int(failed)


def lit(folder: str, shards: int, shard: int, *, annotate: bool) -> int:
    """Return lit's exit code for one of `shards` parts of a suite; failures are annotated."""
    with tempfile.TemporaryDirectory() as temporary:
        report = Path(temporary) / "report.json"
        command = [*LIT, "-v", f"--num-shards={shards}", f"--run-shard={shard}"]
        code = show_command([*command, f"--output={report}", folder])
        tests: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["tests"] if report.exists() else []
    for test in tests if annotate else ():
        if test["code"] in ("FAIL", "XPASS", "TIMEOUT", "UNRESOLVED"):
            path = os.path.join(folder, test["name"].partition(" :: ")[2])
            print(workflow_command("error", f"{test['code']}\n{test['output'][-2000:]}", path, 1, None))
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of a check that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stablehlo_py.testing.checks", description=__doc__)
    parser.add_argument("--annotate", action="store_true", default=os.environ.get("GITHUB_ACTIONS") == "true")
    checks = parser.add_subparsers(dest="check", required=True)
    checks.add_parser("verify", help="files are valid programs").add_argument("files", nargs="*")
    oldest = checks.add_parser("minimum", help="files can be written for a version of StableHLO")
    oldest.add_argument("--version", required=True, help="X.Y.Z, minimum, 4w or 12w")
    oldest.add_argument("files", nargs="*")
    suite = checks.add_parser("lit", help="a lit suite passes")
    suite.add_argument("--shards", type=int, default=1)
    suite.add_argument("--shard", type=int, default=1)
    suite.add_argument("folder")
    given = parser.parse_args(arguments)
    if given.check == "verify":
        return verify(given.files, annotate=given.annotate)
    if given.check == "minimum":
        return minimum(given.files, given.version, annotate=given.annotate)
    return lit(given.folder, given.shards, given.shard, annotate=given.annotate)


if __name__ == "__main__":
    sys.exit(main())
