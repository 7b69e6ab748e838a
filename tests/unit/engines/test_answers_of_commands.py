"""Commands that answer lines of JSON, and readers of artifacts: what is asked, and what is made of each answer."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.engines import command
from stablehlo_py.engines.outcome import EngineCrashError
from stablehlo_py.errors import InterpreterError, StablehloError, UnsupportedOpError, UsageError
from stablehlo_py.interpreter.storage import save_arrays

WROTE = "expected a line of JSON with a status, the command wrote: "
OK = '{"status": "ok"}\n'


class Answers:
    """Stands in for a process: answers come from a list; an empty one is its end."""

    started: list[list[str]] = []  # noqa: RUF012 - of the test that resets it
    answers: list[str] = []  # noqa: RUF012
    asked: list[dict[str, str]] = []  # noqa: RUF012

    def __init__(self, words: list[str]) -> None:
        self.started.append([*words])

    def ask(self, line: str) -> str:
        self.asked.append(json.loads(line))
        return self.answers.pop(0)

    def end(self) -> int:
        return 40 + len(self.started)


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> type[Answers]:
    monkeypatch.setattr(command, "Conversation", Answers)
    Answers.started, Answers.answers, Answers.asked = [], [], []
    return Answers


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        ('{"status": "unsupported", "message": "no sort"}', UnsupportedOpError, "no sort"),
        ('{"status": "unsupported"}', UnsupportedOpError, "unsupported"),
        ('{"status": "error", "message": "it fails"}', InterpreterError, "it fails"),
        ('{"status": "error", "message": ""}', InterpreterError, "error"),
        ('{"status": "error", "message": 7}', InterpreterError, "7"),
        ('{"status": "odd"}', InterpreterError, "odd"),
        (
            '{"message": "x"}',
            InterpreterError,
            'expected a line of JSON with a status, the command wrote: {"message": "x"}',
        ),
        ("[1]", InterpreterError, WROTE + "[1]"),
        ("7", InterpreterError, WROTE + "7"),
        ("  hello  ", InterpreterError, WROTE + "hello"),
        ("x" * 3000, InterpreterError, WROTE + "x" * 2000),
    ],
)
def test_an_answer_that_is_not_ok(answer: str, error: type[StablehloError], said: str, process: type[Answers]) -> None:
    process.answers = [answer + "\n", OK]
    ask = command._conversing("./mine --a 'b c'")
    with pytest.raises(error) as raised:
        ask({"module": "m"})
    assert (type(raised.value), raised.value.message) == (error, said)
    ask({"module": "n"})  # the same process goes on
    assert process.started == [["./mine", "--a", "b c"]]
    assert process.asked == [{"module": "m"}, {"module": "n"}]


def test_a_command_that_ended_is_started_again_for_the_next_program(process: type[Answers]) -> None:
    process.answers = [OK, "", "", OK, OK]
    ask = command._conversing("./mine")
    assert process.started == [], "it starts with the first program"
    ask({})
    for code in (41, 42):
        with pytest.raises(EngineCrashError) as raised:
            ask({})
        assert raised.value.message == f"the command ended with exit code {code}"
    ask({})
    ask({})
    assert process.started == [["./mine"]] * 3


@pytest.mark.parametrize("text", ["", "   "])
def test_lines_need_a_command(text: str) -> None:
    with pytest.raises(UsageError, match=r"engine command\+: there is no command") as raised:
        command.lines_backend(text)
    assert raised.value.notes == ("command+:./mine --option",)


def test_the_files_of_a_program_are_gone_after_its_run(process: type[Answers], monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def ask(self: Answers, line: str) -> str:
        files = json.loads(line)
        assert sorted(files) == ["inputs", "module", "outputs"]
        assert "stablehlo.negate" in Path(files["module"]).read_text()
        assert not Path(files["outputs"]).exists()
        Path(files["outputs"]).write_bytes(save_arrays("outputs.npz", [-np.load(files["inputs"])["arr_0"]]))
        written.append(files["outputs"])
        return OK

    monkeypatch.setattr(Answers, "ask", ask)
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.negate %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    run = command.lines_backend("./mine", "a").load(stablehlo_py.serialize(stablehlo_py.parse(text)))
    for value in (1, 2):
        assert [each.tolist() for each in run([np.full(2, value, np.float32)])] == [[-value, -value]]
    assert process.started == [["./mine,a"]]
    assert len({*written}) == 2
    assert not any(os.path.exists(os.path.dirname(path)) for path in written)


ENDED = "the command ended with exit code"
READER = "import shutil, sys; a, m = sys.argv[1:]; data = open(a, 'rb').read(); "


def reading(tmp_path: Path, code: str) -> bytes:
    script = tmp_path / "reader.py"
    script.write_text(READER + code)
    return command.foreign_reader(f"command:{sys.executable} -S {script} {{artifact}} {{module}}")(b"ML\xefR data")


def test_a_reader_gets_the_artifact_and_its_program_is_returned(tmp_path: Path) -> None:
    assert reading(tmp_path, "open(m, 'wb').write(data[::-1])") == b"atad R\xefLM"


@pytest.mark.parametrize(
    ("code", "error", "said"),
    [
        ("pass", InterpreterError, "the command wrote no module"),
        ("print('why')", InterpreterError, "the command wrote no module: why"),
        ("sys.exit('unsupported: version 9')", UnsupportedOpError, "version 9"),
        (
            "sys.exit('  unsupported: version 9')",
            InterpreterError,
            "the command ended with exit code 1: unsupported: version 9",
        ),
        ("sys.exit('a\\nunsupported:   b\\nc')", UnsupportedOpError, "b"),
        (
            "print('unsupported: no'); sys.exit(2)",
            InterpreterError,
            "the command ended with exit code 2: unsupported: no",
        ),
        ("raise KeyError('k')", InterpreterError, f"{ENDED} 1: KeyError: 'k'"),
    ],
)
def test_what_is_said_of_a_reader_that_fails(code: str, error: type[StablehloError], said: str, tmp_path: Path) -> None:
    with pytest.raises(error) as raised:
        reading(tmp_path, code)
    assert (type(raised.value), raised.value.message) == (error, said)


def test_a_reader_by_lines(process: type[Answers], monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(self: Answers, line: str) -> str:
        files = json.loads(line)
        assert [*files] == ["artifact", "module"]
        if Path(files["artifact"]).read_bytes() == b"good":
            Path(files["module"]).write_bytes(b"found")
        return OK

    monkeypatch.setattr(Answers, "ask", ask)
    read = command.foreign_reader("command+:./mine")
    assert read(b"good") == b"found"
    with pytest.raises(InterpreterError, match=r"the command wrote no module$"):
        read(b"bad")
    assert read(b"good") == b"found"
    assert process.started == [["./mine"]]


@pytest.mark.parametrize(
    ("reader", "said"),
    [
        ("./mine", "'./mine' is no reader"),
        ("commands:./mine {artifact} {module}", "'commands:./mine {artifact} {module}' is no reader"),
        ("command:./mine {artifact}", "engine command: the command lacks {module}: './mine {artifact}'"),
        ("command:./mine {module}", "engine command: the command lacks {artifact}: './mine {module}'"),
        ("command+:", "engine command+: there is no command"),
    ],
)
def test_readers_that_are_none(reader: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        command.foreign_reader(reader)
    assert raised.value.message == said
