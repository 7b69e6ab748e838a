"""Options of verbs, one at a time, in this process: what each changes, what each refuses, and the exit codes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

import stablehlo_py
from stablehlo_py.cli.compat import compat
from stablehlo_py.cli.stablehlo import _run, stablehlo
from stablehlo_py.cli.verbs.shared import (
    Inputs,
    OutputFile,
    ProgramFile,
    archive_of,
    refuse_own_files,
    write_reproducer,
)
from stablehlo_py.conformance.fuzz.session import Tally
from stablehlo_py.debug.allowed.measures import Tolerance
from stablehlo_py.debug.allowed.widths import profile as profile_of
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.debug.tracing.rows import Trace
from stablehlo_py.errors import ArgumentError, StablehloError, UsageError
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.pool import Pool

PROGRAM = """func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.tanh %x : tensor<?x4xf32>
  %1 = stablehlo.add %0, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32> loc("model.py":7:3)
  return %0 : tensor<4xf32>
}
"""
STATIC = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"
TAN = "  %{} = stablehlo.tan %{} : tensor<4xf32>\n"
TANS = STATIC.replace("  return %x", "".join(TAN.format(i, i - 1 if i else "x") for i in range(9)) + "  return %8")
FILES = {
    "a.mlir": PROGRAM,
    "b.mlir": PROGRAM.replace("tanh", "sine"),
    "c.mlir": PROGRAM.replace("%0 =", "%zero =").replace("%0", "%zero"),
    "static.mlir": STATIC,
    "tans.mlir": TANS,
    "plain.mlir": STATIC.replace("  return", "return"),
    "empty.mlirbc": "",
}
Verb = Callable[..., tuple[int, str]]


@pytest.fixture
def verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Verb:
    """Runs a verb next to FILES: its exit code and output, or the message of its error."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    Path("artifact.mlirbc").write_bytes(stablehlo_py.serialize(TANS, "1.10.0"))

    def run(*words: str, stdin: str | None = None) -> tuple[int, str]:
        found = CliRunner().invoke(stablehlo, [*words], input=stdin, standalone_mode=False)
        if isinstance(found.exception, (click.ClickException, StablehloError)):
            error = found.exception
            return 2, error.format_message() if isinstance(error, click.ClickException) else str(error)
        assert found.exception is None, (words, found.exception)
        return found.return_value or 0, found.output

    return run


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("cost a.mlir --at=arg0[0]=3 --json", 0, '"flops": 12,'),
        ("cost a.mlir --at=arg0[0]=", 2, "expected NAME=N, found 'arg0[0]='"),
        ("cost a.mlir --at=arg0[0]", 2, "expected NAME=N"),
        ("cost a.mlir --at=arg0[0]=-1", 2, "expected NAME=N, found 'arg0[0]=-1'"),
        ("cost a.mlir --top=0", 2, "0 is not in the range x>=1"),
        ("cost a.mlir --function=none", 2, "none"),
        ("diff a.mlir c.mlir", 0, ""),
        ("diff a.mlir b.mlir", 1, "stablehlo.sine"),
        ("diff a.mlir b.mlir --json", 1, '"kind": "removed"'),
        ("diff a.mlir nothing.mlir", 2, "nothing.mlir"),
        ("info artifact.mlirbc", 0, "1.10.0"),
        ("info artifact.mlirbc --json", 0, '"stablehlo_version": "1.10.0"'),
        ("info empty.mlirbc", 2, "empty.mlirbc"),
        ("info nothing", 2, "cannot open input file 'nothing': No such file or directory"),
        ("explain artifact.mlirbc --target=1.4.0", 0, "can be written for StableHLO 1.4.0"),
        ("explain tans.mlir --target=1.3.0", 1, "cannot be written for StableHLO 1.3.0; the oldest it fits is 1.4.0"),
        ("minimum static.mlir", 0, "0.9.0"),
        ("matrix static.mlir --plot=a.pdf", 2, "--plot=a.pdf: the name must end in .svg or .png"),
        ("matrix static.mlir nothing.mlir", 1, "nothing.mlir"),
        ("upgrade artifact.mlirbc", 0, "stablehlo.tan"),
        ("upgrade artifact.mlirbc --json", 2, "--json needs -o FILE"),
        ("downgrade static.mlir --target=1.0.0 --json", 2, "--json needs -o FILE"),
        ("downgrade tans.mlir --target=1.3.0", 2, "tan"),
        ("roundtrip static.mlir --target=1.0.0", 0, "comes back the same from an artifact of StableHLO 1.0.0"),
        ("format --check static.mlir", 0, ""),
        ("format --check static.mlir plain.mlir", 1, "plain.mlir would change\n"),
        ("format --check --json static.mlir plain.mlir", 1, '"plain.mlir"'),
        ("format artifact.mlirbc", 2, "expected text, found bytecode"),
        ("format - --json", 2, "would both go to standard output"),
        ("hash a.mlir --by=name", 2, "'name' is not one of"),
        ("view a.mlir", 2, "Missing option"),
    ],
)
def test_what_options_say(words: str, code: int, said: str, verb: Verb) -> None:
    ended, output = verb(*words.split())
    assert (ended, said in output) == (code, True), output
    if "--json" in words and code < 2:
        json.loads(output)
    if not said:
        assert output == ""


