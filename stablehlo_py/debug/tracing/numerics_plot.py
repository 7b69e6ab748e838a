"""A picture of the error along a program."""

from __future__ import annotations

from ...errors import InputError
from .numerics import Numerics

_MOST_ULP = 16.0  # drawn of the error of an op


def plot(found: Numerics, path: str) -> None:
    """Draw the total and the introduced error of every op, in program order. Raises InputError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("--plot needs matplotlib", notes=["pip install 'stablehlo-py[plot]'"]) from None
    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots()
    numbers = [one.place.number for one in found.contributions]
    axes.plot(numbers, [one.total for one in found.contributions], label="total, relative")
    axes.set(xlabel="op", ylabel="error of the result")
    axes.set_yscale("symlog", linthresh=1e-12)
    own = axes.twinx()
    own.bar(numbers, [min(one.introduced, _MOST_ULP) for one in found.contributions], alpha=0.3, color="tab:orange",
            label="introduced, ULP")  # fmt: skip
    own.set(ylabel="rounding of the op")
    figure.legend(loc="outside upper center", ncols=2)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write '{path}': {error}") from None
