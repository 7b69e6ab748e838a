"""The verbs of `stablehlo`, a file each: options in, one call, text out."""
