#!/usr/bin/env python3
"""Turns an ONNX network of Gemm and Relu into a .bcm model, which `bridgecast` then runs and evaluates.

The graph takes `features` [B, F] in the order of the model named by --like and ends in logits [B, K], or goes
on with Add of a second input (the prior logits) and Softmax. Before the first Gemm it may normalise by
Sub, Mul and Clip. Graphs with QuantizeLinear and DequantizeLinear around each Gemm become int8 as they are, if
their weights are s8 with zero point 0 or u8 with zero point 128; others become fp32, fp16 or, with rows to
calibrate on, int8.

    tools/onnx/import_onnx.py network.onnx mine.bcm --like models/bridgecast.int8.bcm --fitted-before 2026-02-15
    bridgecast features export rows/ && tools/onnx/import_onnx.py network.onnx mine.bcm --like ... --fitted-before ... \\
        --format int8 --calibrate rows/features.npy
"""
import argparse
import datetime
import hashlib
import json
import os
import struct
import sys
import zoneinfo

from exchange_files import NO_MODEL, Failure, Parser, about, packages, run, write

with packages():
    import numpy as np
    import onnx
    from onnx import numpy_helper

    from read_bcm import ALIGNMENT, DTYPES, LONGEST, MAGIC, PREAMBLE, VERSION, Model, plan


class GraphError(ValueError):
    """The graph is not one that a .bcm model can hold."""


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
    value = inputs[0]
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
    layers = []
    while True:
        scale, zero = None, None
        quantise = chain.consumer(value, ["QuantizeLinear"])
        if quantise is not None:
            scale, zero = chain.scalar(quantise, 1), int(chain.scalar(quantise, 2))
            if chain.known(quantise, 2).dtype != np.uint8:
                raise GraphError("activations must be quantised to uint8")
            back = chain.consumer(quantise.output[0], ["DequantizeLinear"])
            if back is None:
                raise GraphError("QuantizeLinear must be followed by DequantizeLinear")
            value = back.output[0]
        node = chain.consumer(value, ["Gemm"])
        if node is None:
            break
        settings = attributes(node)
        if settings.get("alpha", 1) != 1 or settings.get("beta", 1) != 1 or settings.get("transA", 0):
            raise GraphError(f"Gemm '{node.name}': alpha and beta must be 1 and transA 0")
        weight, bias = chain.constant(node, 1), chain.constant(node, 2) if len(node.input) > 2 else None
        if not settings.get("transB", 0):
            if isinstance(weight, Quantised):
                weight.values = weight.values.T
            else:
                weight = weight.T
        check_numbers(len(layers), weight, bias)
        layers.append((weight, bias, scale, zero))
        value = node.output[0]
        relu = chain.consumer(value, ["Relu"])
        if relu is None:
            break
        value = relu.output[0]
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
    return (mean, inverse, limit), layers


def check_numbers(index, weight, bias):
    """Refuses what would otherwise be quantised to something."""
    weight, bias = (x.values if isinstance(x, Quantised) else x for x in (weight, bias))
    if weight.ndim != 2:
        raise GraphError(f"layer {index}: the weight must be a matrix, its shape is {list(weight.shape)}")
    if bias is not None and bias.size != weight.shape[0]:
        raise GraphError(f"layer {index}: the bias has {bias.size} numbers, the layer {weight.shape[0]} outputs")
    if not np.isfinite(weight).all() or (bias is not None and not np.isfinite(bias).all()):
        raise GraphError(f"layer {index}: a weight or bias is NaN or infinite")


def check_widths(layers, like):
    """Refuses layers that do not follow each other from the inputs of --like to its bins."""
    shapes = [(weight.values if isinstance(weight, Quantised) else weight).shape for weight, _, _, _ in layers]
    inputs, bins = len(like.header["features"]), len(like.header["binEdgesMinutes"]) + 1
    widths = [inputs] + [shape[0] for shape in shapes]
    if [shape[1] for shape in shapes] != widths[:-1]:
        raise GraphError(f"its layers take {[shape[1] for shape in shapes]} inputs, not {widths[:-1]} as --like and "
                         "the layers before them give")
    if widths[-1] != bins:
        raise GraphError(f"it has {widths[-1]} outputs, and --like {bins} bins")


def quantise_weight(weight):
    """Symmetric int8 with a scale per output, as Bridgecast's own quantisation does."""
    largest = np.abs(weight).max(axis=1)
    scale = np.where(largest > 0, largest / np.float32(127), np.float32(1)).astype(np.float32)
    return np.clip(np.rint(weight / scale[:, None]), -127, 127).astype(np.int8), scale


