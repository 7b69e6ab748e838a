"""Configuration for lit suites that use the tools of this package.

A `lit.cfg.py` of your own needs no more than

    import os
    from stablehlo_py.testing import lit
    lit.configure(config, lit_config, name="my-suite", source_root=os.path.dirname(__file__))

Then `RUN` lines can use `stablehlo-opt`, `stablehlo-translate`, `stablehlo-compat` and `stablehlo` of the interpreter
that runs lit, `FileCheck` (see `filecheck.find_filechecks`), `not`, `%python`, and bash's `diff <(…) <(…)`; `REQUIRES:`
can name the features of the installed bindings (see `provider_features`).

With `warm=True` lit runs these tools and the `filecheck` package by forks of its own process, which has loaded them: in
a fraction of the time that starting Python takes, with the same results. STABLEHLO_PY_COLD_LIT=1 in the environment
starts programs all the same.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import zlib
from collections.abc import Iterable
from typing import Any

from .filecheck import find_filechecks

COLD_VARIABLE = "STABLEHLO_PY_COLD_LIT"
_TOOLS = {
    "stablehlo": "stablehlo",
    "stablehlo-opt": "opt",
    "stablehlo-translate": "translate",
    "stablehlo-compat": "compat",
}
_PASSED_ON = (
    "HOME",
    "PYTHONPATH",
    "TMPDIR",
    "VIRTUAL_ENV",
    "STABLEHLO_PY_PROVIDER",
    "STABLEHLO_PY_FILECHECK",
    "STABLEHLO_PY_FAST",
)

_TOOL = """import sys
from stablehlo_py.cli.{module} import main
sys.exit(main())
"""
# A tool that a signal ended has not failed in the way that `not` is there to test; `not --crash` is for those.
_NOT = """import subprocess, sys
arguments = sys.argv[1:]
wants_crash = arguments[:1] == ["--crash"]
code = subprocess.call(arguments[wants_crash:])
is_crash = code < 0 or code > 128
sys.exit(0 if code and is_crash == wants_crash else 1)
"""
# Several FileChecks have to pass on the same input.
_FILECHECK = """import subprocess, sys
programs, arguments = {programs!r}, sys.argv[1:]
reads_file = any("-input-file" in argument for argument in arguments)
data = None if reads_file else sys.stdin.buffer.read()
for program in programs:
    code = subprocess.run([program, *arguments], input=data).returncode
    if code:
        sys.exit(code)
