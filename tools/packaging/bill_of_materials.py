#!/usr/bin/env python3
"""Lists what a release is made of, as SPDX 2.3 JSON; tools/release starts it.

    bill_of_materials.py TREE --version VERSION --swift VERSION

The programs with every file of the tree; the Swift packages that the build fetched, from its own state; Swift's runtime;
the page's libraries; the data, with its licences; Debian's packages that the programs need. SOURCE_DATE_EPOCH is the time.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = "SPDXRef-bridgecast"
RUNTIME = "Apache-2.0 WITH Swift-exception"
# Parts of the page and of the data: name, version, licence, where it is from.
PAGE = [
    ("preact", "10.27.2", "MIT", "pkg:npm/preact@10.27.2"), ("htm", "3.1.1", "Apache-2.0", "pkg:npm/htm@3.1.1"),
    ("leaflet", None, "BSD-2-Clause", "libjs-leaflet"), ("league-spartan", None, "OFL-1.1", "fonts-league-spartan")]
DATA = [
    ("seattle-roads", "ODbL-1.0", "OpenStreetMap contributors", "models/roads/seattle.roads, models/geography"),
    ("seattle-openings-2015-2017", "NOASSERTION", "Seattle Department of Transportation",
     "training-data/openings-2015-2017.csv: the city's announcements, collected by bricegnichols/bridge-stat"),
    ("seattle-openings-2017-2018", "MIT", "AmadeusW", "training-data/openings-2017-2018.csv"),
    ("seattle-openings-2025-2026", "NOASSERTION", "Seattle Department of Transportation",
     "training-data/openings-2025-2026.csv: the city's public facts")]

# C sources that Swift packages bring with them: the package, a file of its checkout, and where that has the version.
VENDORED = [
    ("boringssl", "swift-nio-ssl", "Sources/CNIOBoringSSL/hash.txt", r"revision (\w+)", "NOASSERTION"),
    ("boringssl-crypto", "swift-crypto", "Sources/CCryptoBoringSSL/hash.txt", r"revision (\w+)", "NOASSERTION"),
    ("llhttp", "swift-nio", "Sources/CNIOLLHTTP/include/c_nio_llhttp.h", r"LLHTTP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", "MIT"),
    ("zlib", "swift-nio-extras", "Sources/CNIOExtrasZlib/include/nioextras-zlib.h",
     r'ZLIB_VERSION "(.+)"', "Zlib")]


def identifier(*parts):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(parts))


def package(name, version, licence, *, kind="", purl=None, **more):
    """A package of the list; what is not known is NOASSERTION, as the format has it."""
    made = {"SPDXID": identifier(kind, name) if kind else identifier(name), "name": name,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
            "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}
    if version:
        made["versionInfo"] = version
    if purl:
        made["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return made


def licence_of(folder):
    """The licence of a checkout, by the words of its file; a file that says nothing known ends the release."""
    text = "\n".join(one.read_text(errors="replace") for one in sorted(folder.glob("LICENSE*")))
    if "Apache License" in text:
        return RUNTIME if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    sys.exit(f"{folder}: its licence is none that is known here; add it to {pathlib.Path(__file__).name}")


def linked_modules():
    """The modules whose objects are in a program."""
    lists = [ROOT / ".build/release" / f"{name}.product/Objects.LinkFileList" for name in ("bridgecast", "bridgecast-server")]
    return {found for one in lists for found in re.findall(r"/([^/]+)\.build/", one.read_text())}


def is_linked(folder, modules):
    """Whether a module of a checkout is in a program; a module has its sources in a folder of its name."""
    return any((folder / above / module).is_dir() for module in modules for above in ("Sources", "."))


def swift_packages():
    """Every Swift package of the build, with its relationship to ours."""
    state = json.loads((ROOT / ".build/workspace-state.json").read_text())["object"]["dependencies"]
    modules = linked_modules()
    for one in sorted(state, key=lambda one: one["packageRef"]["identity"]):
        place, checkout = one["packageRef"]["location"], one["state"]["checkoutState"]
        folder = ROOT / ".build/checkouts" / one["subpath"]
        path = place.removeprefix("https://").removesuffix(".git")
        found = package(
            one["packageRef"]["identity"], checkout["version"], licence_of(folder), kind="swift",
            purl=f"pkg:swift/{path}@{checkout['version']}", sourceInfo=f"git revision {checkout['revision']}")
        found["downloadLocation"] = f"git+https://{path}@{checkout['revision']}"
        yield found, "STATIC_LINK" if is_linked(folder, modules) else "OTHER"


def vendored():
    """The C libraries within Swift packages that are linked; one that cannot be found any more ends the release."""
    for name, above, file, pattern, licence in VENDORED:
        path = ROOT / ".build/checkouts" / above / file
        found = re.findall(pattern, path.read_text()) if path.is_file() else []
        if not found:
            sys.exit(f"{path} does not give the version of {name}: correct its entry in {pathlib.Path(__file__).name}")
        yield package(name, ".".join(found), licence, kind="vendored", comment=f"In the sources of {above}"), "STATIC_LINK"


def debian_version(name):
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
    return asked.stdout if asked.returncode == 0 else None


def system_libraries(tree):
    """Debian's packages of the libraries that the tree needs and does not bring."""
    objects = [*tree.glob("libexec/bridgecast*"), *tree.glob("lib/*.so")]
    needed = {name for one in objects if one.is_file() for name in needed_by(one)} - {one.name for one in tree.glob("lib/*.so")}
    found = subprocess.run(["dpkg-query", "-S", *(f"*/{name}" for name in sorted(needed))], capture_output=True, text=True).stdout
    for name in sorted({line.split(":")[0] for line in found.splitlines() if re.match(r"[\w.+-]+:amd64|[\w.+-]+:arm64", line)}):
        version = debian_version(name)
        yield package(name, version, "NOASSERTION", kind="debian", purl=f"pkg:deb/debian/{name}@{version}"), "DYNAMIC_LINK"


