"""The requests for what an editor shows in a text: colours, shapes behind names, and lenses."""

from __future__ import annotations

from lsprotocol import types

from . import marks
from .session import Server

RUN_TEST = "stablehlo.runTest"


def register_appearance(server: Server) -> None:
    """Answer the requests for colours, for the shapes behind names, and for lenses."""
    legend = types.SemanticTokensLegend(list(marks.KINDS), [])

    def coloured(uri: str) -> types.SemanticTokens:
        data = marks.colours(server.document(uri), server.units(uri))
        number = str(int(server.colours.get(uri, ("0", []))[0]) + 1)
        server.colours[uri] = number, data
        return types.SemanticTokens(data, number)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def _(params: types.SemanticTokensParams) -> types.SemanticTokens:
        return coloured(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, legend)
    def _(params: types.SemanticTokensDeltaParams) -> types.SemanticTokens | types.SemanticTokensDelta:
        uri = params.text_document.uri
        number, before = server.colours.get(uri, ("0", []))
        after = coloured(uri)
        if number != params.previous_result_id:
            return after
        edit = types.SemanticTokensEdit(*marks.changed(before, after.data))
        return types.SemanticTokensDelta([edit], after.result_id)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    def _(params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        uri = params.text_document.uri
        start, end = (server.offset(uri, each) for each in (params.range.start, params.range.end))
        return types.SemanticTokens(marks.colours(server.document(uri), server.units(uri), start, end))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        start, end = (server.offset(uri, each) for each in (params.range.start, params.range.end))
        return [
            types.InlayHint(server.range(uri, offset, offset).start, f": {shape}", types.InlayHintKind.Type)
            for offset, shape in marks.shapes(server.document(uri), start, end)
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def _(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        first = next((t for t in server.document(uri).outline.tokens if t.kind == "comment" and "RUN:" in t.text), None)
        if first is None:
            return []
        command = types.Command("Run this test", RUN_TEST, arguments=[uri])
        return [types.CodeLens(server.range(uri, first.start, first.end), command)]
