"""Times the ops that move, index and combine elements on about ten elements, in the official interpreter and in this
package: `python benchmarks/small_ops.py`. Prints a table; the exit code is 1 when an op is slower here than there.
"""

from __future__ import annotations

import argparse
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import page

from stablehlo_py.bindings.types import element_type

COPIES = 500
ENGINES = Path(__file__).resolve().with_name("engines.py")

Operand = tuple[str, object]
"""A type and the value of it."""


@dataclass(frozen=True)
class Small:
    """One op many times over, so that its own time is all that counts."""

    name: str
    op: str
    operands: tuple[Operand, ...]
    result: str
    attributes: str = ""
    regions: str = ""

    @property
    def program(self) -> str:
        names = [f"%a{index}" for index in range(len(self.operands))]
        types = [type_ for type_, _ in self.operands]
        parameters = ", ".join(map(": ".join, zip(names, types, strict=True)))
        regions = f" ({self.regions})" if self.regions else ""
        op = f'"stablehlo.{self.op}"({", ".join(names)}){regions} {{{self.attributes}}}'
        lines = [f"  %r{index} = {op} : ({', '.join(types)}) -> {self.result}" for index in range(COPIES)]
        head = f"func.func @main({parameters}) -> {self.result} {{"
        return "\n".join([head, *lines, f"  return %r{COPIES - 1} : {self.result}", "}"])

    def arguments(self) -> list[np.ndarray]:
        elements = [type_.removeprefix("tensor<").removesuffix(">").rpartition("x")[2] for type_, _ in self.operands]
        values = [value for _, value in self.operands]
        return [np.array(v).astype(element_type(e).dtype) for v, e in zip(values, elements, strict=True)]


def _region(op: str, result: str = "tensor<f32>", more: str = "") -> str:
    """A region of one op on two scalars, and of a product and the op when `more` names the product."""
    scalar = "tensor<f32>"
    first = f"%p = stablehlo.multiply %x, %y : {scalar}\n" if more else ""
    op_line = f"%z = stablehlo.{op} {more if more else '%x'}, %y : ({scalar}, {scalar}) -> {result}\n"
    return f"{{\n^bb0(%x: {scalar}, %y: {scalar}):\n{first}{op_line}stablehlo.return %z : {result}\n}}"


_SUM, _LARGEST = _region("add"), _region("maximum")
_NEWEST = "{\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\nstablehlo.return %y : tensor<f32>\n}"
_MIXED = _region("add", more="%p")
_GREATER = _region("compare GE,", "tensor<i1>")

_TEN: Operand = ("tensor<10xf32>", list(range(10)))
_GRID: Operand = ("tensor<3x4xf32>", np.arange(12).reshape(3, 4))
_SQUARE: Operand = ("tensor<3x3xf32>", [[4, 1, 1], [1, 5, 1], [1, 1, 6]])
_ZERO: Operand = ("tensor<f32>", 0)
_UPDATES: Operand = ("tensor<4xf32>", [1, 2, 3, 4])
_PLACES: Operand = ("tensor<4x1xi64>", [[1], [3], [3], [9]])
_ROWS: Operand = ("tensor<2x1xi32>", [[0], [2]])


def _scalar(value: int) -> Operand:
    return "tensor<i32>", value


def _list(*values: int) -> Operand:
    return f"tensor<{len(values)}xi64>", values


