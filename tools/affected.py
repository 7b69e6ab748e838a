"""Test files that a change can break, the nearest first: by imports, by names of files in their text, by room."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "stablehlo_py"
TESTS = ("unit", "support", "external", "fuzz", "mutation")
SOURCES = (PACKAGE, *(f"tests/{name}" for name in TESTS), "tools", "docs", "benchmarks")
# The lit suites of rooms; a room below them, such as `syntax`, has all.
SUITES = {
    "interpreter": ("interpret", "choices"),
    "shapes": ("abstract", "infer"),
    "artifacts": ("vhlo",),
    "passes": ("passes",),
    "dialect": ("verify", "infer"),
    **dict.fromkeys(("analysis", "cli", "conformance", "debug", "engines", "lsp", "spmd", "testing"), ("cli",)),
}
# These read the tree instead of importing it.
ALWAYS = (
    "project/test_import_rule.py",
    "project/test_lit_coverage.py",
    "docs/test_architecture.py",
    "docs/test_site.py",
)

_FROM = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|(.*))", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)
_NAME = re.compile(r"\w+")
_OF_PACKAGE = re.compile(rf"{PACKAGE}(?:\.\w+)+")


def changed() -> list[str]:
    """Return the files that differ from main, or from the commit before if this is main."""
    base = _git("merge-base", "HEAD", "main") or _git("rev-parse", "HEAD")
    if base == _git("rev-parse", "HEAD"):
        base = [*_git("rev-parse", "--quiet", "--verify", "HEAD~1"), *base][:1]
    return sorted({*_git("diff", "--name-only", *base), *_git("ls-files", "--others", "--exclude-standard")})


def _git(*arguments: str) -> list[str]:
    ended = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return ended.stdout.splitlines() if ended.returncode == 0 else []


def affected(files: Sequence[str]) -> list[Path]:
    """Return the test files that reach one of the files by imports, or that name one; fewer steps come first.

    The other tests of the files' rooms come last: modules that are loaded by name are reached by no import.
    """
    users = _users()
    distances = {ROOT / "tests/unit" / name: 0 for name in ALWAYS}
    reached = {ROOT / file: 0 for file in files}
    pending = list(reached)
    for path in pending:
        for user in sorted(users.get(path, ())):
            if user not in reached:
                reached[user] = reached[path] + 1
                pending.append(user)
    distances |= reached
    rooms = {parts[1] for file in files if (parts := Path(file).parts)[0] == PACKAGE and len(parts) > 2}
    for room in sorted(rooms):
        for test in sorted((ROOT / "tests/unit" / room).glob("test_*.py")):
            distances.setdefault(test, len(reached))
    tests = [path for path in distances if path.match("tests/unit/*/test_*.py") and path.exists()]
    return sorted(tests, key=lambda path: (distances[path], path.name))


def suites(files: Sequence[str]) -> list[str]:
    """Return the lit suites of the rooms of these files, and those of the files that are tests of lit."""
    found = {file for file in files if file.startswith("tests/lit/") and file.endswith(".mlir")}
    for file in files:
        if file.startswith(f"{PACKAGE}/"):
            names = SUITES.get(Path(file).parts[1], ("",))
            found.update(f"tests/lit/{name}".rstrip("/") for name in names)
    return ["tests/lit"] if "tests/lit" in found else sorted(found)


@cache
def _users() -> dict[Path, set[Path]]:
    """Return, for each file, the Python files that import or name it."""
    paths = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]
    listed = [name for name in _git("ls-files") if not name.endswith((".mlir", ".bc"))]
    others = [ROOT / name for name in listed if not name.startswith(f"{PACKAGE}/") or not name.endswith(".py")]
    beside, called = defaultdict[Path, list[Path]](list), defaultdict[str, list[Path]](list)
    for other in others:
        beside[other.parent].append(other)
        for name in {other.name, other.stem if other.suffix == ".md" else other.name}:
            called[name].append(other)
    modules = {_module(path): path for path in paths}
    users: dict[Path, set[Path]] = {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        named = {modules[name] for name in _imports(path, text) if name in modules}
        if path.is_relative_to(ROOT / "tests"):
            named.update(*[called[word] for word in called.keys() & set(re.findall(r"[\w./-]+", text))])
        else:
            named.update(other for other in beside[path.parent] if other.name in text)
        for other in named - {path}:
            users.setdefault(other, set()).add(path)
    return users


def _module(path: Path) -> str:
    """Return the import name of a file; tests and tools are top-level modules."""
    relative = path.relative_to(ROOT).with_suffix("")
    parts = relative.parts if relative.parts[0] == PACKAGE else (relative.name,)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _imports(path: Path, text: str) -> Iterator[str]:
    """Yield the modules that a file imports, or names in its text as `stablehlo_py.cli.opt`.

    A syntax tree of each file would take a quick check longer than its tests.
    """
    package = path.relative_to(ROOT).parent.parts
    for dots, module, several, one in _FROM.findall(text):
        origin = package[: len(package) - len(dots) + 1] if dots else ()
        base = ".".join([*origin, *([module] if module else [])])
        names = _NAME.findall(re.sub("#.*", "", several or one))
        yield from (base, *(f"{base}.{name}" for name in names))
    for names in _IMPORT.findall(text):
        yield from (name.split()[0] for name in names.split(","))
    for found in _OF_PACKAGE.findall(_FROM.sub("", text)):
        yield from (found, found.rpartition(".")[0])
