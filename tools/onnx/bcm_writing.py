"""Writes .bcm files for import_onnx.py: layers in their number format, and the bytes by models/FORMAT.md."""
import hashlib
import json
import struct

import numpy as np

from onnx_graph import GraphError, Quantised
from read_bcm import ALIGNMENT, DTYPES, MAGIC, PREAMBLE, VERSION, plan


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
    tensors = {name: values for name, values in like.tensors.items() if name.startswith(("climatology.", "lengths."))}
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
