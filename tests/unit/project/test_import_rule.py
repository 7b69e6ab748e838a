"""The rooms import each other in one direction, and files and functions stay of a size that can be read at once."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "stablehlo_py"
FILES = sorted(PACKAGE.rglob("*.py"))
# What each room may import besides itself: what stands before it. Rooms in one row do not know each other.
FLOORS = (
    ("errors", "version"),
    ("isolation", "extensions", "junit", "sarif"),
    ("bindings",),
    ("dialect",),
    ("syntax",),
    ("shapes", "artifacts"),
    ("interpreter",),
    ("passes",),
    ("engines", "extend", "ops"),
    ("analysis",),
    ("debug", "spmd"),
    ("program", "conformance"),
    ("lsp", "testing", "notebook"),
    ("cli",),
)
MAY_IMPORT = {
    room: {lower for below in FLOORS[:number] for lower in below}
    for number, floor in enumerate(FLOORS)
    for room in floor
}
BINDING_PACKAGES = {"jaxlib", "mlir", "torch_mlir"}
LONGEST_FILE = 450
LONGEST_FUNCTION = 80  # most have fewer than 50; a command is one thing


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text())))


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    """Return the line and full name of every module that a file imports, wherever in it, by a string too."""
    return imports_of(nodes(path), path.relative_to(PACKAGE.parent).parent.parts)


def imports_of(nodes: list[ast.AST], package: tuple[str, ...]) -> list[tuple[int, str]]:
    """Return the same for the nodes of a file in `package`."""

    def full_name(name: str, level: int) -> str:
        return ".".join([*(package[: len(package) - level + 1] if level else ()), *([name] if name else [])])

    found = list[tuple[int, str]]()
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = full_name(node.module or "", node.level)
            found += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
            argument = node.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                name = argument.value.lstrip(".")
                found.append((node.lineno, full_name(name, len(argument.value) - len(name))))
    return found


def _called(call: ast.Call) -> str:
    """Return the last part of the name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def entry_points(path: Path) -> list[tuple[int, str]]:
    """Return the line and name of every module of this package that a text names, such as `package.module:function`."""
    texts = [node for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = re.compile(rf"({PACKAGE.name}(?:\.\w+)+)(?::\w+)?")
    return [(node.lineno, match[1]) for node in texts if (match := named.fullmatch(str(node.value)))]


def room(name: str) -> str | None:
    """The room that a module name of this package belongs to: None for the package itself and other packages."""
    parts = name.split(".")
    return parts[1] if parts[0] == PACKAGE.name and len(parts) > 1 and parts[1] in MAY_IMPORT else None


def file_room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(PACKAGE.parent)}:{line}"


def test_every_room_has_a_rule():
    assert {file_room(path) for path in FILES} - {"__init__", "__main__"} <= set(MAY_IMPORT)


def test_imports_point_one_way():
    wrong: list[str] = []
    for path in FILES:
        # The package's own page combines the rooms.
        allowed = MAY_IMPORT.get(file_room(path), set(MAY_IMPORT)) | {file_room(path), None}
        named = imports(path) + entry_points(path)
        wrong += [f"{place(path, line)} {name}" for line, name in named if room(name) not in allowed]
    assert not wrong


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PLANTED_IMPORT = """
import importlib
def later():
    importlib.import_module("stablehlo_py.cli.opt")
    importlib.import_module("..cli.common", __package__)
    __import__("stablehlo_py.lsp")
"""


def test_an_import_by_a_string_is_seen():
    found = imports_of(list(ast.walk(ast.parse(PLANTED_IMPORT))), ("stablehlo_py", "bindings"))
    names = [name for _, name in found]
    assert sorted(names) == ["importlib", "stablehlo_py.cli.common", "stablehlo_py.cli.opt", "stablehlo_py.lsp"]


def import_graph(files: list[Path]) -> dict[str, set[str]]:
    """The modules that each module imports: inside functions and for annotations (`TYPE_CHECKING`) too, because a
    reader of one of them has to know the other."""
    graph: dict[str, set[str]] = {module_name(path): set() for path in files}
    for path in files:
        for _, name in imports(path):
            target = name.removeprefix(f"{PACKAGE.name}.") if name.startswith(f"{PACKAGE.name}.") else ""
            while target and target not in graph:
                target = target.rpartition(".")[0]
            if target and target != module_name(path):
                graph[module_name(path)].add(target)
    return graph


