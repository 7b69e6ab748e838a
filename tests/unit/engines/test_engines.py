"""Engines run programs in children: the same results, and a reason where there are none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from speeds import later

from stablehlo_py.bindings.types import element_type
from stablehlo_py.engines import Engine, Limits, engine_names, open_engine, with_options
from stablehlo_py.errors import UsageError

SUM = b"""func.func @main(%a: tensor<4xf32>, %b: tensor<4xbf16>) -> (tensor<f32>, tensor<4xbf16>) {
  %zero = stablehlo.constant dense<0.1> : tensor<f32>
  %sum = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %double = stablehlo.add %b, %b : tensor<4xbf16>
  return %sum, %double : tensor<f32>, tensor<4xbf16>
}"""
ROW = "tensor<4xf32>"
ARGUMENTS = [np.float32([1e8, 1, -1e8, 1]), np.array([1, 2, 3, 4], ml_dtypes.bfloat16)]


OPEN: dict[str, Engine] = {}  # engines without limits, which several tests ask


@pytest.fixture(scope="module", autouse=True)
def _close_engines():
    yield
    for engine in OPEN.values():
        engine.close()


def opened(name):
    if name not in OPEN:
        OPEN[name] = open_engine(name)
    return OPEN[name]


def outcome(name, module=SUM, arguments=ARGUMENTS, limits=None):
    if limits is None:
        return opened(name).run(module, arguments)
    with open_engine(name, limits) as engine:
        return engine.run(module, arguments)


@pytest.mark.parametrize("name", ["reference", "official", "xla", later("xla:xla_disable_hlo_passes=algsimp+fusion")])
def test_engines_agree_on_exact_results(name):
    found = outcome(name)
    assert found.ok, found
    np.testing.assert_array_equal(found.results[1].astype(np.float32), [2, 4, 6, 8])
    assert found.results[1].dtype == ml_dtypes.bfloat16
    assert found.results[0].dtype == np.float32


def test_double_precision_sees_what_single_loses():
    (total, double) = outcome("reference:f64").results
    assert total.dtype == double.dtype == np.float64
    assert total == pytest.approx(2 + float(np.float32(0.1)))  # the constant keeps the value that it has in f32


def test_reversed_summation_changes_a_sum_that_cancels():
    assert outcome("reference").results[0] != outcome("reference:reverse").results[0]


def test_xla_takes_and_gives_types_that_dlpack_lacks():
    for element in ("f8E5M2", "f8E4M3FN", "i4"):
        type_ = f"tensor<3x{element}>"
        argument = np.array([0, 1, 1]).astype(element_type(element).dtype)
        text = f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}"
        found = outcome("xla", text.encode(), [argument])
        assert found.ok, found
        np.testing.assert_array_equal(found.results[0], argument, strict=True)


def test_arithmetic_flushes_denormals_as_xla_does():
    """Sines do not: XLA returns small arguments as they are."""
    body = "\n".join(
        f"%{number} = {text}" for number, text in enumerate([
            f"stablehlo.floor %a : {ROW}", f"stablehlo.sqrt %a : {ROW}", f"stablehlo.negate %a : {ROW}",
            f"stablehlo.sine %a : {ROW}", f"stablehlo.maximum %a, %b : {ROW}",
            f"stablehlo.compare GT, %a, %b : ({ROW}, {ROW}) -> tensor<4xi1>",
        ])
    )  # fmt: skip
    types = ", ".join([*[ROW] * 5, "tensor<4xi1>"])
    text = f"func.func @main(%a: {ROW}, %b: {ROW}) -> ({types}) {{\n{body}\nreturn %0, %1, %2, %3, %4, %5 : {types} }}"
    arguments = [np.float32([1e-40, -1e-40, 3e-39, 1.5e-38]), np.zeros(4, np.float32)]
    exact, flushed, xla = (
        outcome(name, text.encode(), arguments).results for name in ("reference", "reference:flush", "xla")
    )
    for given, expected in zip(flushed, xla, strict=True):
        np.testing.assert_array_equal(given, expected)
    assert [bool((given != expected).any()) for given, expected in zip(exact, xla, strict=True)] == [
        True, True, False, False, True, True,
    ]  # fmt: skip


DOT = b"""func.func @main(%a: tensor<3x40xf32>, %b: tensor<40x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<3x40xf32>, tensor<40x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32> }"""


def test_a_plugin_that_does_not_load_is_an_outcome(tmp_path):
    (tmp_path / "plugin.so").write_bytes(b"not a library")
    with open_engine(f"xla:plugin={tmp_path / 'plugin.so'}") as engine:
        for _ in range(2):
            found = engine.run(DOT, [np.zeros((3, 40), np.float32), np.zeros((40, 5), np.float32)])
            assert found.status == "rejected"
            assert "does not start" in found.message


@pytest.mark.release
def test_a_plugin_by_path_gives_what_xla_gives():
    package = pytest.importorskip("xla_plugins.xla_cpu_pjrt", reason="xla-cpu-pjrt has wheels for Linux only")
    plugin = f"xla:plugin={Path(package.__file__).with_name('xla_cpu_pjrt.so')}"
    random = np.random.default_rng(0)
    for count in (2, 40, 999):  # memory of few bytes is seldom aligned
        arguments = [random.standard_normal((3, count)).astype("f4"), random.standard_normal((count, 5)).astype("f4")]
        code = DOT.replace(b"40", b"%d" % count)
        wanted, found = (outcome(name, code, arguments) for name in ("xla", plugin))
        if "likely built with a later" in found.message:
            pytest.skip("the plugin is newer than the installed jaxlib")
        assert found.ok, found
        np.testing.assert_allclose(found.results[0], wanted.results[0], rtol=1e-5, atol=1e-5)


def test_options_are_added_to_a_name():
    assert with_options("xla", []) == "xla"
    assert with_options("xla", ["xla_disable_hlo_passes=a,b", "c=1"]) == "xla:xla_disable_hlo_passes=a+b,c=1"
    assert with_options("xla:a=1@env/bin/python", ["b=2"]) == "xla:a=1,b=2@env/bin/python"


def test_an_engine_of_another_environment_runs_there(tmp_path):
    environment = tmp_path / "python"
    environment.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    environment.chmod(0o755)
    assert outcome(f"xla@{environment}").ok


def test_an_engine_runs_a_program_again_without_compiling_it():
    unseen = SUM.replace(b"0.1", b"0.7")
    first, second = outcome("xla", unseen), outcome("xla", unseen)
    assert first.load_seconds > 10 * second.load_seconds
    assert opened("xla").versions["stablehlo"].count(".") == 2


def test_an_engine_remembers_few_programs_and_asks_for_forgotten_ones():
    for number in range(12):
        assert outcome("reference", SUM.replace(b"0.1", b"%d.0" % number)).ok
    assert outcome("reference", SUM.replace(b"0.1", b"0.0")).results[0] == np.float32(1)


def test_sub_byte_types_reach_xla():
    module = b"func.func @main(%a: tensor<3xi4>) -> tensor<3xi4> { return %a : tensor<3xi4> }"
    values = np.array([-8, 0, 7], ml_dtypes.int4)
    np.testing.assert_array_equal(outcome("xla", module, [values]).results[0].astype(int), [-8, 0, 7])


def test_a_program_that_does_not_compile_is_rejected():
    found = outcome("xla", b"func.func @main() -> tensor<f32> { return }", [])
    assert found.status == "rejected"
    assert "return" in found.message


def test_a_custom_call_without_a_handler_is_unsupported():
    module = b"""func.func @main() -> tensor<f32> {
      %0 = stablehlo.custom_call @nobody_has_this() : () -> tensor<f32>
      return %0 : tensor<f32> }"""
    assert outcome("reference", module, []).status == "unsupported"


def test_a_crash_is_an_outcome_and_the_engine_goes_on():
    module = b"""func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
      %zero = stablehlo.constant dense<0> : tensor<2xi32>
      %0 = stablehlo.divide %a, %zero : tensor<2xi32>
      return %0 : tensor<2xi32> }"""
    found = outcome("official", module, [np.int32([1, 2])])
    assert found.status == "crash"
    assert "SIG" in found.message or "exit code" in found.message
    assert outcome("official").ok


def test_a_run_that_takes_too_long_ends():
    module = b"""func.func @main() -> tensor<i1> {
      %yes = stablehlo.constant dense<true> : tensor<i1>
      %0 = stablehlo.while(%again = %yes) : tensor<i1> cond { stablehlo.return %again : tensor<i1> }
        do { stablehlo.return %again : tensor<i1> }
      return %0 : tensor<i1> }"""
    with open_engine("reference", Limits(seconds=1.0)) as engine:
        assert engine.run(module, []).status == "timeout"
        assert engine.run(SUM, ARGUMENTS).status in ("ok", "timeout")  # a slow machine may take longer than 1 s to plan


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits what a process allocates")
def test_memory_is_limited():
    module = b"""func.func @main(%a: tensor<f32>) -> tensor<400000000xf32> {
      %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<400000000xf32>
      %1 = stablehlo.add %0, %0 : tensor<400000000xf32>
      return %1 : tensor<400000000xf32> }"""
    found = outcome("reference", module, [np.float32(1)], Limits(memory_bytes=700 << 20))
    assert found.status == "memory"


def test_any_program_is_an_engine(tmp_path):
    script = tmp_path / "double.py"
    script.write_text(
        "import sys, numpy\n"
        "assert 'stablehlo' in open(sys.argv[1]).read()\n"
        "given = numpy.load(sys.argv[2])\n"
        "numpy.savez(sys.argv[3], given['arr_0'].sum() + numpy.float32(0.1), given['arr_1'])\n"
    )
    found = outcome(f"command:{sys.executable} {script} {{module}} {{inputs}} {{outputs}}")
    assert found.ok, found
    assert found.results[1].dtype == ml_dtypes.bfloat16


@pytest.mark.skipif(os.name != "posix", reason="other systems have no groups of processes")
def test_a_command_that_kills_its_group_or_hangs_is_an_outcome(tmp_path):
    script = tmp_path / "bad.py"
    script.write_text("import os, sys, time\nos.kill(0, 9) if sys.argv[1] == 'kill' else time.sleep(1000)\n")
    run = f"command:{sys.executable} {script} {{how}} {{module}} {{outputs}}"
    killed = outcome(run.replace("{how}", "kill"))
    assert killed.status == "error"
    assert "exit code -9" in killed.message
    found = outcome(run.replace("{how}", "hang"), limits=Limits(seconds=3))
    assert found.status == "timeout"
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True, text=True).stdout
    assert str(script) not in listed


def test_a_command_that_fails_says_why():
    found = outcome(f"command:{sys.executable} -c 'raise SystemExit(\"no such device\")' {{module}} {{outputs}}")
    assert found.status == "error"
    assert "no such device" in found.message


def test_a_command_that_lacks_something_is_unsupported():
    script = 'import sys; sys.exit("unsupported: no sines here")'
    found = outcome(f"command:{sys.executable} -c '{script}' {{module}} {{outputs}}")
    assert (found.status, found.message) == ("unsupported", "no sines here")


def test_the_last_line_of_a_traceback_is_shown():
    found = outcome(f"command:{sys.executable} -c '1 / 0' {{module}} {{outputs}}")
    assert found.message == "the command ended with exit code 1: ZeroDivisionError: division by zero"


LINES = """
import json, sys, numpy
for number, line in enumerate(sys.stdin):
    files = json.loads(line)
    given = [*numpy.load(files["inputs"]).values()]
    if number == 0:
        numpy.savez(files["outputs"], given[0].sum() + numpy.float32(0.1), given[1])
        print(json.dumps({"status": "ok"}), flush=True)
    elif number == 1:
        print(json.dumps({"status": "unsupported", "message": "never twice"}), flush=True)
    elif number == 2:
        print(json.dumps({"status": "error", "message": "it fails"}), flush=True)
    elif number == 3:
        print("hello", flush=True)
    elif number == 4:
        print(json.dumps({"status": "ok"}), flush=True)
    else:
        sys.exit(7)
