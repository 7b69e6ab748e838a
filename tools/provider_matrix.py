"""Tries the package with every supported release of jaxlib, each in an environment of its own.

For each release: what its bindings have, the lit suites, the unit tests; and `pip install jax` with this package beside
it. What was found is kept in docs/providers.json after every suite and every file of tests, so that a run goes on where
another was stopped, and docs/providers.md is the page made of it; what the tests printed stays with the environment.
`--watch OLD NEW` only tells what differs between two releases, and what of the newer one the package does not cover.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environment import pythons

ROOT = Path(__file__).resolve().parent.parent
RESULTS, PAGE = ROOT / "docs" / "providers.json", ROOT / "docs" / "providers.md"
DESCRIBE = Path(__file__).with_name("provider_description.py")
TOOLS = ("filecheck", "hypothesis", "lit", "matplotlib", "pytest", "pytest-xdist", "rich")
INTERPRETATION = (
    "import stablehlo_py, numpy as np; "
    "text = 'func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { "
    "%0 = stablehlo.add %x, %x : tensor<2xf32> return %0 : tensor<2xf32> }'; "
    "print(stablehlo_py.interpret(stablehlo_py.parse(text), [np.array([1, 2], np.float32)]))"
)
STEPS = ("about", "lit", "unit", "jax")
Found = dict[str, Any]


@dataclass(frozen=True)
class Release:
    """A release of jaxlib, the Python it is tried with, and the jax that goes with it (empty: not tried)."""

    number: str
    python: str
    jax: str = ""


RELEASES = (
    Release("0.12.0.1", "3.13", "0.12.0.1"),
    Release("0.11.2", "3.13"),
    Release("0.10.2", "3.11", "0.10.2"),
    Release("0.9.2", "3.11", "0.9.2"),
    Release("0.8.3", "3.11", "0.8.3"),
    Release("0.8.0", "3.11"),
    Release("0.7.2", "3.11"),
    Release("0.7.1", "3.11", "0.7.1"),
)


def run(command: list[str | Path], environment: Path | None = None, timeout: int = 3600) -> tuple[int, str]:
    """The exit code of a command run in the tree with the environment's programs, and what it printed."""
    variables = dict(os.environ)
    variables.pop("PYTHONPATH", None)
    if environment is not None:
        path = os.pathsep.join([str(environment / "bin"), os.environ.get("PATH", os.defpath)])
        variables |= {"PATH": path, "VIRTUAL_ENV": str(environment), "PYTHONPATH": str(ROOT)}
    finished = subprocess.run(
        command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout
    )
    return finished.returncode, finished.stdout


def make_environment(folder: Path, python: str, requirements: list[str]) -> str:
    """Installs the requirements into a new environment, unless that was done; returns an error, or an empty text."""
    if (folder / "complete").exists():
        return ""
    found = next((path for path in pythons() if run([path, "--version"])[1].startswith(f"Python {python}.")), None)
    if found is None:
        return f"no Python {python} is installed"
    shutil.rmtree(folder, ignore_errors=True)
    for command in (
        [found, "-m", "venv", folder],
        [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *requirements],
    ):
        code, said = run(command)
        if code:
            return (said.strip().splitlines() or ["pip could not install it"])[-1]
    (folder / "complete").touch()
    return ""


def describe(folder: Path) -> Found:
    """What the bindings have: versions, dialects, passes, ops, capabilities."""
    code, said = run([folder / "bin" / "python", DESCRIBE], folder)
    return {"error": said.strip()[-500:]} if code else json.loads(said.splitlines()[-1])


def run_lit(folder: Path, suite: str) -> Found:
    """How a lit suite ends, and the tests that fail."""
    report = folder / f"lit-{suite}.json"
    report.unlink(missing_ok=True)
    said = run([folder / "bin" / "lit", "-v", "-o", report, f"tests/lit/{suite}"], folder)[1]
    report.with_suffix(".log").write_text(said, encoding="utf-8")
    codes: dict[str, list[str]] = {}
    for test in json.loads(report.read_text(encoding="utf-8"))["tests"]:
        codes.setdefault(test["code"], []).append(test["name"].partition(" :: ")[2])
    failed = sorted(name for code in codes if code not in ("PASS", "UNSUPPORTED", "XFAIL") for name in codes[code])
    return {"passed": len(codes.get("PASS", ())), "unsupported": len(codes.get("UNSUPPORTED", ())), "failed": failed}


