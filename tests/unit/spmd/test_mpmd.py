"""Programs of several meshes: fragments run on their meshes, transfers move values, and the global program agrees."""

from __future__ import annotations

import re

import numpy as np
import pytest
from installed import needs, needs_dialect

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.debug.equivalence import DIFFERENT, SAME, same_function
from stablehlo_py.errors import InputError, ProviderError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.spmd import mpmd, partition
from stablehlo_py.spmd.mpmd import Transfer, global_program, has_fragments, simulate_meshes
from stablehlo_py.spmd.simulation import fingerprint_runs
from stablehlo_py.syntax import parse

pytestmark = [needs_dialect("mpmd"), needs("partition")]
TOPOLOGY = '<"first": <["x"=2, "y"=2]>>, <"second": <["z"=4]>>'
TYPES = """!x = !mpmd.mesh_tensor<"first", tensor<8x16xf32>, sharding=<@first, [{"x"}, {}]>>
!w = !mpmd.mesh_tensor<"first", tensor<16x12xf32>, sharding=<@first, [{}, {"y"}]>>
!h = !mpmd.mesh_tensor<"first", tensor<8x12xf32>, sharding=<@first, [{"x"}, {"y"}]>>
!s = !mpmd.mesh_tensor<"second", tensor<8x12xf32>, sharding=<@second, [{"z"}, {}]>>
!v = !mpmd.mesh_tensor<"second", tensor<12x4xf32>>
!r = !mpmd.mesh_tensor<"second", tensor<8x4xf32>, sharding=<@second, [{"z"}, {}]>>
"""
STEP = f"""{TYPES}
func.func public @main(%x: !x, %w: !w, %v: !v) -> (!r, !h) attributes {{topology = #mpmd.topology<{TOPOLOGY}>}} {{
  %0 = mpmd.fragment<mesh="first", origin=["forward"]> (%x, %w) (%a: tensor<8x16xf32>, %b: tensor<16x12xf32>) {{
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
    %2 = func.call @act(%1) : (tensor<8x12xf32>) -> tensor<8x12xf32>
    mpmd.return %2 : tensor<8x12xf32>
  }} : (!x, !w) -> !h
  %3 = mpmd.transfer %0 : (!h) -> !s
  %4 = mpmd.fragment<mesh="second", origin=["head", "loss"(1)]> (%3, %v) (%a: tensor<8x12xf32>, %b: tensor<12x4xf32>) {{
    %5 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x12xf32>, tensor<12x4xf32>) -> tensor<8x4xf32>
    mpmd.return %5 : tensor<8x4xf32>
  }} : (!s, !v) -> !r
  return %4, %0 : !r, !h
}}
func.func private @act(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {{
  %0 = stablehlo.tanh %x : tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}}"""
LOOP = """
!a = !mpmd.mesh_tensor<"m", tensor<4xf32>>
!t = !mpmd.mesh_tensor<"m", tensor<4xf32>, sharding=<@m, [{"x"}]>>
!o = !mpmd.mesh_tensor<"n", tensor<4xf32>, memory_kind="pinned_host">
func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {
    topology = #mpmd.topology<<"m": <["x"=2]>>, <"n": <["x"=3]>>>} {
  %a = mpmd.assign %x : (tensor<4xf32>) -> !a
  %b = mpmd.transfer %a : (!a) -> !t
  %c = mpmd.for (%b) {iterations = 3 : ui32, unroll_factor = 3 : ui32} (%arg: !t, %i: tensor<ui32>) {
    %d = mpmd.call @twice(%arg, %i) : (!t, tensor<ui32>) -> !t
    mpmd.return %d : !t
  } : !t
  %e = mpmd.transfer %c : (!t) -> !o
  %f = mpmd.unassign %e : (!o) -> tensor<4xf32>
  return %f : tensor<4xf32>
}
func.func private @twice(%x: !t, %i: tensor<ui32>) -> !t attributes {
    topology = #mpmd.topology<<"m": <["x"=2]>>, <"n": <["x"=3]>>>} {
  %0 = mpmd.fragment<mesh="m", origin=["twice"], in_shardings=[<@m, [{}]>]> (%x) (%v: tensor<4xf32>) {
    %1 = stablehlo.add %v, %v : tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (!t) -> !t
  return %0 : !t
}
"""


