"""Parts of programs: slices and what dies in them, regions on their way through a run, ops that are cut out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped, program

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.build import attributes_of
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.programs.slices import (
    Values,
    bodies,
    last_uses,
    run_ops,
    run_reference,
    run_until,
    slices,
    until,
)
from stablehlo_py.debug.programs.subject import OpLocation, Subject, examine, needed, place
from stablehlo_py.engines import Outcome
from stablehlo_py.errors import StablehloError

F = np.float32
T = "tensor<4xf32>"
X = F([0.5, -1, 2, 3])


def chain(length: int) -> Subject:
    return examine(program(*[f"%{n} = stablehlo.sine %{n - 1 if n else 'x'}" for n in range(length)], x=T))


@pytest.mark.parametrize(
    ("cap", "lengths"),
    [(0, [1] * 7), (16, [1] * 7), (31, [1] * 7), (32, [2, 2, 2, 1]), (48, [3, 3, 1]), (111, [6, 1]), (112, [7]),
     (1 << 20, [7])],
)  # fmt: skip
def test_a_slice_is_as_long_as_its_results_fit(cap: int, lengths: list[int]) -> None:
    subject = chain(7)
    found = list(slices(subject.ops, subject.results, cap))
    assert [len(part.ops) for part in found] == lengths
    assert [part.first for part in found] == [sum(lengths[:number]) for number in range(len(lengths))]
    assert [op for part in found for op in part.ops] == subject.ops


def test_a_slice_has_two_hundred_ops_at_most() -> None:
    subject = examine(
        program(*[f"%{n} = stablehlo.{'sine' if n % 7 else 'cosine'} %x" for n in range(401)], x="tensor<f32>")
    )
    lengths = [len(part.ops) for part in slices(subject.ops, subject.results, 1 << 30)]
    assert max(lengths) == 200
    assert sum(lengths) == 401


@pytest.mark.parametrize("cap", [0, 32, 64, 1 << 20])
def test_each_value_dies_in_the_slice_of_its_last_use(cap: int) -> None:
    subject = examine(
        program("%a = stablehlo.sine %x", "%b = stablehlo.add %a, %x", "%c = stablehlo.add %b, %a",
                "%d = stablehlo.abs %c", "%unused = stablehlo.negate %x", "%e = stablehlo.add %d, %b", x=T, y=T,
                results=(f"%e: {T}", f"%b: {T}"))
    )  # fmt: skip
    last = {value: number for number, op in enumerate(subject.ops) for value in (*needed(op), *op.results)}
    for value in subject.results:
        last[value] = len(subject.ops)
    assert last_uses(subject.ops, subject.results) == last
    dead: dict[ir.Value, int] = {}
    for part in slices(subject.ops, subject.results, cap):
        for value in part.dying:
            assert value not in dead
            dead[value] = part.first
            assert part.first <= last[value] < part.first + len(part.ops)
    assert set(dead) == {value for value, number in last.items() if number < len(subject.ops)}


LOOP = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.add %v, %x : tensor<4xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32> }"""


def examined(text: str, *arguments: np.ndarray) -> tuple[Subject, Values]:
    """A program, and the values of its ops up to its last one's operands."""
    subject = examine(parsed(text))
    values = dict(zip(subject.block.arguments, arguments, strict=True))
    return subject, values | run_ops(Local(), subject.extractor, subject.ops[:-1], values, isolated=False)[0]


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_conditions_and_bodies_of_a_loop_come_in_turns_with_the_state_of_each_round(rounds: int) -> None:
    subject, values = examined(LOOP, X, np.int32(rounds))
    found = list(bodies(subject.extractor, Local(), subject.ops[-1], values))
    titles = [f"{part}, iteration {n}" for n in range(rounds + 1) for part in ("condition", "body")][: 2 * rounds + 1]
    assert [each.title for each in found] == titles
    for number, each in enumerate(found):
        count = number // 2
        state = [np.int32(count), X * F(count + 1)]
        captured = [np.int32(rounds)] if not number % 2 else [X]
        assert [one.tolist() for one in each.arguments] == [one.tolist() for one in (*state, *captured)], each.title
        expected = [count < rounds] if not number % 2 else [count + 1, (X * F(count + 2)).tolist()]
        assert [one.tolist() for one in each.expected] == expected, each.title
        assert each.code == each.extract.bytecode()
        again = Local().run(each.code, each.arguments)
        assert [one.tolist() for one in again.results] == expected


