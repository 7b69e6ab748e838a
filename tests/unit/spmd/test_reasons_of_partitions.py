"""Where axes come from, what collectives settle, and which changes remove them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import ProviderError, StablehloError
from stablehlo_py.spmd import Collective, Links, partition, texts
from stablehlo_py.spmd import why as reasons
from stablehlo_py.spmd.demands import LayoutDemand

LINKS = Links(1e6, 1e-5)
STEPS = """sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<16x4xf32>)
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.sine %a : tensor<8x16xf32> loc("f.py":1:1)
  %1 = stablehlo.dot_general %0, %b, contracting_dims=[1]x[0]
    : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32> loc("f.py":2:1)
  %2 = sdy.sharding_constraint %1 <@mesh, [{"y"}, {}]> : tensor<8x4xf32> loc("f.py":3:1)
  %3 = stablehlo.negate %2 : tensor<8x4xf32> loc("f.py":4:1)
  return %3 : tensor<8x4xf32> loc("f.py":5:1)
}"""
SAID = """\
where axes come from:
  argument 0 tensor<8x16xf32>
    "x": given here
    "y": given here
  argument 1 tensor<16x4xf32>
    "y": from argument 0, step 4: from operand 0 to operand 1 of stablehlo.dot_general f.py:2:1
  result 0 tensor<8x4xf32>
    "x": given here
  stablehlo.sine tensor<8x16xf32>  f.py:1:1
    "x": from argument 0, step 1: from operand 0 to result 0 of stablehlo.sine f.py:1:1
    "y": from argument 0, step 1: from operand 0 to result 0 of stablehlo.sine f.py:1:1
  sdy.sharding_constraint tensor<8x4xf32>  f.py:3:1
    "y": given here
  stablehlo.negate tensor<8x4xf32>  f.py:4:1
    "x": from result 0, by a step that Shardy does not tell
    "y": from sdy.sharding_constraint f.py:3:1, step 3: from operand 0 to result 0 of stablehlo.negate f.py:4:1
why collectives are there:
  stablehlo.all_reduce: 64 B a device, 84.0 us  f.py:2:1
    stablehlo.dot_general has terms along {"y"}  f.py:2:1
    stablehlo.dot_general wants [{"x"}, {}]  f.py:2:1
    argument 0 as [{"x"}, {}] removes it:
      a device sends 96 B (now 160), and holds 576 B (now 320)
  stablehlo.collective_permute: 64 B a device, 74.0 us  f.py:2:1
    stablehlo.dot_general has [{"x"}, {}]  f.py:2:1
    sdy.reshard wants [{"y"}, {}]  f.py:2:1
    argument 0 as [{}, {"y"}] removes it:
      a device sends 96 B (now 160), and holds 448 B (now 320)
  stablehlo.all_gather: 32 B a device, 42.0 us  f.py:5:1
    stablehlo.negate has [{"y"}, {"x"}]  f.py:4:1
    result 0 wants [{}, {"x"}]
    result 0 as [{"y"}, {"x"}] removes it:
      a device sends 128 B (now 160), and holds 288 B (now 320)
"""


@needs("sharding-origins")
def test_reasons_of_a_program() -> None:
    module = stablehlo_py.parse(STEPS)
    before = str(module)
    found, why = reasons.why(lambda after: partition(module, after_step=after), LINKS)
    assert texts.why_text(why, LINKS) == SAID
    assert str(module) == before
    assert [one.collective for one in why.collectives] == list(found.collectives)
    tried = [[(each.source, each.sharding, each.removes) for each in one.tried] for one in why.collectives]
    constraint = "sdy.sharding_constraint f.py:3:1", "[{}, {}]"
    assert tried == [
        [("argument 0", '[{"x"}, {}]', True), (*constraint, False)],
        [("argument 0", '[{}, {"y"}]', True), ("argument 0", '[{"x"}, {}]', True), (*constraint, True)],
        [("result 0", '[{"y"}, {"x"}]', True), (*constraint, True)],
    ]
    for one in why.collectives:
        for each in one.tried:
            option = {"argument": "in_shardings", "result": "out_shardings"}.get(each.source.partition(" ")[0])
            if option:
                changed = partition(module, **{option: {int(each.source[-1]): each.sharding}})
                assert each.bytes_sent == (found.bytes_sent, changed.bytes_sent), each
    held = json.loads(json.dumps(why.as_dict()))
    assert [value["name"] for value in held["values"]] == [value.name for value in why.values]
    assert held["values"][1]["origins"] == [
        {
            "axis": "y",
            "source": "argument 0",
            "step": 4,
            "carried": "from operand 0 to operand 1 of stablehlo.dot_general f.py:2:1",
        }
    ]
    assert {key: value for key, value in held["collectives"][2].items() if key not in ("demand", "tried")} == {
        "op": "stablehlo.all_gather",
        "location": "f.py:5:1",
        "groups": [[0, 1], [2, 3]],
        "bytes_sent": 32,
        "bytes_received": 32,
        "runs": 1,
        "seconds": pytest.approx(42e-6),
    }
    assert held["collectives"][2]["tried"][0] == {
        "source": "result 0",
        "sharding": '[{"y"}, {"x"}]',
        "removes": True,
        "bytes_sent": [160, 128],
        "bytes_held": [320, 288],
    }


LOOP = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<i32>) -> tensor<8xf32> {
  %0:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<8xf32> cond {
    %c = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.reverse %v, dims = [0] : tensor<8xf32> loc("f.py":7:1)
    stablehlo.return %j, %w : tensor<i32>, tensor<8xf32>
  } loc("f.py":5:1)
  return %0#1 : tensor<8xf32>
}"""