def arguments():
    random = np.random.default_rng(0)
    return [random.standard_normal(shape).astype(np.float32) for shape in ((8, 16), (16, 12), (12, 4))]


def test_fragments_run_on_their_meshes_and_agree_with_numpy():
    whole, given = global_program(stablehlo_py.parse(STEP)), arguments()
    found = simulate_meshes(whole, given)
    hidden = np.tanh(given[0] @ given[1])
    np.testing.assert_allclose(found.results[1], hidden, rtol=1e-5)
    np.testing.assert_allclose(found.results[0], hidden @ given[2], rtol=1e-4, atol=1e-5)
    assert [(one.name, one.mesh, one.devices) for one in found.fragments] == [
        ("forward", "first", 4),
        ("head/loss", "second", 4),
    ]
    (moved,) = found.transfers
    location = moved.location
    assert moved == Transfer("first", "second", "tensor<8x12xf32>", 8 * 12 * 4 // 4, location)
    assert location.startswith("<string>:")
    assert found.devices == 8


def test_loops_calls_and_values_that_are_assigned():
    whole = global_program(stablehlo_py.parse(LOOP))
    assert "mpmd." not in str(whole).replace("mpmd_", "")
    found = simulate_meshes(whole, [np.arange(4, dtype=np.float32)])
    assert found.results[0].tolist() == [0, 8, 16, 24]
    assert [one.name for one in found.fragments] == ["twice"] * 3
    assert [(one.source, one.target, one.bytes_received) for one in found.transfers] == [("m", "m", 8), ("m", "n", 16)]


def test_a_run_tells_what_each_fragment_and_each_transfer_moves():
    """Of partial sums of 4 by 12 floats, in pairs of devices, each device sends two halves."""
    text = STEP.replace('sharding=<@first, [{}, {"y"}]>', 'sharding=<@first, [{"y"}, {}]>')
    whole = global_program(stablehlo_py.parse(text.replace('<@first, [{"x"}, {"y"}]>', '<@first, [{"x"}, {}]>')))
    assert has_fragments(whole)
    found = simulate_meshes(whole, arguments())
    names = "name", "mesh", "devices", "collectives", "bytes_sent"
    fragments = ("forward", "first", 4, 1, 192), ("head/loss", "second", 4, 0, 0)
    transfer = Transfer("first", "second", "tensor<8x12xf32>", 96, "<string>:15:8")
    assert found.steps() == {
        "fragments": [dict(zip(names, one, strict=True)) for one in fragments],
        "transfers": [vars(transfer)],
    }
    assert str(found).splitlines() == [
        "forward on first: 4 devices, 1 collective, 192 B sent by each",
        "head/loss on second: 4 devices, 0 collectives, 0 B sent by each",
        "first -> second: tensor<8x12xf32>, 96 B to each device",
    ]
    assert not has_fragments(stablehlo_py.parse("func.func @main() { return }"))


def test_the_meshes_compute_the_function_of_the_global_program_and_a_planted_error_shows():
    whole, given = global_program(stablehlo_py.parse(STEP)), arguments()

    def run(values, settings, reading):
        return simulate_meshes(whole, values, settings, reading)

    assert same_function([fingerprint_runs(whole, run, given)]).verdict == SAME
    other = global_program(stablehlo_py.parse(STEP.replace("stablehlo.tanh", "stablehlo.sine")))

    def wrong(values, settings, reading):
        return simulate_meshes(other, values, settings, reading)

    assert same_function([fingerprint_runs(whole, wrong, given)]).verdict == DIFFERENT


def test_the_global_program_runs_alone_and_other_programs_stay():
    whole, given = global_program(stablehlo_py.parse(STEP)), arguments()
    np.testing.assert_allclose(Program(whole).run(given)[1], np.tanh(given[0] @ given[1]), rtol=1e-5)
    plain = stablehlo_py.parse("func.func @main() { return }")
    assert global_program(plain) is plain


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ("mpmd.reduce<add> %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "'mpmd.reduce' op cannot be"),
        ("stablehlo.negate %f : tensor<4xf32>", "'stablehlo.negate' op is in no fragment, so on no mesh"),
    ],
)
def test_what_is_on_no_mesh_is_refused(op, message):
    module = stablehlo_py.parse(LOOP.replace("return %f : tensor", f"%g = {op}\n  return %g : tensor"))
    with pytest.raises(InputError, match=r"op (cannot be simulated|is in no fragment)") as caught:
        simulate_meshes(global_program(module), [np.zeros(4, np.float32)])
    assert message in str(caught.value)
    line = LOOP[: LOOP.index("  return %f")].count("\n") + 1
    assert caught.value.location.startswith(f"<string>:{line}:")