@pytest.mark.parametrize("op", ["compare", "add"])
def test_a_loop_ends_where_the_reference_does_not_go_on(op: str) -> None:
    subject, values = examined(LOOP, X, np.int32(2))
    found = list(bodies(subject.extractor, Swapped(bad=op), subject.ops[-1], values))
    assert [each.title for each in found] == ([] if op == "compare" else ["condition, iteration 0"])


BRANCHES = """func.func @main(%i: tensor<INDEX>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.OP"(%i) ({
    %a = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %a : tensor<4xf32>
  }, {
    %a = stablehlo.cosine %x : tensor<4xf32>
    stablehlo.return %a : tensor<4xf32>
  }MORE) : (tensor<INDEX>) -> tensor<4xf32>
  return %0 : tensor<4xf32> }"""
THIRD = """, {
    %a = stablehlo.tanh %x : tensor<4xf32>
    stablehlo.return %a : tensor<4xf32>
  }"""


@pytest.mark.parametrize(
    ("op", "index", "taken"),
    [("if", True, "sine"), ("if", False, "cosine"), ("case", 0, "sine"), ("case", 1, "cosine"), ("case", 2, "tanh"),
     ("case", 3, "tanh"), ("case", -1, "tanh")],
)  # fmt: skip
def test_the_branch_that_runs_is_the_one_that_the_spec_says(op: str, index: int, taken: str) -> None:
    text = BRANCHES.replace("OP", op).replace("INDEX", "i1" if op == "if" else "i32")
    value = np.bool_(index) if op == "if" else np.int32(index)
    subject, values = examined(text.replace("MORE", "" if op == "if" else THIRD), value, X)
    (found,) = bodies(subject.extractor, Local(), subject.ops[-1], values)
    names = examine(found.extract.module)
    assert [each.name for each in names.ops] == [f"stablehlo.{taken}"]
    assert [one.tolist() for one in found.arguments] == [X.tolist()]
    branches = {"if": ("true branch", "false branch")}.get(op, ("branch 0", "branch 1", "branch 2"))
    assert found.title == branches[("sine", "cosine", "tanh").index(taken)]
    (whole,) = Local().run(subject.bytecode(), [value, X]).results
    assert Local().run(found.code, found.arguments).results[0].tobytes() == whole.tobytes()


REDUCE = """func.func @main(%x: tensor<4xf32>, %k: tensor<3xi32>, %s: tensor<f32>) -> tensor<f32> {
  %0:2 = "stablehlo.reduce"(%x, %x, %s, %s) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %e = stablehlo.add %a, %c : tensor<f32>
    %f = stablehlo.multiply %b, %d : tensor<f32>
    stablehlo.return %e, %f : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>)
    -> (tensor<f32>, tensor<f32>)
  return %0#0 : tensor<f32> }"""


def test_a_body_of_scalars_runs_on_elements_of_the_operands() -> None:
    subject, values = examined(REDUCE, X, np.int32([7, 8, 9]), F(77))
    found = list(bodies(subject.extractor, Local(), subject.ops[-1], values))
    assert len(found) == 16
    drawn = [[float(one) for one in each.arguments] for each in found]
    assert {number for each in drawn for number in each} == {*X.tolist(), 77.0}
    assert all(len(each) == 4 for each in drawn)
    assert len({tuple(each) for each in drawn}) > 8
    assert [each.title.rpartition(", ")[2] for each in found] == [f"sample {number}" for number in range(16)]
    again = bodies(subject.extractor, Local(), subject.ops[-1], values)
    assert [[float(one) for one in each.arguments] for each in again] == drawn
    empty, values = examined(REDUCE.replace("4xf32", "0xf32"), X[:0], np.int32([7, 8, 9]), F(77))
    for each in bodies(empty.extractor, Local(), empty.ops[-1], values):
        assert {float(one) for one in each.arguments} == {77.0}


