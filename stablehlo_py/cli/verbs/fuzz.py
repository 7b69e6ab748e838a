"""`stablehlo fuzz`: random programs in two engines, or before and after a change."""

from __future__ import annotations

from itertools import count as numbers
from pathlib import Path
from shlex import quote
from typing import Any

import click

from .shared import Named, cluster_option, jobs_option, json_option, show, timeout_option


@click.command("fuzz")
@click.option(
    "--engines",
    type=Named("ENGINE,…"),
    default="reference,xla",
    show_default=True,
    help="The engine that is right, and another.",
)
@click.option("--passes", default="", type=Named("PIPELINE"), help="Compare programs before and after these passes.")
@click.option(
    "--through", default="", type=Named("VERSION"), help="Compare programs with what artifacts of VERSION hold."
)
@click.option("--count", type=click.IntRange(1), help="How many programs.")
@click.option("--seconds", type=click.FloatRange(0), help="Stop after this time.")
@click.option("--seed", default=0, show_default=True, help="The first seed; the next programs have the next ones.")
@click.option("--size", type=click.IntRange(1), default=14, show_default=True, help="The most steps in main.")
@click.option("--depth", type=click.IntRange(0), default=2, show_default=True, help="How deep regions nest.")
@click.option("--types", default="", type=Named("TYPE,…"), help="Element types.")
@click.option("--weights", default="", metavar="STEP=N,…", help="How often steps are taken; 1 is usual, 0 is never.")
@click.option("--undefined", is_flag=True, help="Allow results that the spec leaves undefined.")
@click.option("--dynamic", is_flag=True, help="Sizes that are known only while running.")
@click.option("--tame", is_flag=True, help="No special values among inputs and constants.")
@click.option("--work", metavar="DIR", help="Keep findings and what was done; a rerun goes on from it.")
@timeout_option(30.0, "Of a run.")
@click.option(
    *("--reduce-seconds", "reduction_seconds"),
    type=click.FloatRange(0),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Of the reduction of a finding; it also ends with --seconds.",
)
@json_option
@jobs_option("Programs at a time.", 1, show_default=True)
@cluster_option
def command(
    engines: str,
    passes: str,
    through: str,
    count: int | None,
    seconds: float | None,
    seed: int,
    work: str | None,
    timeout: float,
    reduction_seconds: float,
    jobs: int,
    cluster: str,
    as_json: bool,
    **programs: Any,
) -> int:
    """Draw programs, run each in two engines, and reduce programs with different results.

    Exit code 0 where nothing is found, 1 with findings, 2 where an engine does not start."""
    from ...conformance.fuzz.session import Engines, Session, Trial, as_flags, options_from

    if passes and through:
        raise click.UsageError("--passes and --through exclude each other")
    options = options_from(sign_sensitive=not passes, **programs)
    name, value = ("passes", passes) if passes else ("through", through) if through else ("engines", engines)
    chosen = Engines(engines, passes, through, timeout)
    chosen()  # a mistake is told before anything starts
    line = f"stablehlo fuzz --{name}={quote(value)} --seed={{seed}} --count=1{as_flags(options)}"
    trial = Trial(chosen, options, line, bool(passes or through), reduction_seconds)
    session = Session(trial, None if work is None else Path(work))
    limit = 100 if count is None and seconds is None else count
    seeds = numbers(seed) if limit is None else iter(range(seed, seed + limit))
    tally = session.run(seeds, seconds=seconds, jobs=jobs, cluster=cluster)
    values = {"programs": tally.programs, "answers": dict(tally.answers), "groups": dict(tally.groups)}
    show(values, as_json, tally)
    return 1 if tally.groups else 0