def reached_from(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The modules that each module reaches."""
    reached: dict[str, set[str]] = {}
    for start in graph:
        found, pending = set[str](), [start]
        while pending:
            for target in graph[pending.pop()] - found:
                found.add(target)
                pending.append(target)
        reached[start] = found
    return reached


def circles(graph: dict[str, set[str]]) -> set[tuple[str, ...]]:
    """The groups of modules that reach each other."""
    reached = reached_from(graph)
    return {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in graph
        if name in reached[name]
    }


def test_no_room_has_an_import_circle():
    assert circles(import_graph(FILES)) == set()


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {("b", "c")}


def test_only_the_bindings_room_imports_bindings():
    others = [path for path in FILES if file_room(path) != "bindings"]
    found = [(path, line, name) for path in others for line, name in imports(path)]
    assert [f"{place(path, line)} {name}" for path, line, name in found if name.split(".")[0] in BINDING_PACKAGES] == []


def test_kernels_do_not_import_the_interpreter():
    kernels = sorted((PACKAGE / "interpreter" / "ops").glob("*.py"))
    found = [(path, line, name) for path in kernels for line, name in imports(path)]
    program = f"{PACKAGE.name}.interpreter.program"
    assert kernels
    assert [f"{place(path, line)} {name}" for path, line, name in found if name.startswith(program)] == []


def test_files_and_functions_are_short():
    long = [f"{place(path, count)}" for path in FILES if (count := path.read_text().count("\n")) >= LONGEST_FILE]
    for path in FILES:
        functions = [node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        long += [
            f"{place(path, node.lineno)} {node.name}"
            for node in functions
            if node.end_lineno - node.lineno + 1 >= LONGEST_FUNCTION
        ]
    assert not long


def test_nothing_depends_on_accelerators():
    """The folder can be deleted: only its own modules import it."""
    fast = f"{PACKAGE.name}.interpreter.fast"
    folder = PACKAGE / "interpreter" / "fast"
    others = [path for path in FILES if not path.is_relative_to(folder)]
    assert not [path for path in others if any(name.startswith(fast) for _, name in imports(path))]


def shared_with_the_oracle(graph: dict[str, set[str]]) -> set[str]:
    """The modules of what it judges that the conformance kit's oracle reaches."""
    found = reached_from(graph)
    judged = ("interpreter", "shapes", "engines", "debug")
    oracle = [name for name in graph if name.startswith("conformance.oracle")]
    assert len(oracle) > 1
    return {name for module in oracle for name in found[module] if name.split(".")[0] in judged}


def test_the_oracle_shares_nothing_with_what_it_judges():
    assert shared_with_the_oracle(import_graph(FILES)) == set()


@pytest.mark.parametrize("module", ["conformance.oracle.rounding", "conformance.generate.values"])
def test_an_import_that_the_oracle_shares_is_seen(module):
    graph = import_graph(FILES)
    graph[module].add("interpreter.element_types.ulp")
    assert "interpreter.element_types.ulp" in shared_with_the_oracle(graph)


# Modules that start processes, and functions that do, or that fork this one, end others or set limits.
_STARTERS = {"subprocess", "multiprocessing", "pty"}
_CALLS = {
    *("fork", "forkpty", "posix_spawn", "posix_spawnp", "spawnv", "spawnvp", "system", "popen", "execv", "execvp"),
    *("create_subprocess_exec", "create_subprocess_shell", "ProcessPoolExecutor"),
    *("kill", "killpg", "waitpid", "setrlimit", "prctl", "setitimer", "alarm"),
}
# lit is given a class in place of its own `subprocess.Popen`.
_EXCEPTIONS = {"testing/warm_lit.py": {"subprocess"}}


def process_calls(nodes: list[ast.AST], package: tuple[str, ...]) -> set[str]:
    """Return the names of calls and modules for processes among the nodes of a file in `package`."""
    imported = [name.split(".") for _, name in imports_of(nodes, package)]
    calls = {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {parts[-1] for parts in imported}
    return (calls & _CALLS) | {parts[0] for parts in imported} & _STARTERS


def test_only_isolation_starts_and_guards_processes():
    found: list[str] = []
    for path in FILES:
        relative = path.relative_to(PACKAGE)
        if file_room(path) != "isolation":
            used = process_calls(nodes(path), path.relative_to(PACKAGE.parent).parent.parts)
            found += [f"{relative}: {each}" for each in sorted(used - _EXCEPTIONS.get(relative.as_posix(), set()))]
    assert not found


@pytest.mark.parametrize(
    "planted",
    [
        "import os; os.fork()",
        "from os import fork",
        "import subprocess",
        "from concurrent.futures import ProcessPoolExecutor",
        "import importlib; importlib.import_module('multiprocessing.pool')",
        "import signal; signal.setitimer(signal.ITIMER_REAL, 1)",
    ],
)
def test_a_process_that_is_started_is_seen(planted):
    assert process_calls(list(ast.walk(ast.parse(planted))), ("stablehlo_py",))


# The interpreter's path as a default, in messages and names of files; none of these starts it.
_NAMES_PYTHON = {"engines/catalog.py", "engines/process.py", "testing/filecheck.py", "testing/lit.py"}


def test_pythons_are_started_by_one_function():
    """`python_command` keeps the current folder out of the path of imports."""
    named = [
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        if any(isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.executable" for node in nodes(path))
    ]
    assert sorted(named) == sorted([*_NAMES_PYTHON, "isolation/commands.py"])


# The magic of notebooks takes an expression; shape functions keep their assertions in `python -O`; the checks of
# `dialect/ops.toml` are expressions.
_COMPILERS = {
    "notebook.py": {"eval"},
    "passes/verify_spec.py": {"compile", "eval"},
    "shapes/functions/__init__.py": {"compile"},
}


def test_exceptions_exist():
    exceptions = [*_EXCEPTIONS, *_NAMES_PYTHON, *_COMPILERS]
    assert [name for name in exceptions if not (PACKAGE / name).is_file()] == []


def test_only_accelerators_compile_code():
    found: list[str] = []
    for path in FILES:
        name = path.relative_to(PACKAGE).as_posix()
        calls = [node.func for node in nodes(path) if isinstance(node, ast.Call)]
        called = {function.id for function in calls if isinstance(function, ast.Name)} & {"exec", "eval", "compile"}
        if not name.startswith("interpreter/fast/"):
            found += [f"{name}: {each}" for each in sorted(called - _COMPILERS.get(name, set()))]
    assert not found
