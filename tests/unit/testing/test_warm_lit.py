"""lit runs tools by fork with the results that it has when it starts programs."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import lit
import numpy as np
import pytest

from stablehlo_py.engines import Limits, open_engine
from stablehlo_py.isolation.commands import LIT
from stablehlo_py.isolation.warm import WarmProcess
from stablehlo_py.testing import warm_lit
from stablehlo_py.testing.filecheck import find_filechecks, is_package
from stablehlo_py.testing.lit import COLD_VARIABLE, make_tool_folder
from stablehlo_py.testing.process_substitution import with_files
from stablehlo_py.testing.warm_lit import WarmShTest, as_tool

SUITES = Path(__file__).parents[2] / "lit"
PACKAGE = os.path.join(os.path.dirname(sys.executable), "filecheck")
TOOLS = {"stablehlo-opt": "opt", "stablehlo-translate": "translate"}
# Each sixtieth test of the project's suites.
TEXTS = {path: path.read_text() for path in sorted(SUITES.rglob("*.mlir")) if not {"vhlo", "Output"} & {*path.parts}}
SAMPLE = [path for path, text in TEXTS.items() if "RUN:" in text and "REQUIRES:" not in text][::60]

# Python imports these when it warns of a file that was left open, as pytest lets it do.
DEBUGGING = {"_tracemalloc", "tracemalloc"}
FUNCTION = "func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n  return %arg0 : tensor<2xf32>\n}\n"
IDENTITY = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
FOREVER = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<2xf32>
    cond { %c = stablehlo.constant dense<true> : tensor<i1>  stablehlo.return %c : tensor<i1> }
    do { stablehlo.return %a : tensor<2xf32> }
  return %0 : tensor<2xf32>
}"""
# What a test says in its RUN lines, and how it ends. The programs read `FUNCTION`, after a line with an error where it
# begins with `bad`.
TESTS = {
    "pipe": ("stablehlo-opt %s | stablehlo-opt | FileCheck %s --check-prefix=F", "PASS"),
    "bad_pipe": ("stablehlo-opt %s 2>/dev/null | FileCheck %s --check-prefix=NONE", "FAIL"),
    "mismatch": ("stablehlo-opt %s | FileCheck %s --check-prefix=NONE", "FAIL"),
    "input_file": ("stablehlo-opt %s -o %t && FileCheck %s --check-prefix=F --input-file=%t", "PASS"),
    "to_file": ("stablehlo-opt %s > %t 2>&1\n// RUN: cat %t | FileCheck %s --check-prefix=F", "PASS"),
    "appended": ("stablehlo-opt %s > %t; stablehlo-opt < %s >> %t; diff %t %s", "FAIL"),
    "sequence": ("cd %S && stablehlo-opt sequence.mlir > %t && diff %t %t", "PASS"),
    "different": ("stablehlo-opt %s > %t.1 && echo other > %t.2 && diff %t.1 %t.2", "FAIL"),
    "either": ("stablehlo-opt --no-such-flag || stablehlo-opt %s", "PASS"),
    "bad_message": ("not stablehlo-opt %s 2>&1 | FileCheck %s --check-prefix=ERROR", "PASS"),
    "bad_output": ("stablehlo-opt %s", "FAIL"),
    "bad_in_one_file": ("stablehlo-opt --split-input-file %s > %t 2>&1 || cat %t && diff %t %s", "FAIL"),
    "bad_not_not": ("not not stablehlo-opt %s", "FAIL"),
    "no_crash": ("not --crash stablehlo-opt %s", "FAIL"),
    "crash": ("not --crash %python -c 'import os; os.abort()' 2> %t", "PASS"),
    "not_for_a_crash": ("not %python -c 'import os; os.abort()'", "FAIL"),
    "variable": (
        "env STABLEHLO_PY_GUARD_TIMEOUT=soon not stablehlo-opt %s 2>&1 | FileCheck %s --check-prefix=SOON",
        "PASS",
    ),
    "python_variable": ("env PYTHONVERBOSE=1 stablehlo-opt %s 2>&1 | FileCheck %s --check-prefix=IMPORT", "PASS"),
    "export": ("export STABLEHLO_PY_GUARD_TIMEOUT=soon\n// RUN: stablehlo-opt %s", "FAIL"),
    "after_export": ("stablehlo-opt %s", "PASS"),
    "umask": ("umask 077 && stablehlo-opt %s -o %t && ls -l %t | FileCheck %s --check-prefix=MODE", "PASS"),
    "no_program": ("stablehlo-opt %s | no-such-program", "FAIL"),
    "no_folder": ("cd %t.none && stablehlo-opt %s", "FAIL"),
    "no_input": ("not stablehlo-translate --interpret 2>&1 | FileCheck %s --check-prefix=EMPTY", "PASS"),
    "defined": ("%{tool} %s | FileCheck %s --check-prefix=F", "PASS"),
    "expected": ("stablehlo-opt --no-such-flag\n// XFAIL: *", "XFAIL"),
    "unexpected": ("stablehlo-opt %s\n// XFAIL: *", "XPASS"),
    "unsupported": ("stablehlo-opt --no-such-flag\n// REQUIRES: the-moon", "UNSUPPORTED"),
    "no_run_line": ("", "UNRESOLVED"),
    "interpret": (
        "stablehlo-translate --interpret --args='[dense<1.5> : tensor<2xf32>]' %s | FileCheck %s --check-prefix=R",
        "PASS",
    ),
}
# The shell of lit 18 has no `umask`, and its `not` takes a crash for a failure, with forks and without.
if lit.__versioninfo__ < (19,):
    TESTS |= {name: (TESTS[name][0], code) for name, code in (("umask", "FAIL"), ("not_for_a_crash", "PASS"))}
