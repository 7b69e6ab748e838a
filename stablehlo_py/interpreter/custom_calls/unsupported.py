"""Explanations of targets without a handler: their kind, and why they cannot be run here."""

from __future__ import annotations

import re

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
