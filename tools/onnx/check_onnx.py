#!/usr/bin/env python3
"""The checks of tools/onnx/check_onnx: one line for each, and exit code 1 if one fails.

The engine, numpy and onnxruntime must agree, import must undo export, and wrong inputs must end in an exit code and
one line about the file.
"""
import pathlib
import resource
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime

from read_bcm import Model

ROWS = 10_000
ROOT = pathlib.Path(__file__).resolve().parents[2]
IMPORT, EXPORT = ROOT / "tools/onnx/import_onnx.py", ROOT / "tools/onnx/export_onnx.py"
LIKE = ROOT / "models/bridgecast.int8.bcm"
failed = []


def check(what, worst, allowed):
    good = worst <= allowed
    if not good:
        failed.append(what)
    print(f"{'ok  ' if good else 'FAIL'}  {what}: {worst:.2g}, allowed {allowed:.2g}")


def run(*arguments):
    subprocess.run([str(argument) for argument in arguments], check=True, stderr=subprocess.DEVNULL)


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
    check(f"{form}: as many rows as requested, {len(ours)}", abs(len(ours) - ROWS), 0)
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
    check(f"{name}: tensors that import changes", len(different), 0)
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


# Wrong inputs

def check_fails(what, code, blamed, folder, *command, **settings):
    """A program ends with this exit code and one line about this file; nothing is left in the folder for outputs."""
    result = subprocess.run([sys.executable, *command], capture_output=True, text=True, **settings)
    left = [path.name for path in (folder / "outputs").iterdir()]
    good = result.returncode == code and result.stderr.startswith(f"{blamed}: ") and result.stderr.count("\n") == 1
    check(f"{what}: exit code {code} and one line, nothing written", (not good) + len(left), 0)
    if not good or left:
        print(f"      {result.returncode}, left {left}: {result.stderr}")


def check_import_fails(what, code, blamed, folder, *options, graph=None, output=None, like=LIKE):
    check_fails(what, code, blamed, folder, IMPORT, graph or folder / "fp32.onnx", output or folder / "outputs/no.bcm",
               "--like", like, *options)


def check_garbage(folder):
    garbage = folder / "garbage.onnx"
    for what, data in (("text", b"not an ONNX file"), ("nothing", b"")):
        garbage.write_bytes(data)
        check_import_fails(f"{what} as .onnx", 65, garbage, folder, graph=garbage)
    for weights, zero in (("u8", 127), ("s8", 1)):
        graph = onnx.load(folder / f"int8-{weights}.onnx")
        for tensor in graph.graph.initializer:
            if tensor.name == "layers.1.weightZeroPoint":
                old = onnx.numpy_helper.to_array(tensor)
                tensor.CopyFrom(onnx.numpy_helper.from_array(np.full_like(old, zero), tensor.name))
        onnx.save(graph, garbage)
        check_import_fails(f"{weights} weights with zero point {zero}", 65, garbage, folder, graph=garbage)


def check_wrong_inputs(folder):
    """The message names the file that is wrong, whichever it is."""
    missing, cut = folder / "missing", folder / "cut.bcm"
    cut.write_bytes(LIKE.read_bytes()[:100_000])
    for what, code, path in (("no file", 66, missing), ("a folder", 74, folder), ("half a .bcm", 65, cut)):
        check_import_fails(f"{what} as --like", code, path, folder, like=path)
        check_import_fails(f"{what} as .onnx", code, path, folder, graph=path)
        check_import_fails(f"{what} as --calibrate", code, path, folder, "--calibrate", path)
        check_fails(f"{what} to export", code, path, folder, EXPORT, path, folder / "outputs/no.onnx")
    rows, table = folder / "rows.npy", np.zeros((3, len(Model(LIKE).header["features"])), np.float32)
    for what, bad in (("a row too narrow", table[:, 1:]), ("words", table.astype(str)), ("NaN", table * np.nan)):
        np.save(rows, bad)
        check_import_fails(f"{what} in --calibrate", 65, rows, folder, "--format", "int8", "--calibrate", rows)


def check_wrong_outputs(folder):
    for what, path in (("no folder", folder / "missing/no.bcm"), ("a folder", folder), ("a full device", "/dev/full")):
        check_import_fails(f"{what} to import to", 74, path, folder, output=path)
        check_fails(f"{what} to export to", 74, path, folder, EXPORT, LIKE, path)
    output = folder / "outputs/no.onnx"
    check_fails("a disk that fills up on export", 74, output, folder, EXPORT, LIKE, output,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)))
    check("/dev/full is still a device", not pathlib.Path("/dev/full").is_char_device(), 0)
    written = subprocess.run([sys.executable, EXPORT, LIKE, "/dev/stdout"], capture_output=True, check=True).stdout
    check("/dev/stdout gets what a file would", written != (folder / "int8-u8.onnx").read_bytes(), 0)


def check_wrong_usage(folder):
    for text in ("2026-02-15T00:00:00", "2026-02-30"):
        check_import_fails(f"--fitted-before {text}", 64, IMPORT.name, folder, "--fitted-before", text)
    graph = onnx.load(folder / "fp32.onnx")
    del graph.metadata_props[:]
    foreign, imported = folder / "foreign.onnx", folder / "foreign.bcm"
    onnx.save(graph, foreign)
    check_import_fails("no --fitted-before", 64, foreign, folder, graph=foreign)
    run(sys.executable, IMPORT, foreign, imported, "--like", LIKE, "--fitted-before", "2026-02-15")
    before = Model(imported).header["provenance"]["fittedBefore"]
    check("a date is its midnight in Seattle, 8 o'clock in UTC", abs(before - 1771142400), 0)
    # -S: without the packages.
    for program in (IMPORT, EXPORT):
        check_fails("no packages", 69, program.name, folder, "-S", program)


def check_errors(folder):
    """With the .onnx files that check_onnx.py has made in the folder."""
    (folder / "outputs").mkdir()
    check_garbage(folder)
    check_wrong_inputs(folder)
    check_wrong_outputs(folder)
    check_wrong_usage(folder)


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
