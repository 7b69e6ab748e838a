"""Processes side by side: they meet, they pass values, and when they are stuck they say so."""

import threading

import numpy as np
import pytest

from stablehlo_py.errors import ArgumentError, CheckError, InterpreterError
from stablehlo_py.interpreter.process_grid import ProcessGrid, ProcessId
from stablehlo_py.interpreter.program import Program
from stablehlo_py.syntax import parse

GATHER = """
func.func @main(%operand: tensor<1xi64>) -> tensor<{count}xi64> {{
  %result = "stablehlo.all_gather"(%operand) {{
    all_gather_dim = 0 : i64, replica_groups = dense<[{ids}]> : tensor<1x{count}xi64>
  }} : (tensor<1xi64>) -> tensor<{count}xi64>
  return %result : tensor<{count}xi64>
}}
"""


def ids(*pairs):
    return tuple(ProcessId(*pair) for pair in pairs)


def all_reduce_of(op: str, operands: str = "%a, %b") -> str:
    return f"""%y = "stablehlo.all_reduce"(%x) ({{
      ^bb0(%a: tensor<i64>, %b: tensor<i64>):
        %c = stablehlo.{op} {operands} : tensor<i64>
        stablehlo.return %c : tensor<i64>
    }}) {{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<2x2xi64>) -> tensor<2x2xi64>"""


def all_gather_along(dimension: int) -> str:
    shape = ["2", "2"]
    shape[dimension] = "4"
    attributes = f"{{all_gather_dim = {dimension} : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}"
    return f"""%y = "stablehlo.all_gather"(%x) {attributes} : (tensor<2x2xi64>) -> tensor<{"x".join(shape)}xi64>"""


def test_process_groups_are_the_ones_of_the_spec():
    grid = ProcessGrid(4, 2)
    replica_groups = [[0, 1], [2, 3]]
    assert grid.cross_replica(replica_groups) == [
        ids((0, 0), (1, 0)),
        ids((0, 1), (1, 1)),
        ids((2, 0), (3, 0)),
        ids((2, 1), (3, 1)),
    ]
    assert grid.cross_replica_and_partition(replica_groups) == [
        ids((0, 0), (1, 0), (0, 1), (1, 1)),
        ids((2, 0), (3, 0), (2, 1), (3, 1)),
    ]
    assert ProcessGrid(4, 2).cross_partition([[0, 1]])[3] == ids((3, 0), (3, 1))
    assert grid.flattened_ids([[0, 1, 2, 3], [4, 5, 6, 7]])[1] == ids((2, 0), (2, 1), (3, 0), (3, 1))


@pytest.mark.parametrize(("replicas", "partitions"), [(1, 1), (2, 3), (3, 1)])
def test_a_grid_holds_the_processes_of_its_rows_and_columns(replicas, partitions):
    grid = ProcessGrid(replicas, partitions)
    inside = [(r, p) for r in range(-1, 4) for p in range(-1, 4) if ProcessId(r, p) in grid]
    assert inside == [(r, p) for r in range(replicas) for p in range(partitions)]
    assert [tuple(each) for each in grid.process_ids] == inside
    assert [tuple(each) for each in grid.local_ids] == inside


def test_sixteen_processes_gather():
    program = Program(parse(GATHER.format(count=16, ids=list(range(16)))))
    results = program.run_parallel([[np.array([i])] for i in range(16)], num_replicas=16)
    assert len(results) == 16
    assert all(np.array_equal(result, np.arange(16)) for (result,) in results)


def test_a_missing_partner_is_reported_not_waited_for():
    module = parse("""
    func.func @main(%pred: tensor<i1>, %operand: tensor<1xi64>) -> tensor<2xi64> {
      %result = "stablehlo.if"(%pred) ({
        %all = "stablehlo.all_gather"(%operand) {
          all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
        } : (tensor<1xi64>) -> tensor<2xi64>
        stablehlo.return %all : tensor<2xi64>
      }, {
        %none = stablehlo.constant dense<0> : tensor<2xi64>
        stablehlo.return %none : tensor<2xi64>
      }) : (tensor<i1>) -> tensor<2xi64>
      return %result : tensor<2xi64>
    }
    """)
    sets = [[np.array(True), np.array([1])], [np.array(False), np.array([2])]]
    with pytest.raises(InterpreterError, match="deadlock") as caught:
        Program(module).run_parallel(sets, num_replicas=2)
    (note, _) = caught.value.notes
    assert note.startswith("process (replica 0, partition 0) waits in stablehlo.all_gather at <string>:4:")
    assert note.endswith("for (replica 0, partition 0), (replica 1, partition 0)")


