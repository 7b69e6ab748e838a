"""Tables of docs/arithmetic.md: values at zeros, poles, branch cuts and infinities, and functions of CHLO."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.types import element_type
from stablehlo_py.dialect.facts import op_names
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.chlo import lower_chlo
from stablehlo_py.interpreter.element_types import arithmetic
from stablehlo_py.interpreter.element_types.special_values import FUNCTIONS

PAGE = (Path(__file__).parents[3] / "docs" / "arithmetic.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (`\(.*) \|$", PAGE, flags=re.MULTILINE)
CASES = [(name, *case) for name, cases in ROWS for case in re.findall(r"`(\(.+?\)) → (.+?)`", cases)]
VALUES = {"pi": math.pi, "pi/2": math.pi / 2, "pi/4": math.pi / 4, "3pi/4": 3 * math.pi / 4, "-pi": -math.pi}
PARTS = [0.0, -0.0, 1.0, -2.0, 1e300, math.inf, -math.inf, math.nan]
GRID = np.array([complex(*parts) for parts in itertools.product(PARTS, PARTS)])
NOT_FUNCTIONS = "broadcast_|_asin|is_|conj|constant|next_after|mulhi|ragged_dot|scan|top_k"
"""Ops of CHLO that are exact, ops for ops of StableHLO, and one that others are made of."""

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def numbers(text: str) -> list[float]:
    return [VALUES[part] if part in VALUES else float(part) for part in text.strip("()").split(", ")]


def parts_of(name: str, type_name: str, *operands: np.ndarray) -> list[np.ndarray]:
    elements = arithmetic(element_type(type_name))
    with np.errstate(all="ignore"):
        result = getattr(elements, name)(*[operand.astype(elements.dtype) for operand in operands])
    return [result.real, result.imag] if result.dtype.kind == "c" else [result]


def test_every_function_has_its_row() -> None:
    assert sorted(name for name, _ in ROWS) == sorted(FUNCTIONS)
    assert len(CASES) > 130


@pytest.mark.parametrize("type_name", ["complex<f32>", "complex<f64>"])
@pytest.mark.parametrize(("name", "operands", "results"), CASES)
def test_values(name: str, operands: str, results: str, type_name: str) -> None:
    given = numbers(operands)
    pairs = [np.array([complex(*given[index : index + 2])]) for index in range(0, len(given), 2)]
    for part, expected in zip(parts_of(name, type_name, *pairs), numbers(results), strict=True):
        np.testing.assert_array_equal(part, np.array([expected], part.dtype))
        assert np.isnan(part) or np.signbit(part[0]) == np.signbit(expected)


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"abs", "divide", "power", "sign"}))
def test_conjugates_and_parity(name: str) -> None:
    """At every pair of zeros, finite numbers, infinities and NaN. Zeros beside NaN are of any sign, and so are
    those that two infinite parts give."""
    same = [(GRID.conj(), (1, -1))]
    same += [(-GRID, (-1, -1))] if name in ("sine", "tan", "tanh") else [(-GRID, (1, 1))] if name == "cosine" else []
    for operand, signs in same:
        here, there = [parts_of(name, "complex<f64>", values) for values in (GRID, operand)]
        is_open = np.isnan(here).any(axis=0) | (np.isinf(GRID.real) & np.isinf(GRID.imag)) | np.isnan(GRID)
        for own, other, sign in zip(here, there, signs, strict=True):
            np.testing.assert_array_equal(own[~is_open], sign * other[~is_open])
            np.testing.assert_array_equal(np.signbit(own[~is_open]), np.signbit(sign * other[~is_open]))


def steps(op: str, type_name: str) -> int | None:
    """Return the number of ops that the official pass makes of a function. None if it refuses such elements."""
    type_ = f"tensor<2x{type_name}>"
    arity = 2 if op in ("chlo.zeta", "chlo.polygamma") else 1
    arguments = ", ".join([f"%{index}: {type_}" for index in range(arity)])
    line = f'"{op}"({", ".join(["%0", "%1"][:arity])}) : ({", ".join([type_] * arity)}) -> {type_}'
    text = f"func.func @main({arguments}) -> {type_} {{ %r = {line}\n return %r : {type_} }}"
    try:
        lowered = lower_chlo(parsed(text).operation)
    except (ir.MLIRError, InterpreterError):
        return None
    function = lowered.regions[0].blocks[0].operations[0]
    names = [inner.name for inner in function.regions[0].blocks[0].operations]
    return len([name for name in names if name not in ("stablehlo.constant", "func.return")])


def test_functions_of_chlo() -> None:
    table = re.findall(r"^\| (`chlo\..*) \| (.*) \| (.*) \|$", PAGE, flags=re.MULTILINE)
    said = {name: row[1:] for row in table for name in re.findall(r"`(chlo\.\w+)`", row[0])}
    assert said.keys() == {op for op in op_names("chlo") if not re.match(rf"chlo\.({NOT_FUNCTIONS})", op)}
    words = {None: "none", 1: "one op, rounded once"}
    for name, row in said.items():
        counts = [steps(name, type_name) for type_name in ("f32", "complex<f64>")]
        assert [words.get(count, "several ops, each rounded") for count in counts] == list(row), name
