"""Comparison of a program with itself after it was written for a version and read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..bindings import ir
from ..bindings.narrowing import is_tuple
from .artifact import deserialize, legalize_to_vhlo, serialize
from .difference import Difference, first_difference
from .versions import Version

Evaluate = Callable[[ir.Module, Sequence[Any]], Sequence[Any]]


@dataclass(frozen=True)
class RoundTrip:
    """The outcome of a round trip through an artifact.

    Attributes:
        target: The version of the artifact.
        size: Its bytes.
        difference: The first difference in structure, or None.
        differing_results: The numbers of the results that differ; None if the program was not evaluated.
    """

    target: Version
    size: int
    difference: Difference | None
    differing_results: tuple[int, ...] | None

    @property
    def is_same(self) -> bool:
        """Whether the program is the same as before."""
        return self.difference is None and not self.differing_results


def _bits(value: Any) -> object:
    """Return the type and the bits of a result: NaN equals NaN, -0.0 differs from 0.0, and all tokens are equal."""
    if is_tuple(value):
        return tuple(map(_bits, value))
    if not hasattr(value, "tobytes"):
        return value.__class__
    return value.dtype, value.shape, value.tobytes()


def round_trip(
    module: ir.Module,
    target: Version,
    *,
    allow_other_dialects: bool = False,
    inputs: Sequence[Any] | None = None,
    evaluate: Evaluate | None = None,
    reader: Callable[[bytes], ir.Module] | None = None,
) -> RoundTrip:
    """Write `module` for `target`, read that back and compare.

    With `inputs` (arrays) and a function that evaluates a module on them, the results are compared bit for bit.
    A `reader` reads the artifact in place of this package, into the module's context.

    Raises:
        ArtifactError: The module cannot be written for `target`.
    """
    data = serialize(module, target, allow_other_dialects=allow_other_dialects)
    back = deserialize(data, context=module.context, trusted=True) if reader is None else reader(data)
    differing: tuple[int, ...] | None = None
    if inputs is not None and evaluate is not None:
        first, second = evaluate(module, inputs), evaluate(back, inputs)
        pairs = enumerate(zip(first, second, strict=True))
        differing = tuple(number for number, (a, b) in pairs if _bits(a) != _bits(b))
    # Attributes with their default value come back absent; VHLO writes every default out.
    difference = first_difference(
        *(legalize_to_vhlo(m, allow_other_dialects=allow_other_dialects) for m in (module, back))
    )
    return RoundTrip(target, len(data), difference, differing)
