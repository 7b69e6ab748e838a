"""What `import stablehlo_py` offers."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir

ADD = """
func.func @main(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %lhs, %rhs : tensor<2xf32>
  return %sum : tensor<2xf32>
}
func.func @one() -> tensor<complex<f32>> {
  %one = stablehlo.constant dense<(1.0, -0.0)> : tensor<complex<f32>>
  return %one : tensor<complex<f32>>
}
"""
FUNCTIONS = [
    "custom_call_handler",
    "deserialize",
    "export",
    "from_numpy",
    "interpret",
    "load",
    "parse",
    "run_passes",
    "serialize",
    "to_numpy",
    "verify",
]


def constant_op(module: ir.Module) -> ir.OpView:
    return module.body.operations[1].regions[0].blocks[0].operations[0]


def test_importing_the_package_loads_neither_bindings_nor_numpy():
    code = "import sys, stablehlo_py; print([name for name in ('jaxlib', 'numpy', 'click') if name in sys.modules])"
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert completed.stdout == "[]\n"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_documented_with_its_errors(name):
    function = getattr(stablehlo_py, name)
    assert "Raises" in inspect.getdoc(function)
    assert inspect.signature(function).return_annotation is not inspect.Signature.empty


def test_all_lists_the_functions_and_the_errors():
    errors = [name for name in stablehlo_py.__all__ if name.endswith("Error")]
    assert sorted([*FUNCTIONS, *errors, "Diagnostic", "Program", "__version__"]) == sorted(stablehlo_py.__all__)
    assert all(issubclass(getattr(stablehlo_py, name), stablehlo_py.StablehloError) for name in errors)


def test_a_loaded_program_is_a_program():
    assert isinstance(stablehlo_py.load(ADD), stablehlo_py.Program)
    with pytest.raises(AttributeError, match="module 'stablehlo_py' has no attribute 'program_'"):
        stablehlo_py.program_  # noqa: B018 (that it fails is what is tested)


@pytest.mark.parametrize("form", ["text", "bytes", "path"])
def test_parse_takes_text_bytes_and_paths(form, tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    module = stablehlo_py.parse({"text": ADD, "bytes": ADD.encode(), "path": path}[form])
    assert [op.name.value for op in module.body.operations] == ["main", "one"]


def test_parse_errors_have_a_location():
    with pytest.raises(stablehlo_py.ParseError) as caught:
        stablehlo_py.parse("func.func @main() {\n  stablehlo.ad\n}", source_name="wrong.mlir")
    assert caught.value.location.startswith("wrong.mlir:2:")
    for source in ("func.func @main() {\n  stablehlo.ad\n}", b"func.func @main() {\n  stablehlo.ad\n}"):
        with pytest.raises(stablehlo_py.ParseError) as caught:
            stablehlo_py.parse(source)
        assert caught.value.location.startswith("<string>:2:")
    with pytest.raises(stablehlo_py.InputError, match=r"cannot open input file 'absent\.mlir'"):
        stablehlo_py.parse(Path("absent.mlir"))


def test_interpret_runs_any_function():
    module = stablehlo_py.parse(ADD)
    (total,) = stablehlo_py.interpret(module, [np.float32([1, 2]), np.float32([0.5, 0.25])])
    np.testing.assert_array_equal(total, np.float32([1.5, 2.25]), strict=True)
    (one,) = stablehlo_py.interpret(module, function="one")
    np.testing.assert_array_equal(one, np.array(1, np.complex64), strict=True)


def test_interpret_rejects_arguments_that_do_not_fit():
    module = stablehlo_py.parse(ADD)
    with pytest.raises(stablehlo_py.ArgumentError, match="takes 2 arguments, not 1"):
        stablehlo_py.interpret(module, [np.float32([1, 2])])
    with pytest.raises(stablehlo_py.ArgumentError, match=r"argument 1 .* tensor<2xf"):
        stablehlo_py.interpret(module, [np.float32([1, 2]), np.float64([1, 2])])
    with pytest.raises(stablehlo_py.InterpreterError, match="absent"):
        stablehlo_py.interpret(module, function="absent")


def test_artifacts_round_trip_and_run(tmp_path):
    module = stablehlo_py.parse(ADD)
    before = str(module)
    artifact = stablehlo_py.serialize(module, "1.0.0")
    assert b"StableHLO_v1.0.0" in artifact
    assert str(module) == before
    path = tmp_path / "add.mlir.bc"
    path.write_bytes(artifact)
    for source in (artifact, path):
        assert str(stablehlo_py.deserialize(source)) == before


def test_damaged_artifacts_are_an_error():
    with pytest.raises(stablehlo_py.ArtifactError):
        stablehlo_py.deserialize(b"rubbish")
    with pytest.raises(stablehlo_py.UsageError, match="99"):
        stablehlo_py.serialize(stablehlo_py.parse(ADD), "99.0.0")


def test_run_passes_changes_the_module():
    module = stablehlo_py.parse(ADD)
    stablehlo_py.run_passes(module, "builtin.module(stablehlo-legalize-to-vhlo)")
    assert "vhlo.add_v1" in str(module)
    with pytest.raises(stablehlo_py.UsageError, match="no-such-pass"):
        stablehlo_py.run_passes(module, "no-such-pass")


def test_verify_names_the_op_that_is_wrong():
    module = stablehlo_py.parse(ADD)
    stablehlo_py.verify(module)
    with module.context, ir.Location.unknown():
        module.body.operations[0].attributes["function_type"] = ir.TypeAttr.parse("() -> ()")
    with pytest.raises(stablehlo_py.VerificationError, match=r"func\.func"):
        stablehlo_py.verify(module)


def test_constants_and_arrays():
    module = stablehlo_py.parse(ADD)
    op = constant_op(module)
    value = np.array(complex(1, -0.0), np.complex64)
    assert stablehlo_py.to_numpy(op).tobytes() == value.tobytes()
    assert stablehlo_py.to_numpy(op.attributes["value"]).tobytes() == value.tobytes()
    attribute = stablehlo_py.from_numpy(value, op.results[0].type)
    assert attribute == op.attributes["value"]
    with pytest.raises(stablehlo_py.InputError, match="float64"):
        stablehlo_py.from_numpy(np.float64(1), op.results[0].type)


def test_custom_calls_can_be_registered():
    @stablehlo_py.custom_call_handler("test_public_api.negate")
    def negate(call, operand):
        return -operand

    module = stablehlo_py.parse("""
    func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
      %0 = stablehlo.custom_call @test_public_api.negate(%a) : (tensor<2xi32>) -> tensor<2xi32>
      return %0 : tensor<2xi32>
    }
    """)
    (result,) = stablehlo_py.interpret(module, [np.array([1, -2], np.int32)])
    assert result.tolist() == [-1, 2]


def test_programs_in_any_form_can_be_written_and_passes_need_a_module():
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    program, module = stablehlo_py.load(text), stablehlo_py.parse(text)
    assert stablehlo_py.serialize(text) == stablehlo_py.serialize(program) == stablehlo_py.serialize(module)
    assert stablehlo_py.export(program, "mhlo") == stablehlo_py.export(module, "mhlo")
    for source in (text, program):
        with pytest.raises(stablehlo_py.UsageError, match="change a module in place"):
            stablehlo_py.run_passes(source, "cse")
    stablehlo_py.run_passes(program.module, "cse")


WRONG = (None, 5, 2.0, b"y", [], {}, object(), True, np.array([1]), 10**30, ("a",), ADD)


def raised(function, arguments, options):
    """What a call raises that is no error of the package, as text."""
    try:
        function(*arguments, **options)
    except stablehlo_py.StablehloError:
        return ""
    except Exception as error:
        return f"{function.__name__}({arguments[-1:]!r}, {options!r}): {type(error).__name__}: {error}"
    return ""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_values_of_wrong_types_are_errors_of_the_package():
    """Each parameter of each function and of a program's methods gets each wrong value."""
    program = stablehlo_py.load(ADD)
    operand = np.float32([1, 2])
    called = [(getattr(stablehlo_py, name), program.module) for name in FUNCTIONS]
    called += [
        (getattr(program, name), [operand, operand]) for name in ("call_npz", "function", "run_parallel", "view")
    ]
    found, calls = [], 0
    for function, first in called:
        parameters = list(inspect.signature(function).parameters.values())
        required = [each for each in parameters if each.default is each.empty]
        values = [first, "main"][: len(required)]
        for wrong in WRONG:
            for index in range(len(required)):
                calls += 1
                found.append(raised(function, [*values[:index], wrong, *values[index + 1 :]], {}))
            for each in parameters[len(required) :]:
                calls += 1
                found.append(raised(function, values, {each.name: wrong}))
    assert calls > 400
    assert not list(filter(None, found))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda module: stablehlo_py.load(ADD, form=3), "parameter 'form' takes str, found int"),
        (lambda module: stablehlo_py.load(ADD, listeners=3), "parameter 'listeners' takes Sequence, found int"),
        (lambda module: stablehlo_py.run_passes(module, 3), "parameter 'pipeline' takes str, found int"),
        (lambda module: stablehlo_py.export(module, 3), "parameter 'form' takes str, found int"),
        (lambda module: stablehlo_py.from_numpy([1], 3), "parameter 'type' takes Type, found int"),
    ],
)
def test_a_value_of_a_wrong_type_is_named(call, said):
    module = stablehlo_py.parse(ADD)
    with pytest.raises(stablehlo_py.UsageError) as raised:
        call(module)
    assert raised.value.message == said


