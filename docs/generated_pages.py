"""Pages of the reference that are made when the site is built: commands, definitions, ops, passes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
from click.testing import CliRunner
from definitions_page import definitions

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.op_signatures import is_known
from stablehlo_py.cli.explain_op import describe
from stablehlo_py.cli.stablehlo import VERBS, stablehlo
from stablehlo_py.dialect.catalog import contract, contract_names
from stablehlo_py.passes.description import available_passes, describe_pass

_TOOLS = {"stablehlo-opt": "opt", "stablehlo-translate": "translate", "stablehlo-compat": "compat"}


def _text(content: str) -> str:
    return f"```text\n{content.rstrip()}\n```\n"


def commands() -> str:
    """The help of every tool and verb."""
    parts = ["# Commands\n", "What `--help` prints.\n", "## stablehlo\n"]
    parts.append(_text(_help(stablehlo, "stablehlo")))
    context = click.Context(stablehlo)
    for name in VERBS:
        command = stablehlo.get_command(context, name)
        if command is not None:
            parts += [f"### stablehlo {name}\n", _text(_help(command, f"stablehlo {name}"))]
    for tool, module in _TOOLS.items():
        code = f"from stablehlo_py.cli.{module} import main; main()"
        run = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
        parts += [f"## {tool}\n", _text(run.stdout.replace("Usage: -c", f"Usage: {tool}"))]
    return "\n".join(parts)


def _help(command: click.Command, name: str) -> str:
    return CliRunner().invoke(command, ["--help"], prog_name=name, terminal_width=100).output


def ops() -> str:
    """Return operands, results and constraints of every op, as `stablehlo-opt --explain-op` prints them."""
    parts = ["# Ops\n", "Every op of StableHLO, as `stablehlo-opt --explain-op=NAME` prints it.\n"]
    for name in sorted(contract_names()):
        known = contract(name)
        if known is not None and is_known(f"stablehlo.{name}"):
            parts += [f"## {name}\n", _text(describe(known))]
    return "\n".join(parts)


def passes() -> str:
    """Every pass with its options."""
    context = make_context()
    parts = ["# Passes\n", "A pass is a flag of `stablehlo-opt`, and a name in `--pass-pipeline` and `run_passes`.\n"]
    for name in available_passes():
        found = describe_pass(name, context)
        parts.append(f"## {name}\n\n{found.summary}. Runs on `{found.anchor}`.\n")
        parts += [f"- `{option.name}` (default `{option.default}`): {option.summary}" if option.default
                  else f"- `{option.name}`: {option.summary}" for option in found.options]  # fmt: skip
        parts.append("")
    return "\n".join(parts)


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "definitions.md": definitions,
    "ops.md": ops,
    "passes.md": passes,
}


def write(folder: Path) -> None:
    """Write the pages into a folder, where they differ from what is there."""
    for name, make in PAGES.items():
        text, path = make(), folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
