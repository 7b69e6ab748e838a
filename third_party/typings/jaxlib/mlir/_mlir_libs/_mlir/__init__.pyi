"""What the package uses of `jaxlib.mlir._mlir_libs._mlir`; `jaxlib/mlir/ir.pyi` says why."""

from collections.abc import Callable
from typing import TypeVar

from jaxlib.mlir import ir

from . import rewrite as rewrite

_Caster = TypeVar("_Caster", bound=Callable[[ir.Attribute], ir.Attribute])

class _Globals:
    def append_dialect_search_prefix(self, module_name: str) -> None: ...

globals: _Globals  # noqa: A001 (the bindings' name)

def register_type_caster(typeid: ir.TypeID, *, replace: bool = False) -> Callable[[_Caster], _Caster]: ...
