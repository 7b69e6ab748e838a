"""The lit suites of this project: `lit tests/lit`, or `lit tests/lit/<suite>`."""

import importlib.util
import os
import runpy

from stablehlo_py.testing import lit as stablehlo_lit

BEHAVIOURS = runpy.run_path(os.path.join(os.path.dirname(__file__), "behaviours.py"))["behaviours"]()

stablehlo_lit.configure(
    config,  # noqa: F821
    lit_config,  # noqa: F821
    name="stablehlo-py",
    source_root=os.path.dirname(__file__),
    warm=True,
    features=BEHAVIOURS | ({"torch-mlir"} if importlib.util.find_spec("torch_mlir") else set()),
)
