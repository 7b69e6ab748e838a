"""The verbs of `stablehlo` as tools of the Model Context Protocol: its parameters become a schema, a call runs it.

Each call is a process of its own, the command line that a person would type. So a crash ends a call and not the server,
and a call that is cancelled or takes too long is killed with all that it started.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, cast

import anyio
import click
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from ..analysis.view import FOLDER_VARIABLE
from ..errors import StablehloError, UsageError
from ..isolation.commands import DEVNULL, kill_group, python_command, tied_command
from ..version import __version__
from .stablehlo import EXIT_CODES, UNANSWERED, VERBS, stablehlo

_RUN = python_command("-c", "from stablehlo_py.cli import stablehlo; stablehlo()")
# Where a path can begin within a value, such as `[N=]FILE`.
_BETWEEN = re.compile(r"[\s=,:;@|\"'<>()\[\]{}]+")
_TEXT = "A path in the folder, or the text of a program, which has a line break."
_ENGINE_THAT_RUNS = re.compile(r"(^|,)\s*command\+?:|@")


class Rules(NamedTuple):
    """The rights of calls: to read and write in a folder, to run commands, and to take some seconds."""

    folder: str
    commands: bool = False
    seconds: float = 600.0

    def check(self, name: str, value: str) -> None:
        """Raise UsageError for the value of a parameter that a call must not have."""
        for part in (value, *_BETWEEN.split(value)):
            with suppress(ValueError):  # of two drives, or a name that no file can have
                path = os.path.realpath(os.path.join(self.folder, os.path.expanduser(part)))
                if os.path.commonpath([path, self.folder]) == self.folder:
                    continue
            raise UsageError(f"{name}: '{part}' is outside the folder {self.folder}", notes=["use a path within it"])

    def check_option(self, name: str, value: str) -> None:
        """Do the same for an option, which may also name an engine or a predicate that is a command."""
        if name not in ("command", "cluster") and not _ENGINE_THAT_RUNS.search(value):
            self.check(name, value)
        elif not self.commands:
            notes = ["stablehlo mcp --allow-commands lets calls run them"]
            raise UsageError(f"{name}: '{value}' runs a command, or works elsewhere", notes=notes)


def verbs() -> dict[str, tuple[list[str], click.Command]]:
    """Return by name each verb that answers in JSON, with the words that call it."""
    found: dict[str, tuple[list[str], click.Command]] = {}
    for verb in VERBS:
        command = stablehlo.get_command(click.Context(stablehlo), verb)
        inner = command.commands if isinstance(command, click.Group) else {"": command}
        for word, one in inner.items():
            if one is not None and any("--json" in parameter.opts for parameter in one.params):
                words = [verb, word] if word else [verb]
                found["-".join(words)] = words, one
    return found


def _parameters(command: click.Command) -> dict[str, click.Parameter]:
    """The parameters of a verb by their names in a schema; a flag's is its longest spelling."""
    return {max(one.opts, key=len).lstrip("-"): one for one in command.params if "--json" not in one.opts}


def _takes_program(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument) and parameter.type is click.STRING


def _schema_of(parameter: click.Parameter) -> dict[str, Any]:
    kind, found = parameter.type, dict[str, Any](type="string")
    if isinstance(kind, click.Choice):
        found["enum"] = list(map(str, kind.choices))
    elif isinstance(kind, click.types.BoolParamType):
        found["type"] = "boolean"
    elif isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        found["type"] = "integer" if isinstance(kind, click.types.IntParamType) else "number"
        bounds = {"minimum": getattr(kind, "min", None), "maximum": getattr(kind, "max", None)}
        found |= {name: bound for name, bound in bounds.items() if bound is not None}
    if parameter.nargs != 1 or getattr(parameter, "multiple", False):
        found = {"type": "array", "items": found}
    about = _TEXT if _takes_program(parameter) else getattr(parameter, "help", None) or kind.name
    return {**found, "description": f"{about} ({parameter.metavar})" if parameter.metavar else about}


def tools() -> list[types.Tool]:
    """Return the verbs as tools, with schemas made from click's parameters."""
    found: list[types.Tool] = []
    for name, (_, command) in verbs().items():
        known = _parameters(command)
        properties = {each: _schema_of(one) for each, one in known.items()}
        required = [each for each, one in known.items() if one.required]
        schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        found.append(types.Tool(name=name, description=command.help, input_schema=schema))
    return found


