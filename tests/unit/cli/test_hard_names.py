"""Every tool and verb on a file whose name and text are hard to handle, on systems that write in ASCII or cp1252."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.capabilities import has
from stablehlo_py.bindings.context import has_dialect
from stablehlo_py.cli.compat import compat
from stablehlo_py.cli.stablehlo import stablehlo

PROGRAM = """func.func @main(%größe: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %größe {note = "größer ■ ≥ 0"} : tensor<4xf32> loc("modèle ■.py":7:3)
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
""".replace("%größe", "%x")  # MLIR's names of values are ASCII
SHARDED = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %x {note = "größer ■ ≥ 0"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
BROKEN = PROGRAM.replace("return %1 : tensor<4xf32>\n", "return %1 : tensor<■>\n")
HAS_SDY = has_dialect(make_context(), "sdy")
PARTITIONED = 0 if has("partition") else 2  # the code of an answer, or of the sentence that says what is missing
FOLDER = "a b\\c" if os.name != "nt" else "a b c"
LONG = "n" * 190 + " ü.mlir"
BF16 = ("--engine=reference:bf16", "--reference=reference", "--tolerance=0.01ulp")
HAS_SINE = f"{sys.executable} -c \"import sys; sys.exit('sine' not in open(sys.argv[1], encoding='utf-8').read())\""
# The exit code, and the words; names in braces are files.
COMMANDS: list[tuple[int, list[str]]] = [
    (0, ["stablehlo-opt", "{in}", "-o", "{out}"]),
    (0, ["stablehlo-opt", "{in}", "--mlir-print-debuginfo", "--cse", "--mlir-timing", "--print-op-stats"]),
    (1, ["stablehlo-opt", "{broken}"]),
    (1, ["stablehlo-opt", "{broken}", "--error-format=json"]),
    (1, ["stablehlo-opt", "{broken}", "--error-format=sarif"]),
    (0, ["stablehlo-translate", "--serialize", "{in}", "-o", "{artifact}"]),
    (0, ["stablehlo-translate", "--deserialize", "{artifact}"]),
    (0, ["stablehlo-translate", "--interpret", "{in}", "--args=[dense<1.0> : tensor<4xf32>]"]),
    *((0, ["stablehlo", verb, "{artifact}"]) for verb in ("info", "minimum", "matrix", "upgrade")),
    (2, ["stablehlo", "info", "{in}"]),
    (0, ["stablehlo", "explain", "{in}", "--target=1.0.0"]),
    (0, ["stablehlo", "downgrade", "{in}", "--target=1.0.0", "-o", "{out}"]),
    (0, ["stablehlo", "roundtrip", "{in}", "--target=1.0.0"]),
    *((0, ["stablehlo", "run", "{in}", "--engine", engine]) for engine in ("reference", "xla")),
    (0, ["stablehlo", "compare", "{in}", "--engines=reference,xla"]),
    (0, ["stablehlo", "judge", "{in}", "--engine=reference:f64", "--sarif={page}"]),
    (1, ["stablehlo", "trace", "{in}", "--all", *BF16]),
    (1, ["stablehlo", "bisect", "{in}", "--reproducer={out}", *BF16]),
    (0, ["stablehlo", "bisect-passes", "{in}", "--pass-pipeline=builtin.module(cse)", "--show"]),
    (0, ["stablehlo", "steps", "{in}", "builtin.module(cse)"]),
    (0, ["stablehlo-opt", "{in}", "--canonicalize", "--steps={page}"]),
    (0, ["stablehlo", "reduce", "{in}", f"--command={HAS_SINE} {{module}}", "-o", "{out}", "--issue={page}", "-j1"]),
    (0, ["stablehlo", "numerics", "{in}"]),
    (0, ["stablehlo", "conformance", "run", "--level=smoke", "--ops=add", "--types=f32", "--html={page}", "-j1"]),
    (0, ["stablehlo", "fuzz", "--count=1", "--size=2", "--engines=reference,reference:f64", "--work={page}.work"]),
    (0, ["stablehlo", "corpus", "{in}", "--check=verify", "-o", "{rows}", "-j1"]),
    (PARTITIONED, ["stablehlo", "partition", "{sharded}"]),
    (PARTITIONED, ["stablehlo", "partition", "{sharded}", "--report"]),
    (PARTITIONED, ["stablehlo", "simulate", "{sharded}", "--check"]),
    (0, ["stablehlo", "view", "{in}", "-o", "{page}"]),
    (0, ["stablehlo", "cost", "{in}"]),
    (1 if HAS_SDY else 2, ["stablehlo", "diff", "{in}", "{sharded}", "-o", "{page}"]),
    (0, ["stablehlo", "equiv", "{in}", "{in}"]),
    (0, ["stablehlo", "hash", "{in}", "--by=function"]),
    (0, ["stablehlo", "check", "{in}", "--profile=xla-cpu"]),
    (0, ["stablehlo", "format", "--check", "{in}"]),
    (0, ["stablehlo", "format", "{in}"]),
    (0, ["stablehlo", "completion", "bash"]),
    (0, ["stablehlo", "lsp", "--help"]),
    (0, ["stablehlo", "mcp", "--help"]),
]
# All in one process: what is asked is whether names and characters pass through.
DRIVER = """
import importlib, io, json, os, sys
modules = {"stablehlo-opt": "opt", "stablehlo-translate": "translate", "stablehlo": "stablehlo"}
encoding, *files = json.load(open(sys.argv[1], encoding="utf-8"))
ends = []
for words in files:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    sys.stdout, sys.stderr = out, err
    sys.argv = [os.fsdecode(word.encode()) for word in [*words, "--trust-input"]]  # as the system hands them over
    try:
        importlib.import_module("stablehlo_py.cli." + modules[words[0]]).main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        os.environ.pop("STABLEHLO_PY_ERROR_FORMAT", None)  # flags stand there
    out.flush(), err.flush()
    ends.append([code, *(stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err))])
