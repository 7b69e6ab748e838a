"""The static check of communication: each error with its line, and nothing about programs that run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import PassError
from stablehlo_py.passes.check_communication import CheckCommunication
from stablehlo_py.syntax import Source, parse_source
from stablehlo_py.testing.lit import provider_features

CONTEXT = make_context()
SUITES = Path(__file__).parents[2] / "lit" / "interpret"
TALK = (
    "all_gather",
    "all_reduce",
    "all_to_all",
    "async_start",
    "collective_broadcast",
    "collective_broadcast.since_1_20",
    "collective_permute",
    "collective_reduce",
    "cross-replica-sum",
    "infeed",
    "partition_id",
    "reduce_scatter",
    "replica_id",
    "send",
)


@pytest.mark.parametrize("name", TALK)
def test_suites_that_pass_are_found_right(name):
    text = (SUITES / f"{name}.mlir").read_text()
    missing = set(re.findall(r"^// REQUIRES: (.*)", text, re.MULTILINE)) - provider_features()
    if missing:
        pytest.skip(f"these bindings lack {', '.join(missing)}, which the suite asks for")
    for chunk in text.split("// -----"):
        CheckCommunication().run(parse_source(Source(name, chunk.encode()), CONTEXT).operation)


def test_a_deadlock_that_runs_into_is_found_before():
    text = (SUITES / "recv.mlir").read_text()
    with pytest.raises(Exception, match="to which no process sends") as caught:
        CheckCommunication().run(parse_source(Source("recv", text.encode()), CONTEXT).operation)
    assert str(caught.value).count("to which no process sends") == 2


GROUPS = "dense<{}> : tensor<{}x{}xi64>"
T = "tensor<4xf32>"


def _ids(ids: list[list[int]]) -> str:
    return GROUPS.format(ids, len(ids), len(ids[0]))


def _handle(channel: int | None, kind: int) -> str:
    return "" if channel is None else f", channel_handle = #stablehlo.channel_handle<handle = {channel}, type = {kind}>"


def reduce(groups: list[list[int]] | str, channel: int | None = None, *, all_ids: bool = False) -> str:
    chosen = groups if isinstance(groups, str) else _ids(groups)
    flag = ", use_global_device_ids" if all_ids else ""
    return (
        '%r# = "stablehlo.all_reduce"(%x) ({^bb0(%a: tensor<f32>, %b: tensor<f32>): stablehlo.return %a : tensor<f32>})'
        f" {{replica_groups = {chosen}{_handle(channel, 1)}{flag}}} : ({T}) -> {T}"
    )


def permute(pairs: list[list[int]], channel: int | None = None) -> str:
    attributes = f"source_target_pairs = {_ids(pairs)}{_handle(channel, 1)}"
    return f'%r# = "stablehlo.collective_permute"(%x) {{{attributes}}} : ({T}) -> {T}'


def broadcast(groups: list[list[int]]) -> str:
    return f'%r# = "stablehlo.collective_broadcast"(%x) {{replica_groups = {_ids(groups)}}} : ({T}) -> {T}'


def send(channel: int, type_: str = T, *, host: bool = False, pairs: list[list[int]] | None = None) -> str:
    value = "%x" if type_ == T else "%s"
    ids = "" if pairs is None else f", source_target_pairs = {_ids(pairs)}"
    attributes = f"is_host_transfer = {str(host).lower()}{_handle(channel, 2 if host else 1)}{ids}"
    return f'%r# = "stablehlo.send"({value}, %t) {{{attributes}}} : ({type_}, !stablehlo.token) -> !stablehlo.token'


def receive(channel: int, type_: str = T, *, host: bool = False) -> str:
    attributes = f"is_host_transfer = {str(host).lower()}{_handle(channel, 3 if host else 1)}"
    return f'%r#:2 = "stablehlo.recv"(%t) {{{attributes}}} : (!stablehlo.token) -> ({type_}, !stablehlo.token)'


def function(name: str, *lines: str) -> str:
    """A function whose ops stand one on each line, below the line of its head."""
    body = "\n".join(line.replace("%r#", f"%r{number}") for number, line in enumerate(lines))
    return f"func.func @{name}(%x: {T}, %s: tensor<2xf32>, %t: !stablehlo.token) {{\n{body}\nreturn\n}}"


def problems(text: str, attributes: str = "", **options: int) -> list[tuple[int, str, list[str]]]:
    """The line, the message without the op's name, and the notes of each error."""
    head = f"module attributes {{{attributes}}} {{" if attributes else "module {"
    module = ir.Module.parse(f"{head}{text}\n}}", CONTEXT)
    try:
        CheckCommunication(**options).run(module.operation)
    except PassError as error:
        return [
            (
                int(each.location.split(":")[-2]),
                each.message.partition(" op ")[2],
                [note.message for note in each.notes],
            )
            for each in error.diagnostics
        ]
    return []


