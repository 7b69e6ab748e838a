"""What processes share: which ops each runs by itself, and which results are still there for a later process."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.interpreter import registry
from stablehlo_py.interpreter.fast import sharing
from stablehlo_py.interpreter.process_grid import current_process
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

pytestmark = pytest.mark.usefixtures("users_leave")

F = np.float32
TYPE = "tensor<4xf32>"
SUM = """({
  ^bb0(%left: tensor<f32>, %right: tensor<f32>):
    %both = stablehlo.add %left, %right : tensor<f32>
    stablehlo.return %both : tensor<f32>
})"""
GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"


# The last op of each function has to run in every process, or may run once for all.
OF_EACH = {
    "an id": "%r = stablehlo.replica_id : tensor<ui32>",
    "another id": "%r = stablehlo.partition_id : tensor<ui32>",
    "a collective": f'%r = "stablehlo.all_reduce"(%x) {SUM} {{{GROUPS}}} : (TYPE) -> TYPE',
    "a collective without a region": f'%r = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, {GROUPS}}} : '
    "(TYPE) -> tensor<8xf32>",
    "a permutation": '%r = "stablehlo.collective_permute"(%x) '
    "{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (TYPE) -> TYPE",
    "a send": '%r = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} '
    ": (TYPE, !stablehlo.token) -> !stablehlo.token",
    "an infeed": '%r:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (TYPE, !stablehlo.token)',
    "an outfeed": '%r = "stablehlo.outfeed"(%x, %t) : (TYPE, !stablehlo.token) -> !stablehlo.token',
    "random numbers": "%r = stablehlo.rng %s, %s, %n, distribution = UNIFORM : "
    "(tensor<f32>, tensor<f32>, tensor<1xi64>) -> TYPE",
    "a call": "%r = func.call @callee(%x) : (TYPE) -> TYPE",
    "a composite": '%r = stablehlo.composite "my.op" %x {decomposition = @callee} : (TYPE) -> TYPE',
    "a custom call": "%r = stablehlo.custom_call @seen(%x) : (TYPE) -> tensor<i32>",
    "a user's op": '%r = "stablehlo.cosine"(%x) : (TYPE) -> TYPE',
    "a loop around an id": """%r = stablehlo.while(%i = %b) : tensor<i1> cond {
        stablehlo.return %i : tensor<i1>
      } do {
        %id = stablehlo.replica_id : tensor<ui32>
        %j = stablehlo.convert %id : (tensor<ui32>) -> tensor<i1>
        stablehlo.return %j : tensor<i1>
      }""",
    "a branch of a branch": """%r = "stablehlo.if"(%b) ({
        %q = "stablehlo.if"(%b) ({ stablehlo.return %x : TYPE }, {
          %0 = stablehlo.custom_call @seen(%x) : (TYPE) -> TYPE
          stablehlo.return %0 : TYPE
        }) : (tensor<i1>) -> TYPE
        stablehlo.return %q : TYPE
      }, { stablehlo.return %x : TYPE }) : (tensor<i1>) -> TYPE""",
}
OF_ALL = {
    "a function": "%r = stablehlo.sine %x : TYPE",
    "a constant": "%r = stablehlo.constant dense<1.0> : TYPE",
    "another constant": "%r = arith.constant dense<1.0> : TYPE",
    "a sum of a pair": "%r = arith.addf %x, %x : TYPE",
    "a reduction": "%r = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : "
    "(TYPE, tensor<f32>) -> tensor<f32>",
    "a branch": """%r = "stablehlo.if"(%b) ({ stablehlo.return %x : TYPE }, {
        %0 = stablehlo.negate %x : TYPE
        stablehlo.return %0 : TYPE
      }) : (tensor<i1>) -> TYPE""",
}


def module(line: str, *more: str) -> str:
    text = f"""func.func @main(%x: TYPE, %s: tensor<f32>, %b: tensor<i1>, %n: tensor<1xi64>, %t: !stablehlo.token) {{
      {line}
      return
    }}
    func.func private @callee(%x: TYPE) -> TYPE {{ return %x : TYPE }}"""
    return "\n".join([text, *more]).replace("TYPE", TYPE)


@pytest.mark.parametrize("name", [*OF_EACH, *OF_ALL])
def test_ops_that_each_process_has_to_run(name: str) -> None:
    registry.op_kernel("stablehlo.cosine")(lambda _op: lambda operand: operand)
    stablehlo_py.custom_call_handler("seen")(lambda _call, operand: operand)
    program = Program(stablehlo_py.parse(module({**OF_EACH, **OF_ALL}[name])))
    *_, step = program._planner.plan("main").steps
    assert sharing.concerns_processes(step) == (name in OF_EACH), name


def run_on_grid(text: str, arguments: Sequence[Sequence[object]], **settings: object) -> list[list[bytes]]:
    program = Program(stablehlo_py.parse(text), Settings(**settings))
    found = program.run_parallel(arguments, num_replicas=len(arguments))
    return [[np.asarray(value).tobytes() for value in values] for values in found]


@pytest.mark.parametrize("place", ["main", "a loop", "a branch", "a callee"])
def test_a_users_op_and_a_handler_run_in_each_process(place: str) -> None:
    """Both tell the process that they run in, for equal operands."""

    def numbered(operand: np.ndarray) -> np.ndarray:
        return operand + F(current_process().id.replica_id)

    registry.op_kernel("stablehlo.cosine")(lambda _op: numbered)
    stablehlo_py.custom_call_handler("numbered")(lambda _call, operand: numbered(operand))
    lines = """%0 = stablehlo.sine %x : TYPE
      %1 = stablehlo.cosine %0 : TYPE
      %2 = stablehlo.custom_call @numbered(%0) : (TYPE) -> TYPE
      %3 = stablehlo.divide %1, %2 : TYPE
      %r = stablehlo.add %1, %3 : TYPE"""
    body = f"{lines}\nstablehlo.return %r : TYPE"
    text = {
        "main": lines,
        "a loop": f"""%b = stablehlo.constant dense<true> : tensor<i1>
      %n = stablehlo.constant dense<false> : tensor<i1>
      %w:2 = stablehlo.while(%more = %b, %v = %x) : tensor<i1>, TYPE cond {{
        stablehlo.return %more : tensor<i1>
      }} do {{
        {lines}
        stablehlo.return %n, %r : tensor<i1>, TYPE
      }}
      %r = stablehlo.negate %w#1 : TYPE""",
        "a branch": f"""%b = stablehlo.constant dense<true> : tensor<i1>
      %r = "stablehlo.if"(%b) ({{ {body} }}, {{ stablehlo.return %x : TYPE }}) : (tensor<i1>) -> TYPE""",
        "a callee": "%r = func.call @callee(%x) : (TYPE) -> TYPE",
    }[place]
    callee = f"func.func private @callee(%x: TYPE) -> TYPE {{ {lines}\nreturn %r : TYPE }}"
    text = f"func.func @main(%x: TYPE) -> TYPE {{ {text}\nreturn %r : TYPE }}\n{callee}".replace("TYPE", TYPE)
    arguments = [[np.arange(4, dtype=F)] for _ in range(3)]
    found, alone = (run_on_grid(text, arguments, share=share) for share in (True, False))
    assert found == alone, f"with results of other processes, and without, of\n{text}"
    assert len({row[0] for row in found}) == 3


