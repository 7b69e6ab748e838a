"""Chains of slices, transpositions, broadcasts and reversals become one op that moves the same, by one pattern."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations, product

import numpy as np
import pytest
from one_pattern import applied

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations

Slice = tuple[int, int, int]


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


def tensor(shape: tuple[int, ...] | list[int]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}i32>"


def rewritten(x: np.ndarray, wanted: list[np.ndarray], lines: list[str], pattern: str) -> list[str]:
    """The names of the ops that are left of a program, which computes what it did; `%rN` is what is wanted."""
    results = ", ".join(f"%r{number}" for number in range(len(wanted)))
    types = ", ".join(tensor(each.shape) for each in wanted)
    body = "\n".join(lines)
    module, _ = applied(
        f"func.func @main(%x: {tensor(x.shape)}) -> ({types}) {{\n{body}\nreturn {results} : {types}\n}}", pattern
    )
    for line, found, value in zip(lines, stablehlo_py.interpret(module, [x]), wanted, strict=False):
        np.testing.assert_array_equal(np.asarray(found), value, err_msg=line)
    return [op.name.removeprefix("stablehlo.") for op in operations(module.operation)[2:-1]]


def slice_of(operand: str, result: str, before: np.ndarray, *spans: Slice) -> tuple[str, np.ndarray]:
    text = ", ".join(":".join(map(str, span)) for span in spans)
    after = before[tuple(slice(*span) for span in spans)]
    return f"{result} = stablehlo.slice {operand} [{text}] : ({tensor(before.shape)}) -> {tensor(after.shape)}", after


def test_a_slice_of_a_slice_takes_the_same_elements() -> None:
    x = np.arange(22, dtype=np.int32).reshape(11, 2)
    inner: list[Slice] = [(0, 11, 1), (0, 11, 2), (1, 10, 3), (3, 9, 1), (4, 11, 5), (5, 5, 1), (7, 8, 9)]
    outer: list[Slice] = [(0, 1, 1), (1, 2, 1), (0, 3, 2), (1, 4, 2), (0, 0, 1), (1, 1, 2), (2, 6, 3), (0, 5, 4)]
    lines, wanted, empty = list[str](), list[np.ndarray](), 0
    for one, other in product(inner, outer):
        count = len(range(*one))
        if other[1] <= count:
            number = len(wanted)
            first, between = slice_of("%x", f"%m{number}", x, one, (0, 2, 1))
            second, found = slice_of(f"%m{number}", f"%r{number}", between, other, (1, 2, 1))
            lines.append(f"{first}\n{second}")
            wanted.append(found)
            empty += found.size == 0
    left = rewritten(x, wanted, lines, "slice_of_slice")
    assert len(wanted) > 30
    assert empty > 5
    assert left.count("slice") == len(wanted) + empty, "what has no elements stays as it is"


def subsets(rank: int) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(range(rank), count) for count in range(rank + 1)))


def test_a_reversal_of_a_reversal_reverses_what_one_of_them_does() -> None:
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    lines, wanted = list[str](), list[np.ndarray]()
    for one, other in product(subsets(3), repeat=2):
        number, type_ = len(wanted), tensor(x.shape)
        lines.append(
            f"%m{number} = stablehlo.reverse %x, dims = {list(one)} : {type_}\n"
            f"%r{number} = stablehlo.reverse %m{number}, dims = {list(other)} : {type_}"
        )
        wanted.append(np.flip(np.flip(x, one), other))
    assert rewritten(x, wanted, lines, "reverse_of_reverse").count("reverse") == len(wanted)


def transposed(operand: str, result: str, before: tuple[int, ...], permutation: tuple[int, ...]) -> str:
    after = [before[dim] for dim in permutation]
    return (
        f"{result} = stablehlo.transpose {operand}, dims = {list(permutation)} : ({tensor(before)}) -> {tensor(after)}"
    )


def test_a_transposition_of_a_transposition_is_one() -> None:
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    lines, wanted = list[str](), list[np.ndarray]()
    for one, other in product(permutations(range(3)), repeat=2):
        number, between = len(wanted), x.transpose(one)
        lines.append(
            f"{transposed('%x', f'%m{number}', x.shape, one)}\n"
            f"{transposed(f'%m{number}', f'%r{number}', between.shape, other)}"
        )
        wanted.append(between.transpose(other))
    assert rewritten(x, wanted, lines, "transpose_of_transpose").count("transpose") == len(wanted)


def broadcast(x: np.ndarray, dims: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
    """What the specification says of broadcast_in_dim."""
    order = sorted(range(x.ndim), key=lambda dim: dims[dim])
    sizes = [x.shape[dims.index(dim)] if dim in dims else 1 for dim in range(len(shape))]
    return np.broadcast_to(x.transpose(order).reshape(sizes), shape)


def spread(operand: str, result: str, before: tuple[int, ...], dims: tuple[int, ...], after: tuple[int, ...]) -> str:
    return (
        f"{result} = stablehlo.broadcast_in_dim {operand}, dims = {list(dims)} : ({tensor(before)}) -> {tensor(after)}"
    )


SPREADS = [((0, 1), (2, 3, 4)), ((1, 0), (3, 2, 4)), ((2, 0), (3, 4, 2)), ((0, 2), (2, 4, 3)), ((1, 2), (4, 2, 3))]


def test_a_transposed_broadcast_is_one() -> None:
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    lines, wanted = list[str](), list[np.ndarray]()
    for (dims, shape), permutation in product(SPREADS, permutations(range(3))):
        number = len(wanted)
        lines.append(
            f"{spread('%x', f'%m{number}', x.shape, dims, shape)}\n"
            f"{transposed(f'%m{number}', f'%r{number}', shape, permutation)}"
        )
        wanted.append(broadcast(x, dims, shape).transpose(permutation))
    left = rewritten(x, wanted, lines, "transpose_of_broadcast")
    assert left == ["broadcast_in_dim"] * len(wanted)


def test_a_broadcast_of_a_broadcast_is_one() -> None:
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    lines, wanted = list[str](), list[np.ndarray]()
    for (dims, shape), outer in product(SPREADS, combinations(range(4), 3)):
        between = broadcast(x, dims, shape)
        for order in set(permutations(outer)):
            after = tuple(shape[order.index(dim)] if dim in order else 5 for dim in range(4))
            number = len(wanted)
            lines.append(
                f"{spread('%x', f'%m{number}', x.shape, dims, shape)}\n"
                f"{spread(f'%m{number}', f'%r{number}', shape, order, after)}"
            )
            wanted.append(broadcast(between, order, after))
    left = rewritten(x, wanted, lines, "broadcast_of_broadcast")
    assert left == ["broadcast_in_dim"] * len(wanted)


def test_a_broadcast_that_permutes_is_a_transposition() -> None:
    x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    lines, wanted = list[str](), list[np.ndarray]()
    for dims in permutations(range(3)):
        shape = tuple(x.shape[dims.index(dim)] for dim in range(3))
        lines.append(spread("%x", f"%r{len(wanted)}", x.shape, dims, shape))
        wanted.append(broadcast(x, dims, shape))
    assert rewritten(x, wanted, lines, "broadcast_is_transpose") == ["transpose"] * len(wanted)


USED = "stablehlo.custom_call @use({}) {{has_side_effect = true}} : ({}) -> ()"
INNER_AND_OUTER = {
    "pad_of_pad": (
        "%m = stablehlo.pad %x, %z, low = [1], high = [0], interior = [0] : (tensor<4xi32>, tensor<i32>) -> T",
        "%r = stablehlo.pad %m, %z, low = [0], high = [1], interior = [0] : (T, tensor<i32>) -> tensor<6xi32>",
        "tensor<5xi32>",
        "tensor<6xi32>",
    ),
    "transpose_of_broadcast": (
        "%m = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xi32>) -> T",
        "%r = stablehlo.transpose %m, dims = [1, 0] : (T) -> tensor<3x4xi32>",
        "tensor<4x3xi32>",
        "tensor<3x4xi32>",
    ),
    "concatenate_of_concatenate": (
        "%m = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xi32>, tensor<4xi32>) -> T",
        "%r = stablehlo.concatenate %m, %x, dim = 0 : (T, tensor<4xi32>) -> tensor<12xi32>",
        "tensor<8xi32>",
        "tensor<12xi32>",
    ),
    "select_by_broadcast_negation": (
        "%n = stablehlo.not %p : tensor<i1>\n%m = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i1>) -> T",
        "%r = stablehlo.select %m, %x, %y : T, tensor<4xi32>",
        "tensor<4xi1>",
        "tensor<4xi32>",
    ),
}


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("pattern", INNER_AND_OUTER)
def test_an_inner_op_that_something_else_uses_is_not_made_twice(pattern: str, is_shared: bool) -> None:
    first, second, between, result = INNER_AND_OUTER[pattern]
    lines = [first, second, USED.format("%r", result), USED.format("%m", between) if is_shared else ""]
    body = "\n".join(lines).replace("(T", f"({between}").replace("-> T", f"-> {between}").replace(": T", f": {between}")
    parameters = "%x: tensor<4xi32>, %y: tensor<4xi32>, %z: tensor<i32>, %p: tensor<i1>"
    module, fires = applied(f"func.func @main({parameters}) {{\n{body}\nreturn\n}}", pattern)
    assert fires != is_shared, module
