"""Completion scripts for bash, zsh and fish, and the tools' answers to them.

A script asks its tool, with the line so far in STABLEHLO_PY_COMPLETE, and gets a candidate in each line: a word, a tab,
and its meaning. Every tool answers from its own flags; stablehlo-opt also knows its passes and their options.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import StablehloError
from ..extensions import load_file
from .completion_values import values_of
from .options import TOOLS

if TYPE_CHECKING:
    import click

SHELLS = ("bash", "zsh", "fish")
Complete = Callable[[list[str]], Iterator[tuple[str, str]]]
"""Takes the words of a command line; returns the completions of the last one, each with a meaning."""

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
    """Return the completion script for `shell`: bash, zsh or fish."""
    if shell == "fish":
        return _FISH.replace("EACH", "".join(f"complete -c {tool} -a '(__stablehlo_py)'\n" for tool in TOOLS))
    return (_BASH if shell == "bash" else _ZSH).replace("TOOLS", " ".join(TOOLS))


def answer(line: str, complete: Complete) -> None:
    """Write the candidates for the end of a command line to standard output; files are left to the shell."""
    words = split_line(line)
    for path in _loaded(words):
        with suppress(StablehloError):
            load_file(path)
    current = words[-1] if words else ""
    with suppress(BrokenPipeError):
        for word, meaning in complete([*sys.argv[1:], *words[1:]]):  # stablehlo-lsp-server has put its verb in front
            if word.startswith(current):
                sys.stdout.write(f"{word}\t{' '.join(meaning.split())}\n")
        sys.stdout.flush()


def _loaded(words: list[str]) -> Iterator[str]:
    """Yield the files that the line loads, which may add passes."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word.startswith(("--load=", "-load=")):
            yield word.partition("=")[2]
        elif word in ("--load", "-load"):
            yield following


def split_line(line: str) -> list[str]:
    """Return the words of a command line without their quotes, as a shell has them; the last quote may be open."""
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split, reader.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(reader)
    except ValueError:  # an open quote, or a backslash at the end
        return [*words, reader.token]
    return [*words, ""] if line.endswith(" ") else words


def table_words(tool: str, words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield options and passes; behind the `=` of an option its values, and behind a pass's its missing options."""
    from .information import descriptions, served
    from .options import INTEGER, NUMBER, OPT, OPTIONAL, SWITCH, VALUE, Option

    def values(option: Option, head: str, typed: str) -> Iterator[tuple[str, str]]:
        choices = option.choices if option.choices else ("true", "false") if option.kind == SWITCH else ()
        yield from ((head + choice, option.summary) for choice in choices)
        yield from ((head + value, meaning) for value, meaning in values_of(option.value_name, typed))

    options = {one.name: one for group in served(tool).values() for one in group}
    current = words[-1] if words else ""
    before = options.get(words[-2].lstrip("-")) if len(words) > 1 and words[-2].startswith("-") else None
    if before is not None and before.kind in (VALUE, INTEGER, NUMBER):
        yield from values(before, "", current)
        return
    if not current.startswith("-"):
        return
    dashes = "-" if not current.startswith("--") and len(current) > 1 else "--"
    name, is_valued, value = current.lstrip("-").partition("=")
    if is_valued:
        if name in options:
            yield from values(options[name], current[: len(current) - len(value)], value)
            return
        *given, last = value.split(" ")
        for option in next((found.options for found in descriptions() if found.name == name), ()):
            if not any(one.startswith(f"{option.name}=") for one in given):
                meaning = option.summary if option.summary else f"default {option.default}"
                yield f"{current[: len(current) - len(last)]}{option.name}=", meaning
        return
    for option in options.values():
        ending = "" if option.kind in (SWITCH, OPTIONAL) else "="
        yield f"{dashes if len(option.name) > 1 else '-'}{option.name}{ending}", option.summary
    for description in descriptions() if tool == OPT else ():
        yield f"{dashes}{description.name}{'=' if description.options else ''}", description.summary


def click_words(command: click.Command, words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the verbs of a group, the options of a command, or the values of an option, as click finds them."""
    from click.shell_completion import ShellComplete

    current = words[-1] if words else ""
    head = current[: current.find("=") + 1] if current.startswith("-") else ""
    for item in ShellComplete(command, {}, str(command.name), "").get_completions(words[:-1], current):
        yield head + item.value, "" if item.help is None else item.help
