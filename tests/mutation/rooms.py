"""Find errors that the tests of a room would miss: `tools/run mutation/rooms` plants small ones in every file.

Each is tried in a copy of the tree, whose tests and tools run it: first the tests that found the last errors of that
file, then the tests of the room that get to the changed lines, the fastest and those that find most first, then the
room's lit suites and its other tests, until one fails or the time is over. The time is that of a processor, or five
times as long by the clock. The lines that each test gets to, its child processes included, are kept in
`build/mutation` until one of their files changes. An error takes one to four seconds, and some more where no test of
the room finds it; `--near` tries those alone that get to it. Takes an hour for all rooms, and Linux.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, count
from pathlib import Path

import affected
from changes import ROOT, Change, File, drawn
from coverage import CoverageData
from coverage.data import combine_parallel_data
from forks import Forks
from mutants import Mutant, files, no_errors, reason_of

CACHE = ROOT / "build" / "mutation"
# The folders of the package that are a room here, and those of its tests, where they are others.
ROOMS = {
    "artifacts": ("artifacts",),
    "shapes": ("shapes",),
    "passes": ("passes",),
    "spmd": ("spmd",),
    "debug": ("debug",),
    "conformance": ("conformance", "engines"),
    "cli": ("cli", "lsp", "analysis"),
    "interpreter": ("interpreter",),
    "rest": ("bindings", "dialect", "syntax", "ops", "testing", "isolation", ""),
}
_TESTS = {"rest": ("bindings", "dialect", "syntax", "ops", "testing", "project", "cli")}
_QUICK = 2.0  # seconds of a test
_PER_SIDE = 12  # lit tests whose names have the name of the file
_MEMORY = 6 << 30
_WAITING = 5  # what waits, or has to, may take so many times its processor time
_TICKS = os.sysconf("SC_CLK_TCK")
_MARK = "STABLEHLO_PY_MUTATION"
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)|^FAIL: \S+ :: (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """The outcome of one mutant: the test that fails, or an empty text, and the processor's seconds to tell."""

    mutant: Mutant
    by: str
    seconds: float

    def __str__(self) -> str:
        return f"{f'caught by {self.by}' if self.by else 'MISSED'} ({self.seconds:.0f} s) {self.mutant}"


