"""A test program for a quantized product: floats go in, and floats come out."""

from stablehlo_py import ops

i8 = ops.element_type("!quant.uniform<i8:f32, 0.05:3>")
i32 = ops.element_type("!quant.uniform<i32:f32, 0.0025>")

with ops.module() as module:

    @ops.function(x=ops.f32[2, 3], w=ops.f32[3, 4])
    def main(x, w):
        product = ops.dot_general(
            ops.uniform_quantize(x, result_type=i8),
            ops.uniform_quantize(w, result_type=ops.element_type("!quant.uniform<i8:f32, 0.05>")),
            lhs_contracting_dimensions=[1],
            rhs_contracting_dimensions=[0],
            result_type=i32,
        )
        return ops.uniform_dequantize(product)
