"""`stablehlo-compat`: the verbs of `stablehlo` about versions."""

from __future__ import annotations

from .stablehlo import VERBS, group_of, run_group

_VERBS = [*(name for name, verb in VERBS.items() if verb.purpose == "Versions"), "diff"]


@group_of("stablehlo-compat", _VERBS)
def compat() -> None:
    """Look at, explain and move StableHLO programs between versions.

    FILE is text, MLIR bytecode or a portable artifact; - is standard input."""


def main() -> None:
    """The console script."""
    run_group(compat)
