"""Table of programs and the versions that can hold them, as text, JSON values or a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bindings import ir
from ..errors import StablehloError, UsageError
from .explanation import minimum
from .needs import Need
from .versions import Version, named_versions, opset_versions

_MARKS = {"12w": "12 weeks", "4w": "4 weeks", "current": "current"}
PICTURE_FORMATS = ("png", "svg")


@dataclass(frozen=True)
class MatrixRow:
    """One program: the oldest version that can hold it, and the features that need that version.

    It can be written for every later version as well. `minimum` is None where it cannot be written at all; `problem`
    says why.
    """

    name: str
    minimum: Version | None
    held_by: tuple[Need, ...]
    problem: str = ""

    def fits(self, version: Version) -> bool:
        """Return whether the program can be written for `version`."""
        return self.minimum is not None and self.minimum <= version


@dataclass(frozen=True)
class Matrix:
    """Programs by versions, oldest version first; `marks` names some of the versions."""

    versions: tuple[Version, ...]
    rows: tuple[MatrixRow, ...]
    marks: dict[str, Version]

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: `programs` maps each name to its minimum, its cells and the features that need it."""
        return {
            "versions": list(map(str, self.versions)),
            "marks": {name: str(version) for name, version in self.marks.items()},
            "programs": {
                row.name: {
                    "minimum": str(row.minimum) if row.minimum is not None else None,
                    "held_by": [need.feature.name for need in row.held_by],
                    "problem": row.problem,
                    "cells": {str(version): row.fits(version) for version in self.versions},
                }
                for row in self.rows
            },
        }

    def to_text(self) -> str:
        """Return the matrix for a terminal: a column for each version, `■` where the program fits."""
        width = max(len(row.name) for row in self.rows) if self.rows else 0
        lines = [f"{'':{width}}  {heading}" for heading in self._headings()]
        for row in self.rows:
            cells = "  ".join("■" if row.fits(version) else "·" for version in self.versions)
            lines.append(f"{row.name:{width}}  {cells}  {self._explanation(row)}".rstrip())
        marks = ", ".join(f"{letter} {_MARKS[name]} ({self.marks[name]})" for name, letter in _LETTERS.items())
        return "\n".join([*lines, f"{'':{width}}  {marks}"]) + "\n"

    def _explanation(self, row: MatrixRow) -> str:
        if row.minimum is None:
            return row.problem
        held = ", ".join(need.feature.name for need in row.held_by)
        return f"from {row.minimum}: {held}" if held else f"from {row.minimum}"

    def _headings(self) -> list[str]:
        """Return the head: the versions from top to bottom, major, minor, and the letters of the marks."""
        marked = {version: letter for name, letter in _LETTERS.items() for version in (self.marks[name],)}
        return [
            "  ".join(str(version.major) for version in self.versions),
            " ".join(f"{version.minor:<2}" for version in self.versions).rstrip(),
            "  ".join(marked.get(version, " ") for version in self.versions).rstrip(),
        ]


_LETTERS = {"12w": "q", "4w": "m", "current": "c"}


def compatibility_matrix(
    programs: Iterable[tuple[str, Callable[[], ir.Module]]], *, allow_other_dialects: bool = False
) -> Matrix:
    """Return the matrix of `programs`, pairs of a name and a function that loads the module.

    A program that cannot be loaded or written has a row that says why.
    """
    rows = [_row(name, load, allow_other_dialects) for name, load in programs]
    marks = {name: version.opset for name, version in named_versions().items() if name in _MARKS}
    return Matrix(opset_versions(), tuple(rows), marks)


def _row(name: str, load: Callable[[], ir.Module], allow_other_dialects: bool) -> MatrixRow:
    try:
        found = minimum(load(), allow_other_dialects=allow_other_dialects)
    except StablehloError as error:
        return MatrixRow(name, None, (), error.message)
    return MatrixRow(name, found.version, found.held_by)


# The picture --------------------------------------------------------------------------------------------------------

_FITS, _TOO_OLD = "#2a7f62", "#e4e4e4"
_CELL_INCHES = 0.32


def plot(matrix: Matrix, path: Path) -> None:
    """Write the matrix as a picture, SVG or PNG by the file's ending.

    Raises:
        UsageError: The ending is another, or matplotlib (extra `plot`) is missing.
    """
    kind = path.suffix.removeprefix(".").lower()
    if kind not in PICTURE_FORMATS:
        raise UsageError(f"'{path}' ends in neither .svg nor .png")
    try:
        import matplotlib
    except ImportError:
        raise UsageError("a picture needs matplotlib; install it with: pip install 'stablehlo-py[plot]'") from None
    with matplotlib.rc_context({"backend": "agg", "svg.hashsalt": "stablehlo-py"}):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(_CELL_INCHES * len(matrix.versions) + 3, _CELL_INCHES * len(matrix.rows) + 1.6))
        _draw(figure.add_subplot(), matrix.versions, matrix.rows, matrix.marks)
        # Without a date, the file depends on the matrix alone.
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(path, format=kind, bbox_inches="tight", dpi=150, metadata=metadata)


def _draw(axes: Any, versions: Sequence[Version], rows: Sequence[MatrixRow], marks: dict[str, Version]) -> None:
    from matplotlib.patches import Rectangle

    for line, row in enumerate(rows):
        for column, version in enumerate(versions):
            color = _FITS if row.fits(version) else _TOO_OLD
            axes.add_patch(Rectangle((column + 0.05, line + 0.05), 0.9, 0.9, color=color))
    for name, version in marks.items():
        column = versions.index(version) + 0.5
        axes.annotate(
            _MARKS[name], (column, 0), xytext=(0, 34), textcoords="offset points", ha="center", fontsize=8,
            arrowprops={"arrowstyle": "-", "color": "#555555", "shrinkB": 26},
        )  # fmt: skip
    axes.set_xlim(0, len(versions))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([column + 0.5 for column in range(len(versions))])
    axes.set_xticklabels([f"{version.major}.{version.minor}" for version in versions], rotation=90, fontsize=8)
    axes.set_yticks([line + 0.5 for line in range(len(rows))], [row.name for row in rows], fontsize=9)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xlabel("StableHLO version that the program can be written for", fontsize=9)
    for side in axes.spines.values():
        side.set_visible(False)
