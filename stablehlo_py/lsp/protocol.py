"""An answer for every request: pygls drops those that it cannot read, and those that come after `shutdown`.

A request about a text waits a moment, in which an edit that follows it, or its cancellation, can make it stale.
"""

from __future__ import annotations

import asyncio
from typing import Any

from cattrs import BaseValidationError, transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

_SECONDS_TO_BECOME_STALE = 0.003


def _reasons(error: BaseException | None) -> str:
    """Return what is wrong with parameters, and where in them."""
    return "; ".join(transform_error(error)) if isinstance(error, BaseValidationError) else str(error)


class AnsweringProtocol(LanguageServerProtocol):
    """The protocol with the errors that it names for requests without a handler's answer."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return the message in a JSON object; None for a request that is refused here."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" not in data or "method" not in data:
                raise
            method = data["method"]
            is_known = isinstance(method, str) and (self.get_message_type(method) or method in self.fm.features)
            reason = f"{JsonRpcInvalidParams.MESSAGE} of {method}: {_reasons(error.__cause__)}"
            self._refuse(
                data["id"], JsonRpcInvalidParams(reason) if is_known else JsonRpcMethodNotFound.of(f"{method}")
            )
            return None

    def handle_message(self, message: Any) -> None:
        """Handle a message. A request before `initialize` or after `shutdown` is answered with its error."""
        if message is None:
            return
        method, is_request = getattr(message, "method", ""), hasattr(message, "id") and hasattr(message, "method")
        if is_request and self._shutdown:
            self._refuse(message.id, JsonRpcInvalidRequest(f"{method} comes after shutdown"))
        elif is_request and self._workspace is None and method != types.INITIALIZE:
            self._refuse(message.id, JsonRpcServerNotInitialized(f"{method} comes before initialize"))
        else:
            super().handle_message(message)

    def _handle_request(self, msg_id: str | int, method_name: str, params: Any) -> None:
        """Answer a request; one about a text is refused if the text changes before."""
        uri = getattr(getattr(params, "text_document", None), "uri", None)
        if uri is None:
            super()._handle_request(msg_id, method_name, params)
        else:
            version = self.workspace.get_text_document(uri).version
            waiting = asyncio.get_running_loop().create_task(self._unless_stale(msg_id, method_name, params, version))
            self._request_futures[msg_id] = waiting  # pyright: ignore[reportArgumentType] (it is only cancelled)

    async def _unless_stale(self, number: str | int, method: str, params: Any, version: int | None) -> None:
        try:
            await asyncio.sleep(_SECONDS_TO_BECOME_STALE)
        except asyncio.CancelledError:
            self._refuse(number, JsonRpcRequestCancelled(f"{method} was cancelled"))
            return
        self._request_futures.pop(number, None)
        if self.workspace.get_text_document(params.text_document.uri).version != version:
            self._refuse(number, JsonRpcContentModified(f"the text changed after {method}"))
        else:
            super()._handle_request(number, method, params)

    def _refuse(self, number: str | int, error: JsonRpcException) -> None:
        self._send_response(number, error=error.to_response_error())
