"""Windows, slices, pads, reversals and concatenations along a dimension that is cut: devices send each other ranges."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installed import needs

import stablehlo_py
from stablehlo_py.debug.equivalence import DIFFERENT, same_function
from stablehlo_py.passes.catalog import available_passes
from stablehlo_py.passes.pipeline import Pipeline, run_pipeline
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.collectives import collectives
from stablehlo_py.spmd.halos import Halo
from stablehlo_py.spmd.simulation import fingerprint_runs, global_results

pytestmark = needs("partition")

ADD = """({ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %s = stablehlo.add %l, %r : tensor<f32>
        stablehlo.return %s : tensor<f32> })"""


def program(devices, size, op, result):
    """A program in which `op` makes %0 of %a, cut along dimension 0, and of the scalar %z."""
    cut = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    before, after = f"tensor<{size}x2xf32>", f"tensor<{result}x2xf32>"
    return stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"={devices}]>
    func.func @main(%a: {before} {cut}, %z: tensor<f32>) -> ({after} {cut}) {{
      {op.replace("BEFORE", before).replace("AFTER", after)}
      return %0 : {after}
    }}""")


def window(size, extent=3, stride=1, apart=1, dilation=1, low=0, high=0):
    """A window over the rows, and the number of its results."""
    op = f"""%0 = "stablehlo.reduce_window"(%a, %z) {ADD} {{window_dimensions = array<i64: {extent}, 1>,
        window_strides = array<i64: {stride}, 1>, window_dilations = array<i64: {apart}, 1>,
        base_dilations = array<i64: {dilation}, 1>, padding = dense<[[{low}, {high}], [0, 0]]> : tensor<2x2xi64>}}
        : (BEFORE, tensor<f32>) -> AFTER"""
    return op, max((low + high + (size - 1) * dilation - (extent - 1) * apart) // stride + 1, 0)


def convolution(size, extent=3, stride=1, apart=1, dilation=1, low=0, high=0):
    """A convolution of the rows, and the number of its results."""
    _, count = window(size, extent, stride, apart, dilation, low, high)
    kernel = [[[float(n), 1.0], [1.0, -float(n)]] for n in range(extent)]
    op = f"""%b = stablehlo.reshape %a : (BEFORE) -> tensor<1x{size}x2xf32>
      %w = stablehlo.constant dense<{kernel}> : tensor<{extent}x2x2xf32>
      %d = stablehlo.convolution(%b, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{stride = [{stride}],
        pad = [[{low}, {high}]], lhs_dilate = [{dilation}], rhs_dilate = [{apart}]}}
        {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
        : (tensor<1x{size}x2xf32>, tensor<{extent}x2x2xf32>) -> tensor<1x{count}x2xf32>
      %0 = stablehlo.reshape %d : (tensor<1x{count}x2xf32>) -> AFTER"""
    return op, count


def slice_of(start, limit, stride=1):
    """A slice of the rows, and the number of its rows."""
    return f"%0 = stablehlo.slice %a [{start}:{limit}:{stride}, 0:2] : (BEFORE) -> AFTER", -(-(limit - start) // stride)


def pad(size, low, high, interior=0):
    """Padded rows, and their number."""
    op = f"%0 = stablehlo.pad %a, %z, low = [{low}, 0], high = [{high}, 0], interior = [{interior}, 0]"
    return f"{op} : (BEFORE, tensor<f32>) -> AFTER", size + low + high + (size - 1) * interior


def concatenation(size, other):
    """The rows with others of them around, and the number of all."""
    op = f"""%b = stablehlo.slice %a [0:{other}, 0:2] : (BEFORE) -> OTHER
      %0 = stablehlo.concatenate %b, %a, %b, dim = 0 : (OTHER, BEFORE, OTHER) -> AFTER""".replace(
        "OTHER", f"tensor<{other}x2xf32>"
    )
    return op, size + 2 * other


def agree(module):
    """Return the collectives, once the devices give what the global program gives, and are the same function."""
    types = [argument.type for argument in module.body.operations[1].regions[0].blocks[0].arguments]
    arguments = [np.random.default_rng(0).integers(1, 9, type_.shape).astype(np.float32) for type_ in types]
    found = partition(module)
    for result, expected in zip(simulate(found, arguments).results, global_results(module, arguments), strict=True):
        np.testing.assert_array_equal(result, expected)
    assert same_function([fingerprint_runs(module, partial(simulate, found), arguments)]).verdict != DIFFERENT
    return [(one.op.removeprefix("stablehlo."), one.bytes_sent) for one in found.collectives]


@st.composite
def drawn(draw):
    """Devices, a number of rows, and an op on them."""
    few = st.integers(1, 3)
    devices = draw(st.sampled_from([2, 3, 4, 6]))
    size = devices * draw(st.integers(1, 4)) + draw(st.sampled_from([0, 0, 0, 1]))
    kind = draw(st.sampled_from([window, window, convolution, slice_of, pad, concatenation, "reverse"]))
    if kind == "reverse":
        return devices, size, "%0 = stablehlo.reverse %a, dims = [0] : BEFORE", size
    if kind is slice_of:
        start = draw(st.integers(0, size - 1))
        return devices, size, *slice_of(start, draw(st.integers(start + 1, size)), draw(few))
    if kind is concatenation:
        return devices, size, *concatenation(size, draw(st.integers(1, size)))
    if kind is pad:
        low, high = draw(st.integers(-size // 3, 5)), draw(st.integers(-size // 3, 5))
        return devices, size, *pad(size, low, high, draw(few) - 1)
    sides = draw(st.integers(-1, 4)), draw(st.integers(-1, 4))
    return devices, size, *kind(size, draw(st.integers(1, 6)), draw(few), draw(few), draw(few), *sides)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(drawn())
def test_drawn_ops_along_a_dimension_that_is_cut_give_the_global_results(case):
    if case[3] > 0:
        agree(program(*case))


MOVED = {
    # Sixteen rows of 8 bytes, four on each device: gathering sends 96 bytes.
    "a window of three rows sends one to each side": (16, window(16, 3, low=1, high=1), [8, 8]),
    "a strided window": (16, window(16, 3, stride=2, low=0, high=1), [8]),
    "windows that do not overlap": (16, window(16, 2, stride=2), []),
    "a window wider than a part": (16, window(16, 11, low=5, high=5), [8, 32, 32, 8]),
    "a window of dilated rows": (16, window(16, 3, dilation=2, low=1, high=2), [8]),
    "a window as wide as all rows, in a running sum": (16, window(16, 16, low=15), [32, 32, 32]),
    "a convolution": (16, convolution(16, 3, low=1, high=1), [8, 8]),
    "a convolution with dilated rows": (16, convolution(16, 3, apart=2, low=2, high=2), [16, 16]),
    "a convolution without padding": (16, convolution(16, 5), [24, 24]),
    "a reversal": (16, ("%0 = stablehlo.reverse %a, dims = [0] : BEFORE", 16), [32]),
    "a slice of the middle": (16, slice_of(4, 12), [16, 16]),
    "a strided slice of all": (16, slice_of(0, 16, 2), []),
    "a pad on both sides": (16, pad(16, 2, 2), [8, 8]),
    "a pad that cuts": (16, pad(16, -2, -2), [8, 8]),
    "rows between rows": (16, pad(16, 1, 0, 1), []),
    "windows of nothing but padding": (16, window(16, 3, low=24, high=-22), []),
}


@pytest.mark.parametrize("name", MOVED)
def test_devices_send_what_their_neighbours_need(name):
    size, (op, result), sent = MOVED[name]
    assert agree(program(4, size, op, result)) == [("collective_permute", size) for size in sent]


@pytest.mark.parametrize(
    ("devices", "size", "made", "sent"),
    [
        (4, 15, window(15, 3, low=1, high=2), 96),  # padded to 16 rows
        (8, 16, window(16, 24, low=12, high=11), 112),
        (64, 128, slice_of(0, 64), 126 * 8),
        (4, 16, pad(16, 3, 3, 2), 96),  # a part of 13 rows begins with a row of the operand, the next between two
    ],
    ids=["rows that do not divide", "a halo of all other rows", "too many pieces", "parts that begin differently"],
)
def test_rows_are_gathered_where_a_halo_does_not_move_less(devices, size, made, sent):
    assert agree(program(devices, size, *made)) == [("all_gather", sent)]


def test_ranges_that_all_end_behind_the_operand_are_filled_there():
    """No piece comes to the end of any of them."""
    assert agree(program(2, 4, *window(4, 7, high=6))) == [("collective_permute", 16)]


@pytest.mark.parametrize(("op", "result"), [("slice %a [4:12, 0:0]", 8), ("slice %a [1:16:2, 0:0]", 8)])
def test_devices_send_each_other_no_rows_without_elements(op, result):
    cut = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    module = stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"=4]>
    func.func @main(%a: tensor<16x0xf32> {cut}) -> (tensor<{result}x0xf32> {cut}) {{
      %0 = stablehlo.{op} : (tensor<16x0xf32>) -> tensor<{result}x0xf32>
      return %0 : tensor<{result}x0xf32>
    }}""")
    assert agree(module) == []


def test_a_halo_moves_fewer_bytes_than_the_image_that_was_gathered_before(monkeypatch):
    """The convolution of the how-to: two rows of 64 pixels of 16 bytes from each device, not seven stripes of eight."""
    cut = '{sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>}'
    module = stablehlo_py.parse(f"""sdy.mesh @mesh = <["x"=8]>
    func.func @main(%a: tensor<1x64x64x4xf32> {cut}, %k: tensor<3x3x4x4xf32>) -> tensor<1x64x64x4xf32> {{
      %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
        : (tensor<1x64x64x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x64x64x4xf32>
      return %0 : tensor<1x64x64x4xf32>
    }}""")
    found = partition(module)
    row = 64 * 4 * 4
    assert found.bytes_sent == 2 * row
    asked = [one.demand for one in found.collectives]
    assert [demand.wanted for demand in asked] == ['1 before and 1 behind each part of dimension 1, along {"x"}'] * 2
    assert all(demand.is_halo and demand.consumer == "stablehlo.convolution" for demand in asked)
    monkeypatch.setattr(Halo, "need", lambda *_: None)
    assert partition(module).bytes_sent == 7 * 8 * row == 57_344


def test_two_windows_of_one_value_share_their_halo():
    op, result = window(16, 3, low=1, high=1)
    both = f"{op.replace('%0', '%1')}\n{op.replace('%0', '%2')}\n%0 = stablehlo.add %1, %2 : AFTER"
    assert agree(program(4, 16, both, result)) == [("collective_permute", 8)] * 2


@pytest.mark.parametrize("made", [pad(16, 2, 2), window(16, 3, low=1, high=1)], ids=["pads", "windows"])
def test_two_ranges_of_one_value_are_filled_with_values_of_their_own(made):
    op, result = made
    other = op.replace("%0", "%2").replace("%z", "%y")
    both = f"%y = stablehlo.add %z, %z : tensor<f32>\n{op.replace('%0', '%1')}\n{other}"
    agree(program(4, 16, f"{both}\n%0 = stablehlo.multiply %1, %2 : AFTER", result))


@pytest.mark.parametrize("devices", [2, 4])
@pytest.mark.parametrize(
    ("size", "made"),
    [
        (0, pad(0, 4, 4)),
        (0, pad(0, 0, 8)),
        (0, pad(0, 8, 0)),
        (8, slice_of(3, 3)),
        (8, slice_of(0, 0)),
        (8, slice_of(8, 8)),
        (8, pad(8, -8, 0)),
        (8, window(8, 9)),
        (0, ("%0 = stablehlo.reverse %a, dims = [0] : BEFORE", 0)),
        (0, slice_of(0, 0)),
    ],
)
def test_nothing_is_cut_as_something_is(size, made, devices):
    agree(program(devices, size, *made))


RANGES = [
    [slice_of(start, start + 12) for start in (0, 1, 3, 4)],
    [slice_of(start, start + 8) for start in (0, 1, 5, 8)],
    [slice_of(0, 16, 2), slice_of(1, 16, 2), slice_of(4, 12)],
    [window(16, extent, low=low, high=extent - 1 - low) for extent, low in ((3, 0), (3, 1), (3, 2), (5, 2), (1, 0))],
    [pad(16, low, 4 - low) for low in (0, 1, 2, 4)],
]


@pytest.mark.parametrize("made", RANGES)
def test_each_op_on_one_value_gets_the_range_that_it_needs(made):
    lines = []
    for number, (op, result) in enumerate(made):
        lines.append(op.replace("%0", f"%r{number}"))
        total = f"%s{number - 1}" if number > 1 else "%r0"
        if number:
            lines.append(f"%s{number} = stablehlo.add {total}, %r{number} : AFTER")
        assert result == made[0][1]
    lines.append(f"%0 = stablehlo.negate %s{len(made) - 1} : AFTER")
    agree(program(4, 16, "\n".join(lines), made[0][1]))


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        (window(16, 3, low=1, high=1), 2),  # two devices at the ends get nothing of one side
        (window(16, 3, stride=2, low=0, high=1), 1),
        (window(16, 2, stride=2), 0),
        (("%0 = stablehlo.reverse %a, dims = [0] : BEFORE", 16), 0),
        (slice_of(0, 16, 2), 0),
    ],
)
def test_a_device_asks_for_its_number_where_parts_differ_and_nowhere_else(made, asked):
    """What is the same on all devices is a constant of the program."""
    assert str(partition(program(4, 16, *made)).module).count("stablehlo.partition_id") == asked


@pytest.mark.skipif("sdy-resolve-permutation-factors" not in available_passes(), reason="this provider has no halos")
@pytest.mark.parametrize("name", MOVED)
def test_devices_send_no_more_than_with_the_halos_of_shardy(name):
    size, (op, result), sent = MOVED[name]
    module = program(4, size, op, result)
    for one in (
        "sdy-propagation-pipeline",
        "func.func(sdy-insert-explicit-reshards{enable-full-version=true})",
        "sdy-resolve-permutation-factors{partition-count=4}",
        "func.func(sdy-reshard-to-collectives)",
        "sdy-convert-global-to-local{partition-count=4}",
    ):
        run_pipeline(module, Pipeline.from_text(one, nest=True))
    assert sum(sent) <= sum(one.bytes_sent for one in collectives(module))
