"""Comparing engines in any test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from ..debug import Tolerance


def assert_engines_agree(
    source: Any,
    engines: Sequence[str] = ("reference", "xla"),
    *,
    arguments: Sequence[np.ndarray] | None = None,
    samples: int = 1,
    seed: int = 0,
    tolerances: Mapping[str, Tolerance] | None = None,
) -> None:
    """Check that engines give the same results for a program.

    Args:
        source: A module, or what `stablehlo_py.parse` takes.
        engines: Their names, the one that the others are compared with first.
        arguments: The program's arguments; drawn where it is None.
        samples: How many sets of arguments to draw.
        seed: Where drawing starts.
        tolerances: By number of a result, element type or "" for all, in place of what rounding explains.

    Raises:
        AssertionError: They differ, or one could not run the program; the text says where and by how much.
        StablehloError: The program cannot be read, or its arguments cannot be drawn.
    """
    from .. import parse
    from ..bindings import ir
    from ..debug import compare

    module = source if isinstance(source, ir.Module) else parse(source)
    given = None if arguments is None else [arguments]
    found = compare(module, engines, arguments=given, samples=samples, seed=seed, tolerances=tolerances)
    if found.exit_code:
        raise AssertionError(str(found))
