"""Every option of every tool and verb, as `options.txt` lists them: names, values, defaults, bounds, and what is said.

An option that changes is changed in the list, too: `python tests/unit/cli/test_table_of_options.py` writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click
import pytest

from stablehlo_py.cli.stablehlo import VERBS, stablehlo

_BOUNDS = ("choices", "max", "min", "min_open", "endings")
_USUAL = (None, "", ())
LIST = Path(__file__).with_name("options.txt")


def _parameter(parameter: click.Parameter) -> str:
    bounds = {
        name: value for name, value in sorted(vars(parameter.type).items()) if name in _BOUNDS and value not in _USUAL
    }
    facts = [f"{'|'.join(parameter.opts)} -> {parameter.name}: {type(parameter.type).__name__}{bounds or ''}"]
    facts += [f"metavar {parameter.metavar}"] if parameter.metavar else []
    default = parameter.to_info_dict().get("default")
    if isinstance(default, (str, int, float, list, tuple)) and default not in ("", (), []) and default is not False:
        facts += ["default of the machine" if parameter.name == "jobs" and default != 1 else f"default {default!r}"]
    facts += [f"takes {parameter.nargs}"] if parameter.nargs != 1 else []
    facts += [word for word in ("required", "multiple", "is_flag", "is_eager") if getattr(parameter, word, False)]
    shown, text = getattr(parameter, "show_default", None), getattr(parameter, "help", None)
    facts += [f"shows {shown!r}"] if shown is not None else []
    facts += [] if parameter.expose_value else ["is not passed on"]
    return "; ".join([*facts, *([text] if text else [])])


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        yield from _commands(inner, f"{name} {inner.name}")


def _of_verbs() -> Iterator[str]:
    """Yield the options of each verb; those that several verbs have are written once, at the end."""
    context = click.Context(stablehlo)
    verbs = [(verb, stablehlo.get_command(context, verb)) for verb in VERBS]
    commands = [pair for verb, command in verbs if command for pair in _commands(command, f"stablehlo {verb}")]
    options = {name: [_parameter(parameter) for parameter in one.params] for name, one in commands}
    counts = Counter(chain.from_iterable(options.values()))
    shared: dict[str, str] = {}
    for line in counts:
        if counts[line] > 1:
            shared.setdefault(line.partition(" ")[0], line)
    for name, one in commands:
        yield f"\n{name}: {' '.join((one.help or '').split())}"
        short = [line.partition(" ")[0] for line in options[name]]
        yield from (
            f"  {key}" if shared.get(key) == line else f"  {line}"
            for key, line in zip(short, options[name], strict=True)
        )
    yield "\noptions of several verbs"
    yield from (f"  {line}" for line in shared.values())


def _of_tools() -> Iterator[str]:
    from stablehlo_py.cli.options import GROUPS

    for title, options in GROUPS.items():
        yield f"\n{title}"
        for option in options:
            given = {name: value for name, value in option._asdict().items() if value not in (*_USUAL, ("", ""))}
            given["tools"] = ", ".join(tool.removeprefix("stablehlo-") for tool in option.tools)
            if option.bounds == (float("-inf"), float("inf")):
                del given["bounds"]
            yield f"  {given.pop('name')} -> " + "; ".join(f"{name} {value}" for name, value in given.items())


def _sections(text: str) -> dict[str, list[str]]:
    return {section.split("\n", 1)[0].partition(":")[0]: section.split("\n") for section in text.strip().split("\n\n")}


EXPECTED = _sections(LIST.read_text(encoding="utf-8")) if LIST.exists() else {}


@pytest.mark.parametrize("made", [_of_verbs, _of_tools], ids=["verbs", "tools"])
def test_options_are_those_of_the_list(made) -> None:
    found = _sections("\n".join(made()))
    assert found == {name: EXPECTED.get(name) for name in found}


def test_the_list_has_no_verb_or_group_that_is_gone() -> None:
    assert EXPECTED.keys() == _sections("\n".join([*_of_verbs(), *_of_tools()])).keys()


if __name__ == "__main__":
    LIST.write_text("\n".join([*_of_verbs(), *_of_tools()]).strip() + "\n", encoding="utf-8")
