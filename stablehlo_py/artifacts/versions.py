"""StableHLO versions: their order, their names, and the log of what each minor version added.

The bindings and the log are loaded when they are asked for: a `Version` alone needs neither.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any, NamedTuple

from ..errors import UsageError, require_type

_LOG_NAME = "versions.toml"
_FORM = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


class Version(NamedTuple):
    """A StableHLO version. Only `major` and `minor` decide what a program may contain; `patch` counts releases."""

    major: int
    minor: int
    patch: int = 0

    @classmethod
    def parse(cls, text: str) -> Version:
        """Return the version written as `X.Y.Z`; raise `UsageError` for anything else."""
        match = _FORM.fullmatch(text)
        if match is None:
            from ..syntax.spelling import hint

            raise UsageError(f"'{text}' is not a version{hint(text, named_versions())}", notes=[_forms()])
        return cls(*map(int, match.groups()))

    @property
    def opset(self) -> Version:
        """The version with patch 0, as artifacts are written for."""
        return Version(self.major, self.minor)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


class Feature(NamedTuple):
    """Something that a program may use from `version` on.

    `kind` is op, form (of an op that was there before), type or attribute; `vhlo` names the versioned ops, types or
    attributes that carry it; `what` says it in words; `lift` says how a program can do without it, and `lifted_by`
    names the pass that does so (empty where none does); `program` uses the feature and nothing else that is new."""

    version: Version
    name: str
    kind: str
    vhlo: tuple[str, ...]
    what: str
    lift: str
    lifted_by: str
    program: str


class LogEntry(NamedTuple):
    """The additions of one minor version.

    `date` (YYYY-MM-DD) is that of its release, `bytecode` the MLIR bytecode format version of its artifacts, `summary`
    a sentence, and `features` what programs can use from this version on.
    """

    version: Version
    date: str
    bytecode: int
    summary: str
    features: tuple[Feature, ...]


def _forms() -> str:
    return (
        f"a version is X.Y.Z from {minimum_version()} to {current_version()}, or one of current, minimum, "
        "4w and 12w (the newest version that consumers of 4 or 12 weeks ago can read)"
    )


@cache
def current_version() -> Version:
    """Return the StableHLO version of the bindings, the newest that can be written and read."""
    from ..bindings import stablehlo_extension

    return Version.parse(stablehlo_extension.get_current_version())


@cache
def minimum_version() -> Version:
    """Return the oldest StableHLO version that the bindings can write and read."""
    from ..bindings import stablehlo_extension

    return Version.parse(stablehlo_extension.get_minimum_version())


@cache
def named_versions() -> dict[str, Version]:
    """Return the versions that have a name (current, minimum, 4w, 12w), patch included."""
    from ..bindings import stablehlo_extension

    requirement = stablehlo_extension.StablehloCompatibilityRequirement
    get = stablehlo_extension.get_version_from_compatibility_requirement
    return {
        "current": current_version(),
        "minimum": minimum_version(),
        "4w": Version.parse(get(requirement.WEEK_4)),
        "12w": Version.parse(get(requirement.WEEK_12)),
    }


def resolve_version(text: str) -> Version:
    """Return the version to write an artifact for: `X.Y.Z`, `current`, `minimum`, `4w` or `12w`, with patch 0.

    Raises `UsageError` where `text` is none of these, or names a version outside what the bindings support."""
    require_type(str, target=text)
    named = named_versions().get(text.lower())
    version = named if named is not None else Version.parse(text)
    if version < minimum_version():
        raise UsageError(
            f"target version {version} is less than minimum supported {minimum_version()}", notes=[_forms()]
        )
    if version.opset > current_version().opset:
        raise UsageError(
            f"target version {version} is greater than current version {current_version()}", notes=[_forms()]
        )
    return version.opset


def _log_text() -> str:
    folder = os.path.dirname(os.path.abspath(__file__))
    installed, source = os.path.join(folder, _LOG_NAME), os.path.join(folder, "..", "..", "third_party", _LOG_NAME)
    with open(installed if os.path.isfile(installed) else source, encoding="utf-8") as file:
        return file.read()


def _feature(version: Version, entry: dict[str, Any]) -> Feature:
    fields: dict[str, Any] = {"lifted_by": "", **entry, "vhlo": tuple(entry["vhlo"])}
    return Feature(version, **fields)


@cache
def version_log() -> tuple[LogEntry, ...]:
    """Return every minor version from 0.9.0 on, oldest first, from `third_party/versions.toml`.

    The last one can be older or newer than the bindings' own version.
    """
    import tomllib

    log: list[LogEntry] = []
    for entry in tomllib.loads(_log_text())["version"]:
        version = Version.parse(entry["version"])
        features = tuple(_feature(version, feature) for feature in entry.get("feature", ()))
        log.append(LogEntry(version, entry["date"], entry["bytecode"], entry["summary"], features))
    return tuple(log)


@cache
def features() -> tuple[Feature, ...]:
    """Return every feature of the log, oldest first."""
    return tuple(feature for entry in version_log() for feature in entry.features)


def bytecode_format(version: Version) -> int:
    """Return the bytecode format of the artifacts of a version.

    It is found in the log's text: parsing all of it takes as long as writing a small artifact.
    """
    heads = re.findall(r'^version = "([\d.]+)"\ndate = .*\nbytecode = (\d+)$', _log_text(), re.MULTILINE)
    return [int(number) for text, number in heads if Version.parse(text) <= version][-1]


@cache
def opset_versions() -> tuple[Version, ...]:
    """Return every minor version that the bindings can write, oldest first."""
    logged = [entry.version for entry in version_log()]
    return tuple(version for version in logged if minimum_version() <= version <= current_version())


def first_version_with(op: str) -> str:
    """Return the first version that has an op, such as `add`. The log begins with the oldest that can be read."""
    for feature in features():
        names = {name.rpartition("_v")[0] for name in feature.vhlo}
        if feature.kind == "op" and op in names:
            return str(feature.version)
    return f"{version_log()[0].version} or before"
