"""The cell magic `%%stablehlo` of IPython and Jupyter, after `%load_ext stablehlo_py`.

    %%stablehlo add x y
    func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> { … }

The cell is a program in text; its function becomes the variable `add`, and the values of `x` and `y` are its arguments.
"""

from __future__ import annotations

import sys
from typing import Any

from .errors import DiagnosticsError, StablehloError, UsageError
from .interpreter.settings import Settings
from .isolation.commands import words_of
from .program import load

_USAGE = "%%stablehlo [--view] [--function=NAME] [NAME [ARGUMENT…]]"


def register(ipython: Any) -> None:
    """Give an IPython shell the magic `%%stablehlo`."""

    def magic(line: str, cell: str) -> Any:
        try:
            return run_cell(line, cell, ipython)
        except StablehloError as error:
            _show(error)
            return None

    magic.__doc__ = f"{_USAGE}\n\nTake the cell for a StableHLO program: keep it as NAME, run it, or report on it."
    ipython.register_magic_function(magic, magic_kind="cell", magic_name="stablehlo")


def run_cell(line: str, cell: str, ipython: Any) -> Any:
    """Return the output of a cell: the results for its arguments, a report with --view, or the program itself.

    Raises:
        StablehloError: The line is not understood, or the program is wrong, does not fit its arguments, or fails.
    """
    words = words_of(line)
    flags = [word for word in words if word.startswith("--")]
    names = [word for word in words if not word.startswith("--")]
    function, is_viewed = "main", False
    for flag in flags:
        if flag == "--view":
            is_viewed = True
        elif flag.startswith("--function="):
            function = flag.partition("=")[2]
        else:
            raise UsageError(f"unknown flag '{flag}': {_USAGE}")
    program = load(cell, function, Settings())
    if names:
        ipython.user_ns[names[0]] = program
    if is_viewed:
        return program.view(title=names[0] if names else "cell")
    takes_nothing = not program.signature.parameters and names
    if len(names) > 1 or takes_nothing:
        return program(*[_value(name, ipython) for name in names[1:]])
    return program


def _value(expression: str, ipython: Any) -> Any:
    """Return the value of a Python expression in the user's notebook."""
    try:
        return eval(expression, ipython.user_global_ns, ipython.user_ns)
    except (NameError, SyntaxError, TypeError, ValueError, AttributeError, LookupError) as error:
        raise UsageError(f"argument '{expression}': {error}") from None


def _show(error: StablehloError) -> None:
    """Write an error as the tools do, without a traceback: it is about the cell."""
    text = str(error)
    sys.stderr.write(f"{text}\n" if isinstance(error, DiagnosticsError) else f"error: {text.removeprefix('error: ')}\n")
