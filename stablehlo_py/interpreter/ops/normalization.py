"""Batch normalization: batch_norm_inference, batch_norm_training, batch_norm_grad, as the spec decomposes them."""

from __future__ import annotations

import math

import numpy as np

from ...bindings.types import element_type
from ..element_types import Arithmetic
from ..op import Kernel, Op
from ..registry import evaluates
from .bodies import Array, Arrays


class _Features:
    """Arithmetic on the operand of a batch normalization, and on one value a feature."""

    def __init__(self, op: Op) -> None:
        elements = op.tensor_operand(0).element_type
        self.floats: Arithmetic = op.arithmetic()
        self.feature_index = op.int("feature_index")
        self.to_elements = op.converter(element_type("f64"), elements)
        self.epsilon = self.to_elements(np.float64(op.float("epsilon")))
        self._elements, self._reading = elements, op.program.reading

    def broadcast(self, values: Array, operand: Array) -> Array:
        """One value a feature, in a shape that broadcasts against operand."""
        return np.asarray(values).reshape((-1,) + (1,) * (operand.ndim - self.feature_index - 1))

    def count(self, operand: Array) -> Array:
        """The number of elements of one feature, as an element."""
        sizes = [size for dimension, size in enumerate(operand.shape) if dimension != self.feature_index]
        return self.to_elements(np.float64(math.prod(sizes)))

    def sum(self, operand: Array) -> Array:
        dimensions = tuple(dimension for dimension in range(operand.ndim) if dimension != self.feature_index)
        return self._reading.sum(self._elements, operand, dimensions)

    def mean(self, operand: Array) -> Array:
        return self.floats.divide(self.sum(operand), self.count(operand))

    def stddev(self, variance: Array) -> Array:
        return self.floats.sqrt(self.floats.add(variance, self.epsilon))

    def normalize(self, operand: Array, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
        """(operand - mean) / stddev * scale + offset, feature by feature."""
        floats = self.floats
        centered_operand = floats.subtract(operand, self.broadcast(mean, operand))
        normalized_operand = floats.divide(centered_operand, self.broadcast(self.stddev(variance), operand))
        scaled = floats.multiply(self.broadcast(scale, operand), normalized_operand)
        return floats.add(scaled, self.broadcast(offset, operand))


@evaluates("stablehlo.batch_norm_inference")
def batch_norm_inference(op: Op) -> Kernel:
    """operand normalized by the mean and variance given for each feature. Spec: batch_norm_inference."""
    return _Features(op).normalize


@evaluates("stablehlo.batch_norm_training")
def batch_norm_training(op: Op) -> Kernel:
    """operand normalized by its own mean and variance, and these. Spec: batch_norm_training."""
    features = _Features(op)

    def kernel(operand: Array, scale: Array, offset: Array) -> Arrays:
        mean = features.mean(operand)
        centered_operand = features.floats.subtract(operand, features.broadcast(mean, operand))
        variance = features.mean(features.floats.multiply(centered_operand, centered_operand))
        return features.normalize(operand, scale, offset, mean, variance), mean, variance

    return kernel


@evaluates("stablehlo.batch_norm_grad")
def batch_norm_grad(op: Op) -> Kernel:
    """The gradients of operand, scale and offset of a batch_norm_training. Spec: batch_norm_grad."""
    features = _Features(op)
    floats = features.floats

    def kernel(operand: Array, scale: Array, mean: Array, variance: Array, grad_output: Array) -> Arrays:
        stddev = features.broadcast(features.stddev(variance), operand)
        centered_operand = floats.subtract(operand, features.broadcast(mean, operand))
        normalized_operand = floats.divide(centered_operand, stddev)
        elements_per_feature = features.count(operand)
        grad_offset = features.sum(grad_output)
        grad_scale = features.sum(floats.multiply(grad_output, normalized_operand))

        i1 = floats.multiply(grad_output, elements_per_feature)
        i2 = features.broadcast(grad_offset, operand)
        i3 = features.broadcast(features.sum(floats.multiply(grad_output, centered_operand)), operand)
        i4 = floats.multiply(i3, centered_operand)
        i5 = floats.divide(i4, features.broadcast(floats.add(variance, features.epsilon), operand))
        i6 = floats.subtract(floats.subtract(i1, i2), i5)
        factor = floats.divide(floats.divide(features.broadcast(scale, operand), stddev), elements_per_feature)
        return floats.multiply(factor, i6), grad_scale, grad_offset

    return kernel
