"""Times `run_passes` with and without its trial run: `python benchmarks/trial_runs.py`."""

from __future__ import annotations

import time

import stablehlo_py

PIPELINES = ("func.func(stablehlo-aggressive-simplification)", "cse", "canonicalize")
OPS = 10_000
ROUNDS = 5


def chain() -> str:
    """A function of many ops, each on the result of the one before."""
    ops = "".join(f"  %{i + 1} = stablehlo.negate %{i} : tensor<4xf32>\n" for i in range(OPS))
    return f"func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{\n{ops}  return %{OPS} : tensor<4xf32>\n}}"


def seconds(text: str, pipeline: str, trust_input: bool) -> float:
    """The time of one run."""
    module = stablehlo_py.parse(text, trust_input=True)
    start = time.perf_counter()
    stablehlo_py.run_passes(module, pipeline, trust_input=trust_input)
    return time.perf_counter() - start


def main() -> None:
    """Print a line for each pipeline: the least of several rounds."""
    text = chain()
    for pipeline in PIPELINES:
        with_guard, without = (min(seconds(text, pipeline, trust) for _ in range(ROUNDS)) for trust in (False, True))
        print(f"{pipeline}: {with_guard * 1e3:.1f} ms, trusted {without * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