def test_costs_of_kinds_and_of_ops(verb: Verb) -> None:
    whole, one = verb("cost", "a.mlir")[1], verb("cost", "a.mlir", "--top=1")[1]
    assert [name in whole for name in ("  stablehlo.tanh", "  stablehlo.add")] == [True, True]
    assert [name in one for name in ("  stablehlo.tanh", "  stablehlo.add")].count(True) == 1
    assert verb("cost", "a.mlir", "--ops")[1] != whole
    assert "model.py:7" in verb("cost", "a.mlir", "--function=other", "--ops")[1]


def test_hashes(verb: Verb) -> None:
    for name in "abc":
        Path(f"{name}.mlir").write_text(FILES[f"{name}.mlir"].replace("?", "3"))
    names = {by: [verb("hash", f"{name}.mlir", f"--by={by}") for name in "abc"] for by in ("ops", "function")}
    for a, b, c in names.values():
        assert (a[0], b[0]) == (0, 0)
        assert a == c != b
    assert not set(names["ops"]) & set(names["function"])
    assert json.loads(verb("hash", "a.mlir", "--json")[1]) == {"by": "ops", "hash": names["ops"][0][1].strip()}
    assert verb("hash", "a.mlir", "--function=other")[1] != names["ops"][0][1]


def test_blockers_are_cut_after_eight_unless_all_are_asked_for(verb: Verb) -> None:
    words = ("explain", "tans.mlir", "--target=1.3.0")
    cut, whole = verb(*words)[1], verb(*words, "--all")[1]
    assert cut.count("(stablehlo.tan)") == 8
    assert "… and 1 more; --all shows them" in cut
    assert (whole.count("(stablehlo.tan)"), "more; --all" in whole) == (9, False)
    found = json.loads(verb(*words, "--json")[1])
    assert (found["target"], found["minimum"], len(found["blockers"][0]["places"])) == ("1.3.0", "1.4.0", 9)


def test_a_page_of_differences_and_a_graph_are_written(verb: Verb) -> None:
    assert verb("diff", "a.mlir", "b.mlir", "-o", "page.html")[0] == 1
    assert "b.mlir" in Path("page.html").read_text()
    ended, said = verb("view", "a.mlir", "-o", "graph.json", "--json")
    assert said, "--json prints nothing"
    assert (ended, json.loads(said)) == (0, {"output": "graph.json", "size": os.path.getsize("graph.json")})
    assert json.loads(Path("graph.json").read_text())
    assert {str(path) for path in Path().glob("graph.*")} == {"graph.json", *COSTS}


COSTS = {f"graph.{name}.json" for name in ("arithmetic", "bytes", "live_bytes")}


def test_each_overlay_of_a_graph_has_a_file_with_the_words_of_its_name(verb: Verb) -> None:
    traced = verb("trace", "static.mlir", "--engine=reference:reverse", "--json")[1]
    Path("error.json").write_text(traced.replace('"reference:reverse"', '"command:./mine -x"'))
    Path("changes.json").write_text(verb("diff", "a.mlir", "b.mlir", "--json")[1])
    Path("blockers.json").write_text(verb("explain", "tans.mlir", "--target=1.3.0", "--json")[1])
    overlays = [f"--overlay={name}.json" for name in ("error", "changes", "blockers")]
    assert verb("view", "static.mlir", "-o", "graph.json", *overlays) == (0, "")
    names = ("error_of_command_mine_x_against_reference", "changes", "keeps_it_from_1_3_0")
    assert {str(path) for path in Path().glob("graph.*")} == {"graph.json", *COSTS, *(f"graph.{n}.json" for n in names)}


def test_locations_are_left_out_of_artifacts_on_demand(verb: Verb) -> None:
    for words in ((), ("--strip-debuginfo",)):
        ended, said = verb("downgrade", "a.mlir", "--target=current", "-o", "out.mlirbc", "--json", *words)
        assert (ended, json.loads(said)["size"]) == (0, os.path.getsize("out.mlirbc"))
        assert (b"model.py" in Path("out.mlirbc").read_bytes()) == (not words)


