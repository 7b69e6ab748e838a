"""The server: requests of the Language Server Protocol, each answered by a function of this room.

Needs the extra `lsp`. Texts are parsed in a child process, so that no text ends the server.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from ..bindings.narrowing import is_dict
from ..errors import Diagnostic, StablehloError
from ..syntax.layout import laid_out
from ..syntax.source import read_source
from ..syntax.tokens import common_ends
from . import actions, marks, navigation, writing
from .completion import MOST_PROPOSALS, TRIGGERS, completions
from .hover import hover
from .session import Flags, Server

RUN_TEST = "stablehlo.runTest"
CONVERT_FROM_BYTECODE, CONVERT_TO_BYTECODE = "mlir/convertFromBytecode", "mlir/convertToBytecode"
_COMPLETION_KINDS = {
    "value": types.CompletionItemKind.Variable,
    "symbol": types.CompletionItemKind.Function,
    "block": types.CompletionItemKind.Reference,
    "op": types.CompletionItemKind.Method,
    "attribute": types.CompletionItemKind.Property,
    "type": types.CompletionItemKind.TypeParameter,
    "flag": types.CompletionItemKind.Keyword,
}
_Result = TypeVar("_Result")


async def _reported(server: Server, work: Callable[[], _Result]) -> _Result | None:
    """Return the result of `work`, which another thread does; an error is shown to the user."""
    try:
        return await asyncio.to_thread(work)
    except StablehloError as error:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Error, str(error)))
        return None


def make_server(flags: Flags = tuple) -> Server:
    """Return a server; `start_io()` serves standard input and output.

    Args:
        flags: Returns the flags that RUN lines can use, with their summaries.
    """
    server = Server(flags)
    for register in (_texts, _names, _occurrences, _writing, _looks, _changes, _commands):
        register(server)
    return server


def _texts(server: Server) -> None:
    for is_new in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE):

        @server.feature(is_new)
        def _(params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
            server.schedule(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.forget(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


def _names(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def _(params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        found = hover(server.document(uri), server.offset(uri, params.position))
        if found is None:
            return None
        text, token = found
        content = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(content, server.range(uri, token.start, token.end))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def _(params: types.DefinitionParams) -> list[types.Location]:
        uri = params.text_document.uri
        document, offset = server.document(uri), server.offset(uri, params.position)
        token = navigation.definition(document, offset)
        if token is not None and not token.text.startswith("#loc"):
            return [server.location(uri, token)]
        location = navigation.source_location(document, offset)
        if location is None:
            return [] if token is None else [server.location(uri, token)]
        path, line, column = location
        start = types.Position(max(line - 1, 0), max(column - 1, 0))
        folder = Path(unquote(urlparse(uri).path)).parent  # in which relative names are looked for
        return [types.Location((folder / path).resolve().as_uri(), types.Range(start, start))]


def _occurrences(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def _(params: types.ReferenceParams) -> list[types.Location]:
        uri = params.text_document.uri
        whole = params.context.include_declaration
        found = navigation.occurrences(server.document(uri), server.offset(uri, params.position), with_definition=whole)
        return [server.location(uri, token) for token in found]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def _(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        uri = params.text_document.uri
        found = navigation.occurrences(server.document(uri), server.offset(uri, params.position))
        return [types.DocumentHighlight(server.range(uri, token.start, token.end)) for token in found]

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def _(params: types.RenameParams) -> types.WorkspaceEdit:
        uri = params.text_document.uri
        document, offset = server.document(uri), server.offset(uri, params.position)
        found = navigation.occurrences(document, offset)
        name = _answered(partial(navigation.new_name, document, offset, params.new_name))
        edits = [
            types.TextEdit(server.range(uri, token.start, token.end), token.text.replace(token.name, name, 1))
            for token in found
        ]
        return types.WorkspaceEdit({uri: edits})

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        uri = params.text_document.uri
        return [_symbol(server, uri, each) for each in navigation.symbols(server.document(uri))]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def _(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        document = server.document(params.text_document.uri)
        return [types.FoldingRange(first, last) for first, last in navigation.folds(document)]


def _symbol(server: Server, uri: str, symbol: navigation.DocumentSymbol) -> types.DocumentSymbol:
    statement = symbol.statement
    kind = types.SymbolKind.Function if statement.symbol is not None else types.SymbolKind.Variable
    size = server.range(uri, statement.start, statement.end)
    name = server.range(uri, statement.token.start, statement.token.end)
    children = [_symbol(server, uri, each) for each in symbol.children]
    return types.DocumentSymbol(symbol.name, kind, size, name, symbol.detail, children=children)


def _writing(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=list(TRIGGERS)))
    def _(params: types.CompletionParams) -> types.CompletionList:
        uri = params.text_document.uri
        offset = server.offset(uri, params.position)
        proposals, start = completions(server.document(uri), offset, server.flags)
        size = server.range(uri, start, offset)
        with_snippets = _takes_snippets(server)
        items = [
            types.CompletionItem(
                each.text,
                kind=_COMPLETION_KINDS[each.kind],
                detail=each.detail or None,
                documentation=each.summary or None,
                insert_text_format=types.InsertTextFormat.Snippet if with_snippets and each.snippet else None,
                text_edit=types.TextEdit(size, each.snippet if with_snippets and each.snippet else each.text),
                sort_text=f"{number:04}",
            )
            for number, each in enumerate(proposals)
        ]
        return types.CompletionList(is_incomplete=len(items) == MOST_PROPOSALS, items=items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions([" ", "(", ","]))
    def _(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        uri = params.text_document.uri
        found = writing.signature(server.document(uri), server.offset(uri, params.position))
        if found is None:
            return None
        label, operands, active = found
        summary = writing.summary(label.partition("(")[0]) or None
        parameters = [types.ParameterInformation(name) for name in operands]
        return types.SignatureHelp([types.SignatureInformation(label, summary, parameters)], 0, active)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def _(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        uri = params.text_document.uri
        return _replacing(server, uri, laid_out(server.document(uri).text))


def _takes_snippets(server: Server) -> bool:
    texts = server.client_capabilities.text_document
    item = texts.completion.completion_item if texts is not None and texts.completion is not None else None
    return item is not None and bool(item.snippet_support)


def _replacing(server: Server, uri: str, text: str) -> list[types.TextEdit]:
    before = server.document(uri).text
    return [] if text == before else [types.TextEdit(server.range(uri, 0, len(before)), text)]


def _looks(server: Server) -> None:
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
        start, end = common_ends(before, after.data)
        edit = types.SemanticTokensEdit(start, len(before) - start - end, after.data[start : len(after.data) - end])
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


def _changes(server: Server) -> None:
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))
    def _(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        document = server.document(uri)
        line = params.range.start.line
        offered = [
            offer(server, uri, diagnostic)
            for diagnostic in document.diagnostics
            if document.line_of(document.offset_of(diagnostic.location) or 0) == line
            for offer in (_suggestion, _expectation)
        ]
        if document.is_whole:
            offered += [_rewrite(uri, f"Apply {name}", {"pipeline": text}) for name, text in actions.PASSES.items()]
            offered += [_rewrite(uri, f"Write in {name}", {"generic": form}) for name, form in actions.FORMS.items()]
        return [action for action in offered if action is not None]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def _(action: types.CodeAction) -> types.CodeAction:
        data: dict[str, Any] = action.data if is_dict(action.data) else {}
        uri = data.get("uri")
        if not isinstance(uri, str):
            return action
        text = server.document(uri).text
        if "pipeline" in data:
            after = await _reported(server, partial(actions.after_passes, text, str(data["pipeline"])))
        else:
            after = await _reported(server, partial(actions.in_form, text, generic=bool(data.get("generic"))))
        if after is not None:
            action.edit = types.WorkspaceEdit({uri: _replacing(server, uri, after)})
        return action


def _suggestion(server: Server, uri: str, diagnostic: Diagnostic) -> types.CodeAction | None:
    found = actions.suggested(server.document(uri), diagnostic)
    if found is None:
        return None
    start, end, word = found
    edit = types.WorkspaceEdit({uri: [types.TextEdit(server.range(uri, start, end), word)]})
    return types.CodeAction(f"Change to {word}", types.CodeActionKind.QuickFix, edit=edit, is_preferred=True)


def _expectation(server: Server, uri: str, diagnostic: Diagnostic) -> types.CodeAction | None:
    found = actions.expectation(server.document(uri), diagnostic)
    if found is None:
        return None
    start, comment = found
    edit = types.WorkspaceEdit({uri: [types.TextEdit(server.range(uri, start, start), comment)]})
    title = f"Expect this {diagnostic.severity}"
    return types.CodeAction(title, types.CodeActionKind.QuickFix, edit=edit)


def _rewrite(uri: str, title: str, data: dict[str, object]) -> types.CodeAction:
    return types.CodeAction(title, types.CodeActionKind.RefactorRewrite, data={"uri": uri, **data})


def _commands(server: Server) -> None:
    @server.command(RUN_TEST)
    async def _(uri: str) -> bool | None:
        path = Path(unquote(urlparse(uri).path))
        ended = await _reported(server, partial(actions.run_test, path))
        if ended is None:
            return None
        passed, said = ended
        kind = types.MessageType.Info if passed else types.MessageType.Error
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, said))
        outcome = "passes" if passed else "fails; the log of the server shows how"
        server.window_show_message(types.ShowMessageParams(kind, f"{path.name} {outcome}"))
        return passed

    # Requests of upstream's server, which editors send for a file of bytecode.
    @server.feature(CONVERT_FROM_BYTECODE)
    async def _(params: Any) -> dict[str, str]:
        path = Path(unquote(urlparse(str(params.uri)).path))
        work = partial(_answered, lambda: actions.text_of_bytecode(read_source(path).data))
        return {"output": await asyncio.to_thread(work)}

    @server.feature(CONVERT_TO_BYTECODE)
    async def _(params: Any) -> dict[str, str]:
        work = partial(_answered, partial(actions.bytecode_of_text, server.document(params.uri).text))
        data = await asyncio.to_thread(work)
        return {"output": base64.b64encode(data).decode("ascii")}


def _answered(work: Callable[[], _Result]) -> _Result:
    """Return the result of `work`; an error becomes the answer to the request."""
    try:
        return work()
    except (StablehloError, OSError) as error:
        raise JsonRpcInvalidParams(str(error)) from None
