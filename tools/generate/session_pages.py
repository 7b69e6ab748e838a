"""Write what the commands of tests/unit/*/sessions print now, of a room or of all. Takes a minute."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from sessions import replayed, session_pages


def main() -> None:
    """Write the pages of a room, or of all."""
    for page in session_pages(*sys.argv[1:2]):
        with tempfile.TemporaryDirectory() as folder:
            text = replayed(page.read_text(encoding="utf-8"), Path(folder))
        page.write_text(text, encoding="utf-8")
        print(page)


if __name__ == "__main__":
    main()
