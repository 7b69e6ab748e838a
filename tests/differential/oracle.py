"""What the official interpreter says about a program.

It ends its process on what it does not support, so it runs in a child that is started again when it has died.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import numpy as np

if TYPE_CHECKING:
    from stablehlo_py.bindings import ir

_HEADER = 8  # bytes of the length in front of each message


class Oracle:
    """A child process that evaluates modules with the official interpreter."""

    def __init__(self, timeout: float = 60.0) -> None:
        self.timeout = timeout
        """Seconds after which a program counts as unsupported."""
        self._child: subprocess.Popen[bytes] | None = None

    def evaluate(self, module_text: str, arguments: Sequence[np.ndarray | np.generic]) -> list[np.ndarray] | None:
        """The results of `main`, or None where the official interpreter ends its process, or takes too long.

        Raises RuntimeError where the module does not parse or the arguments do not fit it.
        """
        child = self._running()
        try:
            _send(cast(BinaryIO, child.stdin), (module_text, [np.asarray(argument) for argument in arguments]))
            answer = _receive(cast(BinaryIO, child.stdout), self.timeout)
        except (EOFError, BrokenPipeError, TimeoutError):
            self.close()
            return None
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return cast(list[np.ndarray], answer)

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._child = subprocess.Popen(
                [sys.executable, str(Path(__file__))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._child


def official(module_text: str, arguments: Sequence[np.ndarray | np.generic]) -> list[np.ndarray] | None:
    """`Oracle.evaluate` in a child that all tests share."""
    return _SHARED.evaluate(module_text, arguments)


_SHARED = Oracle()
atexit.register(_SHARED.close)


def _send(stream: BinaryIO, message: object) -> None:
    data = pickle.dumps(message)
    stream.write(len(data).to_bytes(_HEADER, "little") + data)
    stream.flush()


def _receive(stream: BinaryIO, timeout: float | None = None) -> object:
    """The next message. Raises EOFError where the other side is gone, TimeoutError where it stays silent."""
    if timeout is not None and not select.select([stream], [], [], timeout)[0]:
        raise TimeoutError
    header = stream.read(_HEADER)
    if len(header) < _HEADER:
        raise EOFError
    return pickle.loads(stream.read(int.from_bytes(header, "little")))


def _serve() -> None:
    """Answers requests on stdin until it is closed. The interpreter's own output goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    from stablehlo_py.bindings import ir, make_context, stablehlo_extension  # only the child needs them
    from stablehlo_py.bindings.elements import from_numpy, to_numpy

    context = make_context()
    while True:
        try:
            text, arguments = cast(tuple[str, list[np.ndarray]], _receive(sys.stdin.buffer))
        except EOFError:
            return
        try:
            module = ir.Module.parse(text, context)
            parameters = _parameter_types(module.operation)
            attributes = [from_numpy(value, type_) for value, type_ in zip(arguments, parameters, strict=True)]
        except Exception as error:  # the parent raises it
            _send(answers, f"{type(error).__name__}: {error}")
            continue
        try:
            results = stablehlo_extension.eval_module(module, attributes)
        except Exception:  # the parent treats what raises as what dies
            return
        _send(answers, [np.array(to_numpy(result)) for result in results])


def _parameter_types(module: ir.Operation) -> list[ir.Type]:
    for operation in module.regions[0].blocks[0].operations:
        if operation.operation.name == "func.func" and operation.attributes["sym_name"].value == "main":
            return [argument.type for argument in operation.regions[0].blocks[0].arguments]
    raise ValueError("the module has no function @main")


if __name__ == "__main__":
    _serve()
