"""Ranks of MPI: what all of them know, arrays from one to the others, and how all of them end when one fails.

Only this file imports mpi4py, which comes with `pip install stablehlo-py[mpi]`.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, NoReturn, TextIO, TypeGuard

import numpy as np

from ..bindings.narrowing import is_tuple
from ..errors import ProviderError, StablehloError

SECONDS_TO_JOIN = 5.0
"""The seconds that a rank that fails waits for the others to take notice, before it ends all of them."""
_SHORTEST_NAP, _LONGEST_NAP = 2e-5, 2e-3


@cache
def ranks() -> Ranks:
    """The ranks that `mpiexec` started. Raises `ProviderError` where mpi4py or the library of MPI is missing."""
    return Ranks()


class Ranks:
    """All ranks of the run, as one of them sees them."""

    def __init__(self) -> None:
        try:
            from mpi4py import MPI
        except (ImportError, RuntimeError) as error:
            notes = ["pip install stablehlo-py[mpi] installs mpi4py and mpich"]
            raise ProviderError(f"a grid over MPI needs mpi4py: {error}", notes=notes) from error
        self._mpi: Any = MPI
        self._stderr = sys.stderr  # that of a tool's first rank alone stays as it is
        self._world: Any = MPI.COMM_WORLD
        self._communicators: dict[Hashable, Any] = {}
        self.failure: StablehloError | None = None
        self.rank: int = self._world.rank
        self.count: int = self._world.size

    def share(self, total: int, rank: int | None = None) -> range:
        """The share of a rank, by default this one, of `total` things: consecutive ones, as many as the others have."""
        number = self.rank if rank is None else rank
        return range(total * number // self.count, total * (number + 1) // self.count)

    # Calls of all ranks together.

    def all(self, value: Any) -> list[Any]:
        """Return the values that all ranks bring. Raises the error of the first rank that failed instead."""
        self._wait_for_all(None)
        return self._gathered(value, None)

    def fail(self, error: StablehloError) -> None:
        """Raise this error, or an earlier rank's, in all ranks. End all ranks if they do not answer."""
        if not self._wait_for_all(SECONDS_TO_JOIN):
            self._stderr.write(f"{error}\n")
            self._stderr.flush()
            _wait_until_read(self._stderr)
            self._world.Abort(1)
        self._gathered(None, error)

    def at_first(self, value: Any) -> list[Any]:
        """Return the values that all ranks bring, in the first rank; nothing in the others."""
        values = self._world.gather(value)
        return [] if values is None else values

    def exit(self, code: int) -> NoReturn:
        """End this process, as all ranks do. A tool's own way out leaves out what mpich has left to do at the end of a
        process, without which `mpiexec` kills the other ranks."""
        import ctypes

        sys.stdout.flush()
        sys.stderr.flush()
        self._mpi.Finalize()
        ctypes.CDLL(None).exit(code)
        raise SystemExit(code)

    def _gathered(self, value: Any, error: StablehloError | None) -> list[Any]:
        outcomes = self._world.allgather((value, error))
        failure = next((failure for _, failure in outcomes if failure is not None), None)
        if failure is not None:
            self.failure = failure
            raise failure
        return [value for value, _ in outcomes]

    def _wait_for_all(self, seconds: float | None) -> bool:
        """Wait until all ranks have come here, without keeping the processor busy; False after `seconds`."""
        request = self._world.Ibarrier()
        started, nap = time.monotonic(), _SHORTEST_NAP
        while not request.Test():
            if seconds is not None and time.monotonic() - started > seconds:
                return False
            time.sleep(nap)
            nap = min(nap * 2, _LONGEST_NAP)
        return True

    # Calls of the ranks of a group, in the same order in each.

    def communicator(self, members: tuple[int, ...]) -> Any:
        """Return the communicator of these ranks, made when it is first asked for."""
        known = self._communicators.get(members)
        if known is None:
            group = self._world.group.Incl(members)
            known = self._communicators[members] = self._world.Create_group(group)
            group.Free()
        return known

    def broadcast(self, members: tuple[int, ...], owner: int, values: Any) -> Any:
        """Return the owner's tuple of values in all these ranks; arrays go as they are."""
        communicator, root = self.communicator(members), members.index(owner)
        is_owner = owner == self.rank
        forms = communicator.bcast(_forms(values) if is_owner else None, root)
        arrays = [
            (np.asarray(value, order="C") if is_owner else np.empty(form[0], form[1])) if _is_array(form) else form
            for form, value in zip(forms, values if is_owner else forms, strict=True)
        ]
        for form, array in zip(forms, arrays, strict=True):
            if _is_array(form) and array.nbytes:
                communicator.Bcast(_bytes(array), root)
        return tuple(arrays)

    def scatter(self, members: tuple[int, ...], owner: int, array: np.ndarray | None, like: np.ndarray) -> np.ndarray:
        """Return this rank's part of the owner's array, flat; `like` has the same shape and type."""
        communicator = self.communicator(members)
        bounds = _bounds(like.size, len(members))
        position = members.index(self.rank)
        part = np.empty(bounds[position + 1] - bounds[position], like.dtype)
        sent = None if array is None else [_bytes(np.asarray(array, order="C")), _layout(bounds, like.dtype.itemsize)]
        if sent is not None:
            sent.append(self._mpi.BYTE)
        communicator.Scatterv(sent, [_bytes(part), self._mpi.BYTE], members.index(owner))
        return part

    def gather(self, members: tuple[int, ...], part: np.ndarray, size: int) -> np.ndarray:
        """Join a flat array from the parts of these ranks."""
        whole = np.empty(size, part.dtype)
        layout = _layout(_bounds(size, len(members)), part.dtype.itemsize)
        part = np.asarray(part, order="C")
        self.communicator(members).Allgatherv([_bytes(part), self._mpi.BYTE], [_bytes(whole), layout, self._mpi.BYTE])
        return whole

    def send(self, target: int, values: tuple[Any, ...]) -> None:
        """Send values to another rank, which receives them now."""
        forms = _forms(values)
        self._world.send(forms, target)
        for form, value in zip(forms, values, strict=True):
            if _is_array(form) and value.nbytes:
                self._world.Send(_bytes(np.asarray(value, order="C")), target)

    def receive(self, source: int) -> tuple[Any, ...]:
        """Return the value that another rank sends now."""
        received = list[Any]()
        for form in self._world.recv(source=source):
            value = np.empty(form[0], form[1]) if _is_array(form) else form
            if _is_array(form) and value.nbytes:
                self._world.Recv(_bytes(value), source)
            received.append(value)
        return tuple(received)


