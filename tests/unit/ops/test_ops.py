"""`stablehlo_py.ops`: every op is there, builds what the text says, and evaluates as the interpreter does."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import replayed

import stablehlo_py
from stablehlo_py import ops, parse
from stablehlo_py.bindings.op_signatures import op_names
from stablehlo_py.dialect.catalog import contract, contract_names
from stablehlo_py.errors import (
    ArgumentError,
    InputError,
    InterpreterError,
    StablehloError,
    UsageError,
    VerificationError,
    counted,
)
from stablehlo_py.interpreter.program import Program
from stablehlo_py.ops.builder import located
from stablehlo_py.ops.values import _bounds
from stablehlo_py.testing import golden

ROOT = Path(__file__).parents[3]
F, N, B, C = "tensor<2x3xf32>", "tensor<2x3xi32>", "tensor<2x3xi1>", "tensor<2x3xcomplex<f32>>"
UNARY = "acos acosh asin asinh atan atanh bessel_i1e cosh digamma erf erf_inv erfc lgamma sinh square tan"
BINARY = "add atan2 divide maximum minimum multiply next_after polygamma power remainder subtract zeta"
INTEGERS = "and or xor shift_left shift_right_arithmetic shift_right_logical"
RAGGED = (
    "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], "
    "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
    "rhs_group_dimensions = [0]>"
)
CHLO = {
    **{name: ("", [F], [F]) for name in UNARY.split()},
    **{f"is_{name}": ("", [F], [B]) for name in ("inf", "neg_inf", "pos_inf")},
    **{f"broadcast_{name}": ("", [F, "tensor<3xf32>"], [F]) for name in BINARY.split()},
    **{f"broadcast_{name}": ("", [N, "tensor<3xi32>"], [N]) for name in INTEGERS.split()},
    **{name: ("", [F, F], [F]) for name in ("next_after", "polygamma", "zeta")},
    "_asin_acos_kernel": ("", [C], [C]),
    "broadcast_compare": ("comparison_direction = #chlo<comparison_direction LT>", [F, "tensor<3xf32>"], [B]),
    "broadcast_complex": ("", [F, "tensor<3xf32>"], [C]),
    "broadcast_select": ("", ["tensor<i1>", F, F], [F]),
    "conj": ("", [C], [C]),
    "constant": ("value = dense<[1, 2]> : tensor<2xi32>", [], ["tensor<2xi32>"]),
    "constant_like": ("value = 2.5 : f32", [F], [F]),
    "mulhi": ("", [N, N], [N]),
    "ragged_dot": (RAGGED, ["tensor<4x3xf32>", "tensor<2x3x5xf32>", "tensor<2xi64>"], ["tensor<4x5xf32>"]),
    "scan": (
        "dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>",
        [F, "tensor<3xf32>"],
        [F, "tensor<3xf32>"],
    ),
    "top_k": ("k = 2 : i64", [F], ["tensor<2x2xf32>", "tensor<2x2xi32>"]),
}
BODY = """({ ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
  %s = "stablehlo.add"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  "stablehlo.return"(%s, %s) : (tensor<3xf32>, tensor<3xf32>) -> () })"""


def chlo_program(name: str) -> str:
    attributes, operands, results = CHLO[name]
    parameters = ", ".join(f"%{number}: {type_}" for number, type_ in enumerate(operands))
    names = ", ".join(f"%{number}" for number in range(len(operands)))
    returned = ", ".join(f"%r#{number}" for number in range(len(results)))
    region = BODY if name == "scan" else ""
    outputs = ", ".join(results)
    return f"""func.func @main({parameters}) -> ({outputs}) {{
      %r:{len(results)} = "chlo.{name}"({names}) {region} {{{attributes}}} : ({", ".join(operands)}) -> ({outputs})
      return {returned} : {outputs} }}"""


def argument(type_: str, seed: int) -> np.ndarray:
    """An array of a type, of numbers between 0 and 1 or small integers."""
    *sizes, element = type_.replace("complex<f32>", "c64").removeprefix("tensor<").removesuffix(">").split("x")
    shape = tuple(map(int, sizes))
    drawn = np.random.default_rng(seed).uniform(0.1, 0.9, shape)
    dtype = {"f32": np.float32, "i32": np.int32, "i64": np.int64, "i1": np.bool_, "c64": np.complex64}[element]
    return (drawn * 4 if element[0] == "i" and element != "i1" else drawn).astype(dtype)


def test_every_op_has_a_function():
    missing = []
    for dialect, functions in (("stablehlo", dir(ops)), ("chlo", dir(ops.chlo))):
        for name in op_names(dialect):
            function = replayed.FUNCTIONS.get(name, ("", ""))[1]
            if name != "stablehlo.return" and function not in functions:
                missing.append(name)
    assert missing == []


def test_every_op_builds_as_its_text():
    texts = {f"stablehlo.{name}": contract(name).example for name in contract_names()}
    texts |= {f"chlo.{name}": chlo_program(name) for name in CHLO}
    texts = {name: text for name, text in texts.items() if name in {*replayed.FUNCTIONS, "stablehlo.return"}}
    wrong, done = [], {"stablehlo.constant"}
    for name, text in texts.items():
        replay = replayed.Replay(text)
        with ops.module() as built:
            for function in replay.functions:
                replay.function(function)
        done |= replay.done
        if replayed.bodies(built, drop_checks=False) != replayed.bodies(replay.module, drop_checks=True):
            wrong.append(name)
    assert wrong == []
    assert set(replayed.FUNCTIONS) - done == set()


def of_one_process(name: str) -> str:
    """The example of a collective op for a grid of one process."""
    text = contract(name).example.replace("split_count = 2", "split_count = 1")
    text = re.sub(r"dense<\[\[.*?\]\]> : tensor<\dx\dxi64>", "dense<0> : tensor<1x2xi64>", text)
    text = text if "source_target_pairs" in text else text.replace("tensor<1x2xi64>", "tensor<1x1xi64>")
    text = re.sub(r"\(tensor<(\w+)>\) -> tensor<\w+>", r"(tensor<\1>) -> tensor<\1>", text)
    type_ = re.findall(r"tensor<[x\w]+>", text)[-1]
    text = re.sub(r"func.func @\w+(\(.*?\)) ", rf"func.func @main\1 -> {type_} ", text)
    return re.sub(r"return\n(?=})", f"return %0 : {type_}\n", text)


COLLECTIVES = (
    *("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "collective_reduce"),
    *("cross-replica-sum", "partition_id", "reduce_scatter", "replica_id"),
)
SHARDING = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32> }"""
GIVE_TOKENS = {f"stablehlo.{name}" for name in ("after_all", "create_token", "outfeed", "send")}
FED_BY_OTHERS = {"stablehlo.infeed": "the infeed is empty", "stablehlo.recv": "deadlock"}
# Their programs need a grid of processes, an infeed, or functions that only text can name, or are there to fail.
OTHERWISE = (
    *("check_failures", "composite.since_1_14", "custom_call", "dynamic_calls", "dynamic_conv_constraints"),
    *("all_", "collective_", "infeed", "partition_id", "replica_id", "recv", "send", "probe", "print"),
    *("check.tolerance", "dot_general.deterministic"),  # an error by intent, and flags
)


