"""Write the size of the kit to docs/conformance.md, and the tables of engines to docs/results/conformance.md.

python tools/generate/conformance_tables.py --work=DIR            # runs the kit in all engines of the page
python tools/generate/conformance_tables.py xla --level=smoke     # one of them, on a few cases
python tools/generate/conformance_tables.py iree --types=i1,f32   # an engine that has to be installed

Scores are kept in DIR, so that a run that was stopped goes on and one of a changed kit is short.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.conformance.score import reports
from stablehlo_py.conformance.score.reports import read_known
from stablehlo_py.conformance.score.run import run
from stablehlo_py.engines import Limits

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance.md"
RESULTS = ROOT / "docs" / "results"
TABLES = RESULTS / "conformance.md"
ENGINES = ("xla", "official")


def replaced(text: str, block: str, content: str) -> str:
    """Return the page with other content between `<!-- BLOCK -->` and `<!-- end -->`."""
    return re.sub(
        rf"<!-- {block} -->\n.*?<!-- end -->",
        lambda _: f"<!-- {block} -->\n{content}<!-- end -->",
        text,
        flags=re.DOTALL,
    )


def sizes() -> str:
    """Return a sentence about the number of cases at each level."""
    smoke, full = [list(cases(Choice(level=level))) for level in ("smoke", "full")]
    ops, kinds = len({case.op for case in full}), len({(case.op, case.type, case.kind) for case in full})
    return (
        f"Level `full` has {len(full):,} cases of {ops} ops, {kinds:,} combinations of an op, an element type and a "
        f"kind; level `smoke` has {len(smoke):,}.\n"
    )


@click.command()
@click.option("--level", type=click.Choice(["smoke", "full"]), default="full", show_default=True, help="Which cases.")
@click.option("--types", default="", help="Cases of these element types.")
@click.option("--work", metavar="DIR", type=click.Path(path_type=Path), help="Where scores are kept.")
@click.option("--jobs", default=2, show_default=True, help="Processes of an engine at a time.")
@click.argument("engines", nargs=-1)
def main(level: str, types: str, work: Path | None, jobs: int, engines: Sequence[str]) -> None:
    """Run the kit in each engine (all of the page by default) and write its table."""
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), "sizes", sizes()), encoding="utf-8")
    text = TABLES.read_text(encoding="utf-8")
    choice = Choice(types=types.split(",") if types else (), level="smoke" if level == "smoke" else "full")
    for engine in engines if engines else ENGINES:
        kept = None if work is None else work / f"{engine}.jsonl"
        report = run(engine, choice, jobs=jobs, limits=Limits(60), work=kept)
        known = read_known(str(RESULTS / f"conformance-{engine}.txt"))
        text = replaced(text, engine, reports.markdown(report, known).decode())
        TABLES.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
