"""Try the package with every supported release of jaxlib, and with the other providers, each in its own environment.

For each release: the features of its bindings and the new ones among them, the lit suites, the unit tests, and
`pip install jax` with this package beside it. docs/results/providers.json keeps the findings after every suite and
every file of tests, so that a run continues an earlier one. docs/providers.md and the releases in
third_party/providers.toml are made from it. The output of the tests stays with the environment. `--watch OLD NEW` only
lists the differences of two releases, and the features of the newer one that the package does not cover.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import on_cluster
from environment import how_to_install, pythons
from provider_page import ROOT, Found, changes, page, parts, watch, with_releases

RESULTS, PAGE = ROOT / "docs" / "results" / "providers.json", ROOT / "docs" / "providers.md"
RECORD = ROOT / "third_party" / "providers.toml"
DESCRIBE = Path(__file__).with_name("provider_description.py")
TOOLS = (
    "dask",
    "distributed",
    "filecheck",
    "hypothesis",
    "lit",
    "matplotlib",
    "pytest",
    "pytest-xdist",
    "rich",
    "scipy",
)
INTERPRETATION = """
import jax
import jax.numpy as jnp
import numpy as np
import stablehlo_py

def function(x):
    return jnp.tanh(x) @ x.T

x = np.arange(6, dtype=np.float32).reshape(2, 3) / 4
program = stablehlo_py.parse(jax.jit(function).lower(x).as_text())
[found] = stablehlo_py.interpret(program, [x])
assert np.allclose(found, function(x), rtol=1e-6), found
print("interpreted:", found.tolist())
"""
STEPS = ("about", "watch", "lit", "unit", "jax")


@dataclass(frozen=True)
class Release:
    """A release of a provider, and the Python it is tried with.

    Attributes:
        jax: The jax that is tried with this package beside it; empty where none is.
        is_reference: Whether the whole unit suites have to run, with all optional libraries that tests use.
        provider: What STABLEHLO_PY_PROVIDER takes.
    """

    number: str
    python: str
    jax: str = ""
    is_reference: bool = False
    provider: str = "jaxlib"

    @property
    def name(self) -> str:
        """The key in docs/results/providers.json."""
        return self.number if self.provider == "jaxlib" else f"{self.provider} {self.number}"

    @cached_property
    def requirements(self) -> list[str]:
        """Return the requirements to install: dependencies of the package and the tests, and the provider."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if self.is_reference:
            extras = _of_extras(project["optional-dependencies"], ("test", "torch"))
            return [*project["dependencies"], *extras, f"jaxlib=={self.number}", f"jax=={self.jax}"]
        provider = "jaxlib" if self.provider == "jaxlib" else "torch-mlir"
        return [*project["dependencies"], *TOOLS, f"{provider}=={self.number}"]


def _of_extras(extras: dict[str, list[str]], names: Iterable[str]) -> list[str]:
    """Return the requirements of extras of this package, including the extras that they name included."""
    found = []
    for requirement in (requirement for name in names for requirement in extras[name]):
        own = re.fullmatch(r"stablehlo-py\[(.*)\]", requirement)
        found += _of_extras(extras, own[1].split(",")) if own else [requirement]
    return found


RELEASES = (
    Release("0.12.0.1", "3.13", "0.12.0.1", is_reference=True),
    Release("0.11.2", "3.13", "0.11.2", is_reference=True),
    Release("0.10.2", "3.11", "0.10.2", is_reference=True),
    Release("0.9.2", "3.11", "0.9.2"),
    Release("0.8.3", "3.11", "0.8.3"),
    Release("0.8.0", "3.11"),
    Release("0.7.2", "3.11"),
    Release("0.7.1", "3.11", "0.7.1"),
    Release("20261001", "3.13", provider="torch_mlir"),
    Release("20261001", "3.13", provider="mlir"),
)