def test_ops_of_one_block_give_the_same_values_in_any_part() -> None:
    """Cut out together, one by one, isolated, and up to each."""
    subject = examine(
        program("%c = stablehlo.constant dense<3> : tensor<4xi32>",
                "%i = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>",
                "%a = stablehlo.add %c, %i : tensor<4xi32>", "%s = stablehlo.sine %x", "%r = stablehlo.add %s, %x", x=T)
    )  # fmt: skip
    start = {subject.block.arguments[0]: X}
    whole, failed = run_ops(Local(), subject.extractor, subject.ops, start, isolated=False)
    assert not failed
    known = start | whole
    for first in range(len(subject.ops)):
        for last in range(first + 1, len(subject.ops) + 1):
            part = subject.ops[first:last]
            for isolated in (False, True):
                made, failed = run_ops(Local(), subject.extractor, part, known, isolated=isolated)
                assert not failed
                assert set(made) == {result for op in part for result in op.results}
                for value, array in made.items():
                    assert array.tobytes() == whole[value].tobytes()
    for number, op in enumerate(subject.ops):
        (result,) = run_until(Local(), subject, number, [X]).results
        assert result.tobytes() == whole[op.results[0]].tobytes()
    several = until(subject, 3, 1)
    assert several.outputs == (subject.ops[3].results[0], subject.ops[1].results[0])


@pytest.mark.parametrize("isolated", [False, True])
def test_what_uses_a_failed_op_has_no_result_unless_it_is_isolated(isolated: bool) -> None:
    subject = examine(
        program(
            "%a = stablehlo.sine %x", "%b = stablehlo.cbrt %a", "%c = stablehlo.abs %b", "%d = stablehlo.abs %x", x=T
        )
    )
    start = {subject.block.arguments[0]: X}
    known = start | run_ops(Local(), subject.extractor, subject.ops, start, isolated=False)[0]
    engine = Swapped(bad="cbrt")
    made, failed = run_ops(engine, subject.extractor, subject.ops, known if isolated else start, isolated=isolated)
    names = {value.owner.name.partition(".")[2] for value in made}
    assert [op.name for op in failed] == ["stablehlo.cbrt"]
    assert str(failed[subject.ops[1]]) == "unsupported: lacks cbrt"
    assert len(made) == (3 if isolated else 2)
    assert names == {"sine", "abs"}


def test_a_reference_that_does_not_run_a_program_is_an_error() -> None:
    subject = chain(2)
    assert run_reference(Local(), subject, [X]).ok
    with pytest.raises(StablehloError, match="the reference does not run the program: crash: signal 11"):
        run_reference(Swapped(bad="sine", outcome=Outcome("crash", message="signal 11")), subject, [X])