def _moving() -> list[Small]:
    return [
        Small("broadcast_in_dim", "broadcast_in_dim", (_UPDATES,), _GRID[0], "broadcast_dimensions = array<i64: 1>"),
        Small("concatenate", "concatenate", (_TEN, _UPDATES), "tensor<14xf32>", "dimension = 0 : i64"),
        Small(
            "dynamic_broadcast_in_dim",
            "dynamic_broadcast_in_dim",
            (_UPDATES, _list(3, 4)),
            _GRID[0],
            "broadcast_dimensions = array<i64: 1>",
        ),
        Small("dynamic_iota, 1-d", "dynamic_iota", (_list(10),), "tensor<10xi32>", "iota_dimension = 0 : i64"),
        Small("dynamic_iota, 2-d", "dynamic_iota", (_list(3, 4),), _GRID[0], "iota_dimension = 1 : i64"),
        Small("dynamic_pad, 1-d", "dynamic_pad", (_TEN, _ZERO, _list(1), _list(1), _list(0)), "tensor<12xf32>"),
        Small(
            "dynamic_pad, 2-d", "dynamic_pad", (_GRID, _ZERO, _list(1, 0), _list(0, 1), _list(1, 0)), "tensor<6x5xf32>"
        ),
        Small("dynamic_reshape", "dynamic_reshape", (_GRID, _list(4, 3)), "tensor<4x3xf32>"),
        Small("iota", "iota", (), _GRID[0], "iota_dimension = 1 : i64"),
        Small(
            "pad",
            "pad",
            (_GRID, _ZERO),
            "tensor<4x6xf32>",
            "edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 1, 1>, "
            "interior_padding = array<i64: 0, 0>",
        ),
        Small("reshape", "reshape", (_GRID,), "tensor<4x3xf32>"),
        Small("reverse", "reverse", (_GRID,), _GRID[0], "dimensions = array<i64: 1>"),
        Small("transpose", "transpose", (_GRID,), "tensor<4x3xf32>", "permutation = array<i64: 1, 0>"),
    ]


def _indexing() -> list[Small]:
    rows = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    gather = f"dimension_numbers = #stablehlo.gather<{rows}>"
    places = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    scatter = f"scatter_dimension_numbers = #stablehlo.scatter<{places}>"
    windows = f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], {places}>"
    window_updates: Operand = ("tensor<2x4xf32>", np.ones((2, 4)))
    two_by_two = "tensor<2x2xf32>"
    return [
        Small(
            "slice",
            "slice",
            (_TEN,),
            "tensor<4xf32>",
            "start_indices = array<i64: 2>, limit_indices = array<i64: 9>, strides = array<i64: 2>",
        ),
        Small("dynamic_slice, 1-d", "dynamic_slice", (_TEN, _scalar(3)), _UPDATES[0], "slice_sizes = array<i64: 4>"),
        Small(
            "dynamic_slice, 2-d",
            "dynamic_slice",
            (_GRID, _scalar(1), _scalar(7)),
            two_by_two,
            "slice_sizes = array<i64: 2, 2>",
        ),
        Small("dynamic_update_slice, 1-d", "dynamic_update_slice", (_TEN, _UPDATES, _scalar(3)), _TEN[0]),
        Small(
            "dynamic_update_slice, 2-d",
            "dynamic_update_slice",
            (_GRID, (two_by_two, np.ones((2, 2))), _scalar(1), _scalar(7)),
            _GRID[0],
        ),
        Small("real_dynamic_slice", "real_dynamic_slice", (_TEN, _list(2), _list(9), _list(2)), "tensor<4xf32>"),
        Small("gather", "gather", (_GRID, _ROWS), "tensor<2x4xf32>", f"{gather}, slice_sizes = array<i64: 1, 4>"),
        Small("dynamic_gather", "dynamic_gather", (_GRID, _ROWS, _list(1, 4)), "tensor<2x4xf32>", gather),
        Small("scatter, add", "scatter", (_TEN, _PLACES, _UPDATES), _TEN[0], scatter, _SUM),
        Small("scatter, maximum", "scatter", (_TEN, _PLACES, _UPDATES), _TEN[0], scatter, _LARGEST),
        Small("scatter, newest", "scatter", (_TEN, _PLACES, _UPDATES), _TEN[0], scatter, _NEWEST),
        Small("scatter, two ops", "scatter", (_TEN, _PLACES, _UPDATES), _TEN[0], scatter, _MIXED),
        Small("scatter, rows", "scatter", (_GRID, _ROWS, window_updates), _GRID[0], windows, _SUM),
    ]