class Room:
    """A room's files, tests and lit suites in a copy of the tree."""

    def __init__(self, name: str, copy: Path, *, near: bool = False, measured: bool = False) -> None:
        self.name, self.copy, self._near, self._measured = name, copy, near, measured
        package, kernels = ROOT / "stablehlo_py", set(files())
        folders = [package / folder for folder in ROOMS[name]]
        paths = [path for folder in folders for path in folder.glob("*.py" if folder == package else "**/*.py")]
        self.files = [File(path) for path in sorted(paths) if path not in kernels]
        tests = [ROOT / "tests" / "unit" / folder for folder in _TESTS.get(name, ROOMS[name])]
        self.tests = [
            path.relative_to(ROOT).as_posix() for folder in tests for path in sorted(folder.glob("test_*.py"))
        ]
        self.suites = affected.suites([f"stablehlo_py/{folder}/" for folder in ROOMS[name] if folder])
        CACHE.mkdir(parents=True, exist_ok=True)
        self._found = CACHE / f"{name}-found.json"
        self.found: dict[str, list[str]] = json.loads(self._found.read_text()) if self._found.exists() else {}

    @cached_property
    def seconds(self) -> dict[str, float]:
        """The seconds of each test function that passes in the copy."""
        return {function: each for record in self._records for function, each in record["seconds"].items()}

    @cached_property
    def lines(self) -> dict[str, dict[str, list[int]]]:
        """The lines of each file of the package that each of these functions gets to."""
        return {function: each for record in self._records for function, each in record["lines"].items()}

    @cached_property
    def _records(self) -> list[dict[str, dict]]:
        return [self._record(test) for test in self.tests]

    def _record(self, test: str) -> dict[str, dict]:
        """Return the seconds and lines of a file's test functions, measured if they are not known.

        What fails is measured again, and said if it fails in both runs.
        """
        path = CACHE / f"{Path(test).stem}.json"
        known: dict[str, dict] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"files": {}}
        matters = [test] if self._measured else known["files"]
        if known["files"].get(test) and all(_hash(name) == known["files"][name] for name in matters):
            return known
        print(f"measuring {test}", file=sys.stderr, flush=True)
        folder = self.copy.parent
        settings, written, data = folder / "coverage.ini", folder / "reached.json", folder / "data"
        settings.write_text(_MEASURED, encoding="utf-8")
        command = ["-m", "coverage", "run", f"--rcfile={settings}", f"--data-file={data}"]
        found: dict[str, dict] = {"seconds": {}, "lines": {}}
        for _ in range(2):
            written.unlink(missing_ok=True)
            command_line = [*command, "-m", "pytest", "-p", "reached", *_PYTEST, test]
            _, output, _ = run(command_line, self.copy, 600, STABLEHLO_PY_REACHED=str(written))
            if not written.exists():
                raise RuntimeError(f"pytest did not end with {test}:\n{output}")
            again = json.loads(written.read_text(encoding="utf-8"))
            found = {"seconds": again["seconds"] | found["seconds"], "lines": _lines(data) | found["lines"]}
            failed = sorted(set(again["failed"]) - found["seconds"].keys())
            if not failed:
                break
        else:
            print(f"these fail without an error: {', '.join(failed)}", file=sys.stderr, flush=True)
        found["lines"] = {function: found["lines"].get(function, {}) for function in found["seconds"]}
        files = sorted({test, *[name for lines in found["lines"].values() for name in lines]})
        path.write_text(json.dumps({**found, "files": {name: _hash(name) for name in files}}), encoding="utf-8")
        return found

    def reaching(self, file: File, change: Change) -> tuple[list[str], bool]:
        """Return the tests that get to the change, see `File.places`, and whether they are the nearest."""
        places = file.places(change)
        for lines in places:
            found = {name for name, files in self.lines.items() if not lines.isdisjoint(files.get(file.name, ()))}
            if found:
                finds = Counter(chain.from_iterable(self.found.values()))
                order = sorted(found, key=lambda each: self.seconds[each] / (1 + 4 * finds[each]))
                return order, lines is places[0]
        return [], False

    def judged(self, file: File, change: Change, limit: float) -> Verdict:
        """Run tests on the error until one fails, does not end, or the time is over."""
        known = self.found.setdefault(file.name, [])
        by, taken = "", 0.0
        with planted(self.copy, file, change):
            for command, share in self._commands(file, change, known):
                left = (limit - taken) * share
                if by or left < 1:
                    break
                code, output, seconds = run(command, self.copy, left)
                taken += seconds
                by = failure(command, code, output)
        if by.startswith("tests/"):
            known[:] = [by, *[each for each in known if each != by]][:4]
            self._found.write_text(json.dumps(self.found), encoding="utf-8")
        return Verdict(file.mutant(change), by, taken)

    def _commands(self, file: File, change: Change, known: Sequence[str]) -> Iterator[tuple[list[str], float]]:
        """Yield what is run, with the part of the time left that it may take."""
        stem, (reaching, is_exact) = Path(file.name).stem, self.reaching(file, change)
        first = [each for each in known if each in self.seconds]
        yield from [(self.pytest(first), 0.3)] if first else []
        share = 0.5 if is_exact or not change.function else 0.2
        parts = [[each for each in reaching if (self.seconds[each] < _QUICK) == quick] for quick in (True, False)]
        yield from [(self.pytest(part), share) for part in parts if part]  # the first soon tell what does not end
        if self._near:
            return
        named = [path for suite in self.suites for path in sorted((ROOT / suite).rglob("*.mlir")) if stem in path.name]
        lit = [*[each for each in known if each.endswith(".mlir")], *[_relative(path) for path in named][:_PER_SIDE]]
        yield from [([*_LIT, *dict.fromkeys(lit)], 0.5)] if lit else []
        nearest = [_relative(path) for path in affected.affected([file.name])]
        others = [function for test in nearest for function in self.seconds if function.startswith(f"{test}::")]
        rest = [([*_LIT, *self.suites], 0.7), *([(self.pytest(others), 0.7)] if others else [])]
        yield from rest if is_exact else reversed(rest)  # what runs in other processes was not measured

    def pytest(self, tests: Sequence[str]) -> list[str]:
        """Return the command that runs tests until one fails or takes far longer than any of them."""
        busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        longest = (5 + 3 * max(self.seconds[test] for test in tests)) * busy
        timeout = [f"-ofaulthandler_timeout={longest}", "-ofaulthandler_exit_on_timeout=true"]
        return ["-m", "pytest", "-x", *_PYTEST, *timeout, *tests]


