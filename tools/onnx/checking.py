"""What the checks of tools/onnx/check_onnx share: how one is told, and the programs that are checked."""
import pathlib
import subprocess

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
