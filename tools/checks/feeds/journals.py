#!/usr/bin/env python3
"""Reads a journal, encrypted or not, with SQLite and Python's cryptography and none of our code; by the format in Journeys.md.

    journals.py FILE [KEY]      prints its SQL
"""
import pathlib
import shutil
import sqlite3
import struct
import sys
import tempfile

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

HEADER = struct.Struct("<8sII16s32sQ")


def derive(key, salt, info, length):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(key)


def image(file, key):
    """The image of the database in an encrypted journal."""
    content = pathlib.Path(file).read_bytes()
    magic, version, bound, key_id, salt, length = HEADER.unpack_from(content)
    assert (magic, version) == (b"BCSEALED", 1) and len(content) == HEADER.size + length + 16
    assert key_id == derive(key, None, b"bridgecast key id", 16)
    associated = content[:HEADER.size] + (pathlib.Path(file).name.encode() if bound else b"")
    secret = derive(key, salt, b"bridgecast store 1", 44)
    return AESGCM(secret[:32]).decrypt(secret[32:], content[HEADER.size:], associated)


def database(file, key=None):
    """The journal's database, in memory; of one that is not encrypted a copy with its log is read."""
    copy = sqlite3.connect(":memory:")
    if key is not None:
        copy.deserialize(image(file, key))
        return copy
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            if pathlib.Path(f"{file}{ending}").exists():
                shutil.copy(f"{file}{ending}", f"{folder}/journal{ending}")
        source = sqlite3.connect(f"{folder}/journal")
        source.backup(copy)
        source.close()
    return copy


def read_key(file):
    return bytes.fromhex(pathlib.Path(file).read_text())


if __name__ == "__main__":
    print("\n".join(database(sys.argv[1], read_key(sys.argv[2]) if sys.argv[2:] else None).iterdump()))
