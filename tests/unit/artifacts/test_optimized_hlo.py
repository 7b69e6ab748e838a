"""HLO is read before and after XLA's passes, with what they leave in it."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import InputError, StablehloError

X = np.arange(6, dtype=np.float32).reshape(2, 3)

OPTIMIZED = """HloModule optimized, is_scheduled=true
%negated (p: f32[3,2]) -> (f32[3,2], f32[3,2]) {
  %p = f32[3,2]{1,0} parameter(0)
  %n = f32[3,2]{1,0} negate(%p)
  ROOT %t = (f32[3,2]{1,0}, f32[3,2]{1,0}) tuple(%p, %n)
}
%waiting (p: f32[3,2]) -> f32[3,2] {
  %p = f32[3,2]{1,0} parameter(0)
  ROOT %n = f32[3,2]{1,0} add(%p, %p)
}
%outlined (p: f32[3,2]) -> f32[3,2] {
  %p = f32[3,2]{1,0} parameter(0)
  ROOT %n = f32[3,2]{1,0} multiply(%p, %p)
}
ENTRY %main (x: f32[2,3]) -> (f32[3,2], f32[3,2], f32[2,1], s32[2,1]) {
  %x = f32[2,3]{1,0} parameter(0)
  %b = f32[3,2]{0,1} bitcast(%x)
  %c = f32[3,2]{1,0} copy(%b)
  %f = (f32[3,2]{1,0}, f32[3,2]{1,0}) fusion(%c), kind=kLoop, calls=%negated
  %g = f32[3,2]{1,0} get-tuple-element(%f), index=1
  %after = token[] after-all()
  %d = f32[3,2]{1,0} add-dependency(%g, %after)
  %s = ((f32[3,2]{1,0}), f32[3,2]{1,0}, s32[]) async-start(%d), calls=%waiting
  %u = ((f32[3,2]{1,0}), f32[3,2]{1,0}, s32[]) async-update(%s)
  %a = f32[3,2]{1,0} async-done(%u)
  %o = f32[3,2]{1,0} call(%g), to_apply=%outlined, backend_config={"outer_dimension_partitions":["2"]}
  %k = (f32[2,1]{1,0}, s32[2,1]{1,0}) custom-call(%x), custom_call_target="TopK"
  %v = f32[2,1]{1,0} get-tuple-element(%k), index=0
  %i = s32[2,1]{1,0} get-tuple-element(%k), index=1
  ROOT %r = (f32[3,2]{1,0}, f32[3,2]{1,0}, f32[2,1]{1,0}, s32[2,1]{1,0}) tuple(%a, %o, %v, %i)
}
"""


def run(text, *arguments):
    return stablehlo_py.interpret(stablehlo_py.parse(text), arguments)


def entry(result, *lines, parameter="f32[2,3]"):
    return "\n".join(["HloModule one", f"ENTRY %main (x: {parameter}) -> {result} {{", *lines, "}"])


def test_what_the_passes_leave_is_read():
    doubled, squared, values, indices = run(OPTIMIZED, X)
    np.testing.assert_array_equal(doubled, -2 * X.T)
    np.testing.assert_array_equal(squared, X.T * X.T)
    np.testing.assert_array_equal(values, [[2], [5]])
    np.testing.assert_array_equal(indices, [[2], [2]])
    names = {op.name for op in operations(stablehlo_py.parse(OPTIMIZED).operation)}
    assert not [name for name in names if name.startswith("mhlo.")]


def test_hlo_before_the_passes_may_have_ops_of_chlo():
    text = entry(
        "(f32[2,3], (f32[2,1], s32[2,1]))",
        "%x = f32[2,3] parameter(0)",
        "%e = f32[2,3] erf(%x)",
        "%k = (f32[2,1], s32[2,1]) topk(%x), k=1, largest=true",
        "ROOT %t = (f32[2,3], (f32[2,1], s32[2,1])) tuple(%e, %k)",
    )
    erf, largest, _ = run(text, X)
    np.testing.assert_allclose(erf, np.vectorize(math.erf)(X), rtol=1e-6)
    np.testing.assert_array_equal(largest, [[2], [5]])


def test_the_smallest_elements_have_no_counterpart():
    text = entry(
        "(f32[2,1], s32[2,1])",
        "%x = f32[2,3] parameter(0)",
        "ROOT %k = (f32[2,1], s32[2,1]) topk(%x), k=1, largest=false",
    )
    with pytest.raises(InputError, match=r"StableHLO: 'mhlo\.topk' op has no counterpart"):
        stablehlo_py.parse(text)


def memory(array, layout):
    """Return the elements in the order of memory, for a layout that names the innermost dimension first."""
    return array.transpose(layout[::-1]).reshape(-1)


def test_a_bitcast_keeps_the_order_of_memory():
    rng = np.random.default_rng(0)
    shapes = [(2, 3, 4), (4, 6), (24,), (1, 24, 1), (3, 1, 2, 4), (12, 2, 1)]
    for source in shapes:
        layouts = [tuple(int(d) for d in rng.permutation(len(shape))) for shape in (source, *shapes)]
        written = [",".join(map(str, shape)) for shape in (source, *shapes)]
        types = [
            f"f32[{shape}]{{{','.join(map(str, layout))}}}" for shape, layout in zip(written, layouts, strict=True)
        ]
        lines = [f"  %b{number} = {type_} bitcast(%x)" for number, type_ in enumerate(types[1:])]
        whole, operands = ", ".join(types[1:]), ", ".join(f"%b{number}" for number in range(len(shapes)))
        given = np.arange(24, dtype=np.float32).reshape(source)
        root = f"  ROOT %t = ({whole}) tuple({operands})"
        found = run(entry(f"({whole})", f"  %x = {types[0]} parameter(0)", *lines, root, parameter=types[0]), given)
        for result, shape, layout in zip(found, shapes, layouts[1:], strict=True):
            assert np.asarray(result).shape == shape
            np.testing.assert_array_equal(memory(np.asarray(result), layout), memory(given, layouts[0]))


def test_a_bitcast_may_change_the_type_but_not_its_width():
    text = entry("s32[3,2]", "%x = f32[2,3]{1,0} parameter(0)", "ROOT %b = s32[3,2]{1,0} bitcast(%x)")
    np.testing.assert_array_equal(run(text, X)[0], X.view(np.int32).reshape(3, 2))
    with pytest.raises(InputError, match=r"'mhlo\.bitcast' op has no counterpart"):
        run(text.replace("s32[3,2]", "s16[3,4]"), X)


def test_what_has_no_meaning_in_stablehlo_is_refused_by_name():
    state = "ROOT %r = u64[2]{0} rng-get-and-update-state(), delta=2"
    origin = ', metadata={op_name="seed" source_file="model.py" source_line=7}'
    with pytest.raises(InputError, match=r"'mhlo\.xla\.rng_get_and_update_state'") as error:
        run(entry("u64[2]", "%x = f32[2,3] parameter(0)", state + origin))
    assert error.value.location.startswith("model.py:7")
    call = 'ROOT %r = f32[2,3] custom-call(%x), custom_call_target="__onednn$matmul"'
    with pytest.raises(StablehloError, match=r"__onednn\$matmul"):
        run(entry("f32[2,3]", "%x = f32[2,3] parameter(0)", call), X)
    groups = "channel_id=1, replica_groups=mesh['x'=1,'y'=2] {'y'}"
    exchange = f"ROOT %r = (f32[2,3], f32[2,3]) all-to-all(%x, %x), {groups}"
    with pytest.raises(InputError, match="cannot be"):  # jaxlib writes an op that does not verify
        run(entry("(f32[2,3], f32[2,3])", "%x = f32[2,3] parameter(0)", exchange), X)


def test_constants_without_values_are_refused(tmp_path):
    """XLA's parser makes up values for them."""
    path = tmp_path / "elided.hlo"
    path.write_text(entry("f32[9]", "%x = f32[2,3] parameter(0)", "ROOT %c = f32[9] constant({...})"))
    with pytest.raises(InputError, match="left out when this HLO was printed") as error:
        stablehlo_py.parse(path)
    assert error.value.location == f"{path}:4:18"