ONE = """func.func @main(%x: tensor<SIZExf32>, %s: tensor<f32>) -> tensor<SIZExf32> {
  %y = stablehlo.tanh %x : tensor<SIZExf32>
  %z = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<SIZExf32>
  %r = stablehlo.atan2 %y, %z : tensor<SIZExf32>
  return %r : tensor<SIZExf32>
}"""


def reused(letters: str, size: int) -> str:
    """The processes, by a letter for each different argument, that get results which an earlier one computed."""
    seen: dict[int, list[weakref.ref[np.ndarray]]] = {}
    found: list[str] = []

    def look(*results: np.ndarray) -> np.ndarray:
        process = current_process().id.replica_id
        number = ord(letters[process])
        earlier = seen.get(number, [])
        is_same = [reference() is result for reference, result in zip(earlier, results, strict=False)]
        assert len({*is_same}) < 2, "some of the results of a run are of another one"
        found.append(letters[process] if any(is_same) else "-")
        seen[number] = [weakref.ref(result) for result in results]
        return np.zeros(size, F)

    registry.op_kernel("stablehlo.atan2")(lambda _op: look)
    arguments = [[np.full(size, ord(letter), F), F(np.nan)] for letter in letters]
    run_on_grid(ONE.replace("SIZE", str(size)), arguments)
    return "".join(found)


