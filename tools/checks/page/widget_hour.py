#!/usr/bin/env python3
"""Leaves an embedded widget open for an hour in a real browser, with a service of which every tenth answer fails.

    widget_hour.py [--minutes 60] [--every 10]

Wants what tools/checks/browser wants, which is to be run before it. What it finds: how many of the pictures that are due are
shown, and how far countdowns are from the service's clock. Exit code 1 if fewer than 95 in 100 are shown, a countdown is more
than a second off, or memory grows. An hour takes an hour; it is no part of tools/test.
"""
import time

from trial import for_an_hour

DAY = "2018-01-04T15:00/2018-01-04T18:00"
WIDGET = "/widget/542/25243"
REFRESH = 30
WARM_SECONDS = 60

# Notes what is fetched and shown, as counts and largest values only.
RECORDER = """
const noted = window.noted = { asked: 0, failed: 0, shown: 0, countdowns: 0, worst: 0 };
const clock = { low: -Infinity, high: Infinity };
const ask = window.fetch.bind(window);
window.fetch = async (path, how) => {
    const sent = Date.now();
    noted.asked += 1;
    const answer = await ask(path, how);
    const heard = Date.now();
    if (answer.status >= 500) noted.failed += 1;
    const time = Date.parse(answer.headers.get("X-Service-Time") ?? "");
    if (time) {
        clock.low = Math.max(clock.low - 5, time - heard);
        clock.high = Math.min(clock.high + 5, time + 1000 - sent);
    }
    return answer;
};
new MutationObserver((changes) => {
    noted.shown += changes.some(({ target }) => target.id === "picture") ? 1 : 0;
    for (const { target } of changes) if (target.dataset?.at) check(target);
}).observe(document.body, { childList: true, subtree: true });
function check(text) {
    const found = /^(?:(\\d+):)?(\\d+):(\\d\\d)$/.exec(text.textContent);
    if (!found || clock.low === -Infinity) return;
    const shown = Number(found[1] ?? 0) * 3600 + Number(found[2]) * 60 + Number(found[3]);
    const left = Number(text.dataset.at) - (Date.now() + (clock.low + clock.high) / 2) / 1000;
    noted.countdowns += 1;
    // A countdown leaves out what is not a whole second.
    noted.worst = Math.max(noted.worst, Math.abs(left - 0.5 - shown) - 0.5);
}
"""


def run(trial, minutes, every):
    faults = trial.faults(trial.serve(DAY, speed=1))
    page = trial.browse(faults.address, width=340, height=320)
    page.open("%s?size=medium&refresh=%d" % (WIDGET[1:], REFRESH))
    page.run(RECORDER)
    faults.path, faults.every, faults.mode = WIDGET + ".svg", every, ("status", 503, {})
    time.sleep(min(WARM_SECONDS, minutes * 15))
    first, began, shown = page.heap_bytes(), time.monotonic(), page.run("return noted.shown")
    while time.monotonic() - began < minutes * 60:
        time.sleep(min(30, max(1, began + minutes * 60 - time.monotonic())))
        page.driver.get_log("performance")
    due = (time.monotonic() - began) / REFRESH
    last, noted = page.heap_bytes(), page.run("return noted")
    share = (noted["shown"] - shown) / due
    trial.figure("%d asked for, %d failed; %d shown of %.0f due, %.1f %%" % (
        noted["asked"], noted["failed"], noted["shown"] - shown, due, 100 * min(1, share)))
    trial.figure("countdowns: %d seen, at most %.2f s from the clock" % (noted["countdowns"], noted["worst"]))
    trial.figure("memory of scripts: %.2f MB, then %.2f" % (first / 1e6, last / 1e6))
    trial.expect(noted["failed"] > 0 or noted["asked"] < every, "some fail: %s" % noted)
    trial.expect(share > 0.95, "more than 95 %% are shown: %.3f" % share)
    trial.expect(noted["countdowns"] > 0 and noted["worst"] <= 1.1, "countdowns are within a second: %s" % noted)
    trial.expect(last < first * 1.1 + 5e5, "memory is flat: %d, then %d" % (first, last))


if __name__ == "__main__":
    for_an_hour("widget_hour", __doc__, run)
