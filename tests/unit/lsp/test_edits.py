"""Changes that an editor asks for, and commands: what they do to a text, what is shown, what goes wrong."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsp_client import position
from lsp_here import Here

import stablehlo_py
from stablehlo_py.errors import Diagnostic, InputError, StablehloError
from stablehlo_py.lsp import actions
from stablehlo_py.lsp.document import NAME, Document

TWO = """// RUN: true

// about
func.func @a() -> tensor<i32> {
  // inside
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.add %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}
// -----

func.func @b() {
  return
}
"""
AFTER_CSE = """// RUN: true
// about
module {
  func.func @a() -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %c, %c : tensor<i32>
    return %0 : tensor<i32>
  }
}

// -----

module {
  func.func @b() {
    return
  }
}
"""


@pytest.fixture(scope="module")
def session() -> Iterator[Here]:
    client = Here(flags=lambda: [("cse", "about cse")])
    yield client
    assert client.close() == 0


def sent(session: Here) -> list[tuple[str, int, str]]:
    """What the server showed and logged since the last time."""
    found = [one for one in session.received if one.get("method", "").startswith("window/")]
    session.received.clear()
    return [(one["method"], one["params"]["type"], one["params"]["message"]) for one in found]


def test_each_program_of_a_text_is_changed_and_comments_in_front_of_it_stay() -> None:
    assert actions.after_passes(TWO, "cse") == AFTER_CSE
    written = actions.in_form(TWO, generic=True)
    assert written.startswith('// RUN: true\n// about\n"builtin.module"() ({\n  "func.func"() <{')
    assert written.count("\n\n// -----\n\n") == 1
    assert (written.count('"stablehlo.constant"() <{value'), written.count("stablehlo.constant ")) == (2, 0)
    assert actions.in_form(written, generic=False) == actions.in_form(TWO, generic=False)
    assert (
        actions.in_form("\n\n  // a\n \nfunc.func private @f()", generic=False)
        == "module {\n  func.func private @f()\n}\n"
    )
    for wrong, line in (("\n\nfunc.func @f(", 3), ("func.func private @f()\n// -----\nfunc.func @g(", 3)):
        with pytest.raises(StablehloError) as raised:
            actions.in_form(wrong, generic=False)
        assert f"{NAME}:{line}:" in str(raised.value)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("2:3", (17, "  // expected-warning @+1 {{m}}\n")),
        ("2:1", (17, "  // expected-warning @+1 {{m}}\n")),
        ("1:1", (0, "// expected-warning @+1 {{m}}\n")),
        ("3:1", (26, "// expected-warning @+1 {{m}}\n")),
        ("9:1", None),
    ],
)
def test_an_expectation_has_the_indentation_of_its_line(place: str, expected: tuple[int, str] | None) -> None:
    document = Document("func.func @f() {\n  return\n}")
    assert actions.expectation(document, Diagnostic("warning", f"{NAME}:{place}", "m\nmore")) == expected


@pytest.mark.parametrize(
    ("line", "place", "message", "expected"),
    [
        ("x stablehlo.negat %a", 3, "custom op 'stablehlo.negat' is unknown", (2, 17, "stablehlo.negate")),
        # The parser may point behind the word.
        ("x stablehlo.negat %a", 19, "custom op 'stablehlo.negat' is unknown", (2, 17, "stablehlo.negate")),
        ("stablehlo.negat stablehlo.negat", 17, "custom op 'stablehlo.negat' is unknown", (16, 31, "stablehlo.negate")),
        ("other %a", 1, "custom op 'stablehlo.negat' is unknown", None),
        ("x stablehlo.xyzzy %a", 3, "custom op 'stablehlo.xyzzyxyzzy' is unknown", None),
        ("x stablehlo.negat", 3, "something else", None),
    ],
)
def test_where_the_wrong_word_is(line: str, place: int, message: str, expected: tuple[int, int, str] | None) -> None:
    for before in ("", "// é\n"):
        document = Document(f"{before}{line}\nmore")
        found = actions.suggested(document, Diagnostic("error", f"{NAME}:{before.count(chr(10)) + 1}:{place}", message))
        shift = len(before)
        assert found == (None if expected is None else (expected[0] + shift, expected[1] + shift, expected[2]))
    assert actions.suggested(Document(line), Diagnostic("error", "other:1:1", message)) is None


def test_edits_are_made_when_they_are_asked_for(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    assert session.open(path, TWO) == []
    uri = path.as_uri()
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": TWO.count("\n"), "character": 0}}

    def resolved(**data: Any) -> Any:
        return session.request("codeAction/resolve", title="t", data=data).get("edit")

    assert resolved(uri=uri, pipeline="cse") == {"changes": {uri: [{"range": whole, "newText": AFTER_CSE}]}}
    for generic in (True, False):
        (edit,) = resolved(uri=uri, generic=generic)["changes"][uri]
        assert edit["newText"] == actions.in_form(TWO, generic=generic)
    assert resolved(uri=uri)["changes"][uri][0]["newText"] == actions.in_form(TWO, generic=False)
    assert resolved(pipeline="cse") is None
    assert session.request("codeAction/resolve", title="t") == {"title": "t"}
    assert session.request("codeAction/resolve", title="t", data=[uri]) == {"title": "t", "data": [uri]}
    assert sent(session) == []
    assert resolved(uri=uri, pipeline="no-such-pass") is None
    ((method, kind, message),) = sent(session)
    assert (method, kind, message.startswith("error: ")) == ("window/showMessage", 1, True)
    assert "no-such-pass" in message
    same = tmp_path / "same.mlir"
    session.open(same, "module {\n  func.func private @f()\n}\n")
    assert resolved(uri=same.as_uri(), generic=False) == {"changes": {same.as_uri(): []}}


def test_actions_of_a_line_with_an_error_and_of_a_text_with_one(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "wrong.mlir"
    assert len(session.open(path, TWO.replace("stablehlo.add", "stablehlo.addd"))) == 1
    asked = {"textDocument": {"uri": path.as_uri()}, "context": {"diagnostics": []}}
    for line in range(14):
        here = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
        found = session.request("textDocument/codeAction", **asked, range=here)
        titles = ["Change to stablehlo.add", "Expect this error"] if line == 7 else []
        assert [each["title"] for each in found] == titles


def test_references_with_and_without_the_definition(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "names.mlir"
    assert session.open(path, TWO) == []
    asked = {"textDocument": {"uri": path.as_uri()}, "position": position(TWO, "%0", nth=1)}
    places = [position(TWO, "%0"), position(TWO, "%0", nth=1)]
    for is_included in (True, False):
        found = session.request("textDocument/references", **asked, context={"includeDeclaration": is_included})
        assert [one["uri"] for one in found] == [path.as_uri()] * (1 + is_included)
        assert [one["range"]["start"] for one in found] == (places if is_included else places[1:])


@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"textDocument": {}},
        {"textDocument": {"completion": {}}},
        {"textDocument": {"completion": {"completionItem": {}}}},
        {"textDocument": {"completion": {"completionItem": {"snippetSupport": False}}}},
    ],
)
def test_snippets_are_for_editors_that_take_them(capabilities: dict[str, Any], tmp_path: Path) -> None:
    client = Here(capabilities, flags=lambda: [("cse", "about cse")])
    path = tmp_path / "half.mlir"
    text = "// RUN: x --c\nfunc.func @f() {\n  stablehlo.ab\n"
    client.open(path, text)
    asked = {"textDocument": {"uri": path.as_uri()}}
    found = client.request("textDocument/completion", **asked, position=position(text, ".ab", after=True))
    item = found["items"][0]
    assert (item["label"], item["textEdit"]["newText"]) == ("stablehlo.abs", "stablehlo.abs")
    assert "insertTextFormat" not in item
    found = client.request("textDocument/completion", **asked, position=position(text, "--c", after=True))
    span = {"start": position(text, "--c"), "end": position(text, "--c", after=True)}
    assert found["items"] == [
        {
            "label": "--cse",
            "kind": 14,
            "detail": "about cse",
            "sortText": "0000",
            "textEdit": {"range": span, "newText": "--cse"},
        }
    ]
    client.close()


def test_too_many_completions_are_cut_and_said_to_be(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "long.mlir"
    for count, is_cut in ((499, False), (500, True), (501, True)):
        lines = [f"  %v{n} = stablehlo.constant dense<0> : tensor<i32>" for n in range(count)]
        text = "\n".join(["func.func @f() {", *lines, "  stablehlo.abs %", "}"])
        session.open(path, text)
        here = {"textDocument": {"uri": path.as_uri()}, "position": position(text, "abs %", after=True)}
        found = session.request("textDocument/completion", **here)
        assert (len(found["items"]), found["isIncomplete"]) == (min(count, 500), is_cut)
        session.notify("textDocument/didClose", textDocument=here["textDocument"])
        assert session.wait_for("textDocument/publishDiagnostics")["diagnostics"] == []


def test_bytecode_opens_as_text_and_back(session: Here, tmp_path: Path) -> None:
    path = tmp_path / "a b.mlir"
    session.open(path, TWO.partition("// -----")[0])
    written = session.request("mlir/convertToBytecode", uri=path.as_uri())["output"]
    plain, artifact = tmp_path / "plain b.mlirbc", tmp_path / "artifact.mlirbc"
    plain.write_bytes(base64.b64decode(written))
    module = stablehlo_py.parse(TWO.partition("// -----")[0])
    artifact.write_bytes(stablehlo_py.serialize(module))
    for one in (plain, artifact):
        text = session.request("mlir/convertFromBytecode", uri=one.as_uri())["output"]
        assert text == str(module)
    path.write_text("func.func @f(")
    for method, one, said in (
        ("mlir/convertFromBytecode", path, "this is not MLIR bytecode"),
        ("mlir/convertFromBytecode", tmp_path / "none", "none"),
    ):
        error = session.answer(method, uri=one.as_uri())["error"]
        assert (error["code"], said in error["message"]) == (-32602, True)
    session.open(path, "func.func @f(")
    assert session.answer("mlir/convertToBytecode", uri=path.as_uri())["error"]["code"] == -32602


@pytest.mark.parametrize("above", ["", "lit.cfg.py", "lit.cfg"])
@pytest.mark.parametrize("has_inputs", [False, True])
def test_a_test_runs_beside_its_inputs_or_with_the_configuration_above_it(
    above: str, has_inputs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    (folder / "a.mlir").write_text("text")
    if above:
        (tmp_path / above).touch()
    if has_inputs:
        (folder / "Inputs").mkdir()
        (folder / "Inputs" / "b").write_text("more")
    asked: list[tuple[Any, ...]] = []

    def run(words: list[str], *, seconds: float, folder: str) -> subprocess.CompletedProcess[str]:
        files = sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file())
        config = Path(folder, "lit.cfg.py")
        asked.append((words[-2], Path(words[-1]), Path(folder), files, config.read_text() if config.exists() else ""))
        assert tuple(words[:-2]) == actions.LIT
        assert seconds == 120
        return subprocess.CompletedProcess(words, len(asked) - 1, "out ", "err")

    monkeypatch.setattr(actions, "run_command", run)
    assert actions.run_test(folder / "a.mlir") == (True, "out err")
    assert actions.run_test(folder / "a.mlir") == (False, "out err")
    option, path, scratch, files, config = asked[0]
    assert option == "-v"
    if above:
        assert (path, files) == (folder / "a.mlir", [])
    else:
        assert path == scratch / "a.mlir"
        assert files == [*(["Inputs/b"] if has_inputs else []), "a.mlir", "lit.cfg.py"]
        compile(config, "lit.cfg.py", "exec")
        assert 'name="editor"' in config
    assert not scratch.exists()


def test_a_test_that_cannot_run_is_an_error(session: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a b.mlir"
    path.write_text("")
    command = {"command": "stablehlo.runTest", "arguments": [path.as_uri()]}

    def late(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("lit", 120)

    monkeypatch.setattr(actions, "run_command", late)
    with pytest.raises(InputError, match="the test took longer than 120 s"):
        actions.run_test(path)
    assert session.request("workspace/executeCommand", **command) is None
    assert sent(session) == [("window/showMessage", 1, "error: the test took longer than 120 s")]
    missing = subprocess.CompletedProcess("lit", 1, "", "/python: No module named 'lit'")
    monkeypatch.setattr(actions, "run_command", lambda *_, **__: missing)
    assert session.request("workspace/executeCommand", **command) is None
    assert sent(session) == [("window/showMessage", 1, "error: lit is not installed\nnote: pip install lit")]


@pytest.mark.parametrize("passed", [True, False])
def test_the_outcome_of_a_test_is_shown_and_its_log_kept(
    passed: bool, session: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, asked = tmp_path / "a b.mlir", list[Path]()
    monkeypatch.setattr(actions, "run_test", lambda path: (asked.append(path), (passed, "the log"))[1])
    command = {"command": "stablehlo.runTest", "arguments": [path.as_uri()]}
    assert session.request("workspace/executeCommand", **command) is passed
    assert asked == [path]
    outcome = (3, "a b.mlir passes") if passed else (1, "a b.mlir fails; the log of the server shows how")
    assert sent(session) == [("window/logMessage", 3, "the log"), ("window/showMessage", *outcome)]


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("func.func @f(%vaule: i32) {\n  %0 = stablehlo.abs %value : i32\n}", "%value", "%vaule"),
        (
            "func.func @f(%a: i32) {\n  %0 = stablehlo.abs %long_nam : i32\n  %long_name = x\n}",
            "%long_nam",
            "%long_name",
        ),
        ("func.func @f(%a: i32) {\n  %0 = stablehlo.abs %long_nam : i32\n}", "%long_nam", None),
    ],
)
def test_a_misspelled_value_is_one_of_the_whole_program(text: str, wrong: str, right: str | None) -> None:
    start = text.index(wrong)
    line, column = text.count("\n", 0, start) + 1, start - text.rindex("\n", 0, start)
    diagnostic = Diagnostic("error", f"{NAME}:{line}:{column}", "use of undeclared SSA value name")
    found = actions.suggested(Document(text), diagnostic)
    assert found == (None if right is None else (start, start + len(wrong), right))


def test_passes_are_offered_once_a_text_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then it has no diagnostics, and nobody knows whether it is right."""
    path, text = tmp_path / "new.mlir", "func.func private @f()\n"
    where = {"textDocument": {"uri": path.as_uri()}}
    start = {"line": 0, "character": 0}
    asked = {**where, "context": {"diagnostics": []}, "range": {"start": start, "end": start}}
    client = Here()
    monkeypatch.setattr("stablehlo_py.lsp.session._SECONDS_OF_SILENCE", 1000.0)
    opened = {**where["textDocument"], "languageId": "mlir", "version": 1, "text": text}
    client.notify("textDocument/didOpen", textDocument=opened)
    assert client.request("textDocument/codeAction", **asked) == []
    client.notify("textDocument/didClose", **where)
    client.wait_for("textDocument/publishDiagnostics")
    monkeypatch.setattr("stablehlo_py.lsp.session._SECONDS_OF_SILENCE", 0.0)
    assert client.open(path, text) == []
    assert len(client.request("textDocument/codeAction", **asked)) == len(actions.PASSES) + len(actions.FORMS)
    client.close()
