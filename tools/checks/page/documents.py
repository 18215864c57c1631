#!/usr/bin/env python3
"""Writes the types of the service's documents, which the page's type check reads, from openapi.json.

    documents.py OPENAPI.json OUTPUT.d.ts
"""
import json, pathlib, re, sys

SIMPLE = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def union(kinds):
    return " | ".join(dict.fromkeys(kinds))


def of_object(schema):
    """An object with its fields; those that are not required may be missing."""
    required = set(schema.get("required", []))
    fields = ["%s%s: %s" % (json.dumps(name) if not re.fullmatch(r"\w+", name) else name, "" if name in required else "?", of(field))
              for name, field in schema.get("properties", {}).items()]
    extra = schema.get("additionalProperties", not fields)
    if fields:
        return "{ %s }" % "; ".join(fields)
    return "Record<string, %s>" % (of(extra) if isinstance(extra, dict) else "any")


def of(schema):
    """A schema as a type of TypeScript."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "const" in schema or "enum" in schema:
        return union(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    for key, sign in (("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")):
        if key in schema:
            return "(%s)" % sign.join(dict.fromkeys(of(part) for part in schema[key]))
    kinds = schema.get("type", [])
    return union(of_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "any"


def of_kind(kind, schema):
    if kind == "array":
        return "(%s)[]" % of(schema.get("items", {}))
    return of_object(schema) if kind == "object" else SIMPLE[kind]


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    schemas = json.loads(source.read_text(encoding="utf-8"))["components"]["schemas"]
    lines = ["export type %s = %s;" % (name, of(schema)) for name, schema in schemas.items()]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("// Made by tools/checks/page/documents.py from openapi.json.\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
