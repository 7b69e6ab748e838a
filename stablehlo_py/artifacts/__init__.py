"""Portable artifacts: versions of StableHLO, their bytecode, and the versions that a program needs.

    from stablehlo_py import artifacts, parse

    module = parse(pathlib.Path("model.mlir"))
    artifacts.minimum(module).version                      # the oldest version it can be written for
    artifacts.explain(module, artifacts.Version(1, 0)).blockers  # all that keeps it from an older one
    artifacts.read_header(data).version                    # what an artifact is, without deserializing it

Each name imports its module when it is used: `read_header` needs no bindings.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .artifact import deserialize, parse_bytecode, serialize, serialize_to, upgrade
    from .difference import Difference, first_difference
    from .explanation import Explanation, Minimum, explain, minimum
    from .header import ArtifactInfo, read_header
    from .matrix import Matrix, compatibility_matrix, plot
    from .needs import Need, Place
    from .roundtrip import RoundTrip, round_trip
    from .versions import Feature, LogEntry, Version, current_version, minimum_version, resolve_version, version_log

_MODULES = {
    "artifact": ("deserialize", "parse_bytecode", "serialize", "serialize_to", "upgrade"),
    "difference": ("Difference", "first_difference"),
    "explanation": ("Explanation", "Minimum", "explain", "minimum"),
    "header": ("ArtifactInfo", "read_header"),
    "matrix": ("Matrix", "compatibility_matrix", "plot"),
    "needs": ("Need", "Place"),
    "roundtrip": ("RoundTrip", "round_trip"),
    "versions": (
        *("Feature", "LogEntry", "Version", "current_version", "minimum_version", "resolve_version", "version_log"),
    ),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "ArtifactInfo",
    "Difference",
    "Explanation",
    "Feature",
    "LogEntry",
    "Matrix",
    "Minimum",
    "Need",
    "Place",
    "RoundTrip",
    "Version",
    "compatibility_matrix",
    "current_version",
    "deserialize",
    "explain",
    "first_difference",
    "minimum",
    "minimum_version",
    "parse_bytecode",
    "plot",
    "read_header",
    "resolve_version",
    "round_trip",
    "serialize",
    "serialize_to",
    "upgrade",
    "version_log",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
