"""The passes written in C++ that the bindings carry.

A test compares the table with the bindings: every pass exists and has the options named here. `anchor` is that of the
newest release; `describe_pass` tells what the installed one has.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..lean import record


@record
class CompiledPass:
    """A summary of a pass, and the kind of op on which it runs, `any` for all kinds.

    `options` says what each option is for; the last field is the package's name for what the pass belongs to.
    """

    summary: str
    anchor: str = "any"
    options: Mapping[str, str] = MappingProxyType({})


MODULE, FUNCTION = "builtin.module", "func.func"

_PROPAGATION = {
    "conservative-propagation": "only split dimensions evenly, and stop at strided and padded ones",
    "debug-propagation-edge-sharding": "note at each value along which edge its sharding came",
    "debug-sharding-origins": "note at each value where its sharding came from",
    "keep-sharding-rules": "keep the sharding rules that were made for ops",
    "module-dump-directory": "a folder for the module before and after",
}
_STRATEGY = _PROPAGATION | {
    "propagation-strategy": "which factors to propagate: aggressive, basic, basic-then-aggressive"
}
_PRIORITY = _STRATEGY | {"run-op-priority-propagation": "propagate through cheap ops first"}

_STABLEHLO = {
    "chlo-legalize-to-stablehlo": CompiledPass("Expands CHLO ops into StableHLO and shape ops", FUNCTION),
    "shape-legalize-to-stablehlo": CompiledPass("Turns shape computations into StableHLO ops", FUNCTION),
    "stablehlo-canonicalize-dynamism": CompiledPass(
        "Turns dynamic ops whose shape operands are constant into their static forms", FUNCTION
    ),
    "stablehlo-check-shape-assertions": CompiledPass(
        "Evaluates @shape_assertion custom calls and removes those that hold",
        FUNCTION,
        {"enable-shape-assertions": "whether a failed assertion is an error"},
    ),
    "stablehlo-compatibility-expander": CompiledPass(
        "Expands ops that the target version does not have into older ones",
        MODULE,
        {"target": "the StableHLO version to be compatible with, X.Y.Z"},
    ),
    "stablehlo-complex-math-expander": CompiledPass("Expands complex functions into real ones", FUNCTION),
    "stablehlo-convert-to-signless": CompiledPass("Turns signed and unsigned integer types into signless ones", MODULE),
    "stablehlo-legalize-composite-to-call": CompiledPass(
        "Replaces composites by calls of their decompositions",
        FUNCTION,
        {"except": "names of composites to keep"},
    ),
    "stablehlo-legalize-deprecated-ops": CompiledPass(
        "Replaces deprecated ops by those that succeeded them",
        FUNCTION,
        {"fail-on-unused": "whether a deprecated op without a successor is an error"},
    ),
    "stablehlo-legalize-qdq-to-quantized-op": CompiledPass(
        "Fuses dequantize, op, quantize into an op on quantized types", FUNCTION
    ),
    "stablehlo-legalize-quant-to-math": CompiledPass("Computes ops on quantized types with integers", FUNCTION),
    "stablehlo-legalize-quantized-op-to-qdq": CompiledPass(
        "Splits an op on quantized types into dequantize, op, quantize", FUNCTION
    ),
    "stablehlo-legalize-to-linalg": CompiledPass(
        "Turns StableHLO into linalg, arith, math and tensor",
        "any",
        {
            "capture-scalar-inputs": "use scalar operands inside of linalg.generic instead of as its operands",
            "enable-primitive-ops": "use named linalg ops such as linalg.map where they exist",
            "enable-sparse-ops": "turn ops on sparse tensors into those of the sparse compiler",
        },
    ),
    "stablehlo-legalize-to-vhlo": CompiledPass(
        "Turns StableHLO into VHLO, the dialect of portable artifacts",
        MODULE,
        {"allow-other-dialects": "keep ops of other dialects, which have no guarantee of compatibility"},
    ),
    "stablehlo-refine-arguments": CompiledPass(
        "Gives the arguments of @main the types of an option",
        MODULE,
        {"types": "the types, e.g. tensor<2xf32>,tensor<i32>"},
    ),
    "stablehlo-refine-shapes": CompiledPass("Infers static shapes from those of @main's arguments", MODULE),
    "stablehlo-wrap-in-composite": CompiledPass(
        "Wraps ops into composites whose decomposition is the op",
        "any",
        {"op-names": "names of the ops to wrap", "version": "the version of the composites"},
    ),
    "vhlo-legalize-to-stablehlo": CompiledPass("Turns VHLO of the current version into StableHLO", MODULE),
    "vhlo-to-version": CompiledPass(
        "Converts VHLO between versions", "any", {"target": "the version to convert to, X.Y.Z"}
    ),
}

_UPSTREAM = {
    "bubble-down-memory-space-casts": CompiledPass("Moves casts of memory spaces behind the ops that use them"),
    "canonicalize": CompiledPass(
        "Folds ops and applies every dialect's canonicalization patterns",
        "any",
        {
            "cse-between-iterations": "remove common subexpressions between iterations",
            "disable-patterns": "labels of patterns not to apply",
            "enable-patterns": "labels of the only patterns to apply",
            "max-iterations": "how often to go over the IR at most, -1 for no limit",
            "max-num-rewrites": "how many patterns to apply an iteration at most, -1 for no limit",
            "region-simplify": "how much to simplify regions: disabled, normal, aggressive",
            "test-convergence": "fail where the limits stopped it",
            "top-down": "visit ops from the top",
        },
    ),
    "composite-fixed-point-pass": CompiledPass(
        "Runs a pipeline until it changes nothing",
        "any",
        {
            "max-iterations": "how often to run it at most",
            "name": "the name to show in reports",
            "pipeline": "the passes to run",
        },
    ),
    "control-flow-sink": CompiledPass("Moves ops into the branch that alone uses them"),
    "cse": CompiledPass("Replaces ops that compute the same by the first of them"),
    "generate-runtime-verification": CompiledPass(
        "Adds checks at run time to ops that know how",
        "any",
        {"verbose-level": "how much a failed check tells: 0 nothing, 1 the op"},
    ),
    "inline": CompiledPass(
        "Replaces calls by the bodies of the functions called",
        "any",
        {
            "default-pipeline": "what to run on functions before they are inlined",
            "inlining-threshold": "how many percent larger the caller may grow",
            "max-iterations": "how often to look for new calls at most",
            "op-pipelines": "what to run on other kinds of callable ops",
        },
    ),
    "loop-invariant-code-motion": CompiledPass("Moves ops out of loops in which they always compute the same"),
    "loop-invariant-subset-hoisting": CompiledPass("Moves reads and writes of the same part of a tensor out of loops"),
    "mem2reg": CompiledPass(
        "Turns memory slots into SSA values", "any", {"region-simplify": "simplify control flow where it has to"}
    ),
    "print-ir": CompiledPass("Prints the IR to standard error", "any", {"label": "text to print above it"}),
    "print-op-stats": CompiledPass(
        "Prints to standard error how many ops of each kind there are", "any", {"json": "print JSON"}
    ),
    "remove-dead-values": CompiledPass(
        "Removes arguments, results and ops that nothing uses", "any", {"canonicalize": "canonicalize regions after it"}
    ),
    "sccp": CompiledPass("Propagates constants through branches and calls"),
    "snapshot-op-locations": CompiledPass(
        "Prints the IR to a file and makes places in it the locations of ops",
        "any",
        {
            "filename": "the file to print to",
            "pretty-debuginfo": "print locations for people",
            "print-debuginfo": "print the locations that ops had",
            "print-local-scope": "print without aliases",
            "print-op-generic": "print generic forms",
            "tag": "add the new location under this name instead of replacing the old one",
        },
    ),
    "sroa": CompiledPass("Splits memory slots of aggregates into slots of their elements"),
    "strip-debuginfo": CompiledPass("Replaces every location by an unknown one"),
    "symbol-dce": CompiledPass("Removes private symbols that nothing refers to"),
    "symbol-privatize": CompiledPass("Makes symbols private", "any", {"exclude": "names of symbols to leave public"}),
    "topological-sort": CompiledPass("Sorts ops so that values are defined before they are used, where order is free"),
    "trivial-dce": CompiledPass(
        "Removes ops without effects whose results are unused",
        "any",
        {"recursive": "go into regions", "remove-blocks": "remove blocks that cannot be reached"},
    ),
    "view-op-graph": CompiledPass(
        "Prints a Graphviz graph of the ops to standard error",
        "any",
        {
            "max-label-len": "how long labels may be",
            "print-attrs": "show attributes",
            "print-control-flow-edges": "draw the order of ops",
            "print-data-flow-edges": "draw uses of values",
            "print-result-types": "show types",
        },
    ),
}

_MHLO = {
    "chlo-legalize-to-high-level-mhlo": CompiledPass(
        "Turns CHLO ops into the MHLO ops that exist for them",
        FUNCTION,
        {
            f"enable-{name}": f"turn chlo.{name} into mhlo.{name}"
            for name in ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh")
        },
    ),
    "chlo-legalize-to-hlo": CompiledPass("Expands CHLO ops into MHLO", FUNCTION),
    "expand-hlo-tuples": CompiledPass(
        "Replaces tuples among a function's arguments and results by their elements",
        MODULE,
        {"entry-function": "the function's name"},
    ),
    "hlo-legalize-to-stablehlo": CompiledPass(
        "Turns MHLO into StableHLO",
        MODULE,
        {
            "allow-experimental-features": "write MHLO features that StableHLO lacks as custom calls",
            "allow-xla-features": "keep features that only XLA has",
        },
    ),
    "mhlo-collapse-elementwise-map": CompiledPass("Replaces mhlo.map of elementwise ops by these ops", FUNCTION),
    "mhlo-flatten-tuple": CompiledPass("Replaces tuples among operands and results by their elements", FUNCTION),
    "mhlo-legalize-dot-to-dot-general": CompiledPass("Writes mhlo.dot as mhlo.dot_general", FUNCTION),
    "mhlo-legalize-einsum-to-dot-general": CompiledPass("Writes mhlo.einsum as mhlo.dot_general", FUNCTION),
    "mhlo-legalize-torch-index-select-to-gather": CompiledPass(
        "Writes mhlo.torch_index_select as mhlo.gather", FUNCTION
    ),
    "mhlo-legalize-trigonometric-to-approximation": CompiledPass(
        "Approximates trigonometric functions by rational ones", FUNCTION
    ),
    "mhlo-sink-constants-to-control-flow": CompiledPass("Copies constants into the regions that use them", FUNCTION),
    "mhlo-test-infer-shaped-type-methods": CompiledPass("Tests the type inference of MHLO ops", FUNCTION),
    "mhlo-test-materialize-broadcasts": CompiledPass("Tests making implicit broadcasts explicit", FUNCTION),
    "mhlo-test-unfuse-batch-norm": CompiledPass("Tests splitting batch norms into simpler ops", FUNCTION),
    "stablehlo-legalize-to-hlo": CompiledPass(
        "Turns StableHLO into MHLO",
        MODULE,
        {"convert-xla-supported-stablehlo": "also turn ops that XLA accepts as StableHLO"},
    ),
    "xla-prepare-for-export": CompiledPass("Rewrites MHLO so that XLA can take it", FUNCTION),
    "xla-sdy-round-trip-import-shardy-attrs": CompiledPass(
        "Turns the frontend attributes of an exported program into Shardy's attributes", MODULE
    ),
}

_SHARDY = {
    "sdy-add-data-flow-edges": CompiledPass("Marks the edges along which ops with regions pass values", MODULE),
    "sdy-add-func-data-flow-edges": CompiledPass("Marks the edges along which functions pass values", MODULE),
    "sdy-aggressive-propagate": CompiledPass("Propagates shardings, resolving conflicts", MODULE, _STRATEGY),
    "sdy-apply-sharding-constraints": CompiledPass(
        "Gives the operands of sharding constraints their sharding",
        MODULE,
        {name: _PROPAGATION[name] for name in ("debug-propagation-edge-sharding", "debug-sharding-origins")},
    ),
    "sdy-basic-propagate": CompiledPass("Propagates shardings where nothing conflicts", MODULE, _PROPAGATION),
    "sdy-close-shardings": CompiledPass("Closes every dimension of every sharding", MODULE),
    "sdy-constant-or-scalar-merger": CompiledPass("Merges equal constants that have equal shardings", FUNCTION),
    "sdy-constant-or-scalar-splitter": CompiledPass("Gives each use of a constant a constant of its own", MODULE),
    "sdy-convert-global-to-local": CompiledPass(
        "Turns types and ops of the whole mesh into those of one device",
        MODULE,
        {
            "combine-multi-dimension-reduce-scatter": "scatter several dimensions by one op",
            "enable-rgv3": "write replica groups by mesh axes",
            "per-dim-all-gather": "gather each dimension by an op of its own",
        },
    ),
    "sdy-drop-sharding-and-mesh": CompiledPass("Removes shardings and meshes", MODULE),
    "sdy-drop-sharding-rules": CompiledPass("Removes the sharding rules of ops", FUNCTION),
    "sdy-explicit-gather-scatter-batching": CompiledPass(
        "Makes implicit batch dimensions of gather and scatter explicit", FUNCTION
    ),
    "sdy-export-named-computations": CompiledPass("Makes functions of named computations", MODULE),
    "sdy-export-pipeline": CompiledPass("Runs what follows propagation", MODULE),
    "sdy-flatten-call-graph": CompiledPass("Copies functions so that each is called once", MODULE),
    "sdy-import-func-calls": CompiledPass(
        "Makes named computations of calls",
        MODULE,
        {"add-data-flow-edges-on-named-computations": "mark the edges along which they pass values"},
    ),
    "sdy-import-pipeline": CompiledPass("Runs what precedes propagation", MODULE),
    "sdy-inline-meshes": CompiledPass("Writes meshes into the shardings that name them", MODULE),
    "sdy-insert-explicit-reshards": CompiledPass(
        "Adds reshards where an op needs other shardings than it gets",
        FUNCTION,
        {"enable-full-version": "make every op's shardings compatible"},
    ),
    "sdy-insert-func-call-reshards": CompiledPass("Adds reshards between calls and the functions called", MODULE),
    "sdy-lift-inlined-meshes": CompiledPass("Makes symbols of the meshes that are written into shardings", MODULE),
    "sdy-manual-axes-cleanup": CompiledPass("Sorts the manual axes of manual computations and completes them", MODULE),
    "sdy-op-priority-propagate": CompiledPass("Propagates shardings through cheap ops first", MODULE, _PRIORITY),
    "sdy-pad-for-divisibility": CompiledPass("Pads tensors so that shardings divide them evenly", MODULE),
    "sdy-populate-op-sharding-rules": CompiledPass(
        "Writes the sharding rule of each op into an attribute",
        FUNCTION,
        {"conservative-propagation": _PROPAGATION["conservative-propagation"]},
    ),
    "sdy-pre-order-funcs": CompiledPass("Sorts functions so that callers precede those they call", MODULE),
    "sdy-propagate-sharding-from-func-to-call": CompiledPass("Gives calls the result shardings of functions", MODULE),
    "sdy-propagate-to-func-results": CompiledPass("Gives functions the shardings of what they return", MODULE),
    "sdy-propagation-pipeline": CompiledPass("Runs all of Shardy: import, propagation, export", MODULE),
    "sdy-remove-all-gather-reduce-scatter-for-cmv1": CompiledPass(
        "Removes gathers and scatters that collective matmul takes over", FUNCTION
    ),
    "sdy-remove-propagation-debug-info": CompiledPass("Removes the notes of debugging propagation", MODULE),
    "sdy-remove-sharding-groups": CompiledPass("Removes sharding groups", MODULE),
    "sdy-remove-size-one-axes": CompiledPass("Removes mesh axes of size one from shardings", MODULE),
    "sdy-remove-sub-axes-in-input-output-shardings": CompiledPass(
        "Keeps parts of axes out of the open shardings of arguments and results", MODULE
    ),
    "sdy-reshard-to-collectives": CompiledPass(
        "Turns reshards into collectives", FUNCTION, {"keep-redundant-reshards": "keep reshards that change nothing"}
    ),
    "sdy-resolve-permutation-factors": CompiledPass(
        "Resolves shardings along factors that permute data",
        MODULE,
        {"enable-halo-exchange": "exchange the edges of neighbours"},
    ),
    "sdy-sharding-constraint-to-reshard": CompiledPass("Turns sharding constraints into reshards", FUNCTION),
    "sdy-sharding-group-import": CompiledPass("Merges sharding groups that share values, and numbers them", MODULE),
    "sdy-sink-data-flow-edges": CompiledPass(
        "Moves the shardings of data flow edges to the values, and removes the edges",
        FUNCTION,
        {
            "sink-debug-propagation-edge-sharding": "keep the notes about edges",
            "sink-debug-sharding-origins": "keep the notes about origins",
        },
    ),
    "sdy-sink-func-data-flow-edges": CompiledPass("Moves the shardings of function edges to the arguments", FUNCTION),
    "sdy-unflatten-call-graph": CompiledPass(
        "Merges the copies of functions that flattening made",
        MODULE,
        {"dedup-functions-fully": "merge copies with different shardings too"},
    ),
    "sdy-update-non-divisible-input-output-shardings": CompiledPass(
        "Drops axes that do not divide an argument's or a result's dimension", MODULE
    ),
    "sdy-user-priority-propagate": CompiledPass(
        "Propagates shardings in the order of the priorities that the user gave", MODULE, _PRIORITY
    ),
}

COMPILED_PASSES: dict[str, CompiledPass] = _STABLEHLO | _UPSTREAM | _MHLO | _SHARDY

_OLDEST = "0.7.1"
# The passes that the oldest jaxlib lacks, by the release that has them; tests compare with third_party/providers.toml.
_SINCE = {
    "0.8.0": "bubble-down-memory-space-casts sdy-remove-all-gather-reduce-scatter-for-cmv1",
    "0.8.3": "stablehlo-check-shape-assertions",
    "0.9.2": "sdy-convert-global-to-local sdy-remove-sub-axes-in-input-output-shardings",
    "0.10.2": "sdy-add-func-data-flow-edges sdy-drop-sharding-and-mesh sdy-explicit-gather-scatter-batching "
    "sdy-export-named-computations sdy-flatten-call-graph sdy-import-func-calls sdy-insert-func-call-reshards "
    "sdy-pad-for-divisibility sdy-pre-order-funcs sdy-propagate-sharding-from-func-to-call "
    "sdy-propagate-to-func-results sdy-resolve-permutation-factors sdy-sink-func-data-flow-edges "
    "sdy-unflatten-call-graph trivial-dce",
}


def jaxlib_with(name: str) -> str:
    """Return the oldest release of jaxlib that was seen to have a pass."""
    return next((release for release, names in _SINCE.items() if name in names.split()), _OLDEST)