@pytest.mark.parametrize("letters", ["AAA", "ABA", "ABCA", "ABCDA", "ABCAB", "ABCDABCD", "ABABAB", "AABBCCAA"])
@pytest.mark.parametrize("bound", range(5))
def test_the_latest_results_are_kept_up_to_a_number_of_bytes(
    letters: str, bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes run one after the other here. Each run has two results of 400 bytes."""
    latest, expected = list[str](), ""
    for letter in letters:
        expected += letter if letter in latest else "-"
        if letter not in latest:
            latest = [*latest, letter][-bound:] if bound else []
    for surplus in (0, 799):
        monkeypatch.setattr(sharing, "RECENT_BYTES", 800 * bound + surplus)
        assert reused(letters, 100) == expected, f"{bound} runs and {surplus} bytes"


def test_results_that_are_too_many_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_MOST_RECENT", 2)
    assert reused("ABA", 3) == "--A"
    assert reused("ABCA", 3) == "----"
    assert reused("ABCCBA", 3) == "---CB-"


def test_the_notes_about_results_do_not_grow_with_the_rounds_of_a_loop() -> None:
    """Twice as many as there are processes, for each segment."""
    sizes: list[int] = []

    def look(_call: object, operand: np.ndarray) -> np.ndarray:
        kept = current_process().grid.kept
        sizes.extend([len(known) for known in kept.entries.values()] if kept else [])
        return operand * F(0.75)

    stablehlo_py.custom_call_handler("look")(look)
    text = """func.func @main(%x: TYPE) -> TYPE {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<20> : tensor<i32>
      %w:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, TYPE cond {
        %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %s = stablehlo.sine %v : TYPE
        %t = stablehlo.custom_call @look(%s) : (TYPE) -> TYPE
        stablehlo.return %j, %t : tensor<i32>, TYPE
      }
      return %w#1 : TYPE
    }""".replace("TYPE", TYPE)
    arguments = [[np.full(4, number, F)] for number in range(3)]
    assert run_on_grid(text, arguments, share=False) == run_on_grid(text, arguments)
    assert max(sizes) == 6


def test_scalars_are_told_apart_by_their_bits() -> None:
    text = """func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %y = stablehlo.divide %one, %x : tensor<f32>
      %id = stablehlo.replica_id : tensor<ui32>
      %z = stablehlo.negate %x : tensor<f32>
      return %y, %z : tensor<f32>, tensor<f32>
    }"""
    nan = np.array(0x7FC00001, np.uint32).view(F)
    arguments = [[np.array(x, F)] for x in (0.0, -0.0, 0.0, np.nan, nan, 1, nan)]
    assert run_on_grid(text, arguments) == run_on_grid(text, arguments, share=False)


def test_results_that_are_not_arrays() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %t = stablehlo.create_token : !stablehlo.token
      %u = stablehlo.after_all %t, %t : !stablehlo.token
      %y = stablehlo.sine %x : tensor<f32>
      %v = "stablehlo.outfeed"(%y, %u) : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
      return %y : tensor<f32>
    }"""
    arguments = [[F(1)], [F(1)], [F(2)]]
    assert run_on_grid(text, arguments) == run_on_grid(text, arguments, share=False)
