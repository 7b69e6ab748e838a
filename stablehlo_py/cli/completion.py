"""Completion scripts for bash, zsh and fish, and what they ask the tools.

A script asks its tool, with the line so far in STABLEHLO_PY_COMPLETE, and gets a candidate in each line: a word, a tab,
and what it means. Every tool answers from its own flags; stablehlo-opt also knows its passes and their options.
"""

from __future__ import annotations

import importlib
import os
import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .common import COMPLETE_VARIABLE

if TYPE_CHECKING:
    import click

TOOLS = ("stablehlo", "stablehlo-opt", "stablehlo-translate", "stablehlo-compat", "stablehlo-lsp-server")
SHELLS = ("bash", "zsh", "fish")
_COMMANDS = {"stablehlo-translate": ("translate_command", "command"), "stablehlo-compat": ("compat", "compat")}

_BASH = """_stablehlo_py() {
  local line word=${COMP_LINE:0:COMP_POINT}
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <(STABLEHLO_PY_COMPLETE="$word" "$1" 2>/dev/null)
  # bash takes what follows a quote, or a break character such as =, for the word
  local last=${COMP_WORDS[COMP_CWORD]}
  [[ $last == "=" ]] && last=
  local before=${word%"$last"}
  local cut=${before##* }
  COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  if ((${#COMPREPLY[@]})); then
    [[ ${COMPREPLY[0]} == *= || ${COMPREPLY[0]} == *, ]] && compopt -o nospace 2>/dev/null
  else
    compopt -o default 2>/dev/null
  fi
}
complete -F _stablehlo_py TOOLS
"""
_ZSH = """#compdef TOOLS
_stablehlo_py() {
  local -a candidates
  local word meaning
  while IFS=$'\\t' read -r word meaning; do
    candidates+=("${word//:/\\\\:}${meaning:+:$meaning}")
  done < <(STABLEHLO_PY_COMPLETE="${(j: :)words[1,CURRENT]}" "$words[1]" 2>/dev/null)
  if (( ${#candidates} )); then
    _describe -t candidates candidate candidates -S ''
  else
    _files
  fi
}
compdef _stablehlo_py TOOLS
"""
_FISH = """function __stablehlo_py
  set -l line (commandline -cp)
  set -l words (commandline -opc)
  env STABLEHLO_PY_COMPLETE="$line" $words[1] 2>/dev/null
end
EACH"""


def script(shell: str) -> str:
    """The completion script for `shell`: bash, zsh or fish."""
    if shell == "fish":
        return _FISH.replace("EACH", "".join(f"complete -c {tool} -a '(__stablehlo_py)'\n" for tool in TOOLS))
    return (_BASH if shell == "bash" else _ZSH).replace("TOOLS", " ".join(TOOLS))


def answer(tool: str) -> None:
    """Write the candidates for the line in the environment to standard output."""
    words = split_line(os.environ[COMPLETE_VARIABLE])
    # stablehlo-lsp-server has put the verb in front of its arguments
    for word, meaning in candidates(tool, [*sys.argv[1:], *words[1:]]):
        sys.stdout.write(f"{word}\t{meaning}\n")
    sys.stdout.flush()


def split_line(line: str) -> list[str]:
    """The words of a command line without their quotes, as a shell has them; the last quote may be open."""
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split, reader.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(reader)
    except ValueError:  # an open quote, or a backslash at the end
        return [*words, reader.token]
    return [*words, ""] if line.endswith(" ") else words


def candidates(tool: str, words: list[str]) -> Iterator[tuple[str, str]]:
    """The completions of the last of `words`, with a meaning each; files are left to the shell."""
    current = words[-1] if words else ""
    found = _opt_words(current) if tool == "stablehlo-opt" else _click_words(tool, words)
    for word, meaning in found:
        if word.startswith(current):
            yield word, " ".join(meaning.split())


def _opt_words(current: str) -> Iterator[tuple[str, str]]:
    """Flags and passes; behind a flag's `=` its values, and behind a pass's the options that are still missing."""
    from .opt_flags import FLAGS, OPTIONAL, SWITCH

    if not current.startswith("-"):
        return
    dashes = "-" if not current.startswith("--") and len(current) > 1 else "--"
    name, is_valued, value = current.lstrip("-").partition("=")
    if is_valued:
        flag = FLAGS.get(name)
        if flag is not None:
            choices = flag.choices if flag.choices else ("true", "false") if flag.kind == SWITCH else ()
            yield from ((f"{current[: -len(value)] if value else current}{choice}", flag.summary) for choice in choices)
            return
        yield from _pass_options(name, current, value)
        return
    for flag in FLAGS.values():
        ending = "" if flag.kind in (SWITCH, OPTIONAL) else "="
        yield f"{dashes if len(flag.name) > 1 else '-'}{flag.name}{ending}", flag.summary
    from .opt_information import descriptions

    for description in descriptions():
        yield f"{dashes}{description.name}{'=' if description.options else ''}", description.summary


def _pass_options(name: str, current: str, value: str) -> Iterator[tuple[str, str]]:
    from ..bindings import make_context
    from ..passes.description import available_passes, describe_pass

    if name not in available_passes():
        return
    given, last = ([], value) if " " not in value else (value.split(" ")[:-1], value.split(" ")[-1])
    head = current[: len(current) - len(last)]
    for option in describe_pass(name, make_context()).options:
        if not any(one.startswith(f"{option.name}=") for one in given):
            yield f"{head}{option.name}=", option.summary if option.summary else f"default {option.default}"


def _click_words(tool: str, words: list[str]) -> Iterator[tuple[str, str]]:
    import click

    command = _command(tool)
    if isinstance(command, click.Group):
        verbs = [word for word in words[:-1] if not word.startswith("-")]
        context = click.Context(command)
        if not verbs:
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                yield name, "" if inner is None else inner.get_short_help_str()
        else:
            verb = command.get_command(context, verbs[0])
            command = command if verb is None else verb
    current = words[-1] if words else ""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield from _option_words(parameter, current)


def _option_words(option: click.Option, current: str) -> Iterator[tuple[str, str]]:
    import click

    help_ = option.help if option.help else ""
    for name in option.opts:
        if current.startswith(f"{name}=") and isinstance(option.type, click.Choice):
            yield from ((f"{name}={choice}", help_) for choice in option.type.choices)
        else:
            yield name if option.is_flag or not name.startswith("--") else f"{name}=", help_


def _command(tool: str) -> click.Command:
    module, name = _COMMANDS.get(tool, ("stablehlo", "stablehlo"))
    return getattr(importlib.import_module(f".{module}", __package__), name)
