"""Shardings in GSPMD's form and in the form of Shardy's round trip."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from installed import needs

import stablehlo_py
from stablehlo_py.bindings.meshes import Mesh, read_mesh
from stablehlo_py.bindings.shardings import sdy_shardings, xla_shardings, xla_tiling
from stablehlo_py.bindings.walk import functions, symbols
from stablehlo_py.errors import InputError
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.attributes import signature
from stablehlo_py.spmd.gspmd import import_gspmd

pytestmark = needs("partition")


def program(*attributes, shape="8x8", module="", body="return %0"):
    given = ", ".join([f'%{n}: tensor<{shape}xf32> {{mhlo.sharding = "{each}"}}' for n, each in enumerate(attributes)])
    function = f"func.func @main({given}) -> tensor<{shape}xf32> {{ {body} : tensor<{shape}xf32> }}"
    return f"module attributes {{{module}}} {{ {function} }}"


def tiling_of(text, known):
    (sharding,) = sdy_shardings(text, known.__getitem__)
    return sharding.tiling(frozenset(sharding.mesh.axes))


def drawn(random):
    """A mesh as XLA writes it, and shardings of tensors of rank 3 along its axes and parts of axes."""
    sizes = {name: random.choice([1, 2, 3, 4]) for name in "abc"[: random.randint(1, 3)]}
    count = math.prod(sizes.values())
    ids = random.sample(range(count), count) if random.random() < 0.5 else list(range(count))
    shardings = []
    for _ in range(random.randint(1, 3)):
        axes = [
            f"'{name}'" if size != 4 or random.random() < 0.5 else f"'{name}':({random.choice([1, 2])})2"
            for name, size in sizes.items()
        ]
        axes = random.sample(axes, random.randint(0, len(axes)))
        dimensions = [[], [], []]
        for axis in axes:
            random.choice(dimensions).append(axis)
        shardings.append(", ".join([f"{{{', '.join(each)}}}" for each in dimensions]))
    return sizes, ids, shardings


def test_xlas_text_gives_each_device_what_the_axes_give_it():
    from jaxlib import _hlo

    if not hasattr(_hlo.HloSharding, "v3_to_v2_sharding"):
        pytest.skip("this jaxlib does not write GSPMD's form of a sharding along axes")
    random_, wrong, cut = random.Random(0), [], 0
    for _ in range(150):
        sizes, ids, texts = drawn(random_)
        axes = ",".join([f"{name!r}={size}" for name, size in sizes.items()])
        order = "" if ids == sorted(ids) else f", device_ids=({','.join(map(str, ids))})"
        read = [_hlo.HloSharding.from_string(f"{{mesh[{axes}]{order}, [{text}]}}") for text in texts]
        written = [str(each.v3_to_v2_sharding()) for each in read]
        count = f"mhlo.num_partitions = {len(ids)} : i32"
        module = stablehlo_py.parse(program(*written, shape="144x144x144", module=count))
        import_gspmd(module, None if random_.random() < 0.5 or ids != sorted(ids) else sizes)
        known = {"mesh": read_mesh(str(symbols(module.operation)["mesh"].attributes["mesh"]))}
        found = [one.sharding for one in signature(functions(module.operation)["main"]) if one.kind == "argument"]
        for text, gspmd, sdy in zip(texts, written, found, strict=True):
            expected = tiling_of(f"<@mesh, [{text}]>".replace("'", '"'), {"mesh": Mesh(sizes, tuple(ids))}).positions
            cut += any(map(any, expected.values()))
            if tiling_of(sdy, known).positions != expected:
                wrong.append((sizes, ids, text, gspmd, sdy))
    assert not wrong
    assert cut > 150


REFUSED = {
    "{devices=[2,2]<=[4]T(1,0) last_tile_dim_replicate}": "unexpected token",
    "{frog}": "unexpected token",
    "{devices=[2,1]0,5}": "the devices 0 to 1 were expected",
    "{devices=[2]<=[2]}": "it does not have the dimensions of tensor<8x8xf32>",
    "{{replicated}, {replicated}}": "it has 2 shardings for 1 values",
    "{maximal device=0}": "for each device a part",
    "{manual}": "for each device a part",
    "{devices=[1,1,2]<=[2] last_tile_dims={manual}}": "for each device a part",
    "{unreduced}": "unreduced values",
    "{unknown shard_as 0}": "groups of values",
}


def test_what_cannot_be_read_is_refused_by_its_name_and_text():
    for text, reason in REFUSED.items():
        with pytest.raises(InputError) as error:
            partition(stablehlo_py.parse(program(text)))
        assert f'cannot read mhlo.sharding = "{text}" of argument 0' in error.value.message
        assert reason in error.value.message
        assert error.value.location
    two, three, four = [f"{{devices=[{n},1,{12 // n}]<=[12] last_tile_dim_replicate}}" for n in (2, 3, 4)]
    for texts, mesh, reason in (
        (("{devices=[2,1]<=[2]}", "{devices=[4,1]<=[4]}"), None, "2 devices were expected"),
        (("{devices=[2,1]<=[2]}",), {"x": 4}, "4 devices were expected"),
        ((three, four), None, "no mesh fits"),
        ((two,), {"x": 3, "y": 4}, "no mesh with the axes x=3, y=4"),
    ):
        with pytest.raises(InputError, match=reason):
            partition(stablehlo_py.parse(program(*texts)), mesh=mesh)


def test_a_malformed_text_of_the_round_trip_is_refused_by_its_name():
    attributes = r"""mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x]>"}"""
    for meshes, name in ((r"{mesh = #sdy.mesh<[\22x\22=2]>}", "xla.sdy.sharding"), ("{mesh = frog}", "xla.sdy.meshes")):
        module = f'mhlo.frontend_attributes = {{xla.sdy.meshes = "{meshes}"}}'
        text = program("{replicated}", module=module).replace('mhlo.sharding = "{replicated}"', attributes)
        with pytest.raises(InputError, match=f"cannot read {name} = ") as error:
            partition(stablehlo_py.parse(text))
        place = text.index("func.func") if name == "xla.sdy.sharding" else 0
        assert error.value.location == f"<string>:1:{place + 1}"


