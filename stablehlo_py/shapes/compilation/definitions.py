"""The definition of a Python function, and the types of its parameters and of its result, from its source."""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from weakref import WeakKeyDictionary

from ..errors import LibraryError
from ..types import LibraryType, parse_annotation

_definitions = WeakKeyDictionary[FunctionType, ast.FunctionDef]()


def _stamp(filename: str) -> tuple[int, int] | None:
    """Return the time and the size of a file, which a change alters; None without a file, as for a notebook's cell."""
    try:
        found = os.stat(filename)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@lru_cache(64)
def _functions_of(filename: str, stamp: tuple[int, int] | None) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions at the top level of a file or of a notebook's cell, by name and by the line that Python says they
    start at."""
    if stamp is not None:
        linecache.checkcache(filename)
    lines = linecache.getlines(filename)
    tree = ast.parse("".join(lines) if lines else Path(filename).read_text(encoding="utf-8"), filename)
    return {
        (node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])): node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }


def definition_of(function: FunctionType) -> ast.FunctionDef:
    """Return the AST of a function at the top level of a file, as the file is at the first call for that function.
    Raises `LibraryError`."""
    known = _definitions.get(function)
    if known is not None:
        return known
    code = function.__code__
    try:
        in_file = _functions_of(code.co_filename, _stamp(code.co_filename))
    except (OSError, SyntaxError, ValueError) as error:
        raise LibraryError(f"cannot read the source of {function.__name__}: {error}") from error
    found = in_file.get((function.__name__, code.co_firstlineno))
    if found is None:
        raise LibraryError(
            f"{function.__name__} is not a function at the top level of its file",
            location=f"{code.co_filename}:{code.co_firstlineno}:1",
        )
    _definitions[function] = found
    return found


def typed_parameters(function: FunctionType, annotations: Mapping[str, str]) -> list[tuple[str, LibraryType]]:
    """Return parameters with the types that their annotations spell. Raises `LibraryError`."""
    found: list[tuple[str, LibraryType]] = []
    for name, annotation in annotations.items():
        type_ = parse_annotation(annotation)
        if type_ is None:
            raise LibraryError(
                f"parameter '{name}' of {function.__name__} has no type of the language", location=location_of(function)
            )
        found.append((name, type_))
    return found


def result_type(function: FunctionType) -> LibraryType:
    """Return the type of a function's result. Raises `LibraryError`."""
    definition = definition_of(function)
    result = parse_annotation(_text(definition.returns))
    if result is None or definition.args.vararg or definition.args.kwarg:
        raise LibraryError(
            f"the signature of {function.__name__} is outside the language", location=location_of(function)
        )
    return result


def location_of(function: FunctionType) -> str:
    """Return where a function is defined, as file, line and column."""
    return f"{function.__code__.co_filename}:{definition_of(function).lineno}:1"


def _text(annotation: ast.expr | None) -> str:
    """Return an annotation as written, without quotes: Python has one object for `Shape` and `Values`."""
    return "" if annotation is None else ast.unparse(annotation).strip("'")


def own_annotations(function: FunctionType) -> dict[str, str]:
    """Return the annotations of a function's parameters, in order."""
    arguments = definition_of(function).args
    return {
        argument.arg: _text(argument.annotation)
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    }
