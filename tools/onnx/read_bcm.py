#!/usr/bin/env python3
"""Reads .bcm model files and runs them with numpy: a second implementation, written from
models/FORMAT.md alone. As a program it prints what is inside and, given rows, the probabilities.

    tools/onnx/read_bcm.py models/bridgecast.int8.bcm
    tools/onnx/read_bcm.py MODEL --features features.npy --prior prior_logits.npy --output p.npy
"""
import argparse
import hashlib
import json
import struct
import sys

import numpy as np

MAGIC, VERSION, PREAMBLE, DIGEST, ALIGNMENT = b"BRIDGECM", 3, 24, 32, 64
MAX_BYTES = 64 << 20
DTYPES = {"i8": np.dtype("i1"), "f16": np.dtype("<f2"), "f32": np.dtype("<f4")}


class ModelFileError(ValueError):
    """A rule of the format is broken."""


def require(condition, message):
    if not condition:
        raise ModelFileError(message)


def float_text(value):
    """A Float as Swift prints it: the shortest decimal that reads back, with a decimal point."""
    text = np.format_float_positional(np.float32(value), unique=True, trim="0")
    if value != 0 and not 2**-14 < abs(value) < 2**24:
        mantissa, exponent = np.format_float_scientific(np.float32(value), unique=True, trim="0").split("e")
        text = f"{mantissa}e{'-' if exponent[0] == '-' else '+'}{int(exponent[1:]):02d}"
    return text


def schema_hash(features):
    value = 0xCBF29CE484222325
    for feature in features:
        line = f"{feature['name']}|{feature['unit']}|{float_text(feature['low'])}|{float_text(feature['high'])}\n"
        for byte in line.encode():
            value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def plan(header):
    """Names, number formats and shapes of the tensors, in the file's order."""
    inputs, bridges = len(header["features"]), len(header["bridges"])
    weights = {"int8": "i8", "fp16": "f16", "fp32": "f32"}[header["weightFormat"]]
    entries = [("input.mean", "f32", [inputs]), ("input.inverseDeviation", "f32", [inputs])]
    if bridges:
        entries += [
            ("climatology.openProbability", "f32", [bridges, 2, 2, header["climatologySlotsPerDay"]]),
            ("climatology.durationSurvival", "f32", [bridges, 61]),
            ("climatology.openingsPerDay", "f32", [bridges, 2, 2]),
            ("climatology.coveredDays", "f32", [bridges, 2]),
        ]
        if header["lengthParameters"]:
            entries.append(("lengths.parameters", "f32", [header["lengthParameters"]]))
    for index, layer in enumerate(header["layers"]):
        entries.append((f"layers.{index}.weight", weights, [layer["outputs"], layer["inputs"]]))
        entries.append((f"layers.{index}.bias", "f32", [layer["outputs"]]))
        if weights == "i8":
            entries.append((f"layers.{index}.scale", "f32", [layer["outputs"]]))
    return entries


FIELDS = {"name": str, "weightFormat": str, "schemaHash": str, "features": list, "binEdgesMinutes": list,
          "bridges": list, "inputLimit": (int, float), "climatologySlotsPerDay": int,
          "lengthParameters": int, "layers": list,
          "provenance": dict, "tensors": list}


def unique(pairs):
    """An object of JSON, refused if a field is there twice."""
    names = [name for name, _ in pairs]
    require(len(set(names)) == len(names), f"a field is there twice: {names}")
    return dict(pairs)


def check_header(header):
    """The rules for the header's fields."""
    for name, kind in FIELDS.items():
        require(isinstance(header.get(name), kind), f"field {name} is missing or has the wrong type")
    require(schema_hash(header["features"]) == header["schemaHash"], "the schema hash is wrong")
    require(np.isfinite(header["inputLimit"]) and header["inputLimit"] > 0, "inputLimit must be above zero")
    slots = header["climatologySlotsPerDay"]
    require(0 < slots <= 1440 and 1440 % slots == 0, "climatologySlotsPerDay must divide 1440")
    lengths = header["lengthParameters"]
    require(lengths == 0 or (lengths == 85 and header["bridges"]), "lengthParameters must be 0 or, for bridges, 85")
    layers, width = header["layers"], len(header["features"])
    require(1 <= len(layers) <= 16, "there must be 1 to 16 layers")
    for index, layer in enumerate(layers):
        require(layer["inputs"] == width and 1 <= layer["outputs"] <= 4096, f"layer {index} does not fit")
        require(layer["relu"] == (index + 1 < len(layers)), "ReLU belongs after every layer but the last")
        width = layer["outputs"]
        if header["weightFormat"] == "int8":
            zero = layer["inputZeroPoint"]
            require(layer["inputScale"] > 0, f"layer {index}: inputScale must be above zero")
            require(0 <= zero <= 255 and (index == 0 or zero == 0), f"layer {index}: bad inputZeroPoint")
    require(width == len(header["binEdgesMinutes"]) + 1, "the outputs are not as many as the bins")


