#!/usr/bin/env python3
"""Runs the executable tests of Shardy's partitioner with the tools of this package.

    python tests/external/shardy_suite.py CHECKOUT     # a checkout of openxla/shardy

The tests call `sdy_opt`, `split-file` and `stablehlo-translate`. Nothing is written into the checkout. The exit code is
1 if a test fails that `KNOWN` does not explain, or one passes that it does.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from stablehlo_py.isolation.commands import LIT

TRANSFORMS = Path("shardy/dialect/sdy/transforms")
# test -> why it cannot pass
KNOWN = {
    "sdy_all_gather.mlir": "puts two outputs of sdy-convert-global-to-local into one file, and with jaxlib 0.12 each "
    "of them defines the mesh that its replica groups name",
}
CONFIGURATION = """
import os
import lit.formats

config.name = "Shardy"
config.suffixes = [".mlir"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.environment["PATH"] = os.environ["PATH"]
"""


def folders(checkout: Path) -> list[Path]:
    """Return the folders of executable tests in a checkout."""
    return sorted(path for path in (checkout / TRANSFORMS).glob("*/test/executable_*") if path.is_dir())


def run(checkout: Path) -> dict[str, str]:
    """Run the tests of a checkout, and return lit's verdict by the name of the test."""
    with tempfile.TemporaryDirectory() as name:
        copy, results = Path(name, "tests"), Path(name, "results.json")
        for folder in folders(checkout):
            shutil.copytree(folder, copy / folder.relative_to(checkout))
        copy.mkdir(exist_ok=True)
        (copy / "lit.cfg.py").write_text(CONFIGURATION, encoding="utf-8")
        binaries = str(Path(sys.executable).parent)
        environment = os.environ | {"PATH": os.pathsep.join([binaries, os.environ["PATH"]])}
        command = [*LIT, "--verbose", f"--output={results}", str(copy)]
        subprocess.run(command, env=environment, check=False)
        tests = json.loads(results.read_text(encoding="utf-8"))["tests"]
    return {test["name"].rpartition("/")[2]: test["code"] for test in tests}


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", type=Path, help="the top of a checkout of openxla/shardy")
    checkout = parser.parse_args().checkout
    if not folders(checkout):
        sys.exit(f"{checkout}: no executable tests in {TRANSFORMS}")
    verdicts = run(checkout)
    failed = {name for name, code in verdicts.items() if code != "PASS"}
    print(f"{len(verdicts) - len(failed)} of {len(verdicts)} pass")
    for name in sorted(failed):
        print(f"  {name}: {KNOWN.get(name, 'failed')}")
    return 0 if failed == KNOWN.keys() & verdicts.keys() else 1


if __name__ == "__main__":
    sys.exit(main())