def _combining() -> list[Small]:
    windows = "window_dimensions = array<i64: 2>, window_strides = array<i64: 2>"
    grid_windows = "window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>"
    choice = f"{_GREATER}, {_SUM}"
    selected: Operand = ("tensor<2x2xf32>", np.ones((2, 2)))
    five: Operand = ("tensor<5xf32>", range(5))
    solve = "lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose {}>"
    here, there = f"left_side = true, {solve}", f"left_side = false, {solve}"
    all_, rows = "dimensions = array<i64: 0, 1>", "dimensions = array<i64: 1>"
    right: Operand = ("tensor<3x1xf32>", [[1], [2], [3]])
    wide: Operand = ("tensor<2x3xf32>", np.ones((2, 3)))
    return [
        Small("reduce, add, to a scalar", "reduce", (_TEN, _ZERO), _ZERO[0], "dimensions = array<i64: 0>", _SUM),
        Small("reduce, add, rows", "reduce", (_GRID, _ZERO), "tensor<3xf32>", rows, _SUM),
        Small("reduce, maximum, to a scalar", "reduce", (_GRID, _ZERO), _ZERO[0], all_, _LARGEST),
        Small("reduce, two ops, to a scalar", "reduce", (_GRID, _ZERO), _ZERO[0], all_, _MIXED),
        Small("reduce_window, add, 1-d", "reduce_window", (_TEN, _ZERO), five[0], windows, _SUM),
        Small("reduce_window, maximum, 2-d", "reduce_window", (_GRID, _ZERO), selected[0], grid_windows, _LARGEST),
        Small("select_and_scatter, 1-d", "select_and_scatter", (_TEN, five, _ZERO), _TEN[0], windows, choice),
        Small(
            "select_and_scatter, 2-d", "select_and_scatter", (_GRID, selected, _ZERO), _GRID[0], grid_windows, choice
        ),
        Small("cholesky", "cholesky", (_SQUARE,), _SQUARE[0], "lower = true"),
        Small("triangular_solve", "triangular_solve", (_SQUARE, right), right[0], here.format("NO_TRANSPOSE")),
        Small("triangular_solve, right", "triangular_solve", (_SQUARE, wide), wide[0], there.format("TRANSPOSE")),
    ]


def nanoseconds(engine: str, case: Small, budget: float) -> float | None:
    """The time of one op, or None where the engine cannot run it."""
    process = subprocess.run(
        [sys.executable, str(ENGINES), engine],
        input=pickle.dumps((case.program, case.arguments(), budget)),
        capture_output=True,
        check=False,
    )
    return float(process.stdout.split()[-1]) / COPIES * 1e9 if process.returncode == 0 else None


def main() -> int:
    """The exit code: 0 when nothing is slower than in the official interpreter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=0.3, help="seconds for each program in each engine")
    parser.add_argument("--only", default="", help="only ops whose name contains this")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    options = parser.parse_args()
    slower = 0
    lines = ["| op | official ns | stablehlo-py ns | faster by |", "|---|--:|--:|--:|"]
    print("\n".join(lines))
    for case in [*_moving(), *_indexing(), *_combining()]:
        if options.only not in case.name:
            continue
        official, ours = [nanoseconds(engine, case, options.budget) for engine in ("official", "ours")]
        if ours is None:
            raise SystemExit(f"{case.name}: our own run failed")
        if official is None:
            lines.append(f"| {case.name} | cannot run it | {ours:,.0f} | |")
        else:
            slower += official < ours
            lines.append(f"| {case.name} | {official:,.0f} | {ours:,.0f} | {official / ours:.2f}x |")
        print(lines[-1], flush=True)
    if options.write:
        page.put("small_ops", "Ops on small arrays; made by `python benchmarks/small_ops.py`.\n\n" + "\n".join(lines))
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
