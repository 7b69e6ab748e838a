"""Tolerances of users, in place of the allowed results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ...bindings.types import dtype_name, element_type_names
from ...errors import UsageError
from .measures import Tolerance, epsilon, is_float

EXACT = Tolerance()
_SPELLED = re.compile(r"(?P<amount>\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?P<unit>ulp|abs|rel)?")


def read_tolerances(texts: Sequence[str]) -> dict[str, Tolerance]:
    """Read `f32=1e-3rel`, `2=4ulp` and `1e-5abs` as tolerances by type, by number of a result, and for all ("").

    Raises:
        UsageError: A text is not of that form.
    """
    found: dict[str, Tolerance] = {}
    for text in texts:
        subject, equals, rest = text.partition("=")
        key, amounts = (subject, rest) if equals else ("", text)
        fields: dict[str, float] = {}
        for part in amounts.split("|"):
            match = _SPELLED.fullmatch(part.strip())
            if match is None:
                note = "write an amount and ulp, rel or abs: --tolerance=f32=4ulp, --tolerance=1e-3rel"
                raise UsageError(f"not a tolerance: '{text}'", notes=[note])
            unit = {"abs": "absolute", "ulp": "ulp"}.get(match["unit"] if match["unit"] else "rel", "relative")
            fields[unit] = float(match["amount"])
        found[key] = Tolerance(**fields)
    return found


def check_tolerances(given: Mapping[str, Tolerance], results: int) -> None:
    """Raise UsageError where a tolerance is for a result or an element type that does not exist."""
    for key in given:
        if key.isdigit() and int(key) >= results:
            raise UsageError(f"a tolerance is for result {key}, but the program has {results}, from 0 on")
        if key and not key.isdigit() and key not in element_type_names():
            raise UsageError(f"a tolerance is for '{key}', which is no element type")


def tolerance_for(index: int, dtype: np.dtype, given: Mapping[str, Tolerance]) -> Tolerance | None:
    """Return the user's tolerance for a result, for its type or for all; None if there is none."""
    return next((given[key] for key in (str(index), dtype_name(dtype), "") if key in given), None)


def half_the_digits(dtype: np.dtype) -> Tolerance:
    """The tolerance between two programs: half of the digits of a type are left."""
    return Tolerance(ulp=4, relative=(epsilon(dtype) / 2) ** 0.5) if is_float(dtype) else EXACT
