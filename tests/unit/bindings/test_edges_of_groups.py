"""Groups of devices by attributes: dense tables, and axes of meshes that are written out or named."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from installed import needs_dialect
from parsed import parsed, shared_context

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.meshes import (
    MOST_DEVICES,
    AxisRef,
    Mesh,
    groups_along,
    read_mesh,
    replica_groups,
    symbol_mesh,
)
from stablehlo_py.bindings.provider import stablehlo_extension
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import StablehloError

needs_mesh_axes = pytest.mark.skipif(
    not hasattr(stablehlo_extension, "ReplicaGroupMeshAxesAttr"), reason="the bindings have no groups by axes"
)
TWO_BY_THREE = '[#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 3>]'
WRITTEN = f"#stablehlo.mesh<axes = {TWO_BY_THREE}>"
PLACED = f"#stablehlo.mesh<axes = {TWO_BY_THREE}, device_ids = dense<[5, 4, 3, 2, 1, 0]> : tensor<6xi64>>"
FOUR = '#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>'
X, Y = '#stablehlo.axis_ref<name = "x">', '#stablehlo.axis_ref<name = "y">'


def nothing(_name: str) -> None:
    return None


def groups(text: str, symbol: Callable[[str], ir.Operation | None] = nothing) -> list[list[int]]:
    return replica_groups(ir.Attribute.parse(text, shared_context()), symbol)


def along(mesh: str, *axes: str, symbol: Callable[[str], ir.Operation | None] = nothing) -> list[list[int]]:
    return groups(f"#stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = [{', '.join(axes)}]>", symbol)


def test_a_table_has_a_group_a_row_without_padding() -> None:
    assert groups("dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>") == [[0, 1, 2], [3]]
    assert groups("dense<> : tensor<0x0xi64>") == []
    assert groups("dense<[[-2, 1]]> : tensor<1x2xi64>") == [[-2, 1]]


@needs_mesh_axes
def test_axes_of_a_mesh_that_is_written_out_make_groups() -> None:
    assert along(WRITTEN, X) == [[0, 3], [1, 4], [2, 5]]
    assert along(WRITTEN, Y) == [[0, 1, 2], [3, 4, 5]]
    assert along(WRITTEN, Y, X) == [[0, 3, 1, 4, 2, 5]]
    assert along(WRITTEN) == [[0], [1], [2], [3], [4], [5]]
    assert along(PLACED, X) == [[5, 2], [4, 1], [3, 0]]
    assert along(FOUR, '#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>') == [[0, 2], [1, 3]]
    assert along(FOUR, '#stablehlo.axis_ref<name = "x", sub_axis_info = (2)2>') == [[0, 1], [2, 3]]


def named(text: str) -> tuple[ir.Module, Callable[[str], ir.Operation | None]]:
    """A module, which has to live, and what finds its symbols."""
    module = parsed(text)
    known = {ir.StringAttr(op.attributes["sym_name"]).value: op for op in operations(module.operation)
             if "sym_name" in op.attributes}  # fmt: skip
    return module, known.get


@needs_dialect("sdy")
def test_a_mesh_may_be_named() -> None:
    _module, symbol = named(
        """
      sdy.mesh @plain = <["x"=2, "y"=2], device_ids=[3, 2, 0, 1]>
      sdy.mesh @other = <["x"=2]> {stablehlo.mesh = {axes = [{name = "z", size = 3 : i64}]}}
      sdy.mesh @placed = <["x"=2]> {stablehlo.mesh = {
        axes = [{name = "z", size = 2 : i64}, {name = "y", size = 1 : i64}],
        device_ids = dense<[1, 0]> : tensor<2xi64>}}
      func.func private @function()
    """
    )
    assert symbol_mesh("plain", symbol) == Mesh({"x": 2, "y": 2}, (3, 2, 0, 1))
    assert symbol_mesh("other", symbol) == Mesh({"z": 3}, (0, 1, 2))
    assert symbol_mesh("placed", symbol) == Mesh({"z": 2, "y": 1}, (1, 0))
    for name in ("nobody", "function"):
        with pytest.raises(StablehloError, match=f"no mesh @{name} is defined in the module"):
            symbol_mesh(name, symbol)


@needs_mesh_axes
@needs_dialect("sdy")
def test_groups_go_along_the_axes_of_a_named_mesh() -> None:
    _module, symbol = named('sdy.mesh @m = <["x"=2, "y"=2]>')
    assert along("@m", X, symbol=symbol) == [[0, 2], [1, 3]]
    with pytest.raises(StablehloError, match="no mesh @m is defined"):
        along("@m", X)
    with pytest.raises(StablehloError, match=re.escape("the mesh has no axis 'z'; it has x, y")):
        along("@m", '#stablehlo.axis_ref<name = "z">', symbol=symbol)


def test_a_mesh_without_axes_is_one_device_and_parts_of_an_axis_keep_their_order() -> None:
    assert groups_along(Mesh({}, (7,)), []) == [[7]]
    mesh = Mesh({"x": 12}, tuple(range(12)))
    assert groups_along(mesh, [AxisRef("x", 4, 3)]) == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert groups_along(mesh, [AxisRef("x", 2, 2), AxisRef("x", 1, 2)])[0] == [0, 6, 3, 9]
    for part in (AxisRef("x", 5, None), AxisRef("x", 8, 1), AxisRef("x", 1, 5)):
        with pytest.raises(StablehloError, match="cannot be split"):
            groups_along(mesh, [part])


def test_a_mesh_has_at_most_so_many_devices() -> None:
    with pytest.raises(StablehloError, match=f"the limit is {MOST_DEVICES}"):
        read_mesh(f'#sdy.mesh<["x"={MOST_DEVICES + 1}], device_ids=[0]>')
    with pytest.raises(StablehloError, match="has 1 device ids"):  # so many are not too many
        read_mesh(f'#sdy.mesh<["x"={MOST_DEVICES}], device_ids=[0]>')
