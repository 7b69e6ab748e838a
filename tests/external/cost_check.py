"""Compare `stablehlo cost` with XLA's own analysis on whole programs: `python tests/external/cost_check.py`.

Rewrites the table in docs/cost.md. Below each program are the kinds of ops whose costs differ on the op alone.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from stablehlo_py import parse, run_passes
from stablehlo_py.analysis import cost
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.provider import compiler_client
from stablehlo_py.debug.programs.subject import examine

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "cost.md"
PROGRAMS = sorted((ROOT / "examples" / "jax").glob("*.mlir"))
Counts = tuple[int, int, int]
_MARK = re.compile(r"(<!-- from here on: tests/external/cost_check.py -->\n).*(\n<!-- up to here -->)", re.DOTALL)


class Analysis:
    """XLA's cost analysis."""

    def __init__(self) -> None:
        self.extension, library = compiler_client()
        self.convert = importlib.import_module("jaxlib._jax").mlir.mlir_module_to_xla_computation
        self.client = library.make_cpu_client()

    def counts(self, module: ir.Module) -> Counts:
        """Arithmetic operations, transcendental functions and bytes of a program."""
        hlo = self.convert(str(module), use_tuple_args=False, return_tuple=False).get_hlo_module()
        found = self.extension.hlo_module_cost_analysis(self.client, hlo)
        return tuple([int(found.get(key, 0)) for key in ("flops", "transcendentals", "bytes accessed")])


def own(module: ir.Module) -> Counts:
    """The same as `stablehlo cost` counts them."""
    found = cost(module)
    if not (isinstance(found.flops, int) and isinstance(found.transcendentals, int) and isinstance(found.bytes, int)):
        raise TypeError("the program has dynamic shapes")
    return found.flops, found.transcendentals, found.bytes


def single_ops(module: ir.Module, analysis: Analysis) -> Iterator[tuple[str, Counts, Counts]]:
    """Each op of a program without calls, alone: its name, our counts and XLA's."""
    subject = examine(module)
    for op in subject.ops:
        captures = len(op.regions) > 0 and op.name in ("stablehlo.sort", "stablehlo.while")
        if op.name == "stablehlo.constant" or captures:  # XLA's importer takes none that reads values from outside
            continue
        alone = subject.extractor.ops([op], list(op.results)).module
        yield op.name, own(alone), analysis.counts(alone)


def compared(path: Path, analysis: Analysis) -> tuple[Counts, Counts, list[str]]:
    """Our counts and XLA's of a program, and the kinds of ops that differ alone."""
    module = parse(path)
    counts = own(module), analysis.counts(module)
    run_passes(module, "builtin.module(inline)")
    differing = {name.partition(".")[2]: None for name, ours, theirs in single_ops(module, analysis) if ours != theirs}
    subject = examine(module)  # it owns the ops
    names = {op.name.partition(".")[2] for op in subject.ops}
    return *counts, [*differing, *sorted(names & {"sort", "while"})]


def main() -> int:
    """Print the table, and put it into the page."""
    analysis = Analysis()
    lines = [
        "| program | operations | XLA | functions | XLA | bytes | XLA | differ alone |",
        "|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for path in PROGRAMS:
        ours, theirs, kinds = compared(path, analysis)
        pairs = " | ".join(f"{a:,} | {b:,}" for a, b in zip(ours, theirs, strict=True))
        lines.append(f"| {path.stem} | {pairs} | {', '.join(kinds)} |")
    text = "\n".join(lines)
    print(text)
    PAGE.write_text(_MARK.sub(lambda found: found[1] + text + found[2], PAGE.read_text(encoding="utf-8")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
