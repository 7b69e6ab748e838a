"""Measures the first picture of the graph in Chromium: `tools/run benchmarks/first_view [FILE...]`.

The table has a row for each of ten programs, or of those given. It counts nodes, nodes outside the window and pairs of
overlapping nodes. It has the smallest label in pixels, and the used share of the window. jax exports three of the ten.
`--write` renews the table in docs/viewing.md; `--pictures=FOLDER` writes a picture of each.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from browser import evaluate, take_picture

from stablehlo_py import parse
from stablehlo_py.analysis import view

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "viewing.md"
EXAMPLES = (
    *("attention", "adam_step", "convolution_network", "perceptron_gradient", "ranking", "recurrent_network"),
    "moving_window",
)
ADDRESS = "#tab=graph"
SCRIPT = """
const window = graph.svg.getBoundingClientRect();
const boxes = graph.nodes.map((node) => node.element.querySelector('rect').getBoundingClientRect());
const labels = [...graph.svg.querySelectorAll('text')];
const scale = graph.svg.getScreenCTM().a;
const inside = (box) => box.left >= window.left - 1 && box.right <= window.right + 1 && box.top >= window.top - 1
  && box.bottom <= window.bottom + 1;
let overlaps = 0;
boxes.forEach((a, i) => boxes.forEach((b, j) => {
  overlaps += i < j && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
}));
return {ops: opCount, nodes: boxes.length, outside: boxes.filter((box) => !inside(box)).length, overlaps,
  label: scale * Math.min(...labels.map((label) => parseFloat(getComputedStyle(label).fontSize))),
  wide: graph.whole.width * scale / window.width, high: graph.whole.height * scale / window.height};
"""
_MARK = re.compile(r"(<!-- from here on: benchmarks/first_view.py -->\n).*?(<!-- up to here -->)", re.DOTALL)


def first_view(text: str, title: str) -> dict[str, Any]:
    """Return what a browser of 1280 by 800 points shows of the graph at first."""
    return evaluate(view(parse(text), title=title).html, SCRIPT, ADDRESS)


def programs() -> dict[str, str]:
    """Return ten programs: seven of examples/jax, and three models that JAX exports."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import jax
    import loop_models
    import models

    found = {name: (ROOT / "examples" / "jax" / f"{name}.mlir").read_text(encoding="utf-8") for name in EXAMPLES}
    step = jax.jit(loop_models.training_step).lower(*loop_models.training_arguments())
    return {
        **found,
        "CNN, a training step": step.as_text(debug_info=True),
        **{name: models.export(name) for name in models.MODELS},
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true", help="renew the table in docs/viewing.md")
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of each")
    arguments = parser.parse_args()
    files: list[Path] = arguments.files
    texts = {path.stem: path.read_text(encoding="utf-8") for path in files} if files else programs()
    lines = [
        "| program | ops | nodes | outside the window | overlaps | smallest label | window used |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, text in texts.items():
        found = first_view(text, name)
        lines.append(
            f"| {name} | {found['ops']:,} | {found['nodes']} | {found['outside']} | {found['overlaps']} | "
            f"{found['label']:.1f} px | {found['wide']:.0%} x {found['high']:.0%} |"
        )
        print(lines[-1], flush=True)
        if arguments.pictures:
            arguments.pictures.mkdir(exist_ok=True)
            path = arguments.pictures / f"{re.sub(r'[^a-z0-9]+', '-', name.lower())}.png"
            take_picture(view(parse(text), title=name).html, path, ADDRESS, (1280, 800))
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(_MARK.sub(lambda found: found[1] + "\n".join([*lines, found[2]]), page), encoding="utf-8")


if __name__ == "__main__":
    main()