TOP_K = '%k = (f32[2,1]{1,0}, s32[2,1]{1,0}) custom-call(%x), custom_call_target="TopK"'
PARTS = ["%v = f32[2,1]{1,0} get-tuple-element(%k), index=0", "%i = s32[2,1]{1,0} get-tuple-element(%k), index=1"]


@pytest.mark.parametrize(
    ("result", "lines"),
    [
        ("(s32[2,1], f32[2,1])", [*PARTS, "ROOT %r = (s32[2,1], f32[2,1]) tuple(%i, %v)"]),
        ("s32[2,1]", [PARTS[1].replace("%i", "ROOT %i")]),
        ("(f32[2,1], f32[2,1])", [PARTS[0], "ROOT %r = (f32[2,1], f32[2,1]) tuple(%v, %v)"]),
        (
            "((f32[2,1], s32[2,1]), s32[2,1])",
            [PARTS[1], "ROOT %r = ((f32[2,1], s32[2,1]), s32[2,1]) tuple(%k, %i)"],
        ),
        ("(f32[2,1], s32[2,1])", []),
    ],
)
def test_a_call_of_several_results_has_no_tuple(result: str, lines: list[str]) -> None:
    calls = [TOP_K, *lines] if lines else [TOP_K.replace("%k", "ROOT %k")]
    module = stablehlo_py.parse(entry(result, "%x = f32[2,3] parameter(0)", *calls))
    names = [op.name for op in operations(module.operation)]
    assert {"stablehlo.tuple", "stablehlo.get_tuple_element"}.isdisjoint(names), names

    def flat(values: object) -> list[object]:
        if not isinstance(values, (list, tuple)):
            return [np.asarray(values).tolist()]
        return [each for value in values for each in flat(value)]

    found = flat(stablehlo_py.interpret(module, [X]))
    values = {"f32": [[2.0], [5.0]], "s32": [[2], [2]]}
    assert found == [values[each] for each in re.findall("f32|s32", result)]
