#!/usr/bin/env python3
"""The checks of tools/onnx/check_onnx: one line for each, and exit code 1 if one fails."""
import pathlib
import sys

import numpy as np
import onnxruntime

from check_errors import check_errors
from checking import EXPORT, IMPORT, ROOT, check, failed, run
from read_bcm import Model

ROWS = 10_000


def engine(bridgecast, model, folder):
    run(bridgecast, "features", "export", folder, "--model", model, "--rows", ROWS)
    names = ("features", "prior_logits", "probabilities")
    return [np.load(folder / f"{name}.npy") for name in names]


def onnx_probabilities(path, features, prior, **settings):
    options = onnxruntime.SessionOptions()
    for key, value in settings.items():
        options.add_session_config_entry(f"session.{key}", value)
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return session.run(None, {"features": features, "prior_logits": prior})[0]


def blocked(probabilities):
    return 1 - probabilities[:, 0]


def check_int8_peer(path, folder, features, prior, ours):
    """onnxruntime on the int8 graph, with either kind of weights; returns the files.

    Its sums are the same integers and its fp32 multiplications ours, so only softmax may round differently. (It
    divides an input by the step where we multiply by the inverse: one value in thirty million rounds otherwise.)
    """
    def worst(exported, **settings):
        return np.abs(onnx_probabilities(exported, features, prior, **settings) - ours).max()

    u8, s8 = folder / "int8-u8.onnx", folder / "int8-s8.onnx"
    for exported, weights in ((u8, "u8"), (s8, "s8")):
        run(sys.executable, EXPORT, path, exported, "--weights", weights)
    check("int8: onnxruntime (QDQ), u8 weights", worst(u8), 2e-6)
    # With this setting onnxruntime makes u8 of s8 weights: the graph is right, whatever its own kernels do.
    check("int8: onnxruntime (QDQ), s8 weights made u8", worst(s8, x64quantprecision="1"), 2e-6)
    off = worst(s8)
    if off > 2e-6:
        print(f"note  int8: onnxruntime (QDQ), s8 weights: off by {off:.2g}, its kernels saturate on this CPU")
    return u8, s8


def check_model(bridgecast, path, folder):
    form = Model(path).header["weightFormat"]
    features, prior, ours = engine(bridgecast, path, folder / form)
    check(f"{form}: {len(ours)} rows as asked", abs(len(ours) - ROWS), 0)
    check(f"{form}: rows add up to one", np.abs(ours.sum(axis=1) - 1).max(), 1e-5)
    model = Model(path)
    # The same integers, so only softmax may round differently; fp32 sums in another order.
    allowed = 2e-6 if form == "int8" else 1e-5
    check(f"{form}: numpy by models/FORMAT.md", np.abs(model.probabilities(features, prior) - ours).max(), allowed)
    if form == "int8":
        for exported in check_int8_peer(path, folder, features, prior, ours):
            check_import(bridgecast, exported, model, path, ours)
        return
    exported = folder / f"{form}.onnx"
    run(sys.executable, EXPORT, path, exported)
    check(f"{form}: onnxruntime", np.abs(onnx_probabilities(exported, features, prior) - ours).max(), 1e-5)
    check_import(bridgecast, exported, model, path, ours)


def check_import(bridgecast, exported, model, path, ours):
    """Import undoes export."""
    form, name = model.header["weightFormat"], exported.stem
    imported = exported.with_suffix(".bcm")
    run(sys.executable, IMPORT, exported, imported, "--like", path, "--format", form)
    back = Model(imported)
    # The bias of an int8 layer is exported as the integer it acts as, so it comes back rounded to that.
    different = [
        tensor for tensor in model.tensors
        if not (form == "int8" and tensor.endswith(".bias"))
        and not np.allclose(back.tensors[tensor], model.tensors[tensor], rtol=1e-6, atol=0)
    ]
    if form == "int8":
        for index in range(len(model.header["layers"])):
            pairs = zip(back.integer_layer(index), model.integer_layer(index))
            different += [f"layer {index}" for new, old in pairs if not np.array_equal(new, old)]
    check(f"{name}: tensors that import makes otherwise than they were exported", len(different), 0)
    again = engine(bridgecast, imported, exported.with_name(f"{name}-imported"))[2]
    check(f"{name}: the imported model's forecasts", np.abs(again - ours).max(), 1e-6)


def check_float_to_int8(bridgecast, path, folder):
    """A float graph, quantised on import, forecasts nearly the same."""
    features, prior, ours = engine(bridgecast, path, folder / "float")
    exported, imported = folder / "float.onnx", folder / "float-int8.bcm"
    run(sys.executable, EXPORT, path, exported)
    run(sys.executable, IMPORT, exported, imported, "--like", path, "--format", "int8",
        "--calibrate", folder / "float/features.npy")
    quantised = engine(bridgecast, imported, folder / "float-int8")[2]
    check("fp32 quantised on import, mean P(blocked)", np.abs(blocked(quantised) - blocked(ours)).mean(), 0.001)


def check_rejected():
    """The reader in Python, written from the document, refuses what ours does."""
    accepted = []
    for path in sorted((ROOT / "Tests/BridgecastEngineTests/Rejected").glob("*.bcm")):
        # Networks in good order, that only a forecast of bridges refuses.
        if path.stem in ("schemaMismatch", "binsMismatch", "bridgesMismatch"):
            Model(path)
            continue
        try:
            Model(path)
            accepted.append(path.name)
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
            pass
    check(f"rejected files that tools/onnx/read_bcm.py accepts {accepted or ''}", len(accepted), 0)


def main():
    bridgecast, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for path in ("models/bridgecast.int8.bcm", "models/bridgecast.fp16.bcm", "models/validation/bridgecast.fp32.bcm"):
        check_model(bridgecast, ROOT / path, folder)
    check_float_to_int8(bridgecast, ROOT / "models/validation/bridgecast.fp32.bcm", folder)
    check_rejected()
    check_errors(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
