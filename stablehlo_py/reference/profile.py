"""Deprecated: `stablehlo_py.interpreter.profile`."""

from __future__ import annotations

import warnings

from ..interpreter.profile import Profile as Profile
from ..interpreter.profile import Progress as Progress

warnings.warn(
    "stablehlo_py.reference.profile is now stablehlo_py.interpreter.profile", DeprecationWarning, stacklevel=2
)
