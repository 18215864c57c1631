"""Timetables (GTFS) as zip files that are the same whenever they are written."""
import csv
import io
import os
import zipfile


def write(tables, path, made=(2017, 11, 1)):
    """Writes tables by file name, each with its header first, to another name first; all files have one date."""
    temporary = str(path) + ".new"
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, table in sorted(tables.items()):
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(table)
            entry = zipfile.ZipInfo(name, (*made, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.getvalue(), zipfile.ZIP_DEFLATED, 9)
    os.replace(temporary, path)
