"""Calls and ops that give each device its part of a tensor, and join parts: held against slices of numpy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.process_grid import NeedsPartitionsError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

X = np.arange(16, dtype=np.int32).reshape(4, 4)
# A sharding in GSPMD's and in Shardy's words, how often it cuts each dimension, and the index of each device's part.
SHARDINGS = [
    ("{devices=[2,1]<=[2]}", '[{"a"}, {}]', (2, 1), [(0, 0), (1, 0)]),
    ("{devices=[1,2]<=[2]}", '[{}, {"a"}]', (1, 2), [(0, 0), (0, 1)]),
    ("{devices=[2,2]<=[4]}", '[{"a"}, {"b"}]', (2, 2), [(0, 0), (0, 1), (1, 0), (1, 1)]),
    ("{devices=[2,2]<=[2,2]T(1,0)}", '[{"b"}, {"a"}]', (2, 2), [(0, 0), (1, 0), (0, 1), (1, 1)]),
    ("{devices=[4,1]<=[4]}", '[{"a", "b"}, {}]', (4, 1), [(0, 0), (1, 0), (2, 0), (3, 0)]),
    ("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", '[{"a"}, {}]', (2, 1), [(0, 0), (0, 0), (1, 0), (1, 0)]),
]
ADDED = """%id = stablehlo.partition_id : tensor<ui32>
  %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> PART
  %sum = stablehlo.add %part, %b : PART
"""


def part_of(cuts: tuple[int, int], index: tuple[int, int], array: np.ndarray = X) -> np.ndarray:
    return np.split(np.split(array, cuts[0], 0)[index[0]], cuts[1], 1)[index[1]]


def whole(cuts: tuple[int, int], places: list[tuple[int, int]], parts: list[np.ndarray]) -> np.ndarray:
    """The parts joined; of devices with the same part the first counts."""
    grid = [[parts[places.index((row, column))] for column in range(cuts[1])] for row in range(cuts[0])]
    return np.block(grid)


def part_type(cuts: tuple[int, int]) -> str:
    return f"tensor<{4 // cuts[0]}x{4 // cuts[1]}xi32>"


def gspmd(sharding: str, cuts: tuple[int, int]) -> str:
    part = part_type(cuts)
    return f"""func.func @main(%x: tensor<4x4xi32>) -> tensor<4x4xi32> {{
  %cut = stablehlo.custom_call @Sharding(%x) {{mhlo.sharding = "{sharding}"}} : (tensor<4x4xi32>) -> tensor<4x4xi32>
  %part = stablehlo.custom_call @SPMDFullToShardShape(%cut) {{mhlo.sharding = "{{manual}}"}}
      : (tensor<4x4xi32>) -> {part}
  {ADDED.replace("PART", part)}
  %held = stablehlo.custom_call @Sharding(%sum) {{mhlo.sharding = "{{manual}}"}} : ({part}) -> {part}
  %r = stablehlo.custom_call @SPMDShardToFullShape(%held) {{mhlo.sharding = "{sharding}"}}
      : ({part}) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}}"""


def shardy_calls(sharding: str, cuts: tuple[int, int], devices: int) -> str:
    part, axes = part_type(cuts), '"a"=2' if devices == 2 else '"a"=2, "b"=2'
    words = f"#sdy.sharding_per_value<[<@mesh, {sharding}>]>".replace('"', "\\22")
    manual = "#sdy<manual_axes{" + axes.replace("=2", "").replace('"', "\\22") + "}>"
    meshes = "{mesh = #sdy.mesh<[" + axes.replace('"', "\\22") + "]>}"
    return f"""module attributes {{mhlo.frontend_attributes = {{xla.sdy.meshes = "{meshes}"}}}} {{
func.func @main(%x: tensor<4x4xi32>) -> tensor<4x4xi32> {{
  %part = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {{mhlo.frontend_attributes = {{
      xla.sdy.in_shardings = "{words}", xla.sdy.manual_axes = "{manual}"}}}} : (tensor<4x4xi32>) -> {part}
  {ADDED.replace("PART", part)}
  %r = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%sum) {{mhlo.frontend_attributes = {{
      xla.sdy.out_shardings = "{words}", xla.sdy.manual_axes = "{manual}"}}}} : ({part}) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}} }}"""


def shardy_ops(sharding: str, cuts: tuple[int, int], devices: int) -> str:
    part, axes = part_type(cuts), '"a"=2' if devices == 2 else '"a"=2, "b"=2'
    return f"""sdy.mesh @mesh = <[{axes}]>
