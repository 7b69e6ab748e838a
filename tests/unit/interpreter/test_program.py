"""`load` makes functions of programs, whatever form they come in."""

from __future__ import annotations

import collections
import ctypes
import dataclasses
import importlib
import importlib.util
import math
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.artifacts.formats import jax_export
from stablehlo_py.artifacts.formats.jax_export import Tree
from stablehlo_py.errors import ArgumentError, InputError, ParseError
from stablehlo_py.interpreter import planner
from stablehlo_py.interpreter.profile import Profile

TEXT = """
func.func @main(%a: tensor<2xf32> {jax.arg_info = "weights"}, %n: tensor<i32> loc("steps")) -> tensor<2xf32> {
  %0 = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.multiply %a, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func @pair(%a: tensor<bf16>) -> (tensor<bf16>, tensor<bf16>) {
  return %a, %a : tensor<bf16>, tensor<bf16>
}
func.func @nothing() {
  return
}
"""
WEIGHTS = np.array([1, 2], np.float32)


def test_a_program_is_called_like_a_function():
    program = stablehlo_py.load(TEXT)
    for arguments in ([WEIGHTS, np.int32(3)], [[1.0, 2.0], 3], [[1, 2], 3], [(1, 2), np.array(3, np.int32)]):
        result = program(*arguments)
        assert result.dtype == np.float32
        np.testing.assert_array_equal(result, [3, 6])
    np.testing.assert_array_equal(program(steps=3, weights=[1, 2]), [3, 6])
    np.testing.assert_array_equal(program([1, 2], steps=3), [3, 6])
    assert program.function("nothing")() is None
    assert program.function("pair")(1.5) == (1.5, 1.5)


def test_a_program_says_what_it_takes():
    program = stablehlo_py.load(TEXT)
    assert program.functions == ("main", "pair", "nothing")
    assert repr(program) == (
        "<stablehlo_py.Program @main(weights: tensor<2xf32>, steps: tensor<i32>) -> (tensor<2xf32>)>"
    )
    assert repr(program.function("pair")).endswith("@pair(arg0: tensor<bf16>) -> (tensor<bf16>, tensor<bf16>)>")


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [("x", "y", ["x", "y"]), ("x", "x", ["arg0", "arg1"]), ("arg1", "", ["arg0", "arg1"]), ("", "x", ["arg0", "x"])],
)
def test_parameters_have_names_of_their_own(first, second, names):
    place = [f'loc("{name}")' if name else "loc(unknown)" for name in (first, second)]
    text = f"func.func @main(%a: tensor<i8> {place[0]}, %b: tensor<i16> {place[1]}) {{ return }}"
    program = stablehlo_py.load(text)
    assert list(program.signature.parameters) == names
    assert program(**dict.fromkeys(names, 1)) is None


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        ([WEIGHTS], {}, "takes 2 arguments, not 1"),
        ([WEIGHTS, 1.5], {}, r"argument 1 \('steps'\) of function @main is tensor<f64> instead of tensor<i32>"),
        ([WEIGHTS, 2**31], {}, r"argument 1 \('steps'\)"),
        ([WEIGHTS.astype(float), 3], {}, r"argument 0 \('weights'\) of function @main is tensor<2xf64>"),
        ([[1.0, 1e300], 3], {}, r"argument 0 \('weights'\)"),
        ([[1.0], 3], {}, r"argument 0 \('weights'\) of function @main is tensor<1xf32>"),
        ([[True, False], 3], {}, r"argument 0 \('weights'\)"),
        ([WEIGHTS], {"step": 3}, "has no parameter 'step'"),
        ([], {"steps": 3}, "has parameter 'weights', which is not given"),
    ],
)
def test_arguments_that_do_not_fit(arguments, keywords, message):
    with pytest.raises(ArgumentError, match=message):
        stablehlo_py.load(TEXT)(*arguments, **keywords)