class Environment:
    """The environment of a release, made when it is first used and kept in `cache`."""

    def __init__(self, release: Release, cache: Path) -> None:
        self.release = release
        own = "torch-mlir" if release.provider != "jaxlib" else "jaxlib"
        self.folder = cache / f"{own}-{release.number}"
        self._tree = cache / f"imitated-{release.number}" if release.provider == "mlir" else None
        self.prefix = "" if release.provider == "jaxlib" else f"{release.provider}-"

    def make(self) -> None:
        """Installs what the release needs, unless that was done. Ends the process where pip cannot."""
        error = install(self.folder, self.release.python, self.release.requirements)
        if error:
            sys.exit(f"error: {self.release.name}: {error}")
        if self._tree is not None:
            code = "import pathlib, sys, imitated_tree; imitated_tree.imitate(pathlib.Path(sys.argv[1]))"
            run([self.folder / "bin" / "python", "-c", code, self._tree], PYTHONPATH=str(DESCRIBE.parent))

    def run(self, program: str, *arguments: str | Path) -> tuple[int, str]:
        """Run a program of the environment on this tree; return its exit code and its output."""
        path = os.pathsep.join([str(self.folder / "bin"), os.environ.get("PATH", os.defpath)])
        modules = os.pathsep.join([str(ROOT), *([str(self._tree)] if self._tree is not None else [])])
        chosen = {} if self.release.provider == "jaxlib" else {"STABLEHLO_PY_PROVIDER": self.release.provider}
        variables = {"PATH": path, "VIRTUAL_ENV": str(self.folder), "PYTHONPATH": modules, **chosen}
        return run([self.folder / "bin" / program, *arguments], **variables)

    @cached_property
    def description(self) -> Found:
        """Return the versions, dialects, passes, ops and capabilities of the bindings."""
        code, said = self.run("python", DESCRIBE)
        return {"error": said.strip()[-500:]} if code else json.loads(said.splitlines()[-1])


