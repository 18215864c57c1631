#!/usr/bin/env python3
"""Leaves the live line open for an hour in a real browser, with a feed of vehicles that fails every tenth time.

    hour.py [--minutes 60] [--every 10]

Wants what tools/checks/browser wants, which is to be run before it. What it finds: memory of scripts after a collection
at the beginning and at the end; how far countdowns are from the service's clock; how many updates of vehicles are shown;
whether a vehicle moves backwards. Exit code 1 if one of them is not as it should be. Seconds of the browser are real ones,
so that an hour takes an hour; it is no part of tools/test.
"""
import shutil, time

from figures import metrics
from trial import for_an_hour

from checks import ROOT

DAY = "2018-01-04T15:00/2018-01-04T18:00"
WHERE = "?view=line&line=542&stop=25243"
PAGE = ROOT / "Sources/BridgecastService/Resources/page"
WARM_SECONDS = 60
REPORT_SECONDS = 600

# Notes what the page is answered and what it shows, as counts and largest values only, so that it holds no memory.
RECORDER = """
const noted = window.noted = {
    asked: 0, failed: 0, cycles: 0, shown: 0, late: 0, countdowns: 0, worst: 0, correcting: 0, worstCorrecting: 0,
    frames: 0, steps: 0, back: 0, worstBack: 0, putBack: 0, worstPutBack: 0,
    clock: { low: -Infinity, high: Infinity, at: 0 },
};
const ask = window.fetch.bind(window);
const now = () => performance.now() + (noted.clock.low + noted.clock.high) / 2;
const time = new Intl.DateTimeFormat("en-US",
    { timeZone: "America/Los_Angeles", hour: "numeric", minute: "2-digit", second: "2-digit" });
const plain = (text) => text.replace(/\\s/g, " ");
let cycle = null;
let arrivals = { at: [], heardAt: 0 };
const known = new Map();

window.fetch = async (path, how) => {
    const sentAt = performance.now();
    const isVehicles = String(path).includes("realtime?");
    if (isVehicles) { noted.asked += 1; cycle ??= { began: sentAt }; }
    const response = await ask(path, how);
    if (isVehicles && !response.ok) noted.failed += 1;
    if (response.ok && /realtime\\?|predictions\\?/.test(path)) hear(await response.clone().json(), sentAt, isVehicles);
    return response;
};

function hear(document, sentAt, isVehicles) {
    const received = performance.now();
    // The service says whole seconds: each answer narrows down where its clock is, which drifts against the browser's.
    const said = Date.parse(document.generated_at);
    const { low, high, at } = noted.clock;
    const drift = (received - at) * 2e-4;
    noted.clock = { low: Math.max(low - drift, said - received), high: Math.min(high + drift, said + 1000 - sentAt), at: received };
    if (isVehicles) return hearVehicles(document);
    const list = document.data.predictions.map((one) =>
        ({ key: one.trip_id, at: one.arrival_at_epoch_s * 1000 })).sort((a, b) => a.at - b.at).slice(0, 3);
    for (const { key, at } of list) {
        const before = known.get(key);
        // The page corrects what it counts down to by half a second a second.
        const gap = before ? Math.abs(before.at - at) + Math.max(0, before.settledAt - received) / 2 : 0;
        known.set(key, { at, settledAt: received + 2 * gap });
    }
    for (const key of [...known.keys()]) if (!list.some((one) => one.key === key)) known.delete(key);
    arrivals = { list, heardAt: received };
}

function hearVehicles(document) {
    const own = cycle;
    cycle = null;
    noted.cycles += 1;
    const wanted = plain(time.format(Date.parse(document.valid_at)));
    if (performance.now() - own.began > 10_000) { noted.late += 1; return; }
    setTimeout(() => {
        if (plain(window.document.querySelector(".line-said")?.innerText ?? "").includes(wanted)) noted.shown += 1;
    }, 500);
}

setInterval(() => {
    if (!arrivals.list || performance.now() - arrivals.heardAt < 2_000) return;
    const rows = [...document.querySelectorAll(".line-rows .countdown")].map((one) => one.textContent);
    rows.forEach((text, n) => {
        const one = arrivals.list[n];
        if (!one || !text.includes(":")) return;
        const shown = text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
        const left = one.at - now();
        // It shows whole seconds: 2:34 until 2:33 is left.
        const error = Math.max(0, shown - left, left - shown - 1000) / 1000;
        const isSettled = performance.now() > known.get(one.key).settledAt;
        noted[isSettled ? "countdowns" : "correcting"] += 1;
        const name = isSettled ? "worst" : "worstCorrecting";
        noted[name] = Math.max(noted[name], error);
    });
}, 997);
"""
# Where the picture has each vehicle, frame by frame.
WATCH = """
const done = arguments[0];
import("./line/fleet.js").then(({ Fleet }) => {
    const { at } = Fleet.prototype;
    const before = new Map();
    Fleet.prototype.at = function (time, ground, late) {
        const found = at.call(this, time, ground, late);
        noted.frames += 1;
        for (const { vehicle, along } of found) {
            const way = `${vehicle.routeID} ${vehicle.run} ${vehicle.pattern}`;
            const last = before.get(vehicle.id);
            before.set(vehicle.id, { way, along });
            if (!last || last.way !== way || vehicle.pattern === null) continue;
            noted.steps += 1;
            const metres = along - last.along;
            if (metres > -0.5) continue;
            // An answer may have it far back: then it was never where it was shown, and is put right at once.
            if (metres < -150) {
                noted.putBack += 1;
                noted.worstPutBack = Math.max(noted.worstPutBack, -metres);
                continue;
            }
            noted.back += 1;
            noted.worstBack = Math.max(noted.worstBack, -metres);
        }
        for (const id of [...before.keys()]) if (!found.some(({ vehicle }) => vehicle.id === id)) before.delete(id);
        return found;
    };
    done();
});
"""


