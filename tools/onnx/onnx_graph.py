"""Reads ONNX networks of Gemm and Relu for import_onnx.py: what they compute, or why a .bcm cannot hold them."""
import hashlib
import os

import numpy as np
import onnx
from onnx import numpy_helper

from read_bcm import MAX_BYTES


class GraphError(ValueError):
    """The graph is not one that a .bcm model can hold."""


def read_network(path):
    """The network and the SHA-256 of its file."""
    max_bytes = 8 * MAX_BYTES  # in fp64; in int8 that is a .bcm of the maximum size
    with open(path, "rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise GraphError("it is larger than any network that a .bcm can hold")
    try:
        model = onnx.load_model_from_string(data)
    except Exception as error:  # protobuf has its own family of errors
        raise GraphError("it is no ONNX network") from error
    if not (model.graph.node and model.graph.input and model.graph.output):
        raise GraphError("it is no ONNX network" + ("" if data else ", the file is empty"))
    onnx.load_external_data_for_model(model, os.path.dirname(path))
    return model, hashlib.sha256(data).hexdigest()


class Chain:
    """Walks a graph whose nodes form one chain, and knows its constants."""

    def __init__(self, graph):
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
        self.nodes = [node for node in graph.node if node.op_type != "Constant"]
        self.producers = {node.output[0]: node for node in self.nodes}
        self.used = 0

    def consumer(self, name, kinds):
        """The node that takes a value, if it is of one of these kinds."""
        found = [node for node in self.nodes if name in node.input]
        if len(found) > 1:
            raise GraphError(f"'{name}' is used {len(found)} times; the graph must be one chain")
        if found and found[0].op_type in kinds:
            self.used += 1
            if self.used > len(self.nodes):
                raise GraphError("the graph runs in a circle")
            return found[0]
        return None

    def known(self, node, index):
        """The values of an input, which may be missing in ONNX but not here."""
        name = node.input[index] if index < len(node.input) else ""
        if name not in self.constants:
            raise GraphError(f"{node.op_type} '{node.name}': input {index} must be a constant")
        return np.asarray(self.constants[name])

    def scalar(self, node, index):
        values = self.known(node, index)
        if values.size != 1:
            raise GraphError(f"{node.op_type} '{node.name}': input {index} must be one number")
        return float(values.reshape(()))

    def constant(self, node, index):
        producer = self.producers.get(node.input[index]) if index < len(node.input) else None
        if producer is not None and producer.op_type == "DequantizeLinear" and producer.input[0] in self.constants:
            self.used += 1
            scale = self.known(producer, 1).astype(np.float32)
            values = self.known(producer, 0)
            zero = self.known(producer, 2) if len(producer.input) > 2 else np.zeros(1, values.dtype)
            values = signed(values, zero, f"'{producer.input[0]}'")
            return Quantised(values, scale)
        return self.known(node, index)


class Quantised:
    """Integers with their scale."""

    def __init__(self, values, scale):
        self.values, self.scale = values, scale


def signed(values, zero, where):
    """The same numbers with zero point 0: s8 and s32 as they are, u8 less 128."""
    needed = 128 if values.dtype == np.uint8 else 0
    wrong = np.unique(zero[zero != needed])
    if wrong.size:
        raise GraphError(f"{where}: {values.dtype} needs zero point {needed}, not {', '.join(map(str, wrong[:3]))}")
    return (values.astype(np.int16) - 128).astype(np.int8) if needed else values


def attributes(node):
    return {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}


def read_graph(model):
    """Normalisation (mean, inverse, limit or None) and layers, each (weight, bias, inputScale, zeroPoint)."""
    chain = Chain(model.graph)
    inputs = [value.name for value in model.graph.input if value.name not in chain.constants]
    normalisation, value = read_normalisation(chain, inputs[0])
    layers = []
    is_last = False
    while not is_last:
        layer, value, is_last = read_layer(chain, value, len(layers))
        layers += [layer] if layer else []
    if not layers:
        raise GraphError("there is no Gemm on the way from the first input")
    add = chain.consumer(value, ["Add"])
    if add is not None:
        softmax = chain.consumer(add.output[0], ["Softmax"])
        if softmax is None:
            raise GraphError("after Add there must be Softmax")
        value = softmax.output[0]
    if value != model.graph.output[0].name or chain.used != len(chain.nodes):
        unknown = sorted({node.op_type for node in chain.nodes})
        raise GraphError(f"the graph is not Sub, Mul, Clip, (Gemm, Relu)..., Gemm, Add, Softmax: it has {unknown}")
    return normalisation, layers


def read_normalisation(chain, value):
    """Mean, inverse and limit, each None if the graph has none, and the name of the normalised value."""
    mean, inverse, limit = None, None, None
    for kind in ("Sub", "Mul", "Clip"):
        node = chain.consumer(value, [kind])
        if node is None:
            continue
        if kind == "Sub":
            mean = chain.constant(node, 1)
        elif kind == "Mul":
            inverse = chain.constant(node, 1)
        else:
            low, high = chain.scalar(node, 1), chain.scalar(node, 2)
            if low != -high:
                raise GraphError(f"Clip from {low} to {high}: the bounds must be opposites")
            limit = high
        value = node.output[0]
    return (mean, inverse, limit), value


def read_layer(chain, value, index):
    """A layer, None where no Gemm follows; the name of its output; whether the chain of layers ends there."""
    scale, zero, value = read_quantisation(chain, value)
    node = chain.consumer(value, ["Gemm"])
    if node is None:
        return None, value, True
    settings = attributes(node)
    if settings.get("alpha", 1) != 1 or settings.get("beta", 1) != 1 or settings.get("transA", 0):
        raise GraphError(f"Gemm '{node.name}': alpha and beta must be 1 and transA 0")
    weight, bias = chain.constant(node, 1), chain.constant(node, 2) if len(node.input) > 2 else None
    if not settings.get("transB", 0):
        if isinstance(weight, Quantised):
            weight.values = weight.values.T
        else:
            weight = weight.T
    check_numbers(index, weight, bias)
    relu = chain.consumer(node.output[0], ["Relu"])
    return (weight, bias, scale, zero), (relu or node).output[0], relu is None


def read_quantisation(chain, value):
    """Scale and zero point of a layer's inputs, None where they are not quantised; the name of its input."""
    quantise = chain.consumer(value, ["QuantizeLinear"])
    if quantise is None:
        return None, None, value
    scale, zero = chain.scalar(quantise, 1), int(chain.scalar(quantise, 2))
    if chain.known(quantise, 2).dtype != np.uint8:
        raise GraphError("activations must be quantised to uint8")
    back = chain.consumer(quantise.output[0], ["DequantizeLinear"])
    if back is None:
        raise GraphError("QuantizeLinear must be followed by DequantizeLinear")
    return scale, zero, back.output[0]


def check_numbers(index, weight, bias):
    """Refuses what would otherwise be quantised to something."""
    weight, bias = (x.values if isinstance(x, Quantised) else x for x in (weight, bias))
    if weight.ndim != 2:
        raise GraphError(f"layer {index}: the weight must be a matrix, its shape is {list(weight.shape)}")
    if bias is not None and bias.size != weight.shape[0]:
        raise GraphError(f"layer {index}: the bias has {bias.size} numbers, the layer {weight.shape[0]} outputs")
    if not np.isfinite(weight).all() or (bias is not None and not np.isfinite(bias).all()):
        raise GraphError(f"layer {index}: a weight or bias is NaN or infinite")
