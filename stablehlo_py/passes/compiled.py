"""The passes written in C++ that the bindings carry.

A test compares the table with the bindings: every pass exists and has the options named here. `anchor` is that of the
newest release; `describe_pass` tells what the installed one has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_OLDEST = "0.7.1"
_ANCHORS = {"module": "builtin.module", "function": "func.func"}

# A pass: its name, the op on which it runs if not on any, the jaxlib that has it where the oldest lacks it, and what it
# does. Below it its options: what each is for, or the names of several that are explained above.
_TABLE = """
chlo-legalize-to-stablehlo, function: Expands CHLO ops into StableHLO and shape ops
shape-legalize-to-stablehlo, function: Turns shape computations into StableHLO ops
stablehlo-canonicalize-dynamism, function: Turns dynamic ops whose shape operands are constant into their static forms
stablehlo-check-shape-assertions, function, 0.8.3: Evaluates @shape_assertion custom calls and removes those that hold
    enable-shape-assertions: whether a failed assertion is an error
stablehlo-compatibility-expander, module: Expands ops that the target version does not have into older ones
    target: the StableHLO version to be compatible with, X.Y.Z
stablehlo-complex-math-expander, function: Expands complex functions into real ones
stablehlo-convert-to-signless, module: Turns signed and unsigned integer types into signless ones
stablehlo-legalize-composite-to-call, function: Replaces composites by calls of their decompositions
    except: names of composites to keep
stablehlo-legalize-deprecated-ops, function: Replaces deprecated ops by those that succeeded them
    fail-on-unused: whether a deprecated op without a successor is an error
stablehlo-legalize-qdq-to-quantized-op, function: Fuses dequantize, op, quantize into an op on quantized types
stablehlo-legalize-quant-to-math, function: Computes ops on quantized types with integers
stablehlo-legalize-quantized-op-to-qdq, function: Splits an op on quantized types into dequantize, op, quantize
stablehlo-legalize-to-linalg: Turns StableHLO into linalg, arith, math and tensor
    capture-scalar-inputs: use scalar operands inside of linalg.generic instead of as its operands
    enable-primitive-ops: use named linalg ops such as linalg.map where they exist
    enable-sparse-ops: turn ops on sparse tensors into those of the sparse compiler
stablehlo-legalize-to-vhlo, module: Turns StableHLO into VHLO, the dialect of portable artifacts
    allow-other-dialects: keep ops of other dialects, which have no guarantee of compatibility
stablehlo-refine-arguments, module: Gives the arguments of @main the types of an option
    types: the types, e.g. tensor<2xf32>,tensor<i32>
stablehlo-refine-shapes, module: Infers static shapes from those of @main's arguments
stablehlo-wrap-in-composite: Wraps ops into composites whose decomposition is the op
    op-names: names of the ops to wrap
    version: the version of the composites
vhlo-legalize-to-stablehlo, module: Turns VHLO of the current version into StableHLO
vhlo-to-version: Converts VHLO between versions
    target: the version to convert to, X.Y.Z
bubble-down-memory-space-casts, 0.8.0: Moves casts of memory spaces behind the ops that use them
canonicalize: Folds ops and applies every dialect's canonicalization patterns
    cse-between-iterations: remove common subexpressions between iterations
    disable-patterns: labels of patterns not to apply
    enable-patterns: labels of the only patterns to apply
    max-iterations: how often to go over the IR at most, -1 for no limit
    max-num-rewrites: how many patterns to apply an iteration at most, -1 for no limit
    region-simplify: how much to simplify regions: disabled, normal, aggressive
    test-convergence: fail where the limits stopped it
    top-down: visit ops from the top
composite-fixed-point-pass: Runs a pipeline until it changes nothing
    max-iterations: how often to run it at most
    name: the name to show in reports
    pipeline: the passes to run
control-flow-sink: Moves ops into the branch that alone uses them
cse: Replaces ops that compute the same by the first of them
generate-runtime-verification: Adds checks at run time to ops that know how
    verbose-level: how much a failed check tells: 0 nothing, 1 the op
inline: Replaces calls by the bodies of the functions called
    default-pipeline: what to run on functions before they are inlined
    inlining-threshold: how many percent larger the caller may grow
    max-iterations: how often to look for new calls at most
    op-pipelines: what to run on other kinds of callable ops
loop-invariant-code-motion: Moves ops out of loops in which they always compute the same
loop-invariant-subset-hoisting: Moves reads and writes of the same part of a tensor out of loops
mem2reg: Turns memory slots into SSA values
    region-simplify: simplify control flow where it has to
print-ir: Prints the IR to standard error
    label: text to print above it
print-op-stats: Prints to standard error how many ops of each kind there are
    json: print JSON
remove-dead-values: Removes arguments, results and ops that nothing uses
    canonicalize: canonicalize regions after it