@contextmanager
def planted(copy: Path, file: File, change: Change) -> Iterator[None]:
    """Have an error in the copy. Each text has a time of its own: by the second, Python tells its bytecode."""
    path = copy / file.name

    def write(text: bytes) -> None:
        path.write_bytes(text)
        os.utime(path, times=(second := next(_SECONDS), second))

    try:
        write(file.with_change(change))
        yield
    finally:
        write(file.data)


_SECONDS = count(1_000_000_000)
_PYTEST = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", "-rfE"]
_LIT = ["-c", "from lit.main import main; main()", "-q", "-j2", "--max-failures=1"]


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def failure(command: Sequence[str], code: int | None, output: str) -> str:
    """Return the test that failed, or an empty text if all passed or the time was over."""
    if code in (0, None) or (code == 5 and "pytest" in command):
        return ""
    if "Timeout (" in output and "pytest" in command:
        return "a test that does not end"
    found = _FAILED.search(output)
    name = next(filter(None, found.groups()), "") if found else f"exit code {code} with {command[-1]}"
    return f"tests/lit/{name}" if found and found[2] else name.partition("[")[0]


# What runs in other processes is measured, too.
_MEASURED = """[run]
relative_files = true
source = stablehlo_py
parallel = true
patch = subprocess, fork, _exit
"""


def _lines(path: Path) -> dict[str, dict[str, list[int]]]:
    """Return the lines of each file that each test function gets to, from coverage's files, and delete these."""
    lines = defaultdict[str, dict[str, list[int]]](lambda: defaultdict(list))
    data = CoverageData(str(path))
    combine_parallel_data(data)
    for function in data.measured_contexts():
        data.set_query_context(function)
        for file in sorted(data.measured_files()):
            if found := data.lines(file):  # the name is a path in a process with another folder
                lines[function]["stablehlo_py/" + file.rpartition("stablehlo_py/")[2]] += found
    path.unlink(missing_ok=True)
    return lines


@cache
def _hash(name: str) -> str:
    path = ROOT / name
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def run(command: Sequence[str], copy: Path, seconds: float, **variables: str) -> tuple[int | None, str, float]:
    """Run Python in the copy with limits; return the exit code, or None if the time is over, the output, the time.

    Pytest is started by a fork.
    """
    with tempfile.NamedTemporaryFile("w+") as output:
        if command[:2] == ["-m", "pytest"]:
            child = _forks(copy).start(command[2:], Path(output.name))
        else:
            child = subprocess.Popen(
                [sys.executable, *command],
                cwd=copy,
                env=_environment(copy) | variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_limit,
            )
        code, taken, end = None, 0.0, time.monotonic() + _WAITING * seconds
        try:
            while code is None and taken < seconds and time.monotonic() < end:
                with suppress(subprocess.TimeoutExpired):
                    code = child.wait(0.3)
                taken = max(taken, _processor_time(copy))
        finally:
            _end(copy)
            child.wait()
        output.seek(0)
        return code, output.read(), taken


