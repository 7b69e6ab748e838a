"""A wrong pass."""

from stablehlo_py.bindings.walk import operations
from stablehlo_py.extend import Pass, register_pass


@register_pass
class DropsTerm(Pass):
    name = "drops-term"
    summary = "Keeps one term of each sum"
    anchor = "builtin.module"

    def run(self, module):
        for op in operations(module):
            if op.name == "stablehlo.add" and op.operands[0].type == op.results[0].type:
                op.results[0].replace_all_uses_with(op.operands[0])
