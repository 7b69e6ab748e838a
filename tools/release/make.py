"""Make a release in dist/: run all checks, check versions, build twice and compare, check the metadata, try the wheel.

The wheel is installed into an empty environment of each Python at hand (3.11 to 3.13) and runs a program there.
docs/results/providers.json records the suites with each release of jaxlib; none may have failed. --matrix runs them
first, which takes hours.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import environment
import release_files

PROGRAM = """import stablehlo_py
seven = "func.func @main() -> tensor<i32> { %0 = stablehlo.constant dense<7> : tensor<i32> return %0 : tensor<i32> }"
assert stablehlo_py.load(seven)() == 7"""


def run(*command: object) -> None:
    """Run a step, or end with its output."""
    ended = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{ended.stdout}")


def try_wheel(wheel: Path) -> list[str]:
    """Install the wheel into an empty environment of each Python, and use it; the versions of Python."""
    tried = []
    for python in environment.pythons():
        asked = [python, "-c", "import ensurepip, venv, sys; print('%d.%d' % sys.version_info[:2])"]
        answer = subprocess.run(asked, capture_output=True, text=True)
        release = answer.stdout.strip()
        if answer.returncode or release in tried or tuple(map(int, release.split("."))) < environment.OLDEST:
            continue
        with tempfile.TemporaryDirectory() as folder:
            run(python, "-m", "venv", folder)
            binaries = Path(folder) / environment.BINARIES.name
            run(binaries / "python", "-m", "pip", "install", "--quiet", wheel)
            run(binaries / "python", "-m", "pip", "check")
            run(binaries / "stablehlo-opt", "--version")
            run(binaries / "stablehlo", "--help")
            run(binaries / "python", "-c", PROGRAM)
        tried.append(release)
    return tried


def main() -> None:
    """Make the release."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matrix", action="store_true", help="run all suites with every supported jaxlib")
    options = parser.parse_args()
    if options.matrix:
        subprocess.run([environment.ROOT / "tools" / "run", "external/provider_matrix"], check=True)
    target = environment.ROOT / "dist"
    shutil.rmtree(target, ignore_errors=True)
    run(environment.ROOT / "tools" / "check", "--release")
    release_files.make(target)
    archives = sorted(path for path in target.iterdir() if path.suffix in (".whl", ".gz"))
    run(sys.executable, "-m", "twine", "check", "--strict", *archives)
    tried = try_wheel(next(path for path in archives if path.suffix == ".whl"))
    for path in sorted(target.iterdir()):
        print(path)
    print(f"the wheel works with Python {', '.join(tried)}")


if __name__ == "__main__":
    main()