CHECKS = """// DEFINE: %{tool} = stablehlo-opt
// F: func.func @f
// ERROR: error: expected
// SOON: STABLEHLO_PY_GUARD_TIMEOUT=soon: expected a positive number
// IMPORT: import 'stablehlo_py
// MODE: -rw-------
// EMPTY: input file is empty
// R: tensor<2xf32>
// NONE: nothing of this kind
"""


def write_suite(folder: Path) -> None:
    (folder / "lit.cfg.py").write_text(
        "import os\n"
        "from stablehlo_py.testing import lit\n"
        "lit.configure(config, lit_config, name='mine', source_root=os.path.dirname(__file__), warm=True)\n"
    )
    for name, (line, _) in TESTS.items():
        run = f"// RUN: {line}\n" if line else ""
        wrong = "func.func @g( {\n" if name.startswith("bad") else ""
        (folder / f"{name}.mlir").write_text(f"{CHECKS}{run}{FUNCTION}// -----\n{wrong}")


def results(tests: list[Path], report: Path, **variables: str) -> dict[str, tuple[str, str]]:
    """How each test ends and what it prints."""
    command = [*LIT, "-q", "-j2", "-o", str(report)]
    environment = {**os.environ, "STABLEHLO_PY_FILECHECK": PACKAGE, **variables}
    completed = subprocess.run([*command, *map(str, tests)], env=environment, capture_output=True, text=True)
    assert report.exists(), completed.stdout + completed.stderr
    return {test["name"]: (test["code"], test["output"]) for test in json.loads(report.read_text())["tests"]}


@pytest.fixture(scope="module")
def suite(tmp_path_factory) -> Path:
    """Return the folder of a suite of `TESTS`."""
    folder = tmp_path_factory.mktemp("lit") / "suite"
    folder.mkdir()
    write_suite(folder)
    return folder


@pytest.fixture(scope="module")
def warm(suite) -> dict[str, tuple[str, str]]:
    """Return the results of `TESTS` and of the sample by forks."""
    return results([suite, *SAMPLE], suite.with_name("warm.json"))


