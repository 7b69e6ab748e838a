"""The only room that imports the MLIR Python bindings."""

from .context import make_context
from .provider import ir, passmanager, provider, rewrite, stablehlo_extension

__all__ = ["ir", "make_context", "passmanager", "provider", "rewrite", "stablehlo_extension"]