def test_an_array_of_another_type_is_refused_with_the_cast():
    pair = stablehlo_py.load(TEXT, function="pair")
    with pytest.raises(ArgumentError) as error:
        pair(np.float32(1))
    assert error.value.notes[0] == "x.astype(ml_dtypes.bfloat16) converts an array x to bf16"
    assert pair(ml_dtypes.bfloat16(1))[0] == 1
    small = stablehlo_py.load(TEXT.replace("bf16", "f8E5M2"), function="pair")
    with pytest.raises(ArgumentError) as error:
        small(np.float32(1))
    assert error.value.notes[0] == "x.astype(ml_dtypes.float8_e5m2) converts an array x to f8E5M2"


def test_values_of_other_libraries_are_taken():
    class Wrapped:
        def __array__(self, dtype=None, copy=None):
            return WEIGHTS

    class Exchanged:
        def __dlpack__(self, **options):
            return WEIGHTS.copy().__dlpack__()

        def __dlpack_device__(self):
            return WEIGHTS.__dlpack_device__()

    program = stablehlo_py.load(TEXT)
    for value in (Wrapped(), Exchanged()):
        np.testing.assert_array_equal(program(value, 3), [3, 6])


def test_every_form_of_a_program_loads(tmp_path):
    module = stablehlo_py.parse(TEXT)
    path = tmp_path / "program.mlir"
    path.write_text(TEXT)
    for source in (module, TEXT, TEXT.encode(), path, stablehlo_py.serialize(module), stablehlo_py.load(TEXT)):
        np.testing.assert_array_equal(stablehlo_py.load(source)(WEIGHTS, 3), [3, 6])
        np.testing.assert_array_equal(stablehlo_py.interpret(source, [WEIGHTS, 3])[0], [3, 6])
        stablehlo_py.verify(source)


def test_a_text_that_is_a_path_is_told_from_a_program():
    for function in (stablehlo_py.parse, stablehlo_py.load, stablehlo_py.verify):
        with pytest.raises(InputError, match=r"'step\.mlir' is taken for a program") as error:
            function("step.mlir")
        assert error.value.notes[0] == "pass pathlib.Path('step.mlir') to read the file"
    with pytest.raises(ParseError):
        stablehlo_py.parse("%x.mlir")


def test_npz_files_go_by_name_or_number(tmp_path):
    program = stablehlo_py.load(TEXT)
    path = tmp_path / "arguments.npz"
    np.savez(path, steps=np.int32(3), weights=WEIGHTS)
    np.testing.assert_array_equal(program.call_npz(path), [3, 6])
    np.savez(path, arg1=np.int32(3), arg0=WEIGHTS)
    np.testing.assert_array_equal(program.call_npz(path), [3, 6])
    np.savez(path, w=WEIGHTS, s=np.int32(3))
    with pytest.raises(InputError, match="tell no order: w, s") as error:
        program.call_npz(path)
    assert error.value.notes[0] == "name the arrays weights, steps, or number them"


def test_a_grid_and_observers_are_reachable():
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %s = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %s : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    profile = Profile()
    program = stablehlo_py.load(text, listeners=[profile])
    assert program.run_parallel([[1.0], [2.0]], num_replicas=2) == [[3], [3]]
    assert "stablehlo.all_reduce" in profile.report()


def test_plans_are_kept_while_the_module_is_unchanged(monkeypatch):
    planned = []
    plan_function = planner.Planner._plan_function
    monkeypatch.setattr(
        planner.Planner, "_plan_function", lambda self, name: planned.append(name) or plan_function(self, name)
    )
    module = stablehlo_py.parse(TEXT)
    for _ in range(3):
        stablehlo_py.interpret(module, [WEIGHTS, 3])
    assert planned == ["main"]
    stablehlo_py.run_passes(module, "symbol-dce,canonicalize,strip-debuginfo")
    stablehlo_py.interpret(module, [WEIGHTS, 3])
    assert planned == ["main", "main"]
    program = stablehlo_py.load(TEXT)
    program(WEIGHTS, 3)
    program(WEIGHTS, 4)
    assert planned == ["main"] * 3


