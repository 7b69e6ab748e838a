"""The distance of two arrays: absolute, relative, and in ULP (units in the last place); tolerances of users."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...bindings.narrowing import is_list, is_tuple
from ...bindings.types import Kind, dtype_name, element_type, element_type_names
from ...errors import UsageError
from ...interpreter.element_types.ulp import epsilon, error, parts, smallest_normal

QUANTILES = (0.5, 0.9, 0.99, 1.0)
# Upper ends of the histogram's buckets, in ULP; the last one is open.
BUCKETS = (0.0, 0.5, 1.0, 2.0, 4.0, 16.0, 256.0, 65536.0)
_SHOWN = 5
Wide = npt.NDArray[np.floating[Any]]  # numbers in a type that is wide enough
_MOST_ULP = 1e6  # that are counted; more of them say nothing


@dataclass(frozen=True)
class Tolerance:
    """The largest difference of two equal values: one of the three limits suffices.

    Attributes:
        ulp: Units in the last place of the narrower of the two types.
        relative: Of the larger of the expected value and the root mean square of all expected values.
        absolute: An amount, or one for each element and its parts; the smallest normal number of the type is always
            allowed, as engines flush to zero.
    """

    ulp: float = 0.0
    relative: float = 0.0
    absolute: float | Wide = 0.0

    def __str__(self) -> str:
        if isinstance(self.absolute, np.ndarray):
            return f"{self.ulp:g} ulp or what rounding explains, up to {float(self.absolute.max(initial=0)):.3g}"
        parts = [f"{value:g} {name}" for name, value in asdict(self).items() if value]
        return " or ".join(parts) if parts else "exact"


class Likeness(NamedTuple):
    """How alike two arrays are as a whole; NaN if one of them does not vary, or is zero.

    Attributes:
        pearson: The correlation coefficient.
        cosine: The cosine of the angle between them.
        relative_l2: The norm of their difference, relative to the norm of the second one.
    """

    pearson: float
    cosine: float
    relative_l2: float

    def __str__(self) -> str:
        return f"Pearson {self.pearson:.6g}, cosine {self.cosine:.6g}, relative L2 {self.relative_l2:.4g}"


def _likeness(a: Wide, b: Wide) -> Likeness:
    finite = np.isfinite(a) & np.isfinite(b)
    x, y = ((one.ravel() if finite.all() else one[finite]).astype(np.float64, copy=False) for one in (a, b))

    def dot(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> np.float64:
        return np.einsum("i,i", x, y)  # threads of a BLAS wait for each other

    def cosine(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> float:
        return float(dot(x, y) / np.sqrt(dot(x, x) * dot(y, y)))

    with np.errstate(all="ignore"):
        centred = (x - np.mean(x), y - np.mean(y)) if x.size else (x, y)
        return Likeness(cosine(*centred), cosine(x, y), float(np.sqrt(dot(x - y, x - y) / dot(y, y))))


@dataclass(frozen=True)
class Difference:
    """The difference of two arrays of one shape; the second is the expected one.

    Attributes:
        count: Elements compared.
        mismatches: Elements beyond the tolerance.
        max_absolute: The largest |first - second|, infinite where just one is NaN or infinite.
        max_relative: The largest |first - second| / |second|.
        max_ulp: The largest difference in ULP.
        histogram: Elements within 0, 0.5, 1, 2, 4, 16, 256 and 65,536 ULP, each counted once, and beyond.
        quantiles: The difference in ULP of half of the elements, of 90 %, of 99 % and of all.
        nans: NaN in the first and in the second.
        infinities: Infinities in the first and in the second.
        denormal: Whether the arrays differ by less than the smallest normal number of the narrower type.
        worst: Index, first and second value of the largest mismatches, the largest first, of equal ones the first.
        likeness: What backends report of floats that are finite in both arrays; None for other elements.
    """

    count: int
    mismatches: int
    max_absolute: float
    max_relative: float
    max_ulp: float
    histogram: tuple[int, ...]
    quantiles: tuple[float, ...]
    nans: tuple[int, int]
    infinities: tuple[int, int]
    worst: tuple[tuple[tuple[int, ...], str, str], ...]
    denormal: bool = False
    likeness: Likeness | None = None

    @property
    def same(self) -> bool:
        """Whether every element is within the tolerance."""
        return self.mismatches == 0

    @property
    def is_many_ulp(self) -> bool:
        """Whether ULP are too many for their number to say anything."""
        return np.isfinite(self.max_ulp) and self.max_ulp > _MOST_ULP

    @property
    def amount(self) -> str:
        """The largest difference in words: in ULP, or relative if these are too many."""
        if self.denormal:
            return "denormal numbers"
        return f"{self.max_relative:.4g} relative" if self.is_many_ulp else f"{self.max_ulp:.4g} ULP"

    def lines(self) -> list[str]:
        """Return the difference as text, the worst elements last."""
        found = [
            f"{self.mismatches} of {self.count} elements; largest difference {self.max_absolute:.4g} absolute, "
            f"{self.max_relative:.4g} relative{'' if self.is_many_ulp else f', {self.max_ulp:.4g} ULP'}",
        ]
        if not self.is_many_ulp:
            found.append(f"ULP at 50, 90, 99, 100 %: {', '.join(f'{value:.4g}' for value in self.quantiles)}")
        if self.likeness is not None and self.mismatches:
            found.append(str(self.likeness))
        if self.denormal:
            found.append("denormal numbers: all differences are below the smallest normal number")
        if any(self.nans) or any(self.infinities):
            found.append(f"NaN: {self.nans[0]}, expected {self.nans[1]}; "
                         f"infinities: {self.infinities[0]}, expected {self.infinities[1]}")  # fmt: skip
        return found + [f"{list(index)}: {first}, expected {second}" for index, first, second in self.worst]

    def as_dict(self) -> dict[str, Any]:
        """Return the difference as JSON holds it."""
        found = {key: _plain(value) for key, value in asdict(self).items()}
        likeness = None if self.likeness is None else {key: _plain(v) for key, v in self.likeness._asdict().items()}
        return {**found, "likeness": likeness, "amount": self.amount}


def brief(amount: str) -> str:
    """Return the amount of a difference as a column of a table has it."""
    return amount.removesuffix(" ULP").replace("relative", "rel").removesuffix(" numbers")


def _plain(value: Any) -> Any:
    if is_tuple(value) or is_list(value):
        return [_plain(part) for part in value]
    return str(value) if isinstance(value, float) and not np.isfinite(value) else value


@cache
def is_float(dtype: np.dtype) -> bool:
    """Whether elements are floats or complex numbers."""
    return element_type(dtype_name(dtype)).kind in (Kind.FLOAT, Kind.COMPLEX)


def is_same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are the same bit for bit."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    first, second = (np.ascontiguousarray(one).reshape(-1).view(np.uint8) for one in (a, b))
    return np.array_equal(first, second)


def parts_of(array: np.ndarray, wide: type[np.floating[Any]] = np.longdouble) -> Wide:
    """Return the numbers of an array in a wide type: a row for each, with both parts of one that is complex."""
    rows = parts(array.reshape(-1))
    if is_float(rows.dtype):
        return (rows if rows.dtype.kind == "f" else rows.astype(np.float64)).astype(wide, copy=False)
    return rows.astype(np.int64 if rows.dtype != np.uint64 else np.longdouble).astype(np.longdouble)


def wide_type(*dtypes: np.dtype) -> type[np.floating[Any]]:
    """Return a type in which differences of elements are measured: double precision if one of them is a narrow float.

    It is much faster than the widest type, and has more than twice the digits of f32."""
    return np.float64 if all(map(is_float, dtypes)) and max(map(epsilon, dtypes)) > 2.0**-24 else np.longdouble


def difference(
    first: np.ndarray, second: np.ndarray, tolerance: Tolerance, outside: np.ndarray | None = None
) -> Difference:
    """Measure how far `first` is from the expected `second`, which may be of a wider type, such as double precision.

    Of real and imaginary parts the larger difference counts. Integers and booleans have to be equal. The elements that
    are too far apart are those `outside`, otherwise those beyond the tolerance.
    """
    if outside is None and is_same(first, second):
        return _no_difference(first)
    a, b, apart, relative, ulps, bad = _measured(first, second, tolerance)
    wrong = bad if outside is None else outside.reshape(-1, 1)
    return _summary(a, b, apart, relative, ulps, wrong, first, second)


def mismatches(first: np.ndarray, second: np.ndarray, tolerance: Tolerance) -> tuple[Wide, Wide]:
    """Return the numbers of both arrays that are beyond the tolerance, in a wide type; see `difference`."""
    a, b, *_, bad = _measured(first, second, tolerance)
    return a[bad], b[bad]


def beyond(first: np.ndarray, second: np.ndarray, tolerance: Tolerance) -> npt.NDArray[np.bool_]:
    """Return the elements of two arrays that are farther apart than the tolerance allows."""
    bad = _measured(first, second, tolerance)[-1]
    return np.asarray(bad.any(1)).reshape(first.shape)


def _measured(first: np.ndarray, second: np.ndarray, tolerance: Tolerance) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Return the numbers of both arrays, their differences absolute, relative and in ULP, and which are too large."""
    wide = wide_type(first.dtype, second.dtype)
    a, b = parts_of(np.asarray(first), wide), parts_of(np.asarray(second), wide)
    with np.errstate(all="ignore"):
        equal = (a == b) | (np.isnan(a) & np.isnan(b))
        apart = np.where(equal, 0, np.abs(a - b))
        apart = np.where(np.isnan(apart), np.inf, apart)
        relative = np.where(equal, 0, apart / np.abs(b))
        relative = np.where(np.isnan(relative), np.inf, relative)
        if is_float(first.dtype) and is_float(second.dtype):
            narrow = max((first.dtype, second.dtype), key=epsilon)
            ulps = error(a, b, narrow)
            bad = (ulps > tolerance.ulp) & (apart > _allowed(b, tolerance, narrow))
        else:
            ulps, bad = apart, ~equal
            if isinstance(tolerance.absolute, np.ndarray):
                bad &= apart > tolerance.absolute
    return a, b, apart, relative, ulps, bad


