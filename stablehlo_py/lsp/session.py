"""The session: the texts that an editor has open, and an answer for each of its requests.

Texts are compiled in another thread. pygls drops requests that it cannot read, and those that come after `shutdown`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property
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
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.workspace import TextDocument

from ..analysis.diagnostic_notes import explained
from ..bindings.diagnostics import shows_op
from ..errors import Diagnostic
from ..syntax import Source
from ..syntax.tokens import Token
from ..version import __version__
from .document import NAME as DOCUMENT
from .document import Document

NAME = "stablehlo-lsp-server"
# How long to wait for more keys before a text is parsed.
_SECONDS_OF_SILENCE = 0.02
# How long a request about a text waits for an edit, or a cancellation, that makes it stale.
_SECONDS_TO_BECOME_STALE = 0.003
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "remark": types.DiagnosticSeverity.Information,
    "note": types.DiagnosticSeverity.Hint,
}
Flags = Callable[[], Sequence[tuple[str, str]]]


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


class Server(LanguageServer):
    """The texts that an editor has open, and their analyses.

    Args:
        flags: Returns the flags that RUN lines can use, with their summaries.
    """

    def __init__(self, flags: Flags) -> None:
        super().__init__(NAME, __version__, protocol_cls=AnsweringProtocol)
        self._flags = flags
        self._documents: dict[str, Document] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self.colours: dict[str, tuple[str, list[int]]] = {}

    @cached_property
    def flags(self) -> Sequence[tuple[str, str]]:
        """The flags that RUN lines can use, with their summaries."""
        return self._flags()

    def text(self, uri: str) -> TextDocument:
        """Return a text that the editor has open, or one on disk. Raises JsonRpcInvalidParams if there is none."""
        text = self.workspace.get_text_document(uri)
        try:
            _ = text.source
        except (OSError, ValueError) as error:
            raise JsonRpcInvalidParams(f"'{uri}' is not open: {error}") from None
        return text

    def document(self, uri: str) -> Document:
        """Return what is known of a text as it is now."""
        source, known = self.text(uri).source, self._documents.get(uri)
        if known is None or known.text != source:
            known = self._documents[uri] = Document(source, known and known.compiled)
        return known

    def forget(self, uri: str) -> None:
        """Let go of a text that was closed."""
        self._documents.pop(uri, None)
        self.colours.pop(uri, None)
        task = self._waiting.pop(uri, None)
        if task is not None:
            task.cancel()

    def offset(self, uri: str, position: types.Position) -> int:
        """Return the offset of the editor's position."""
        text, document = self.text(uri), self.document(uri)
        start = document.line_start(position.line)
        line = document.text[start : document.line_end(position.line)].rstrip("\r\n")
        if position.line and start == document.line_start(position.line - 1):
            return len(document.text)  # the text has no such line
        counted = types.Position(0, min(position.character, self.units(uri)(line)))
        return start + text.position_codec.position_from_client_units([line], counted).character

    def units(self, uri: str) -> Callable[[str], int]:
        """Return a function that counts a piece of a line as the editor counts."""
        count = self.text(uri).position_codec.client_num_units
        return lambda piece: len(piece) if piece.isascii() else count(piece)

    def range(self, uri: str, start: int, end: int) -> types.Range:
        """Return two offsets as the editor counts."""
        document, units = self.document(uri), self.units(uri)

        def position(offset: int) -> types.Position:
            line = document.line_of(offset)
            return types.Position(line, units(document.text[document.line_start(line) : offset]))

        return types.Range(position(start), position(end))

    def location(self, uri: str, token: Token) -> types.Location:
        """Return the location of a token."""
        return types.Location(uri, self.range(uri, token.start, token.end))

    def schedule(self, uri: str) -> None:
        """Compile a text when no more keys follow, and publish its diagnostics."""
        before = self._waiting.get(uri)
        if before is None or before.done():
            self._waiting[uri] = asyncio.get_running_loop().create_task(self._compile(uri))

    async def _compile(self, uri: str) -> None:
        """Compile the newest text in another thread, until it is the one that was compiled last."""
        done: Document | None = None
        while self.document(uri) is not done:
            await asyncio.sleep(_SECONDS_OF_SILENCE)
            done = self.document(uri)
            await asyncio.to_thread(done.compile)
            if self.document(uri) is done:
                self.publish(uri)
                await asyncio.to_thread(getattr, done, "ops")

    def publish(self, uri: str) -> None:
        """Send the diagnostics of a text."""
        document, version = self.document(uri), self.text(uri).version
        found = [self._diagnostic(uri, each) for each in document.diagnostics]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def _diagnostic(self, uri: str, diagnostic: Diagnostic) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(types.Location(uri, self._range(uri, place)), note.message)
            for note in explained(diagnostic, Source(DOCUMENT, self.document(uri).text.encode())).notes
            if (place := note.location or diagnostic.location) and not shows_op(note)
        ]
        severity = _SEVERITIES[diagnostic.severity]
        span = self._range(uri, diagnostic.location)
        return types.Diagnostic(span, diagnostic.message, severity, source="stablehlo", related_information=related)

    def _range(self, uri: str, location: str) -> types.Range:
        document = self.document(uri)
        offset = document.offset_of(location) or 0
        token = document.outline.token_at(offset)
        return self.range(uri, offset, token.end if token is not None and offset < token.end else offset + 1)