def test_trees_name_what_does_not_fit():
    leaf = Tree("leaf")
    tree = Tree("dict", (Tree("tuple", (leaf, leaf)), Tree("none")), ("a", "b"))
    assert list(tree.flatten({"b": None, "a": (1, 2)}, "args")) == [("args['a'][0]", 1), ("args['a'][1]", 2)]
    assert tree.unflatten(iter([1, 2])) == {"a": (1, 2), "b": None}
    for value, message in {
        "{'a': (1, 2)}": "argument args is to be a dictionary of ['a', 'b'], not one of ['a']",
        "{'a': (1,), 'b': None}": "argument args['a'] is to be a tuple of 2, not a tuple of 1",
        "{'a': (1, 2), 'b': 3}": "argument args['b'] is to be None, not a int",
    }.items():
        with pytest.raises(ArgumentError) as error:
            list(tree.flatten(eval(value), "args"))
        assert error.value.message == message


@pytest.fixture(scope="module")
def exported():
    if importlib.util.find_spec("jax") is None:
        pytest.skip("the program is exported by jax (stablehlo-py[test])")
    import jax
    from jax import export

    def model(parameters, x, *, mask=None, flag):
        return {"y": parameters["w"] @ x + flag, "z": (x, [None])}

    shapes = [({"w": np.ones((2, 3), np.float32), "b": WEIGHTS}, np.ones(3, np.float32)), {"mask": WEIGHTS}]
    return export.export(jax.jit(model))(*shapes[0], **shapes[1], flag=np.float32(0))


def test_an_export_keeps_its_pytrees_with_and_without_jax(exported, tmp_path):
    data = bytes(exported.serialize())
    path = tmp_path / "model.jax_export"
    path.write_bytes(data)
    for source in (exported, data, path):
        program = stablehlo_py.load(source)
        arguments = {"w": np.ones((2, 3), np.float32), "b": 0}, np.array([1, 2, 3], np.float32)
        result = program(*arguments, mask=0, flag=1.0)
        np.testing.assert_array_equal(result["y"], [7, 7])
        np.testing.assert_array_equal(result["z"][0], [1, 2, 3])
        assert result["z"][1] == [None]
        listed = program({"w": [[1, 1, 1], [1, 1, 1]], "b": 0}, [1.0, 2.0, 3.0], mask=0, flag=1)
        np.testing.assert_array_equal(listed["y"], [7, 7])
        with pytest.raises(ArgumentError):
            program(*arguments, flag=1.0)
        with pytest.raises(ArgumentError, match=r"\('p|parameters\['w'\]'\)"):
            program({"w": WEIGHTS, "b": 0}, arguments[1], mask=0, flag=1.0)
    assert stablehlo_py.parse(path).operation.verify()


@pytest.mark.parametrize("serialized", [False, True])
def test_what_exports_take_besides_arrays(serialized):
    jax = pytest.importorskip("jax", reason="the program is exported by jax (stablehlo-py[test])")
    from jax import export

    def load(function, *arguments, **options):
        exported = export.export(jax.jit(function), **options)(*arguments)
        return stablehlo_py.load(bytes(exported.serialize()) if serialized else exported)

    one, key = np.float32(1), jax.random.key(3)
    assert load(lambda x: x + 1, one, platforms=("cuda", "cpu"))(1.0) == 2
    assert load(lambda: jax.numpy.ones(2))().tolist() == [1, 1]
    shape = jax.ShapeDtypeStruct(export.symbolic_shape("a, 3"), np.float32)
    assert load(lambda x: x.sum(0), shape)(np.ones((5, 3), np.float32)).tolist() == [5, 5, 5]
    assert load(lambda x: x, np.ones((0, 3), np.float32))([]).shape == (0, 3)
    drawn = load(lambda key: jax.random.uniform(key, (2,)), jax.random.key_data(key))
    np.testing.assert_array_equal(drawn(jax.random.key_data(key)), jax.random.uniform(jax.random.key_data(key), (2,)))
    if not serialized:  # jax does not serialize keys
        drawn = load(lambda key: jax.random.uniform(key, (2,)), key)
        np.testing.assert_array_equal(drawn(key), jax.random.uniform(key, (2,)))
    nested = load(lambda w: {"y": [w["a"], None]}, {"a": one, "b": one})
    with pytest.raises(
        ArgumentError, match=r"argument args\[0\] is to be a dictionary of \['a', 'b'\], not one of \['a'\]"
    ):
        nested({"a": 1.0})


