"""Library functions for ops of the torch dialect, written like the functions of StableHLO and run by torch-mlir's own
refinement."""

from .library import refine_torch as refine_torch
from .library import torch_library_text as torch_library_text
from .library import torch_to_stablehlo as torch_to_stablehlo
