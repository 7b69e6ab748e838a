"""`stablehlo fuzz`: random programs in two engines, or before and after a change."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count as numbers
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared import Named, cluster_option, jobs_option, json_option, show

if TYPE_CHECKING:
    from ...conformance.fuzz.builder import Options
    from ...engines import Engine


@dataclass(frozen=True)
class Engines:
    """The engines that programs are run in; it can be called by workers."""

    engines: str
    passes: str
    through: str
    seconds: float

    def __call__(self) -> tuple[Engine, Engine]:
        """Return the trusted engine, and the engine to compare with it."""
        from ...engines import Limits, open_engine

        limits = Limits(self.seconds)
        if self.passes or self.through:
            from ...conformance.fuzz.changed import after_passes, through_artifact

            changed = after_passes(self.passes, limits) if self.passes else through_artifact(self.through, limits)
            return open_engine("reference", limits), changed
        first, _, second = self.engines.partition(",")
        if not second:
            raise click.UsageError("--engines takes two engines")
        return open_engine(first, limits), open_engine(second, limits)


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
@click.option("--dynamic", is_flag=True, help="Extents that are known only while running.")
@click.option("--tame", is_flag=True, help="No special values among inputs and constants.")
@click.option("--work", metavar="DIR", help="Keep findings and what was done; a rerun goes on from it.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=30.0, metavar="SECONDS", help="Of a run.")
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
    from ...conformance.fuzz.session import Session, Trial

    if passes and through:
        raise click.UsageError("--passes and --through exclude each other")
    options = _options(sign_sensitive=not passes, **programs)
    how = f"--passes='{passes}'" if passes else f"--through={through}" if through else f"--engines={engines}"
    chosen = Engines(engines, passes, through, timeout)
    chosen()  # a mistake is told before anything starts
    line = f"stablehlo fuzz {how} --seed={{seed}} --count=1{_given(options)}"
    trial = Trial(chosen, options, line, bool(passes or through), reduction_seconds)
    session = Session(trial, None if work is None else Path(work))
    limit = 100 if count is None and seconds is None else count
    seeds = numbers(seed) if limit is None else iter(range(seed, seed + limit))
    tally = session.run(seeds, seconds=seconds, jobs=jobs, cluster=cluster)
    values = {"programs": tally.programs, "answers": dict(tally.answers), "groups": dict(tally.groups)}
    show(values, as_json, tally)
    return 1 if tally.groups else 0


def _options(types: str, weights: str, tame: bool, **others: Any) -> Options:
    """The kind of programs that the flags ask for."""
    from ...conformance.fuzz.builder import ELEMENTS as USUAL
    from ...conformance.fuzz.builder import Options
    from ...conformance.generate.values import ELEMENTS
    from ...syntax.spelling import hint

    chosen = tuple([each for each in types.split(",") if each])
    for element in chosen:
        if element not in ELEMENTS:
            raise click.UsageError(f"unknown element type '{element}'{hint(element, ELEMENTS)}")
    return Options(elements=chosen if chosen else USUAL, weights=_weights(weights), special=not tame, **others)


def _weights(text: str) -> dict[str, int]:
    from ...conformance.fuzz.structures import STEPS
    from ...syntax.spelling import hint

    found: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        name, _, weight = part.partition("=")
        if name not in STEPS or not weight.isdigit():
            raise click.UsageError(f"not a weight: '{part}'{hint(name, STEPS)}; steps are {', '.join(STEPS)}")
        found[name] = int(weight)
    return found


def _given(options: Options) -> str:
    """The options of programs that are not the default, as flags."""
    from ...conformance.fuzz.builder import Options

    usual = Options()
    text = "".join(f" --{name}={getattr(options, name)}" for name in ("size", "depth")
                   if getattr(options, name) != getattr(usual, name))  # fmt: skip
    if options.elements != usual.elements:
        text += f" --types={','.join(options.elements)}"
    if options.weights:
        text += f" --weights={','.join(f'{name}={weight}' for name, weight in options.weights.items())}"
    flags = {"undefined": options.undefined, "dynamic": options.dynamic, "tame": not options.special}
    return text + "".join(f" --{name}" for name, given in flags.items() if given)