def needed_by(path):
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", text)


def parts(swift, tree):
    """Everything but our own package, each with its relationship."""
    yield package("swift-runtime", swift, RUNTIME, purl=f"pkg:github/swiftlang/swift@swift-{swift}-RELEASE",
                  comment="With Foundation, libdispatch and ICU (Unicode-3.0), in lib"), "CONTAINS"
    yield from swift_packages()
    yield from vendored()
    for name, version, licence, source in PAGE:
        version = version or debian_version(source)
        purl = source if source.startswith("pkg:") else f"pkg:deb/debian/{source}@{version}"
        yield package(name, version, licence, kind="page", purl=purl), "CONTAINS"
    for name, licence, supplier, comment in DATA:
        yield package(name, None, licence, kind="data", supplier=f"Organization: {supplier}", comment=comment), "CONTAINS"
    yield from system_libraries(tree)


def files_of(tree):
    """The files of the tree with their digests."""
    for path in sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()):
        data, name = path.read_bytes(), str(path.relative_to(tree))
        yield {"SPDXID": identifier("File", hashlib.sha1(name.encode()).hexdigest()), "fileName": f"./{name}",
               "checksums": [{"algorithm": kind, "checksumValue": hashlib.new(kind, data).hexdigest()} for kind in ("SHA1", "SHA256")],
               "licenseConcluded": "NOASSERTION", "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION"}


def document(tree, version, swift):
    files = list(files_of(tree))
    sums = sorted(one["checksums"][0]["checksumValue"] for one in files)
    own = package("bridgecast", version, "Apache-2.0", filesAnalyzed=True, licenseInfoFromFiles=["NOASSERTION"],
                  packageVerificationCode={"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()})
    found = list(parts(swift, tree))
    links = [(OWN, relation, one["SPDXID"]) for one, relation in found]
    links += [(OWN, "CONTAINS", one["SPDXID"]) for one in files]
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    digest = hashlib.sha256("".join(sums).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"bridgecast-{version}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: bridgecast-release"]},
        "documentDescribes": [OWN], "packages": [own, *(one for one, _ in found)], "files": files,
        "relationships": [{"spdxElementId": left, "relationshipType": relation, "relatedSpdxElement": right,
                           **({"comment": "fetched by the build, in no program"} if relation == "OTHER" else {})}
                          for left, relation, right in [("SPDXRef-DOCUMENT", "DESCRIBES", OWN), *links]]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--swift", required=True)
    given = parser.parse_args()
    json.dump(document(given.tree, given.version, given.swift), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
