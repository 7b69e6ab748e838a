"""A client whose server runs in this process, with the messages of a real one but without its pipes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from lsp_client import Session

from stablehlo_py.lsp.server import make_server
from stablehlo_py.lsp.session import Flags


class Here(Session):
    """One session with a server; the requests are those of `lsp_client.Client`."""

    def __init__(self, capabilities: dict[str, Any] | None = None, flags: Flags = tuple) -> None:
        self.server = make_server(flags)
        self.protocol = self.server.protocol
        self.protocol._send_data = lambda data: self.received.append(
            json.loads(json.dumps(data, default=self.protocol._serialize_message))
        )
        self.loop = asyncio.new_event_loop()
        self.number = 0
        self.received: list[dict[str, Any]] = []
        self.begin(capabilities)

    def _handle(self, message: dict[str, Any]) -> None:
        as_read = json.loads(json.dumps(message), object_hook=self.protocol.structure_message)
        self.protocol.handle_message(as_read)

    def _first(self, **fields: Any) -> dict[str, Any] | None:
        found = (one for one in self.received if all(one.get(name) == value for name, value in fields.items()))
        return next(found, None)

    def notify(self, method: str, **params: Any) -> None:
        async def work() -> None:
            self._handle({"jsonrpc": "2.0", "method": method, "params": params})

        self.loop.run_until_complete(work())

    def answer(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole answer to a request; notifications that come before it are kept."""
        self.number += 1

        async def work() -> dict[str, Any]:
            self._handle({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
            while (found := self._first(id=self.number)) is None:
                await asyncio.sleep(0.001)
            return found

        return self.loop.run_until_complete(asyncio.wait_for(work(), 60))

    def wait_for(self, method: str) -> dict[str, Any]:
        """The parameters of the next notification of a kind."""

        async def work() -> dict[str, Any]:
            while (found := self._first(method=method)) is None:
                await asyncio.sleep(0.001)
            return found

        found = self.loop.run_until_complete(asyncio.wait_for(work(), 60))
        self.received.remove(found)
        return found["params"]

    def close(self) -> int:
        """End the session, without the end of this process."""
        self.request("shutdown")
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        return 0
