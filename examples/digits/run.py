"""Reads 360 scans of handwritten digits with a small convolutional network, given as a portable artifact.

The network, the scans and what JAX made of them were written by train.py; this needs stablehlo_py alone.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import stablehlo_py

HERE = Path(__file__).resolve().parent
SHADES = " .:-=+*#%@"
REQUIRED_ACCURACY = 0.97


def picture(scan: np.ndarray) -> list[str]:
    """The eight lines of a scan (8 x 8, 0 to 16), two characters a pixel."""
    shades = scan.astype(int) * (len(SHADES) - 1) // 16
    return ["".join(SHADES[shade] * 2 for shade in row) for row in shades]


def draw(scans: np.ndarray, captions: list[str]) -> None:
    """Prints the scans side by side, each over its caption."""
    pictures = [picture(scan) for scan in scans]
    for lines in zip(*pictures, strict=True):
        print("   ".join(lines).rstrip())
    print("   ".join(f"{caption:16}" for caption in captions).rstrip())


def main() -> int:
    """The exit code: 0 when the accuracy is as required and every digit is the one that JAX read."""
    held_out = np.load(HERE / "held_out.npz")
    scans, labels = held_out["scans"], held_out["labels"]

    network = stablehlo_py.deserialize(HERE / "digits.mlir.bc")
    start = time.perf_counter()
    digits, probabilities = stablehlo_py.interpret(network, [scans])
    seconds = time.perf_counter() - start

    right = digits == labels
    misread = np.flatnonzero(~right)[:2]
    shown = np.concatenate([np.flatnonzero(right)[: 5 - len(misread)], misread])
    captions = [f"{digits[i]} ({probabilities[i]:.0%})" + ("" if right[i] else f", is {labels[i]}") for i in shown]
    draw(scans[shown], captions)
    same = np.count_nonzero(digits == held_out["jax_predictions"])
    print(f"\n{len(scans)} scans read in {seconds:.2f} s: {right.mean():.1%} right, {same} as JAX read them")
    return 0 if right.mean() >= REQUIRED_ACCURACY and same == len(scans) else 1


sys.exit(main())
