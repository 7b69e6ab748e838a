"""An answer for every request: pygls drops those that it cannot read, and those that come after `shutdown`."""

from __future__ import annotations

from typing import Any

from cattrs import BaseValidationError, transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol


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

    def _refuse(self, number: str | int, error: JsonRpcException) -> None:
        self._send_response(number, error=error.to_response_error())
