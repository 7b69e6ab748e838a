"""What the package uses of `jaxlib.mlir.passmanager`; `ir.pyi` says why."""

import enum
from collections.abc import Callable
from typing import Any, overload

from jaxlib.mlir import ir

class PassDisplayMode(enum.Enum):
    LIST = 0
    PIPELINE = 1

class PassManager:
    def __init__(self, anchor_op: str = "any", context: ir.Context | None = None) -> None: ...
    @staticmethod
    def parse(pipeline: str, context: ir.Context | None = None) -> PassManager: ...
    @overload
    def add(self, pipeline: str) -> None: ...
    @overload
    def add(
        self,
        run: Callable[[Any, Any], None],
        name: str | None = None,
        argument: str | None = "",
        description: str | None = "",
        op_name: str | None = "",
    ) -> None: ...
    def run(self, operation: ir.Operation) -> None: ...
    def enable_verifier(self, enable: bool) -> None: ...
    def enable_timing(self, enabled: bool = True) -> None: ...
    def enable_statistics(self, displayMode: PassDisplayMode = ...) -> None: ...
    def enable_ir_printing(
        self,
        print_before_all: bool = False,
        print_after_all: bool = True,
        print_module_scope: bool = False,
        print_after_change: bool = False,
        print_after_failure: bool = False,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        tree_printing_dir_path: str | None = None,
    ) -> None: ...