def test_a_failed_check_names_its_process():
    module = parse("""
    func.func @main(%value: tensor<i64>) {
      check.expect_eq_const %value, dense<3> : tensor<i64>
      return
    }
    """)
    with pytest.raises(CheckError) as caught:
        Program(module).run_parallel([[np.array(3)], [np.array(3)], [np.array(4)]], num_partitions=3)
    assert "in process (replica 0, partition 2)" in caught.value.notes
    assert "4 (actual) vs 3 (expected)" in str(caught.value)


def test_different_collectives_do_not_meet():
    module = parse("""
    func.func @main(%pred: tensor<i1>, %operand: tensor<2xi64>) -> tensor<2xi64> {
      %result = "stablehlo.if"(%pred) ({
        %one = "stablehlo.collective_broadcast"(%operand) {
          replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
        } : (tensor<2xi64>) -> tensor<2xi64>
        stablehlo.return %one : tensor<2xi64>
      }, {
        %two = "stablehlo.all_to_all"(%operand) {
          split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
          replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
        } : (tensor<2xi64>) -> tensor<2xi64>
        stablehlo.return %two : tensor<2xi64>
      }) : (tensor<i1>) -> tensor<2xi64>
      return %result : tensor<2xi64>
    }
    """)
    operand = np.array([1, 2])
    with pytest.raises(InterpreterError, match="of another process on channel 0"):
        Program(module).run_parallel([[np.array(True), operand], [np.array(False), operand]], num_replicas=2)


def test_infeed_of_the_api_is_shared_and_finite():
    module = parse("""
    func.func @main() -> tensor<i64> {
      %token = stablehlo.create_token : !stablehlo.token
      %value, %after = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
      return %value : tensor<i64>
    }
    """)
    program = Program(module)
    results = program.run_parallel([[], []], num_replicas=2, infeed=[(np.array(5),), (np.array(6),)])
    assert sorted(int(value) for (value,) in results) == [5, 6]
    with pytest.raises(InterpreterError, match="the infeed is empty"):
        program.run([])


def test_arguments_are_counted_by_process():
    program = Program(parse(GATHER.format(count=2, ids=[0, 1])))
    with pytest.raises(ArgumentError, match="1 sets of arguments for 2 processes"):
        program.run_parallel([[np.array([1])]], num_replicas=2)
    with pytest.raises(ArgumentError, match="argument 0 of function @main is tensor<i64>"):
        program.run_parallel([[np.array([1])], [np.array(1)]], num_replicas=2)


def all_reduce_on(groups):
    return f"""
    func.func @main(%operand: tensor<2xf32>) -> tensor<2xf32> {{
      %result = "stablehlo.all_reduce"(%operand) ({{
      ^bb0(%left: tensor<f32>, %right: tensor<f32>):
        %sum = stablehlo.add %left, %right : tensor<f32>
        stablehlo.return %sum : tensor<f32>
      }}) {{replica_groups = dense<{groups}> : tensor<{len(groups)}x{len(groups[0])}xi64>,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}} : (tensor<2xf32>) -> tensor<2xf32>
      return %result : tensor<2xf32>
    }}
    """


def test_a_thousand_processes_take_turns_in_one_thread(monkeypatch):
    def no_threads(*_):
        raise AssertionError("a thread was started")

    program = Program(parse(all_reduce_on([list(range(32))])))
    monkeypatch.setattr(threading.Thread, "start", no_threads)
    results = program.run_parallel(
        [[np.full(2, number, np.float32)] for number in range(1024)], num_replicas=32, num_partitions=32
    )
    assert {tuple(result.tolist()) for (result,) in results} == {(523776.0, 523776.0)}