def test_tests_end_as_they_should_by_forks(warm):
    ended = {name.partition(" :: ")[2].removesuffix(".mlir"): warm[name][0] for name in warm if name.startswith("mine")}
    assert ended == {name: code for name, (_, code) in TESTS.items()}


@pytest.mark.release
def test_forks_and_programs_have_the_same_results(suite, warm):
    assert warm == results([suite, *SAMPLE], suite.with_name("cold.json"), **{COLD_VARIABLE: "1"})


def test_a_sample_of_the_suites_passes(warm):
    sample = [code for name, (code, _) in warm.items() if not name.startswith("mine")]
    assert sample == ["PASS"] * len(SAMPLE)


# The format ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def format_and_folder(tmp_path_factory) -> tuple[WarmShTest, str]:
    folder = str(tmp_path_factory.mktemp("tools"))
    make_tool_folder(folder, PACKAGE)
    return WarmShTest(folder, TOOLS, [PACKAGE]), folder


def started(format_and_folder: tuple[WarmShTest, str], name: str, **variables: str):
    test_format, folder = format_and_folder
    process = test_format.start(
        [name, "--help"],
        executable=os.path.join(folder, name),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **variables},
    )
    process.communicate()
    assert process.wait() == 0
    return type(process)


def test_tools_are_forks(format_and_folder):
    assert started(format_and_folder, "stablehlo-opt") is WarmProcess
    assert started(format_and_folder, "FileCheck") is WarmProcess


def test_variables_that_a_process_reads_when_it_starts_need_a_program(format_and_folder):
    assert started(format_and_folder, "stablehlo-opt", PYTHONHASHSEED="7") is subprocess.Popen
    assert started(format_and_folder, "stablehlo-opt", STABLEHLO_PY_PROVIDER="jaxlib") is subprocess.Popen


@pytest.mark.parametrize(
    "command",
    [
        "stablehlo-opt INPUT",
        "stablehlo-opt --stablehlo-aggressive-folder --verify-diagnostics INPUT",
        "stablehlo-translate --interpret INPUT --function=f --args=[dense<1.0>:tensor<2xf32>]",
        "stablehlo-translate --serialize INPUT -o /dev/null",
    ],
)
def test_what_a_tool_imports_is_there_before_the_fork(command, format_and_folder, tmp_path):
    (tmp_path / "input.mlir").write_text(FUNCTION)
    name, *args = command.replace("INPUT", str(tmp_path / "input.mlir")).split()
    test_format, folder = format_and_folder
    program = test_format.called(os.path.join(folder, name))
    assert program is not None
    before = set(sys.modules)

    def main() -> None:
        with pytest.raises(SystemExit):
            program()
        print(sorted(set(sys.modules) - before - DEBUGGING), file=sys.stderr)

    assert output(main, "--trust-input", *args)[1] == "[]\n"


def test_an_engine_of_a_tool_is_a_fork_that_is_started_again(monkeypatch):
    """The tool is one that prints how each of three runs ended; a signal ends the engine's process in the second."""
    monkeypatch.setattr(warm_lit, "fork_is_safe", lambda: True)  # unlike a tool, this process may have jax

    def main() -> None:
        with open_engine("reference", limits=Limits(seconds=2)) as engine:
            for program in (IDENTITY, FOREVER, IDENTITY):
                outcome = engine.run(program.encode(), [np.ones(2, np.float32)])
                print(type(engine._worker._process).__name__, outcome.status, outcome.results)

    expected = (
        "WarmProcess ok (array([1., 1.], dtype=float32),)\nNoneType timeout ()\n"
        "WarmProcess ok (array([1., 1.], dtype=float32),)\n"
    )
    assert output(as_tool(main)) == (expected, "", 0)


