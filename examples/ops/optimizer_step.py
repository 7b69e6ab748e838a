"""A step of Adam for one matrix."""

from stablehlo_py import ops

matrix = ops.f32[4, 8]

with ops.module() as module:

    @ops.function(weights=matrix, gradient=matrix, first=matrix, second=matrix, step=ops.f32[()])
    def main(weights, gradient, first, second, step):
        first = first * 0.9 + gradient * 0.1
        second = second * 0.999 + gradient * gradient * 0.001
        scale = (1.0 - ops.power(0.999, step)) / (1.0 - ops.power(0.9, step))
        update = first * scale / (ops.sqrt(ops.abs(second)) + 1e-3)
        return weights - update * 0.01, first, second