def test_results_that_processes_share_are_each_callers_own():
    program = Program(parse(all_reduce_on([[0, 1]])))
    (first,), (second,) = program.run_parallel([[np.ones(2, np.float32)]] * 2, num_replicas=2)
    first[:] = 7
    assert second.tolist() == [2.0, 2.0]


def test_processes_wait_in_deep_calls():
    depth = 400
    calls = "\n".join(
        f"""func.func private @f{n}(%operand: tensor<2xf32>) -> tensor<2xf32> {{
          %result = func.call @f{n + 1}(%operand) : (tensor<2xf32>) -> tensor<2xf32>
          return %result : tensor<2xf32> }}"""
        for n in range(depth)
    )
    last = all_reduce_on([[0, 1, 2]]).replace("@main", f"private @f{depth}")
    program = Program(parse(calls.replace("private @f0", "@main") + last))
    results = program.run_parallel([[np.full(2, n, np.float32)] for n in range(3)], num_replicas=3)
    assert [result.tolist() for (result,) in results] == [[3.0, 3.0]] * 3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (all_reduce_of("add"), all_reduce_of("multiply")),
        (all_reduce_of("subtract", "%a, %b"), all_reduce_of("subtract", "%b, %a")),
        (all_gather_along(0), all_gather_along(1)),
    ],
)
def test_processes_agree_on_computations_and_dimensions(first, second):
    """Two branches run the same op on one channel, each in one of two processes."""
    text = f"""func.func @main(%x: tensor<2x2xi64>) {{
      %id = stablehlo.replica_id : tensor<ui32>
      %zero = stablehlo.constant dense<0> : tensor<ui32>
      %is_first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      "stablehlo.if"(%is_first) ({{ {first} stablehlo.return }}, {{ {second} stablehlo.return }}) : (tensor<i1>) -> ()
      return
    }}"""
    operands = [[np.ones((2, 2), np.int64)]] * 2
    with pytest.raises(InterpreterError, match="another computation or other dimensions on channel 0"):
        Program(parse(text)).run_parallel(operands, num_replicas=2)
    Program(parse(text.replace(second, first))).run_parallel(operands, num_replicas=2)


BRANCHES = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %id = stablehlo.partition_id : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %p = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({
    FIRST
    stablehlo.return %s : tensor<2xf32>
  }, {
    SECOND
    stablehlo.return %s : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}"""
SUM = """%s = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = CHANNEL, type = 1>} : (tensor<2xf32>) -> tensor<2xf32>"""


@pytest.mark.parametrize(("channels", "meet"), [((1, 1), True), ((1, 2), False), ((2, 1), False)])
def test_processes_meet_in_one_channel_alone(channels: tuple[int, int], meet: bool) -> None:
    first, second = (SUM.replace("CHANNEL", str(channel)) for channel in channels)
    module = parse(BRANCHES.replace("FIRST", first).replace("SECOND", second))
    sets = [[np.float32([1, 2])], [np.float32([3, 5])]]
    program = Program(module)
    if meet:
        found = program.run_parallel(sets, num_partitions=2)
        assert [np.asarray(row[0]).tolist() for row in found] == [[4, 7], [4, 7]]
    else:
        with pytest.raises(InterpreterError, match=r"'stablehlo\.all_reduce' op"):
            program.run_parallel(sets, num_partitions=2)


JOINED = """%g = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
        : (tensor<2xf32>) -> tensor<4xf32>
      %s = stablehlo.slice %g [0:2] : (tensor<4xf32>) -> tensor<2xf32>"""


def test_a_collective_that_meets_another_one_has_its_place() -> None:
    text = BRANCHES.replace("FIRST", SUM.replace("CHANNEL", "1")).replace("SECOND", JOINED)
    line = 1 + text[: text.index("stablehlo.all_gather")].count("\n")
    with pytest.raises(InterpreterError, match=r"meets stablehlo\.all_reduce of another process") as error:
        Program(parse(text)).run_parallel([[np.float32([1, 2])], [np.float32([3, 5])]], num_partitions=2)
    assert error.value.location.startswith(f"<string>:{line}:")
