"""`python -m stablehlo_py` is `stablehlo`, where its script is not on the PATH."""

from __future__ import annotations

from .cli import stablehlo

if __name__ == "__main__":
    stablehlo()
