"""What handlers see of their call, what a target without a handler is, and what calls refuse."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings.types import TensorType
from stablehlo_py.errors import CheckError, InterpreterError, ResourceError
from stablehlo_py.interpreter.custom_calls import CustomCall, find_handler, is_users_handler, kind_of, registry
from stablehlo_py.interpreter.custom_calls.lookup import targets
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

SEEN = list[dict[str, Any]]()
FIELDS = (
    *("target", "backend_config", "opaque", "frontend_attributes", "has_side_effect", "operand_layouts"),
    *("result_layouts", "called_computations"),
)


@pytest.fixture(autouse=True)
def _as_before() -> Generator[None]:
    known = dict(registry.USERS)
    SEEN.clear()
    yield
    registry.USERS.clear()
    registry.USERS.update(known)


def look(call: CustomCall, *operands: Any) -> Any:
    SEEN.append({name: getattr(call, name) for name in FIELDS} | {"types": list(map(str, call.result_types))})
    return operands[0]


NOTHING: dict[str, Any] = {
    "target": "views.of",
    "backend_config": None,
    "opaque": b"",
    "frontend_attributes": {},
    "has_side_effect": False,
    "operand_layouts": None,
    "result_layouts": None,
    "called_computations": (),
    "types": ["tensor<2x3xf32>"],
}


@pytest.mark.parametrize(
    ("attributes", "seen"),
    [
        ("", {}),
        ("has_side_effect = true", {"has_side_effect": True}),
        ("has_side_effect = false", {}),
        ('backend_config = ""', {"backend_config": None}),
        ('backend_config = "a\\00\\FFb"', {"backend_config": "a\0\udcffb", "opaque": b"a\0\xffb"}),
        ('backend_config = "a", mhlo.backend_config = {b = 1 : i32}', {"backend_config": "a", "opaque": b"a"}),
        ('backend_config = "", mhlo.backend_config = {b = 1 : i32}', {"backend_config": {"b": 1}}),
        ("backend_config = {}, api_version = 4 : i32", {"backend_config": {}}),
        (
            'backend_config = {s = "x", t = true, i = -3 : i8, f = 2.5 : f64, l = [1 : i32, "y"], d = {e = @main}, '
            "a = array<i64: 4, 5>}, api_version = 4 : i32",
            {
                "backend_config": {
                    "s": "x", "t": True, "i": -3, "f": 2.5, "l": [1, "y"], "d": {"e": "main"}, "a": [4, 5],
                }
            },
        ),
        ('mhlo.frontend_attributes = {a = "b", c = "d"}', {"frontend_attributes": {"a": "b", "c": "d"}}),
        ("called_computations = [@first, @main]", {"called_computations": ("first", "main")}),
        (
            "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]",
            {"operand_layouts": ((0, 1),), "result_layouts": ((1, 0),)},
        ),
    ],
)  # fmt: skip
def test_a_handler_sees_what_the_call_says_and_the_defaults_of_the_rest(attributes: str, seen: dict[str, Any]) -> None:
    registry.custom_call_handler("views.of")(look)
    text = f"""func.func private @first(%a: tensor<f32>) -> tensor<f32> {{ return %a : tensor<f32> }}
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
      %0 = stablehlo.custom_call @views.of(%x) {{{attributes}}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }}"""
    Program(parsed(text)).run([np.zeros((2, 3), np.float32)])
    (found,) = SEEN
    config = found["backend_config"]
    if isinstance(config, dict) and "a" in config:
        config["a"] = config["a"].tolist()
    assert found == NOTHING | seen


def test_a_handler_can_run_the_computations_that_its_call_names() -> None:
    text = """func.func private @double(%a: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.add %a, %a : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @both(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      return %b, %a : tensor<f32>, tensor<f32>
    }
    func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.custom_call @views.of(%x, %y) {called_computations = [@both, @double]}
        : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""

    def handler(call: CustomCall, x: Any, y: Any) -> Any:
        both, double = map(call.computation, call.called_computations)
        first, second = both(x, y)
        return double(first)[0] - second

    registry.custom_call_handler("views.of")(handler)
    assert float(np.asarray(Program(parsed(text)).run([np.float32(5), np.float32(7)])[0])) == 9


def test_operands_of_a_handler_cannot_be_written_to_and_results_are_copied() -> None:
    kept = np.zeros(3, np.float32)

    def handler(call: CustomCall, x: Any) -> Any:
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1
        kept[:] = x + 1
        return kept, kept[::-1]

    registry.custom_call_handler("views.of")(handler)
    text = """func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %0:2 = stablehlo.custom_call @views.of(%x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      %1:2 = stablehlo.custom_call @views.of(%0#0) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
      return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
    }"""
    for fast in (True, False):
        given = np.arange(3, dtype=np.float32)
        first, second = Program(parsed(text), Settings(fast=fast)).run([given])
        assert (np.asarray(first).tolist(), np.asarray(second).tolist()) == ([1, 2, 3], [3, 2, 1])
        assert given.tolist() == [0, 1, 2]


KINDS = {
    "for TPUs": ("tpu_custom_call", "Mosaic", "MosaicX"),
    "Mosaic GPU": ("mosaic_gpu", "mosaic_gpu_v2"),
    "Triton": ("__gpu$xla.gpu.triton", "triton_kernel_call", "triton_kernel_call_ffi"),
    "TensorFlow": ("tf.call_tf_function",),
    "callback": (
        *("xla_python_cpu_callback", "xla_python_gpu_callback", "xla_ffi_python_cpu_callback"),
        *("xla_ffi_partitioned_python_cpu_callback", "xla_ffi_python_gpu_callback", "xla_cpu_callback"),
        *("xla_some_callback_of_mine", "xla_tpu_python_callback"),
    ),
    "cuDNN": ("__cudnn$convForward", "cudnn_x", "__cudnn$"),
    "one kind of hardware": ("__cublas$gemm", "__onednn$matmul"),
    "recurrent": ("curnn", "cuda_rnn_ffi", "miopen_x", "hiprnn", "hip_rnn_bwd"),
    "sparse": ("cusolver_csrlsvqr_f32", "cusparse_csr", "hipsparse_coo"),
}


def test_the_kind_of_a_target_is_told_by_the_whole_name() -> None:
    for word, names in KINDS.items():
        for target in names:
            assert word in kind_of(target), target
            assert kind_of(f"my_{target}") == "" or target.startswith("xla_"), target
    for target in (
        *("tpu_custom_calls", "xtpu_custom_call", "mosaic", "triton_kernel_call_x", "tf.call_tf_functions", ""),
        *("callback", "cudnn", "__cudnn", "__cublas", "rnn", "miopen", "cusolver_csr", "sparse_", "Sharding"),
    ):
        assert kind_of(target) == "", target


def test_users_come_before_the_package_and_the_package_before_ops() -> None:
    built_in = find_handler("Sharding")
    assert built_in is targets()["Sharding"]
    assert not is_users_handler("Sharding")
    op = find_handler("mhlo.tanh")
    assert op is not None
    assert find_handler("mhlo.topk") is targets()["mhlo.topk"]
    for target in ("Sharding", "mhlo.tanh", "mhlo.topk", "views.of"):
        registry.custom_call_handler(target)(look)
        assert find_handler(target) is look
        assert is_users_handler(target)
        assert target not in targets() or targets()[target] is not look
    assert find_handler("views.of.none") is None


CHECK = """func.func @main(%a: tensor<2xTYPE>, %b: tensor<2xTYPE>) {
  stablehlo.custom_call @check.eq(%a, %b) {has_side_effect = true} : (tensor<2xTYPE>, tensor<2xTYPE>) -> ()
  return
}"""


@pytest.mark.parametrize(
    ("type_", "low", "high"),
    [
        ("i64", 2**53, 2**53 + 1),
        ("i64", -(2**63), -(2**63) + 1),
        ("ui64", 2**64 - 2, 2**64 - 1),
        ("i32", 0, 1),
        ("i8", -1, 0),
        ("i1", False, True),
    ],
)
def test_integers_are_compared_to_the_last_one(type_: str, low: int, high: int) -> None:
    dtype = {"i1": np.bool_, "i64": np.int64, "ui64": np.uint64, "i32": np.int32, "i8": np.int8}[type_]
    program = Program(parsed(CHECK.replace("TYPE", type_)))
    a, b = np.array([low, low], dtype), np.array([low, high], dtype)
    program.run([a, a])
    program.run([b, b])
    with pytest.raises(CheckError) as raised:
        program.run([a, b])
    said = f"element values don't match: {low} (actual) vs {high} (expected) at index [1]; 1 of 2 elements differ"
    assert raised.value.message == said


def test_bits_in_a_shape_of_a_run_need_room() -> None:
    text = """func.func @main(%s: tensor<2xui64>, %n: tensor<1xi64>) -> tensor<?xui32> {
      %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n)
        {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}
        : (tensor<2xui64>, tensor<1xi64>) -> (tensor<2xui64>, tensor<?xui32>)
      return %0#1 : tensor<?xui32>
    }"""
    state = np.array([1, 2], np.uint64)
    for count, most in ((1000, 4000), (10, 40)):
        program = Program(parsed(text), Settings(max_memory=most))
        assert np.shape(program.run([state, np.array([count])])[0]) == (count,)
        with pytest.raises(ResourceError, match=f"needs {most + 4} bytes"):
            program.run([state, np.array([count + 1])])


def test_buffers_of_types_without_elements_are_refused() -> None:
    for target, type_ in (("AllocateBuffer", "!stablehlo.token"), ("CreateBuffer", "memref<2xf32>")):
        text = f"""func.func @main() {{
          %0 = stablehlo.custom_call @{target}() : () -> {type_}
          return
        }}"""
        with pytest.raises(InterpreterError) as raised:
            Program(parsed(text)).run([])
        assert raised.value.message == f"cannot allocate {type_}"


def test_types_of_results_are_the_call_s() -> None:
    types = list[Any]()
    registry.custom_call_handler("views.of")(lambda call, x: (types.extend(call.result_types), (x, x))[1])
    text = """func.func @main(%x: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
      %0:2 = stablehlo.custom_call @views.of(%x) : (tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
      return %0#0, %0#1 : tensor<2xi8>, tensor<2xi8>
    }"""
    Program(parsed(text)).run([np.zeros(2, np.int8)])
    assert len(types) == 2
    assert all(isinstance(each, TensorType) and each.shape == (2,) for each in types)