"""
# Without the folders of packages Python starts in half the time.
_WITHOUT_PACKAGES = "-IS"
_LONGEST_FIRST_LINE = 127  # of a script, for older kernels


def _write(path: str, text: str) -> None:
    """Make the file an executable with this text, in one step: another lit may be running it."""
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(temporary, 0o755)
    os.replace(temporary, path)


def _launcher(path: str, code: str, flags: str = "") -> None:
    """Make a program that runs `code` by this interpreter; only where its path has blanks or is long by a shell."""
    python = sys.executable
    if os.name == "nt":
        _write(f"{path}-script.py", code)
        _write(f"{path}.bat", f'@"{python}" {flags} "%~dp0{os.path.basename(path)}-script.py" %*\n')
        return
    first = f"#!{python} {flags}".rstrip()
    if " " in python or len(first) > _LONGEST_FIRST_LINE:
        # A shell reads it as a command, Python as a string.
        first = f"#!/bin/sh\n'''exec' {shlex.quote(python)} {flags} \"$0\" \"$@\"\n' '''"
    _write(path, f"{first}\n{code}")


def make_tool_folder(folder: str, *filechecks: str) -> None:
    """Fill `folder` with the programs that RUN lines call, each running on this interpreter.

    Args:
        folder: The folder, which is made.
        filechecks: What FileCheck runs; all of them have to pass.
    """
    os.makedirs(folder, exist_ok=True)
    for name, module in _TOOLS.items():
        _launcher(os.path.join(folder, name), _TOOL.format(module=module))
    alone = shutil.which(filechecks[0]) if len(filechecks) == 1 and os.name != "nt" else None
    if alone is None:
        _launcher(os.path.join(folder, "FileCheck"), _FILECHECK.format(programs=filechecks), _WITHOUT_PACKAGES)
    else:  # it needs no Python to start it
        temporary = os.path.join(folder, f"FileCheck.{os.getpid()}")
        os.symlink(os.path.abspath(alone), temporary)
        os.replace(temporary, os.path.join(folder, "FileCheck"))
    _launcher(os.path.join(folder, "not"), _NOT, _WITHOUT_PACKAGES)


def provider_features() -> set[str]:
    """Return the features that tests can ask for in `REQUIRES:`, found by trying.

    `stablehlo-1.9` and so on for each version that can be written; `dialect-sdy`; `pass-canonicalize` for each pass;
    `op-chlo.scan` for each op of StableHLO, CHLO, arith and math; `provider-jaxlib`; and the capabilities of
    bindings/capabilities.py, such as `pass-statistics`.
    """
    from ..artifacts.versions import opset_versions
    from ..bindings import make_context, provider
    from ..bindings.capabilities import capabilities
    from ..bindings.context import loaded_dialects
    from ..bindings.op_signatures import newest_names
    from ..passes.catalog import available_passes

    context = make_context()
    return {
        f"provider-{provider.name}",
        *(name for name, is_there in capabilities().items() if is_there),
        *(f"dialect-{name}" for name in loaded_dialects(context)),
        *(f"op-{name}" for name in newest_names() if context.is_registered_operation(name)),
        *(f"pass-{name}" for name in available_passes()),
        *(f"stablehlo-{version.major}.{version.minor}" for version in opset_versions()),
    }


def configure(
    config: Any, lit_config: Any, *, name: str, source_root: str, warm: bool = False, features: Iterable[str] = ()
) -> None:
    """Configure a lit suite for the tools of this package; call it from `lit.cfg.py`.

    Tests are `.mlir` files outside folders called `Inputs`. Temporary files go to `Output` folders below
    `config.test_exec_root` if a site configuration sets it, else below `source_root`. lit ends with a message if
    FileCheck is not installed.

    Args:
        config: The `config` that lit gives to a `lit.cfg.py`.
        lit_config: The `lit_config` that lit gives to it.
        name: The name of the suite.
        source_root: The folder of the tests.
        warm: Run the tools by forks of lit's process where the system can.
        features: What else tests can ask for in `REQUIRES:`.
    """
    from .process_substitution import SubstitutingShTest

    filechecks = find_filechecks()
    if not filechecks:
        lit_config.fatal("FileCheck is not installed; install it with: pip install filecheck")
        return
    config.name = name
    config.test_format = SubstitutingShTest()
    config.suffixes = [".mlir", ".test"]
    config.excludes = ["Inputs", "Output"]
    config.test_source_root = source_root
    if config.test_exec_root is None:
        config.test_exec_root = source_root
    # Runs with another interpreter or another FileCheck may go on at the same time.
    kind = zlib.crc32(f"{sys.executable}:{filechecks}".encode())
    tools = os.path.join(config.test_exec_root, "Output", f"bin-{kind:08x}")
    make_tool_folder(tools, *filechecks)
    if warm and not os.environ.get(COLD_VARIABLE):
        from .warm_lit import WarmShTest, works_here

        if works_here():
            config.test_format = WarmShTest(tools, _TOOLS, filechecks)
    config.environment["PATH"] = os.pathsep.join([tools, os.environ.get("PATH", os.defpath)])
    config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
    for variable in _PASSED_ON:
        if variable in os.environ:
            config.environment[variable] = os.environ[variable]
    config.substitutions.append(("%python", sys.executable))
    config.available_features.update(provider_features(), features)