"""


def test_a_command_answers_line_by_line_and_is_started_again(tmp_path):
    script = tmp_path / "lines.py"
    script.write_text(LINES, encoding="utf-8")
    with open_engine(f"command+:{sys.executable} {script}") as engine:
        outcomes = [engine.run(SUM, ARGUMENTS) for _ in range(7)]
    assert [each.status for each in outcomes] == ["ok", "unsupported", "error", "error", "error", "crash", "ok"]
    assert outcomes[0].results[1].dtype == ml_dtypes.bfloat16
    said = [each.message for each in outcomes[1:6]]
    for message, part in zip(said, ["never twice", "it fails", "a line of JSON with a status, the command wrote: hello",
                                    "wrote no outputs", "exit code 7"], strict=True):  # fmt: skip
        assert part in message


def test_a_command_that_writes_other_shapes_is_told_so(tmp_path):
    script = tmp_path / "flat.py"
    script.write_text("import sys, numpy\nnumpy.savez(sys.argv[1], numpy.zeros(7), numpy.zeros(4))\n")
    found = outcome(f"command:{sys.executable} {script} {{outputs}} {{module}}")
    assert found.status == "error"
    assert "wrote shape [7] for result 0, expected tensor<f32>" in found.message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nonsense", "unknown engine 'nonsense'"),
        later("reference:f65", "unknown option 'f65'"),  # sessions/engines.md shows what is said of these three, too
        ("xla:xla_no_such_option=1", "unknown XLA option"),
        ("xla:xla_cpu_parallel_codegen_split_count=maybe", "is not a valid int32"),
        ("xla:xla_cpu_enable_fast_math=maybe", "does not take 'maybe'"),
        later("command:true", "lacks {module}"),
        later("command+:", "there is no command"),
        ("reference@no-such-python", "cannot start no-such-python"),
    ],
)
def test_mistakes_in_a_name_are_told(name, message):
    with pytest.raises(UsageError, match=message.replace("{", r"\{")):
        outcome(name)


def test_every_engine_that_is_listed_can_be_opened():
    assert {"reference", "official", "xla", "command"} <= set(engine_names())


def test_an_engine_of_another_package_is_a_module_and_a_function(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2] / "support"), prepend=os.pathsep)
    engine = Engine("planted", "planted_engine:backend")
    assert engine.run(SUM, ARGUMENTS).ok
    engine.close()


GRID = """
func.func @program(%a: tensor<2xi32>, %b: tensor<bf16>) -> (tensor<2xi32>, tensor<bf16>) {
  %sum = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %sum, %b : tensor<2xi32>, tensor<bf16>
}
func.func @other(%a: tensor<2xi32>, %b: tensor<bf16>) -> (tensor<2xi32>, tensor<bf16>) {
  return %a, %b : tensor<2xi32>, tensor<bf16>
}
func.func @main(%0: tensor<2xi32>, %1: tensor<bf16>, %2: tensor<2xi32>, %3: tensor<bf16>)
    -> (tensor<2xi32>, tensor<bf16>, tensor<2xi32>, tensor<bf16>) {
  %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@program], [@program]]}
    : (tensor<2xi32>, tensor<bf16>, tensor<2xi32>, tensor<bf16>)
    -> (tensor<2xi32>, tensor<bf16>, tensor<2xi32>, tensor<bf16>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<2xi32>, tensor<bf16>, tensor<2xi32>, tensor<bf16>
}
"""


def test_xla_runs_a_grid_of_one_program_on_several_devices():
    arguments = [np.int32([1, 2]), ml_dtypes.bfloat16(3), np.int32([10, 20]), ml_dtypes.bfloat16(4)]
    wanted, found = (outcome(name, GRID.encode(), arguments) for name in ("reference", "xla"))
    assert found.ok, found
    for ours, theirs in zip(wanted.results, found.results, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(found.results[2], [11, 22])
    mixed = outcome("xla", GRID.replace("[@program], [@program]", "[@program], [@other]").encode(), arguments)
    assert mixed.status == "unsupported"
    assert "run one program" in mixed.message


def test_xla_runs_a_grid_of_one_process():
    main = """func.func @main(%0: tensor<2xi32>, %1: tensor<bf16>) -> (tensor<2xi32>, tensor<bf16>) {
      %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@program]]}
        : (tensor<2xi32>, tensor<bf16>) -> (tensor<2xi32>, tensor<bf16>)
      return %r#0, %r#1 : tensor<2xi32>, tensor<bf16>
    }"""
    text = GRID.partition("func.func @other")[0].replace("[[0, 1]]> : tensor<1x2x", "[[0]]> : tensor<1x1x") + main
    found = outcome("xla", text.encode(), [np.int32([1, 2]), ml_dtypes.bfloat16(3)])
    assert found.ok, found
    assert [result.tolist() for result in found.results] == [[1, 2], 3.0]
