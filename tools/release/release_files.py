"""Files of a release and their checks: used by make.py and by the tests."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Sources of others that the wheel holds, with the file that says their licence.
VENDORED = {"dagre": ("@dagrejs/dagre", "3.1.3", "MIT", "third_party/dagre/LICENSE")}
# The times in the archives: they depend on nothing but this.
_EPOCH = "1735689600"


def version() -> str:
    """The version in stablehlo_py/version.py."""
    found = re.search(r'__version__ = "([^"]+)"', (ROOT / "stablehlo_py" / "version.py").read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit("error: stablehlo_py/version.py names no version")
    return found[1]


def disagreements() -> list[str]:
    """The files that name another version than version.py."""
    wanted = version()
    places = {
        "CITATION.cff": rf"^version: {re.escape(wanted)}$",
        "conda/recipe.yaml": rf'^  version: "{re.escape(wanted)}"$',
        "CHANGELOG.md": rf"^## \[{re.escape(wanted)}\]",
    }
    return [
        name
        for name, pattern in places.items()
        if not re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    ]


def recorded_failures() -> list[str]:
    """The tests that failed when external/provider_matrix last ran them, as `jaxlib 0.10.2: lit/cli: …`."""
    matrix = json.loads((ROOT / "docs" / "results" / "providers.json").read_text(encoding="utf-8"))
    return [
        f"{release}: {step}/{part}: {', '.join(found['failed'])}"
        for release, steps in matrix.items()
        for step in ("lit", "unit")
        for part, found in steps.get(step, {}).items()
        if found["failed"]
    ]


def build(target: Path) -> list[Path]:
    """Build the sdist and from it the wheel into a folder; the same sources give the same bytes."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(ROOT)]
    ended = subprocess.run(
        command,
        env={**os.environ, "SOURCE_DATE_EPOCH": _EPOCH},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if ended.returncode:
        raise SystemExit(ended.stdout)
    return sorted(path for path in target.iterdir() if path.suffix in (".whl", ".gz"))


def digests(paths: list[Path]) -> dict[str, str]:
    """The SHA-256 of each file, by its name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def bill_of_materials() -> str:
    """Return the dependencies and vendored sources of the package as CycloneDX JSON."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    components = [_required(requirement) for requirement in project["dependencies"]]
    for name, release, licence, _ in VENDORED.values():
        purl = f"pkg:npm/{name.replace('@', '%40')}@{release}"
        known = {"type": "library", "name": name, "version": release, "purl": purl, "scope": "required"}
        components.append({**known, "licenses": [{"license": {"id": licence}}]})
    root = {
        "type": "application",
        "name": project["name"],
        "version": version(),
        "purl": _purl(project["name"], version()),
    }
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**root, "licenses": [{"license": {"id": project["license"]}}]}},
        "components": components,
    }
    return json.dumps(document, indent=2) + "\n"


def _purl(name: str, release: str) -> str:
    return f"pkg:pypi/{name.lower().replace('_', '-')}@{release}"


def _required(requirement: str) -> dict[str, object]:
    """A requirement as a component: the installed release, and the range that is accepted."""
    name = re.split(r"[<>=!~ \[]", requirement, maxsplit=1)[0]
    component: dict[str, object] = {"type": "library", "name": name, "scope": "required"}
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return component
    component |= {"version": found["Version"], "purl": _purl(name, found["Version"])}
    licence = found.get("License-Expression") or found.get("License")
    if licence and "\n" not in licence:
        component["licenses"] = [{"license": {"name": licence}}]
    component["properties"] = [{"name": "requirement", "value": requirement}]
    return component


def make(target: Path) -> None:
    """Build into a folder, twice, with the bill of materials. Raises SystemExit with the problem."""
    found = disagreements()
    if found:
        raise SystemExit(f"error: version.py says {version()}, which {', '.join(found)} does not name")
    failures = recorded_failures()
    if failures:
        raise SystemExit("\n".join(["error: docs/results/providers.json has failures", *failures]))
    first = digests(build(target))
    with tempfile.TemporaryDirectory() as other:
        second = digests(build(Path(other)))
    if first != second:
        raise SystemExit(f"error: two builds differ: {first} and {second}")
    (target / f"stablehlo_py-{version()}.cdx.json").write_text(bill_of_materials(), encoding="utf-8")
