"""The library: finds the functions of an op, compiles it when it is first needed, and keeps what was
compiled."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from ..bindings import ir, make_context
from ..bindings.narrowing import is_tuple
from ..bindings.op_signatures import is_known
from ..extensions import load_entry_point, load_installed, run_file
from . import functions
from .compilation.compiler import Compiler
from .compilation.definitions import result_type, typed_parameters
from .errors import LibraryError
from .evaluation.evaluator import Procedure
from .evaluation.procedure_builder import build_procedure
from .registry import BUILT_IN, USERS, Collection, Key, Registration, collecting
from .signatures import DTYPE, SHAPE, LibraryParameter, checked_parameters
from .types import LibraryType


@dataclass(frozen=True)
class LibraryFunction:
    """A shape or dtype function with its verified parameters."""

    registration: Registration
    parameters: tuple[LibraryParameter, ...]

    @property
    def symbol(self) -> str:
        return self.registration.symbol

    @property
    def function(self) -> FunctionType:
        return cast("FunctionType", self.registration.function)  # see `checked_parameters`

    @cached_property
    def type(self) -> LibraryType:
        """The type of its result."""
        return result_type(self.function)

    @property
    def returns_any_number(self) -> bool:
        """Whether it returns a list with an entry for each result of the op."""
        return self.type.kind == ("lists" if self.registration.kind == SHAPE else "list")

    def run(self, arguments: Mapping[str, Any]) -> list[Any]:
        """Run the function as Python, on those arguments that it takes.

        Returns:
            One entry a result of the op.

        Raises:
            AssertionError: It rejects the arguments.
            LookupError: There is no element where it looks for one.
            ArithmeticError: It divides by zero.
        """
        code = self.function.__code__
        count = code.co_posonlyargcount
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        found = self.function(*[arguments[name] for name in names[:count]], **{n: arguments[n] for n in names[count:]})
        return list(found) if is_tuple(found) or self.returns_any_number else [found]


@cache
def _parsing_context() -> ir.Context:
    return make_context()


@dataclass
class Library:
    """Library functions by kind, op and target; later collections win over earlier ones."""

    registrations: dict[Key, Registration]
    compiler: Compiler
    _found: dict[Key, LibraryFunction | None] = field(default_factory=dict[Key, LibraryFunction | None])
    _procedures: dict[str, Procedure] = field(default_factory=dict[str, Procedure])

    @classmethod
    def of(cls, collections: Iterable[Collection]) -> Library:
        """The library of all the collections. Raises `LibraryError` for a signature that does not fit its op."""
        registrations: dict[Key, Registration] = {}
        for collection in collections:
            registrations |= collection.registrations
        return cls(registrations, Compiler())

    def find(self, kind: str, op: str, target: str = "") -> LibraryFunction | None:
        """Return the shape or dtype function of an op, or of a target of custom_call or composite, if there is one."""
        key = (kind, op, target)
        if key not in self._found:
            entry = self.registrations.get(key)
            self._found[key] = (
                None if entry is None else LibraryFunction(entry, checked_parameters(op, target, kind, entry.function))
            )
        return self._found[key]

    def functions(self, *, op: str = "") -> list[LibraryFunction]:
        """Return the shape and dtype functions of all ops, or of one op, op by op in the order of definition."""
        kinds = (SHAPE, DTYPE)
        ops = dict.fromkeys(key[1:] for kind in kinds for key in self.registrations if key[0] == kind)
        found = [self.find(kind, *key) for key in ops for kind in kinds if not op or key[0] == op]
        return [library_function for library_function in found if library_function is not None]

    def compile(self, library_function: LibraryFunction) -> str:
        """Compile a library function with all parameters of its op. Returns its symbol. Raises `LibraryError`."""
        annotations = {parameter.name: parameter.annotation for parameter in library_function.parameters}
        function = library_function.function
        return self.compiler.compile(function, library_function.symbol, typed_parameters(function, annotations))

    def text(self, library_functions: Sequence[LibraryFunction]) -> str:
        """MLIR text of these library functions and of all that they call, as one module."""
        return self.text_of([self.compile(library_function) for library_function in library_functions])

    def text_of(self, symbols: Sequence[str]) -> str:
        """As `text`, for functions that are compiled already."""
        wanted: dict[str, None] = {}
        pending = list(symbols)[::-1]
        while pending:
            symbol = pending.pop()
            if symbol not in wanted:
                wanted[symbol] = None
                pending.extend(sorted(self.compiler.compiled[symbol].calls, reverse=True))
        compiled = [self.compiler.compiled[symbol] for symbol in wanted]
        counts = sorted({count for entry in compiled for count in entry.message_input_counts})
        declarations = [
            f"func.func private @message.inputs.{count}({', '.join(['index'] * count)})" for count in counts
        ]
        return "\n".join(["module {", *declarations, *(entry.text for entry in compiled), "}"])

    def procedure(self, library_function: LibraryFunction) -> Procedure:
        """Return the library function, ready for the evaluator."""
        known = self._procedures.get(library_function.symbol)
        return known if known is not None else self._built(self.compile(library_function))

    def procedure_of(self, symbol: str) -> Procedure | None:
        """As `procedure`, by symbol; None where the library has no such function."""
        known = self._procedures.get(symbol)
        if known is not None:
            return known
        if symbol not in self.compiler.compiled:
            key = next((key for key, entry in self.registrations.items() if entry.symbol == symbol), None)
            library_function = None if key is None else self.find(*key)
            if library_function is None:
                return None
            self.compile(library_function)
        return self._built(symbol)

    def _built(self, symbol: str) -> Procedure:
        context = _parsing_context()
        with context, ir.Location.unknown():
            module = ir.Module.parse(self.text_of([symbol]))
            for op in module.body.operations:
                name = ir.StringAttr(op.operation.attributes["sym_name"]).value
                if name not in self._procedures and len(op.operation.regions[0].blocks):
                    self._procedures[name] = build_procedure(op.operation.regions[0].blocks[0])
        return self._procedures[symbol]


def load_file(path: Path) -> Collection:
    """The library functions that a Python file defines. Raises `LibraryError` with the line if it cannot be run."""
    with collecting() as collection:
        run_file(path, "library", LibraryError)
    return collection


@cache
def _built_in() -> Collection:
    """The package's own library functions, of the ops that the bindings have."""
    for module in pkgutil.iter_modules(functions.__path__):
        importlib.import_module(f"{functions.__name__}.{module.name}")
    known = {key: entry for key, entry in BUILT_IN.registrations.items() if is_known(entry.op)}
    return Collection(known)