sccp: Propagates constants through branches and calls
snapshot-op-locations: Prints the IR to a file and makes places in it the locations of ops
    filename: the file to print to
    pretty-debuginfo: print locations for people
    print-debuginfo: print the locations that ops had
    print-local-scope: print without aliases
    print-op-generic: print generic forms
    tag: add the new location under this name instead of replacing the old one
sroa: Splits memory slots of aggregates into slots of their elements
strip-debuginfo: Replaces every location by an unknown one
symbol-dce: Removes private symbols that nothing refers to
symbol-privatize: Makes symbols private
    exclude: names of symbols to leave public
topological-sort: Sorts ops so that values are defined before they are used, where order is free
trivial-dce, 0.10.2: Removes ops without effects whose results are unused
    recursive: go into regions
    remove-blocks: remove blocks that cannot be reached
view-op-graph: Prints a Graphviz graph of the ops to standard error
    max-label-len: how long labels may be
    print-attrs: show attributes
    print-control-flow-edges: draw the order of ops
    print-data-flow-edges: draw uses of values
    print-result-types: show types
chlo-legalize-to-high-level-mhlo, function: Turns CHLO ops into the MHLO ops that exist for them
    enable-acos: turn chlo.acos into mhlo.acos
    enable-acosh: turn chlo.acosh into mhlo.acosh
    enable-asin: turn chlo.asin into mhlo.asin
    enable-asinh: turn chlo.asinh into mhlo.asinh
    enable-atanh: turn chlo.atanh into mhlo.atanh
    enable-cosh: turn chlo.cosh into mhlo.cosh
    enable-sinh: turn chlo.sinh into mhlo.sinh
chlo-legalize-to-hlo, function: Expands CHLO ops into MHLO
expand-hlo-tuples, module: Replaces tuples among a function's arguments and results by their elements
    entry-function: the function's name
hlo-legalize-to-stablehlo, module: Turns MHLO into StableHLO
    allow-experimental-features: write MHLO features that StableHLO lacks as custom calls
    allow-xla-features: keep features that only XLA has
mhlo-collapse-elementwise-map, function: Replaces mhlo.map of elementwise ops by these ops
mhlo-flatten-tuple, function: Replaces tuples among operands and results by their elements
mhlo-legalize-dot-to-dot-general, function: Writes mhlo.dot as mhlo.dot_general
mhlo-legalize-einsum-to-dot-general, function: Writes mhlo.einsum as mhlo.dot_general
mhlo-legalize-torch-index-select-to-gather, function: Writes mhlo.torch_index_select as mhlo.gather
mhlo-legalize-trigonometric-to-approximation, function: Approximates trigonometric functions by rational ones
mhlo-sink-constants-to-control-flow, function: Copies constants into the regions that use them
mhlo-test-infer-shaped-type-methods, function: Tests the type inference of MHLO ops
mhlo-test-materialize-broadcasts, function: Tests making implicit broadcasts explicit
mhlo-test-unfuse-batch-norm, function: Tests splitting batch norms into simpler ops
stablehlo-legalize-to-hlo, module: Turns StableHLO into MHLO
    convert-xla-supported-stablehlo: also turn ops that XLA accepts as StableHLO
xla-prepare-for-export, function: Rewrites MHLO so that XLA can take it
xla-sdy-round-trip-import-shardy-attrs, module: Turns the frontend attributes of an exported program into Shardy's \
attributes
sdy-add-data-flow-edges, module: Marks the edges along which ops with regions pass values
sdy-add-func-data-flow-edges, module, 0.10.2: Marks the edges along which functions pass values
sdy-aggressive-propagate, module: Propagates shardings, resolving conflicts
    conservative-propagation: only split dimensions evenly, and stop at strided and padded ones
    debug-propagation-edge-sharding: note at each value along which edge its sharding came
    debug-sharding-origins: note at each value where its sharding came from
    keep-sharding-rules: keep the sharding rules that were made for ops
    module-dump-directory: a folder for the module before and after
    propagation-strategy: which factors to propagate: aggressive, basic, basic-then-aggressive
sdy-apply-sharding-constraints, module: Gives the operands of sharding constraints their sharding
    debug-propagation-edge-sharding, debug-sharding-origins
sdy-basic-propagate, module: Propagates shardings where nothing conflicts
    conservative-propagation, debug-propagation-edge-sharding, debug-sharding-origins, keep-sharding-rules
    module-dump-directory
sdy-close-shardings, module: Closes every dimension of every sharding
sdy-constant-or-scalar-merger, function: Merges equal constants that have equal shardings
sdy-constant-or-scalar-splitter, module: Gives each use of a constant a constant of its own
sdy-convert-global-to-local, module, 0.9.2: Turns types and ops of the whole mesh into those of one device
    combine-multi-dimension-reduce-scatter: scatter several dimensions by one op
    enable-rgv3: write replica groups by mesh axes
    per-dim-all-gather: gather each dimension by an op of its own
