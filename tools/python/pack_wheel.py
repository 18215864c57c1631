"""Packs a folder with the package into a wheel; tools/python/build_wheel runs it.

    pack_wheel.py FOLDER OUTPUT_FOLDER VERSION TAG

Entries are in order and have the time of SOURCE_DATE_EPOCH, so that the same folder gives the same bytes.
"""
import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Ours, Swift's runtime, OpenBLAS, Nettle, zlib, ICU, and the roads.
LICENCES = ("Apache-2.0 AND Apache-2.0 WITH Swift-exception AND BSD-3-Clause AND LGPL-3.0-or-later AND Zlib AND Unicode-3.0 "
            "AND ODbL-1.0")


def metadata(version):
    fields = ["Metadata-Version: 2.4", "Name: bridgecast", f"Version: {version}",
              "Summary: Forecasts of Seattle's drawbridges, and routes around them",
              f"License-Expression: {LICENCES}", "Requires-Python: >=3.10", "Requires-Dist: numpy>=1.23",
              "Classifier: Operating System :: POSIX :: Linux", "Classifier: Typing :: Typed",
              "Description-Content-Type: text/markdown"]
    return "\n".join(fields) + "\n\n" + (ROOT / "tools/python/README.md").read_text()


def contents(folder, info, version, tag):
    """Every file of the wheel but the record: its name and its bytes."""
    files = {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: bridgecast\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    return files


def record(files, info):
    """The digest and length of every file, as PEP 376 has them."""
    lines = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
             for name, data in sorted(files.items())]
    return "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()


def main():
    folder, output = map(pathlib.Path, sys.argv[1:3])
    version, tag = sys.argv[3:]
    info = f"bridgecast-{version}.dist-info"
    files = contents(folder, info, version, tag)
    files[f"{info}/RECORD"] = record(files, info)
    date = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]  # zip files begin in 1980
    wheel = output / f"bridgecast-{version}-{tag}.whl"
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    part.replace(wheel)
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
