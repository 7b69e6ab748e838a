"""List the test files that find no error: `tools/run mutation/finds` plants small ones in lines that a file gets to.

Each test file is tried alone, first on lines that few other files get to, on one error of each function, until it
fails. Files that pass for all errors find nothing, or are for something else, as is speed. A file whose tests are a
release's, or lack a package, gets to no error. The errors and the measurements are those of `mutation/rooms`. Takes
an hour and Linux.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from changes import ROOT, Change, File
from mutants import no_errors, reason_of
from rooms import ROOMS, Room, copied, failure, planted, run

Place = tuple[str, int]


@dataclass(frozen=True)
class Tried:
    """A test file of a room, and the lines of each file of the package that each of its functions gets to."""

    name: str
    room: Room
    lines: dict[str, dict[str, list[int]]]

    @cached_property
    def places(self) -> set[Place]:
        """The lines that any of its functions gets to, each with its file."""
        return {(file, line) for lines in self.lines.values() for file, found in lines.items() for line in found}

    def getting_to(self, place: Place) -> list[str]:
        """Return the functions that get to a line."""
        file, line = place
        return [function for function, lines in self.lines.items() if line in lines.get(file, ())]

    def passes(self, file: File, change: Change, seconds: float) -> bool:
        """Whether the functions that get to an error pass with it."""
        command = self.room.pytest(self.getting_to(_place(file, change)))
        with planted(self.room.copy, file, change):
            code, output, _ = run(command, self.room.copy, seconds)
        return not failure(command, code, output)


def _place(file: File, change: Change) -> Place:
    return file.name, change.node.lineno  # pyright: ignore[reportAttributeAccessIssue]


def _errors(test: Tried, reaching: Counter[Place], files: dict[str, File], seed: int) -> list[tuple[File, Change]]:
    """Return errors in lines that a test file gets to, the rarest lines first, one of each function."""
    found = [
        (file, change)
        for name in sorted({name for name, _ in test.places} & files.keys())
        for file in [files[name]]
        for change in file.changes
        if change.function and _place(file, change) in test.places
    ]
    random.Random(f"{seed}/{test.name}").shuffle(found)
    rarest = dict[tuple[str, str], tuple[File, Change]]()
    for file, change in sorted(found, key=lambda error: reaching[_place(*error)]):
        rarest.setdefault((file.name, change.function), (file, change))
    return list(rarest.values())


def _tried(copy: Path, names: Sequence[str], *, measured: bool) -> list[Tried]:
    """Return the test files of rooms, each once."""
    tests: dict[str, Tried] = {}
    for name in names:
        room = Room(name, copy, measured=measured)
        assert room.seconds, "no test passes"
        for test in room.tests:
            lines = {function: room.lines[function] for function in room.lines if function.startswith(f"{test}::")}
            tests.setdefault(test, Tried(test, room, lines))
    return list(tests.values())


def main() -> None:
    """Print the test files that find nothing; exit with 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--room", choices=[*ROOMS], action="append", help="one room; may be repeated (all)")
    parser.add_argument("--count", type=int, default=6, help="errors that a file is tried on (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="what they are chosen by (%(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="the processor time for each (%(default)s)")
    parser.add_argument(
        "--measured", action="store_true", help="take the lines that tests got to before changes of the package"
    )
    options = parser.parse_args()
    files = {file.name: file for file in map(File, (ROOT / "stablehlo_py").rglob("*.py"))}
    listed = no_errors()
    for file in files.values():
        file.changes = [change for change in file.changes if not reason_of(file.mutant(change), listed)]
    with tempfile.TemporaryDirectory() as folder:
        tests = _tried(copied(Path(folder)), options.room or [*ROOMS], measured=options.measured)
        reaching = Counter(place for test in tests for place in test.places)
        nothing = 0
        for test in tests:
            errors = _errors(test, reaching, files, options.seed)[: options.count]
            passed = 0
            while passed < len(errors) and test.passes(*errors[passed], options.seconds):
                passed += 1
            seconds = sum(test.room.seconds[function] for function in test.lines)
            nothing += bool(errors) and passed == len(errors)
            found = "finds NOTHING" if passed == len(errors) else "finds an error"
            said = f"{found} ({passed} passed of {len(errors)}, {seconds:.0f} s)" if errors else "gets to no error"
            print(f"{test.name}: {said}", flush=True)
    print(f"{len(tests)} test files, {nothing} find nothing")
    sys.exit(nothing > 0)


if __name__ == "__main__":
    main()
