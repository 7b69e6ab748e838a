"""Input that is damaged, extreme, or made to do harm: one clear error each, in the tools and in the API."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from warm_tools import tool_of

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.handover import module_in_child
from stablehlo_py.errors import ArtifactError, InputError, ParseError, PassError, StablehloError, VerificationError
from stablehlo_py.passes import guarded_pipeline

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.fixture
def alone(monkeypatch):
    """This process may fork, though other tests may have left threads and loaded libraries that start them."""
    monkeypatch.setattr("stablehlo_py.isolation.policy._START_THREADS", frozenset())
    monkeypatch.setattr(threading, "active_count", lambda: 1)


GOOD = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32> loc("model.py":7:3)
  return %0 : tensor<4xf32>
}
"""
# The verifier of this op reads a dimension of the result that is not there.
CRASHING = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = "chlo.broadcast_add"(%0, %x) {
    broadcast_dimensions = array<i64: -1>
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def tool(name: str, *arguments: str, **options) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([tool_of(name), *arguments], capture_output=True, check=False, timeout=120, **options)


# The API --------------------------------------------------------------------------------------------------------------


@needs_fork
@pytest.mark.usefixtures("alone")
def test_text_that_crashes_the_compiler_is_an_error_with_its_line():
    with pytest.raises(ParseError, match=r"^crash\.mlir:3:1: error: MLIR's reader fails on the text: SIG"):
        stablehlo_py.parse(CRASHING, source_name="crash.mlir")


def test_a_module_from_a_child_is_the_module():
    trusted, guarded = (stablehlo_py.parse(GOOD, trust_input=trust) for trust in (True, False))
    assert str(trusted) == str(guarded)
    assert str(guarded.body.operations[0].regions[0].blocks[0].operations[0].location) == 'loc("model.py":7:3)'


@needs_fork
def test_this_process_reads_only_what_the_child_wrote(monkeypatch):
    """The reader here is given neither the text nor the artifact that came from outside."""
    artifact = stablehlo_py.serialize(stablehlo_py.parse(GOOD))
    seen: list[bytes] = []
    parse = ir.Module.parse
    monkeypatch.setattr(ir.Module, "parse", lambda data, *rest: seen.append(data) or parse(data, *rest))
    stablehlo_py.parse(GOOD)
    stablehlo_py.deserialize(artifact)
    assert len(seen) == 2
    assert not set(seen) & {GOOD.encode(), GOOD, artifact}


@needs_fork
def test_a_process_with_threads_leaves_the_work_to_another():
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        module = stablehlo_py.parse(GOOD)
        stablehlo_py.verify(module)
        stablehlo_py.run_passes(module, "canonicalize")
        assert "stablehlo.negate" in str(stablehlo_py.deserialize(stablehlo_py.serialize(module)))
        with pytest.raises(ParseError, match="SIG"):
            stablehlo_py.parse(CRASHING)
        assert "stablehlo.negate" in str(stablehlo_py.parse(GOOD))
    finally:
        done.set()
        thread.join()


def test_errors_keep_their_kind_and_places():
    with pytest.raises(ParseError) as parsing:
        stablehlo_py.parse("func.func @f(", source_name="a.mlir")
    assert parsing.value.diagnostics[0].location.startswith("a.mlir:1:")
    with pytest.raises(VerificationError, match=r"^model\.py:7:3: error: "):
        stablehlo_py.parse(
            GOOD.replace("%x : tensor<4xf32> loc", "%x : (tensor<4xf32>) -> tensor<2xf32> loc").replace(
                "return %0 : tensor<4xf32>", "return %x : tensor<4xf32>"
            ),
            source_name="b.mlir",
        )


@needs_fork
@pytest.mark.usefixtures("alone")
def test_verifying_and_passes_that_crash_are_errors(monkeypatch):
    module = stablehlo_py.parse(GOOD)
    monkeypatch.setattr("stablehlo_py.bindings.handover._verify", lambda _: os.abort())
    with pytest.raises(VerificationError, match="MLIR's verifier fails: SIGABRT"):
        stablehlo_py.verify(module)
    monkeypatch.setattr("stablehlo_py.passes.guarded_pipeline.run_pipeline", lambda *_: os.abort())
    with pytest.raises(PassError, match="a pass of canonicalize fails: SIGABRT"):
        stablehlo_py.run_passes(module, "canonicalize")


@needs_fork
@pytest.mark.usefixtures("alone")
def test_passes_in_python_have_no_trial_unless_there_is_a_limit(monkeypatch):
    module, trials = stablehlo_py.parse(GOOD), []
    tried = guarded_pipeline.tried_in_child
    monkeypatch.setattr(guarded_pipeline, "tried_in_child", lambda *args: trials.append(args) or tried(*args))
    stablehlo_py.run_passes(module, "func.func(stablehlo-aggressive-simplification),cse")
    assert not trials
    stablehlo_py.run_passes(module, "cse,func.func(canonicalize)")
    assert len(trials) == 1
    monkeypatch.setenv("STABLEHLO_PY_GUARD_TIMEOUT", "60")
    stablehlo_py.run_passes(module, "cse")
    assert len(trials) == 2


@needs_fork
@pytest.mark.usefixtures("alone")
def test_a_step_has_a_limit_of_time_and_memory(monkeypatch):
    context = make_context()
    monkeypatch.setenv("STABLEHLO_PY_GUARD_TIMEOUT", "0.2")
    assert module_in_child(lambda _: signal.pause(), context).crash == "it did not end within 0.2 s"
    monkeypatch.setenv("STABLEHLO_PY_GUARD_TIMEOUT", "60")
    monkeypatch.setenv("STABLEHLO_PY_GUARD_MEMORY", str(1 << 24))
    assert isinstance(module_in_child(lambda _: (None, len(bytearray(1 << 28))), context).error, MemoryError)


@needs_fork
@pytest.mark.usefixtures("alone")
def test_a_guarded_step_imports_nothing_in_its_child():
    module_in_child(lambda _: (None, None), make_context())
    found = module_in_child(lambda _: (None, sorted(sys.modules)), make_context()).value[1]
    assert set(found) <= sys.modules.keys()


GREEDY = "this takes more memory than it may|MLIR's reader fails on the bytecode"


@needs_fork
def test_damage_that_makes_the_reader_ask_for_ten_gigabytes_is_refused(tmp_path):
    data = bytearray((Path(__file__).parents[2] / "lit" / "vhlo" / "compendium.1_15_0.mlir.bc").read_bytes())
    data[4857] = 112
    with pytest.raises(stablehlo_py.ArtifactError, match=GREEDY):
        stablehlo_py.deserialize(bytes(data))
    (tmp_path / "greedy.mlir.bc").write_bytes(data)
    code = "from stablehlo_py.cli import stablehlo_translate; stablehlo_translate()"
    command = [sys.executable, "-c", code, "--deserialize", str(tmp_path / "greedy.mlir.bc")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stderr
    assert re.search(f"{GREEDY}|crashed", ended.stderr), ended.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not limit all memory")
def test_the_limit_of_a_step_ends_with_it():
    code = (
        "import numpy\n"
        "from stablehlo_py.isolation.limits import limit_memory, limit_memory_of_step\n"
        "def can_have(size):\n"
        "    try: return numpy.empty(size, numpy.uint8).size > 0\n"
        "    except MemoryError: return False\n"
        "found = []\n"
        "for step in (None, 1 << 28, 1 << 26, None, 1 << 33):\n"
        "    limit_memory_of_step(step); found += [can_have(1 << 27), can_have(1 << 30)]\n"
        "limit_memory_of_step(None); limit_memory(1 << 28)\n"
        "print(found)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[True, True, True, False, False, False, True, True, True, True]\n"


@pytest.mark.parametrize(
    ("flag", "code", "said"),
    [
        ("--guard-memory=99999999999999999999", 0, ""),
        ("--n\udcff", 1, "stablehlo-opt: error: unknown flag '--n"),
        ("--cse=\udcff", 1, "not UTF-8"),
    ],
    ids=["memory", "pass", "option"],
)
def test_odd_flags_have_an_answer(flag, code, said, tmp_path):
    (tmp_path / "good.mlir").write_text(GOOD)
    tool = "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()"
    ended = subprocess.run(
        [sys.executable, "-c", tool, flag, str(tmp_path / "good.mlir")], capture_output=True, check=False
    )
    assert ended.returncode == code, ended
    assert said in ended.stderr.decode("utf-8", "replace")
    assert (ended.stdout != b"") == (code == 0)


def test_a_check_on_a_type_that_stablehlo_lacks_is_an_error_of_the_pass():
    text = (
        "func.func @f() {\n  %0 = arith.constant dense<[1, 2]> : tensor<2xi8>\n"
        "  check.expect_eq_const %0, dense<[1, 2]> : tensor<2xi8>\n"
        "  %1 = arith.constant dense<[3, -3]> : tensor<2xi128>\n"
        "  check.expect_eq_const %1, dense<[3, -3]> : tensor<2xi128>\n  return\n}"
    )
    module = stablehlo_py.parse(text)
    before = str(module)
    with pytest.raises(
        PassError, match=r"5:3: error: 'check.expect_eq_const' op on tensor<2xi128> is not for this pass"
    ):
        stablehlo_py.run_passes(module, "stablehlo-refine-shapes")
    assert str(module) == before


@pytest.mark.parametrize("name", ["stablehlo-aggressive-simplification", "stablehlo-aggressive-folder"])
def test_passes_leave_tensors_alone_that_no_array_can_hold(name):
    large = "tensor<4611686018427387904x2xi32>"
    empty = "tensor<0x9223372036854775807x4xf32>"
    text = f"""func.func @main(%a: {large}) -> ({large}, {empty}) {{
  %0 = stablehlo.subtract %a, %a : {large}
  %1 = stablehlo.iota dim = 0 : {empty}
  %2 = stablehlo.add %1, %1 : {empty}
  return %0, %2 : {large}, {empty}
}}"""
    module = stablehlo_py.parse(text)
    stablehlo_py.run_passes(module, name)
    assert "stablehlo.subtract" in str(module)


def test_a_function_whose_name_is_not_utf8_is_an_error_of_a_run():
    module = stablehlo_py.parse(b'func.func @"x\xff"() { return }')
    with pytest.raises(StablehloError, match="a name in the program is not UTF-8"):
        stablehlo_py.interpret(module)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_what_holds_bytes_is_read(kind):
    assert "stablehlo.negate" in str(stablehlo_py.parse(kind(GOOD.encode())))


def test_other_sources_are_an_error():
    with pytest.raises(InputError, match="expected text, bytes or a path, not int"):
        stablehlo_py.parse(3)  # pyright: ignore[reportArgumentType]


# The tools ------------------------------------------------------------------------------------------------------------


@needs_fork
def test_an_artifact_that_cannot_be_read_back_is_not_written(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text("func.func @main() attributes {mhlo.bits = 1 : ui2} {\n  return\n}\n")
    output = tmp_path / "out.bc"
    result = tool("translate", "--serialize", str(program), "-o", str(output))
    assert result.returncode == 1, result.stderr
    assert b"while serializing" in result.stderr
    assert b"and reading it back" in result.stderr
    assert not output.exists()


def test_an_error_of_a_pass_that_succeeds_is_exit_code_1(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text("""func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @main(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}""")
    assert tool("opt", "--stablehlo-refine-shapes", str(program)).returncode == 1


# The reader says an error about each, and goes on: to a crash, to a failure of the writer, to a run.
SAID_TWICE = {
    "crash": "func.func @main(%x: tensor<2x?xcomplex<vector<2xf32>>, #stablehlo.bounds<?, 5>>) {\n  return\n}\n",
    "attribute": 'func.func @main() attributes {\n vhlo.a = #vhlo.dict_v1<{"b" = #vhlo.array_v1<[]>}>\n} {\n'
    "  return\n}\n",
    "name": 'func.func @main() -> tensor<f32> {\n  %0 = stablehlo.custom_call @"x\udcff"() : () -> tensor<f32>\n'
    "  return %0 : tensor<f32>\n}\n",
}


@needs_fork
@pytest.mark.parametrize("flags", [("opt",), ("translate", "--serialize"), ("stablehlo", "run")], ids=" ".join)
@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SAID_TWICE.items()])
def test_one_mistake_is_one_error(tmp_path, flags, text):
    program = tmp_path / "program.mlir"
    program.write_bytes(text.encode("utf-8", "surrogateescape"))
    result = tool(*flags, "-o", str(tmp_path / "out.npz"), str(program))
    assert result.stderr.count(b"error:") == (result.returncode != 0), result.stderr
    assert b"RuntimeError" not in result.stderr


@needs_fork
def test_the_message_about_a_crash_has_what_the_compiler_printed(tmp_path):
    body = "os.write(2, b'LLVM ERROR: no such thing\\n'); os.abort()"
    code = (
        "import os, sys\nfrom stablehlo_py.cli.common import run_tool\n"
        f"def work(arguments):\n    {body}\nsys.exit(run_tool('tool', work))\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    assert result.stderr == ("tool: error: the compiler crashed (SIGABRT)\ntool: note: LLVM ERROR: no such thing\n")


@needs_fork
def test_one_of_many_functions_is_found_in_few_steps(tmp_path, monkeypatch):
    from stablehlo_py.syntax import crash_site

    trials: list[int] = []
    crash = crash_site.Trials.crash
    monkeypatch.setattr(crash_site.Trials, "crash", lambda *args: trials.append(1) or crash(*args))
    others = "".join(GOOD.replace("@main", f"@f{number}") for number in range(200))
    assert crash_site.locate(others + CRASHING) == 4 * 200 + 3
    assert len(trials) <= 20
    assert crash_site.locate(CRASHING.replace("{\n  %0", "{ %0")) == 2
    assert crash_site.locate(f"{CRASHING}//{'x' * (1 << 23)}\n") is None, "too long for an outline in time"


@pytest.mark.skipif(os.name == "nt", reason="the shell's way to close a descriptor")
@pytest.mark.parametrize(("redirection", "code"), [("2>&-", 0), (">&-", 1), ("<&-", 0), ("<&- >&- 2>&-", 1)])
def test_closed_descriptors_are_survived(tmp_path, redirection, code):
    program = tmp_path / "program.mlir"
    program.write_text(GOOD)
    command = f'"{sys.executable}" -c "from stablehlo_py.cli.opt import main; main()" "{program}" {redirection}'
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr
    assert "internal error" not in result.stderr
    if redirection == ">&-":
        assert result.stderr == "stablehlo-opt: error: cannot write the output: standard output is closed\n"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode on this system")
@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "en_US.ISO-8859-1"])
def test_names_and_locales_that_are_not_utf8_work(tmp_path, locale):
    program = os.path.join(os.fsencode(tmp_path), b"caf\xe9.mlir")
    Path(os.fsdecode(program)).write_text(GOOD)
    code = "from stablehlo_py.cli.opt import main; main()"
    environment = {**os.environ, "LC_ALL": locale, "PYTHONIOENCODING": "cp1252"}
    result = subprocess.run([sys.executable, "-c", code, program], capture_output=True, check=False, env=environment)
    assert (result.returncode, result.stderr) == (0, b"")
    Path(os.fsdecode(program)).write_text("nothing")
    result = subprocess.run([sys.executable, "-c", code, program], capture_output=True, check=False, env=environment)
    assert result.returncode == 1, result.stderr
    assert b"caf\\xe9.mlir:1:1: error: " in result.stderr


def test_a_long_line_is_shown_around_the_column(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text("// " + "x" * 100_000 + "\n" + " " * 50_000 + "nothing" + " " * 50_000)
    result = tool("opt", str(program))
    assert result.returncode == 1, result.stderr
    assert len(result.stderr) < 1000
    assert b"nothing" in result.stderr


def test_a_line_offset_of_many_digits_is_an_error(tmp_path):
    program = tmp_path / "program.mlir"
    program.write_text(f"// expected-error@+{'9' * 5000} {{{{never}}}}\nfunc.func private @f()\n")
    result = tool("opt", "--verify-diagnostics", str(program))
    assert result.returncode == 1, result.stderr
    assert b"program.mlir:1:4: error: line offset is out of range" in result.stderr


def test_every_error_pickles():
    error = VerificationError([stablehlo_py.Diagnostic("error", "a:1:2", "wrong")])
    import pickle

    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.diagnostics) == (type(error), str(error), error.diagnostics)
    for kind in (StablehloError, ArtifactError):
        first = kind("what", location="where", notes=["note"])
        assert str(pickle.loads(pickle.dumps(first))) == str(first)


def test_a_constant_of_many_elements_is_not_reduced_when_folding():
    module = stablehlo_py.parse("""func.func @main() -> tensor<f32> {
      %0 = stablehlo.constant dense<1.0> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1099511627776xf32>
      %2 = stablehlo.reduce(%1 init: %0) applies stablehlo.add across dimensions = [0]
        : (tensor<1099511627776xf32>, tensor<f32>) -> tensor<f32>
      return %2 : tensor<f32>
    }""")
    stablehlo_py.run_passes(module, "builtin.module(func.func(stablehlo-aggressive-folder))")
    assert "stablehlo.reduce" in str(module)


@pytest.mark.parametrize("arguments", [5, True, None, np.float32(1)])
def test_arguments_that_are_no_list_are_an_error_that_says_so(arguments):
    with pytest.raises(stablehlo_py.ArgumentError, match="expected a list of arguments for function @main, found"):
        stablehlo_py.interpret(stablehlo_py.parse(GOOD), arguments)


def test_text_that_has_no_bytes_is_an_error():
    for read in (stablehlo_py.parse, stablehlo_py.deserialize):
        with pytest.raises(InputError, match="UTF-8"):
            read("a\ud800")


def test_relative_paths_begin_in_the_folder_of_the_caller(tmp_path, monkeypatch):
    monkeypatch.setattr("stablehlo_py.isolation.policy.fork_is_safe", lambda: False)
    stablehlo_py.parse(GOOD)  # starts the process that parses, in another folder
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.mlir").write_text(GOOD)
    assert "negate" in str(stablehlo_py.parse(Path("here.mlir")))


def test_options_of_a_pass_that_are_not_utf8_are_refused(tmp_path):
    path = tmp_path / "good.mlir"
    path.write_text(GOOD)
    code = "from stablehlo_py.cli.opt import main; main()"
    command = [sys.executable, "-c", code, str(path), b"--vhlo-to-version=\xff"]
    ended = subprocess.run(command, capture_output=True)
    assert ended.returncode == 1, ended.stderr
    assert b"the options of vhlo-to-version are not UTF-8" in ended.stderr
