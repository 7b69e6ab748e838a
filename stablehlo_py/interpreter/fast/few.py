"""The numbers of elements up to which the small-array paths are faster than arrays."""

from __future__ import annotations

FEW_UPDATED = 8
"""Elements that `scatter` updates by calls of its body."""
FEW_PLACES = 64
"""Elements of a window that `scatter` updates one after the other, each in all windows at once."""
FEW_COPIED = 1 << 12
"""Elements that `broadcast_in_dim` copies."""
