#!/usr/bin/env python3
"""Turns a .bcm model into ONNX: fp32 and fp16 weights as Gemm, int8 as QuantizeLinear and
DequantizeLinear around Gemm (QDQ), which onnxruntime fuses into integer kernels.

int8 weights are written as u8 with zero point 128, the same numbers moved by 128: onnxruntime computes with those
exactly on every CPU. With s8 (--weights s8) it is up to 1.8 times as fast, but on x86 CPUs without VNNI its kernels
add pairs of products u8 x s8 in 16 bits, where the sums saturate.

Inputs `features` [B, F] and, in a forecast, `prior_logits` [B, K]; output `probabilities` [B, K], or
`logits` for a network that forecasts no bridges. A step that does nothing for inputs within their
declared ranges is left out (an identity normalisation, a limit beyond the ranges).

    tools/onnx/export_onnx.py models/bridgecast.int8.bcm bridgecast.int8.onnx
    tools/onnx/export_onnx.py models/bridgecast.int8.bcm bridgecast.int8.onnx --weights s8
"""
import argparse
import json
import sys

from exchange_files import NO_MODEL, Parser, about, packages, run, write

with packages():
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    from read_bcm import Model


class Graph:
    """Nodes and constants of a graph in the making."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, values):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output


def normalise(graph, model):
    mean, inverse, limit = model.normalisation
    x = "features"
    if mean.any() or (inverse != 1).any():
        x = graph.node("Sub", [x, graph.constant("mean", mean)], "centred")
        x = graph.node("Mul", [x, graph.constant("inverse_deviation", inverse)], "scaled")
    low = (np.array([f["low"] for f in model.header["features"]], np.float32) - mean) * inverse
    high = (np.array([f["high"] for f in model.header["features"]], np.float32) - mean) * inverse
    if (low < -limit).any() or (high > limit).any():
        bounds = [graph.constant("lowest", np.float32(-limit)), graph.constant("highest", np.float32(limit))]
        x = graph.node("Clip", [x] + bounds, "normalised")
    return x


def float_layers(graph, model, x):
    layers = model.header["layers"]
    for index, layer in enumerate(layers):
        weight, bias = model.layer(index)
        names = [graph.constant(f"layers.{index}.weight", weight), graph.constant(f"layers.{index}.bias", bias)]
        x = graph.node("Gemm", [x] + names, "logits" if index + 1 == len(layers) else f"sums.{index}", transB=1)
        if layer["relu"]:
            x = graph.node("Relu", [x], f"hidden.{index}")
    return x


def moved(weight, weights, scale):
    """s8 weights in the form of `weights`, with their scale and zero point."""
    if weights == "s8":
        return weight, scale, np.int8(0)
    return (weight.astype(np.int16) + 128).astype(np.uint8), scale, np.uint8(128)


def dequantised(graph, name, values, scale, zero):
    """The value of integers with a scale and zero point for each output."""
    inputs = [graph.constant(name, values), graph.constant(f"{name}Scale", scale),
              graph.constant(f"{name}ZeroPoint", np.full(scale.size, zero))]
    return graph.node("DequantizeLinear", inputs, f"{name}Dequantised", axis=0)


def int8_layers(graph, model, x, weights):
    layers = model.header["layers"]
    for index, layer in enumerate(layers):
        name = f"layers.{index}"
        step = graph.constant(f"{name}.inputScale", np.float32(layer["inputScale"]))
        zero = graph.constant(f"{name}.inputZeroPoint", np.uint8(layer["inputZeroPoint"]))
        q = graph.node("QuantizeLinear", [x, step, zero], f"steps.{index}")
        x = graph.node("DequantizeLinear", [q, step, zero], f"inputs.{index}")
        scale = model.tensors[f"{name}.scale"]
        weight = dequantised(graph, f"{name}.weight", *moved(model.tensors[f"{name}.weight"], weights, scale))
        bias_scale = np.float32(layer["inputScale"]) * scale
        real = model.tensors[f"{name}.bias"].astype(np.float64) / bias_scale.astype(np.float64)
        bias = dequantised(graph, f"{name}.bias", np.rint(real).astype(np.int32), bias_scale, np.int32(0))
        x = graph.node("Gemm", [x, weight, bias], "logits" if index + 1 == len(layers) else f"sums.{index}", transB=1)
        if layer["relu"]:
            x = graph.node("Relu", [x], f"hidden.{index}")
    return x


def export(model, weights="u8"):
    graph = Graph()
    header = model.header
    inputs, outputs = len(header["features"]), len(header["binEdgesMinutes"]) + 1
    x = normalise(graph, model)
    if header["weightFormat"] == "int8":
        logits = int8_layers(graph, model, x, weights)
    else:
        logits = float_layers(graph, model, x)
    graph_inputs = [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["B", inputs])]
    result = logits
    if header["bridges"]:
        graph_inputs.append(helper.make_tensor_value_info("prior_logits", TensorProto.FLOAT, ["B", outputs]))
        total = graph.node("Add", [logits, "prior_logits"], "total")
        result = graph.node("Softmax", [total], "probabilities", axis=1)
    onnx_graph = helper.make_graph(
        graph.nodes, header["name"], graph_inputs,
        [helper.make_tensor_value_info(result, TensorProto.FLOAT, ["B", outputs])], graph.constants)
    exported = helper.make_model(onnx_graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="bridgecast")
    exported.ir_version = 8
    # What ONNX has no place for, so that import_onnx.py can make the same .bcm again.
    kept = {key: value for key, value in header.items() if key not in ("tensors", "layers")}
    helper.set_model_props(exported, {"bridgecast.header": json.dumps(kept, sort_keys=True)})
    onnx.checker.check_model(exported, full_check=True)
    return exported


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help=".bcm file")
    parser.add_argument("output", help=".onnx file")
    parser.add_argument("--weights", choices=["u8", "s8"], default="u8", help="form of int8 weights; default: u8")
    arguments = parser.parse_args()
    with about(arguments.model, NO_MODEL):
        model = Model(arguments.model)
    with about(arguments.model, "cannot become ONNX"):
        data = export(model, arguments.weights).SerializeToString()
    write(arguments.output, data)


if __name__ == "__main__":
    sys.exit(run(main))