def serve(trial):
    """A service whose page is made of single modules, which can be looked into."""
    single = trial.folder / "page"
    shutil.copytree(PAGE, single, ignore=shutil.ignore_patterns("bundle*"))
    return trial.serve(DAY, speed=1, page=single)


def watch(page, seconds):
    """Waits, and prints every ten minutes where it is; what the browser would log meanwhile is not kept."""
    began = printed = time.monotonic()
    while (left := began + seconds - time.monotonic()) > 0:
        time.sleep(min(30, left))
        page.driver.get_log("performance")
        if time.monotonic() - printed > REPORT_SECONDS:
            printed = time.monotonic()
            print("after %.0f min: %.2f MB; %s" % ((printed - began) / 60, page.heap_bytes() / 1e6, page.run("return noted")), flush=True)


def run(trial, minutes, every):
    """The hour itself."""
    faults = trial.faults(serve(trial))
    page = trial.browse(faults.address, width=1440, height=900)
    page.order("Page.addScriptToEvaluateOnNewDocument", source="{%s}" % RECORDER)
    page.open(WHERE)
    trial.expect(page.wait("vehicle", 30, ".line-said"), "vehicles come: %r" % page.text("main")[:300])
    page.driver.execute_async_script(WATCH)
    faults.path, faults.every, faults.mode = "/api/v1/realtime", every, ("status", 503, {})
    watch(page, min(WARM_SECONDS, minutes * 15))
    first, nodes = page.heap_bytes(), metrics(page)["Nodes"]
    watch(page, minutes * 60)
    last, last_nodes = page.heap_bytes(), metrics(page)["Nodes"]
    judge(trial, page.run("return noted"), every)
    trial.figure("memory of scripts after a collection: %.2f MB, then %.2f; nodes %d, then %d" % (
        first / 1e6, last / 1e6, nodes, last_nodes))
    trial.expect(last < first * 1.1 + 5e5, "memory is flat: %d, then %d" % (first, last))
    trial.expect(not page.console() or every, "no message on the console")


def judge(trial, noted, every):
    """What was noted, as figures and expectations."""
    clock = noted["clock"]
    trial.figure("the service's clock is known within %.0f ms" % ((clock["high"] - clock["low"]) / 2))
    trial.figure("countdowns: %d seen, at most %.2f s from the clock; while they are corrected %d, at most %.2f s" % (
        noted["countdowns"], noted["worst"], noted["correcting"], noted["worstCorrecting"]))
    trial.expect(noted["countdowns"] > 0 and noted["worst"] <= 1.1, "countdowns are within a second: %.2f" % noted["worst"])
    share = noted["shown"] / max(1, noted["cycles"])
    trial.figure("vehicles were asked for %d times, %d answers were spoilt; %d of %d updates shown, %.2f %%; %d were late" % (
        noted["asked"], noted["failed"], noted["shown"], noted["cycles"], 100 * share, noted["late"]))
    trial.expect(noted["failed"] > 0 or noted["asked"] < every, "some fail: %s" % noted)
    trial.expect(share > 0.99, "more than 99 %% of updates are shown: %.4f" % share)
    trial.figure("%d frames, %d steps of vehicles: %d backwards, at most %.1f m; %d put back by an answer, at most %.0f m" % (
        noted["frames"], noted["steps"], noted["back"], noted["worstBack"], noted["putBack"], noted["worstPutBack"]))
    trial.expect(noted["steps"] > 0 and noted["back"] == 0, "no vehicle moves backwards: %d" % noted["back"])


if __name__ == "__main__":
    for_an_hour("hour", __doc__, run)
