"""The values that shells complete, by the word for a value in the help: `--engine=ENGINE`, `--explain-op=<op>`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Value = tuple[str, str]
"""A value and its meaning."""


def _ops() -> Iterable[Value]:
    from ..dialect.catalog import contract_names

    return [(name, f"stablehlo.{name}") for name in contract_names()]


def _passes() -> Iterable[Value]:
    from .information import descriptions

    return [(found.name, found.summary) for found in descriptions()]


def _engines() -> Iterable[Value]:
    from ..engines.catalog import engine_names

    return [(name, "an engine") for name in engine_names()]


def _versions() -> Iterable[Value]:
    from ..artifacts.versions import named_versions, version_log

    named = [(name, str(version)) for name, version in named_versions().items()]
    return [*named, *[(str(found.version), found.summary) for found in version_log()]]


def _types() -> Iterable[Value]:
    from ..shapes.element_types import TYPES

    return [(name, "an element type") for name in TYPES]


def _profiles() -> Iterable[Value]:
    from ..passes.check_profile import profile_names

    return [(name, "a profile of the package") for name in profile_names()]


_SEPARATORS = {
    **dict.fromkeys(["ENGINE,…", "OP,…", "TYPE,…", "PASS,…"], ","),
    **dict.fromkeys(["PASSES", "PIPELINE"], "(,"),
}
_VALUES: dict[str, Callable[[], Iterable[Value]]] = {
    **dict.fromkeys(["OP", "OP,…"], _ops),
    **dict.fromkeys(["PASS,…", "PIPELINE", "PASSES"], _passes),
    **dict.fromkeys(["ENGINE", "ENGINE,…"], _engines),
    "PROFILE": _profiles,
    "VERSION": _versions,
    **dict.fromkeys(["TYPE", "TYPE,…"], _types),
}


def values_of(kind: str, typed: str) -> Iterable[Value]:
    """Return the values of this kind that complete the typed text; for a list, after its earlier entries.

    Args:
        kind: The word for the value in the help.
        typed: The beginning of the value.
    """
    kind = kind.upper()
    if kind not in _VALUES:
        return []
    start = max([typed.rfind(mark) for mark in _SEPARATORS.get(kind, "")], default=-1) + 1
    return [(typed[:start] + value, meaning) for value, meaning in _VALUES[kind]() if value.startswith(typed[start:])]
