"""Build the documentation site into docs/_build/html, with every notebook executed and every warning an error.

Arguments go to sphinx-build. Open docs/_build/html/index.html in a browser: nothing is fetched, the search included.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main() -> int:
    """Return sphinx's exit code."""
    target = DOCS / "_build" / "html"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", *sys.argv[1:]]
    ended = subprocess.run([*command, str(DOCS), str(target)])
    if ended.returncode == 0:
        print(f"wrote {target / 'index.html'}")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