def test_an_array_like_that_is_no_array_is_an_argument_error():
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("it has no numbers")

    with pytest.raises(ArgumentError, match="a Broken cannot be read as an array: it has no numbers"):
        stablehlo_py.load(TEXT)(Broken(), 3)
    with pytest.raises(ArgumentError, match="a masked array has elements without a value"):
        stablehlo_py.load(TEXT)(np.ma.masked_array([1.0], [True]), 3)
    with pytest.raises(ArgumentError, match="a masked array has elements without a value"):
        ops.negate(np.ma.masked_array([1.0], [True]))


def test_an_export_with_nodes_of_other_types_needs_the_object():
    jax = pytest.importorskip("jax", reason="the program is exported by jax (stablehlo-py[test])")
    from jax import export

    pair = collections.namedtuple("Pair", "a b")
    exported = export.export(jax.jit(lambda p: pair(p.a + 1, p.b)))(pair(np.float32(1), np.float32(2)))
    assert stablehlo_py.load(exported)(pair(1, 2)) == pair(2, 2)
    with pytest.raises(ArgumentError, match=r"the arguments are nested as .* and the program takes"):
        stablehlo_py.load(exported)((1, 2))


WITH_TOKENS = """
func.func public @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<2xf32>)
    -> (!stablehlo.token {jax.token = true}, tensor<2xf32>) {
  %next = stablehlo.after_all %t : !stablehlo.token
  %sum = stablehlo.add %x, %x : tensor<2xf32>
  return %next, %sum : !stablehlo.token, tensor<2xf32>
}
"""


def test_the_tokens_of_ordered_effects_are_no_arguments():
    jax = pytest.importorskip("jax", reason="the program is exported by jax (stablehlo-py[test])")
    from jax import export as jax_exports

    program = stablehlo_py.serialize(stablehlo_py.parse(WITH_TOKENS))
    export = jax_exports.export(jax.jit(lambda x: {"sum": x + x}))(np.ones(2, np.float32))
    export = dataclasses.replace(export, mlir_module_serialized=program)
    for source in (export, bytes(export.serialize())):
        found = stablehlo_py.load(source)(np.float32([1, 2]))
        assert list(found) == ["sum"]
        assert found["sum"].tolist() == [2.0, 4.0]