def test_results_are_compared_where_inputs_are_given(verb: Verb) -> None:
    words = ("roundtrip", "static.mlir", "--target=1.0.0")
    given = verb(*words, "--args=[dense<[0.0, -0.0, 1.0, 2.0]> : tensor<4xf32>]")[1]
    np.savez("x.npz", np.zeros(4, np.float32))
    assert given.endswith(", with the same results\n")
    assert verb(*words, "--inputs=x.npz")[1] == given
    assert "results" not in verb(*words)[1]


def test_only_what_changes_is_written_by_format(verb: Verb) -> None:
    os.utime("static.mlir", (1, 1))
    assert json.loads(verb("format", "static.mlir", "plain.mlir", "--json")[1]) == {
        "changed": ["plain.mlir"],
        "written": True,
    }
    assert os.path.getmtime("static.mlir") == 1
    assert Path("plain.mlir").read_text() == STATIC
    assert verb("format", "--check", "plain.mlir") == (0, "")


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        (["partitoin"], ["did you mean partition?", "stablehlo --help says more"]),
        (["xyzzyxyzzy"], ["stablehlo --help says more"]),
        (["cost", "--topp=1"], ["stablehlo cost --help says more"]),
    ],
)
def test_mistakes_in_the_command_line(words: list[str], notes: list[str]) -> None:
    with pytest.raises(UsageError) as raised:
        _run(stablehlo, words)
    assert raised.value.exit_code == 2
    assert list(raised.value.notes) == notes


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (OutputFile(), "", "a name is expected"),
        (OutputFile(), "none/a.html", "'none' is not a folder"),
        (OutputFile(), "folder", "'folder' is a folder"),
        (OutputFile(".html", ".svg"), "a.txt", "'a.txt' does not end in .html or .svg"),
        (OutputFile(".html", ".svg"), "a.svg", None),
        (OutputFile(), "folder/a", None),
        (ProgramFile(), "a.npz", "is a name for its arguments"),
        (ProgramFile(), "users.mlir", "'users.npz', where its arguments would go, exists"),
        (ProgramFile(), "own.mlir", None),
        (ProgramFile(), "new.mlir", None),
        (ProgramFile(), "-", None),
        (ProgramFile(), "/dev/null", None),
    ],
)
def test_names_of_outputs(
    kind: OutputFile, value: str, said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    np.savez("users.npz", np.zeros(1))
    assert "own.npz" in write_reproducer("own.mlir", stablehlo_py.parse(STATIC), [np.zeros(4, np.float32)])
    if said is None:
        assert kind.convert(value, None, None) == value
        return
    with pytest.raises(click.BadParameter) as raised:
        kind.convert(value, None, None)
    assert said in raised.value.message


def test_outputs_never_replace_what_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("link.mlir").symlink_to("a.mlir")
    assert (archive_of("-"), archive_of("/dev/null"), archive_of("a.b.mlir")) == (None, None, Path("a.b.npz"))
    for given in ("a.mlir", "a.npz", "./a.mlir", "link.mlir"):
        with pytest.raises(click.UsageError, match="would be replaced"):
            refuse_own_files("a.mlir", None, "other", given)
    refuse_own_files("a.mlir", None, "b.mlir")
    refuse_own_files("-", "-")


def inputs(**given: Any) -> Inputs:
    return Inputs(**{"archive": None, "attributes": "", "distributions": (), "seed": 0, "timeout": 60.0,
                     "max_memory": None, "work": None, **given})  # fmt: skip


def test_options_of_the_engine_xla() -> None:
    assert inputs(xla=("a=b",)).named(["reference", "xla"])[0] == "reference"
    assert "a=b" in inputs(xla=("a=b",)).named(["reference", "xla:0"])[1]
    assert inputs().named(["reference"]) == ["reference"]
    for options, names in (("a=b", ["reference", "numpy"]), ("a", ["xla"]), ("a=b", ["xlab"])):
        with pytest.raises(click.UsageError, match="--xla"):
            inputs(xla=(options,)).named(names)


@pytest.mark.parametrize(
    ("given", "said", "notes"),
    [
        ("[]", "takes 1 argument, found 0", 0),
        ("[dense<0.0> : tensor<4xf32>, dense<0.0> : tensor<4xf32>]", "takes 1 argument, found 2", 0),
        ("[dense<0> : tensor<4xi32>]", "argument 0 is", 1),
        ("[dense<0.0> : tensor<3xf32>]", "argument 0 is", 0),
    ],
)
def test_arguments_that_do_not_fit(given: str, said: str, notes: int) -> None:
    subject = examine(stablehlo_py.parse(STATIC))
    with pytest.raises(ArgumentError) as raised:
        inputs(attributes=given).given(subject)
    assert said in str(raised.value)
    assert len(raised.value.notes) == notes
    assert inputs().given(subject) is None
    with pytest.raises(click.UsageError, match="exclude each other"):
        inputs(attributes=given, archive="x.npz").given(subject)
    if notes:
        (array,) = inputs(attributes=given, cast=True).given(subject)
        assert array.dtype == np.float32


def test_the_tool_of_versions_has_the_verbs_about_versions() -> None:
    listed = {"info", "explain", "minimum", "matrix", "upgrade", "downgrade", "roundtrip", "diff"}
    commands = set(compat.list_commands(click.Context(compat)))
    assert listed <= commands
    assert not {"fuzz", "cost", "trace", "compare", "simulate", "format"} & commands


@pytest.mark.parametrize(
    ("words", "first", "most"),
    [
        ("", 0, 100),
        ("--count=7", 0, 7),
        ("--seed=5", 5, 100),
        ("--seed=5 --count=2", 5, 2),
        ("--seconds=1", 0, None),
        ("--seconds=1 --seed=3", 3, None),
        ("--seconds=1 --count=4", 0, 4),
    ],
)
def test_how_many_programs_are_drawn(
    words: str, first: int, most: int | None, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []

    def ran(_: object, seeds: Iterable[int], **__: object) -> Tally:
        drawn.extend(islice(seeds, 200))
        return Tally()

    monkeypatch.setattr("stablehlo_py.conformance.fuzz.session.Session.run", ran)
    code, output = verb(*f"fuzz --engines=reference,official {words}".split())
    assert (code, drawn) == (0, list(range(first, first + (200 if most is None else most)))), output


@pytest.mark.parametrize(("files", "code"), [(["static.mlir"], 0), (["static.mlir", "wrong.mlir"], 1)])
def test_a_corpus_with_a_module_that_fails_ends_with_1(files: list[str], code: int, verb: Verb) -> None:
    Path("wrong.mlir").write_text(STATIC.replace("return %x : tensor<4xf32>", "return %x : tensor<2xf32>"))
    ended, output = verb("corpus", *files, "--check=verify", "--output=rows.jsonl")
    assert ended == code, output


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("", {}),
        ("--memory=7", {"cap": 7 << 20}),
        ("--compiled=5", {"cuts": 5}),
        ("--compiled=0", {"cuts": 0}),
        ("--tolerance=3ulp", {"tolerance": Tolerance(ulp=3)}),
        ("--profile=strict", {"profile": profile_of("strict")}),
    ],
)
@pytest.mark.parametrize("against", [False, True])
def test_a_trace_is_made_as_its_options_say(
    words: str, changed: dict[str, Any], against: bool, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    def traced(_: object, **options: Any) -> Trace:
        given.update(options)
        return Trace("reference", "reference", ())

    monkeypatch.setattr("stablehlo_py.debug.tracing.trace.trace", traced)
    monkeypatch.setattr("stablehlo_py.debug.tracing.against.trace_against", traced)
    other = ["--against=static.mlir"] if against else []
    code, output = verb(
        "trace", "static.mlir", "--reference=reference", "--engine=reference:reverse", *other, *words.split()
    )
    assert code in (0, 1, 2), output
    defaults = {"cap": 256 << 20, "cuts": 2, "tolerance": None, "profile": profile_of("default"), "progress": None}
    assert {name: given[name] for name in defaults} == defaults | changed, output
    assert ("other" in given) == against
    assert [given[name].name for name in ("reference", "engine")] == ["reference", "reference:reverse"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(shell: str, verb: Verb) -> None:
    code, output = verb("completion", shell)
    assert (code, "stablehlo-opt" in output) == (0, True), output
    assert output.endswith("\n")


def test_reports_end_with_one_line_break(verb: Verb) -> None:
    Path("cut.mlir").write_text(f'sdy.mesh @m = <["x"=2]>\n{STATIC}')
    for words in (["partition", "cut.mlir"], ["partition", "cut.mlir", "--compare=cut.mlir"], ["cost", "a.mlir"]):
        code, said = verb(*words)
        assert (code, said[-1:], said[-2:] == "\n\n") == (0, "\n", False), (words, said)


@pytest.mark.parametrize("work", [None, "kept"])
@pytest.mark.parametrize("is_far", [False, True])
def test_an_engine_here_or_in_a_pool_has_the_limits_and_the_folder(
    work: str | None, is_far: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = inputs(work=work, timeout=7.0, max_memory=1 << 30)
    engine = given.engine("reference:f64", Pool(ThreadPoolExecutor(1), 1) if is_far else None)
    folder = getattr(engine, "folder", None)
    assert folder == (None if work is None else tmp_path / "kept" / "outcomes"), "outcomes are kept there"
    assert (engine.limits, engine.name) == (Limits(7.0, 1 << 30), "reference:f64")
