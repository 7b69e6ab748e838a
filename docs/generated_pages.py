"""Pages of the reference that are made when the site is built: commands, definitions, ops, passes."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import click
from click.testing import CliRunner
from definitions_page import definitions
from op_pages import op_pages, table

from stablehlo_py.bindings import make_context
from stablehlo_py.cli.stablehlo import VERBS, stablehlo
from stablehlo_py.passes.catalog import available_passes, describe_pass

_TOOLS = {"stablehlo-opt": "opt", "stablehlo-translate": "translate", "stablehlo-compat": "compat"}


def _text(content: str) -> str:
    return f"```text\n{content.rstrip()}\n```\n"


def commands() -> dict[str, str]:
    """Return a page for each verb and tool, and the list of them."""
    pages, rows = dict[str, str](), list[tuple[str, str]]()
    context = click.Context(stablehlo)
    for name in VERBS:
        command = stablehlo.get_command(context, name)
        if command is not None:
            pages[f"commands/{name}.md"] = f"# stablehlo {name}\n\n{_verb(command, name)}"
            rows.append((f"[stablehlo {name}](commands/{name}.md)", _first_sentence(command)))
    for tool, module in _TOOLS.items():
        code = f"from stablehlo_py.cli.{module} import main; main()"
        run = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
        pages[f"commands/{tool}.md"] = f"# {tool}\n\n{_text(run.stdout.replace('Usage: -c', f'Usage: {tool}'))}"
        rows.append((f"[{tool}](commands/{tool}.md)", "The tool of that name, in Python."))
    tree = "\n".join(name.removesuffix(".md") for name in pages)
    pages["commands.md"] = (
        f"# Commands\n\n{table(('command', 'what it does'), rows)}\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
    return pages


def _first_sentence(command: click.Command) -> str:
    return re.split(r"(?<=\.)\s", " ".join((command.help or "").split()))[0].replace("|", "\\|")


def _verb(command: click.Command, name: str) -> str:
    """Return what a verb does, its usage, and its options as a table; a group has the help of all its commands."""
    if isinstance(command, click.Group):
        parts = [_text(_help(command, f"stablehlo {name}"))]
        parts += [
            f"## {name} {inner}\n\n{_text(_help(one, f'stablehlo {name} {inner}'))}"
            for inner, one in command.commands.items()
        ]
        return "\n".join(parts)
    context = click.Context(command, info_name=f"stablehlo {name}")
    rows = [one for param in command.params if (one := param.get_help_record(context)) is not None]
    cells = [(f"`{flags.replace('|', chr(92) + '|')}`", _plain(summary)) for flags, summary in rows]
    summary = "\n\n".join(_plain(part) for part in (command.help or "").split("\n\n"))
    usage = _text(command.get_usage(context).removeprefix("Usage: "))
    return f"{summary}\n\n{usage}\n{table(('option', 'meaning'), cells)}"


def _plain(text: str) -> str:
    return re.sub(r"([|<*_$])", r"\\\1", text)


def _help(command: click.Command, name: str) -> str:
    return CliRunner().invoke(command, ["--help"], prog_name=name, terminal_width=100).output


def passes() -> dict[str, str]:
    """Return the page of all passes with their options."""
    context = make_context()
    parts = ["# Passes\n", "A pass is a flag of `stablehlo-opt`, and a name in `--pass-pipeline` and `run_passes`.\n"]
    for name in available_passes():
        found = describe_pass(name, context)
        options = [
            (f"`{one.name}`", f"`{one.default}`" if one.default else "", _plain(one.summary)) for one in found.options
        ]
        parts.append(f"## {name}\n\n{_plain(found.summary)}. Runs on `{found.anchor}`.\n")
        parts.append(table(("option", "default", "meaning"), options))
    return {"passes.md": "\n".join(parts)}


def api() -> dict[str, str]:
    """Return a page for each module of the API: functions first, then classes, exceptions last."""
    pages = dict[str, str]()
    for name, (title, example) in API.items():
        module = importlib.import_module(name)
        names = [one for one in vars(module) if not one.startswith("_") and not inspect.ismodule(getattr(module, one))]
        own = [one for one in names if getattr(getattr(module, one), "__module__", "") == name]
        public = getattr(module, "__all__", own if own else names)
        kinds: dict[str, list[str]] = {"function": [], "class": [], "exception": []}
        for one in sorted(public):
            found = getattr(module, one)
            if isinstance(found, type):
                kinds["exception" if issubclass(found, BaseException) else "class"].append(one)
            elif callable(found):
                kinds["function"].append(one)
        parts = [f"# {title}\n", f"```python\n{example.strip()}\n```\n"]
        for kind, members in kinds.items():
            if members:
                listed = "".join(
                    f".. auto{kind}:: {name}.{one}\n" + ("   :members:\n" if kind == "class" else "") + "\n"
                    for one in members
                )
                parts.append(f"## {_PLURALS[kind]}\n\n```{{eval-rst}}\n{listed}```\n")
        pages[f"api/{name.replace('.', '_')}.md"] = "\n".join(parts)
    return pages


_PLURALS = {"function": "Functions", "class": "Classes", "exception": "Exceptions"}
# The modules of the API: what each page is called, and the first thing that it shows.
API = {
    "stablehlo_py": ("stablehlo_py", """
import numpy as np
import stablehlo_py

module = stablehlo_py.parse("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
stablehlo_py.interpret(module, [np.float32(1)])
"""),
    "stablehlo_py.extend": ("stablehlo_py.extend", """
from stablehlo_py.extend import Shape, shape_function

@shape_function("stablehlo.custom_call", target="my.top_rows")
def top_rows(operand: Shape, rows: int) -> Shape:
    return [rows] + operand[1:]
"""),
    "stablehlo_py.debug": ("stablehlo_py.debug", """
from pathlib import Path
import stablehlo_py
from stablehlo_py.debug import compare

print(compare(stablehlo_py.parse(Path("examples/mean.mlir")), ["reference", "xla"]))
"""),
    "stablehlo_py.testing.lit": ("stablehlo_py.testing.lit", """
# lit.cfg.py
from stablehlo_py.testing.lit import configure

configure(config, lit_config, name="my compiler", source_root="tests")
"""),
    "stablehlo_py.testing.engines": ("stablehlo_py.testing.engines", """
from pathlib import Path
from stablehlo_py.testing.engines import assert_engines_agree

assert_engines_agree(Path("examples/mean.mlir"), ["reference", "xla"])
"""),
}  # fmt: skip


def write(folder: Path) -> None:
    """Write the changed pages into a folder."""
    for make in (commands, op_pages, passes, api, lambda: {"definitions.md": definitions()}):
        for name, text in make().items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
