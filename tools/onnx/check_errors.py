"""Checks for check_onnx.py what import and export say to wrong inputs: an exit code, and one line about the file."""
import pathlib
import resource
import subprocess
import sys

import numpy as np
import onnx

from checking import EXPORT, IMPORT, LIKE, check, run
from read_bcm import Model


def check_told(what, code, blamed, folder, *command, **settings):
    """A program ends with this exit code and one line about this file; nothing is left in the folder for outputs."""
    result = subprocess.run([sys.executable, *command], capture_output=True, text=True, **settings)
    left = [path.name for path in (folder / "told").iterdir()]
    good = result.returncode == code and result.stderr.startswith(f"{blamed}: ") and result.stderr.count("\n") == 1
    check(f"{what}: told with {code} and one line, nothing written", (not good) + len(left), 0)
    if not good or left:
        print(f"      {result.returncode}, left {left}: {result.stderr}")


def check_import_told(what, code, blamed, folder, *options, graph=None, output=None, like=LIKE):
    check_told(what, code, blamed, folder, IMPORT, graph or folder / "fp32.onnx", output or folder / "told/no.bcm",
               "--like", like, *options)


def check_garbage(folder):
    garbage = folder / "garbage.onnx"
    for what, data in (("text", b"not an ONNX file"), ("nothing", b"")):
        garbage.write_bytes(data)
        check_import_told(f"{what} as .onnx", 65, garbage, folder, graph=garbage)
    for weights, zero in (("u8", 127), ("s8", 1)):
        graph = onnx.load(folder / f"int8-{weights}.onnx")
        for tensor in graph.graph.initializer:
            if tensor.name == "layers.1.weightZeroPoint":
                old = onnx.numpy_helper.to_array(tensor)
                tensor.CopyFrom(onnx.numpy_helper.from_array(np.full_like(old, zero), tensor.name))
        onnx.save(graph, garbage)
        check_import_told(f"{weights} weights with zero point {zero}", 65, garbage, folder, graph=garbage)


def check_inputs_told(folder):
    """The file that is wrong is the one that is told, whichever it is."""
    missing, cut = folder / "missing", folder / "cut.bcm"
    cut.write_bytes(LIKE.read_bytes()[:100_000])
    for what, code, path in (("no file", 66, missing), ("a folder", 74, folder), ("half a .bcm", 65, cut)):
        check_import_told(f"{what} as --like", code, path, folder, like=path)
        check_import_told(f"{what} as .onnx", code, path, folder, graph=path)
        check_import_told(f"{what} as --calibrate", code, path, folder, "--calibrate", path)
        check_told(f"{what} to export", code, path, folder, EXPORT, path, folder / "told/no.onnx")
    rows, table = folder / "rows.npy", np.zeros((3, len(Model(LIKE).header["features"])), np.float32)
    for what, bad in (("a row too narrow", table[:, 1:]), ("words", table.astype(str)), ("NaN", table * np.nan)):
        np.save(rows, bad)
        check_import_told(f"{what} in --calibrate", 65, rows, folder, "--format", "int8", "--calibrate", rows)


def check_outputs_told(folder):
    for what, path in (("no folder", folder / "missing/no.bcm"), ("a folder", folder), ("a full device", "/dev/full")):
        check_import_told(f"{what} to import to", 74, path, folder, output=path)
        check_told(f"{what} to export to", 74, path, folder, EXPORT, LIKE, path)
    output = folder / "told/no.onnx"
    check_told("a disk that fills up on export", 74, output, folder, EXPORT, LIKE, output,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)))
    check("/dev/full is still a device", not pathlib.Path("/dev/full").is_char_device(), 0)
    written = subprocess.run([sys.executable, EXPORT, LIKE, "/dev/stdout"], capture_output=True, check=True).stdout
    check("/dev/stdout gets what a file would", written != (folder / "int8-u8.onnx").read_bytes(), 0)


def check_usage_told(folder):
    for text in ("2026-02-15T00:00:00", "2026-02-30"):
        check_import_told(f"--fitted-before {text}", 64, IMPORT.name, folder, "--fitted-before", text)
    graph = onnx.load(folder / "fp32.onnx")
    del graph.metadata_props[:]
    foreign, imported = folder / "foreign.onnx", folder / "foreign.bcm"
    onnx.save(graph, foreign)
    check_import_told("no --fitted-before", 64, foreign, folder, graph=foreign)
    run(sys.executable, IMPORT, foreign, imported, "--like", LIKE, "--fitted-before", "2026-02-15")
    before = Model(imported).header["provenance"]["fittedBefore"]
    check("a date is its midnight in Seattle, 8 o'clock in UTC", abs(before - 1771142400), 0)
    # -S: without the packages.
    for program in (IMPORT, EXPORT):
        check_told("no packages", 69, program.name, folder, "-S", program)


def check_errors(folder):
    """With the .onnx files that check_onnx.py has made in the folder."""
    (folder / "told").mkdir()
    check_garbage(folder)
    check_inputs_told(folder)
    check_outputs_told(folder)
    check_usage_told(folder)
