#!/usr/bin/env python3
"""Compares realtime feeds as Bridgecast reads them with what the official Python bindings read, field by field.

    realtime.py PROGRAM FILE|FOLDER...        PROGRAM: a bridgecast-server, asked `feed check FILE --format ndjson`
    realtime.py --json PROGRAM FILE|FOLDER... also every file in JSON, in the three spellings that there are

Needs gtfs-realtime-bindings 3.0.0 (PyPI). Presence counts: what is not set on one side must not be set on the other.
Fields that Bridgecast does not hold (images, spoken texts, shapes, detours) are counted and named. Files that the
bindings cannot read must be refused by Bridgecast too. Exit code 1 if anything differs.
"""
import collections
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from google.transit import gtfs_realtime_pb2

# What Bridgecast holds, by message.
HELD = {
    "FeedHeader": "gtfs_realtime_version incrementality timestamp",
    "FeedEntity": "id is_deleted trip_update vehicle alert",
    "TripUpdate": "trip vehicle stop_time_update timestamp delay trip_properties",
    "TripProperties": "trip_id start_date start_time shape_id trip_headsign trip_short_name",
    "StopTimeUpdate": "stop_sequence stop_id arrival departure departure_occupancy_status schedule_relationship "
                      "stop_time_properties",
    "StopTimeProperties": "assigned_stop_id stop_headsign",
    "StopTimeEvent": "delay time scheduled_time uncertainty",
    "VehiclePosition": "trip vehicle position current_stop_sequence stop_id current_status timestamp "
                       "congestion_level occupancy_status occupancy_percentage multi_carriage_details",
    "CarriageDetails": "id label occupancy_status occupancy_percentage carriage_sequence",
    "Position": "latitude longitude bearing odometer speed",
    "TripDescriptor": "trip_id route_id direction_id start_time start_date schedule_relationship",
    "VehicleDescriptor": "id label license_plate wheelchair_accessible",
    "Alert": "active_period informed_entity cause effect severity_level header_text description_text url",
    "TimeRange": "start end",
    "EntitySelector": "agency_id route_id stop_id route_type direction_id trip",
    "TranslatedString": "translation",
    "Translation": "text language",
}
HELD = {name: set(fields.split()) for name, fields in HELD.items()}


def theirs(message, fields, left_out):
    """A message as a dictionary of what is set in it; floats as their 32 bits."""
    result = {}
    for field, value in message.ListFields():
        if field.is_extension or field.name not in HELD[message.DESCRIPTOR.name]:
            left_out[f"{message.DESCRIPTOR.name}.{field.name}"] += 1
            continue
        fields[f"{message.DESCRIPTOR.name}.{field.name}"] += 1
        if field.message_type:
            values = [theirs(one, fields, left_out) for one in (value if field.is_repeated else [value])]
            value = values if field.is_repeated else values[0]
        elif field.type == field.TYPE_FLOAT:
            value = bits(value)
        if value not in ({}, []) or not field.message_type:
            result[field.name] = value
    # An empty message has no meaning, and -1 is the specification's value for no percentage.
    if message.DESCRIPTOR.name == "CarriageDetails" and result.get("occupancy_percentage") == -1:
        del result["occupancy_percentage"]
    return result


def bits(number):
    return struct.unpack("<I", struct.pack("<f", float(number)))[0]


def ours(value, name=""):
    """What the program wrote, without nulls and what is empty; floats as their 32 bits."""
    if isinstance(value, dict):
        pairs = {key: ours(inner, key) for key, inner in value.items() if inner is not None}
        return {key: inner for key, inner in pairs.items() if inner not in ({}, [])}
    if isinstance(value, list):
        return [ours(inner, name) for inner in value]
    if name in ("latitude", "longitude", "bearing", "speed"):
        return bits(value)
    return value


def asked(program, path):
    """The program's lines about a file; None if it refuses the file."""
    reply = subprocess.run([program, "feed", "check", path, "--format", "ndjson"], capture_output=True, text=True)
    lines = [json.loads(line) for line in reply.stdout.splitlines()]
    entities = [line for line in lines if "id" in line and ("trip_update" in line or "alert" in line)]
    header = next((line["header"] for line in lines if "header" in line), None)
    return None if header is None else {"header": header, "entity": entities}