def _environment(copy: Path) -> dict[str, str]:
    paths = [copy, *[copy / path for path in ("tests/support", "tests/mutation", "tools")]]
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), _MARK: str(copy)}


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


@cache
def _forks(copy: Path) -> Forks:
    return Forks(copy, _environment(copy), _limit)


def _processes(copy: Path) -> Iterator[Path]:
    """Yield the folders in /proc of what runs in the copy, also of children with a session of their own."""
    mark, server = f"{_MARK}={copy}".encode(), str(_forks(copy).process)
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark in path.read_bytes().split(b"\0") and path.parent.name != server:
                yield path.parent


def _processor_time(copy: Path) -> float:
    """Return the seconds of a processor that what runs in the copy took, with its children that ended."""
    taken = 0
    for path in _processes(copy):
        with suppress(OSError):
            taken += sum(map(int, (path / "stat").read_text().rpartition(")")[2].split()[11:15]))
    return taken / _TICKS


def _end(copy: Path) -> None:
    """End what still runs in the copy."""
    for path in _processes(copy):
        with suppress(OSError):
            os.kill(int(path.name), signal.SIGKILL)


def copied(folder: Path) -> Path:
    """Make a copy of the tree's files."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / "tree" / name)
    return folder / "tree"


def main() -> None:
    """Print which errors no test finds; exit with 1 if fewer than 90 % are found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--room", choices=[*ROOMS], action="append", help="one room; may be repeated (all)")
    parser.add_argument("--count", type=int, default=30, help="how many errors in a room (%(default)s)")
    parser.add_argument("--total", type=int, help="how many in all rooms together, in place of --count")
    parser.add_argument("--seed", type=int, default=0, help="what they are chosen by (%(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="the processor time for each (%(default)s)")
    parser.add_argument("--file", default="", help="errors of files with this text in their names alone")
    parser.add_argument("--near", action="store_true", help="run the tests that get to an error and no others")
    parser.add_argument(
        "--measured", action="store_true", help="take the lines that tests got to before changes of the package"
    )
    parser.add_argument("--markdown", action="store_true", help="print the table of rooms as Markdown")
    options = parser.parse_args()
    listed, rows = no_errors(), list[tuple[str, list[Verdict]]]()
    names = options.room or [*ROOMS]
    count = options.count if options.total is None else -(-options.total // len(names))
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for name in names:
            room, verdicts = Room(name, copy, near=options.near, measured=options.measured), list[Verdict]()
            assert room.seconds, "no test passes"
            for file, change in drawn([file for file in room.files if options.file in file.name], options.seed):
                if len(verdicts) == count:
                    break
                if not reason_of(file.mutant(change), listed):
                    verdicts.append(room.judged(file, change, options.seconds))
                    print(f"{name}: {verdicts[-1]}", flush=True)
            rows.append((name, verdicts))
    print(table(rows, markdown=options.markdown))
    everything = [verdict for _, found in rows for verdict in found]
    sys.exit(sum(bool(each.by) for each in everything) < 0.9 * len(everything))


def table(rows: Sequence[tuple[str, Sequence[Verdict]]], *, markdown: bool) -> str:
    """Return a line for each room: how many errors were found, of how many, and the seconds of one."""
    lines = [("room", "found", "errors", "share", "seconds an error")]
    for name, verdicts in rows:
        count, found = len(verdicts), sum(bool(each.by) for each in verdicts)
        seconds = sum(each.seconds for each in verdicts) / max(count, 1)
        lines.append((name, str(found), str(count), f"{found / max(count, 1):.0%}", f"{seconds:.0f}"))
    if markdown:
        lines.insert(1, ("---", *["--:"] * 4))
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n".join(f"{line[0]:12} {line[1]:>5} {line[2]:>6} {line[3]:>5}  {line[4]}" for line in lines)


if __name__ == "__main__":
    main()
