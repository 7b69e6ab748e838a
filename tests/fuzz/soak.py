"""Parse, run passes, interpret, serialize and read back in one process, again and again: its memory stays flat.

python tests/fuzz/soak.py --minutes=60
"""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from pathlib import Path

import click
import numpy as np
from long_programs import ELEMENTS, FLOATS, SIZE, Writer

import stablehlo_py
from stablehlo_py.bindings.types import element_type

PIPELINE = "builtin.module(stablehlo-refine-shapes,func.func(stablehlo-aggressive-folder),canonicalize,cse)"
MOST_GROWTH = 0.05


def resident() -> int:
    """The bytes of memory that this process has."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


def work(seed: int) -> None:
    """One round of everything on the program of a seed."""
    text = Writer(seed).write(12)
    bits, numbers = np.arange(SIZE) % 2, np.linspace(-2, 2, SIZE)
    arguments = [(numbers if name in FLOATS else bits).astype(element_type(name).dtype) for name in ELEMENTS]
    module = stablehlo_py.parse(text)
    stablehlo_py.interpret(module, arguments)
    stablehlo_py.run_passes(module, PIPELINE)
    stablehlo_py.interpret(stablehlo_py.deserialize(stablehlo_py.serialize(module)), arguments)
    with contextlib.suppress(stablehlo_py.StablehloError):
        stablehlo_py.parse(text.replace("tensor<8x", "tensor<7x", 3))


@click.command()
@click.option("--minutes", default=60.0, show_default=True, help="How long to work.")
@click.option("--programs", default=200, show_default=True, help="How many programs to go through, again and again.")
def main(minutes: float, programs: int) -> None:
    """Fail where the memory of the last quarter is more than 5 % above that after the first."""
    start, rounds, samples = time.monotonic(), 0, []
    while time.monotonic() - start < minutes * 60:
        work(rounds % programs)
        rounds += 1
        if rounds % 20 == 0:
            gc.collect()
            samples.append(resident())
    quarter = len(samples) // 4
    if not quarter:
        raise click.ClickException(f"too short: {rounds} rounds")
    warm, last = max(samples[:quarter]), max(samples[-quarter:])
    growth = last / warm - 1
    click.echo(
        f"{rounds} rounds in {time.monotonic() - start:.0f} s: {warm / 2**20:.1f} MiB after a quarter, "
        f"{last / 2**20:.1f} MiB at the end, {growth:+.1%}"
    )
    sys.exit(growth > MOST_GROWTH)


if __name__ == "__main__":
    main()
