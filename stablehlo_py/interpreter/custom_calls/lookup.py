"""The handler of a target: a user's, or one of the files of this folder. And explanations of targets without one."""

from __future__ import annotations

import os
import re
from functools import cache, partial

from ...extensions import load_installed
from ..registry import import_modules
from .ops import op_of, run_op
from .registry import BUILT_IN, USERS, Handler

KINDS = (
    (r"tpu_custom_call|Mosaic.*", "a Pallas kernel for TPUs: its body is machine code's source in the Mosaic dialect"),
    (r"mosaic_gpu.*", "a Pallas kernel for GPUs: its body is in the Mosaic GPU dialect, for NVIDIA's hardware alone"),
    (r"__gpu\$xla\.gpu\.triton|triton_kernel_call(_ffi)?", "a Triton kernel: its body is compiled for one kind of GPU"),
    (r"tf\.call_tf_function", "a call of TensorFlow: the function is in the SavedModel around the program, not in it"),
    (
        r"xla(_ffi)?_(python_)?(cpu|gpu|tpu|partitioned)?_?(python_)?(cpu_|gpu_)?callback|xla_.*callback.*",
        "a callback into Python: the function lives in the process that made the program",
    ),
    (r"__cudnn\$.*|cudnn_.*", "a call of cuDNN: only the library knows what its descriptor says"),
    (r"__cublas\$.*|__onednn\$.*", "what XLA put in place of ops while compiling for one kind of hardware"),
    (
        r"cu(da)?_?rnn.*|miopen_.*|hip_?rnn.*",
        "a recurrent network of a GPU library: its weights are packed in a private format",
    ),
    (r"cusolver_csrlsvqr.*|(cu|hip)sparse_.*", "a call of a GPU's library for sparse matrices"),
)


def kind_of(target: str) -> str:
    """Return the kind of this target and why it cannot be run, or an empty text."""
    return next((what for pattern, what in KINDS if re.fullmatch(pattern, target)), "")


def find_handler(target: str) -> Handler | None:
    """Return the handler of this target, or None."""
    load_installed()
    known = USERS.get(target) or targets().get(target)
    name = op_of(target) if known is None else None
    return known if name is None else partial(run_op, name)


@cache
def targets() -> dict[str, Handler]:
    """Return every target that comes with the interpreter."""
    import_modules(f"{__package__}", os.path.dirname(__file__))
    return dict(sorted(BUILT_IN.items()))