def _wait_until_read(stream: TextIO) -> None:
    """Wait a second at most until `mpiexec` has read a pipe: what is in it at the abort is lost."""
    try:
        import fcntl
        import termios
    except ImportError:  # Windows
        return
    for _ in range(100):
        unread = bytearray(4)
        try:
            fcntl.ioctl(stream.fileno(), termios.FIONREAD, unread)
        except OSError:  # no pipe
            return
        if not any(unread):
            return
        time.sleep(0.01)


def _forms(values: Sequence[Any]) -> list[Any]:
    """Return the description of values that is sent before arrays: shape and type of those, the others themselves."""
    return [(value.shape, value.dtype) if _is_ndarray(value) else value for value in values]


def _is_ndarray(value: object) -> TypeGuard[np.ndarray]:
    return isinstance(value, np.ndarray)


def _is_array(form: Any) -> bool:
    return is_tuple(form) and len(form) == 2 and isinstance(form[1], np.dtype)


def _bytes(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1).view(np.uint8)


def _bounds(size: int, count: int) -> list[int]:
    return [size * number // count for number in range(count + 1)]


def _layout(bounds: Sequence[int], itemsize: int) -> tuple[list[int], list[int]]:
    """Return counts and offsets in bytes of consecutive parts."""
    counts = [(end - start) * itemsize for start, end in itertools.pairwise(bounds)]
    return counts, [start * itemsize for start in bounds[:-1]]
