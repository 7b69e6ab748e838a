"""A partitioned program, run on all its devices, gives the global program's results."""

from __future__ import annotations

import itertools
import json
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from installed import needs
from warm_tools import tool

import stablehlo_py
from stablehlo_py.errors import InputError, PassError, ResourceError, StablehloError, VerificationError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.spmd import Collective, Links, Timeline, partition, side_by_side, simulate, simulation
from stablehlo_py.spmd.collectives import collectives
from stablehlo_py.spmd.simulation import global_results

pytestmark = needs("partition")

LAYER = """sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x32xf64>, %b: tensor<32x8xf64>) -> tensor<16x8xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<16x32xf64>, tensor<32x8xf64>) -> tensor<16x8xf64>
  %1 = stablehlo.tanh %0 : tensor<16x8xf64>
  return %1 : tensor<16x8xf64>
}"""
AXES = ["{}", '{"x"}', '{"y"}', '{"x", "y"}']


@pytest.fixture
def arguments():
    random = np.random.default_rng(0)
    return [random.standard_normal(shape) for shape in ((16, 32), (32, 8))]


def valid(*dimensions):
    used = [axis for dimension in dimensions for axis in ("x", "y") if f'"{axis}"' in dimension]
    return len(used) == len(set(used))


PAIRS = [pair for pair in itertools.product(AXES, AXES) if valid(*pair)]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_whatever_the_shardings_the_results_are_the_global_ones(pair, arguments):
    module = stablehlo_py.parse(LAYER)
    other = PAIRS[(PAIRS.index(pair) * 5 + 3) % len(PAIRS)]
    inputs = {0: f"[{pair[0]}, {pair[1]}]", 1: f"[{other[0]}, {other[1]}]"}
    found = partition(module, in_shardings=inputs, out_shardings={0: f"[{other[1]}, {{}}]"})
    simulated = simulate(found, arguments)
    np.testing.assert_allclose(simulated.results[0], global_results(module, arguments)[0], rtol=1e-12)
    assert len(simulated.parts) == 8


@pytest.mark.parametrize("axes", ['"y", "x"', '"x":(2)2, "x":(1)2', '"x":(1)2, "y"', '"y", "x":(2)2'])
def test_products_are_summed_over_axes_in_any_order(axes, arguments):
    module = stablehlo_py.parse(LAYER)
    found = partition(module, in_shardings={0: f"[{{}}, {{{axes}}}]", 1: f"[{{{axes}}}, {{}}]"})
    simulated = simulate(found, arguments)
    np.testing.assert_allclose(simulated.results[0], global_results(module, arguments)[0], rtol=1e-12)
    assert "all_reduce" in {one.op.partition(".")[2] for one in found.collectives}


def test_products_of_what_an_op_computes_are_summed(arguments):
    text = LAYER.replace("  %0 = ", "  %t = stablehlo.tanh %a : tensor<16x32xf64>\n  %0 = ").replace(
        "%a, %b, con", "%t, %b, con"
    )
    module = stablehlo_py.parse(text)
    found = partition(module, in_shardings={0: '[{}, {"x"}]', 1: '[{"x"}, {}]'})
    assert [one.op for one in found.collectives] == ["stablehlo.all_reduce"]
    (expected,) = global_results(module, arguments)
    np.testing.assert_allclose(simulate(found, arguments).results[0], expected, rtol=1e-12)


def test_devices_that_do_not_fit_are_refused_before_anything_is_cut(arguments, monkeypatch):
    monkeypatch.setattr(simulation, "_cut", lambda *_: pytest.fail("it was cut"))
    found = partition(stablehlo_py.parse(LAYER), mesh={"x": 4096, "y": 2048})
    with pytest.raises(ResourceError, match=r"8388608 processes need about \d+ bytes, more than the limit of 1000000"):
        simulate(found, arguments, Settings(max_memory=10**6))
    with pytest.raises(StablehloError, match="a mesh of 1099511627776 devices is too large: the limit is 16777216"):
        partition(stablehlo_py.parse(LAYER), mesh={"x": 1 << 20, "y": 1 << 20})


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (
            "[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]",
            r"outside the grid of 1 replicas by 8 partitions: \(replica 1, partition 0\)",
        ),
        ("[[0, 1], [2, 3], [4, 5]]", "no group with .*6.*7"),
    ],
)
def test_groups_that_would_wait_forever_are_refused_before_the_run(groups, message, arguments):
    found = partition(stablehlo_py.parse(LAYER), in_shardings={0: '[{"x"}, {"y"}]', 1: '[{"y"}, {}]'})
    old = "[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x"
    text = str(found.module).replace(old, f"{groups}> : tensor<{groups.count('[') - 1}x")
    with pytest.raises(PassError, match=message):
        simulate(replace(found, module=stablehlo_py.parse(text)), arguments)


