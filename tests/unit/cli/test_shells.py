"""Completion in bash, zsh and fish; manual pages; output without UTF-8; colour."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from speeds import later
from warm_tools import make_warm_tool_folder

from stablehlo_py.cli.completion import SHELLS, TOOLS, script
from stablehlo_py.cli.stablehlo import VERBS, stablehlo

ROOT = Path(__file__).parents[3]
# What is typed, and two of the words that it may become.
TYPED = {
    "stablehlo co": {"compare", "cost"},
    "stablehlo compare --eng": {"--engines", "--engine"},
    "stablehlo-opt --vhlo-t": {"--vhlo-to-version="},
    "stablehlo-opt --vhlo-to-version=": {"--vhlo-to-version=target="},
    "stablehlo-opt --mlir-pass-statistics-display=": {
        "--mlir-pass-statistics-display=list",
        "--mlir-pass-statistics-display=pipeline",
    },
    "stablehlo-opt --stablehlo-aggressive-folder='optimize-float=false fold": {
        "--stablehlo-aggressive-folder=optimize-float=false fold-op-element-limit="
    },
    'stablehlo-opt "--stablehlo-aggressive-folder=optimize-float=false ': {
        "--stablehlo-aggressive-folder=optimize-float=false fold-op-element-limit=",
        "--stablehlo-aggressive-folder=optimize-float=false assume-no-undeclared-side-effects=",
    },
    "stablehlo-opt --canonicalize=": {"--canonicalize=top-down=", "--canonicalize=max-iterations="},
    "stablehlo-opt --pass-pipeline=": {"--pass-pipeline=canonicalize", "--pass-pipeline=cse"},
    "stablehlo-opt --mlir-print-ir-after=cse,can": {"--mlir-print-ir-after=cse,canonicalize"},
    "stablehlo-opt --explain-op=trans": {"--explain-op=transpose"},
    "stablehlo-opt --explain-op trans": {"transpose"},
    "stablehlo compare --engine=": {"--engine=official", "--engine=xla"},
    "stablehlo compare --engines=reference,x": {"--engines=reference,xla"},
    "stablehlo-compat downgrade --target=": {"--target=current", "--target=1.9.0"},
    "stablehlo-translate --ser": {"--serialize"},
    "stablehlo-compat do": {"downgrade"},
    "stablehlo-lsp-server --t": {"--tcp"},
}
BASH = """
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
COMP_WORDS=("${@:3}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_stablehlo_py "${COMP_WORDS[0]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
compdef() { : }
_describe() { print -l -- "${(@)${(P)4}%%:*}" }
_files() { : }
source $1
words=("${@:2}") CURRENT=${#words}
_stablehlo_py
"""
FISH = "source $argv[1]; complete -C $argv[2]"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tools")
    make_warm_tool_folder(str(folder), os.environ)
    server = folder / "stablehlo-lsp-server"  # lit suites have no use for it
    code = "from stablehlo_py.cli import stablehlo_lsp_server; stablehlo_lsp_server()"
    server.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{code}' \"$@\"\n")
    server.chmod(0o755)
    return {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ["PATH"]]), "HOME": str(folder)}


@pytest.mark.parametrize("line", TYPED)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(shell, line, environment, tmp_path):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / f"completion.{shell}"
    path.write_text(script(shell))
    code = {"bash": BASH, "zsh": ZSH, "fish": FISH}[shell]
    name = [] if shell == "fish" else [shell]
    flags = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    # Each shell keeps an open quote in the word; bash breaks words at = outside of quotes, too.
    words = re.findall(r"""[^\s="']+|=|["'].*""" if shell == "bash" else r"""(?:[^\s"']|["'].*)+""", line)
    given = {"bash": [line, *words], "zsh": words, "fish": [line]}[shell]
    command = [program, *flags, "-c", code, *name, str(path), *given]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = {word.partition("\t")[0] for word in done.stdout.splitlines()}
    # bash completes what is behind the quote, or the last =
    before, quote, _ = line.replace('"', "'").partition("'")
    head = before.rpartition(" ")[2] if quote else "".join(line.rpartition(" ")[2].rpartition("=")[:2])
    cut = head if shell == "bash" else ""
    assert {word.removeprefix(cut) for word in TYPED[line]} <= found, done.stderr


def test_passes_of_a_loaded_file_are_completed(environment, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from stablehlo_py.extend import Pass, register_pass\n"
        "@register_pass\nclass Mine(Pass):\n    name = 'my-own-pass'\n    summary = 'Does nothing'\n"
        "    def run(self, op):\n        pass\n"
    )
    line = f"stablehlo-opt --load={tmp_path / 'mine.py'} --my"
    variables = {**environment, "STABLEHLO_PY_COMPLETE": line}
    done = subprocess.run(["stablehlo-opt"], env=variables, capture_output=True, text=True, check=True)
    assert done.stdout == "--my-own-pass\tDoes nothing\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed_for_all_tools(shell):
    done = subprocess.run(
        [sys.executable, "-m", "stablehlo_py", "completion", shell], capture_output=True, text=True, check=True
    )
    assert done.stdout == script(shell)
    assert all(tool in done.stdout for tool in TOOLS)


def test_the_help_gives_each_shell_a_line_of_its_own():
    shown = subprocess.run(
        [sys.executable, "-m", "stablehlo_py", "completion", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "\\b" not in shown
    assert all(re.search(rf"^ *{shell}: .*stablehlo completion {shell}", shown, re.MULTILINE) for shell in SHELLS)


def test_the_line_for_fish_serves_every_tool(environment, tmp_path):
    """A file in fish's folder of completions would be read for the tool of its name alone."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    (tmp_path / "fish").mkdir()
    (tmp_path / "fish" / "config.fish").write_text("stablehlo completion fish | source\n")
    variables = {**environment, "XDG_CONFIG_HOME": str(tmp_path)}
    command = ["fish", "-c", "complete -C 'stablehlo-translate --ser'"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert "--serialize" in done.stdout


def test_every_tool_tells_its_version(environment):
    for tool in TOOLS:
        done = subprocess.run([tool, "--version"], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("stablehlo-py "), tool


def test_the_manual_has_a_page_for_every_tool_and_verb(tmp_path):
    pages = runpy.run_path(str(ROOT / "tools" / "generate" / "man_pages.py"))["pages"]()
    assert {f"{tool}.1" for tool in TOOLS} | {f"stablehlo-{verb}.1" for verb in VERBS} == pages.keys()
    assert "\\-\\-vhlo\\-to\\-version" in pages["stablehlo-opt.1"]
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    for name, text in pages.items():
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww"], input=text, capture_output=True, text=True, check=True
        )  # fmt: skip
        assert done.stderr == "", name


MAINS = {"stablehlo-opt": "opt", "stablehlo-translate": "translate", "stablehlo-compat": "compat"}
ASKED = [
    *([tool, "--help"] for tool in TOOLS if tool != "stablehlo-lsp-server"),  # which is `stablehlo lsp`
    *(["stablehlo", verb, "--help"] for verb in stablehlo.list_commands(click.Context(stablehlo))),
    ["stablehlo-opt", "--list-passes"],
    ["stablehlo-compat", "matrix", "examples/mean.mlir"],
    ["stablehlo", "cost", "examples/mean.mlir"],
    ["stablehlo", "numerics", "examples/mean.mlir"],
    ["stablehlo-compat", "explain", "--target=0.9.0", "examples/mean.mlir"],
    ["stablehlo", "compare", "examples/mean.mlir", "--engines=reference,reference:f64"],
    ["stablehlo", "run", "examples/mean.mlir"],
]


@pytest.mark.parametrize("encoding", [later("ascii"), "cp1252"])
def test_every_command_writes_to_a_narrow_terminal(encoding):
    """One process for all of them: what is asked is whether a character can be written."""
    code = f"""
import io, sys
from stablehlo_py.cli import common
for words in {ASKED!r}:
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding={encoding!r})
    sys.stderr = io.TextIOWrapper(io.BytesIO(), encoding={encoding!r})
    sys.argv = [words[0], *words[1:], "--trust-input"]
    import importlib
    main = importlib.import_module("stablehlo_py.cli." + words[0].removeprefix("stablehlo-")).main
    try:
        main()
    except SystemExit as end:
        sys.stderr.flush()
        said = sys.stderr.buffer.getvalue().decode("utf-8", "replace")
        assert end.code in (0, 1), (words, said)
        assert "Unicode" not in said, (words, said)
    sys.stdout.flush()
    assert sys.stdout.buffer.getvalue(), words
"""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "COLUMNS": "100"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")


def test_colour_is_for_terminals():
    pty = pytest.importorskip("pty", reason="pseudo-terminals need a POSIX system")
    for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        parent, child = pty.openpty()
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        subprocess.run(
            [sys.executable, "-c", "from stablehlo_py.cli import stablehlo_opt; stablehlo_opt()", "--no-such-flag"],
            env={**environment, "TERM": "xterm", **variables},
            stderr=child,
            check=False,
        )
        os.close(child)
        said = os.read(parent, 1 << 16)
        os.close(parent)
        assert (b"\x1b[" in said) is coloured, (variables, said)
