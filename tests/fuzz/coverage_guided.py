"""Fuzzes this package's own parsers by coverage: `python tests/fuzz/coverage_guided.py artifacts --runs=100000`.

It takes `atheris` (`pip install atheris`; Linux and macOS). What a parser says is a result or one of its documented
errors; anything else, or an input that takes more than ten seconds, ends the run with the input in the folder --keep.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import atheris
import click

with atheris.instrument_imports(
    include=["stablehlo_py.syntax", "stablehlo_py.artifacts", "stablehlo_py.passes.pipeline_text"]
):
    from own_parsers import LONGEST, TARGETS, Target

_SECONDS = 10


def write_seeds(target: Target, folder: Path) -> None:
    """Write what a run begins with, where the folder is empty: a corpus goes on where it was."""
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        for number, data in enumerate(target.seeds()):
            (folder / f"seed-{number}").write_bytes(data)


@click.command()
@click.argument("name", type=click.Choice(sorted(TARGETS)))
@click.option("--runs", default=100_000, show_default=True, help="How many inputs to try.")
@click.option("--seconds", default=0, help="Stop after this time.")
@click.option("--seed", default=1, show_default=True, help="What they are drawn from.")
@click.option(
    "--keep", default="fuzzed", show_default=True, type=click.Path(path_type=Path), help="The corpus's folder."
)
def main(name: str, runs: int, seconds: int, seed: int, keep: Path) -> None:
    """Change inputs such that they reach new lines of a parser, until something is wrong or RUNS inputs were tried."""
    target, corpus = TARGETS[name], keep / name
    write_seeds(target, corpus)

    def try_input(data: bytes) -> None:
        with suppress(*target.errors):
            target.parse(data)

    limits = [f"-runs={runs}", f"-seed={seed}", f"-max_len={LONGEST}", f"-timeout={_SECONDS}", "-rss_limit_mb=4096"]
    limits += [f"-max_total_time={seconds}"]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={keep}/{name}-", str(corpus)], try_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
