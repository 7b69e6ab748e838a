"""Which results get a probe, where it is put, and how it is called."""

from __future__ import annotations

import re

import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.instrument_with_probe import InstrumentWithProbe

LINES = [
    ("%0 = stablehlo.abs %x : tensor<2xf32>", 1),
    ("%0 = stablehlo.abs %d : tensor<?xf32>", 0),
    ("%0 = stablehlo.constant dense<1> : tensor<i8>", 0),
    ("%0 = stablehlo.after_all %t : !stablehlo.token", 0),
    ("%0 = stablehlo.tuple %x, %t : tuple<tensor<2xf32>, !stablehlo.token>", 0),
    ("%0 = stablehlo.abs %q : tensor<2x!quant.uniform<i8:f32, 0.5>>", 0),
    ("%0 = arith.constant 1 : index", 0),
    ("%0 = arith.constant dense<1> : tensor<2xindex>", 0),
    ("%0 = arith.constant dense<1> : tensor<2xi32>", 1),
    ("%0 = arith.constant dense<1> : vector<2xi32>", 0),
    ("%0 = tensor.cast %x : tensor<2xf32> to tensor<*xf32>", 0),
    ('%0, %1 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, '
     "is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)", 1),
]  # fmt: skip
HEADS = "%x: tensor<2xf32>, %d: tensor<?xf32>, %t: !stablehlo.token, %q: tensor<2x!quant.uniform<i8:f32, 0.5>>"


def probed(text: str, **options: bool) -> ir.Module:
    module = parsed(text)
    InstrumentWithProbe(**options).run(module.operation)
    assert module.operation.verify()
    return module


@pytest.mark.parametrize(("line", "count"), LINES, ids=range(len(LINES)))
def test_tensors_of_static_shape_have_a_probe(line: str, count: int) -> None:
    module = probed(f"func.func @main({HEADS}) {{\n{line}\nreturn\n}}")
    probes = [op for op in operations(module.operation) if op.name == "interpreter.probe"]
    assert len(probes) == count
    for op in probes:
        assert "stablehlo." in op.operands[0].owner.name or "arith." in op.operands[0].owner.name


PROGRAM = """func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.abs %x : tensor<2xf32> loc("inner@7")
    stablehlo.return %1 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32> loc("outer"("a.py":1:1))
  %2 = stablehlo.negate %0 : tensor<2xf32>
  return %2 : tensor<2xf32>
}"""


def test_probes_are_numbered_from_the_inside_and_used_in_place_of_results() -> None:
    text = str(probed(PROGRAM))
    assert re.findall(r'probe_id = "(.*?)"', text) == ["probe1", "probe2", "probe3"]
    assert re.findall(r'probe_id = "(.*?)"', str(probed(PROGRAM, useDebugInfo=True))) == [
        "inner.1",
        "outer.2",
        "probe3",
    ]
    assert re.search(r"(%\w+) = interpreter.probe %\w+, probe_id = \"probe3\".*\n *return \1", text)
    assert re.search(r"(%\w+) = interpreter.probe %\w+, probe_id = \"probe2\".*\n *%\w+ = stablehlo.negate \1", text)