REPLICAS, PARTITIONS = "mhlo.num_replicas = 2 : i32", "mhlo.num_partitions = 2 : i32"
BOTH = f"{REPLICAS}, {PARTITIONS}"
LONE = "uses channel {}, {}"
OUTSIDE = "names processes outside the grid of {} replicas by {} partitions: {}"


@pytest.mark.parametrize(
    ("line", "attributes", "options", "said"),
    [
        (reduce([[0, 1]]), "", {}, ""),  # the grid is not known
        (reduce([[0, 1]]), "", {"num_replicas": 1}, OUTSIDE.format(1, 1, "(replica 1, partition 0)")),
        (reduce([[0, 1]]), "", {"num_partitions": 1}, OUTSIDE.format(1, 1, "(replica 1, partition 0)")),
        (reduce([[0, 1]]), "", {"num_replicas": 2}, ""),
        (reduce([[0, 1]]), REPLICAS, {}, ""),
        (reduce([[0, 1, 2]]), REPLICAS, {}, OUTSIDE.format(2, 1, "(replica 2, partition 0)")),
        (reduce([[0, 1, 2]]), REPLICAS, {"num_replicas": 3}, ""),
        (reduce([[0]]), REPLICAS, {}, "has no group with (replica 1, partition 0)"),
        (reduce([[0]]), PARTITIONS, {}, ""),  # each partition is in the group of its replica
        (reduce([[0]], 1), PARTITIONS, {}, ""),
        (reduce([[0, 1]], 1), BOTH, {}, ""),
        (reduce([[0, 1]], 1, all_ids=True), BOTH, {},
         "has no group with (replica 1, partition 0), (replica 1, partition 1)"),
        (reduce([[0, 1, 2, 3]], 1, all_ids=True), BOTH, {}, ""),
        (reduce([[0, 1, 2, 3]], 1, all_ids=True), "", {"num_replicas": 4}, ""),
        (reduce([[0]]), "", {"num_replicas": 5},
         "has no group with " + ", ".join(f"(replica {n}, partition 0)" for n in (1, 2, 3, 4))),
        (reduce([[0]]), "", {"num_replicas": 6},
         "has no group with " + ", ".join(f"(replica {n}, partition 0)" for n in (1, 2, 3, 4)) + " and 1 more"),
        (reduce([[0]]), "", {"num_replicas": 9},
         "has no group with " + ", ".join(f"(replica {n}, partition 0)" for n in (1, 2, 3, 4)) + " and 4 more"),
        (broadcast([[0]]), REPLICAS, {}, ""),  # needs no group
        (broadcast([[0, 2]]), REPLICAS, {}, OUTSIDE.format(2, 1, "(replica 2, partition 0)")),
        (permute([[0, 1]]), REPLICAS, {}, ""),
        (permute([[0, 2]]), REPLICAS, {}, OUTSIDE.format(2, 1, "(replica 2, partition 0)")),
        (permute([[0, 1]]), PARTITIONS, {},
         OUTSIDE.format(1, 2, "(replica 1, partition 0), (replica 1, partition 1)")),
        (permute([[0, 1]], 1), PARTITIONS, {}, ""),
        (permute([[0, 1]], 1), REPLICAS, {},
         OUTSIDE.format(2, 1, "(replica 0, partition 1), (replica 1, partition 1)")),
        (reduce("#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = \"b\">]>", 1),
         "", {"num_replicas": 2}, "the mesh has no axis 'b'; it has a"),
        (reduce("#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = \"a\">]>"),
         "", {"num_replicas": 2}, ""),
        (send(1), "", {}, LONE.format(1, "from which no process receives")),
        (send(1, host=True), "", {}, ""),
        (receive(3), REPLICAS, {}, LONE.format(3, "to which no process sends")),
        (receive(3, host=True), REPLICAS, {}, ""),
    ],
)  # fmt: skip
def test_groups_and_the_grid(line: str, attributes: str, options: dict[str, int], said: str) -> None:
    mesh = 'sdy.mesh @m = <["a"=2]> ' if "mesh_axes" in line else ""
    found = problems(mesh + function("main", line), attributes, **options)
    assert found == ([(2, said, [])] if said else [])


