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
import json
import os
import sys
import zoneinfo

from exchange_files import NO_MODEL, Failure, Parser, about, packages, run, write

with packages():
    import numpy as np

    from bcm_writing import assemble, contents
    from onnx_graph import GraphError, Quantised, read_graph, read_network
    from read_bcm import Model


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