def test_every_filecheck_that_is_named_has_to_pass(tmp_path, monkeypatch):
    strict = tmp_path / "strict"
    strict.write_text('#!/bin/sh\ncat > "$0.input"\nexit ${STRICT:-0}\n')
    strict.chmod(0o755)
    monkeypatch.setenv("STABLEHLO_PY_FILECHECK", os.pathsep.join([PACKAGE, str(strict)]))
    assert find_filechecks() == [PACKAGE, str(strict)]
    assert [is_package(path) for path in find_filechecks()] == [True, False]
    (tmp_path / "checks").write_text("CHECK: second\n")
    (tmp_path / "input").write_text("first\nsecond\n")
    make_tool_folder(str(tmp_path / "tools"), *find_filechecks())
    test_format = WarmShTest(str(tmp_path / "tools"), TOOLS, find_filechecks())
    starts: list[Callable] = [test_format.start, subprocess.Popen]
    for start in starts:
        for code in ("0", "3"):
            with open(tmp_path / "input") as stdin:
                process = start(
                    ["FileCheck", str(tmp_path / "checks")],
                    executable=str(tmp_path / "tools" / "FileCheck"),
                    stdin=stdin,
                    env={**os.environ, "STRICT": code},
                )
                assert process.wait() == int(code)
            assert (tmp_path / "strict.input").read_text() == "first\nsecond\n"


def test_a_filecheck_that_is_no_package_needs_no_launcher(tmp_path):
    program = tmp_path / "FileCheck-99"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    make_tool_folder(str(tmp_path / "tools"), str(program))
    assert os.readlink(tmp_path / "tools" / "FileCheck") == str(program)
    test_format = WarmShTest(str(tmp_path / "tools"), TOOLS, [str(program)])
    launcher = str(tmp_path / "tools" / "FileCheck")
    process = test_format.start(["FileCheck", "checks"], executable=launcher, stdout=subprocess.PIPE)
    assert process.communicate() == (b"checks\n", None)


# The process --------------------------------------------------------------------------------------------------------

CHANGED: list[str] = []