@needs("sharding-origins")
def test_a_halo_is_removed_by_leaving_its_axis_out() -> None:
    module = stablehlo_py.parse(LOOP)
    _, why = reasons.why(lambda after: partition(module, after_step=after), LINKS)
    (one,) = why.collectives
    assert (one.collective.op, one.collective.location) == ("stablehlo.collective_permute", "f.py:7:1")
    assert one.tried == (reasons.ShardingChange("argument 0", "[{}]", True, (16, 0), (36, 68)),)
    assert [(value.name, value.type, value.location) for value in why.values] == [
        ("argument 0", "tensor<8xf32>", ""),
        ("result 0", "tensor<8xf32>", ""),
        ("stablehlo.reverse", "tensor<8xf32>", "f.py:7:1"),
        ("stablehlo.while", "tensor<8xf32>", "f.py:5:1"),
    ]
    assert {(origin.axis, origin.source) for value in why.values for origin in value.origins} == {("x", "argument 0")}


def test_only_the_largest_collectives_are_tried_and_each_with_a_few_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    demand = LayoutDemand("a", "", "[{}]", "b", "", '[{"x"}]')
    each = [Collective("stablehlo.all_gather", f"f.py:{n}:1", ((0, 1),), n, n, demand=demand) for n in range(20)]
    loop = Collective("stablehlo.all_gather", "f.py:99:1", ((0, 1),), 2, 2, runs=30, demand=demand)
    own = Collective("stablehlo.all_gather", "f.py:77:1", ((0, 1),), 500, 500)
    made = SimpleNamespace(collectives=(*each, loop, own), values=())
    asked: list[str] = []

    class Trials:
        def __init__(self, *_: object) -> None:
            pass

        def of(self, one: Collective) -> tuple[reasons.ShardingChange, ...]:
            asked.append(one.location)
            return ()

    monkeypatch.setattr(reasons, "_Trials", Trials)
    monkeypatch.setattr(reasons, "require", lambda _: None)
    monkeypatch.setattr(reasons, "_with_notes", lambda program: program)
    monkeypatch.setattr(reasons, "_traced", lambda *_: iter(()))
    module = stablehlo_py.parse("func.func @main() { return }")

    def partitioned(after: object) -> object:
        after("inline", module)  # type: ignore[operator]
        return made

    found, why = reasons.why(partitioned, LINKS)  # type: ignore[arg-type]
    assert found is made
    assert [one.collective for one in why.collectives] == [*each, loop]
    assert asked == [f"f.py:{n}:1" for n in (*range(5, 20), 99)]
    assert [one.seconds for one in why.collectives] == [LINKS.seconds(one) for one in (*each, loop)]


def test_bindings_that_do_not_tell_origins_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        assert name == "sharding-origins"
        raise ProviderError("it does not tell")

    monkeypatch.setattr(reasons, "require", refuse)
    with pytest.raises(ProviderError, match="it does not tell"):
        reasons.why(partial(pytest.fail, "it was partitioned"), LINKS)  # type: ignore[arg-type]


def change(source: str, removes: bool) -> reasons.ShardingChange:
    return reasons.ShardingChange(source, "[{}]", removes, (4000, 3000), (2000, 1000))


def test_reasons_as_text() -> None:
    demand = LayoutDemand("argument 1", "", "[{}]", "stablehlo.add", "f.py:2:2", '[{"x"}]')
    one = Collective("stablehlo.all_gather", "f.py:1:1", ((0, 1),), 500, 500, runs=4, demand=demand)
    changes = (), (change("a", False), change("b", False)), (change("c", True), change("d", True), change("e", False))
    values = (reasons.Traced("argument 0", "tensor<4xf32>", "", (reasons.Origin("x", "argument 0"),)),)
    found = reasons.Why(values, tuple([reasons.Explained(one, 1.0, each) for each in changes]))
    each = [
        "  stablehlo.all_gather: 2,000 B a device, 2,040.0 us  f.py:1:1",
        "    argument 1 has [{}]",
        '    stablehlo.add wants [{"x"}]  f.py:2:2',
    ]
    assert texts.why_text(found, LINKS).splitlines() == [
        "where axes come from:",
        "  argument 0 tensor<4xf32>",
        '    "x": given here',
        "why collectives are there:",
        *each,
        "    no change of a sharding was tried",
        *each,
        "    no change of one sharding removes it (2 tried)",
        *each,
        "    c as [{}] removes it:",
        "      a device sends 3,000 B (now 4,000), and holds 1,000 B (now 2,000)",
    ]
    assert texts.why_text(reasons.Why((), ()), LINKS) == "where axes come from:\nno collectives to explain\n"


