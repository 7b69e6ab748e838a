"""What XLA's compiler for CPUs makes of a program, for ops that the official interpreter lacks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from jaxlib import _jax, xla_client


@cache
def _client() -> Any:
    return xla_client.make_cpu_client()


def compiled(text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of `main`; the arguments are of types that numpy has."""
    client = _client()
    devices = _jax.DeviceList(tuple(client.local_devices()))
    executable = client.compile_and_load(text, devices, _jax.CompileOptions())
    device = client.local_devices()[0]
    # The device shares the arrays' memory, which DLPack wants to be writable and XLA wants to be aligned.
    copies = [np.array(argument) for argument in arguments]
    buffers = [_jax.dlpack_managed_tensor_to_buffer(copy.__dlpack__(), device, None) for copy in copies]
    return [np.array(result) for result in executable.execute(buffers)]
