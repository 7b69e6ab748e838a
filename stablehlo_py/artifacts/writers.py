"""The files and buffers that bytecode is written to."""

from __future__ import annotations

from typing import Protocol

from ..syntax.source import BYTECODE_MAGIC


class Writer(Protocol):
    """A file or buffer that an artifact can be written to."""

    def write(self, data: bytes, /) -> object: ...


class ProducerWriter:
    """Writer that passes bytecode on, with another producer."""

    def __init__(self, writer: Writer, producer: str) -> None:
        self._writer = writer
        self._producer = producer
        self._head = b""
        self._done = False

    def write(self, data: bytes) -> None:
        if self._done:
            self._writer.write(data)
            return
        self._head += data
        end = self._head.find(b"\0", len(BYTECODE_MAGIC) + 1)
        if end != -1:
            self._done = True
            self._writer.write(self._head[: len(BYTECODE_MAGIC) + 1] + self._producer.encode() + self._head[end:])