CUT = "{devices=[4,1]<=[4]}"
TO_LOCAL = f"""
  %in = stablehlo.custom_call @Sharding(%0) {{mhlo.sharding = "{CUT}"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %own = stablehlo.custom_call @SPMDFullToShardShape(%in) {{mhlo.sharding = "{{manual}}"}}
    : (tensor<8x8xf32>) -> tensor<2x8xf32>
"""
BODY = """
  %factor = stablehlo.constant dense<3.0> : tensor<2x8xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %number = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
  %numbers = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
  %product = stablehlo.multiply %own, %factor : tensor<2x8xf32>
  %sum = stablehlo.add %product, %numbers : tensor<2x8xf32>
"""
TO_GLOBAL = f"""
  %full = stablehlo.custom_call @SPMDShardToFullShape(%sum) {{mhlo.sharding = "{CUT}"}}
    : (tensor<2x8xf32>) -> tensor<8x8xf32>
  return %full"""


def test_devices_on_their_own_need_no_function_of_their_own():
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    module = stablehlo_py.parse(program(CUT, body=TO_LOCAL + BODY + TO_GLOBAL))
    found = partition(module)
    expected = 3 * x + np.arange(4, dtype=np.float32).repeat(2)[:, None]
    np.testing.assert_array_equal(simulate(found, [x]).results[0], expected)
    np.testing.assert_array_equal(stablehlo_py.interpret(module, [x])[0], expected)
    assert found.collectives == ()
    assert found.cut["axes"] == ["axis_0"]


def test_a_part_that_leaves_no_other_way_is_refused():
    text = program(CUT, body=TO_LOCAL + BODY + "return %sum").replace(
        "-> tensor<8x8xf32> { \n", "-> tensor<2x8xf32> { \n"
    )
    with pytest.raises(InputError, match=r"'xla\.sdy\.LocalToGlobalShape' call was expected"):
        partition(stablehlo_py.parse(text.replace("return %sum : tensor<8x8xf32>", "return %sum : tensor<2x8xf32>")))


