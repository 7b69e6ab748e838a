"""The formulas of the importer's decompositions against numpy's functions, with numpy's arrays for torch's tensors."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy_torch import Overload, Tensor, tensor, torch_module

from stablehlo_py.artifacts.formats import torch_decompositions
from stablehlo_py.artifacts.formats.torch_decompositions import _Own

INTEGERS = tensor([-7, -6, -3, -1, 0, 2, 5, 6])
DIVISORS = tensor([2, -2, 3, -3, -5, 4, -4, 3])
FLOATS = tensor([-5.5, -2.5, -0.5, 0.0, 0.75, 4.0, 6.0, -6.0])
MATRIX = tensor(np.arange(24.0).reshape(2, 3, 4))


@pytest.fixture(name="torch")
def _torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(sys.modules, "torch", torch_module())
    return sys.modules["torch"]


def table(torch: Any, pools: dict[Any, Any] | None = None) -> dict[str, Callable[..., Any]]:
    """The decompositions by the names of the ops."""
    return {repr(op): function for op, function in _Own({} if pools is None else pools).table().items()}


BINARY = [
    *[(name, x, y, reference) for name, reference in (("remainder", np.remainder), ("fmod", np.fmod))
      for x, y in ((INTEGERS, DIVISORS), (FLOATS, DIVISORS.astype(float).view(Tensor)))],
    ("bitwise_and", INTEGERS, DIVISORS, np.bitwise_and),
    ("bitwise_or", INTEGERS, DIVISORS, np.bitwise_or),
    ("bitwise_xor", INTEGERS, DIVISORS, np.bitwise_xor),
    ("bitwise_left_shift", INTEGERS, abs(DIVISORS), np.left_shift),
    ("bitwise_right_shift", INTEGERS, abs(DIVISORS), np.right_shift),
    ("__lshift__", INTEGERS, abs(DIVISORS), np.left_shift),
    ("__rshift__", INTEGERS, abs(DIVISORS), np.right_shift),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "x", "y", "reference"), BINARY, ids=lambda each: each if isinstance(each, str) else ""
)
def test_binary_ops_of_tensors_and_of_numbers(
    name: str, x: Tensor, y: Tensor, reference: Callable[..., Any], torch: Any
) -> None:
    found = table(torch)
    packet = getattr(torch.ops.aten, name)
    numbers = [5, 3, 2] if x.dtype.kind == "i" else [2.5, -2.5, 2]
    for form in packet.overloads():
        decomposed = found.get(f"{name}.{form}")
        if form == "Tensor":
            own = decomposed if decomposed is not None else packet.Tensor
            np.testing.assert_array_equal(own(x, y), reference(x, y))
            continue
        assert decomposed is not None, form
        for number in numbers:
            arguments = (number, y) if form == "Scalar_Tensor" else (x, number)
            np.testing.assert_array_equal(decomposed(*arguments), reference(*arguments), err_msg=f"{form} {number}")
            assert packet.Tensor.called or name in ("remainder", "fmod", "__lshift__", "__rshift__")


def test_what_torch_mlir_lowers_right_has_no_decomposition(torch: Any) -> None:
    found = table(torch)
    assert not {"bitwise_and.Tensor", "fmod.Tensor", "lt.Tensor"} & found.keys()
    assert {"fmod.Scalar", "bitwise_and.Scalar", "bitwise_and.Scalar_Tensor", "lt.Scalar", "ge.Scalar"} <= found.keys()


def test_the_remainder_has_the_sign_of_the_divisor(torch: Any) -> None:
    x, y = (tensor(each.ravel()) for each in np.meshgrid(np.arange(-6, 7), [-4, -3, -1, 1, 3, 4]))
    np.testing.assert_array_equal(table(torch)["remainder.Tensor"](x, y), x % y)
    np.testing.assert_array_equal(table(torch)["remainder.Tensor"](x / 2, y / 2), (x / 2) % (y / 2))


@pytest.mark.parametrize(
    ("name", "shift"), [("bitwise_left_shift", "bitwise_left_shift"), ("__rshift__", "bitwise_right_shift")]
)
def test_shifted_tensors_have_one_shape(name: str, shift: str, torch: Any) -> None:
    own = table(torch)[f"{name}.Tensor"]
    op: Overload = getattr(torch.ops.aten, shift).Tensor
    x, y = tensor([[1, 2, 3], [4, 5, 6]]), tensor([1])
    np.testing.assert_array_equal(own(x, y), op.compute(x, y))
    ((first, second),) = op.called
    assert first.shape == second.shape == (2, 3)


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge"])
def test_floats_are_compared_with_floats(name: str, torch: Any) -> None:
    own, op = table(torch)[f"{name}.Scalar"], getattr(torch.ops.aten, name).Scalar
    np.testing.assert_array_equal(own(FLOATS, 4), op.compute(FLOATS, 4.0))
    assert [type(number) for _, number in op.called] == [float]
    assert own(FLOATS, 4.0) is NotImplemented
    assert own(INTEGERS, 4) is NotImplemented
    assert len(op.called) == 1


@pytest.mark.parametrize("offset", range(-4, 6))
@pytest.mark.parametrize("dims", [(0, 1), (1, 2), (2, 0), (-1, -2)])
def test_diagonals(offset: int, dims: tuple[int, int], torch: Any) -> None:
    found = table(torch)["diagonal.default"](MATRIX, offset, *dims)
    wanted = np.diagonal(MATRIX, offset, *dims)
    if wanted.size:
        np.testing.assert_array_equal(found, wanted)
    else:
        assert found is NotImplemented


def test_the_diagonal_is_by_default_that_of_the_first_two_dimensions(torch: Any) -> None:
    np.testing.assert_array_equal(table(torch)["diagonal.default"](MATRIX), np.diagonal(MATRIX))
    np.testing.assert_array_equal(table(torch)["diagonal.default"](MATRIX, 1), np.diagonal(MATRIX, 1))
    for shape in ((4, 2, "n"), (4, "n", 2)):  # where a size is unknown
        unknown = SimpleNamespace(movedim=lambda *_, shape=shape: SimpleNamespace(shape=shape))
        assert table(torch)["diagonal.default"](unknown) is NotImplemented


def test_the_complement_of_the_error_function(torch: Any) -> None:
    found = table(torch)["erfc.default"](FLOATS)
    np.testing.assert_allclose(found, [math.erfc(x) for x in FLOATS], rtol=1e-12, atol=1e-16)


def test_empty_tensors_have_the_size_and_the_type(torch: Any) -> None:
    found = table(torch)["empty.memory_format"]((2, 3), dtype=np.int8, device="cpu", pin_memory=False)
    assert (found.shape, found.dtype, found.any()) == ((2, 3), np.int8, False)


INDICES = [
    [tensor([-1, 0, 1])],
    [None, tensor([-1, 2])],
    [None, None, tensor([-4, -1, 3])],
    [tensor([0, -1]), tensor([-3, 2])],
    [tensor([-2, 1]), None, tensor([3, -1])],
    [tensor([True, False]), None, tensor([-1])],
    [tensor(MATRIX[:, :, 0] > 5), tensor([-1, -2, 0, 1])],
]


@pytest.mark.parametrize("indices", INDICES, ids=range(len(INDICES)))
def test_negative_indices_count_from_the_end(indices: list[Any], torch: Any) -> None:
    wanted = MATRIX[tuple(slice(None) if index is None else index for index in indices)]
    np.testing.assert_array_equal(table(torch)["index.Tensor"](MATRIX, indices), wanted)
    changed = table(torch)["index_put.default"](MATRIX, indices, np.zeros(()) - 7.0)
    expected = MATRIX.copy()
    expected[tuple(slice(None) if index is None else index for index in indices)] = -7
    np.testing.assert_array_equal(changed, expected)


def test_indices_that_torch_found_safe_are_left_as_they_are(torch: Any) -> None:
    found = table(torch)["_unsafe_index.Tensor"](MATRIX, [tensor([1, 0])])
    np.testing.assert_array_equal(found, MATRIX[[1, 0]])
    assert len(torch.ops.aten.index.Tensor.called) == 1


def test_values_at_indices_are_added_where_asked(torch: Any) -> None:
    own, op = table(torch)["index_put.default"], torch.ops.aten.index_put.default
    x = tensor([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(own(x, [tensor([-1, 2, 0])], tensor([10.0, 20.0, 30.0]), True), [31, 2, 33])
    mask = tensor([True, False, True])
    np.testing.assert_array_equal(own(x, [mask], tensor(9.0)), [9, 2, 9])
    assert len(op.called) == 1, "a mask with one value is a selection"
    np.testing.assert_array_equal(own(x, [mask], tensor(9.0), True), [10, 2, 12])
    np.testing.assert_array_equal(own(x, [mask], tensor([7.0, 8.0])), [7, 2, 8])
    assert len(op.called) == 3
    rows = table(torch)["index_put.default"](tensor([[1.0, 2.0], [3.0, 4.0]]), [tensor([False, True])], tensor(0.0))
    np.testing.assert_array_equal(rows, [[1, 2], [0, 0]])


def test_an_op_in_its_own_decomposition_stays(torch: Any) -> None:
    own = _Own({})
    found = {repr(op): function for op, function in own.table().items()}
    inner: list[Any] = []

    def inside(*arguments: Any) -> None:
        inner.append(found["index.Tensor"](MATRIX, [tensor([-1])]))
        inner.append(found["index_put.default"](MATRIX, [tensor([-1])], tensor(0.0)))
        inner.append(found["__lshift__.Tensor"](INTEGERS, INTEGERS))

    own.plainly(inside)
    assert inner == [NotImplemented] * 3
    with pytest.raises(ZeroDivisionError):
        own.plainly(lambda: 1 // 0)
    assert found["index.Tensor"](MATRIX, [tensor([-1])]) is not NotImplemented


def test_pools_are_torchs_only_if_a_window_may_end_beyond_the_padding(torch: Any) -> None:
    op = Overload("max_pool2d_with_indices.default", lambda *arguments: ("op", *arguments))
    pool = table(torch, {op: lambda *arguments: ("torch", *arguments)})["max_pool2d_with_indices.default"]
    assert pool("x", 3, 2, 1, 1, True) == ("torch", "x", 3, 2, 1, 1, True)
    assert pool("x", 3, 2, 1) is NotImplemented
    assert pool("x", 3, 2) is NotImplemented
    assert pool("x", 3) == ("op", "x", 3, 3, 0, 1)
    assert pool("x", 3, [], 1, 2) == ("op", "x", 3, 3, 1, 2)


def test_the_table_is_torch_mlirs_with_torchs_and_our_own(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[Any]] = []

    def get_decompositions(ops: list[Any]) -> dict[Any, str]:
        asked.append(ops)
        return dict.fromkeys(ops, "torch")

    aten = torch.ops.aten
    names = ("upsample_nearest2d", "addmv", *torch_decompositions._POOLS)
    aten.__dict__.update({name: Overload(name, lambda *arguments: "op") for name in names})
    known = {aten.erfc.default: "torch-mlir", aten.addmv: "torch-mlir", "other": "torch-mlir"}
    util = type(torch)("torch_mlir.extras.fx_decomp_util")
    util.__dict__["get_decomposition_table"] = lambda: known
    decomp = type(torch)("torch._decomp")
    decomp.__dict__["get_decompositions"] = get_decompositions
    monkeypatch.setitem(sys.modules, "torch._decomp", decomp)
    monkeypatch.setitem(sys.modules, "torch_mlir.extras.fx_decomp_util", util)
    monkeypatch.setitem(sys.modules, "torch_mlir.extras", type(torch)("torch_mlir.extras"))
    found = torch_decompositions.decompositions()
    assert asked == [
        [aten.upsample_nearest2d, aten.addmv],
        [getattr(aten, name) for name in torch_decompositions._POOLS],
    ]
    assert (found["other"], found[aten.addmv], found[aten.upsample_nearest2d]) == ("torch-mlir", "torch", "torch")
    assert found[aten.erfc.default] not in ("torch", "torch-mlir")
    assert found[getattr(aten, names[-1])]("x", 3, 3, 0, 1, False) is NotImplemented
    assert known[aten.erfc.default] == "torch-mlir", "their table is not changed"