def test_the_module_stays_as_it_is():
    module = stablehlo_py.parse(LAYER)
    before = str(module)
    partition(module, in_shardings={0: '[{"x"}, {}]'})
    assert str(module) == before


def test_another_mesh_makes_other_parts(arguments):
    module = stablehlo_py.parse(LAYER)
    found = partition(module, mesh={"x": 2, "y": 2}, in_shardings={0: '[{"x"}, {"y"}]', 1: '[{"y"}, {}]'})
    assert len(found.mesh.device_ids) == 4
    assert simulate(found, arguments).parts[0][0].shape == (8, 8)


def test_collectives_are_counted_with_groups_and_bytes():
    found = partition(stablehlo_py.parse(LAYER), in_shardings={0: '[{"x"}, {"y"}]', 1: '[{"y"}, {}]'})
    (reduction,) = found.collectives
    assert reduction.op == "stablehlo.all_reduce"
    assert reduction.groups == ((0, 1), (2, 3), (4, 5), (6, 7))
    part = 4 * 8 * 8  # bytes of a device's 4 x 8 result
    assert reduction.bytes_sent == 2 * part // 2
    propagated = {value.name for value in found.values if not value.given and value.sharding}
    assert {"result 0", "stablehlo.dot_general", "stablehlo.tanh"} <= propagated


def test_calls_are_inlined_first(arguments):
    text = LAYER.replace("%1 = stablehlo.tanh %0", "%1 = func.call @f(%0)").replace(
        ": tensor<16x8xf64>\n  return", ": (tensor<16x8xf64>) -> tensor<16x8xf64>\n  return"
    )
    text += """
func.func private @f(%a: tensor<16x8xf64>) -> tensor<16x8xf64> {
  %0 = stablehlo.tanh %a : tensor<16x8xf64>
  return %0 : tensor<16x8xf64> }"""
    module = stablehlo_py.parse(text)
    found = partition(module, in_shardings={0: '[{"x"}, {}]'})
    np.testing.assert_allclose(simulate(found, arguments).results[0], global_results(module, arguments)[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"in_shardings": {7: "[{}, {}]"}}, "no value number 7"),
        ({"in_shardings": {0: "[{"}}, "not an attribute of Shardy's"),
    ],
)
def test_mistakes_are_told(options, message):
    with pytest.raises(InputError, match=message):
        partition(stablehlo_py.parse(LAYER), **options)


def test_a_sharding_of_another_rank_is_an_error():
    with pytest.raises(VerificationError, match="sharding doesn't match tensor rank: 1 != 2"):
        partition(stablehlo_py.parse(LAYER), in_shardings={0: '[{"x"}]'})


def test_a_program_without_a_mesh_asks_for_one():
    text = LAYER.partition("\n")[2]
    with pytest.raises(InputError, match="no mesh"):
        partition(stablehlo_py.parse(text))
    assert partition(stablehlo_py.parse(text), mesh={"x": 2}).collectives == ()


def test_an_axis_that_the_mesh_lacks_is_an_error():
    with pytest.raises(StablehloError):
        partition(stablehlo_py.parse(LAYER), in_shardings={0: '[{"z"}, {}]'})


def test_from_the_command_line(tmp_path):
    path = tmp_path / "layer.mlir"
    path.write_text(LAYER)

    def verb(*arguments):
        return subprocess.run([tool("stablehlo"), *arguments], capture_output=True, text=True)

    shardings = ['--in-sharding=0=[{"x"}, {"y"}]', '--in-sharding=1=[{"y"}, {}]']
    local = verb("partition", str(path), *shardings)
    assert "stablehlo.all_reduce" in local.stdout, local.stderr
    assert "tensor<4x16xf64>" in local.stdout
    report = verb("partition", str(path), "--report", *shardings).stdout
    assert "stablehlo.all_reduce: 4 groups of 2, 256 B a device" in report
    checked = verb("simulate", str(path), "--check", f"--trace={tmp_path / 'time.json'}", *shardings)
    assert json.loads((tmp_path / "time.json").read_text())["traceEvents"]
    agreement = "1 result of 8 devices agrees with the global program\ncut along x, y: 2 arguments, 1 result and "
    assert checked.stdout.startswith(agreement), checked.stderr
    assert verb("partition", str(path), "--mesh=x").returncode == 2