print(json.dumps(ends), flush=True)
"""


def test_every_verb_is_tried():
    verbs = {words[1] for _, words in COMMANDS if words[0] == "stablehlo"}
    assert verbs == set(stablehlo.list_commands(click.Context(stablehlo)))
    assert set(compat.list_commands(click.Context(compat))) <= verbs


# Verbs that take several files, or that start others with the file's name.
_FILES = ("corpus", "equiv", "diff", "info", "completion", "conformance", "fuzz", "lsp")


@pytest.mark.release
def test_every_verb_takes_standard_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = [(code, words) for code, words in COMMANDS if words[0] == "stablehlo" and words[1] not in _FILES]
    assert len(commands) > 15
    wrong = []
    for code, words in commands:
        text = SHARDED if "{sharded}" in words else PROGRAM
        given = {"{in}": "-", "{sharded}": "-", "{artifact}": "-"}
        line = [given.get(word, word.replace("{out}", "o.mlir").replace("{page}", "p.html")) for word in words[1:]]
        done = CliRunner().invoke(stablehlo, line, input=text, standalone_mode=False)
        if (done.return_value or 0) != code or done.exception is not None:
            wrong.append((line, done.return_value, done.output, done.exception))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.release
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_every_verb_takes_hard_names_and_characters(tmp_path, encoding):
    folder = tmp_path / FOLDER
    folder.mkdir()
    names = {"in": LONG, "broken": f"b{LONG}", "sharded": f"s{LONG}", "artifact": f"{LONG}.bc", "out": f"o{LONG}"}
    paths = {name: str(folder / file) for name, file in {**names, "page": f"{LONG}.html", "rows": "r ü.jsonl"}.items()}
    for name, text in (("in", PROGRAM), ("broken", BROKEN), ("sharded", SHARDED)):
        Path(paths[name]).write_text(text, encoding="utf-8")
    paths["module"] = "{module}"
    lines = [[word.format(**paths) if "{" in word else word for word in words] for _, words in COMMANDS]
    (tmp_path / "commands.json").write_text(json.dumps([encoding, *lines]), encoding="utf-8")
    (tmp_path / "driver.py").write_text(DRIVER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning", tmp_path / "driver.py",
         tmp_path / "commands.json"],
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    wrong = [
        (words, found, said)
        for (code, words), (found, _, said) in zip(COMMANDS, json.loads(done.stdout), strict=True)
        if found != code or any(mark in said for mark in ("internal error", "Unicode", "Encoding", "codec"))
    ]
    assert not wrong, "\n".join(map(str, wrong))
