"""The child process of an engine: `python -m stablehlo_py.engines.worker`, spoken to by `process.py`.

The first message names the backend. Each later one has a module (or the digest of one that was sent before) and
arguments, and is answered with the results or with the reason why there are none.
"""

from __future__ import annotations

import importlib
import sys
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from ..errors import ResourceError, StablehloError, UnsupportedOpError, UsageError, documented_errors
from ..isolation.limits import limit_memory, taken_bytes
from ..isolation.policy import guarding
from ..isolation.worker import serve
from .framing import pack, unpack
from .outcome import EngineCrashError

_PROGRAMS_KEPT, _BYTES_KEPT = 256, 1 << 20  # as many, but no more than a few of large ones
_LARGE_KEPT = 8

Run = Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]


class Backend(Protocol):
    """Runs programs in a worker; an engine's entry point returns one for a list of options.

    Its `release`, if it has one, is the name and the version of what it runs beside the provider.
    """

    def load(self, module: bytes) -> Run:
        """Compile a module's text or bytecode, and return a function that runs its `main`. Warnings become notes."""
        ...


def _peak_bytes() -> int:
    try:
        import resource
    except ImportError:  # Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def limit_process(size: int) -> None:
    """Let allocations beyond `size` bytes fail, if the system can. Raises `ResourceError` if they are taken."""
    taken = taken_bytes()
    if taken > size:
        raise ResourceError(
            f"the limit of {size} bytes of memory is too low to start: {taken} are taken before a program is read; "
            "--max-memory=BYTES (memory_bytes in the API) moves it"
        )
    with suppress(AttributeError, ValueError, OSError):
        limit_memory(size - taken)


def failure(error: Exception, status: str) -> dict[str, Any]:
    """Return the answer for an error: `status`, or what the error says more exactly."""
    if isinstance(error, UnsupportedOpError):
        status = "unsupported"
    elif isinstance(error, EngineCrashError):
        status = "crash"
    elif isinstance(error, (MemoryError, ResourceError)):
        status = "memory"
    text = str(error).strip()
    if "UNIMPLEMENTED" in text:
        status = "unsupported"
    elif "RESOURCE_EXHAUSTED" in text:
        status = "memory"
    # The status stands in front of the message, and says that it is an error.
    message = text.replace("error: ", "", 1) if isinstance(error, StablehloError) else f"{type(error).__name__}: {text}"
    return {"status": status, "message": message, "peak_bytes": _peak_bytes()}


class _Server:
    def __init__(self) -> None:
        self.backend: Backend | None = None
        self.programs: OrderedDict[str, Run] = OrderedDict()
        self.sizes: dict[str, int] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a message; the first one names the backend."""
        return self._begin(request) if self.backend is None else self._run(self.backend, request)

    def _begin(self, hello: dict[str, Any]) -> dict[str, Any]:
        try:
            module, _, function = hello["backend"].partition(":")
            backend: Backend = getattr(importlib.import_module(module), function)(*hello["options"])
            if hello["memory_bytes"] is not None:
                limit_process(hello["memory_bytes"])
            self.backend = backend
            release = getattr(backend, "release", "")
            own = {"engine": release} if release else {}
            return {"status": "ready", "versions": {**own, **_versions()}}
        except UsageError as error:
            return failure(error, "misused")
        except Exception as error:  # a plugin or a library is not as it should be
            return failure(error, "rejected")

    def _run(self, backend: Backend, request: dict[str, Any]) -> dict[str, Any]:
        digest = request["digest"]
        start = time.perf_counter()
        notes = list[str]()
        run = self.programs.get(digest)
        if run is None:
            if request["module"] is None:
                return {"status": "unknown program"}
            try:
                with documented_errors(), warnings.catch_warnings(record=True) as caught:
                    run = self.programs[digest] = backend.load(request["module"])
                notes = [str(each.message) for each in caught if each.category is UserWarning]
            except Exception as error:  # every reason is one that the user has to see
                return failure(error, "rejected")
            self.sizes[digest] = len(request["module"])
            while len(self.programs) > (_PROGRAMS_KEPT if sum(self.sizes.values()) < _BYTES_KEPT else _LARGE_KEPT):
                del self.sizes[self.programs.popitem(last=False)[0]]
        self.programs.move_to_end(digest)
        loaded = time.perf_counter()
        try:
            with documented_errors():
                results = run([unpack(argument) for argument in request["arguments"]])
        except Exception as error:
            return failure(error, "error")
        return {
            "status": "ok",
            "results": [pack(np.asarray(result)) for result in results],
            "notes": notes,
            "load_seconds": loaded - start,
            "run_seconds": time.perf_counter() - loaded,
            "peak_bytes": _peak_bytes(),
        }


def _versions() -> dict[str, str]:
    from ..bindings.provider import provider, stablehlo_extension

    return {
        "provider": f"{provider.distribution} {provider.version()}",
        "stablehlo": stablehlo_extension.get_current_version(),
        "python": sys.version.split()[0],
    }


def main() -> None:
    """Answer requests until the engine is closed."""
    with guarding(True):  # a tool that this is a fork of does not report a crash in reading
        serve(_Server().answer)


if __name__ == "__main__":
    main()
