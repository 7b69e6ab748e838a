"""Run the cross-version matrix: real releases write artifacts for each other, read them, and agree on the results.

For each release of jaxlib in the list, and for torch-mlir, an environment is made (once, below --cache). Then every
release, and this package, writes every program for the version of every other one, which reads and evaluates it. The
results have to agree with the reference interpreter. The exit code is 1 if they do not.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
import on_cluster
from cross_version_environments import RELEASES, Release, UnavailableError, environment, run_jobs
from cross_version_matrix import (
    FAILED,
    MEANINGS,
    READ,
    REFUSED,
    SAME,
    UNKNOWN,
    Matrix,
    Run,
    Side,
    make_programs,
    read_all,
    this_package,
    write_all,
)

from stablehlo_py.artifacts.versions import Version

_SHORT = {SAME: "", READ: "r", REFUSED: "-", UNKNOWN: "?", FAILED: "!"}


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "stablehlo-py" / "cross-version"


def _sides(releases: Sequence[Release], cache: Path, folder: Path) -> tuple[list[Side], list[str]]:
    """The releases that can be had, oldest first, then this package; and why the others cannot."""
    sides: list[Side] = []
    missing: list[str] = []
    with click.progressbar(releases, label="environments", file=sys.stderr, item_show_func=_name) as bar:
        for release in bar:
            try:
                python = environment(release, cache)
            except UnavailableError as error:
                missing.append(f"{release}: {error}")
                continue
            (answer,) = run_jobs(python, [{"kind": "versions"}], folder / "versions")
            if "error" in answer:
                missing.append(f"{release}: {answer['error']}")
            else:
                sides.append(Side(str(release), Version.parse(answer["current"]), python, release))
    return [*sides, this_package()], missing


def _name(release: Release | None) -> str | None:
    return None if release is None else str(release)


def run(releases: Sequence[Release], cache: Path, cluster: str = "", jobs: int = 1) -> tuple[Matrix, list[str]]:
    """The matrix of the releases, and which of them could not be had."""
    with tempfile.TemporaryDirectory(prefix="cross-version-", dir=cache if cluster else None) as name:
        folder = Path(name)
        sides, missing = _sides(releases, cache, folder)
        programs = make_programs(folder)
        matrix = Matrix(sides, programs)
        known = sum(program.minimum.opset <= side.version.opset for program in programs for side in sides)
        total = known + len(sides) ** 2 * len(programs)
        with click.progressbar(length=total, label="artifacts", file=sys.stderr) as bar:
            how = Run(folder, lambda: bar.update(1), cluster, jobs)
            read_all(matrix, write_all(sides, programs, how), how)
    return matrix, missing


# The report ---------------------------------------------------------------------------------------------------------


def _cell(counts: dict[str, int]) -> str:
    """`11`, `7 4-`: how many are the same, then the others with their letters."""
    parts = [f"{counts[status]}{letter}" for status, letter in _SHORT.items() if status in counts]
    return " ".join(parts)


def table(matrix: Matrix) -> str:
    """The matrix in Markdown: a row a producer, a column a consumer."""
    names = [f"{side.name}<br>{side.version}" for side in matrix.sides]
    lines = [f"| written by ↓, read by → | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for producer in matrix.sides:
        cells = [_cell(matrix.cell(producer, consumer)) for consumer in matrix.sides]
        lines.append(f"| {producer.name}, {producer.version} | {' | '.join(cells)} |")
    return "\n".join(lines)


def explanations(matrix: Matrix) -> str:
    """Why a cell holds anything but `same`, in Markdown: for each fate, program and reason, who met it with whom."""
    found: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for (producer, consumer, program), outcome in matrix.outcomes.items():
        if outcome.status != SAME:
            by_consumer = found.setdefault((outcome.status, program, outcome.detail), {})
            by_consumer.setdefault("" if outcome.status == UNKNOWN else consumer, []).append(producer)
    lines: list[str] = []
    for status, meaning in MEANINGS.items():
        chosen = {key: pairs for key, pairs in found.items() if key[0] == status}
        if chosen:
            lines += ["", f"### `{_SHORT[status]}` {meaning}", ""]
        for (_, name, detail), by_consumer in chosen.items():
            lines.append(f"- {name}: {detail}.")
            lines += [f"  - {_pairs(consumer, producers)}" for consumer, producers in by_consumer.items()]
    return "\n".join(lines)


def _pairs(consumer: str, producers: list[str]) -> str:
    names = ", ".join(dict.fromkeys(producers))
    return f"written by {names}, read by {consumer}" if consumer else names


def report(matrix: Matrix, missing: Sequence[str]) -> str:
    """Return the whole report in Markdown."""
    date = datetime.datetime.now(datetime.UTC).date()
    programs = ", ".join(f"{program.name} ({program.minimum})" for program in matrix.programs)
    parts = [
        "# Artifacts between releases",
        f"Run on {date} with `tools/run external/cross_version`. "
        "[Providers](providers.md) lists what each jaxlib from 0.7.1 on has. "
        "Each cell counts programs: a plain number means that "
        f"{MEANINGS[SAME]}. The other letters are explained below.",
        f"Programs, with the oldest version that each fits: {programs}.",
        "A jaxlib from 0.4.34 on writes tan and batched gathers for older versions too: its writer replaces them by "
        "older ops, as the pass stablehlo-compatibility-expander does.",
        table(matrix),
        *(["Could not be had:\n\n" + "\n".join(f"- {line}" for line in missing)] if missing else []),
        explanations(matrix).strip(),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _chosen(arguments: argparse.Namespace) -> list[Release]:
    if arguments.ends:
        jaxlib = [release for release in RELEASES if release.package == "jaxlib"]
        return [jaxlib[0], jaxlib[len(jaxlib) // 2], jaxlib[-1]]
    if arguments.releases:
        wanted = arguments.releases.split(",")
        unknown = set(wanted) - {release.number for release in RELEASES}
        if unknown:
            sys.exit(f"error: not in the list: {', '.join(sorted(unknown))}")
        return [release for release in RELEASES if release.number in wanted]
    return list(RELEASES)


def main() -> int:
    """The exit code: 1 where a result differs, or a release of the list could not be had and --require says so."""
    parser = argparse.ArgumentParser(prog="cross_version", description=__doc__)
    parser.add_argument("--cache", type=Path, default=_cache(), help="where the environments are kept")
    parser.add_argument("--releases", help="some of the list, separated by commas: 0.4.13,0.10.2")
    parser.add_argument("--ends", action="store_true", help="the oldest, a middle and the newest jaxlib")
    parser.add_argument("--require", action="store_true", help="fail where a release cannot be had")
    parser.add_argument("--output", type=Path, help="write the report to this file: docs/cross-version.md")
    on_cluster.add_options(parser)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    matrix, missing = run(_chosen(arguments), arguments.cache.resolve(), arguments.cluster, arguments.jobs)
    text = report(matrix, missing)
    if arguments.output is not None:
        arguments.output.write_text(text, encoding="utf-8")
    print(text)
    for line in missing:
        print(f"could not be had: {line}", file=sys.stderr)
    failed = sum(outcome.status == FAILED for outcome in matrix.outcomes.values())
    if failed:
        print(f"error: {failed} of {len(matrix.outcomes)} artifacts failed", file=sys.stderr)
    return 1 if failed or (missing and arguments.require) else 0


if __name__ == "__main__":
    sys.exit(main())