class Model:
    """A model file: `header`, `tensors` by name, and what they compute."""

    def __init__(self, source):
        """From a path or the bytes of a file."""
        data = source
        if not isinstance(source, bytes):
            with open(source, "rb") as file:
                data = file.read(MAX_BYTES + 1)
        require(data[:8] == MAGIC, "not a Bridgecast model")
        require(len(data) <= MAX_BYTES, "longer than 64 MiB")
        require(len(data) >= PREAMBLE + DIGEST, "too short")
        version, reserved, length = struct.unpack("<IIQ", data[8:PREAMBLE])
        require(version == VERSION, f"format version {version}, this reads {VERSION}")
        require(reserved == 0, "reserved bytes are not zero")
        require(length <= min(1 << 20, len(data) - PREAMBLE - DIGEST), "the header is too long")
        require(hashlib.sha256(data[:-DIGEST]).digest() == data[-DIGEST:], "the digest does not match")
        self.header = json.loads(data[PREAMBLE : PREAMBLE + length], object_pairs_hook=unique)
        require(isinstance(self.header, dict), "the header is not an object")
        check_header(self.header)
        self.tensors = self.read_tensors(data, PREAMBLE + length)
        self.check_values()

    def read_tensors(self, data, end):
        """The tensors by name, in the places of the header; `end` is where the header ends."""
        entries = plan(self.header)
        require(len(entries) == len(self.header["tensors"]), "not the tensors that belong to the header")
        tensors = {}
        for (name, dtype, shape), tensor in zip(entries, self.header["tensors"]):
            require((tensor["name"], tensor["dtype"], tensor["shape"]) == (name, dtype, shape), f"tensor {name}")
            start = (end + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
            size = int(np.prod(shape)) * DTYPES[dtype].itemsize
            require((tensor["offset"], tensor["byteCount"]) == (start, size), f"tensor {name} is misplaced")
            require(not any(data[end:start]), f"padding before {name} is not zero")
            end = start + size
            require(end <= len(data) - DIGEST, f"tensor {name} is cut off")
            values = np.frombuffer(data[start:end], DTYPES[dtype]).reshape(shape)
            require(dtype == "i8" or np.isfinite(values).all(), f"tensor {name} is not finite")
            tensors[name] = values
        require(end == len(data) - DIGEST, "bytes are left over")
        return tensors

    def check_values(self):
        """The rules for the numbers: what is positive, and how large outputs can become."""
        for name, values in self.tensors.items():
            if name.endswith(".scale") or name == "input.inverseDeviation":
                require((values > 0).all(), f"tensor {name} must be above zero")
        if "lengths.parameters" in self.tensors:
            lengths, shares = self.tensors["lengths.parameters"], len(self.header["bridges"])
            require((np.abs(lengths) <= 30).all(), "lengths.parameters: a coefficient is beyond 30")
            require((0 <= lengths[-shares:]).all() and (lengths[-shares:] <= 1).all(),
                    "lengths.parameters: a share is not in 0...1")
        layers = self.header["layers"]
        largest = np.float64(self.header["inputLimit"])
        for index in range(len(layers)):
            if self.header["weightFormat"] == "int8":
                weight = self.tensors[f"layers.{index}.weight"].astype(np.int32)
                real = self.tensors[f"layers.{index}.bias"].astype(np.float64) / (
                    np.float64(np.float32(layers[index]["inputScale"]))
                    * self.tensors[f"layers.{index}.scale"].astype(np.float64))
                exact = 255 * np.abs(weight).sum(axis=1).max() < 2**24 and np.abs(real).max() < 2**24
                require(exact, f"layer {index}: sums could reach 2^24")
                multiplier = self.integer_layer(index)[2]
                maximum = 64 if index + 1 < len(layers) else 1e30 / 2**25
                require((multiplier < maximum).all(), f"layer {index}: outputs could become too large")
            else:
                weight, bias = self.layer(index)
                largest = (np.abs(weight.astype(np.float64)).sum(axis=1) * largest + np.abs(bias)).max()
                require(largest < 1e30, f"layer {index}: outputs could become too large")

    @property
    def normalisation(self):
        """Mean, inverse deviation and limit."""
        return (
            self.tensors["input.mean"], self.tensors["input.inverseDeviation"], np.float32(self.header["inputLimit"]))

    def layer(self, index):
        """Weight and bias of a layer in fp32, whatever its format."""
        weight = self.tensors[f"layers.{index}.weight"].astype(np.float32)
        if f"layers.{index}.scale" in self.tensors:
            weight = weight * self.tensors[f"layers.{index}.scale"][:, None]
        return weight, self.tensors[f"layers.{index}.bias"]

    def integer_layer(self, index):
        """int8: s8 weight, s32 bias (zero point folded in) and fp32 multiplier, by step 3."""
        layers = self.header["layers"]
        weight = self.tensors[f"layers.{index}.weight"].astype(np.int32)
        scale = self.tensors[f"layers.{index}.scale"]
        bias = self.tensors[f"layers.{index}.bias"]
        step, zero = np.float32(layers[index]["inputScale"]), layers[index]["inputZeroPoint"]
        real = bias.astype(np.float64) / (np.float64(step) * scale.astype(np.float64))
        integer_bias = np.rint(real).astype(np.int64) - zero * weight.sum(axis=1)
        multiplier = step * scale
        if index + 1 < len(layers):
            multiplier = multiplier / np.float32(layers[index + 1]["inputScale"])
        return weight, integer_bias, multiplier

    def logits(self, features):
        """[B, F] to [B, K], by steps 1 to 3 of models/FORMAT.md."""
        features = np.asarray(features, np.float32)
        mean, inverse, limit = self.normalisation
        layers = self.header["layers"]
        if self.header["weightFormat"] != "int8":
            x = np.clip((features - mean) * inverse, -limit, limit)
            for index, layer in enumerate(layers):
                weight, bias = self.layer(index)
                x = x @ weight.T + bias
                if layer["relu"]:
                    x = np.maximum(x, 0)
        else:
            rate = np.float32(1) / np.float32(layers[0]["inputScale"])
            z = np.clip((features - mean) * (inverse * rate), -limit * rate, limit * rate)
            q = np.clip(np.rint(z) + np.float32(layers[0]["inputZeroPoint"]), 0, 255)
            for index, layer in enumerate(layers):
                weight, bias, multiplier = self.integer_layer(index)
                x = (np.nan_to_num(q).astype(np.int64) @ weight.T + bias).astype(np.float32) * multiplier
                if layer["relu"]:
                    q = np.clip(np.rint(x), 0, 255)
        return np.where(np.isfinite(features).all(axis=1, keepdims=True), x, np.float32(np.nan))

    def probabilities(self, features, prior_logits):
        """softmax(logits + prior), [B, K]."""
        total = self.logits(features) + np.asarray(prior_logits, np.float32)
        exponentials = np.exp(total - total.max(axis=1, keepdims=True))
        return exponentials / exponentials.sum(axis=1, keepdims=True)


def load(path):
    """The model of a file; without one it prints why and ends the program with 66 or 65."""
    try:
        return Model(path)
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        sys.exit(66)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        sys.exit(65)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--features", help="rows [B, F] as .npy")
    parser.add_argument("--prior", help="prior logits [B, K] as .npy; without it the output is logits")
    parser.add_argument("--output", help="where the results go, as .npy; otherwise they are printed")
    arguments = parser.parse_args()
    model = load(arguments.model)
    if arguments.features is None:
        header = model.header
        sizes = [len(header["features"])] + [layer["outputs"] for layer in header["layers"]]
        print(f"{header['name']}, {header['weightFormat']}, {'-'.join(map(str, sizes))}, schema {header['schemaHash']}")
        for name, values in model.tensors.items():
            print(f"{name:30} {values.dtype.name:8} {list(values.shape)}")
        return 0
    features = np.load(arguments.features)
    result = (
        model.probabilities(features, np.load(arguments.prior)) if arguments.prior else model.logits(features))
    if arguments.output:
        np.save(arguments.output, result.astype(np.float32))
    else:
        np.savetxt(sys.stdout, result, fmt="%.6f")
    return 0


if __name__ == "__main__":
    sys.exit(main())
