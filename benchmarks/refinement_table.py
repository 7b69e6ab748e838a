"""Print the table of docs/abstract-interpretation.md: the number of values that stay dynamic in each program exported
from JAX, once its arguments are pinned.

    python benchmarks/refinement_table.py
"""

from __future__ import annotations

import re
from pathlib import Path

from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.bindings.walk import blocks, operations
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.library import activate, library

FOLDER = Path(__file__).parents[1] / "tests" / "differential" / "dynamic_programs"


def unknown(module: ir.Operation) -> int:
    """Count the values that have an unknown size."""
    values = [value for op in operations(module) for value in op.results]
    values += [argument for op in operations(module) for block in blocks(op) for argument in block.arguments]
    return sum("?" in str(value.type) for value in values)


def official(text: str, pin: str) -> str:
    """Count what the C++ pass leaves; `fails` where it does."""
    module = ir.Module.parse(text)
    try:
        passmanager.PassManager.parse(f"builtin.module({pin},stablehlo-refine-shapes)").run(module.operation)
    except ir.MLIRError:
        return "fails"
    return str(unknown(module.operation))


def ours(text: str, pin: str) -> str:
    """Count what the pipeline leaves."""
    module = ir.Module.parse(text)
    run_pipeline(module, f"builtin.module({pin},stablehlo-shape-refinement-pipeline)")
    return str(unknown(module.operation))


def main() -> None:
    print("| program | dynamic values | after refine-shapes (C++) | after the pipeline | … with `my_library.py` |")
    print("|---|---|---|---|---|")
    for path in sorted(FOLDER.glob("*.mlir")):
        text = path.read_text(encoding="utf-8")
        types = re.search(r"types=(\S+)", text)
        pin = f"stablehlo-refine-arguments{{types={types[1] if types else ''}}}"
        with make_context():
            before = unknown(ir.Module.parse(text).operation)
            activate(None)
            alone = ours(text, pin)
            activate(library([FOLDER / "my_library.py"]))
            print(f"| {path.stem} | {before} | {official(text, pin)} | {alone} | {ours(text, pin)} |")


if __name__ == "__main__":
    main()
