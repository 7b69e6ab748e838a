"""Write the golden artifacts of a StableHLO version, and the tests that a feature cannot be written too early.

For a version, `tests/lit/vhlo/compendium.X_Y_0.mlir` gets the functions of `Inputs/compendium.mlir` that can be
written for it, and `compendium.X_Y_0.mlir.bc` the artifact. An artifact that exists is never written again: it stands
for all that users have written with that version. Its hash is kept in `artifacts.sha256`.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from stablehlo_py.artifacts.artifact import legalize_to_vhlo, parse_bytecode, serialize
from stablehlo_py.artifacts.needs import needs
from stablehlo_py.artifacts.versions import (
    Feature,
    Version,
    current_version,
    features,
    minimum_version,
    opset_versions,
    resolve_version,
)
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import StablehloError

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "lit" / "vhlo"
COMPENDIUM = FOLDER / "Inputs" / "compendium.mlir"
LATER = FOLDER / "Inputs" / "compendium_later.mlir"
_LATER_SINCE = Version(1, 20)
HASHES = FOLDER / "artifacts.sha256"

_FUNCTION = re.compile(r"^func\.func (?:private )?@(\w+)\(.*?^}\n", re.MULTILINE | re.DOTALL)
_OP = re.compile(r'(?:%[\w:]+(?:, )?)*(?: = )?("vhlo\.[^"]+")\([^)]*\)(?:\[[^]]*\])?(?: (<\{.*?\}>))?(?= \(\{| : |$)')
_FUNCTION_DEFAULTS = re.compile(r'^<\{arg_attrs = #vhlo\.array_v1<\[\]>, |, sym_visibility = #vhlo\.string_v1<"">\}>$')
_NEVER_CHECKED = ('"vhlo.return_v1"',)


def test_path(version: Version) -> Path:
    """Where the golden text of a version lies; the artifact has `.bc` appended."""
    return FOLDER / f"compendium.{version.major}_{version.minor}_{version.patch}.mlir"


def artifact_path(version: Version) -> Path:
    """Where the golden artifact of a version lies."""
    text = test_path(version)
    return text.with_name(f"{text.name}.bc")


def functions_by_minimum(context: ir.Context) -> list[tuple[Version, str]]:
    """The text of each function of the compendium, with the oldest version that it can be written for."""
    text = COMPENDIUM.read_text(encoding="utf-8")
    if current_version() >= _LATER_SINCE:
        text += LATER.read_text(encoding="utf-8")
    oldest: dict[str, Version] = {}
    for need in needs(legalize_to_vhlo(ir.Module.parse(text, context))):
        for place in need.places:
            oldest[place.function] = max(need.version, oldest.get(place.function, minimum_version()))
    return [(oldest.get(found[1], minimum_version()), found[0]) for found in _FUNCTION.finditer(text)]


def _escaped(text: str) -> str:
    """The text as FileCheck takes it literally."""
    return text.replace("{{", "{{[{][{]}}").replace("[[", "{{\\[\\[}}")


def _checks(artifact: bytes, context: ir.Context) -> Iterator[str]:
    """A CHECK line for each op of the artifact: its versioned name and its properties; the type of each function."""
    module = parse_bytecode(artifact, context)
    printed: str = module.operation.get_asm(print_generic_op_form=True)  # pyright: ignore[reportAssignmentType]
    for line in printed.splitlines():
        found = _OP.search(line)
        if found is None or found[1] in _NEVER_CHECKED:
            continue
        if found[1] == '"vhlo.func_v1"':
            yield f"// CHECK-LABEL: {_escaped(_FUNCTION_DEFAULTS.sub('', found[2]))}"
        elif found[2]:
            yield f"// CHECK: {found[1]}({{{{.*}}}}) {_escaped(found[2])}"
        else:
            yield f"// CHECK: {found[1]}("


def requires(version: Version) -> str:
    """The line that keeps a test from bindings that do not know the version."""
    return f"// REQUIRES: stablehlo-{version.major}.{version.minor}"


def _run_lines(version: Version) -> list[str]:
    serialize_at = f"stablehlo-translate --serialize --target={version}"
    return [
        requires(version),
        "// RUN: stablehlo-opt --mlir-print-op-generic %s.bc | FileCheck %s",
        "// RUN: diff <(stablehlo-translate --deserialize %s.bc | stablehlo-opt) <(stablehlo-opt --strip-debuginfo %s)",
        f"// RUN: diff %s.bc <({serialize_at} --strip-debuginfo %s)",
    ]


def golden(version: Version) -> tuple[str, bytes]:
    """The text of the golden test of a version, and its artifact."""
    context = make_context()
    functions = [text for oldest, text in functions_by_minimum(context) if oldest <= version]
    program = "\n".join(functions)
    artifact = serialize(ir.Module.parse(program, context), version, strip_debuginfo=True)
    header = [
        *_run_lines(version),
        "",
        f"// Written by tools/generate/golden_artifacts.py for StableHLO {version}.",
        "",
    ]
    return "\n".join([*header, *_checks(artifact, context), "", program]), artifact


def write_golden(version: Version, *, text_only: bool) -> None:
    """Write the golden test of a version. An artifact that exists stays as it is: SystemExit where it would change."""
    text, artifact = golden(version)
    path = artifact_path(version)
    if path.exists() and path.read_bytes() != artifact:
        sys.exit(f"{path} exists and differs from what would be written now; golden artifacts are never edited")
    if not path.exists():
        if text_only:
            sys.exit(f"{path} does not exist")
        path.write_bytes(artifact)
    test_path(version).write_text(text, encoding="utf-8")
    _write_hashes()
    print(f"{test_path(version).name}: {len(text)} B, artifact {len(artifact)} B")


def _write_hashes() -> None:
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted(FOLDER.glob("*.bc"))]
    HASHES.write_text("\n".join(lines) + "\n", encoding="utf-8")


# Too early ----------------------------------------------------------------------------------------------------------


def _file_name(feature: Feature) -> str:
    name = re.sub(r"[^a-z0-9]+", "_", feature.name.lower()).strip("_")
    return f"early_{name}.mlir" if feature.kind != "type" else f"early_type_{name}.mlir"


def write_early(feature: Feature) -> None:
    """Write the test that a feature can be written for its version, and not for the one before."""
    versions = opset_versions()
    before = versions[versions.index(feature.version) - 1]
    serialize_at = "stablehlo-translate --serialize --target"
    lines = [
        requires(feature.version),
        f"// RUN: {serialize_at}={feature.version} %s | stablehlo-compat info - | FileCheck %s",
        f"// RUN: not {serialize_at}={before} %s 2>&1 | FileCheck --check-prefix=EARLY %s",
        "",
        f"// Written by tools/generate/golden_artifacts.py from third_party/versions.toml: {feature.what}.",
        "",
        f"// CHECK: StableHLO version: {feature.version}",
        f"// EARLY: error: {feature.what} needs StableHLO {feature.version}, and the target is {before}",
        "",
    ]
    (FOLDER / _file_name(feature)).write_text("\n".join([*lines, feature.program]), encoding="utf-8")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="golden_artifacts", description=__doc__)
    parser.add_argument("versions", nargs="*", help="X.Y.Z or current; all where none is given")
    parser.add_argument("--text-only", action="store_true", help="write the texts for artifacts that exist")
    parser.add_argument("--early", action="store_true", help="write the tests of features one version too early")
    arguments = parser.parse_args()
    try:
        if arguments.early:
            for feature in features():
                if feature.version in opset_versions():
                    write_early(feature)
            return
        for version in [resolve_version(text) for text in arguments.versions] or opset_versions():
            write_golden(version, text_only=arguments.text_only)
    except StablehloError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
