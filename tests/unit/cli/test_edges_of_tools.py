"""Parts of the tools that a whole run seldom gets to: exit codes of ends, switches of terminals, options at a bound."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.artifacts.artifact import parse_bytecode
from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.types import TensorType, element_type
from stablehlo_py.cli import common, crash_report, interpret, opt_tool, ranks, translation
from stablehlo_py.cli.command_line import read_command_line
from stablehlo_py.cli.mcp_server import Rules, command_line
from stablehlo_py.cli.opt_passes import _validation
from stablehlo_py.cli.options import OPT, options_of
from stablehlo_py.cli.verbs import engine_options, lsp
from stablehlo_py.errors import InputError, StablehloError, UsageError
from stablehlo_py.isolation.limits import file_limit
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.tool import Step

BAD = b"\xff" * 90


@pytest.mark.parametrize(
    ("outcome", "code", "message"),
    [
        (Outcome(cause="timeout"), 7, "running took too long"),
        (Outcome(cause="memory", code=-9), 137, "the system's memory killer ended the tool while running"),
        (Outcome(cause="crash", code=-9), 137, "the tool was killed (SIGKILL) while running"),
        (Outcome(cause="crash", code=-11, crash="SIGSEGV"), 7, "the compiler crashed (SIGSEGV) while running"),
    ],
    ids=lambda value: value.cause if isinstance(value, Outcome) else "",
)
def test_how_a_child_ended_decides_the_exit_code(outcome, code, message, capsys):
    assert crash_report.report_death(7, outcome, Step("running", is_loaded=True)) == code
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [(KeyboardInterrupt(), 130), (BrokenPipeError(), 141), (InputError("bad"), 1), (SystemExit(5), 5),
     (SystemExit(), 0), (ValueError("own"), 7)],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_ends_a_tool_decides_its_exit_code(error, code, capsys):
    def body() -> int:
        raise error

    assert common._run_quietly("tool", body, 7) == code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EMFILE, "Too many open files", "f"), f"too many open files{file_limit()}"),
        (OSError(errno.ENFILE, "Too many open files in system", "f"), "cannot open 'f': Too many open files in system"),
        (OSError(errno.ENOSPC, "No space left on device"), "cannot write the output: No space left on device"),
        (OSError(errno.EBADF, "Bad file descriptor"), "cannot write the output: standard output is closed"),
        (MemoryError(), "out of memory"),
        (RecursionError("maximum"), "the program is nested too deeply"),
        (
            UnicodeDecodeError("utf-8", BAD, 0, 1, "why"),
            f"a name in the program is not UTF-8: {BAD[:80]!r}",
        ),
        (ValueError("own\nmore"), "internal error, please report it: ValueError: own"),
        (ValueError(), "internal error, please report it: ValueError: "),
    ],
    ids=repr,
)
def test_errors_of_the_system_and_of_ours_are_told_apart(
    error: Exception, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(common.TRACEBACK_VARIABLE, raising=False)
    common._report(error)
    first, *notes = capsys.readouterr().err.splitlines()
    assert first.partition("error: ")[2] == said
    assert bool(notes) == said.startswith("internal error")


def test_the_editor_offers_the_flags_that_can_be_used():
    offered = [name for name, _ in lsp._flags()]
    known = options_of(OPT)
    assert {name for name in offered if name in known} == {
        name for name, one in known.items() if len(name) > 1 and not one.refused
    }
    assert {"canonicalize", "stablehlo-legalize-to-vhlo"} <= set(offered)


@pytest.mark.parametrize(("wanted", "is_terminal"), [(False, False), (True, False), (False, True)])
def test_progress_is_watched_on_a_terminal_if_it_is_wanted(wanted, is_terminal, monkeypatch):
    monkeypatch.setattr("sys.stderr", SimpleNamespace(isatty=lambda: is_terminal))
    with interpret._watching(wanted) as listeners:
        assert listeners == []


@pytest.mark.parametrize(
    ("samples", "is_number"), [("1", True), ("2", True), ("0", False), ("-1", False), ("x", False), ("²", False)]
)
def test_how_many_inputs_each_pass_is_validated_on(samples, is_number):
    module = stablehlo_py.parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    options = read_command_line(OPT, [f"--validate-each={samples}"])
    if is_number:
        assert callable(_validation(module, options))
        with pytest.raises(UsageError, match="needs a module, not another op"):
            _validation(module.body.operations[0].operation, options)
    else:
        with pytest.raises(UsageError, match=f"expects a number of inputs, found '{samples}'"):
            _validation(module, options)


def test_a_parameter_that_a_tool_lacks_is_told_with_those_that_it_has(tmp_path):
    with pytest.raises(UsageError, match="compare has no parameter 'engin'") as raised:
        command_line("compare", {"engin": "xla"}, Rules(str(tmp_path)), str(tmp_path))
    assert raised.value.notes[0].startswith("it has ")
    assert {"engine", "file"} <= set(raised.value.notes[0].removeprefix("it has ").split(", "))


def test_a_reproducer_is_written_where_there_is_a_wrong_op(tmp_path, monkeypatch):
    told = list[str]()
    monkeypatch.setattr(engine_options, "tell", told.append)
    path = tmp_path / "wrong.mlir"
    program = stablehlo_py.parse("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    for where, what in ((None, None), (None, program), (str(path), None)):
        engine_options.keep_reproducer(where, what, [np.zeros(2, np.float32)])
        assert (told, path.exists()) == ([], False)
    engine_options.keep_reproducer(str(path), program, [np.zeros(2, np.float32)])
    assert len(told) == 1
    assert path.exists()


class Ranks:
    """Ranks that note what they are asked for."""

    failure: StablehloError | None = None

    def __init__(self) -> None:
        self.asked = list[Any]()

    def all(self, value: Any) -> list[Any]:
        self.asked.append(("all", value))
        return [value]

    def fail(self, error: StablehloError) -> None:
        self.asked.append(("fail", str(error)))


def test_ranks_wait_for_each_other_at_the_end_of_a_step_and_are_told_of_an_error(monkeypatch):
    found = Ranks()
    monkeypatch.setattr(ranks, "ranks", lambda: found)
    with ranks.together("computing"):
        assert found.asked == []
    assert found.asked == [("all", None)]
    with pytest.raises(InputError, match="bad"), ranks.together("computing"):
        raise InputError("bad")
    assert found.asked[1:] == [("fail", "error: bad")]
    found.failure = InputError("theirs")
    with pytest.raises(InputError, match="theirs"), ranks.together("computing"):
        raise found.failure
    assert found.asked[2:] == []  # the others know


def test_sarif_quotes_what_a_uri_does_not_take():
    from stablehlo_py.sarif import location_of

    found = location_of("dir with blank/a#1%.mlir:3:0")
    assert found == {
        "physicalLocation": {
            "artifactLocation": {"uri": "dir%20with%20blank/a%231%25.mlir"},
            "region": {"startLine": 3, "startColumn": 1},
        }
    }
    assert location_of("file:///a:b") == {"physicalLocation": {"artifactLocation": {"uri": "file:///a:b"}}}
    assert location_of("") is None


@pytest.mark.parametrize("form", ["bytecode", "text"])
def test_what_is_deserialized_may_be_bytecode_or_the_text_of_vhlo(form: str, tmp_path: Path) -> None:
    program = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}"
    artifact = stablehlo_py.serialize(stablehlo_py.parse(program), "1.0.0")
    given, written = tmp_path / "given", tmp_path / "written"
    data = artifact if form == "bytecode" else str(parse_bytecode(artifact, make_context())).encode()
    given.write_bytes(data)
    assert translation.run(["--deserialize", str(given), "-o", str(written)]) == 0
    assert "func.func @main(%arg0: tensor<f32>) -> tensor<f32>" in written.read_text()


@pytest.mark.parametrize("data", [b"func.func", b"ML\xefR"])
def test_what_is_no_artifact_is_not_deserialized(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = tmp_path / "given"
    given.write_bytes(data)
    assert translation.run(["--deserialize", str(given), "-o", str(tmp_path / "written")]) == 1
    assert str(given) in capsys.readouterr().err
    assert not (tmp_path / "written").exists()


def test_unknown_dialects_may_have_the_name_of_a_known_one(tmp_path: Path) -> None:
    """An op of `sdy` that Shardy refuses is then an unknown one, beside others."""
    given, written = tmp_path / "given.mlir", tmp_path / "written.mlir"
    given.write_text('"x.y"() : () -> ()\n"sdy.reshard"() : () -> ()\n')
    words = [str(given), "-o", str(written)]
    assert opt_tool.run(["--allow-unregistered-dialect", *words]) == 0
    assert [line.strip() for line in written.read_text().splitlines()][1:3] == [
        '"x.y"() : () -> ()', '"sdy.reshard"() : () -> ()']  # fmt: skip
    written.unlink()
    for refused in ('"x.y"() : () -> ()\n', '"sdy.reshard"() : () -> ()\n'):
        given.write_text(refused)
        assert opt_tool.run(words) == 1
        assert not written.exists()


@pytest.mark.parametrize("missing", ["pygls", "lsprotocol", "something_else"])
def test_the_server_without_its_packages_names_the_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "stablehlo_py.lsp.server":
                raise ModuleNotFoundError(f"No module named '{missing}'", name=missing)

    monkeypatch.delitem(sys.modules, "stablehlo_py.lsp.server", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    if missing == "something_else":
        with pytest.raises(ModuleNotFoundError):
            lsp.command.callback(None)
    else:
        with pytest.raises(UsageError) as error:
            lsp.command.callback(None)
        assert error.value.message == f"{missing} is not installed"
        assert list(error.value.notes) == ["pip install 'stablehlo-py[lsp]'"]


@pytest.mark.parametrize("given", [np.bool_, np.int8, np.uint64, np.float32, np.float64])
@pytest.mark.parametrize("name", ["i1", "i8", "ui32", "f32", "bf16", "f8E4M3FN", "complex<f32>"])
def test_truths_and_numbers_of_a_file_are_cast_to_each_type(given: type, name: str) -> None:
    type_ = TensorType((2,), element_type(name))
    found = interpret.fitted(np.array([1, 0], given), type_, cast=True)
    assert (found.dtype, found.astype(np.complex64).tolist()) == (type_.dtype, [1, 0])