def test_a_body_of_a_loop_gets_the_number_of_its_round_and_is_cut_once(monkeypatch):
    number = """%j = mpmd.assign %i : (tensor<ui32>) -> !i
  %0 = mpmd.fragment<mesh="m", origin=["twice"], in_shardings=[<@m, [{}]>, <@m, []>]> (%x, %j)
      (%v: tensor<4xf32>, %k: tensor<ui32>) {
    %n = stablehlo.convert %k : (tensor<ui32>) -> tensor<f32>
    %w = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.add %v, %v : tensor<4xf32>
    %1 = stablehlo.add %2, %w : tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (!t, !i) -> !t"""
    begin, end = LOOP.index("%0 = mpmd.fragment"), LOOP.index("  return %0 : !t")
    text = '!i = !mpmd.mesh_tensor<"m", tensor<ui32>>' + LOOP[:begin] + number + "\n" + LOOP[end:]
    asked = list[object]()

    def counted(*given, **named):
        asked.append(given)
        return partition(*given, **named)

    monkeypatch.setattr(mpmd, "partition", counted)
    found = simulate_meshes(global_program(stablehlo_py.parse(text)), [np.arange(4, dtype=np.float32)])
    assert found.results[0].tolist() == [4 + 8 * number for number in range(4)]  # ((2x + 0) * 2 + 1) * 2 + 2
    assert ([one.name for one in found.fragments], len(asked)) == (["twice"] * 3, 1)
    assert found.devices == 2


def test_settings_are_those_of_each_fragment():
    whole, seen = global_program(stablehlo_py.parse(STEP)), list[str]()

    class Listener:
        def before(self, step, operands):
            seen.append(step.op.name)

        def after(self, step, operands, results):
            seen.append(step.op.name)

    simulate_meshes(whole, arguments(), Settings(listeners=(Listener(),)))
    assert {"stablehlo.tanh", "stablehlo.dot_general"} <= {*seen}


def test_without_the_dialect_the_release_that_has_it_is_named(monkeypatch):
    monkeypatch.setattr("stablehlo_py.syntax.parser.has_dialect", lambda context, name: name != "mpmd")
    monkeypatch.setitem(stablehlo_py.bindings.capabilities._FOUND, "mpmd", False)
    with pytest.raises(ProviderError, match=r"reading programs of several meshes needs jaxlib 0\.8\.0 or later"):
        parse(STEP, context=make_context())


ONE = """
!a = !mpmd.mesh_tensor<"m", tensor<4xf32>>
!t = !mpmd.mesh_tensor<"m", tensor<4xf32>, sharding=<@m, [{"x"}]>>
func.func public @main(%x: IN) -> OUT attributes {topology = #mpmd.topology<<"m": <["x"=2]>>>} {
  %0 = mpmd.fragment<mesh="m", origin=[]GIVEN> (%x) (%v: tensor<4xf32>) {
    %1 = stablehlo.add %v, %v : tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (IN) -> OUT
  return %0 : OUT
}"""
CUT, WHOLE = '[<@m, [{"x"}]>]', "[<@m, [{}]>]"


