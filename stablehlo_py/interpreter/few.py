"""Up to how many elements the shorter ways are faster than arrays, and the switch that leaves all of them out.

STABLEHLO_PY_FEW=0 in the environment makes every op run by what its own file says alone, however few elements there
are. Tests compare both ways.
"""

from __future__ import annotations

import os

ENABLED = os.environ.get("STABLEHLO_PY_FEW", "1") != "0"


def _limit(elements: int) -> int:
    return elements if ENABLED else -1


FEW = 16
"""Elements that Python's numbers compute in less time than numpy: `element_types.numbers`."""
FEW_FOLDED = _limit(32)
"""Values that `reduce` folds by calls of its body."""
FEW_BESIDE = _limit(8)
"""Values beside each other that `reduce` folds one after the other, each of all rows at once."""
FEW_UPDATED = _limit(8)
"""Elements that `scatter` updates by calls of its body."""
FEW_PLACES = _limit(64)
"""Elements of a window that `scatter` updates one after the other, each in all windows at once."""
FEW_SOLVED = _limit(16)
"""Elements that `cholesky` and `triangular_solve` find one by one."""
FEW_COPIED = _limit(1024)
"""Elements copied in less time than it takes to make a broadcast view, or to ask what memory a view keeps alive."""
