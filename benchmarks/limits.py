"""Whether simplification keeps its promise on time: 10,000 ops within 20 s, and twice the ops in twice the time.

    python benchmarks/limits.py

Prints the seconds of each program, and exits with 1 if a limit is exceeded. The limits hold on an idle machine alone,
so they are not part of the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from simplification import chain, nested_concatenations, run

from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.optimization import AggressiveSimplification, TargetIndependentOptimization


def linear(each: Pass) -> Iterator[tuple[str, float, float]]:
    """Yield the seconds that a pass takes on a chain of ops, and their limit."""
    run(chain(500), each)  # loads what is loaded on first use
    small = min(run(chain(5000), each)[1] for _ in range(2))
    yield f"{each.name}, chain of 10,000 ops", run(chain(10000), each)[1], min(20, 4 * small)


def main() -> int:
    """Print all measurements, and return the exit code."""
    simplification = AggressiveSimplification()
    nested = run(nested_concatenations(4000), simplification)[1]
    rows = [*linear(simplification), *linear(TargetIndependentOptimization())]
    rows.append((f"{simplification.name}, 4,000 concatenations", nested, 2))
    for name, seconds, limit in rows:
        print(f"{'over' if seconds > limit else 'ok':4} {seconds:7.2f} s, limit {limit:7.2f} s: {name}")
    return int(any(seconds > limit for _, seconds, limit in rows))


if __name__ == "__main__":
    sys.exit(main())