func.func @main(%x: tensor<4x4xi32>) -> tensor<4x4xi32> {{
  %r = sdy.manual_computation(%x) in_shardings=[<@mesh, {sharding}>] out_shardings=[<@mesh, {sharding}>]
      manual_axes={{{axes.replace("=2", "")}}} (%part: {part}) {{
    {ADDED.replace("PART", part)}
    sdy.return %sum : {part}
  }} : (tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}}"""


@pytest.mark.parametrize(("of_gspmd", "of_shardy", "cuts", "places"), SHARDINGS)
def test_each_device_adds_its_number_to_its_part(
    of_gspmd: str, of_shardy: str, cuts: tuple[int, int], places: list[tuple[int, int]]
) -> None:
    expected = whole(cuts, places, [part_of(cuts, index) + device for device, index in enumerate(places)])
    texts = [gspmd(of_gspmd, cuts), *[make(of_shardy, cuts, len(places)) for make in (shardy_calls, shardy_ops)]]
    if len(set(places)) < len(places):  # each device joins what it and its like hold, so parts that differ stay
        texts = texts[1:]
    for text, fast in itertools.product(texts, (True, False)):
        program = Program(parsed(text), Settings(fast=fast))
        for _ in range(2):
            (found,) = program.run([X])
            np.testing.assert_array_equal(found, expected, text)


def test_a_device_without_partitions_says_how_many_it_needs() -> None:
    text = gspmd(SHARDINGS[2][0], (2, 2))
    program = Program(parsed(text))
    with pytest.raises(NeedsPartitionsError, match="one of 4 devices holds; run it with as many partitions") as caught:
        program.run_parallel([[X]], num_replicas=1)
    assert caught.value.count == 4


def test_a_value_that_nothing_shards_stays_whole() -> None:
    text = """func.func @main(%x: tensor<4x4xi32>) -> tensor<4x4xi32> {
      %y = stablehlo.add %x, %x : tensor<4x4xi32>
      %part = stablehlo.custom_call @SPMDFullToShardShape(%y) : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %r = stablehlo.custom_call @SPMDShardToFullShape(%part) {mhlo.sharding = "{replicated}"}
          : (tensor<4x4xi32>) -> tensor<4x4xi32>
      return %r : tensor<4x4xi32>
    }"""
    np.testing.assert_array_equal(Program(parsed(text)).run([X])[0], 2 * X)


def collective(target: str, config: str, result: str, computation: str = "") -> str:
    called = f"called_computations = [@{computation}], " if computation else ""
    quoted = config.replace('"', "\\22")
    return f"""func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {{
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}}
func.func @main(%x: tensor<2x2xi32>) -> {result} {{
  %0 = stablehlo.custom_call @"{target}-start"(%x) {{{called}mhlo.frontend_attributes = {{
      async_collective_config = "{{{quoted}}}"}}}} : (tensor<2x2xi32>) -> {result}
  %1 = stablehlo.custom_call @"{target}-done"(%0) : ({result}) -> {result}
  return %1 : {result}
}}"""


PARTS = [np.arange(4, dtype=np.int32).reshape(2, 2) + 10 * device for device in range(4)]
GLOBAL = '"use_global_device_ids": true, "channel_id": 1'
PAIRS = '"replica_groups": [[0, 2], [3, 1]]'
PARTNERS = {0: [0, 2], 2: [0, 2], 3: [3, 1], 1: [3, 1]}


def of_group(device: int) -> list[np.ndarray]:
    return [PARTS[member] for member in PARTNERS[device]]


COLLECTIVES: dict[str, tuple[str, Any]] = {
    "gather rows": (
        collective("all-gather", f'"all_gather_dimension": 0, {PAIRS}, {GLOBAL}', "tensor<4x2xi32>"),
        lambda device: np.concatenate(of_group(device), 0),
    ),
    "gather columns": (
        collective("all-gather", f'"all_gather_dimension": 1, {PAIRS}, {GLOBAL}', "tensor<2x4xi32>"),
        lambda device: np.concatenate(of_group(device), 1),
    ),
    "reduce": (
        collective("all-reduce", f"{PAIRS}, {GLOBAL}", "tensor<2x2xi32>", "sum"),
        lambda device: np.add(*of_group(device)),
    ),
    "reduce in groups of different sizes": (
        collective("all-reduce", f'"replica_groups": [[0, 2, 3], [1]], {GLOBAL}', "tensor<2x2xi32>", "sum"),
        lambda device: PARTS[1] if device == 1 else PARTS[0] + PARTS[2] + PARTS[3],
    ),
    "scatter sums": (
        collective("reduce-scatter", f'"scatter_dimension": 1, {PAIRS}, {GLOBAL}', "tensor<2x1xi32>", "sum"),
        lambda device: np.split(np.add(*of_group(device)), 2, 1)[PARTNERS[device].index(device)],
    ),
    "exchange": (
        collective(
            "all-to-all",
            f'"split_dimension": 0, "concat_dimension": 1, "split_count": 2, {PAIRS}, "channel_id": 1',
            "tensor<1x4xi32>",
        ),
        lambda device: np.concatenate(
            [np.split(part, 2, 0)[PARTNERS[device].index(device)] for part in of_group(device)], 1
        ),
    ),
    "permute": (
        collective("collective-permute", '"permutation": [[0, 1], [1, 3]], "channel_id": 1', "tensor<2x2xi32>"),
        lambda device: {1: PARTS[0], 3: PARTS[1]}.get(device, np.zeros((2, 2), np.int32)),
    ),
}


@pytest.mark.parametrize("name", COLLECTIVES)
def test_asynchronous_collectives_are_those_of_their_groups(name: str) -> None:
    text, expected = COLLECTIVES[name]
    for fast in (True, False):
        program = Program(parsed(text), Settings(fast=fast))
        found = program.run_parallel([[part] for part in PARTS], num_partitions=4)
        assert len(found) == 4
        for device, (result,) in enumerate(found):
            np.testing.assert_array_equal(result, expected(device), f"device {device}")


def test_without_a_channel_groups_are_those_of_replicas() -> None:
    text = collective("all-reduce", '"replica_groups": [[0, 1]]', "tensor<2x2xi32>", "sum")
    program = Program(parsed(text))
    found = program.run_parallel([[part] for part in PARTS], num_replicas=2, num_partitions=2)
    for (result,), other in zip(found, (2, 3, 0, 1), strict=True):
        np.testing.assert_array_equal(result, PARTS[other] + PARTS[other ^ 2])


def test_a_channel_of_zero_is_none() -> None:
    text = collective("all-reduce", '"replica_groups": [[0, 1]], "channel_id": 0', "tensor<2x2xi32>", "sum")
    program = Program(parsed(text))
    found = program.run_parallel([[part] for part in PARTS], num_replicas=2, num_partitions=2)
    np.testing.assert_array_equal(found[1][0], PARTS[1] + PARTS[3])
    with pytest.raises(InterpreterError):
        Program(parsed(text.replace("[[0, 1]]", "[[0, x]]"))).run([PARTS[0]])