def run_unit(folder: Path, file: str) -> Found:
    """How the unit tests of a file end, and those that fail."""
    report = folder / f"unit-{file}.xml"
    report.unlink(missing_ok=True)
    pytest = [folder / "bin" / "pytest", "-n", "2", "-p", "no:cacheprovider"]
    said = run([*pytest, f"--junitxml={report}", f"tests/unit/{file}.py"], folder)[1]
    report.with_suffix(".log").write_text(said, encoding="utf-8")
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = sum(case.find("skipped") is not None for case in cases)
    names = sorted(f"{case.get('classname')}::{case.get('name')}" for case in failed)
    return {"passed": len(cases) - len(failed) - skipped, "unsupported": skipped, "failed": names}


def parts() -> dict[str, list[str]]:
    """The suites and files that the steps `lit` and `unit` run one by one, so that a stopped run loses one of them."""
    return {
        "lit": sorted(path.name for path in (ROOT / "tests" / "lit").iterdir() if any(path.rglob("*.mlir"))),
        "unit": sorted(path.stem for path in (ROOT / "tests" / "unit").glob("test_*.py")),
    }


def together(step: str, found: Found) -> Found | None:
    """The results of the parts of a step that have run in one, or None where none has."""
    every = list(found.get(step, {}).values())
    if not every:
        return None
    return {
        "passed": sum(result["passed"] for result in every),
        "unsupported": sum(result["unsupported"] for result in every),
        "failed": [name for result in every for name in result["failed"]],
    }


def beside_jax(release: Release, cache: Path) -> Found:
    """What pip makes of jax and this package in one environment, and a program interpreted there."""
    folder = cache / f"jax-{release.jax}"
    error = make_environment(folder, release.python, [f"jax=={release.jax}", str(ROOT)])
    if error:
        return {"error": error}
    python = folder / "bin" / "python"
    installed = {}
    for line in run([python, "-m", "pip", "list", "--format=freeze"])[1].splitlines():
        name, _, version = line.partition("==")
        installed[name] = version
    return {
        "jax": installed.get("jax", ""),
        "jaxlib": installed.get("jaxlib", ""),
        "pip check": run([python, "-m", "pip", "check"])[1].strip().splitlines()[-1],
        "interpretation": run([python, "-I", "-c", INTERPRETATION])[1].strip().splitlines()[-1],
    }


def load() -> dict[str, Found]:
    """What earlier runs found, by release."""
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def keep(release: Release, step: str, found: Found, part: str = "") -> None:
    """Puts the result of a step, or of a part of it, with those of other runs, and writes the page anew."""
    results = load()
    steps = results.setdefault(release.number, {})
    if part:
        steps.setdefault(step, {})[part] = found
    else:
        steps[step] = found
    ordered = {release.number: results[release.number] for release in RELEASES if release.number in results}
    RESULTS.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(ordered), encoding="utf-8")


def _chosen_parts(steps: str) -> list[tuple[str, str]]:
    """The steps and parts that the option `--steps` names: `about,lit/interpret,unit`."""
    chosen = []
    for text in re.split(r",\s*", steps):
        step, _, part = text.partition("/")
        if step not in STEPS or (part and part not in parts().get(step, ())):
            sys.exit(f"error: not a step: {text}")
        chosen += [(step, name) for name in ([part] if part else parts().get(step, [""]))]
    return chosen


def _is_done(found: Found, step: str, part: str) -> bool:
    if step == "about" or step not in found:
        return False
    return part in found[step] if part else "error" not in found[step]


def _suite(step: str, results: Found) -> str:
    """How a step ended; where parts of it have not run, how many have."""
    found = together(step, results)
    if found is None:
        return "not run"
    total = found["passed"] + len(found["failed"])
    ran, every = len(results[step]), len(parts()[step])
    part = "" if ran == every else f" in {ran} of {every} parts"
    return f"{found['passed']} of {total} ({found['unsupported']} not for it){part}"


def _beside(found: Found | None) -> str:
    if found is None:
        return ""
    if "error" in found:
        return found["error"]
    return f"jax {found['jax']}, jaxlib {found['jaxlib']}: {found['pip check']} {found['interpretation']}"