def _allowed(expected: np.ndarray, tolerance: Tolerance, dtype: np.dtype) -> np.ndarray:
    """Return the absolute difference that the tolerance allows for each element."""
    finite = np.where(np.isfinite(expected), expected, 0)
    typical = np.sqrt(np.mean(finite * finite)) if finite.size else 0
    scale = np.maximum(np.abs(finite), typical)
    return np.maximum(tolerance.relative * scale, np.maximum(tolerance.absolute, smallest_normal(dtype)))


def _is_denormal(apart: float, *dtypes: np.dtype) -> bool:
    """Whether floats are apart, but by less than the smallest normal number of the narrower type."""
    if not all(map(is_float, dtypes)):
        return False
    return 0 < apart < smallest_normal(max(dtypes, key=epsilon))


def _no_difference(array: np.ndarray) -> Difference:
    """Return the difference of an array from itself."""
    found, likeness = parts_of(array, wide_type(array.dtype)), None
    nans, infinities = int(np.isnan(found).any(1).sum()), int(np.isinf(found).any(1).sum())
    if is_float(array.dtype):
        finite = found[np.isfinite(found)]
        varies, is_zero = finite.size and finite.max() > finite.min(), not finite.any()
        likeness = Likeness(1.0 if varies else np.nan, *((np.nan, np.nan) if is_zero else (1.0, 0.0)))
    return Difference(count=array.size, mismatches=0, max_absolute=0.0, max_relative=0.0, max_ulp=0.0,
                      histogram=(array.size, *[0] * len(BUCKETS)), quantiles=(0.0,) * len(QUANTILES),
                      nans=(nans, nans), infinities=(infinities, infinities), worst=(), likeness=likeness)  # fmt: skip