def test_places_of_ops_tell_their_number_names_and_regions() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.sine %x : tensor<f32> loc("jit(f)/sin"("model.py":3:4))
      return %0 : tensor<f32> }"""
    subject = examine(parsed(text))
    found = place(subject.ops[0], 5, ("#1 stablehlo.while body, iteration 2",))
    assert found == OpLocation(
        5, "stablehlo.sine", "model.py:3:4", "jit(f)/sin", ("#1 stablehlo.while body, iteration 2",)
    )
    assert str(found) == "#1 stablehlo.while body, iteration 2: #5 stablehlo.sine jit(f)/sin at model.py:3:4"
    assert str(OpLocation(0, "x", "", "")) == "#0 x"


class Seeing(Swapped):
    """Keeps the form of each program that it runs, and lacks cosines."""

    def __init__(self) -> None:
        super().__init__(bad="cosine")
        self.forms: list[str] = []

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        self.forms.append("bytecode" if module.startswith(b"ML\xefR") else "text")
        return super().run(module, arguments)


def test_ops_that_fail_together_are_run_apart_in_a_form_that_has_their_places() -> None:
    subject, engine = examine(program(*[f"%{n} = stablehlo.{name} %x" for n, name in enumerate(NAMES)], x=T)), Seeing()
    (argument,) = subject.block.arguments
    made, failed = run_ops(engine, subject.extractor, subject.ops, {argument: X}, isolated=False)
    assert [op.name for op in failed] == ["stablehlo.cosine"]
    assert set(made) == {op.results[0] for op in subject.ops if op not in failed}
    assert engine.forms == ["text", "text", "bytecode", "bytecode", "text"]


NAMES = ("cosine", "sine", "tanh", "sqrt")


@pytest.mark.parametrize(("count", "repeated"), [(1, 0), (2, 0), (3, 3), (4, 4)])
def test_ops_count_as_alike_from_the_third_on(count: int, repeated: int) -> None:
    subject = examine(program(*[f"%{n} = stablehlo.sine %x" for n in range(count)], "%c = stablehlo.cosine %x", x=T))
    found = subject.extractor.repeated(subject.ops)
    assert found == set(subject.ops[:repeated])
    assert subject.extractor.repeated(subject.ops[:1]) == set(subject.ops[: bool(repeated)])  # with those seen before


CAPTURES = """func.func @main(%p: tensor<i1>, %a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>,
    %d: tensor<4xf32>) -> tensor<10xf32> {
  %r = "stablehlo.if"(%p) ({
    %x = stablehlo.concatenate %a, %b, %c, %d, dim = 0
      : (tensor<1xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<10xf32>
    stablehlo.return %x : tensor<10xf32>
  }, {
    %y = stablehlo.iota dim = 0 : tensor<10xf32>
    stablehlo.return %y : tensor<10xf32>
  }) : (tensor<i1>) -> tensor<10xf32>
  return %r : tensor<10xf32> }"""


@pytest.mark.parametrize(
    "order", [None, {}, {3: 0}, {1: 7}, {2: 1, 0: 0}, {3: 5, 1: 4, 0: 9}, {0: 3, 1: 2, 2: 1, 3: 0}]
)
def test_captured_values_come_in_the_order_that_is_wanted_the_others_behind_them(order: dict[int, int] | None) -> None:
    subject = examine(parsed(CAPTURES))
    captured = list(subject.block.arguments)[1:]
    wanted = None if order is None else {captured[number]: place_ for number, place_ in order.items()}
    chosen = {} if order is None else order
    first = sorted(chosen, key=lambda number: chosen[number])
    numbers = [*first, *(number for number in range(4) if number not in first)]
    found = subject.extractor.region(subject.ops[0], 0, wanted)
    assert [captured.index(value) for value in found.inputs] == numbers
    given = [np.full(number + 1, number, F) for number in numbers]
    (result,) = Local().run(found.bytecode(), given).results
    assert result.tolist() == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]


def test_programs_that_are_cut_out_keep_what_holds_for_all_of_a_module() -> None:
    text = """module @mine attributes {mhlo.num_partitions = 2 : i32, mhlo.input_output_alias = [], other.a = 1 : i32} {
      func.func @main(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.sine %x : tensor<f32>
        return %0 : tensor<f32>
      } }"""
    subject = examine(parsed(text))
    for module in (until(subject, 0).module, subject.extractor.ops(subject.ops).module):
        attributes = attributes_of(module.operation)
        assert {name: str(value) for name, value in attributes.items()} == {
            "mhlo.num_partitions": "2 : i32",
            "sym_name": '"mine"',
        }


def test_the_types_of_a_program_are_those_that_its_ops_use_and_compute() -> None:
    lines = ["%h = stablehlo.convert %x : (tensor<2xf64>) -> tensor<2xf16>", "%r = stablehlo.negate %h : tensor<2xf16>"]
    module = program(*lines, results=["%r: tensor<2xf16>"], x="tensor<2xf64>", unused="tensor<2xf32>")
    subject = examine(module)
    assert [str(type_) for type_ in subject.tensor_types()] == ["tensor<2xf64>", "tensor<2xf16>"]
