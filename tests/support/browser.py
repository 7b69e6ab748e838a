"""Open pages in a Chromium without a screen, runs scripts in them, and takes pictures of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from html import unescape
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
# An exception of a script is its result, too.
RUNNER = """<pre id="outcome"></pre><script>
try { outcome.textContent = JSON.stringify({ value: (() => { %s })() }); }
catch (error) { outcome.textContent = JSON.stringify({ error: String(error.stack) }); }
</script>"""


def evaluate(html: str, script: str, address: str = "", size: tuple[int, int] = (1280, 800)) -> Any:
    """Return what `script` returns in the page, opened from a file; `address` follows the file's name."""
    page = html.replace("</body>", RUNNER % script + "</body>")
    output = _open(page, address, f"--window-size={size[0]},{size[1]}", "--dump-dom")
    found = re.search(r'<pre id="outcome">(.*?)</pre>', output, re.DOTALL)
    if found is None:
        raise RuntimeError("the page did not come to its end")
    outcome = json.loads(unescape(found[1]))
    if "error" in outcome:
        raise RuntimeError(outcome["error"])
    return outcome["value"]


def take_picture(html: str, path: Path, address: str = "", size: tuple[int, int] = (1200, 750)) -> None:
    """Write what the page looks like as a PNG file."""
    _open(html, address, f"--window-size={size[0]},{size[1]}", "--virtual-time-budget=4000", f"--screenshot={path}")


def _open(html: str, address: str, *flags: str) -> str:
    if CHROMIUM is None:
        raise RuntimeError("there is no Chromium on this machine")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(html, encoding="utf-8")
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}/profile", *flags, page.as_uri() + address]
        completed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return completed.stdout
