"""Run a fuzzer: `python tests/fuzz texts --count=10000 --seed=1 --keep=FOLDER`."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import click

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

import on_cluster
from fuzzers import FUZZERS
from fuzzing import fuzz


@click.command()
@click.argument("name", type=click.Choice(sorted(FUZZERS)))
@click.option("--count", default=1000, show_default=True, help="How many cases to draw.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same cases.")
@click.option("--first", default=0, show_default=True, help="The number of the first case.")
@click.option("--seconds", type=float, help="Stop after this time.")
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="Where cases that break something go.")
@click.option("--batch", default=0, show_default=True, help="How many cases run unguarded in one child; 0: none.")
@click.option("--cluster", default="", metavar="local|ADDRESS", help=on_cluster.CLUSTER)
@click.option("-j", "--jobs", type=click.IntRange(1), default=2, show_default=True, help=on_cluster.JOBS)
def main(
    name: str,
    count: int,
    seed: int,
    first: int,
    seconds: float | None,
    keep: Path | None,
    batch: int,
    cluster: str,
    jobs: int,
) -> None:
    """Draw inputs of one kind, and fail where one is answered with anything but a result or a documented error."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell runs this in the background
    limits = {"count": count, "seed": seed, "first": first, "seconds": seconds}
    findings = fuzz(FUZZERS[name], **limits, keep=keep, batch=batch, cluster=cluster, jobs=jobs)
    for number, problem in findings.wrong.items():
        click.echo(f"case {number} of seed {seed}: {problem}")
    click.echo(f"{name}, seed {seed} from {first} on: {findings}")
    sys.exit(bool(findings.wrong))


if __name__ == "__main__":
    main()
