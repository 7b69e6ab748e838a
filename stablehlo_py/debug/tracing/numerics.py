"""Finds out what each op of a program contributes to its rounding error, by a shadow run in double precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...bindings import ir
from ...engines import Engine
from ...errors import InputError
from ...interpreter.element_types.ulp import epsilon, smallest_normal
from ...syntax.tables import table
from ..allowed.measures import EXACT, brief, difference, is_float
from ..allowed.widths import stated
from ..programs.slices import Values
from ..programs.subject import OpLocation, Subject, needed
from .rows import Trace, TraceRow
from .trace import Tracer, largest, relative_error

CANCELLATION, OVERFLOW, UNDERFLOW, ABSORPTION = "cancellation", "overflow", "underflow", "absorption"
_LOST_BITS = 0.5  # a sum cancels where it loses more than this part of the significant digits
_SHOWN = 10
_MOST_ULP = 16.0  # drawn of the error of an op
_SUMS = ("stablehlo.add", "stablehlo.subtract")


@dataclass(frozen=True)
class Contribution:
    """The contribution of one op to the error.

    Attributes:
        place: The op.
        introduced: Its own rounding error, in ULP of its type, on the operands that the program has.
        total: The error of its result against the shadow run, relative to the typical value; None if it is unknown.
        grown: How much larger `total` is than the largest of its operands'.
        causes: `cancellation`, `overflow`, `underflow` or `absorption`, where they happen.
        elements: The share of elements in which each cause shows.
        accuracy: The accuracy that the op's `result_accuracy` states, or empty.
        amount: `introduced` in words: relative if ULP are too many, or denormal numbers.
        unmeasured: Why `total` and `grown` are unknown, or empty.
    """

    place: OpLocation
    introduced: float
    total: float | None
    grown: float | None
    causes: tuple[str, ...] = ()
    elements: tuple[float, ...] = ()
    accuracy: str = ""
    amount: str = ""
    unmeasured: str = ""


@dataclass(frozen=True)
class Numerics:
    """The outcome of `numerics`.

    Attributes:
        contributions: One for each op with float results.
        first_nonfinite: The first op that makes NaN or infinities of finite operands, or None.
        note: Why the list is not whole, or empty.
    """

    contributions: tuple[Contribution, ...]
    first_nonfinite: OpLocation | None
    note: str = ""

    def __str__(self) -> str:
        return numerics_text(self)

    def _repr_html_(self) -> str:
        rows = [
            (one.amount, _shown(one.total), _shown(one.grown), ", ".join(one.causes), one.place)
            for one in self.ranked()[:_SHOWN]
        ]
        title = "" if self.first_nonfinite is None else f"first NaN or infinity: {self.first_nonfinite}"
        return table(title, ("introduced", "total", "grown", "causes", "op"), rows)

    @property
    def exit_code(self) -> int:
        """1 where NaN or infinities come up that double precision does not have, 2 where ops did not run, or 0."""
        if any(OVERFLOW in one.causes for one in self.contributions):
            return 1
        return 2 if self.note else 0

    def ranked(self) -> list[Contribution]:
        """Return the contributions, those that make the error grow most first."""
        return sorted(self.contributions, key=lambda one: (-(one.grown or 0.0), -one.introduced, one.place.number))

    def by_line(self) -> dict[str, float]:
        """Return the growth of the error in the ops of each source line, the largest first."""
        lines: dict[str, float] = {}
        for one in self.contributions:
            key = one.place.location if one.place.location else one.place.op
            if one.grown is not None:
                lines[key] = lines.get(key, 0.0) + max(one.grown, 0.0)
        return dict(sorted(lines.items(), key=lambda item: -item[1]))

    def as_dict(self) -> dict[str, Any]:
        """Return the contributions as JSON holds them."""
        return {
            "contributions": [{**vars(one.place), **{k: v for k, v in vars(one).items() if k != "place"}}
                              for one in self.contributions],
            "lines": self.by_line(),
            "first_nonfinite": None if self.first_nonfinite is None else vars(self.first_nonfinite),
            "note": self.note,
        }  # fmt: skip


def _shown(error: float | None) -> str:
    return "-" if error is None else f"{error:.4g}"


def _line(one: Contribution) -> str:
    shares = ", ".join(f"{cause} {share:.0%}" for cause, share in zip(one.causes, one.elements, strict=True))
    shares = "; ".join(filter(None, [shares, one.accuracy, one.unmeasured]))
    numbers = f"{brief(one.amount):>12}{_shown(one.total):>12}{_shown(one.grown):>12}"
    return f"{numbers}  {one.place}" + (f" ({shares})" if shares else "")


def numerics_text(found: Numerics, top: int = _SHOWN) -> str:
    """Return the ops and the source lines that make the error grow most."""
    lines = [f"{'introduced':>12}{'total':>12}{'grown':>12}  op (ULP; relative; relative)"]
    lines += map(_line, found.ranked()[:top])
    lines.append("by source line:")
    lines += [f"{grown:>12.4g}  {line}" for line, grown in list(found.by_line().items())[:top]]
    if found.first_nonfinite is not None:
        lines.append(f"first NaN or infinity: {found.first_nonfinite}")
    if found.note:
        lines.append(f"note: {found.note}")
    return "\n".join(lines)


class _Shadow(Tracer):
    """Traces the program against itself in double precision, and looks at the operands of every op."""

    def __init__(self, subject: Subject, program: Engine, shadow: Engine) -> None:
        super().__init__(subject, program, shadow, types={})
        self.errors: dict[ir.Value, float] = {}
        self.unmeasured: dict[ir.Value, str] = {}
        self.found: list[Contribution] = []

    def _row(
        self, op: ir.Operation, spot: OpLocation, base: Values, wanted: Values, local: Values, failure: Any
    ) -> TraceRow:
        expected, own = self.expected, self.own
        pairs = [(local[result], wanted[result]) for result in op.results if result in local and result in wanted]
        measured = largest([difference(a, b, EXACT) for a, b in pairs])
        unknown = [{**self.unmeasured, **self.stopped}.get(value, "") for value in (*op.results, *needed(op))]
        reason = next(filter(None, unknown), "")
        self.unmeasured.update(dict.fromkeys(op.results, reason) if reason else {})
        floats = [result for result in op.results if result in expected and is_float(expected[result].dtype)]
        if floats and measured is not None:
            operands = max([self.errors.get(operand, 0.0) for operand in op.operands], default=0.0)
            for result in floats:
                self.errors[result] = relative_error(expected[result], own.get(result))
            total = max(self.errors[result] for result in floats)
            grown = 0.0 if total == operands else total - operands  # infinite errors do not grow
            causes = _causes(op, expected, own)
            own = stated(op)
            accuracy = "" if own is None else own.sentence
            shares = tuple(causes.values())
            errors = (None, None) if reason else (total, grown)
            found = Contribution(
                spot, measured.max_ulp, *errors, tuple(causes), shares, accuracy, measured.amount, reason
            )
            self.found.append(found)
        return TraceRow(spot, measured)


def _causes(op: ir.Operation, values: Values, shadow: Values) -> dict[str, float]:
    """Return the events in an op that lose precision, with the share of elements that each happens in."""
    result = op.results[0]
    value, exact = values[result], shadow.get(result)
    shares: dict[str, float] = {}
    if exact is not None and value.size and is_float(value.dtype) and value.dtype.kind != "c":
        wide = value.astype(np.float64)
        tiny = smallest_normal(value.dtype)
        shares[OVERFLOW] = float(np.mean(np.isinf(wide) & np.isfinite(exact)))
        shares[UNDERFLOW] = float(np.mean((np.abs(wide) < tiny) & (np.abs(exact) > 0) & (np.abs(exact) < tiny)))
    if op.name in _SUMS and value.size and is_float(value.dtype) and value.dtype.kind != "c":
        first, second = (values[operand].astype(np.float64) for operand in op.operands)
        shares.update(_sum_causes(first, second, value))
    return {cause: share for cause, share in shares.items() if share}


def _sum_causes(first: np.ndarray, second: np.ndarray, result: np.ndarray) -> dict[str, float]:
    sizes = np.abs(first), np.abs(second)
    large, small = np.maximum(*sizes), np.minimum(*sizes)
    unit = epsilon(result.dtype)
    cancels: np.ndarray = (np.abs(result.astype(np.float64)) < large * unit**_LOST_BITS) & (large > 0)
    return {
        CANCELLATION: float(np.mean(cancels)),
        ABSORPTION: float(np.mean((small > 0) & (small < large * unit / 2))),
    }


def numerics(subject: Subject, arguments: Sequence[np.ndarray], program: Engine, shadow: Engine) -> Numerics:
    """Attribute the rounding error of a program to its ops.

    Args:
        subject: The program.
        arguments: Its arguments.
        program: Runs it as it is, the engine `reference`, or in another float type: `reference:bf16`.
        shadow: Runs it in double precision: the engine `reference:f64`.

    Returns:
        The contribution of every op with float results. The shadow goes through the bits of a value in its own type.
    """
    tracer = _Shadow(subject, program, shadow)
    found: Trace = tracer.run(arguments)
    return Numerics(tuple(tracer.found), found.first_nonfinite.get(program.name), found.note)


def plot(found: Numerics, path: str) -> None:
    """Draw the total and the introduced error of every op, in program order. Raises InputError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("--plot needs matplotlib", notes=["pip install 'stablehlo-py[plot]'"]) from None
    figure: Any = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots()
    numbers = [one.place.number for one in found.contributions]
    totals = [np.nan if one.total is None else one.total for one in found.contributions]
    axes.plot(numbers, totals, label="total, relative")
    axes.set(xlabel="op", ylabel="error of the result")
    axes.set_yscale("symlog", linthresh=1e-12)
    own = axes.twinx()
    own.bar(numbers, [min(one.introduced, _MOST_ULP) for one in found.contributions], alpha=0.3, color="tab:orange",
            label="introduced, ULP")  # fmt: skip
    own.set(ylabel="rounding of the op")
    figure.legend(loc="outside upper center", ncols=2)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write '{path}': {error}") from None
