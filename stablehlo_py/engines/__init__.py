"""Engines: "run this module on these arrays", whoever runs it.

Every engine works in a child process of its own, under a limit on time and memory, so that one that crashes, hangs or
rejects a program gives an `Outcome` that says so. `open_engine("xla")` starts one; other packages add engines by the
entry-point group `stablehlo_py.engines`.
"""

from ..isolation.limits import Limits
from .catalog import engine_names, open_engine, with_options
from .outcome import Outcome
from .probing import require_running
from .process import Engine

__all__ = ["Engine", "Limits", "Outcome", "engine_names", "open_engine", "require_running", "with_options"]
