"""Whether each target of the package declares exactly what its files import."""
import json
import re
import subprocess

# Those of a trait are indented.
IMPORT = re.compile(r"^(?:    )?(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:private|fileprivate|internal|package|public)\s+)?import\s+(?:(?:struct|enum|class|func|protocol|actor)\s+)?(\w+)", re.M)
# What comes with Swift.
TOOLCHAIN = {"Foundation", "FoundationEssentials", "FoundationXML", "FoundationNetworking", "Glibc", "Musl", "Dispatch", "Synchronization", "Observation", "Testing",
             "PackageDescription", "Darwin", "Swift"}


def folder(root, target):
    return root / target.get("path", f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")


def check_imports(root, fail):
    described = subprocess.run(["swift", "package", "--package-path", str(root), "dump-package"], capture_output=True, text=True)
    if described.returncode:
        return fail("Package.swift: " + described.stderr.strip())
    arrows = 0
    for target in json.loads(described.stdout)["targets"]:
        if target["type"] == "system":
            continue
        excluded = [folder(root, target) / name for name in target.get("exclude", [])]
        imported = set()
        for path in folder(root, target).rglob("*.swift"):
            if not any(parent in excluded for parent in path.parents) and ".docc" not in str(path):
                imported |= set(IMPORT.findall(path.read_text(encoding="utf-8")))
        declared = {next(iter(one.values()))[0] for one in target["dependencies"]}
        arrows += len(declared)
        for name in sorted(declared - imported):
            fail(f"Package.swift: {target['name']} declares {name} and does not import it")
        for name in sorted(imported - declared - TOOLCHAIN - {target["name"]}):
            fail(f"Package.swift: {target['name']} imports {name} and does not declare it")
    print(f"{arrows} declared dependencies of targets, compared with the imports")
