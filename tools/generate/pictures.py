"""Take the pictures in docs/images.

`python tools/generate/pictures.py` needs jax, Chromium, Pillow, ipykernel and nbconvert. `PICTURES` lists them;
docs/viewing.md has the same as commands.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import take_picture
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
LAYER_NORM = "examples/debug/layer_norm.mlir"
COLOURS = 64
# The name of the picture, the commands that make the page, and what follows the page's name in the browser.
PICTURES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "report.png",
        ("python benchmarks/models.py gpt2-small -o gpt2.mlir", "stablehlo view gpt2.mlir -o page.html"),
        "",
    ),
    ("graph.png", (), "#tab=graph&theme=dark"),
    ("ops.png", (), "#tab=ops&search=dot_general&at=44"),
    (
        "overlay.png",
        (
            f"stablehlo numerics {LAYER_NORM} --input-distribution='uniform(7,9)' --json > numerics.json",
            f"stablehlo view {LAYER_NORM} --overlay numerics.json -o page.html",
        ),
        "#overlay=3&at=18",
    ),
    (
        "diff.png",
        (
            "stablehlo-opt examples/jax/attention.mlir --stablehlo-aggressive-simplification -o after.mlir",
            "stablehlo diff examples/jax/attention.mlir after.mlir -o page.html",
        ),
        "",
    ),
)
NOTEBOOK = "notebook.png"
CELLS = (
    """%load_ext stablehlo_py
import numpy as np, stablehlo_py
x, y = np.float32([1, 2]), np.float32([3, 4])""",
    """%%stablehlo add x y
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %sum = stablehlo.add %a, %b : tensor<2xf32>
  return %sum : tensor<2xf32>
}""",
    """from pathlib import Path
program = stablehlo_py.load(Path("examples/jax/attention.mlir"))
program.diff(Path("examples/jax/attention.mlir").read_text().replace("stablehlo.exponential", "stablehlo.tanh"))""",
    "program.view()",
)


def notebook(folder: str) -> str:
    """Return a page of a notebook with these cells and their output."""
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter
    from nbformat import v4

    book = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(book, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return HTMLExporter().from_notebook_node(book)[0]


def shrink(picture: Path) -> None:
    """Write a picture with few colours, as pages have few."""
    with Image.open(picture) as image:
        image.convert("RGB").quantize(COLOURS).save(picture, optimize=True)
    print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size // 1024} KiB")


def main() -> int:
    """Make the pages, and take a picture of each."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for part in ("examples", "benchmarks"):
            shutil.copytree(ROOT / part, Path(folder, part))
        for name, commands, address in PICTURES:
            for command in commands:
                subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.DEVNULL, check=False)
            picture = IMAGES / name
            take_picture(Path(folder, "page.html").read_text(encoding="utf-8"), picture, address)
            shrink(picture)
        take_picture(notebook(folder), IMAGES / NOTEBOOK, size=(1100, 1250))
        shrink(IMAGES / NOTEBOOK)
    return 0


if __name__ == "__main__":
    sys.exit(main())