sdy-drop-sharding-and-mesh, module, 0.10.2: Removes shardings and meshes
sdy-drop-sharding-rules, function: Removes the sharding rules of ops
sdy-explicit-gather-scatter-batching, function, 0.10.2: Makes implicit batch dimensions of gather and scatter explicit
sdy-export-named-computations, module, 0.10.2: Makes functions of named computations
sdy-export-pipeline, module: Runs what follows propagation
sdy-flatten-call-graph, module, 0.10.2: Copies functions so that each is called once
sdy-import-func-calls, module, 0.10.2: Makes named computations of calls
    add-data-flow-edges-on-named-computations: mark the edges along which they pass values
sdy-import-pipeline, module: Runs what precedes propagation
sdy-inline-meshes, module: Writes meshes into the shardings that name them
sdy-insert-explicit-reshards, function: Adds reshards where an op needs other shardings than it gets
    enable-full-version: make every op's shardings compatible
sdy-insert-func-call-reshards, module, 0.10.2: Adds reshards between calls and the functions called
sdy-lift-inlined-meshes, module: Makes symbols of the meshes that are written into shardings
sdy-manual-axes-cleanup, module: Sorts the manual axes of manual computations and completes them
sdy-op-priority-propagate, module: Propagates shardings through cheap ops first
    conservative-propagation, debug-propagation-edge-sharding, debug-sharding-origins, keep-sharding-rules
    module-dump-directory, propagation-strategy
    run-op-priority-propagation: propagate through cheap ops first
sdy-pad-for-divisibility, module, 0.10.2: Pads tensors so that shardings divide them evenly
sdy-populate-op-sharding-rules, function: Writes the sharding rule of each op into an attribute
    conservative-propagation: only split dimensions evenly, and stop at strided and padded ones
sdy-pre-order-funcs, module, 0.10.2: Sorts functions so that callers precede those they call
sdy-propagate-sharding-from-func-to-call, module, 0.10.2: Gives calls the result shardings of functions
sdy-propagate-to-func-results, module, 0.10.2: Gives functions the shardings of what they return
sdy-propagation-pipeline, module: Runs all of Shardy: import, propagation, export
sdy-remove-all-gather-reduce-scatter-for-cmv1, function, 0.8.0: Removes gathers and scatters that collective matmul \
takes over
sdy-remove-propagation-debug-info, module: Removes the notes of debugging propagation
sdy-remove-sharding-groups, module: Removes sharding groups
sdy-remove-size-one-axes, module: Removes mesh axes of size one from shardings
sdy-remove-sub-axes-in-input-output-shardings, module, 0.9.2: Keeps parts of axes out of the open shardings of \
arguments and results
sdy-reshard-to-collectives, function: Turns reshards into collectives
    keep-redundant-reshards: keep reshards that change nothing
sdy-resolve-permutation-factors, module, 0.10.2: Resolves shardings along factors that permute data
    enable-halo-exchange: exchange the edges of neighbours
sdy-sharding-constraint-to-reshard, function: Turns sharding constraints into reshards
sdy-sharding-group-import, module: Merges sharding groups that share values, and numbers them
sdy-sink-data-flow-edges, function: Moves the shardings of data flow edges to the values, and removes the edges
    sink-debug-propagation-edge-sharding: keep the notes about edges
    sink-debug-sharding-origins: keep the notes about origins
sdy-sink-func-data-flow-edges, function, 0.10.2: Moves the shardings of function edges to the arguments
sdy-unflatten-call-graph, module, 0.10.2: Merges the copies of functions that flattening made
    dedup-functions-fully: merge copies with different shardings too
sdy-update-non-divisible-input-output-shardings, module: Drops axes that do not divide an argument's or a result's \
dimension
sdy-user-priority-propagate, module: Propagates shardings in the order of the priorities that the user gave
    conservative-propagation, debug-propagation-edge-sharding, debug-sharding-origins, keep-sharding-rules
    module-dump-directory, propagation-strategy, run-op-priority-propagation
"""


@dataclass(frozen=True)
class CompiledPass:
    """A summary of a pass, the kind of op on which it runs, `any` for all kinds, and what each of its options is for.

    `since` is the oldest release of jaxlib that was seen to have it; tests compare with third_party/providers.toml.
    """

    summary: str
    anchor: str
    options: Mapping[str, str]
    since: str


def _read(table: str) -> dict[str, CompiledPass]:
    """The passes of a table by name."""
    passes: dict[str, CompiledPass] = {}
    meanings: dict[str, str] = {}
    options: dict[str, str] = {}
    for line in table.split("\n")[1:-1]:
        head, _, text = line.partition(": ")
        names = head.strip().split(", ")
        if not line.startswith(" "):
            options = {}
            anchor = next((_ANCHORS[word] for word in names if word in _ANCHORS), "any")
            since = names[-1] if names[-1][0].isdigit() else _OLDEST
            passes[names[0]] = CompiledPass(text, anchor, options, since)
            continue
        if text:
            meanings[names[0]] = text
        options.update({name: meanings[name] for name in names})
    return passes


COMPILED_PASSES = _read(_TABLE)