def compared_with_text() -> tuple[list[str], set[str]]:
    """The ops of CHLO and the collectives that give something else than their text, and all that were tried."""
    texts = {f"chlo.{name}": chlo_program(name) for name in CHLO}
    texts |= {f"stablehlo.{name}": of_one_process(name) for name in COLLECTIVES} | {"stablehlo.custom_call": SHARDING}
    wrong, done = [], set()
    for name in texts.keys() & replayed.FUNCTIONS.keys():
        program = Program(parse(texts[name]))
        arguments = [argument(str(type_), seed) for seed, type_ in enumerate(program.parameter_types())]
        if name == "chlo.ragged_dot":
            arguments[2] = np.array([1, 3])
        replay = replayed.Replay(texts[name], runs=True)
        found = replay.function("main")(*arguments)
        found = found if isinstance(found, tuple) else (found,)
        done |= replay.done
        if not all(
            a.dtype == b.dtype and np.array_equal(a, b, equal_nan=True)
            for a, b in zip(found, program.run(arguments), strict=True)
        ):
            wrong.append(name)
    return wrong, done


def checked_by_programs() -> tuple[list[str], set[str]]:
    """Run the interpreter's own tests op by op. Return the checks that fail, and the ops."""
    wrong, done = [], set()
    for name, text in replayed.programs():
        is_first = name.endswith(".0")  # the others try the same ops on more types
        if not is_first or name.startswith(OTHERWISE) or not replayed.is_replayed(text):
            continue
        replay = replayed.Replay(text, runs=True)
        for function, op in replay.functions.items():
            blocks = op.regions[0].blocks
            if len(blocks) and not len(blocks[0].arguments):
                try:
                    replay.function(function)()
                except StablehloError as error:
                    wrong.append(f"{name}: {error}")
        done |= replay.done if replay.checked else set()
    return wrong, done


