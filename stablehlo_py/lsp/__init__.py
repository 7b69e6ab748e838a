"""The language server: what an editor asks about MLIR text, answered from its outline and from the parsed program."""