def differences(left, right, place=""):
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            if key not in left or key not in right:
                yield f"{place}.{key}: {left.get(key)!r} in the bindings, {right.get(key)!r} in ours"
            else:
                yield from differences(left[key], right[key], f"{place}.{key}")
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for number, (one, other) in enumerate(zip(left, right)):
            yield from differences(one, other, f"{place}[{number}]")
    elif isinstance(left, float) and isinstance(right, (int, float)) and math.isclose(left, right, rel_tol=1e-15):
        return
    elif left != right:
        yield f"{place}: {left!r} in the bindings, {right!r} in ours"


def spellings(message):
    """The message in JSON: as the specification names things, as protobuf's mapping does, and as 511 does."""
    camel = json.loads(json_format.MessageToJson(message))

    def capital(value):
        if isinstance(value, dict):
            renamed = {"Entity": "Entities", "StopTimeUpdate": "StopTimeUpdates"}
            names = ((key[0].upper() + key[1:], inner) for key, inner in value.items())
            return {renamed.get(key, key): capital(inner) for key, inner in names}
        return [capital(inner) for inner in value] if isinstance(value, list) else value

    yield "snake", json_format.MessageToJson(message, preserving_proto_field_name=True,
                                             use_integers_for_enums=True).encode()
    yield "camel", json.dumps(camel).encode()
    yield "Pascal", b"\xef\xbb\xbf" + json.dumps(capital(camel)).encode()


def files(names):
    for name in names:
        if os.path.isdir(name):
            for folder, _, found in sorted(os.walk(name)):
                yield from (os.path.join(folder, file) for file in sorted(found) if file.endswith(".pb"))
        else:
            yield name


class Comparison:
    """Counts of what was compared, and how many files differ."""

    def __init__(self, program):
        self.program, self.wrong = program, 0
        self.counts, self.fields, self.left_out = collections.Counter(), collections.Counter(), collections.Counter()

    def check(self, path, with_json):
        """A file, and with JSON also its spellings."""
        message = gtfs_realtime_pb2.FeedMessage()
        try:
            with open(path, "rb") as file:
                message.ParseFromString(file.read())
        except DecodeError:
            return self.check_refusal(path)
        self.compare(path, message, path)
        for spelling, text in spellings(message) if with_json else ():
            with tempfile.NamedTemporaryFile(suffix=".json") as file:
                file.write(text)
                file.flush()
                self.compare(file.name, message, f"{path} in {spelling}")

    def check_refusal(self, path):
        """A file that the bindings refuse."""
        if asked(self.program, path) is None:
            self.counts["refused by both"] += 1
        else:
            self.wrong += 1
            print(f"{path}: refused by the bindings, read by ours")

    def compare(self, path, message, label):
        answer = asked(self.program, path)
        expected = {"header": theirs(message.header, self.fields, self.left_out),
                    "entity": [theirs(entity, self.fields, self.left_out) for entity in message.entity]}
        # Ours always states whether it is the whole.
        expected["header"].setdefault("incrementality", 0)
        found = ["refused by ours"] if answer is None else list(differences(
            expected, {"header": ours(answer["header"]), "entity": ours(answer["entity"])}))
        for line in found[:5]:
            print(f"{label}: {line}")
        self.wrong += bool(found)
        self.counts["messages"] += 1
        self.counts["entities"] += len(message.entity)


def main(arguments):
    with_json = arguments[:1] == ["--json"]
    program, *names = arguments[with_json:]
    found = Comparison(program)
    for path in files(names):
        found.check(path, with_json)
    counts = found.counts
    print(f"{counts['messages']} messages with {counts['entities']} entities, {sum(found.fields.values())} fields of "
          f"{len(found.fields)} kinds that are set: {found.wrong} differ; {counts['refused by both']} files refused by "
          f"both; not held: {dict(found.left_out) or 'nothing'}")
    return 1 if found.wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