def test_tuples_give_each_result_its_sharding_and_open_dimensions_stay_open():
    body = """
  %constrained = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[1]",
    mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %pair:2 = "stablehlo.optimization_barrier"(%constrained, %0) {
    mhlo.sharding = "{{devices=[1,4]<=[4]}, {replicated}}"} : (tensor<8x8xf32>, tensor<8x8xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>)
  return %pair#0"""
    module = stablehlo_py.parse(program("{unknown}", body=body))
    import_gspmd(module, {"x": 2, "y": 2})
    text = str(module)
    assert 'sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {?}]>' in text
    assert '#sdy.sharding_per_value<[<@mesh, [{}, {"x", "y"}]>, <@mesh, [{}, {}]>]>' in text
    assert "sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>" in text
    assert "mhlo.sharding" not in text


def test_old_lists_of_devices_make_a_mesh_in_their_order():
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    module = stablehlo_py.parse(
        program("{devices=[2,2]3,1,0,2}", body="%1 = stablehlo.add %0, %0 : tensor<8x8xf32> return %1")
    )
    found = partition(module)
    assert found.mesh.device_ids == (3, 1, 0, 2)
    simulated = simulate(found, [x])
    np.testing.assert_array_equal(simulated.results[0], 2 * x)
    np.testing.assert_array_equal(simulated.parts[3][0], (2 * x)[:4, :4])


def test_a_reader_of_xlas_shardings_takes_manual_subgroups_apart():
    (read,) = xla_shardings("{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}")
    assert (read.kind, read.subgroups) == ("tiled", ("manual", "replicated"))
    tiling = xla_tiling("{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}", 2)
    assert tiling is not None
    assert tiling.wholes == {device: (device // 2 % 2,) for device in range(8)}


@pytest.mark.parametrize(("ins", "outs"), [(1, 1), (1, 3), (3, 1), (3, 2)])
def test_devices_on_their_own_take_what_is_made_between_calls(ins, outs):
    """Calls lie among ops of the whole program: each value is there before it is taken, and results only after."""
    lines = ["%offset = stablehlo.constant dense<5.0> : tensor<2x8xf32>"]
    local = TO_LOCAL.strip().splitlines()
    for number in range(ins):
        cut = (
            "\n".join(local).replace("%0", f"%{number}").replace("%in", f"%in{number}").replace("%own", f"%own{number}")
        )
        lines += [cut, f"%factor{number} = stablehlo.constant dense<{number + 2}.0> : tensor<2x8xf32>"]
    lines.append("%sum0 = stablehlo.add %own0, %offset : tensor<2x8xf32>")
    for number in range(ins):
        lines.append(f"%p{number} = stablehlo.multiply %own{number}, %factor{number} : tensor<2x8xf32>")
        lines.append(f"%sum{number + 1} = stablehlo.add %sum{number}, %p{number} : tensor<2x8xf32>")
    for number in range(outs):
        call = (
            TO_GLOBAL.partition("  return")[0]
            .replace("%sum", f"%sum{ins - number % 2}")
            .replace("%full", f"%full{number}")
        )
        lines += [call, f"%used{number} = stablehlo.negate %full{number} : tensor<8x8xf32>"]
        if number:
            before = "used0" if number == 1 else f"all{number - 1}"
            lines.append(f"%all{number} = stablehlo.add %{before}, %used{number} : tensor<8x8xf32>")
    lines.append(f"return %{'used0' if outs == 1 else f'all{outs - 1}'}")
    arguments = [np.arange(64, dtype=np.float32).reshape(8, 8) + number for number in range(ins)]
    module = stablehlo_py.parse(program(*[CUT] * ins, body="\n".join(lines)))
    sums = np.add.accumulate([arguments[0] + 5, *[(number + 2) * each for number, each in enumerate(arguments)]])
    expected = -sum(sums[ins - number % 2] for number in range(outs))
    np.testing.assert_array_equal(simulate(partition(module), arguments).results[0], expected)


@pytest.mark.parametrize(("first", "second"), [((0, 3, 1, 2), (0, 1, 3, 2)), ((0, 1, 3, 2), (0, 3, 1, 2))])
def test_devices_are_in_the_order_of_the_first_sharding_and_then_of_the_second(first, second):
    tiles = [f"{{devices=[2,1,2]{','.join(map(str, ids))} last_tile_dim_replicate}}" for ids in (first, second)]
    found = partition(stablehlo_py.parse(program(*tiles, body="return %1")))
    assert found.mesh.device_ids == first
    eye = np.eye(8, dtype=np.float32)
    np.testing.assert_array_equal(simulate(found, [eye, 2 * eye]).results[0], 2 * eye)
