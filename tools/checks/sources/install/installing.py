#!/usr/bin/env python3
"""Lives with the package in a clean Debian, from its installation to its purge; tools/checks/install starts it.

    installing.py FOLDER ARCHIVES     FOLDER has the release in `first` and the clean Debian in `root`

It runs in a mount namespace of its own.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tools/checks/page"))

from browser import Page
from clean_root import CleanRoot, InstalledService, changed_package

OLD = "0.1.0"
TRIP = ["predict", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02"]
REPLAY = ["--replay", "2026-02-20T17:58/2026-02-20T21:00", "--port", "0"]
SETTINGS, STATE = "/etc/bridgecast/serve.json", "/var/lib/bridgecast"
failures = []


def fail(text):
    failures.append(text)
    print("FAIL: " + text)


def expect(condition, text):
    if not condition:
        fail(text)


def expected_trip():
    """The answer of the build that the release was made from, on both streams."""
    done = subprocess.run([ROOT / ".build/release/bridgecast", *TRIP], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={
        "PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "BRIDGECAST_HOME": str(ROOT), "OPENBLAS_NUM_THREADS": "1"})
    return done.stdout


def check_answers(root, when):
    """Commands answer an ordinary user, as the build does."""
    text, code = root.run("bridgecast", *TRIP, as_root=False, HOME="/nonexistent")
    expect(code == 0 and text == expected_trip(), f"{when}: predict ends with {code} and gives\n{text}")


def install(root, package):
    shutil.copy(package, root.path("/tmp/bridgecast.deb"))
    text, code = root.run("apt-get", "install", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", "/tmp/bridgecast.deb")
    if code:
        raise SystemExit(f"FAIL: apt-get does not install {package.name}:\n{text[-3000:]}")
    print(f"installed {package.name}")


def check_clean(root):
    """There is nothing to compile with, before and after."""
    for name in ("gcc", "cc", "clang", "swift", "swiftc", "ld"):
        expect(root.run("sh", "-c", f"command -v {name}")[1] != 0, f"the clean Debian has {name}: it shows nothing")
    text, _ = root.run("sh", "-c", "ldd /usr/lib/bridgecast/libexec/bridgecast-server; ldd /usr/lib/bridgecast/libexec/bridgecast")
    expect("not found" not in text, f"libraries are missing:\n{text}")
    text, code = root.run("bridgecast", "doctor", as_root=False, HOME="/tmp")
    expect(code == 0, f"doctor ends with {code}:\n{text}")


def check_service(root):
    """The service answers under its own user, the page's files are those of the sources, and a browser shows it."""
    service = InstalledService(root, *REPLAY)
    expect(service.wait_until_ready(), "the service is not ready within 30 seconds")
    status, body = service.get("/healthz")
    expect(status == 200 and json.loads(body).get("version"), f"/healthz: {status} {body}")
    page = ROOT / "Sources/BridgecastService/Resources/page"
    files = [path for path in sorted(page.rglob("*")) if path.is_file() and path.suffix in (".js", ".css", ".json", ".svg", ".woff", ".png")]
    for path in files:
        status, body = service.get("/" + str(path.relative_to(page)))
        expect(status == 200 and body == path.read_bytes(), f"/{path.relative_to(page)}: {status}, or other bytes than in the sources")
    status, body = service.get("/api/v1/routes?from=Ballard&to=Downtown")
    expect(status == 200 and b"Aurora" in body, f"/api/v1/routes: {status} {body[:200]}")
    browser = Page(service.address)
    browser.open(until="Ballard")
    expect("Fremont" in browser.text(), f"the page does not show its bridges: {browser.text()[:200]}")
    browser.driver.quit()
    expect(service.stop() == 0, "the service does not end with 0 on SIGTERM")
    owner = root.run("stat", "-c", "%U %a", STATE)[0].strip()
    expect(owner == "_bridgecast 700", f"{STATE} is {owner}")
    print(f"served: {len(files)} files of the page, a route, and the page in Chromium")


