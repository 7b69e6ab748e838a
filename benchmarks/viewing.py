"""Measures reports, costs and differences of whole models: `python benchmarks/viewing.py`. Needs jax and Chromium.

Rewrites the table in docs/viewing.md. Seconds are processor time, so that other work on the machine does not count.
"Opens in" is the browser's time from the start of the page until its first use, the best of three.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import models

from stablehlo_py.analysis import cost, view
from stablehlo_py.analysis.diff import diff
from stablehlo_py.analysis.diff_page import side_by_side
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.bytecode import copy_of
from stablehlo_py.bindings.walk import operations_within
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.syntax.tables import short

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "viewing.md"
_MARK = re.compile(r"(<!-- from here on: benchmarks/viewing.py -->\n).*(\n<!-- up to here -->)", re.DOTALL)
_CHANGE = "builtin.module(func.func(stablehlo-aggressive-simplification))"
_MEGABYTE = 1e6


def many_ops(size: int) -> str:
    """Return a program of `size` ops, named by layers and blocks. Each op uses earlier ones."""
    choose, t = random.Random(0), "tensor<64x64xf32>"
    lines = [f"%v0 = stablehlo.add %a, %a : {t}"]
    for n in range(1, size):
        location = f'loc("model/layer_{n // 200}/block_{n // 50 % 4}/op"("model.py":{n // 50 + 1}:3))'
        op = choose.choice(("add", "multiply", "maximum"))
        lines.append(f"%v{n} = stablehlo.{op} %v{n - 1}, %v{max(n - 1 - choose.randrange(20), 0)} : {t} {location}")
    return f"func.func @main(%a: {t}) -> {t} {{\n" + "\n".join(lines) + f"\nreturn %v{size - 1} : {t}\n}}\n"


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of the work and its seconds."""
    start = process_time()
    result = work()
    return result, process_time() - start


def opens_in(html: str) -> int:
    """Milliseconds until the page can be used."""
    sys.path.insert(0, str(ROOT / "tools" / "generate"))
    from browser import evaluate

    return min(int(evaluate(html, "return document.documentElement.dataset.ready")) for _ in range(3))


def measured(name: str, text: str) -> str:
    """A row of the table."""
    module = ir.Module.parse(text, make_context())
    changed = copy_of(module)
    run_pipeline(changed, _CHANGE)
    count = len(operations_within(module.operation))
    found, counting = timed(lambda: cost(module))
    page, viewing = timed(lambda: view(module, title=name))
    changes, comparing = timed(lambda: diff(module, changed))
    sides, pairing = timed(lambda: side_by_side(module, changed, (name, "simplified"), changes))
    sizes = [len(one.html.encode()) / _MEGABYTE for one in (page, sides)]
    return (
        f"| {name} | {count:,} | {short(found.flops)} | {counting:.2f} s | {viewing:.2f} s | {sizes[0]:.2f} MB | "
        f"{opens_in(page.html)} ms | {len(changes):,} | {comparing:.2f} s | {pairing:.2f} s | {sizes[1]:.2f} MB |"
    )


def main() -> None:
    """Print the table, and put it into the page."""
    lines = [
        "| program | ops | arithmetic | cost | report | size | opens in | changes | diff | side by side | size |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    programs = {name: models.export(name) for name in models.MODELS}
    programs["10,000 ops"] = many_ops(10_000)
    view(ir.Module.parse(many_ops(10), make_context()))  # what is loaded on first use is not counted
    for name, text in programs.items():
        lines.append(measured(name, text))
        print(lines[-1], flush=True)
    table = "\n".join(lines)
    PAGE.write_text(_MARK.sub(lambda found: found[1] + table + found[2], PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