def test_what_is_not_divided_evenly_is_padded_or_kept_whole():
    text = LAYER.replace("16x", "10x").replace("32x8", "32x7").replace("10x8", "10x7")
    random = np.random.default_rng(0)
    arguments = [random.standard_normal(shape) for shape in ((10, 32), (32, 7))]
    module = stablehlo_py.parse(text)
    found = partition(module, in_shardings={0: '[{"x"}, {}]', 1: '[{}, {"y"}]'}, out_shardings={0: '[{"y"}, {"x"}]'})
    assert [(one.kind, one.number, one.dimension, one.size, one.padded) for one in found.padding] == [
        ("argument", 0, 0, 10, 12),
        ("argument", 1, 1, 7, 8),
        ("result", 0, 1, 7, 8),
    ]
    assert {"stablehlo.dot_general", "stablehlo.tanh"} <= {one.op for one in found.kept_whole}
    simulated = simulate(found, arguments)
    np.testing.assert_allclose(simulated.results[0], global_results(module, arguments)[0], rtol=1e-12)
    assert {part.shape for (part,) in simulated.parts} == {(5, 2)}


def test_what_is_gathered_twice_is_gathered_once(arguments):
    text = LAYER.replace("%1 = stablehlo.tanh %0", "%2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]\n"
                         " : (tensor<16x32xf64>, tensor<32x8xf64>) -> tensor<16x8xf64>\n"
                         "%1 = stablehlo.add %0, %2")  # fmt: skip
    module = stablehlo_py.parse(text)
    found = partition(module, in_shardings={0: "[{}, {}]", 1: '[{"x"}, {}]'}, out_shardings={0: "[{}, {}]"})
    simulated = simulate(found, arguments)
    np.testing.assert_allclose(simulated.results[0], global_results(module, arguments)[0], rtol=1e-12)


def test_slices_and_pads_of_what_is_cut_are_brought_together(arguments):
    text = """sdy.mesh @mesh = <["x"=4, "y"=2]>
    func.func @main(%a: tensor<16x32xf64>, %b: tensor<32x8xf64>) -> (tensor<8x32xf64>, tensor<40x8xf64>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f64>
      %0 = stablehlo.negate %a : tensor<16x32xf64>
      %1 = stablehlo.slice %0 [4:12, 0:32] : (tensor<16x32xf64>) -> tensor<8x32xf64>
      %2 = stablehlo.pad %b, %zero, low = [3, 0], high = [5, 0], interior = [0, 0]
        : (tensor<32x8xf64>, tensor<f64>) -> tensor<40x8xf64>
      return %1, %2 : tensor<8x32xf64>, tensor<40x8xf64>
    }"""
    module = stablehlo_py.parse(text)
    found = partition(module, in_shardings={0: '[{"x"}, {"y"}]', 1: '[{"x", "y"}, {}]'})
    assert [one.op for one in found.collectives] == ["stablehlo.collective_permute"] * 4
    for result, expected in zip(simulate(found, arguments).results, global_results(module, arguments), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_every_value_is_listed_with_its_sharding():
    found = partition(stablehlo_py.parse(LAYER), in_shardings={0: '[{"x"}, {"y"}]', 1: '[{"y"}, {}]'})
    shown = [(value.name, '"x"' in value.sharding, value.given) for value in found.values]
    assert shown == [
        ("argument 0", True, True),
        ("argument 1", False, True),
        ("result 0", True, False),
        ("stablehlo.dot_general", True, False),
        ("stablehlo.tanh", True, False),
    ]


def test_a_time_line_shows_ops_and_waits_of_every_device(tmp_path, arguments):
    found = partition(stablehlo_py.parse(LAYER), in_shardings={0: '[{"x"}, {"y"}]', 1: '[{"y"}, {}]'})
    timeline = Timeline()
    simulate(found, arguments, Settings(listeners=(timeline,), make_grid=timeline.make_grid))
    events = [event for event in json.loads(timeline.as_json())["traceEvents"] if event["ph"] == "X"]
    ops = [event for event in events if event["cat"] == "op"]
    reductions = [event for event in ops if event["name"] == "stablehlo.all_reduce"]
    assert {event["tid"] for event in reductions} == set(range(8))
    assert sum(event["name"] == "stablehlo.tanh" for event in ops) == 8
    for group in ((0, 1), (2, 3), (4, 5), (6, 7)):  # who comes first waits for the other
        waits = [event for event in events if event["cat"] == "wait" and event["tid"] in group]
        assert len(waits) == 1
        begins = [event["ts"] for event in reductions if event["tid"] in group]
        assert waits[0]["ts"] + waits[0]["dur"] >= max(begins)


def test_a_receiver_waits_for_the_sender_on_the_time_line():
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}
        : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    timeline = Timeline()
    program = Program(stablehlo_py.parse(text), Settings(listeners=(timeline,), make_grid=timeline.make_grid))
    results = program.run_parallel([[np.float32(1)], [np.float32(2)]], num_replicas=2)
    assert [float(value) for (value,) in results] == [2.0, 1.0]
    assert {event["pid"] for event in timeline.events if event["cat"] == "op"} == {0, 1}