def test_every_op_evaluates_as_its_text():
    outcomes = [compared_with_text(), checked_by_programs()]
    assert [each for wrong, _ in outcomes for each in wrong] == []
    evaluated = {"stablehlo.constant", *GIVE_TOKENS}.union(*[done for _, done in outcomes])
    assert replayed.FUNCTIONS.keys() - evaluated == FED_BY_OTHERS.keys()


def test_ops_that_give_tokens():
    x, token = np.ones(2, np.float32), ops.create_token()
    assert ops.after_all([token, token]) == ops.outfeed([x], token) == token
    assert ops.send([x], token, channel_id=1, channel_type=2, is_host_transfer=True) == token


def test_ops_that_another_process_or_the_host_feeds():
    token = ops.create_token()
    for name, message in FED_BY_OTHERS.items():
        with pytest.raises(InterpreterError, match=message):
            replayed.function_of(name)(token, result_type=ops.f32[2], **({"channel_id": 1} if "recv" in name else {}))
    with pytest.raises(InterpreterError, match="outside the grid of 1 replicas"):
        ops.all_reduce(np.ones(2, np.float32), replica_groups=[[0, 1]], computation=ops.add)


def test_an_error_names_the_line_of_the_call():
    x = np.ones((2, 3), np.float32)
    with pytest.raises(VerificationError, match=r"test_ops.py:\d+:\d+: error: .*permutation"):
        ops.transpose(x, [0, 0])
    with pytest.raises(ArgumentError, match="has no parameter 'axis'"):
        ops.reverse(x, axis=0)
    with pytest.raises(ArgumentError, match="needs a value for 'dimensions'"):
        ops.reverse(x)
    with pytest.raises(AttributeError, match=r"did you mean tanh\?"):
        ops.tanhh(x)
    with pytest.raises(UsageError, match=r"ops\.module"):
        ops.function()(lambda: None)


def test_numbers_take_the_type_of_the_values_beside_them():
    x = np.arange(3, dtype=np.float32)
    assert ops.select(x > 1, x, 0.0).tolist() == [0, 0, 2]
    assert ops.select(x > 1, 1.5, x).tolist() == [0, 1, 1.5]
    with pytest.raises(InputError, match=r"1\.5 is not a value of int32"):
        ops.add(np.int32(1), 1.5)
    with pytest.raises(ArgumentError, match="beside quantized values"):
        ops.add(ops.typed([1, 2], "!quant.uniform<i8:f32, 0.5>"), 1)
    assert ops.composite([x], name="my.twice", decomposition=lambda x: x + x).tolist() == [0, 2, 4]


def test_a_value_stays_in_its_module():
    values = []
    with ops.module():

        @ops.function(x=ops.f32[2])
        def first(x):
            values.append(x)
            return x

    for use in (
        lambda x: x + values[0],
        lambda x: values[0] + x,
        lambda x: x @ values[0],
        lambda x: (x, -values[0]),
        lambda x: (x, values[0][0]),
        lambda x: ops.add(x, values[0]),
    ):
        with pytest.raises(ArgumentError, match="of another module"), ops.module():
            ops.function(x=ops.f32[2])(use)
    with pytest.raises(UsageError, match="no module is being built"):
        ops.add(values[0], values[0])