ENTRY_POINTS = "stablehlo_py.abstract_interp_library"


@cache
def _installed() -> tuple[Collection, ...]:
    """The library functions of installed packages: each names a module with library functions as an entry point of
    this group."""
    found: list[Collection] = []
    for entry in entry_points(group=ENTRY_POINTS):
        with collecting() as collection:
            load_entry_point(entry, "library", LibraryError)
        found.append(collection)
    return tuple(found)


@cache
def _library(paths: tuple[tuple[Path, float], ...], _users_count: int) -> Library:
    own = [USERS, *[load_file(path) for path, _ in paths]]
    loaded = Library.of([_built_in(), *_installed(), *own])
    for key in (key for collection in own for key in collection.registrations if key[0] in (SHAPE, DTYPE)):
        library_function = loaded.find(*key)
        if library_function is not None:
            loaded.compile(library_function)
    return loaded


def library(paths: Sequence[str | Path] = ()) -> Library:
    """Return the built-in library functions, of installed packages and of the given Python files; later
    ones win. Kept in memory; a file is read again when it has changed. Raises `LibraryError`."""
    resolved = [Path(path) for path in paths]
    stamps = tuple((path, path.stat().st_mtime if path.is_file() else 0.0) for path in resolved)
    load_installed()
    return _library(stamps, USERS.count)


_active: list[Library] = []


def activate(found: Library | None) -> None:
    """Make a library the one that passes use from here on; None goes back to the built-in one."""
    _active[:] = [] if found is None else [found]


def active_library() -> Library:
    """Return the library that passes use."""
    return _active[0] if _active else library()