def test_a_ring_sends_a_message_for_each_other_device_twice_for_a_sum():
    links = Links(bandwidth=1000.0, latency=1.0)
    groups = ((0, 1, 2, 3),)

    def seconds(op: str, sent: int, runs: int = 1) -> float:
        return links.seconds(Collective(f"stablehlo.{op}", "", groups, sent, sent, runs))

    assert seconds("all_gather", 3000) == 3 + 3
    assert seconds("all_reduce", 6000, runs=10) == 10 * (6 + 6)
    assert seconds("collective_permute", 500) == 1.5
    assert seconds("collective_permute", 0) == 0  # every device keeps its part


SUM = (
    "({ ^bb0(%p: tensor<f32>, %q: tensor<f32>): %s = stablehlo.add %p, %q : tensor<f32> "
    "stablehlo.return %s : tensor<f32> })"
)
SENT = {  # for 32 bytes, in groups of four, two and one
    "all_gather": ("(%a) {all_gather_dim = 0 : i64, GROUPS}", (8 * 4, 8 * 2, 8), (96, 32, 0)),
    "all_reduce": (f"(%a) {SUM} {{GROUPS}}", (8, 8, 8), (48, 32, 0)),
    "reduce_scatter": (f"(%a) {SUM} {{scatter_dimension = 0 : i64, GROUPS}}", (2, 4, 8), (24, 16, 0)),
    "all_to_all": (
        "(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = COUNT : i64, GROUPS}",
        (8, 8, 8),
        (24, 16, 0),
    ),
    "collective_broadcast": ("(%a) {GROUPS}", (8, 8, 8), (32, 32, 0)),
}


def moved(op: str, size: int = 8) -> list[tuple[int, int, tuple[tuple[int, ...], ...]]]:
    module = stablehlo_py.parse(f"""func.func @main(%a: tensor<8xf32>) {{
      %0 = {op} : (tensor<8xf32>) -> tensor<{size}xf32>
      return
    }}""")
    return [(one.bytes_sent, one.bytes_received, one.groups) for one in collectives(module)]


@pytest.mark.parametrize("op", SENT)
def test_bytes_of_a_collective_in_groups_of_each_size(op):
    text, sizes, sent = SENT[op]
    for count, size, wanted in zip((4, 2, 1), sizes, sent, strict=True):
        rows = np.arange(4).reshape(-1, count).tolist()
        groups = f"replica_groups = dense<{rows}> : tensor<{len(rows)}x{count}xi64>"
        channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
        line = text.replace("GROUPS", f"{groups}, {channel}").replace("COUNT", str(count))
        assert moved(f'"stablehlo.{op}"{line}', size) == [(wanted, wanted, tuple(map(tuple, rows)))]


@pytest.mark.parametrize(
    ("pairs", "sent"), [([[0, 1], [1, 0]], 32), ([[0, 0], [1, 1]], 0), ([[0, 0], [1, 2]], 32), ([], 0)]
)
def test_bytes_of_a_permutation_that_may_keep_parts(pairs, sent):
    attribute = f"source_target_pairs = dense<{pairs or ''}> : tensor<{len(pairs)}x2xi64>"
    found = moved(f'"stablehlo.collective_permute"(%a) {{{attribute}}}')
    assert found == [(sent, sent, tuple(map(tuple, pairs)))]


def test_no_groups_are_no_bytes():
    assert moved(f'"stablehlo.all_reduce"(%a) {SUM} {{replica_groups = dense<> : tensor<0x0xi64>}}') == [(0, 0, ())]


def test_collectives_of_one_line_are_compared():
    def collective(op: str, location: str, sent: int, runs: int = 1) -> Collective:
        return Collective(op, location, ((0, 1),), sent, sent, runs)

    first = [collective("a", "f:1", 10), collective("a", "f:1", 5, runs=2), collective("b", "f:2", 7)]
    second = [collective("b", "f:2", 7), collective("c", "f:2", 30)]
    found = [(pair.op, pair.location, pair.bytes_sent) for pair in side_by_side(first, second)]
    assert found == [("c", "f:2", (0, 30)), ("a", "f:1", (20, 0)), ("b", "f:2", (7, 7))]
