"""Base classes of passes written in Python: frozen dataclasses whose fields are the options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir


@dataclass(frozen=True)
class Pass:
    """A transformation of one op of kind `anchor`, and of all that it contains.

    A field `fold_op_element_limit: int = 65536` is the option `fold-op-element-limit` of the flag `--<name>`; fields
    are of type bool, int, str or tuple[str, ...] (comma-separated) and always have a default.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    anchor: ClassVar[str] = "builtin.module"

    def run(self, op: ir.Operation) -> None:
        """Transform `op` in place.

        Raises:
            StablehloError: The op cannot be transformed; it stays as it was, or in a state that verifies.
        """
        raise NotImplementedError