def test_settings_of_a_program_are_those_of_the_call(monkeypatch):
    from stablehlo_py.interpreter.settings import Settings, physical_memory

    asked = []
    monkeypatch.setattr("stablehlo_py.program.load", lambda *given: asked.append(given))
    stablehlo_py.load(ADD)
    source, function, settings, *rest = asked[0]
    assert (source, function, rest) == (ADD, "main", ["", None])
    assert settings == Settings(max_memory=physical_memory())
    own = [lambda *_: None]
    stablehlo_py.load(
        ADD, function="f", form="mhlo", check_import=False, max_memory=5, max_steps=6, timeout=7.0, deterministic=True,
        probe_directory="p", listeners=own,
    )  # fmt: skip
    settings = Settings(
        max_memory=5, max_steps=6, timeout=7.0, deterministic=True, probe_directory="p", listeners=tuple(own)
    )
    assert asked[1] == (ADD, "f", settings, "mhlo", False)


PAIR = """func.func @main(%a: tensor<i32> loc("first"), %b: tensor<i32> loc("second")) -> tensor<i32> {
  %0 = stablehlo.subtract %a, %b : tensor<i32>
  return %0 : tensor<i32>
}"""


@pytest.mark.parametrize(
    ("positional", "named", "result"),
    [
        ([7, 2], {}, 5),
        ([7], {"second": 2}, 5),
        ([], {"second": 2, "first": 7}, 5),
        ([7], {"third": 2}, "no parameter 'third'"),
        ([7], {"first": 2}, "no parameter 'first'"),
        ([7, 2], {"second": 2}, "no parameter 'second'"),
        ([], {"second": 2}, "parameter 'first', which is not given"),
        ([], {"third": 1, "second": 2}, "no parameter 'third'"),
    ],
)
def test_arguments_are_given_in_order_or_by_name(positional, named, result):
    program = stablehlo_py.load(PAIR)
    names = list(program.signature.parameters)
    assert names == ["first", "second"]
    if isinstance(result, int):
        assert program(*positional, **named) == result
    else:
        with pytest.raises(stablehlo_py.ArgumentError) as raised:
            program(*positional, **named)
        assert raised.value.message == f"{program.signature} has {result}"