IN_BRANCH = (
    '%p = stablehlo.constant dense<true> : tensor<i1> "stablehlo.if"(%p) ({{ {} "stablehlo.return"() : () -> () }}, '
    '{{ "stablehlo.return"() : () -> () }}) : (tensor<i1>) -> ()'
)
SMALL = "tensor<2xf32>"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([send(1), receive(1)], []),
        ([send(1), receive(2)],
         [(2, LONE.format(1, "from which no process receives"), []),
          (3, LONE.format(2, "to which no process sends"), [])]),
        ([send(1), receive(1, SMALL)],
         [(3, f"receives {SMALL} from channel 1, to which {T} is sent", ["it is sent at <2>"])]),
        ([send(1, SMALL), send(1), receive(1)], []),
        ([receive(1, SMALL), send(1)],
         [(2, f"receives {SMALL} from channel 1, to which {T} is sent", ["it is sent at <3>"])]),
        ([reduce([[0]], 7), send(7), receive(7)],
         [(3, "uses channel 7, as 'stablehlo.all_reduce' does", ["which stands at <2>"]),
          (4, "uses channel 7, as 'stablehlo.all_reduce' does", ["which stands at <2>"])]),
        ([reduce([[0]], 7), permute([[0, 0]], 7)], []),
        ([reduce([[0]]), send(0), receive(0)], []),  # without a channel it has none to share
    ],
)  # fmt: skip
def test_channels(lines: list[str], found: list[tuple[int, str, list[str]]]) -> None:
    told = [
        (line, message, [re.sub(r"at .*?:(\d+):\d+$", r"at <\1>", note) for note in notes])
        for line, message, notes in problems(function("main", *lines))
    ]
    assert told == found


PARALLEL = (
    "\nfunc.func @main(%x: tensor<4xf32>, %s: tensor<2xf32>, %t: !stablehlo.token) {{\n"
    '"interpreter.run_parallel"({}) {{programs = {}}} : ({}) -> ()\nreturn\n}}'
)


def parallel(rows: str, **functions: list[str]) -> list[tuple[int, str, list[str]]]:
    texts = [function(name, *lines) for name, lines in functions.items()]
    count = rows.count("@")
    values, types = ["%x, %s, %t"] * count, [f"{T}, {SMALL}, !stablehlo.token"] * count
    told = problems("\n".join(texts) + PARALLEL.format(", ".join(values), rows, ", ".join(types)), REPLICAS)
    return [
        (line, message, [re.sub(r"at .*?:(\d+):\d+$", r"at <\1>", n) for n in notes]) for line, message, notes in told
    ]


TWO, ACROSS = reduce([[0, 1]]), "[[@one], [@two]]"
OTHER = broadcast([[0, 1]])
SMALLER = TWO.replace("(%x)", "(%s)").replace(f"({T}) -> {T}", f"({SMALL}) -> {SMALL}")
CALL = f"func.call @inner(%x, %s, %t) : ({T}, {SMALL}, !stablehlo.token) -> ()"
FIRST, SECOND = "(replica 0, partition 0)", "(replica 1, partition 0)"