@pytest.mark.parametrize(
    ("sharding", "axis", "left"),
    [
        ('[{"x"}, {"y"}]', "x", '[{}, {"y"}]'),
        ('[{"x", "y"}, {}]', "x", '[{"y"}, {}]'),
        ('[{"x", "y"}, {}]', "y", '[{"x"}, {}]'),
        ('[{"x", "y", "z"}]', "y", '[{"x", "z"}]'),
        ('[{"x":(1)2, "y"}, {"x":(2)4}]', "x", '[{"y"}, {}]'),
        ('[{"y", "x":(1)2}]', "x", '[{"y"}]'),
        ('[{"xx", "x", ?}]', "x", '[{"xx", ?}]'),
        ("[{}]", "x", "[{}]"),
    ],
)
def test_a_sharding_without_an_axis(sharding: str, axis: str, left: str) -> None:
    assert reasons._without(sharding, axis) == left


def test_a_step_is_the_first_one_that_carried_the_axis_here() -> None:
    module = stablehlo_py.parse("""func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %a : tensor<4xf32> loc("f.py":1:1)
      return %0 : tensor<4xf32> }""")
    (negate,) = [op for op in operations(module.operation) if op.name == "stablehlo.negate"]
    text = """{step-7 = [{"x" = operand-0 -> [result-0]}], step-3 = [{"x" = result-0 -> [operand-0, operand-1]},
      {"y":(1)2 = operand-0 -> [result-0, operand-1]}], step-5 = [{"x" = operand-1 -> [result-0, operand-0]}]}"""
    notes = {"sdy.propagation_edges": text.replace("\n      ", " ")}

    def edge(axis: str, *targets: str) -> tuple[int | None, str]:
        return reasons._edge(axis, [(negate, notes, target) for target in targets])  # type: ignore[dict-item, misc]

    where = "of stablehlo.negate f.py:1:1"
    assert edge("x", "result-0") == (5, f"from operand 1 to result 0 {where}")
    assert edge("x", "operand-0") == (3, f"from result 0 to operand 0 {where}")
    assert edge("x", "result-0", "operand-0") == edge("x", "operand-0", "result-0") == edge("x", "operand-0")
    assert edge("y:(1)2", "result-0") == (3, f"from operand 0 to result 0 {where}")
    assert edge("y", "operand-1")[0] == 3
    for axis, target in (("z", "result-0"), ("x", "result-1"), ("y", "operand-0")):
        assert edge(axis, target) == (None, "")
    assert edge("x") == (None, "")


def test_each_change_is_tried_once_and_those_that_remove_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Collective("stablehlo.all_gather", "f.py:1:1", ((0, 1),), 4, 4)
    other = Collective("stablehlo.all_gather", "f.py:2:1", ((0, 1),), 4, 4)
    asked = list[tuple[object, object]]()
    made = {"[1]": ([one, other], 9), "[2]": ([one, one, other], 1), "[3]": ([other], 5), "[4]": ([], 0)}

    def partitioned(
        _program: object, in_shardings: dict[int, str] | None, out_shardings: dict[int, str] | None
    ) -> object:
        asked.append((in_shardings, out_shardings))
        text = next(iter((in_shardings or out_shardings or {}).values()))
        if text not in made:
            raise StablehloError("it cannot be")
        return SimpleNamespace(collectives=made[text][0], bytes_sent=made[text][1], module=text)

    monkeypatch.setattr(reasons, "partition", partitioned)
    monkeypatch.setattr(reasons, "_held", lambda module: len(module))

    class Trials(reasons._Trials):
        def _candidates(self, one: Collective) -> Iterator[tuple[str, str]]:
            yield from [("argument 0", "[0]"), ("argument 7", "[1]"), ("argument 7", "[1]"), ("result 2", "[2]"),
                        ("argument 0", "[3]"), ("argument 0", "[4]")]  # fmt: skip

    found: Any = SimpleNamespace(collectives=[one, one, other], bytes_sent=12, module="whole")
    trials = Trials(stablehlo_py.parse("func.func @main() { return }"), found, {}, {})
    expected = (
        reasons.ShardingChange("argument 0", "[3]", True, (12, 5), (5, 3)),
        reasons.ShardingChange("argument 7", "[1]", True, (12, 9), (5, 3)),
        reasons.ShardingChange("result 2", "[2]", False, (12, 1), (5, 3)),
    )
    for _ in range(2):
        assert trials.of(one) == expected
    assert asked == [({0: "[0]"}, None), ({7: "[1]"}, None), (None, {2: "[2]"}), ({0: "[3]"}, None)]