def calibrate(layers, normalisation, rows):
    """Steps of each layer's inputs: 255 stands for what one activation in 20,000 exceeds."""
    mean, inverse, limit = normalisation
    x = np.clip((rows - mean) * inverse, -limit, limit)
    scales = [(float(np.float32(limit) / np.float32(127)), 128)]
    for weight, bias, _, _ in layers[:-1]:
        x = np.maximum(x @ weight.T + bias, 0)
        ordered = np.sort(x, axis=None)
        highest = ordered[min(ordered.size - 1, ordered.size - ordered.size // 20000)]
        scales.append((float(np.float32(max(highest, 1e-6)) / np.float32(255)), 0))
    return scales


def contents(like, normalisation, layers, form, rows):
    """Header layers and tensors by name."""
    tensors = {name: values for name, values in like.tensors.items() if name.startswith("climatology.")}
    mean, inverse, limit = normalisation
    tensors["input.mean"], tensors["input.inverseDeviation"] = mean, inverse
    scales = [(scale, zero) for _, _, scale, zero in layers]
    if form == "int8" and scales[0][0] is None:
        scales = calibrate(layers, normalisation, rows)
    described = []
    for index, (weight, bias, _, _) in enumerate(layers):
        name = f"layers.{index}"
        if form == "int8":
            if isinstance(weight, Quantised):
                values, scale = weight.values, np.broadcast_to(weight.scale, (weight.values.shape[0],))
                if values.dtype != np.int8:
                    raise GraphError(f"layer {index}: weights must be int8 or uint8, not {values.dtype}")
            else:
                values, scale = quantise_weight(weight)
            tensors[f"{name}.scale"] = scale
        else:
            values = weight
        outputs, inputs = values.shape
        if isinstance(bias, Quantised):
            bias = (bias.values * bias.scale.astype(np.float64)).astype(np.float32)
        tensors[f"{name}.weight"] = values
        tensors[f"{name}.bias"] = np.zeros(outputs, np.float32) if bias is None else bias
        layer = {"inputs": inputs, "outputs": outputs, "relu": index + 1 < len(layers)}
        if form == "int8":
            layer["inputScale"], layer["inputZeroPoint"] = float(np.float32(scales[index][0])), scales[index][1]
        described.append(layer)
    return described, tensors


def assemble(header, tensors):
    """The bytes of the file, by models/FORMAT.md."""
    length = 0
    while True:
        end, header["tensors"], parts = PREAMBLE + length, [], []
        for name, dtype, shape in plan(header):
            data = np.ascontiguousarray(tensors[name], DTYPES[dtype]).reshape(shape).tobytes()
            start = (end + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
            header["tensors"].append(
                {"name": name, "dtype": dtype, "shape": shape, "offset": start, "byteCount": len(data)}
            )
            parts.append(bytes(start - end) + data)
            end = start + len(data)
        text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
        if len(text) == length:
            break
        length = len(text)
    body = MAGIC + struct.pack("<IIQ", VERSION, 0, length) + text + b"".join(parts)
    return body + hashlib.sha256(body).digest()


def seconds(text):
    """A date is its midnight in Seattle, where the days of the data begin."""
    try:
        return int(aware_time(text).timestamp())
    except zoneinfo.ZoneInfoNotFoundError:
        raise argparse.ArgumentTypeError("this system knows no time zones (pip install tzdata); give a time with its "
                                         "offset, such as 2026-02-15T00:00:00-08:00") from None
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"'{text}' is neither a date, such as 2026-02-15, nor a time with its offset, "
                                         "such as 2026-02-15T00:00:00-08:00") from None


def aware_time(text):
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        time = datetime.datetime.fromisoformat(text)
        if time.tzinfo is None:
            raise
        return time
    return datetime.datetime.combine(day, datetime.time(), zoneinfo.ZoneInfo("America/Los_Angeles"))


def read_network(path):
    """The network and the SHA-256 of its file."""
    longest = 8 * LONGEST  # of fp64, what in int8 is as long as a .bcm can be
    with open(path, "rb") as file:
        data = file.read(longest + 1)
    if len(data) > longest:
        raise GraphError("it is larger than any network that a .bcm can hold")
    try:
        model = onnx.load_model_from_string(data)
    except Exception as error:  # protobuf has its own family of errors
        raise GraphError("it is no ONNX network") from error
    if not (model.graph.node and model.graph.input and model.graph.output):
        raise GraphError("it is no ONNX network" + ("" if data else ", the file is empty"))
    onnx.load_external_data_for_model(model, os.path.dirname(path))
    return model, hashlib.sha256(data).hexdigest()


def read_rows(path, width):
    """Rows to calibrate on."""
    with about(path, "is no table to calibrate on, such as features.npy of `bridgecast features export`"):
        with open(path, "rb") as file:
            rows = np.lib.format.read_array(file)
        if rows.dtype.kind not in "fiu":
            raise ValueError(f"it holds {rows.dtype}, not numbers")
        if rows.ndim != 2 or rows.shape[0] == 0 or rows.shape[1] != width:
            raise ValueError(f"its shape is {list(rows.shape)}, not [n, {width}]")
        if not np.isfinite(rows).all():
            raise ValueError("a number is NaN or infinite")
    return rows


def convert(arguments, like, rows):
    """The bytes of the .bcm."""
    model, digest = read_network(arguments.onnx)
    found, layers = read_graph(model)
    check_widths(layers, like)
    header = make_header(arguments, like, model, digest)
    features = header["features"]
    width = len(features)
    mean, inverse, limit = found
    normalisation = (
        np.zeros(width, np.float32) if mean is None else np.broadcast_to(mean, (width,)).astype(np.float32),
        np.ones(width, np.float32) if inverse is None else np.broadcast_to(inverse, (width,)).astype(np.float32),
        limit or max(max(abs(f["low"]), abs(f["high"])) for f in features),
    )
    header["inputLimit"] = float(np.float32(normalisation[2]))
    is_quantised = isinstance(layers[0][0], Quantised)
    form = arguments.format or ("int8" if is_quantised else "fp32")
    if is_quantised and form != "int8":
        raise Failure(64, arguments.onnx, f"is quantised and can only become int8, not {form}: leave --format out")
    if form == "int8" and not is_quantised and rows is None:
        raise Failure(64, arguments.onnx, "holds floating-point weights; int8 of them needs --calibrate")
    header["weightFormat"] = form
    header["layers"], tensors = contents(like, normalisation, layers, form, rows)
    data = assemble(header, tensors)
    Model(data)  # a file that no reader takes is not written
    return data


def make_header(arguments, like, model, digest):
    """A header with the facts of --like and of the graph, layers and tensors still to come."""
    kept = {prop.key: prop.value for prop in model.metadata_props}
    header = {key: like.header[key] for key in
              ("features", "schemaHash", "binEdgesMinutes", "bridges", "climatologySlotsPerDay")}
    header["name"] = arguments.name or model.graph.name
    if "bridgecast.header" in kept:
        exported = json.loads(kept["bridgecast.header"])
        if exported["schemaHash"] != like.header["schemaHash"]:
            raise GraphError(f"it was exported from a model of other inputs than {arguments.like} has; name one of "
                             "the same inputs with --like")
        header["provenance"] = exported["provenance"]
        return header
    if arguments.fitted_before is None:
        raise Failure(64, arguments.onnx, "--fitted-before is needed with it: evaluation must know what the model "
                                          "has seen")
    fitted_from = arguments.fitted_from
    if fitted_from is None:
        fitted_from = like.header["provenance"].get("fittedFrom")
        if fitted_from is None:
            raise Failure(65, arguments.like, "does not say from when on it was fitted; give --fitted-from")
    header["provenance"] = {
        "sources": [{"file": os.path.basename(arguments.onnx), "sha256": digest}],
        "fittedFrom": fitted_from,
        "fittedBefore": arguments.fitted_before,
        "seed": 0, "commit": "imported", "settings": {"importedBy": "tools/onnx/import_onnx.py"}, "scores": {},
    }
    return header


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("onnx", help=".onnx file")
    parser.add_argument("output", help=".bcm file")
    parser.add_argument("--like", required=True, help=".bcm whose inputs, bins, bridges and climatology are taken")
    parser.add_argument("--format", choices=["int8", "fp16", "fp32"], help="default: int8 for QDQ graphs, else fp32")
    parser.add_argument("--calibrate", help="rows [n, F] as .npy, to make int8 of a float graph")
    parser.add_argument("--name", help="of the model; default: the graph's")
    parser.add_argument("--fitted-before", type=seconds,
                        help="no record from this time on was used in its fit: a date, which begins at midnight in "
                        "Seattle, or a time with its offset")
    parser.add_argument("--fitted-from", type=seconds, help="first record used; default: as --like")
    arguments = parser.parse_args()
    with about(arguments.like, NO_MODEL):
        like = Model(arguments.like)
    rows = read_rows(arguments.calibrate, len(like.header["features"])) if arguments.calibrate else None
    with about(arguments.onnx, "cannot become a .bcm"):
        data = convert(arguments, like, rows)
    write(arguments.output, data)


if __name__ == "__main__":
    sys.exit(run(main))