def test_an_export_is_told_from_other_bytes(exported):
    data = bytes(exported.serialize())
    assert jax_export.is_export(data)
    read = jax_export.read_export(data)
    assert (read.name, read.kept, read.platforms, read.devices) == ("model", (1, 2, 3), ("cpu",), 1)
    for other in (b"", b"\0" * 100, TEXT.encode(), Path(__file__).read_bytes(), data[: len(data) // 2]):
        assert not jax_export.is_export(other)


def test_a_damaged_export_is_an_input_error(exported):
    random = np.random.default_rng(0)
    data = bytearray(exported.serialize())
    for _ in range(200):
        damaged = bytearray(data)
        for position in random.integers(0, len(data), 4):
            damaged[position] = random.integers(0, 256)
        try:
            jax_export.read_export(bytes(damaged))
        except InputError:
            continue


def test_a_program_of_nothing_but_numbers():
    type_ = "tensor<complex<f32>>"
    program = stablehlo_py.load(f"func.func @main(%x: {type_}) -> {type_} {{return %x : {type_}}}")
    assert program(1 + 2j) == 1 + 2j
    assert math.isclose(program(2).real, 2)


@pytest.fixture
def planned(monkeypatch):
    """The functions and steps that are planned from here on."""
    found = []
    plan_function, step = planner.Planner._plan_function, planner.Planner.step
    monkeypatch.setattr(
        planner.Planner, "_plan_function", lambda self, name: found.append(name) or plan_function(self, name)
    )
    monkeypatch.setattr(planner.Planner, "step", lambda self, *rest: found.append("step") or step(self, *rest))
    return found


def chain(length: int) -> str:
    lines = [f"  %{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<2xf32>" for i in range(length)]
    head = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {"
    return "\n".join([head, *lines, f"  return %{length - 1} : tensor<2xf32>", "}"])


@pytest.mark.parametrize("limits", [{}, {"max_steps": 6000}, {"timeout": 100.0}, {"max_memory": 10**9}])
def test_a_second_call_on_many_small_ops_plans_nothing(planned, limits):
    program = stablehlo_py.load(chain(5000), **limits)
    module = stablehlo_py.parse(chain(5000))
    argument = np.ones(2, np.float32)
    for call in (lambda: program(argument), lambda: stablehlo_py.interpret(module, [argument], **limits)[0]):
        planned.clear()
        assert call().tolist() == [5001, 5001]
        assert (planned.count("main"), planned.count("step")) == (1, 5000)
        for _ in range(2):
            assert call().tolist() == [5001, 5001]
        assert len(planned) == 5001


def test_a_limit_counts_anew_in_each_call_and_in_each_run_at_once():
    argument = np.ones(2, np.float32)
    module = stablehlo_py.parse(chain(30))
    for _ in range(3):
        stablehlo_py.interpret(module, [argument], max_steps=30)
        with pytest.raises(stablehlo_py.ResourceError, match="past the limit of 29"):
            stablehlo_py.interpret(module, [argument], max_steps=29)

    call = "stablehlo.custom_call @again(%28) : (tensor<2xf32>) -> tensor<2xf32>"
    again = stablehlo_py.parse(chain(30).replace("stablehlo.add %28, %x : tensor<2xf32>", call))

    @stablehlo_py.custom_call_handler("again")
    def run_again(_, x):  # once: a run inside a run of the same module, under the same limit
        return x if x[0] > 29 else stablehlo_py.interpret(again, [x], max_steps=30)[0]

    for _ in range(2):
        (result,) = stablehlo_py.interpret(again, [np.float32([0.9, 1])], max_steps=30)
        assert result == pytest.approx(np.float32([0.9 * 30 * 30, 30 * 30]))


def test_ops_of_one_signature_share_a_kernel_and_keep_their_places():
    text = """
func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>, %z: tensor<2xui32>)
    -> (tensor<2xi32>, tensor<2xui32>, tensor<2xi1>, tensor<2xi1>) {
  %0 = stablehlo.divide %x, %y : tensor<2xi32>
  %1 = stablehlo.divide %0, %y : tensor<2xi32>
  %2 = stablehlo.divide %z, %z : tensor<2xui32>
  %3 = stablehlo.compare LT, %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %4 = stablehlo.compare GT, %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %1, %2, %3, %4 : tensor<2xi32>, tensor<2xui32>, tensor<2xi1>, tensor<2xi1>
}
"""
    results = stablehlo_py.load(text)([-8, 9], [2, 3], [4, 5])
    assert [result.tolist() for result in results] == [[-2, 1], [1, 1], [True, False], [False, True]]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "bool", "complex64"])
def test_arrays_of_other_libraries_are_arguments(dtype):
    element = {"float32": "f32", "bfloat16": "bf16", "int8": "i8", "bool": "i1", "complex64": "complex<f32>"}[dtype]
    type_ = f"tensor<2x3x{element}>"
    text = f"func.func @main(%x: {type_}) -> {type_} {{\n%0 = stablehlo.add %x, %x : {type_}\nreturn %0 : {type_}\n}}"
    program = stablehlo_py.load(text)
    values = np.arange(6).reshape(2, 3) % 2
    given = []
    for library, make in (("jax.numpy", "asarray"), ("torch", "tensor")):
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        given.append(getattr(module, make)(values.tolist(), dtype=getattr(module, dtype)))
    if not given:
        pytest.skip("neither jax nor torch is installed")
    for array in given:
        result = program(array)
        assert result.dtype.name == dtype
        np.testing.assert_array_equal(result.astype(np.complex64), values if dtype == "bool" else 2 * values)
        with pytest.raises(stablehlo_py.ArgumentError, match="argument 0"):
            program(array[:, :2])


def test_the_hash_of_a_value_is_its_address():
    """Plans tell values apart by it, so no two values of a module may have the same."""
    module = stablehlo_py.parse(chain(2000))
    body = module.body.operations[0].regions[0].blocks[0]
    values = [body.arguments[0], *[op.operation.results[0] for op in list(body.operations)[:-1]]]
    name, address = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsules = [value._CAPIPtr for value in values]
    assert [hash(value) for value in values] == [address(capsule, name(capsule)) for capsule in capsules]
    assert len(set(map(hash, values))) == 2001