def test_inputs_that_end_the_inference_of_the_bindings():
    x = np.ones((2, 3), np.float32)
    with pytest.raises(ArgumentError):
        ops.chlo.broadcast_add(x[0], x, broadcast_dimensions=[-1])
    with pytest.raises(ArgumentError):
        ops.all_to_all([x], split_dimension=0, concat_dimension=0, split_count=1, replica_groups=[])
    with pytest.raises(ArgumentError):
        ops.uniform_dequantize(x)
    for name in ("abs", "is_finite"):
        with pytest.raises(ArgumentError, match="not a tensor"):
            getattr(ops, name)(ops.create_token())
    with pytest.raises(ArgumentError, match="scalars"):
        ops.rng(x, x, x, rng_distribution="UNIFORM")


def test_quantized_values_keep_their_type():
    x = np.array([0.0, 0.5, 100.0], np.float32)
    quantized = ops.uniform_quantize(x, result_type="!quant.uniform<i8:f32, 0.5:3>")
    assert np.asarray(quantized).tolist() == [3, 4, 127]
    again = ops.typed([3, 4, 127], "!quant.uniform<i8:f32, 0.5:3>")
    assert ops.uniform_dequantize(again).tolist() == ops.uniform_dequantize(quantized).tolist() == [0.0, 0.5, 62.0]
    assert ops.add(np.ones(2, "int4"), np.ones(2, "int4")).dtype.name == "int4"


def test_operators_and_dynamic_sizes():
    with ops.module() as module:

        @ops.function(x=ops.f32[4, "n"], w=ops.f32[4, 5])
        def main(x, w):
            return (x * 2.0 + 1.0)[1:3], 1.0 - w[0], w @ ops.transpose(w, [1, 0]), w[:, None, -1], -w > w

    x, w = np.arange(12, dtype=np.float32).reshape(4, 3), np.arange(20, dtype=np.float32).reshape(4, 5)
    found = stablehlo_py.interpret(module, [x, w])
    expected = [(x * 2 + 1)[1:3], 1 - w[0], w @ w.T, w[:, None, -1], -w > w]
    assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(main(x, w), expected, strict=True))


