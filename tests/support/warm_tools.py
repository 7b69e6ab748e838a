"""The package's tools as programs on PATH, done by forks of one process that has loaded what they need.

Loading takes a tool most of its time, and tests start hundreds. Here a program of a few lines stands for a tool: it
hands its arguments, folder, variables and standard streams to a server, which runs the tool as warm lit does; where
that starts a program, so does the server. Tests of how tools start use `lit.make_tool_folder`.
"""

from __future__ import annotations

import atexit
import fcntl
import json
import os
import selectors
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from stablehlo_py.testing.lit import make_tool_folder

_TOOLS = {
    "stablehlo": "stablehlo",
    "stablehlo-opt": "opt",
    "stablehlo-translate": "translate",
    "stablehlo-compat": "compat",
}
_CLIENT = """#!{python} -IS
import json, os, socket, struct, sys

server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
message = json.dumps([{name!r}, sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [struct.pack("<q", len(message))], [0, 1, 2])
server.sendall(message)
(code,) = struct.unpack("<q", server.recv(8, socket.MSG_WAITALL))
if code < 0:
    os.kill(os.getpid(), -code)
os._exit(code)
"""
_NUMBER = 8  # bytes of a number in a message


def make_warm_tool_folder(folder: str, variables: Mapping[str, str]) -> None:
    """Fill `folder` as `make_tool_folder` does, with tools that a server runs where the system can.

    Args:
        folder: The folder, which is made.
        variables: Those that the tools will have, or some of them: Python reads a few when it starts.
    """
    make_tool_folder(folder, "filecheck")
    if not hasattr(os, "pidfd_open") or sys.platform == "darwin":
        return
    address = _server(variables.get("PYTHONPATH"))
    for name in _TOOLS:
        path = Path(folder, name)
        path.unlink()
        path.write_text(_CLIENT.format(python=sys.executable, address=address, name=name))
        path.chmod(0o755)


def tool(name: str) -> str:
    """The path of one of the tools, such as `stablehlo-opt`, for commands with this process's variables."""
    return os.path.join(_folder(os.environ.get("PYTHONPATH")), name)


def tool_of(module: str) -> str:
    """The path of the tool whose module this is, such as `opt`."""
    return tool(next(name for name, each in _TOOLS.items() if each == module))


@cache
def _folder(python_path: str | None) -> str:
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    make_warm_tool_folder(folder, {} if python_path is None else {"PYTHONPATH": python_path})
    return folder


@cache
def _server(python_path: str | None) -> str:
    """The address of a server whose Python has this path.

    All workers of a run of pytest have one; it ends with the process that started them, or with this one.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    owner = os.getppid() if run else os.getpid()
    folder = Path(tempfile.gettempdir(), f"tools-{run}") if run else Path(tempfile.mkdtemp())
    folder.mkdir(mode=0o700, exist_ok=True)
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if python_path is not None:
        variables["PYTHONPATH"] = python_path
    address = folder / blake2b(repr(python_path).encode(), digest_size=8).hexdigest()
    with open(folder / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not address.exists():
            command = [sys.executable, "-P", __file__, str(address), str(owner)]
            listens, written = os.pipe()
            streams = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, written, 1)]
            os.posix_spawn(command[0], command, variables, file_actions=streams)
            os.close(written)
            with open(listens, "rb") as pipe:
                assert pipe.read(1) == b"."
    return str(address)


# The server ---------------------------------------------------------------------------------------------------------


class _Server:
    def __init__(self, address: str, owner: int) -> None:
        from stablehlo_py.testing.warm_lit import WarmShTest, warm_tool

        folder = os.path.join(os.path.dirname(address), "cold")
        make_tool_folder(folder, "filecheck")
        self.format = WarmShTest(folder, _TOOLS, ["filecheck"])
        for module in _TOOLS.values():
            warm_tool(module)
        self.running: set[Any] = set()
        self.selector = selectors.DefaultSelector()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(address)
        self.listener.listen(64)
        self.owner = os.pidfd_open(owner)

    def serve(self) -> None:
        """Answers until the owner has ended."""
        self.selector.register(self.owner, selectors.EVENT_READ)
        self.selector.register(self.listener, selectors.EVENT_READ)
        os.write(1, b".")
        while True:
            for key, _ in self.selector.select():
                if key.fd == self.owner:
                    return
                if key.fileobj is self.listener:
                    self._start()
                else:
                    self._end(*key.data)

    def _start(self) -> None:
        client, _ = self.listener.accept()
        head, streams, _, _ = socket.recv_fds(client, _NUMBER, 3)
        size = int.from_bytes(head, "little")
        name, args, folder, variables = json.loads(client.recv(size, socket.MSG_WAITALL))
        stdin, stdout, stderr = streams
        process = self.format.start(
            [name, *args],
            executable=os.path.join(self.format.folder, name),
            cwd=folder,
            env=variables,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
        )
        for stream in streams:
            os.close(stream)
        self.running.add(process)
        data = (client, process, os.pidfd_open(process.pid))
        self.selector.register(data[2], selectors.EVENT_READ, data)
        self.selector.register(client, selectors.EVENT_READ, data)  # it only ends

    def _end(self, client: socket.socket, process: Any, ended: int) -> None:
        """Tells the client how the tool ended; ends the tool where it was the client that ended."""
        if process not in self.running:  # both ends have been seen at once
            return
        self.running.remove(process)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGTERM)
            process.wait()
        for each in (client, ended):
            self.selector.unregister(each)
        os.close(ended)
        with client, suppress(BrokenPipeError):
            client.sendall(process.returncode.to_bytes(_NUMBER, "little", signed=True))


if __name__ == "__main__":
    _Server(sys.argv[1], int(sys.argv[2])).serve()
    shutil.rmtree(os.path.dirname(sys.argv[1]), ignore_errors=True)