def _summary(a: Any, b: Any, apart: Any, relative: Any, ulps: Any, bad: Any, first: Any, second: Any) -> Difference:
    flat: np.ndarray = ulps.max(1)
    wrong: np.ndarray = bad.any(1)
    count = int(wrong.sum())
    order = np.flatnonzero(wrong)
    if count > _SHOWN:
        found = flat[order]
        least = np.partition(found, count - _SHOWN)[count - _SHOWN]
        above, equal = order[found > least], order[found == least]
        order = np.concatenate([above, equal[: _SHOWN - len(above)]])
    order = order[np.argsort(-flat[order], kind="stable")]
    places: list[tuple[np.intp, ...]] = [np.unravel_index(position, first.shape) for position in order]
    indices = [tuple(map(int, place)) for place in places]
    within = [0, *(int(np.count_nonzero(flat <= bucket)) for bucket in BUCKETS), flat.size]
    quantiles = np.quantile(flat, QUANTILES, method="higher") if flat.size else np.zeros(len(QUANTILES))
    return Difference(
        count=int(flat.size),
        mismatches=count,
        max_absolute=float(apart.max(initial=0)),
        max_relative=float(relative.max(initial=0)),
        max_ulp=float(flat.max(initial=0)),
        histogram=tuple([after - before for before, after in pairwise(within)]),
        quantiles=tuple(map(float, quantiles)),
        nans=(int(np.isnan(a).any(1).sum()), int(np.isnan(b).any(1).sum())),
        infinities=(int(np.isinf(a).any(1).sum()), int(np.isinf(b).any(1).sum())),
        worst=tuple((index, str(first[index]), str(second[index])) for index in indices),
        denormal=_is_denormal(float(apart.max(initial=0)), first.dtype, second.dtype),
        likeness=_likeness(a, b) if is_float(first.dtype) and is_float(second.dtype) else None,
    )


EXACT = Tolerance()
_SPELLED = re.compile(r"(?P<amount>\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?P<unit>ulp|abs|rel)?")


def read_tolerances(texts: Sequence[str]) -> dict[str, Tolerance]:
    """Read `f32=1e-3rel`, `2=4ulp` and `1e-5abs` as tolerances by type, by number of a result, and for all ("").

    Raises UsageError if a text is not of that form.
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
    """Return the tolerance between two programs: half of the digits of a type are left."""
    return Tolerance(ulp=4, relative=(epsilon(dtype) / 2) ** 0.5) if is_float(dtype) else EXACT
