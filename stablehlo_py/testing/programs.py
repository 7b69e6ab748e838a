"""Comparing programs in any test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from ..debug import Tolerance


def assert_programs_agree(
    first: Any,
    second: Any,
    *,
    arguments: Sequence[np.ndarray] | None = None,
    seed: int = 0,
    tolerances: Mapping[str, Tolerance] | None = None,
) -> None:
    """Check that two programs give the same results, by the reference interpreter.

    Args:
        first: A module, or what `stablehlo_py.parse` takes: the program that is right.
        second: The program to compare with it.
        arguments: The arguments of both; drawn where it is None.
        seed: Where drawing starts.
        tolerances: By number of a result, element type or "" for all, in place of what rounding explains.

    Raises:
        AssertionError: The results differ; the text says where and by how much.
        StablehloError: A program cannot be read or run, or its arguments cannot be drawn.
    """
    from .. import interpret, parse
    from ..bindings import ir
    from ..debug.compare import compare_results, draw_samples
    from ..debug.programs.subject import examine
    from ..interpreter.values import flat

    modules = [one if isinstance(one, ir.Module) else parse(one) for one in (first, second)]
    subject, other = map(examine, modules)
    given = draw_samples(subject, 1, seed, {})[0] if arguments is None else flat(arguments)
    expected, found = (interpret(one.module, given) for one in (subject, other))
    if len(expected) != len(found):
        raise AssertionError(f"{len(found)} results instead of {len(expected)}")
    entries = compare_results(subject, 0, "second", found, expected, dict(tolerances or {}), given)
    wrong = [str(entry) for entry in entries if entry.verdict != "same"]
    if wrong:
        raise AssertionError("\n".join(wrong))
