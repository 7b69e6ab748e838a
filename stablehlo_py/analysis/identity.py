"""A name for a program: programs of one name differ at most in names, locations and the order of independent ops."""

from __future__ import annotations

from hashlib import blake2b

from ..bindings import ir
from ..bindings.walk import functions
from ..passes.inlining import MAIN, inlined
from .matching import Side
from .symbols import Labels

_MEANT = ("mhlo.attributes", "mhlo.backend_config", "mhlo.sharding", "sdy.")


def program_hash(module: ir.Module) -> str:
    """Return a hash of the ops of a program, its calls inlined, each with the ops that lead to it.

    Attributes of other dialects do not count, except for shardings and what custom calls are told.
    """
    copy = inlined(module)
    labels = Labels({})
    for op in functions(copy.operation).values():
        for name in ("arg_attrs", "res_attrs"):
            if name in op.attributes and not any(meant in str(op.attributes[name]) for meant in _MEANT):
                del op.attributes[name]

    def own(op: ir.Operation) -> str:
        for name in [name for name in op.attributes if "." in name and not name.startswith(_MEANT)]:
            del op.attributes[name]
        return labels.own(op)

    names = sorted(name for name in functions(copy.operation) if name != MAIN)
    digest = blake2b(digest_size=16)
    for name in (MAIN, *names):
        for each in sorted(Side(functions(copy.operation)[name], own).forward):
            digest.update(each)
    return digest.hexdigest()
