"""The language server: an editor's questions about MLIR text, answered from its outline and from the parsed program."""
