"""Opens pages in a Chromium without a screen, and runs scripts in them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page in")
# What a script throws is its result, too.
RUNNER = """<pre id="outcome"></pre><script>
try { outcome.textContent = JSON.stringify({ value: (() => { %s })() }); }
catch (error) { outcome.textContent = JSON.stringify({ error: String(error.stack) }); }
</script>"""


def evaluate(html: str, script: str, folder: Path, address: str = "") -> Any:
    """What `script` returns in the page, which is opened from a file."""
    page = folder / "page.html"
    page.write_text(html.replace("</body>", RUNNER % script + "</body>"), encoding="utf-8")
    command = [str(CHROMIUM), *FLAGS, "--window-size=1280,800", f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    completed = subprocess.run([*command, page.as_uri() + address], capture_output=True, text=True, timeout=120)
    found = re.search(r'<pre id="outcome">(.*?)</pre>', completed.stdout, re.DOTALL)
    assert found is not None, completed.stderr
    text = found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u00a0").replace("&amp;", "&")
    outcome = json.loads(text)
    assert "error" not in outcome, outcome["error"]
    return outcome["value"]
