"""What the package uses of `jaxlib.mlir._mlir_libs._mlir.rewrite`; `jaxlib/mlir/ir.pyi` says why."""

import enum
from collections.abc import Callable

from jaxlib.mlir import ir

class GreedySimplifyRegionLevel(enum.Enum):
    DISABLED = 0
    NORMAL = 1
    AGGRESSIVE = 2

class PatternRewriter:
    @property
    def ip(self) -> ir.InsertionPoint: ...
    def erase_op(self, op: ir._OperationBase) -> None: ...

class FrozenRewritePatternSet: ...

class RewritePatternSet:
    def __init__(self, context: ir.Context | None = None) -> None: ...
    def add(self, root: object, fn: Callable[..., object], benefit: int = 1) -> None: ...
    def freeze(self) -> FrozenRewritePatternSet: ...

class GreedyRewriteConfig:
    max_iterations: int
    max_num_rewrites: int
    use_top_down_traversal: bool
    enable_folding: bool
    enable_constant_cse: bool
    region_simplification_level: GreedySimplifyRegionLevel

def apply_patterns_and_fold_greedily(
    op: ir._OperationBase | ir.Module, set: FrozenRewritePatternSet, config: GreedyRewriteConfig | None = None
) -> None: ...