@pytest.mark.parametrize(
    ("rows", "one", "two", "found"),
    [
        (ACROSS, [TWO], [TWO], []),
        (ACROSS, [TWO, OTHER], [TWO, OTHER], []),
        (ACROSS, [TWO], [OTHER],
         [(6, f"meets 'stablehlo.all_reduce' of process {FIRST} on channel 0", ["which stands at <2>"])]),
        (ACROSS, [TWO, OTHER], [OTHER, TWO],
         [(7, f"meets 'stablehlo.all_reduce' of process {FIRST} on channel 0", ["which stands at <2>"])]),
        (ACROSS, [TWO], [SMALLER],
         [(6, f"brings {SMALL}, where process {FIRST} brings {T}", ["which stands at <2>"])]),
        (ACROSS, [TWO, SMALLER, TWO], [SMALLER, TWO, TWO],
         [(8, f"brings {SMALL}, where process {FIRST} brings {T}", ["which stands at <2>"]),
          (9, f"brings {T}, where process {FIRST} brings {SMALL}", ["which stands at <3>"])]),
        (ACROSS, [TWO, TWO], [TWO], [(3, f"waits for process {SECOND}, which does not come to it", [])]),
        (ACROSS, [TWO], [TWO, OTHER], [(7, f"waits for process {FIRST}, which does not come to it", [])]),
        (ACROSS, [reduce([[0, 1]], 1), TWO], [TWO, reduce([[0, 1]], 1)], []),  # channels are apart
        (ACROSS, [TWO, IN_BRANCH.format(TWO)], [TWO], []),  # may not run
        (ACROSS, [IN_BRANCH.format(TWO), reduce([[0, 1]], 1)], [TWO],  # the other channel is judged nevertheless
         [(3, f"waits for process {SECOND}, which does not come to it", [])]),
        (ACROSS, [reduce([[0], [1]])], [], []),  # they do not meet
        (ACROSS, [send(1)], [receive(1)], []),
        (ACROSS, [send(1, host=True)], [], [(2, LONE.format(1, "from which no process receives"), [])]),
        ("[[@one, @two]]", [TWO], [],
         [(2, OUTSIDE.format(1, 2, "(replica 1, partition 0), (replica 1, partition 1)"), [])]),
        ("[[@one, @two]]", [reduce([[0]], 1)], [reduce([[0]], 1)], []),
        ("[[@one, @one], [@two, @two]]", [TWO], [TWO], []),
        ("[[@one, @one], [@two, @two]]", [TWO], [],
         [(2, "waits for process (replica 1, partition 1), which does not come to it", [])]),
        (ACROSS, [CALL], [TWO, TWO, TWO], []),
        (ACROSS, [TWO, TWO], [CALL], []),
        (ACROSS, [CALL, reduce([[0, 1]], 1)], [TWO],
         [(3, f"waits for process {SECOND}, which does not come to it", [])]),
    ],
)  # fmt: skip
def test_programs_that_run_side_by_side(
    rows: str, one: list[str], two: list[str], found: list[tuple[int, str, list[str]]]
) -> None:
    assert parallel(rows, one=one, two=two, **({"inner": [TWO]} if CALL in one + two else {})) == found


def test_calls_are_followed_and_told_once() -> None:
    text = f"{function('main', CALL, CALL)}\n{function('inner', reduce([[0]]), CALL)}\n{function('unused', send(9))}"
    assert problems(text, REPLICAS) == [(7, "has no group with (replica 1, partition 0)", [])]
    assert problems(text.replace("@main", "@other"), REPLICAS) == []


def test_many_processes_and_ops_take_little_time():
    template = """%{after} = "stablehlo.all_to_all"(%{before}) {{
      split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 64 : i64,
      replica_groups = dense<[{ids}]> : tensor<1x64xi64> }} : (tensor<64xf32>) -> tensor<64xf32>"""
    lines = [template.format(after=n + 1, before=n, ids=list(range(64))) for n in range(100)]
    text = "\n".join(lines)
    CheckCommunication(num_replicas=64, num_partitions=64).run(
        ir.Module.parse(
            "func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {\n%0 = stablehlo.negate %x : tensor<64xf32>\n"
            f"{text}\nreturn %100 : tensor<64xf32> }}",
            CONTEXT,
        ).operation
    )


def test_an_op_has_all_of_its_problems() -> None:
    gather = f'%r# = "stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, replica_groups = {_ids([[0, 1, 2]])}}}'
    gather += f" : ({T}) -> tensor<12xf32>"
    three = {"one": [reduce([[0, 1, 2]])], "two": [broadcast([[0, 1, 2]])], "three": [gather]}
    assert parallel("[[@one], [@two], [@three]]", **three) == [
        (6, f"meets 'stablehlo.all_reduce' of process {FIRST} on channel 0", ["which stands at <2>"]),
        (10, f"meets 'stablehlo.all_reduce' of process {FIRST} on channel 0", ["which stands at <2>"]),
        (10, f"meets 'stablehlo.collective_broadcast' of process {SECOND} on channel 0", ["which stands at <6>"]),
    ]