def command_line(tool: str, given: Mapping[str, Any], rules: Rules, scratch: str) -> list[str]:
    """Return the command line of a call.

    Args:
        tool: Its name.
        given: Its arguments, by the names of the schema.
        rules: What the call may do.
        scratch: A folder for programs that are given as text.

    Raises:
        UsageError: There is no such tool or parameter, or `rules` forbids a value.
    """
    if tool not in verbs():
        raise UsageError(f"there is no tool '{tool}'")
    words, command = verbs()[tool]
    known, arguments = _parameters(command), list[str]()
    for name in given:
        if name not in known:
            raise UsageError(f"{tool} has no parameter '{name}'", notes=[f"it has {', '.join(known)}"])
    for name, parameter in known.items():
        value: Any = given.get(name)
        for one in cast("list[Any]", value) if isinstance(value, list) else () if value is None else (value,):
            if _takes_program(parameter) and ("\n" in str(one) or one == "-"):
                path = Path(scratch, f"{name}{len(arguments)}.mlir")
                path.write_text(str(one), encoding="utf-8")
                arguments.append(str(path))
            elif isinstance(one, bool):
                words = [*words, *([max(parameter.opts, key=len)] if one else parameter.secondary_opts)]
            elif isinstance(parameter, click.Option):
                rules.check_option(name, str(one))
                words = [*words, f"{max(parameter.opts, key=len)}={one}"]
            else:
                rules.check(name, str(one))
                arguments.append(str(one))
    return [*words, "--json", "--", *arguments]


async def _called(
    context: ServerRequestContext[Any], words: list[str], rules: Rules, scratch: str
) -> tuple[int, str, str]:
    """Run a verb; return its exit code and its output. Raises UsageError where it takes too long."""
    told, code, printed = bytearray(), UNANSWERED, b""
    process = await anyio.open_process(
        tied_command([*_RUN, *words]), stdin=DEVNULL, cwd=rules.folder, start_new_session=True,
        env={**os.environ, "TMPDIR": scratch, FOLDER_VARIABLE: rules.folder},
    )  # fmt: skip

    async def listen() -> None:
        async for data in process.stderr or ():
            told.extend(data)

    async def progress() -> None:
        for second in count(1):
            await anyio.sleep(1)
            lines = told.decode(errors="replace").splitlines() or [f"running {words[0]}"]
            await context.session.report_progress(second, rules.seconds, lines[-1])

    try:
        with anyio.fail_after(rules.seconds):
            async with anyio.create_task_group() as group:
                group.start_soon(listen)
                group.start_soon(progress)
                printed = b"".join([data async for data in process.stdout or ()])
                code = await process.wait()
                group.cancel_scope.cancel()
    except TimeoutError:
        raise UsageError(f"{words[0]} took longer than {rules.seconds:g} s", notes=["--seconds sets this"]) from None
    finally:
        kill_group(process.pid)
        with anyio.CancelScope(shield=True):
            await process.aclose()
    return code, printed.decode(errors="replace"), told.decode(errors="replace")


def make_server(rules: Rules) -> Server[Any]:
    """Make the server of the verbs."""

    async def list_tools(_: ServerRequestContext[Any], __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools())

    async def call_tool(context: ServerRequestContext[Any], call: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            with tempfile.TemporaryDirectory(prefix=".stablehlo_py.", dir=rules.folder) as scratch:
                words = command_line(call.name, call.arguments or {}, rules, scratch)
                code, printed, told = await _called(context, words, rules, scratch)
        except (StablehloError, OSError) as error:
            code, printed, told = UNANSWERED, "", str(error)
        if code not in (0, 1) or not printed.strip():
            return types.CallToolResult(content=[types.TextContent(text=told or f"exit code {code}")], is_error=True)
        found: dict[str, Any] = {"exit_code": code, "result": printed}
        with suppress(ValueError):  # several values, a line each
            found["result"] = json.loads(printed)
        return types.CallToolResult(content=[types.TextContent(text=printed)], structured_content=found)

    about = f"Tools for StableHLO programs in {rules.folder}. {' '.join(EXIT_CODES.split())}"
    return Server(
        "stablehlo", version=__version__, instructions=about, on_list_tools=list_tools, on_call_tool=call_tool
    )


async def serve(rules: Rules) -> None:
    """Serve a client on standard input and output until it goes."""
    server = make_server(rules)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def main(folder: str, commands: bool, seconds: float) -> None:
    """Serve a client. Raises UsageError if there is no such folder."""
    if not os.path.isdir(folder):
        raise UsageError(f"'{folder}' is not a folder")
    anyio.run(serve, Rules(os.path.realpath(folder), commands, seconds))
