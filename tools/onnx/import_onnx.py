#!/usr/bin/env python3
"""Turns an ONNX network of Gemm and Relu into a .bcm model, which `bridgecast` then runs and evaluates.

The graph takes `features` [B, F] in the order of the model named by --like and ends in logits [B, K], or goes
on with Add of a second input (the prior logits) and Softmax. Before the first Gemm it may normalise by
Sub, Mul and Clip. Graphs with QuantizeLinear and DequantizeLinear around each Gemm become int8 as they are, if
their weights are s8 with zero point 0 or u8 with zero point 128; others become fp32, fp16 or, with rows to
calibrate on, int8.

    tools/onnx/import_onnx.py network.onnx mine.bcm --like models/bridgecast.int8.bcm --fitted-before 2026-02-15
    bridgecast features export rows/
    tools/onnx/import_onnx.py network.onnx mine.bcm --like ... --fitted-before ... \\
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

    from onnx_graph import GraphError, Quantised, read_graph, read_network
    from read_bcm import ALIGNMENT, DTYPES, MAGIC, PREAMBLE, VERSION, Model, plan


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
    normalisation = complete(found, header["features"])
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
    Model(data)  # a file that no reader accepts is not written
    return data


def complete(normalisation, features):
    """Mean, inverse deviation and limit of the inputs; what the graph leaves out changes nothing."""
    (mean, inverse, limit), width = normalisation, len(features)
    return (
        np.zeros(width, np.float32) if mean is None else np.broadcast_to(mean, (width,)).astype(np.float32),
        np.ones(width, np.float32) if inverse is None else np.broadcast_to(inverse, (width,)).astype(np.float32),
        limit or max(max(abs(f["low"]), abs(f["high"])) for f in features))


def make_header(arguments, like, model, digest):
    """A header with the facts of --like and of the graph, layers and tensors still to come."""
    kept = {prop.key: prop.value for prop in model.metadata_props}
    header = {key: like.header[key] for key in
              ("features", "schemaHash", "binEdgesMinutes", "bridges", "climatologySlotsPerDay",
               "lengthParameters")}
    header["name"] = arguments.name or model.graph.name
    if "bridgecast.header" in kept:
        exported = json.loads(kept["bridgecast.header"])
        if exported["schemaHash"] != like.header["schemaHash"]:
            raise GraphError(f"it was exported from a model of other inputs than {arguments.like} has; name one of "
                             "the same inputs with --like")
        header["provenance"] = exported["provenance"]
        return header
    header["provenance"] = provenance(arguments, like, digest)
    return header


def provenance(arguments, like, digest):
    """Where a network comes from that was not exported by export_onnx.py."""
    if arguments.fitted_before is None:
        raise Failure(64, arguments.onnx, "--fitted-before is needed with it: evaluation must know what the model "
                                          "has seen")
    fitted_from = arguments.fitted_from
    if fitted_from is None:
        fitted_from = like.header["provenance"].get("fittedFrom")
    if fitted_from is None:
        raise Failure(65, arguments.like, "does not have the start of its records; give --fitted-from")
    return {
        "sources": [{"file": os.path.basename(arguments.onnx), "sha256": digest}],
        "fittedFrom": fitted_from,
        "fittedBefore": arguments.fitted_before,
        "seed": 0, "commit": "imported", "settings": {"importedBy": "tools/onnx/import_onnx.py"}, "scores": {},
    }


# The file, by models/FORMAT.md

def quantise_weight(weight):
    """Symmetric int8 with a scale per output, as Bridgecast's own quantisation does."""
    largest = np.abs(weight).max(axis=1)
    scale = np.where(largest > 0, largest / np.float32(127), np.float32(1)).astype(np.float32)
    return np.clip(np.rint(weight / scale[:, None]), -127, 127).astype(np.int8), scale


def calibrate(layers, normalisation, rows):
    """Steps of each layer's inputs: 255 is the value that one activation in 20,000 exceeds."""
    mean, inverse, limit = normalisation
    x = np.clip((rows - mean) * inverse, -limit, limit)
    scales = [(float(np.float32(limit) / np.float32(127)), 128)]
    for weight, bias, _, _ in layers[:-1]:
        x = np.maximum(x @ weight.T + bias, 0)
        ordered = np.sort(x, axis=None)
        highest = ordered[min(ordered.size - 1, ordered.size - ordered.size // 20000)]
        scales.append((float(np.float32(max(highest, 1e-6)) / np.float32(255)), 0))
    return scales


def quantised(weight):
    """Integers and scales of a weight for an int8 layer."""
    if not isinstance(weight, Quantised):
        return quantise_weight(weight)
    return weight.values, np.broadcast_to(weight.scale, (weight.values.shape[0],))


def contents(like, normalisation, layers, form, rows):
    """Header layers and tensors by name."""
    tensors = {name: values for name, values in like.tensors.items() if name.startswith(("climatology.", "lengths."))}
    tensors["input.mean"], tensors["input.inverseDeviation"] = normalisation[:2]
    scales = [(scale, zero) for _, _, scale, zero in layers]
    if form == "int8" and scales[0][0] is None:
        scales = calibrate(layers, normalisation, rows)
    described = []
    for index, (weight, bias, _, _) in enumerate(layers):
        name, values = f"layers.{index}", weight
        if form == "int8":
            values, tensors[f"{name}.scale"] = quantised(weight)
            if values.dtype != np.int8:
                raise GraphError(f"layer {index}: weights must be int8 or uint8, not {values.dtype}")
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
                {"name": name, "dtype": dtype, "shape": shape, "offset": start, "byteCount": len(data)})
            parts.append(bytes(start - end) + data)
            end = start + len(data)
        text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
        if len(text) == length:
            break
        length = len(text)
    body = MAGIC + struct.pack("<IIQ", VERSION, 0, length) + text + b"".join(parts)
    return body + hashlib.sha256(body).digest()


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