@pytest.mark.parametrize(
    ("given", "takes", "gives", "sent"),
    [
        ("", "!t", "!t", 0),
        ("", "!t", "!a", 8),  # a value without a sharding is whole on each device
        ("", "!a", "!t", 0),
        (f", out_shardings={WHOLE}", "!t", "!t", 8),
        (f", in_shardings={CUT}, out_shardings={WHOLE}", "!a", "!a", 8),
        (f", in_shardings={CUT}, out_shardings={CUT}", "!a", "!a", 0),
        (f", in_shardings={WHOLE}, out_shardings={CUT}", "!t", "!t", 0),
        (f", in_shardings={WHOLE}, out_shardings={WHOLE}", "!t", "!t", 0),
    ],
)
def test_a_fragment_is_cut_as_it_says_itself_or_as_its_values_are(given, takes, gives, sent):
    text = ONE.replace("GIVEN", given).replace("IN", takes).replace("OUT", gives)
    found = simulate_meshes(global_program(stablehlo_py.parse(text)), [np.arange(4, dtype=np.float32)])
    (ran,) = found.fragments
    assert (ran.name, ran.mesh, ran.devices) == ("mpmd_fragment_0", "m", 2)
    assert (ran.collectives, ran.bytes_sent) == (int(sent > 0), sent)
    assert found.results[0].tolist() == [0, 2, 4, 6]


def test_unreduced_results_of_a_fragment_are_refused():
    unreduced = ', out_shardings=[<@m, [{}], unreduced={"x"}>]'
    text = ONE.replace("GIVEN", unreduced).replace("IN", "!a").replace("OUT", "!a")
    with pytest.raises(InputError, match="a fragment with unreduced out_shardings cannot be simulated"):
        global_program(stablehlo_py.parse(text))


def test_a_program_of_several_meshes_is_not_partitioned():
    with pytest.raises(
        InputError, match="found an MPMD program of several meshes, expected a program of one mesh"
    ) as caught:
        partition(parse(STEP))
    assert "stablehlo simulate" in caught.value.notes[0]
    assert caught.value.location == f"<string>:{STEP[: STEP.index('func.func public @main')].count(chr(10)) + 1}:1"


@pytest.mark.parametrize(
    ("type_", "place"),
    [
        ("tensor<4xf32>", ("", "")),
        ('!mpmd.mesh_tensor<"m", tensor<4xf32>>', ("m", "[{}]")),
        ('!mpmd.mesh_tensor<"n", tensor<4xf32>, sharding=<@n, [{"x"}]>>', ("n", '[{"x"}]')),
        ('!mpmd.mesh_tensor<"n", tensor<2x3xf32>, memory_kind="pinned_host">', ("n", "[{}, {}]")),
        ('!mpmd.mesh_tensor<"m", tensor<4xcomplex<f32>>, sharding=<@m, [{"x", ?}p1]>>', ("m", '[{"x", ?}p1]')),
        ('!mpmd.mesh_tensor<"m", tensor<4xf32>, sharding=<@m, [{"x"}], replicated={"y"}>>', ("m", '[{"x"}]')),
        ('!mpmd.mesh_tensor<"m", tensor<4x!quant.uniform<i8:f32, 2.0>>>', ("m", "[{}]")),
        ('!mpmd.mesh_tensor<"third", tensor<4xf32>>', None),
        ('!mpmd.mesh_tensor<"m", tensor<4xf32>, sharding=<mesh<["x"=2]>, [{"x"}]>>', None),
        ('!mpmd.mesh_tensor<"m", tensor<4xf32>, sharding=<@m, [{}], unreduced={"x"}>>', None),
    ],
)
def test_a_type_says_on_which_mesh_values_are(type_, place):
    module = stablehlo_py.parse(LOOP)
    lowering = mpmd._Lowering(module)
    given = ir.Type.parse(type_, module.context)
    if place is None:
        with pytest.raises(InputError, match=r"values of type .* cannot be simulated"):
            lowering.place(given)
    else:
        found, whole = lowering.place(given)
        assert (found.name, found.sharding) == place
        assert found.mesh == {"": "", "m": '#sdy.mesh<["x"=2]>', "n": '#sdy.mesh<["x"=3]>'}[found.name]
        assert whole == ir.Type.parse(re.search(r"\btensor<(?:[^<>]|<[^<>]*>)*>", type_)[0], module.context)