def check_failed_upgrades(root, package, place):
    """A package that refuses and two torn ones leave the old one as it was."""
    refusing = changed_package(package, place / "refusing.deb", version="9.0", preinst="#!/bin/sh\nexit 1\n")
    torn = place / "torn.deb"
    torn.write_bytes(refusing.read_bytes()[: refusing.stat().st_size // 2])
    plain = changed_package(package, place / "plain.deb", version="9.0")
    torn_late = place / "torn-late.deb"
    torn_late.write_bytes(plain.read_bytes()[: plain.stat().st_size // 2])
    for broken in (refusing, torn, torn_late):
        shutil.copy(broken, root.path("/tmp/broken.deb"))
        text, code = root.run("dpkg", "--install", "/tmp/broken.deb")
        expect(code != 0, f"dpkg takes {broken.name}:\n{text}")
        state = root.state("bridgecast")
        expect(state == f"installed {OLD}", f"after {broken.name} the package is {state!r}")
        check_answers(root, f"after {broken.name}")
        left = root.leftovers(".dpkg-new", ".dpkg-tmp")
        expect(not left, f"{broken.name} leaves {left[:3]}")
        broken.unlink()
    print("three failed upgrades left the old version working")


def check_upgrade(root, package, place):
    """Settings that were edited, the state and a running service outlive an upgrade, and upgrades that fail."""
    install(root, changed_package(package, place / "old.deb", version=OLD, settings='{"http": {"port": 8080}}\n'))
    check_clean(root)
    check_answers(root, f"version {OLD}")
    check_service(root)
    edited = '{"http": {"port": 8123}, "serve": {"log_level": "warning"}}\n'
    root.path(SETTINGS).write_text(edited)
    root.path(STATE + "/kept").write_text("a measurement\n")
    running = InstalledService(root, *REPLAY)
    check_failed_upgrades(root, package, place)
    install(root, package)
    expect(running.get("/healthz")[0] == 200 and running.get("/main.js")[0] == 200, "a running service does not outlive the upgrade")
    expect(running.stop() == 0, "the old service does not end with 0")
    expect(root.path(SETTINGS).read_text() == edited, "an upgrade loses edited settings")
    expect(root.path(STATE + "/kept").read_text() == "a measurement\n", "an upgrade loses state")
    text, _ = root.run("bridgecast", "serve", "--check", "--config", SETTINGS)
    expect("8123" in text, f"the edited settings are not read:\n{text[:500]}")
    check_answers(root, "after the upgrade")
    print("upgraded: settings, state and a running service were kept")


def check_removal(root):
    """A removal leaves settings and state alone; a purge leaves nothing, and no user."""
    text, code = root.run("dpkg", "--remove", "bridgecast")
    expect(code == 0, f"dpkg --remove ends with {code}:\n{text}")
    left = [name for name in root.leftovers("bridgecast") if not name.startswith((STATE, "/etc/bridgecast"))]
    left = [name for name in left if not name.startswith(("/etc/systemd/system/bridgecast", "/var/lib/systemd/deb-systemd-helper"))]
    expect(not left, f"a removal leaves {left}")
    expect(root.path(SETTINGS).exists() and root.path(STATE + "/kept").exists(), "a removal takes settings or state")
    text, code = root.run("dpkg", "--purge", "bridgecast")
    expect(code == 0 and "warning" not in text, f"dpkg --purge ends with {code}:\n{text}")
    left = root.leftovers("bridgecast")
    expect(not left, f"a purge leaves {left}")
    expect(root.run("getent", "passwd", "_bridgecast")[1] != 0, "a purge leaves the user")
    expect(root.run("getent", "group", "_bridgecast")[1] != 0, "a purge leaves the group")
    print("removed and purged: nothing is left")


def check_tarball(root, place):
    """The tarball works in any folder, through a link too; its libraries are still there from the package."""
    folder = root.path("/opt/some where")
    shutil.unpack_archive(next((place / "first").glob("*-linux-*.tar.gz")), folder, filter="tar")
    next(folder.iterdir()).rename(folder / "bridgecast")
    root.path("/usr/local/bin/bridgecast").symlink_to("/opt/some where/bridgecast/bin/bridgecast")
    for program in ("/opt/some where/bridgecast/bin/bridgecast", "/usr/local/bin/bridgecast"):
        text, code = root.run(program, *TRIP)
        expect(code == 0 and text == expected_trip(), f"{program} ends with {code}:\n{text}")
    text, code = root.run("/usr/local/bin/bridgecast", "serve", "--check", "--replay", "2026-02-20")
    expect(code == 0, f"serve --check of the tarball ends with {code}:\n{text}")
    print("the tarball answers from another folder")


def main():
    place = pathlib.Path(sys.argv[1])
    package = next((place / "first").glob("*.deb"))
    root = CleanRoot(place / "root", sys.argv[2])
    check_upgrade(root, package, place)
    check_removal(root)
    check_tarball(root, place)
    install(root, package)
    check_answers(root, "installed again")
    root.run("dpkg", "--purge", "bridgecast")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
