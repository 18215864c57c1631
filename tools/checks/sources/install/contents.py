#!/usr/bin/env python3
"""Holds a release against what can be seen without installing it; tools/checks/install starts it.

    contents.py FOLDER     which has two runs of tools/release, in `first` and `second`
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile

# Words that belong to the machine that built, and to no user.
FOREIGN = ("/work/", "/root/", "/home/")
failures = []


def fail(text):
    failures.append(text)
    print("FAIL: " + text)


def output(*command, **more):
    """What a command printed, on both streams, and its exit code."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    return done.stdout.strip(), done.returncode


def check_same(first, second):
    """Two runs give the same bytes, and the sums are those of the files."""
    sums = (first / "SHA256SUMS").read_text()
    if sums != (second / "SHA256SUMS").read_text():
        fail("two runs of tools/release differ:\n" + output("diff", first / "SHA256SUMS", second / "SHA256SUMS")[0])
    for line in sums.splitlines():
        digest, name = line.split(maxsplit=1)
        if hashlib.sha256((first / name).read_bytes()).hexdigest() != digest:
            fail(f"{name} has not the digest of SHA256SUMS")
    print(f"{len(sums.splitlines())} files, twice the same")


def check_lint(package):
    text, _ = output("lintian", "--allow-root", package)
    found = [line for line in text.splitlines() if line[:2] in ("E:", "W:")]
    for line in found:
        fail("lintian: " + line)
    print(f"lintian: {len(found)} errors and warnings")


def check_pages(tree):
    pages = [path for path in sorted((tree / "share/man/man1").glob("*.gz")) if not path.is_symlink()]
    for path in pages:
        for command in (["man", "--warnings", "-l", "-Tutf8", "-Z", path], ["mandoc", "-Tlint", "-Wwarning", path]):
            done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            said = done.stderr + (done.stdout if command[0] == "mandoc" else "")
            if said.strip() or done.returncode:
                fail(f"{path.name}: {command[0]}: {said.strip()[:300]}")
    commands = json.loads(output(tree / "bin/bridgecast-server", "--experimental-dump-help")[0])["command"]
    for name in names(commands, []):
        if not (tree / "share/man/man1" / f"{name}.1.gz").is_file():
            fail(f"the command {name} has no man page")
    print(f"{len(pages)} man pages")


def names(command, above):
    """The pages that a command and those below it should have."""
    path = [*above, command["commandName"]]
    if path[-1] != "help":
        yield "-".join(path)
        for one in command.get("subcommands", []):
            yield from names(one, path)


def check_completions(tree):
    share = tree / "share"
    for shell, path in (("bash", "bash-completion/completions/bridgecast"), ("zsh", "zsh/vendor-completions/_bridgecast"),
                        ("fish", "fish/vendor_completions.d/bridgecast.fish")):
        text, code = output(shell, "-n", share / path)
        if code or text:
            fail(f"{shell} refuses its completions: {text[:300]}")
    script = 'source "$1"; COMP_WORDS=(bridgecast pre); COMP_CWORD=1; COMP_LINE="bridgecast pre"; COMP_POINT=14; ' \
             '_bridgecast bridgecast pre bridgecast; printf "%s\\n" "${COMPREPLY[@]}"'
    if "predict" not in output("bash", "-c", script, "bash", share / "bash-completion/completions/bridgecast")[0].split():
        fail("bash does not complete `bridgecast pre`")
    print("completions of three shells")


def check_parts(release, tree):
    """The list of parts is valid, complete, and its digests are those of the tarball's files."""
    path = release / "bridgecast.spdx.json"
    text, code = output(pathlib.Path(sys.executable).parent / "pyspdxtools", "-i", path)
    if code:
        fail(f"pyspdxtools: {text[:600]}")
    listed = json.loads(path.read_text())
    packages = {one["name"]: one for one in listed["packages"]}
    for name in ("grdb.swift", "hummingbird", "swift-runtime", "preact", "leaflet", "libopenblas0-pthread", "libnettle8", "seattle-roads"):
        if not any(found == name or found.startswith(name + ":") for found in packages):
            fail(f"bridgecast.spdx.json lacks {name}")
    digests = {one["fileName"]: one["checksums"][1]["checksumValue"] for one in listed["files"]}
    found = {f"./{file.relative_to(tree)}": file for file in tree.rglob("*") if file.is_file() and not file.is_symlink()}
    for name in digests.keys() ^ found.keys():
        fail(f"{name} is only in one of the tarball and bridgecast.spdx.json")
    for name in digests.keys() & found.keys():
        if hashlib.sha256(found[name].read_bytes()).hexdigest() != digests[name]:
            fail(f"{name} has another digest in bridgecast.spdx.json")
    print(f"{len(packages)} parts and {len(digests)} files listed")


def check_programs(tree):
    """No path of the machine that built is searched for libraries."""
    for path in [*tree.glob("libexec/bridgecast*"), *tree.glob("lib/*.so")]:
        if path.is_file():
            searched = output("patchelf", "--print-rpath", path)[0]
            if searched not in ("$ORIGIN", "$ORIGIN/../lib"):
                fail(f"{path.name} searches its libraries in {searched}")
    for path in [*tree.rglob("*.service"), *tree.glob("share/man/man1/*.gz"), *tree.glob("share/*/completions/*")]:
        text, _ = output("zcat", "-f", path)
        for word in FOREIGN:
            if word in text:
                fail(f"{path.name} has {word} in it")


def check_context(release, folder):
    """The image is made of what is in its context, and starts a program of the package."""
    with tarfile.open(next(release.glob("*-container.tar.gz"))) as opened:
        opened.extractall(folder, filter="tar")
    context = next(folder.iterdir())
    text = (context / "Dockerfile").read_text()
    for name in re.findall(r"source=([^,\s]+)", text) + re.findall(r"^COPY (\S+)", text, re.M):
        if not (context / name).is_file():
            fail(f"the Dockerfile takes {name}, which the context has not got")
    started = json.loads(re.search(r"^ENTRYPOINT (.*)$", text, re.M)[1])[0]
    listed, _ = output("dpkg-deb", "--contents", context / "bridgecast.deb")
    if f" .{started}\n" not in listed + "\n":
        fail(f"the Dockerfile starts {started}, which the package has not got")
    print(f"container: {', '.join(sorted(path.name for path in context.iterdir()))}")


def unpacked(release, folder):
    """The tree of a tarball, whose entries are of no one."""
    archive = next(path for path in release.glob("*-linux-*.tar.gz"))
    with tarfile.open(archive) as opened:
        if any(one.uid or one.gid or one.name.startswith("/") for one in opened):
            fail(f"{archive.name} has entries of a user, or outside of its folder")
        opened.extractall(folder, filter="tar")
    return next(folder.iterdir())


def main():
    place = pathlib.Path(sys.argv[1])
    first = place / "first"
    tree = unpacked(first, place / "unpacked")
    check_same(first, place / "second")
    check_lint(next(first.glob("*.deb")))
    check_pages(tree)
    check_completions(tree)
    check_parts(first, tree)
    check_programs(tree)
    check_context(first, place / "context")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
