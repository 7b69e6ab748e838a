"""The chunks of an input: what each one's step says, the exit code after that, and what is written."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from stablehlo_py.cli.diagnostics import ALL, ERRORS, Filter
from stablehlo_py.cli.driver import Chunks
from stablehlo_py.cli.output import Output
from stablehlo_py.errors import Diagnostic, InputError, ParseError, StablehloError, UsageError
from stablehlo_py.syntax import Source
from stablehlo_py.syntax.parser import Sink


def say(chunk: Source, sink: Sink) -> None:
    """Do what the words of a chunk ask for."""
    for word in chunk.data.decode().split():
        if word in ALL:
            sink(Diagnostic(word, f"{chunk.name}:1:1", f"a {word}"))  # type: ignore[arg-type]
        elif word == "raise":
            raise ParseError([Diagnostic("error", f"{chunk.name}:1:2", "is wrong")])
        elif word == "again":
            sink(Diagnostic("error", f"{chunk.name}:1:2", "is wrong"))


STEPS = {"": 0, "warning": 0, "remark note": 0, "error": 1, "warning error": 1, "error warning": 1, "raise": 2}


@pytest.mark.parametrize("errors_fail", [True, False])
@pytest.mark.parametrize("severities", [ALL, ERRORS])
def test_an_input_fails_with_any_chunk_and_is_written_where_none_does(
    errors_fail: bool, severities: frozenset[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """An error with which a step goes on fails where errors do, an exception always, shown or not."""
    path, target = tmp_path / "in", tmp_path / "out"
    for words in itertools.chain(itertools.product(STEPS, repeat=1), itertools.product(STEPS, repeat=2)):
        path.write_text("\n// -----\n".join(words))
        target.unlink(missing_ok=True)
        done: list[str] = []
        output = Output(str(target))

        def process(chunk: Source, sink: Sink, *, done: list[str] = done, output: Output = output) -> None:
            done.append(chunk.data.decode().strip())
            output.write(f"<{done[-1]}>\n".encode())
            say(chunk, sink)

        chunks = Chunks(Filter(severities, True, True), "// -----", "=====", errors_fail=errors_fail, may_be_empty=True)
        worst = max(STEPS[each] for each in words)
        fails = worst == 2 or (worst == 1 and errors_fail)
        assert chunks.run(str(path), output, process) == int(fails), words
        assert done == list(words)
        assert target.exists() == (not fails), words
        if not fails:
            assert target.read_text() == "=====\n".join(f"<{each}>\n" for each in words)
        shown = capfd.readouterr().err
        assert shown.count("a warning") == sum("warning" in each for each in words) * (severities == ALL)
        assert shown.count("a error") == sum("error" in each for each in words)


def test_an_error_that_was_received_before_is_shown_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in"
    path.write_text("again raise")
    assert Chunks(Filter(ALL, True, True)).run(str(path), Output(str(tmp_path / "out")), say) == 1
    assert capfd.readouterr().err.count("is wrong") == 1


@pytest.mark.parametrize("error", [UsageError, InputError])
def test_errors_of_the_command_line_are_no_errors_of_a_chunk(error: type[StablehloError], tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_text("a")

    def process(_chunk: Source, _sink: Sink) -> None:
        raise error("x")

    with pytest.raises(error):
        Chunks(Filter(ALL, True, True)).run(str(path), Output("-"), process)


@pytest.mark.parametrize(("mode", "codes"), [("all", (1, 1, 0)), ("only-expected", (0, 1, 0))])
def test_expected_diagnostics_decide_alone_about_the_exit_code(
    mode: str, codes: tuple[int, ...], tmp_path: Path
) -> None:
    path = tmp_path / "in"
    texts = ("error", "warning\n// expected-error@+1 {{no}}\n", "error // expected-error@above {{a error}}")
    for text, code in zip(texts, codes, strict=True):
        path.write_text(text)
        chunks = Chunks(Filter(ALL, True, True), verify_diagnostics=mode)
        assert chunks.run(str(path), Output(str(tmp_path / "out")), say) == code, text