def run(command: Sequence[str | Path], timeout: int = 3600, **variables: str) -> tuple[int, str]:
    """Run a command in the tree; return its exit code and its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    finished = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout
    )
    return finished.returncode, finished.stdout


def install(folder: Path, python: str, requirements: list[str]) -> str:
    """Installs the requirements into an environment, unless that was done; returns an error, or an empty text."""
    stamp, wanted = folder / "complete", "\n".join(requirements)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return ""
    found = next((path for path in pythons() if run([path, "--version"])[1].startswith(f"Python {python}.")), None)
    if found is None:
        return f"no Python {python} is installed. {how_to_install(python)}"
    pip: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-compile"]
    commands = [[*pip, *requirements]]
    if not stamp.exists():
        shutil.rmtree(folder, ignore_errors=True)
        commands.insert(0, [found, "-m", "venv", folder])
    for command in commands:
        code, said = run(command)
        if code:
            return (said.strip().splitlines() or ["pip could not install it"])[-1]
    stamp.write_text(wanted, encoding="utf-8")
    return ""


# Steps --------------------------------------------------------------------------------------------------------------


def run_lit(environment: Environment, suite: str) -> Found:
    """How a lit suite ends, and the tests that fail."""
    report = environment.folder / f"{environment.prefix}lit-{suite}.json"
    report.unlink(missing_ok=True)
    said = environment.run("lit", "-v", "-o", report, f"tests/lit/{suite}")[1]
    report.with_suffix(".log").write_text(said, encoding="utf-8")
    return lit_result(json.loads(report.read_text(encoding="utf-8"))["tests"])


def lit_result(tests: list[dict[str, str]]) -> Found:
    """Return the contents of a report of lit: passed and failed tests, and the features that others require."""
    skipped = [test["output"] for test in tests if test["code"] == "UNSUPPORTED"]
    failed = [
        test["name"].partition(" :: ")[2] for test in tests if test["code"] not in ("PASS", "UNSUPPORTED", "XFAIL")
    ]
    # Test requires the following unavailable features: a, b
    # Test does not support the following features and/or targets: c
    reasons = [("" if "requires" in said else "not ") + said.partition(": ")[2].strip() for said in skipped]
    passed = sum(test["code"] == "PASS" for test in tests)
    return {"passed": passed, "unsupported": len(skipped), "failed": sorted(failed), "reasons": _counted(reasons)}


def _counted(reasons: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(reasons).items()))


def run_unit(environment: Environment, file: str) -> Found:
    """How the unit tests of a file end, and those that fail."""
    report = environment.folder / f"{environment.prefix}unit-{file}.xml"
    report.unlink(missing_ok=True)
    options = ["-n", "auto", "-p", "no:cacheprovider", f"--junitxml={report}"]
    (path,) = (ROOT / "tests" / "unit").rglob(f"{file}.py")
    code, said = environment.run("pytest", *options, str(path.relative_to(ROOT)))
    report.with_suffix(".log").write_text(said, encoding="utf-8")
    if not report.exists():
        return {"passed": 0, "unsupported": 0, "failed": [f"tests.unit.{file} (pytest ended with {code})"]}
    return unit_result(list(ElementTree.parse(report).getroot().iter("testcase")))


def unit_result(cases: list[ElementTree.Element]) -> Found:
    """Return the contents of a report of pytest: passed and failed tests, and the reasons for skipping others."""
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    reasons = [skipped.get("message", "") for case in cases for skipped in case.iter("skipped")]
    names = sorted(f"{case.get('classname')}::{case.get('name')}" for case in failed)
    passed = len(cases) - len(failed) - len(reasons)
    return {"passed": passed, "unsupported": len(reasons), "failed": names, "reasons": _counted(reasons)}


def beside_jax(environment: Environment) -> Found:
    """Install this package beside a jax; return pip's answer and the results of a program of that jax."""
    release = environment.release
    folder = environment.folder.with_name(f"jax-{release.jax}")
    error = install(folder, release.python, [f"jax=={release.jax}"])
    if error:
        return {"error": error}
    pip = [folder / "bin" / "python", "-m", "pip"]
    before = _installed(folder)
    run([*pip, "uninstall", "--quiet", "--yes", "stablehlo-py"])
    code, said = run([*pip, "install", "--quiet", ROOT])
    after = _installed(folder)
    if code or any(before[name] != after[name] for name in ("jax", "jaxlib")):
        return {"error": f"pip changed what is installed: {before} -> {after}" if not code else said.strip()[-500:]}
    return {
        "jax": after["jax"],
        "jaxlib": after["jaxlib"],
        "pip check": run([*pip, "check"])[1].strip().splitlines()[-1],
        "interpretation": run([folder / "bin" / "python", "-I", "-c", INTERPRETATION])[1].strip().splitlines()[-1],
    }


def _installed(folder: Path) -> dict[str, str]:
    lines = run([folder / "bin" / "python", "-m", "pip", "list", "--format=freeze"])[1].splitlines()
    return {name: version for name, _, version in (line.partition("==") for line in lines)}


def run_step(step: str, part: str, environment: Environment, older: Environment | None) -> Found | None:
    """Return the findings of a step or a part of it; None if the release has no such step."""
    if step == "about":
        kept = ("version", "stablehlo", "oldest_stablehlo", "bytecode", "missing", "error")
        return {key: value for key, value in environment.description.items() if key in kept}
    if step == "watch":
        if older is None:
            return None
        older.make()
        return changes(older.description, environment.description)
    if step == "jax":
        return beside_jax(environment) if environment.release.jax else None
    return (run_lit if step == "lit" else run_unit)(environment, part)


