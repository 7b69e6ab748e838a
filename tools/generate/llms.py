"""Write docs/llms.txt: a line for each page, tool and verb, for language models and those who feed them.

python tools/generate/llms.py            write it
python tools/generate/llms.py --check    fail if it is out of date
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from stablehlo_py.cli.information import INTRODUCTION
from stablehlo_py.cli.stablehlo import VERBS, stablehlo

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
_TREES = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"(.+?[.:])(?: [A-Z`]|$)")


def pages() -> Iterator[tuple[str, str, str]]:
    """Each page of the site in its order: its path, its title, and the first sentence of its text."""
    for tree in _TREES.findall((DOCS / "index.md").read_text(encoding="utf-8")):
        for name in [line for line in tree.splitlines() if line and not line.startswith(":")]:
            path = DOCS / f"{name}.md"
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                title = re.search(r"^# (.+)$", text, re.MULTILINE)
                assert title is not None, path
                yield f"{name}.md", title[1], _about(text[title.end() :])


def _about(text: str) -> str:
    """The first sentence of the first paragraph; empty where a page begins with something else."""
    paragraph = next((part for part in text.split("\n\n") if part.strip()), "").strip()
    if not re.match(r"(?!```)[\w`\[*]", paragraph):
        return ""
    line = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(paragraph.split()))
    found = _SENTENCE.match(line)
    return found[1] if found else line


def text() -> str:
    """The whole file."""
    lines = [
        "# stablehlo-py",
        "",
        "> Tools for StableHLO programs over the official MLIR bindings of jaxlib.",
        "",
        "## Pages",
        "",
    ]
    lines += [f"- [{title}]({path})" + (f": {about}" if about else "") for path, title, about in pages()]
    lines += ["", "## Tools", ""]
    lines += [f"- `{tool} {usage}`: {' '.join(about.split())}" for tool, (usage, about) in INTRODUCTION.items()]
    lines += [f"- `stablehlo VERB …`: {(stablehlo.help or '').splitlines()[0]}", "", "## Verbs of `stablehlo`", ""]
    lines += [f"- `stablehlo {name}`: {verb.summary}" for name, verb in VERBS.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if the file is out of date")
    path = DOCS / "llms.txt"
    if not parser.parse_args().check:
        path.write_text(text(), encoding="utf-8")
    elif not path.is_file() or path.read_text(encoding="utf-8") != text():
        print("docs/llms.txt is out of date: tools/run generate/llms writes it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
