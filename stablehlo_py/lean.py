"""Ways of a tool of a few milliseconds to do without libraries that it does not use, generated code, and patterns that
match nothing.

Half of the time of a small command is the imports of what it imports. `imported_later` puts that off, `record` makes
a frozen dataclass without `dataclasses` (which imports `inspect` and compiles methods for each class), and `pattern`
is a regular expression that is compiled when it is first used.
"""

from __future__ import annotations

import importlib
import re
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, AnyStr, TypeVar, cast, dataclass_transform

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

_Class = TypeVar("_Class")


class _Later(ModuleType):
    """Stands for a module, which is imported when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system asks: a module that never heard of its own import is one
            raise AttributeError(name)
        return getattr(self.imported(), name)

    def imported(self) -> ModuleType:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return importlib.import_module(self.__name__)


class _LaterLogging(_Later):
    """Stands for `logging`: a logger that nobody reads can be asked for without it."""

    def __getattr__(self, name: str) -> Any:
        return partial(_LaterLogger, self) if name == "getLogger" else super().__getattr__(name)


class _LaterLogger:
    """Stands for a logger. As long as the program does not import `logging`, it wants no messages below a warning."""

    def __init__(self, library: _LaterLogging, name: str) -> None:
        self._library, self._name = library, name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library.imported().getLogger(self._name), name)

    def debug(self, message: str, *arguments: object, **options: Any) -> None:
        if not isinstance(sys.modules.get("logging"), _Later | None):
            self.__getattr__("debug")(message, *arguments, **options)


@contextmanager
def imported_later(*names: str, meanwhile: Mapping[str, Mapping[str, object]] | None = None) -> Generator[None]:
    """Let what is imported here import these libraries in name only, unless they are imported already.

    Args:
        names: Their names.
        meanwhile: For more libraries, by name, attributes that they have until the block ends, so that asking for
            these does not import them.
    """
    attributes: Mapping[str, Mapping[str, object]] = {} if meanwhile is None else meanwhile
    placed = {
        name: (_LaterLogging if name == "logging" else _Later)(name)
        for name in (*names, *attributes)
        if name not in sys.modules
    }
    for name in attributes.keys() & placed.keys():
        vars(placed[name]).update(attributes[name])
    sys.modules.update(placed)
    try:
        yield
    finally:
        for name, module in placed.items():
            for attribute in attributes.get(name, ()):
                vars(module).pop(attribute, None)
            if sys.modules.get(name) is module:
                del sys.modules[name]


class _HoldsBack:
    """A finder that lets one thread not find some modules."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.thread = threading.get_ident()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None, which sends the import to the next finder, except for these modules in the thread that made this."""
        if name in self.names and threading.get_ident() == self.thread:
            raise ModuleNotFoundError(f"{name} is held back while another module is imported", name=name)
        return None


@contextmanager
def held_back(*names: str) -> Generator[None]:
    """Make the import of these modules fail in this thread, unless they are imported already."""
    finder = _HoldsBack(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _LaterPattern:
    """Stands for a regular expression, which is compiled when something of it is asked for."""

    def __init__(self, expression: str | bytes, flags: int) -> None:
        self._what: tuple[Any, int] = expression, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._what), name)
        setattr(self, name, value)
        return value


def pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return `re.compile(expression, flags)`, compiled when it is first used."""
    return cast(Any, _LaterPattern(expression, flags))


class _Fields:
    """The fields that the library `dataclasses` asks a class for, so that its functions take records."""

    def __get__(self, _: object, owner: type[Any]) -> dict[str, Any]:
        from dataclasses import make_dataclass

        made = make_dataclass(owner.__name__, [(name, Any) for name in owner.__match_args__])
        fields = cast(Any, made).__dataclass_fields__
        if "__match_args__" in vars(owner):
            owner.__dataclass_fields__ = fields
        return fields


class _Parameters:
    """The parameters that `dataclasses` reads from a base class; only whether it is frozen matters."""

    def __get__(self, _: object, owner: type[Any]) -> Any:
        from dataclasses import make_dataclass

        made: Any = make_dataclass(owner.__name__, [], frozen=owner.__setattr__ is _refuse)
        return made.__dataclass_params__


class _Signature:
    """The signature that `inspect.signature` and `help` ask a class for."""

    def __get__(self, _: object, owner: type[Any]) -> Any:
        from inspect import Parameter, Signature

        kind = Parameter.POSITIONAL_OR_KEYWORD
        return Signature(
            [
                Parameter(name, kind, default=getattr(owner, name, Parameter.empty), annotation=annotation)
                for name, annotation in owner.__annotations__.items()
                if name in owner.__match_args__
            ]
        )


_MADE_SLOWLY = 8  # instances of a record, before it is worth compiling methods for it


def _complete(kind: type[Any], values: tuple[Any, ...], named: dict[str, Any]) -> Generator[Any]:
    """Yield a value for each field of a record: by position, by name, or its default."""
    fields: tuple[str, ...] = kind.__match_args__
    unknown = [name for name in named if name not in fields[len(values) :]]
    if len(values) > len(fields) or unknown:
        raise TypeError(f"{kind.__name__}({', '.join(fields)}) was given {len(values)} values, and {unknown}")
    yield from values
    for name in fields[len(values) :]:
        if name not in named and not hasattr(kind, name):
            raise TypeError(f"{kind.__name__}({', '.join(fields)}) needs a value for {name}")
        yield named[name] if name in named else getattr(kind, name)


def _initialize(self: Any, /, *values: Any, **named: Any) -> None:
    kind = self.__class__
    kind._made += 1
    if kind._made > _MADE_SLOWLY and kind.__init__ is _initialize:
        _compile_methods(kind)
        return kind.__init__(self, *values, **named)
    fields = kind.__match_args__
    complete = _complete(kind, values, named) if named or len(values) != len(fields) else values
    self.__dict__.update(zip(fields, complete, strict=True))
    return None


def _compile_methods(kind: type[Any]) -> None:
    """Give a record of which there are many the methods of a dataclass, which are faster and take time to compile."""
    fields: tuple[str, ...] = kind.__match_args__
    defaults = {f"default_of_{name}": getattr(kind, name) for name in fields if hasattr(kind, name)}
    taken = ", ".join(f"{name}=default_of_{name}" if hasattr(kind, name) else name for name in fields)
    stored = "".join(f"\n    of_self[{name!r}] = {name}" for name in fields)
    mine, others = ("".join(f"{of}.{name}, " for name in fields) for of in ("self", "other"))
    source = f"""
def __init__(self, {taken}):
    of_self = self.__dict__{stored}
def __eq__(self, other):
    return ({mine}) == ({others}) if other.__class__ is self.__class__ else NotImplemented
def __hash__(self):
    return hash(({mine}))
"""
    made: dict[str, Any] = {}
    exec(source, defaults, made)
    for name, method in made.items():
        if getattr(kind, name) in (_initialize, _equal, _hash):  # and not the class's own
            setattr(kind, name, method)


def _refuse(self: Any, name: str, _: object = None) -> None:
    raise AttributeError(f"cannot change {name}: a {type(self).__name__} stays as it is")


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(map(self.__dict__.__getitem__, self.__match_args__))


def _equal(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _show(self: Any) -> str:
    shown = ", ".join(f"{name}={value!r}" for name, value in zip(self.__match_args__, _values(self), strict=True))
    return f"{type(self).__qualname__}({shown})"


@dataclass_transform(frozen_default=True)
def record(kind: type[_Class]) -> type[_Class]:
    """Do what `dataclasses.dataclass(frozen=True)` does for a class whose annotations are its fields."""
    made: Any = mutable_record(kind)
    if kind.__eq__ is object.__eq__:
        made.__eq__, made.__hash__ = _equal, _hash
    made.__setattr__ = made.__delattr__ = _refuse
    if kind.__repr__ is object.__repr__:
        made.__repr__ = _show
    return kind


@dataclass_transform(eq_default=False)
def mutable_record(kind: type[_Class]) -> type[_Class]:
    """Do what `dataclasses.dataclass(eq=False, repr=False)` does, as `record` does for frozen ones."""
    made: Any = kind
    fields = kind.__annotations__
    made.__match_args__ = tuple(name for name in fields if not str(fields[name]).startswith("ClassVar"))
    made.__dataclass_fields__, made.__dataclass_params__, made.__signature__ = _Fields(), _Parameters(), _Signature()
    made.__init__, made._made = _initialize, 0
    return kind


def replaced(value: _Class, /, **changes: Any) -> _Class:
    """Return a copy of a record with other values for some fields."""
    kind: Any = type(value)
    return kind(**{**dict(zip(kind.__match_args__, _values(value), strict=True)), **changes})