def output(main: Callable[[], object], *args: str, **options) -> tuple[str | None, str | None, int]:
    process = WarmProcess(main, ["program", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    texts = process.communicate()
    assert process.returncode is not None
    return *texts, process.returncode


def change_everything() -> None:
    """Tell what is as it should not be, and change all of it."""
    print(
        CHANGED,
        os.environ.get("LEFT"),
        signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL,
        "left" in sys.modules,
        os.getcwd(),
    )
    CHANGED.append("changed")
    os.environ["LEFT"] = "behind"
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    sys.modules["left"] = sys
    os.umask(0o777)
    os.chdir("/")


def test_nothing_goes_from_one_process_to_the_next(tmp_path):
    before = os.umask(0o022)
    os.umask(before)
    first = output(change_everything, cwd=str(tmp_path))
    assert first == (f"[] None True False {tmp_path}\n", "", 0)
    assert output(change_everything, cwd=str(tmp_path)) == first
    assert os.umask(before) == before


def test_a_process_has_what_it_is_given_and_nothing_else(tmp_path):
    def main() -> None:
        print(sys.argv, dict(os.environ), os.getcwd(), sys.stdin.read(), sorted(map(int, os.listdir("/dev/fd")))[:3])
        for descriptor in range(3, 100):
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.fstat(descriptor)

    (tmp_path / "input").write_text("text")
    with open(tmp_path / "input") as stdin:
        found = output(main, "one", "two", stdin=stdin, env={"A": "b"}, cwd=str(tmp_path))
    assert found == (f"['program', 'one', 'two'] {{'A': 'b'}} {tmp_path} text [0, 1, 2]\n", "", 0)


def test_garbage_of_the_parent_closes_no_file_of_the_child(tmp_path):
    def main() -> None:
        opened = [os.open(tmp_path / "file", os.O_RDONLY) for _ in range(300)]
        gc.collect()
        print([descriptor for descriptor in opened if not is_open(descriptor)])

    (tmp_path / "file").touch()
    gc.disable()
    try:
        # Twenty files, each in a circle of its own that nothing else refers to.
        for _ in range(20):
            circle: list[object] = [open(tmp_path / "file")]  # noqa: SIM115 (to be left open)
            circle.append(circle)
        del circle
        assert output(main) == ("[]\n", "", 0)
    finally:
        # Collected here and not by itself once it may: a collection outside of this block would be an error.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()
        gc.enable()


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


@pytest.mark.parametrize(("end", "code"), [(None, 0), (3, 3), (256 + 7, 7), ("message", 1)])
def test_exit_codes(end, code):
    assert output(lambda: sys.exit(end)) == ("", "message\n" if end == "message" else "", code)


def test_an_exception_is_shown_and_fails():
    _, errors, code = output(lambda: [].pop())
    assert code == 1
    assert errors is not None
    assert errors.endswith("IndexError: pop from empty list\n")


def test_a_crash_ends_the_child_only():
    assert output(os.abort) == ("", "", -signal.SIGABRT)
    assert output(lambda: os.kill(os.getpid(), signal.SIGSEGV)) == ("", "", -signal.SIGSEGV)


def test_a_process_can_be_killed():
    process = WarmProcess(lambda: time.sleep(60), ["program"])
    assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert process.poll() == -signal.SIGKILL


def test_output_is_larger_than_any_pipe():
    def main() -> None:
        sys.stdout.write("o" * 1_000_000)
        sys.stderr.write("e" * 1_000_000)

    assert output(main) == ("o" * 1_000_000, "e" * 1_000_000, 0)


def test_both_streams_keep_their_order():
    def main() -> None:
        for number in range(3):
            print(number, flush=True)
            print(-number, file=sys.stderr)

    process = WarmProcess(main, ["program"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.communicate() == ("0\n0\n1\n-1\n2\n-2\n", None)


def test_an_input_that_is_a_pipe_ends():
    process = WarmProcess(lambda: print(sys.stdin.read()), ["program"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write("input")
    process.stdin.close()
    assert process.communicate() == ("input\n", None)


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        WarmProcess(print, ["program"], cwd=str(tmp_path / "none"))


# Process substitution -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "diff <(echo one) <(echo one)",
        "diff <(echo one) <(printf 'one\\ntwo\\n' | head -1)",
        "diff <(echo one) <(echo two)",
        "cat <(false) <(echo ')')",
        "cat <(echo one | tr o 0) | sort && echo more",
        "echo '<(quoted)' \\<\\( \"<(quoted)\"",
    ],
)
def test_process_substitution_does_what_bash_does(command, tmp_path):
    def run(shell: str, text: str) -> tuple[str, int]:
        found = subprocess.run([shell, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=False)
        return found.stdout, found.returncode

    assert run("sh", with_files(command, "file")) == run("bash", command)


@pytest.mark.parametrize(
    "command", ["true && diff <(one) two", "diff <(one; two) three", "diff <(one <(two)) three", "diff <(one"]
)
def test_what_lits_shell_cannot_do_stays_for_it_to_reject(command):
    assert with_files(command, "file") == command


def test_process_substitution_runs_tools(tmp_path):
    suite = tmp_path / "suite"
    suite.mkdir()
    write_suite(suite)
    for name, other in (("same", "stablehlo-opt %s"), ("other", "echo other")):
        run = f"// RUN: diff <(stablehlo-opt %s | stablehlo-opt) <({other})\n"
        (suite / f"substituted_{name}.mlir").write_text(run + FUNCTION)
    found = results(sorted(suite.glob("substituted_*")), tmp_path / "report.json")
    assert {name: code for name, (code, _) in found.items()} == {
        "mine :: substituted_other.mlir": "FAIL",
        "mine :: substituted_same.mlir": "PASS",
    }
    assert "other" in found["mine :: substituted_other.mlir"][1].partition("command stdout")[2]