def page(results: dict[str, Found]) -> str:
    """docs/providers.md."""
    lines = [
        "# The package on every supported jaxlib",
        "",
        "<!-- written by tools/provider_matrix; do not edit -->",
        "",
        "Suites say how many tests pass of those that ask for nothing that the release lacks.",
        "",
        "| jaxlib | Python | StableHLO | oldest | bytecode | lit | unit tests | beside jax |",
        "|---|---|---|---|---|---|---|---|",
    ]
    pythons_of = {release.number: release.python for release in RELEASES}
    for number, found in results.items():
        about = found["about"]
        if "error" in about:
            lines.append(f"| {number} | {pythons_of[number]} | {about['error']} | | | | | |")
            continue
        cells = (about["stablehlo"], about["oldest_stablehlo"], str(about["bytecode"]))
        suites = (_suite("lit", found), _suite("unit", found), _beside(found.get("jax")))
        lines.append(f"| {number} | {pythons_of[number]} | {' | '.join((*cells, *suites))} |")
    for number, found in results.items():
        about = found["about"]
        if "error" not in about:
            lines += ["", f"## jaxlib {number}", ""]
            lacks = [f"{kind}: {', '.join(about[key])}" for key, kind in _LACKS.items() if about[key]]
            lines += [f"- lacks these {text}" for text in lacks] or ["- lacks nothing that the package knows of"]
            every = (found.get(step, {}).get(part) for step, names in parts().items() for part in names)
            lines += [f"- fails: `{name}`" for result in every if result for name in result["failed"]]
    return "\n".join(lines) + "\n"


_LACKS = {"missing_dialects": "dialects", "missing_passes": "passes", "missing_capabilities": "capabilities"}


def watch(old: Found, new: Found) -> list[str]:
    """What differs between two descriptions, and what of the newer one the package does not cover."""
    lines = [f"StableHLO {old['stablehlo']} -> {new['stablehlo']}"]
    for kind in ("ops", "passes", "stubs"):
        before, after = old[kind], new[kind]
        lines += [f"{kind}: + {name}" for name in sorted(set(after) - set(before))]
        lines += [f"{kind}: - {name}" for name in sorted(set(before) - set(after))]
        if isinstance(before, dict):
            changed = sorted(name for name in set(before) & set(after) if before[name] != after[name])
            lines += [f"{kind}: {name}: {before[name]} -> {after[name]}" for name in changed]
    return [*lines, *(f"not covered: {what}" for what in new["uncovered"])]


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="provider_matrix", description=__doc__)
    parser.add_argument("releases", nargs="*", help="only these releases of jaxlib")
    parser.add_argument("--cache", type=Path, default=ROOT / ".venv" / "providers", help="where environments are kept")
    parser.add_argument("--steps", default=",".join(STEPS), help="what to do: %(default)s, or a part: lit/interpret")
    parser.add_argument("--again", action="store_true", help="do the steps again that were done before")
    parser.add_argument("--watch", nargs=2, metavar=("OLD", "NEW"), help="tell what differs between two releases")
    arguments = parser.parse_args()
    cache = arguments.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    chosen = arguments.watch or arguments.releases
    unknown = [number for number in chosen if number not in [release.number for release in RELEASES]]
    if unknown:
        sys.exit(f"error: not a release of the matrix: {', '.join(unknown)}")
    descriptions: dict[str, Found] = {}
    for release in RELEASES:
        if chosen and release.number not in chosen:
            continue
        folder = cache / f"jaxlib-{release.number}"
        error = make_environment(folder, release.python, [f"jaxlib=={release.number}", "click", "ml_dtypes", *TOOLS])
        if error:
            sys.exit(f"error: jaxlib {release.number}: {error}")
        descriptions[release.number] = describe(folder)
        if arguments.watch:
            continue
        for step, part in _chosen_parts(arguments.steps):
            if not arguments.again and _is_done(load().get(release.number, {}), step, part):
                continue
            if step == "jax" and not release.jax:
                continue
            print(f"jaxlib {release.number}: {step} {part}".rstrip(), flush=True)
            if step == "about":
                told = descriptions[release.number].items()
                keep(release, step, {key: value for key, value in told if key not in ("ops", "passes", "stubs")})
            elif step == "jax":
                keep(release, step, beside_jax(release, cache))
            else:
                keep(release, step, (run_lit if step == "lit" else run_unit)(folder, part), part)
    if arguments.watch:
        print("\n".join(watch(*(descriptions[number] for number in arguments.watch))))


if __name__ == "__main__":
    main()
