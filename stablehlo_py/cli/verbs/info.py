"""`stablehlo info`: the header of an artifact."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import click

from ...errors import InputError
from ...isolation.files import read_stream
from .shared import json_option, show


@contextmanager
def _mapped(path: str) -> Generator[bytes | mmap.mmap]:
    """The contents of a file, read on demand; all of standard input for `-`. The reader of sources would import the
    bindings, which takes longer than reading a header."""
    if path == "-":
        yield read_stream(sys.stdin.buffer, "<stdin>")
        return
    try:
        with open(path, "rb") as file:
            if not os.path.isfile(path) or file.seek(0, 2) == 0:
                yield read_stream(file, path)
                return
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
                yield contents
    except OSError as error:
        raise InputError(f"cannot open input file '{path}': {error.strerror}") from None


@click.command("info")
@click.argument("file")
@json_option
def command(file: str, as_json: bool) -> None:
    """Show what the header of an artifact says, without deserializing it."""
    from ...artifacts.header import read_header
    from ..driver import located

    with _mapped(file) as contents, located(file):
        header = read_header(contents)
    show(header, as_json)
