"""The suite: `.mlir` files with RUN lines in this folder."""

import os

from stablehlo_py.testing import lit as stablehlo_lit

stablehlo_lit.configure(
    config,  # noqa: F821
    lit_config,  # noqa: F821
    name="my-suite",
    source_root=os.path.dirname(__file__),
    warm=True,
)
