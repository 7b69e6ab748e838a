"""`stablehlo corpus`: checks of thousands of modules."""

from __future__ import annotations

from collections.abc import Sequence

import click

from .shared import cluster_option, jobs_option, json_option, show, timeout_option


@click.command("corpus")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option(
    "--check",
    "checks",
    multiple=True,
    default=["verify"],
    metavar="CHECK",
    help="verify, roundtrip[:VERSION,…], interpret, compare[:ENGINE,…], judge[:ENGINE,…], passes[:PASS,…].",
)
@click.option("-o", "--output", required=True, metavar="FILE", help="The results, a line of JSON for each check.")
@click.option("--resume", is_flag=True, help="Go on with FILE: what has a row there is not done again.")
@jobs_option("Checks at a time on this machine.")
@cluster_option
@timeout_option(60.0, "Time of a run.")
@click.option("--max-memory", type=click.IntRange(1), metavar="BYTES", help="Memory of a process that checks.")
@click.option(
    "--retries", type=click.IntRange(0), default=1, show_default=True, help="Tries after a crash or a limit reached."
)
@json_option
def command(
    paths: Sequence[str],
    checks: Sequence[str],
    output: str,
    resume: bool,
    jobs: int,
    cluster: str,
    timeout: float,
    max_memory: int | None,
    retries: int,
    as_json: bool,
) -> int:
    """Check every module in PATH…, files or folders, and sum up what is wrong by cause.

    Each check runs in a child process: a module that aborts or never ends costs its own row. Rows are written to
    --output as they come."""
    from ...debug.corpus import Results, Summary, TaskLimits, check_corpus, find_modules, read_check
    from ...isolation.tool import doing
    from ..progress import progress_bar

    chosen = list(dict.fromkeys(map(read_check, checks)))
    modules = find_modules(paths)
    limits = TaskLimits(timeout, max_memory, retries)
    doing("checking a corpus")
    results = Results(output, resume=resume)
    with progress_bar("checks") as progress:
        before = len(results.rows)
        rows = check_corpus(modules, chosen, results, limits=limits, jobs=jobs, cluster=cluster, show=progress)
        new = len(results.rows) - before
    summary = Summary.of(rows)
    show({"new": new, **summary.as_dict()}, as_json, f"{summary}\n{new:,} new in {output}")
    return 0 if summary.statuses.keys() <= {"ok"} else 1