@pytest.mark.skipif("stablehlo.collective_reduce" not in replayed.FUNCTIONS, reason="stubs name the newest ops")
def test_stubs_are_up_to_date():
    path = ROOT / "tools" / "generate" / "op_stubs.py"
    spec = importlib.util.spec_from_file_location("op_stubs", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    stale = [path.name for path, text in tool.stubs().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "python tools/generate/op_stubs.py"


def test_golden_values_have_the_permitted_enclosure():
    x = np.linspace(-2, 2, 9, dtype=np.float32)
    found = golden(ops.tanh, [x])
    found.check(found.values[0])
    found.check(np.nextafter(found.values[0], np.float32(9)))
    with pytest.raises(AssertionError, match="9 of 9 elements are not permitted"):
        found.check(found.values[0] + np.float32(0.01))
    with pytest.raises(AssertionError, match="instead of"):
        found.check(found.values[0].astype(np.float64))


def test_golden_values_of_a_program():
    x = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)
    found = golden(lambda x: ops.exponential(x) / (ops.exponential(-x) + 1.0), [x])
    assert len(found.module.body.operations) == 1
    found.check(found.values[0])
    with pytest.raises(AssertionError, match="not permitted"):
        found.check(found.values[0] * np.float32(1.01))
    quantized = ops.typed([[1, 2]], "!quant.uniform<i8:f32, 0.5:3>")
    assert golden(ops.uniform_dequantize, [quantized]).values[0].tolist() == [[-1.0, -0.5]]


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float8_e4m3fn", "complex64", "bool", "int4"])
def test_arrays_of_jax_go_in_and_come_out(name):
    jnp = pytest.importorskip("jax.numpy")
    x = jnp.ones((2, 3), name)
    result = ops.maximum(x, ops.select(x > 0, x, x)) if name != "complex64" else ops.add(x, x)
    wanted = x if name != "complex64" else x + x
    assert jnp.array_equal(jnp.asarray(result), wanted)
    assert jnp.asarray(result).dtype == x.dtype
    if name in ("float32", "complex64", "bool"):  # those of DLPack
        assert jnp.from_dlpack(result).dtype == x.dtype
    golden(ops.or_ if name == "bool" else ops.add, [x, x]).check((x | x) if name == "bool" else x + x)


@pytest.mark.parametrize("name", ["float32", "bfloat16", "int64", "bool"])
def test_tensors_of_torch_go_in_and_come_out(name):
    torch = pytest.importorskip("torch")
    x = torch.ones(3, 2, dtype=getattr(torch, name)).T
    result = ops.or_(x, x) if name == "bool" else ops.add(x, x)
    out = torch.from_numpy(result.view(np.int16)).view(x.dtype) if name == "bfloat16" else torch.from_dlpack(result)
    assert torch.equal(out, x | x if name == "bool" else x + x)
    golden(ops.or_ if name == "bool" else ops.add, [x, x]).check(out)


@pytest.mark.parametrize(
    "name", ["int2", "int4", "uint2", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e8m0fnu"]
)
def test_golden_values_of_types_below_a_byte(name):
    x = np.array([1, 2, 1.5]).astype(getattr(ml_dtypes, name))
    found = golden(ops.add if name.startswith("float") else ops.subtract, [x, x])  # integers may not overflow
    found.check(found.values[0])
    assert found.values[0].dtype == x.dtype
    with pytest.raises(AssertionError, match="of 3 elements are not permitted"):
        found.check(x)


@pytest.mark.parametrize("type_", ["!quant.uniform<i4:f32, 0.5>", "!quant.uniform<i8:f32:1, {0.5:1, 0.25:-2}>"])
def test_golden_values_of_quantized_types(type_):
    stored = ops.typed([[1, -8], [3, 2]], type_)
    real = golden(ops.uniform_dequantize, [stored])
    again = golden(lambda x: ops.uniform_quantize(x, result_type=type_), real.values)
    assert np.array_equal(again.values[0], stored)
    again.check(stored)
    with pytest.raises(AssertionError, match="1 of 4 elements"):
        again.check(ops.typed([[1, -8], [3, 1]], type_))


def test_golden_values_are_checked_one_by_one():
    x = np.ones(2, np.float32)
    with pytest.raises(ArgumentError, match="a list is no array"):
        golden(ops.add, [x, x]).check([x + x])


def test_a_product_says_which_dimensions_it_runs_over() -> None:
    array = np.ones((2, 3), np.float32)
    with pytest.raises(ArgumentError, match=r"needs a value for one of .*lhs_contracting_dimensions"):
        ops.dot_general(array, array)
    assert ops.dot_general(array, array, lhs_contracting_dimensions=[]).shape == (2, 3, 2, 3)


def test_a_misspelled_direction_is_hinted_at_without_names_of_cpp() -> None:
    with pytest.raises(ArgumentError, match="did you mean LT") as caught:
        ops.compare(np.float32(1), np.float32(2), "LESS")
    assert "::" not in str(caught.value)


def test_one_argument_is_one() -> None:
    assert [counted(number, "argument") for number in (0, 1, 2)] == ["0 arguments", "1 argument", "2 arguments"]


@pytest.mark.parametrize("location", ["model.mlir:3:4", ""])
def test_an_error_that_has_a_place_keeps_it(location):
    def fails():
        raise InputError("no", location=location)

    with pytest.raises(InputError) as error:
        located(fails)()
    found = error.value.location or ""
    assert found == location if location else found.startswith(f"{__file__}:")


@pytest.mark.parametrize(
    ("index", "size", "bounds"),
    [
        (2, 3, (2, 3, 1)),
        (-1, 3, (2, 3, 1)),
        (-3, 3, (0, 1, 1)),
        (3, 3, "out of bounds"),
        (-4, 3, "out of bounds"),
        (slice(None), 3, (0, 3, 1)),
        (slice(1, -1), 3, (1, 2, 1)),
        (slice(2, 1), 3, (2, 2, 1)),
        (slice(0, 3, 2), 3, (0, 3, 2)),
        (slice(0, 3, -1), 3, "a negative step"),
        (slice(0, 3, 0), 3, "is no index"),
        (slice("a"), 3, "is no index"),
        (slice(1, None), None, (1, None, 1)),
        (slice(1, 2), None, (1, 2, 1)),
        (0, None, (0, 1, 1)),
        (-1, None, "from the end"),
        (slice(-2, None), None, "from the end"),
        (slice(0, -1), None, "from the end"),
    ],
)
def test_bounds_of_an_index_along_a_dimension(index, size, bounds):
    if isinstance(bounds, str):
        with pytest.raises(ArgumentError, match=bounds):
            _bounds(index, size)
    else:
        assert _bounds(index, size) == bounds