@dataclass(frozen=True)
class Suites:
    """Steps of releases as tasks, in environments that are there."""

    cache: Path

    @contextmanager
    def open(self) -> Iterator[Callable[[tuple[str, str, str]], tuple[str, str, str, Found | None]]]:
        """Give what does a step."""
        environments = {release.name: Environment(release, self.cache) for release in RELEASES}
        yield lambda task: (*task, run_step(task[1], task[2], environments[task[0]], None))

    def lost(self, task: tuple[str, str, str], why: str) -> tuple[str, str, str, Found | None]:
        """The result of a step whose workers ended."""
        _, step, part = task
        if not part:
            return (*task, {"error": f"{step}: {why}"})
        return (*task, {"passed": 0, "unsupported": 0, "failed": [f"{part} ({why})"]})


# Results ------------------------------------------------------------------------------------------------------------


def load() -> dict[str, Found]:
    """Return the findings of earlier runs, by release."""
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def keep(release: Release, step: str, found: Found, part: str = "") -> None:
    """Add the result of a step or a part of it to the recorded ones, and write the pages anew."""
    results = load()
    steps = results.setdefault(release.name, {})
    if part:
        steps.setdefault(step, {})[part] = found
    else:
        steps[step] = found
    write({each.name: results[each.name] for each in RELEASES if each.name in results})


def write(results: dict[str, Found]) -> None:
    """Writes the results, the page and the record."""
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(results, {release.name: release.python for release in RELEASES}), encoding="utf-8")
    RECORD.write_text(with_releases(RECORD.read_text(encoding="utf-8"), results), encoding="utf-8")


# The command line ---------------------------------------------------------------------------------------------------


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
    if step in ("about", "watch") or step not in found:
        return False
    return part in found[step] if part else "error" not in found[step]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="provider_matrix", description=__doc__)
    parser.add_argument("releases", nargs="*", help="only these: 0.12.0.1, 'torch_mlir 20261001'")
    parser.add_argument("--cache", type=Path, default=ROOT / ".venv" / "providers", help="where environments are kept")
    parser.add_argument("--steps", default=",".join(STEPS), help="what to do: %(default)s, or a part: lit/interpret")
    parser.add_argument("--again", action="store_true", help="do the steps again that were done before")
    parser.add_argument("--watch", nargs=2, metavar=("OLD", "NEW"), help="tell what differs between two releases")
    on_cluster.add_options(parser)
    arguments = parser.parse_args()
    names = [release.name for release in RELEASES]
    unknown = [name for name in arguments.watch or arguments.releases if name not in names]
    if unknown:
        sys.exit(f"error: not a release of the matrix: {', '.join(unknown)}")
    return arguments


def main() -> None:
    """Reads the command line."""
    arguments = _arguments()
    cache_folder = arguments.cache.resolve()
    cache_folder.mkdir(parents=True, exist_ok=True)
    environments = {release.name: Environment(release, cache_folder) for release in RELEASES}
    if arguments.watch:
        for name in arguments.watch:
            environments[name].make()
        print("\n".join(watch(*(environments[name].description for name in arguments.watch))))
        return
    tasks = _tasks(arguments, list(environments.values()))
    done = on_cluster.results(Suites(cache_folder), tasks, arguments.cluster, arguments.jobs)
    for name, step, part, found in done:
        if found is not None:
            keep(environments[name].release, step, found, part)


def _tasks(arguments: argparse.Namespace, ordered: list[Environment]) -> Iterator[tuple[str, str, str]]:
    """The steps that are to be done, each when there is time for it; those that make environments are done here."""
    for environment, next_one in zip(ordered, [*ordered[1:], None], strict=True):
        release = environment.release
        if arguments.releases and release.name not in arguments.releases:
            continue
        environment.make()
        older = next_one if next_one is not None and next_one.release.provider == release.provider else None
        keep(release, "about", run_step("about", "", environment, older) or {})
        for step, part in _chosen_parts(arguments.steps):
            if step == "about" or (not arguments.again and _is_done(load().get(release.name, {}), step, part)):
                continue
            print(f"{release.name}: {step} {part}".rstrip(), flush=True)
            if step != "watch":
                yield release.name, step, part
            elif (found := run_step(step, part, environment, older)) is not None:
                keep(release, step, found, part)


if __name__ == "__main__":
    main()
