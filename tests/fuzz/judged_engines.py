"""Prints the table of docs/debugging.md about `judge`: verdicts on engines that are right and on two that are not.

python tests/fuzz/judged_engines.py --count=500
python tests/fuzz/judged_engines.py --first=250 --count=250 --only=fuzzed
python tests/fuzz/judged_engines.py --count=0 --engine=iree

The programs are drawn ones, those of examples/jax, and the models of benchmarks/ in small sizes. The exit code is 1 if
the interpreter is judged wrong, if an error of `planted_errors.py` reaches the results and is not named, or if
there is no judgement.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from planted_errors import FUNCTIONS, TERMS

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.conformance.fuzz.structures import draw_program
from stablehlo_py.debug import compare, draw_arguments, examine, judge
from stablehlo_py.debug.judge import EngineJudgement
from stablehlo_py.engines import Engine, open_engine

ROOT = Path(__file__).parents[2]
RIGHT = ("reference", "reference:reverse")
NAMED = (*RIGHT, "xla", "official")
PLANTED = {"planted:functions": FUNCTIONS, "planted:terms": TERMS}
VERDICTS = ("permitted", "wrong", "unspecified", "crashed", "rejected")
Case = tuple[str, ir.Module, Sequence[np.ndarray]]
# The sizes of the models of benchmarks/ are their own on a machine for a benchmark; here each op counts once.
SIZES = {
    "models": {"LAYERS": 2, "HEADS": 2, "WIDTH": 16, "VOCABULARY": 64, "CONTEXT": 128,
               "STAGES": ((1, 64), (1, 128), (1, 256), (1, 512))},
    "loop_models": {"STEPS": 8, "BATCH": 2, "FEATURES": 8, "STATE": 8, "BOXES": 40, "KEPT": 8, "SIDE": 6,
                    "CHANNELS": 16},
}  # fmt: skip


def fuzzed(first: int, count: int) -> Iterator[Case]:
    """Draw programs."""
    for seed in range(first, first + count):
        drawn = draw_program(Random(seed))
        yield f"seed {seed}", stablehlo_py.parse(drawn.text), drawn.arguments


def exported() -> Iterator[Case]:
    """Return the programs of examples/jax."""
    for path in sorted((ROOT / "examples" / "jax").glob("*.mlir")):
        subject = examine(stablehlo_py.parse(path))
        yield path.stem, subject.module, draw_arguments(subject.function, 0)


def models() -> Iterator[Case]:
    """Return the models of benchmarks/, in small sizes."""
    import jax
    import loop_models

    for name, sizes in SIZES.items():
        for key, size in sizes.items():
            setattr(sys.modules[name], key, size)
    random = np.random.default_rng(0)
    for name, (function, arguments, _) in loop_models.PROGRAMS.items():
        shapes = arguments()
        if name.startswith(("ResNet", "CNN")):
            size = 8 if name.startswith("ResNet") else 28
            images = jax.ShapeDtypeStruct((1, size, size, shapes[1].shape[3]), np.float32)
            shapes = (shapes[0], images, *(jax.ShapeDtypeStruct((1,), one.dtype) for one in shapes[2:]))
        arrays = [drawn(random, one) for one in jax.tree.leaves(shapes)]
        yield name, stablehlo_py.parse(jax.jit(function).lower(*shapes).as_text()), arrays


def drawn(random: np.random.Generator, shape: Any) -> np.ndarray:
    """Draw weights of usual size, and small numbers for indices."""
    array = random.integers(0, 10, shape.shape) if shape.dtype == np.int32 else 0.05 * random.normal(size=shape.shape)
    return np.asarray(array).astype(shape.dtype)


def opened(stack: ExitStack, named: Sequence[str]) -> list[Engine]:
    """Open the engines: those of `named` behind the reference, or all of the table."""
    if named:
        return [stack.enter_context(open_engine(name)) for name in ("reference", *named)]
    found = [stack.enter_context(open_engine(name)) for name in NAMED]
    return found + [stack.enter_context(Engine(name, name)) for name in PLANTED]


def missed(case: Case, judgement: EngineJudgement, engine: Engine, reference: Engine) -> str:
    """Return what a judgement on an engine with planted errors leaves out, or empty."""
    _, module, arguments = case
    kinds = PLANTED[engine.name]
    if judgement.verdict in ("crashed", "rejected"):
        return judgement.sentence
    if judgement.verdict == "wrong":
        text = "" if judgement.program is None else str(judgement.program.operation)
        named = judgement.place is not None and judgement.place.op in kinds
        return "" if named or any(kind in text for kind in kinds) else f"names {judgement.place}"
    differs = compare(module, [reference, engine], arguments=[arguments]).verdict == "differs"
    return "a wrong result is not named" if differs else ""


def look(case: Case, engines: Sequence[Engine], verdicts: Counter[tuple[str, str]]) -> list[str]:
    """Judge a program; count the verdicts, and return what is wrong with them."""
    reference = engines[0]
    name, module, arguments = case
    faults = list[str]()
    started = time.monotonic()
    judgements = judge(module, engines, reference=reference, arguments=arguments).judgements
    click.echo(
        f"{name}: {', '.join(each.verdict for each in judgements)} ({time.monotonic() - started:.0f} s)", err=True
    )
    for engine, judgement in zip(engines, judgements, strict=True):
        verdicts[engine.name, judgement.verdict] += 1
        if engine.name in RIGHT and judgement.verdict == "wrong":
            faults.append(f"{name}: {judgement}")
        elif engine.name in PLANTED:
            fault = missed(case, judgement, engine, reference)
            faults += [f"{name}: {engine.name} is {judgement.verdict}: {fault}"] if fault else []
        elif judgement.verdict in ("wrong", "crashed"):
            click.echo(f"{name}: {judgement.place}: {judgement.cause}", err=True)
    return faults


@click.command()
@click.option("--count", default=500, show_default=True, help="Programs that are drawn.")
@click.option("--first", default=0, show_default=True, help="The seed of the first.")
@click.option("--engine", "named", multiple=True, help="Judge this engine, and not those of the table.")
@click.option("--only", type=click.Choice(["fuzzed", "jax", "models"]), help="One kind of program.")
def main(count: int, first: int, named: tuple[str, ...], only: str | None) -> None:
    """Judge programs in six engines, two of which are wrong."""
    folders = [Path(__file__).parent, *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, folders))
    sys.path.insert(0, str(ROOT / "benchmarks"))
    kinds = {"fuzzed": lambda: fuzzed(first, count), "jax": exported, "models": models}
    verdicts, faults = Counter[tuple[str, str]](), list[str]()
    with ExitStack() as stack:
        engines = opened(stack, named)
        for case in (case for kind, make in kinds.items() if only in (None, kind) for case in make()):
            try:
                faults += look(case, engines, verdicts)
            except Exception:  # one program must not end the proof
                faults.append(f"{case[0]}: {traceback.format_exc()}")
    click.echo(f"| engine | {' | '.join(VERDICTS)} |\n|---|{'--:|' * len(VERDICTS)}")
    for engine in engines:
        click.echo(f"| {engine.name} | {' | '.join(str(verdicts[engine.name, verdict]) for verdict in VERDICTS)} |")
    for fault in faults:
        click.echo(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
