"""Write the tables of docs/conformance.md: what engines do with the conformance kit.

python tools/conformance_tables.py                       # runs both engines
python tools/conformance_tables.py xla --from xla=run.json --block=xla-full     # takes a run that --json wrote
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import click

from stablehlo_py.conformance.catalog import Choice
from stablehlo_py.engines import Limits
from stablehlo_py.measurement import reports
from stablehlo_py.measurement.known import read_known
from stablehlo_py.measurement.run import Entry, Report, run
from stablehlo_py.measurement.scoring import Score

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "conformance.md"
KNOWN = ROOT / "docs" / "conformance"


def saved(path: str) -> Report:
    """The report that `stablehlo conformance run --json` wrote."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    entries = [
        Entry(
            case["op"],
            case["type"],
            case["kind"],
            case["expectation"],
            case["spec"],
            Score(case["case"], case["verdict"], case["message"], float(case["ulp"])),
        )
        for case in found["cases"]
    ]
    choice = Choice(level=found["level"], seed=found["seed"])
    return Report(found["engine"], found["versions"], choice, found["target"], tuple(entries), found["seconds"])


@click.command()
@click.option("--from", "files", multiple=True, metavar="ENGINE=FILE.json", help="A run that was saved.")
@click.option("--level", type=click.Choice(["smoke", "full"]), default="smoke", show_default=True, help="Which cases.")
@click.option("--block", default="", help="The block of the page to write; the engine's name by default.")
@click.argument("engines", nargs=-1)
def main(files: Sequence[str], level: str, block: str, engines: Sequence[str]) -> None:
    """Run the kit in each engine (xla and official by default) and write its table into the page."""
    given = dict(file.split("=", 1) for file in files)
    text = PAGE.read_text(encoding="utf-8")
    for engine in engines if engines else ("xla", "official"):
        choice = Choice(level="smoke" if level == "smoke" else "full")
        report = saved(given[engine]) if engine in given else run(engine, choice, jobs=2, limits=Limits(60))
        table = reports.markdown(report, read_known(str(KNOWN / f"{engine}.txt"))).decode()
        name = block if block else engine
        text = re.sub(
            rf"<!-- {name} -->\n.*?<!-- end -->",
            lambda _, name=name, table=table: f"<!-- {name} -->\n{table}<!-- end -->",
            text,
            flags=re.DOTALL,
        )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
