"""Any program as an engine: what it is given, what it may write, and what is said of one that fails."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.engines import command
from stablehlo_py.errors import InputError, InterpreterError, UsageError

TEXT = """func.func @main(%x: tensor<2xf32>, %y: tensor<?xbf16>) -> (tensor<2xf32>, tensor<?xbf16>) {
  return %x, %y : tensor<2xf32>, tensor<?xbf16>
}"""
X, Y = np.array([1, 2], np.float32), np.array([3, 4, 5], np.uint16)
HEAD, NUMPY = "import shutil, sys; m, i, o = sys.argv[1:]; ", "import numpy as np; x = np.load(i); "


def run(tmp_path: Path, code: str) -> list[np.ndarray]:
    script = tmp_path / "a b.py"
    script.write_text(HEAD + NUMPY * ("np." in code) + code)
    engine = command.backend(f"{sys.executable} '{script}' {{module}} {{inputs}} {{outputs}}")
    module = stablehlo_py.parse(TEXT)
    return engine.load(stablehlo_py.serialize(module))([X, Y.view(ml_dtypes.bfloat16)])


def test_arrays_and_the_program_come_and_go(tmp_path: Path) -> None:
    code = "assert open(m).read().count('bf16') >= 2; assert x['arr_1'].dtype == np.uint16; shutil.copy(i, o)"
    first, second = run(tmp_path, code)
    assert first.tolist() == [1, 2]
    assert (second.dtype, second.view(np.uint16).tolist()) == (ml_dtypes.bfloat16, [3, 4, 5])
    assert run(tmp_path, "np.savez(o, x['arr_0'], x['arr_1'][:0])")[1].shape == (0,)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("np.savez(o, x['arr_0'], x['arr_0'], x['arr_0'])", "the command wrote 3 arrays, expected 2"),
        ("np.savez(o, x['arr_0'][:1], x['arr_1'])", "the command wrote shape [1] for result 0, expected tensor<2xf32>"),
        ("print('out')", "the command wrote no outputs: out"),
        ("print('out'); print('err', file=sys.stderr)", "the command wrote no outputs: err"),
        ("shutil.copy(i, o); print('out'); sys.exit(3)", "the command ended with exit code 3: out"),
        ("sys.exit(1)", "the command ended with exit code 1"),
    ],
)
def test_what_is_said_of_a_command_that_fails(code: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InterpreterError) as raised:
        run(tmp_path, code)
    assert raised.value.message == said


def test_the_end_of_a_long_output_is_shown(tmp_path: Path) -> None:
    with pytest.raises(InterpreterError) as raised:
        run(tmp_path, "print('a' + 1998 * 'b' + 'cd'); sys.exit(1)")
    shown = raised.value.message.partition(": ")[2]
    assert shown == 1998 * "b" + "cd"
    assert len(shown) == command._SHOWN_CHARACTERS


def test_an_output_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a numpy archive"):
        run(tmp_path, "open(o, 'w').write('x')")


@pytest.mark.parametrize("text", ["run {module}", "run {outputs}", "run {inputs}"])
def test_commands_without_a_placeholder_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"the command lacks \{(outputs|module)\}"):
        command.backend(text)


def test_commas_and_quotes_of_a_command_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = list[list[str]]()

    def run_command(words: list[str], **_: object) -> SimpleNamespace:
        ran.append(words)
        return SimpleNamespace(returncode=0, stdout="", stderr="")

    monkeypatch.setattr(command, "run_command", run_command)
    command.backend("./mine a", "b 'c ", " d' {module}", "{outputs}").ask({"module": "M", "outputs": "O"})
    command.backend("awk '{print} {}' x={module} {outputs}{{").ask({"module": "{outputs}", "outputs": "O"})
    assert ran == [["./mine", "a,b", "c , d", "M,O"], ["awk", "{print} {}", "x={outputs}", "O{{"]]


@pytest.mark.parametrize("make", [command.backend, command.lines_backend])
def test_a_quotation_without_end_is_refused(make: Callable[[str], object]) -> None:
    with pytest.raises(UsageError) as raised:
        make("sh 'a {module} {outputs}")
    assert raised.value.message == "cannot read the command 'sh 'a {module} {outputs}': no closing quotation"
