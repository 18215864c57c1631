"""Trials with hostile input: every parameter of the address and every field, with markup, controls and length."""
import random, time, urllib.parse

TEXTS = ["<img src=x onerror=window.broken=true>", "'\"><script>window.broken=true</script>", "javascript:alert(1)",
         "../../etc/passwd", "\u202e\u0000\ufeff\u200b", "Z\u0351\u036b\u0343" * 60, "\U0001f6a2" * 40, "%00%ff", "{{7*7}}", "-1", "1e309",
         "NaN", "null", "9" * 400, "2026-99-99T99:99", "2026-02-30T12:00", "0001-01-01T00:00", "constructor", "__proto__", "A" * 10_000]
NAMES = ["view", "bridge", "from", "to", "mode", "leave", "arrive", "sure", "height", "replay"]


def address_is_hostile(trial):
    """every parameter of the address with every hostile text: the page stands and says what is wrong"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address)
    views = {"bridge": "bridge", "height": "bridge", "from": "trip", "to": "trip", "mode": "trip", "leave": "trip", "arrive": "trip",
             "sure": "trip", "replay": "now"}
    random.seed(1)
    for name in NAMES:
        # All texts in one view would take minutes: each run of the trial has the same share of them.
        for text in random.sample(TEXTS, 5):
            values = {"view": views.get(name, "now"), "from": "Ballard", "to": "Downtown", "bridge": "3", name: text}
            page.open("?" + urllib.parse.urlencode(values, errors="replace")[:7000])
            trial.expect(page.until(lambda: stands(page), 10), "%s=%r: the page stands: %r" % (name, text[:40], page.text()[:200]))
            trial.expect(not page.run("return window.broken || !!document.querySelector('img[src=x]')"),
                         "%s=%r: markup stays text" % (name, text[:40]))
            for line in page.console():
                # That the service refuses nonsense is written by the browser itself.
                trial.expect("Failed to load resource" in line and "40" in line, "%s=%r: %s" % (name, text[:40], line[:300]))


def fields_are_hostile(trial):
    """every field with every hostile text: nothing breaks, and the last good state stays"""
    service = trial.serve(speed=1)
    page = trial.browse(service.address)
    for where in ("?view=trip&from=Ballard&to=Downtown", "?view=bridge&bridge=3", "?replay=2026-02-20T18:00"):
        page.open(where, until=["in 100", "Half the time"])
        # A trip with an answer has its fields folded.
        page.run("document.getElementById('trip-change')?.click()")
        page.until(lambda: "trip" not in where or page.all("combobox", "From"), 5)
        for n, field in enumerate(page.run("return [...document.querySelectorAll('input')].map((e) => e.id || e.name || e.type)")):
            for text in TEXTS:
                typed = page.run("""
                    const [n, text] = arguments;
                    const field = document.querySelectorAll("input")[n];
                    if (!field || field.type === "radio" || field.type === "checkbox") return false;
                    field.focus();
                    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
                    set.call(field, text);
                    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
                    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
                    return true;""", n, text)
                if not typed:
                    break
                time.sleep(0.08)
            trial.expect(page.until(lambda: stands(page), 10), "%s, field %s: the page stands" % (where, field))
            trial.expect(not page.run("return window.broken"), "%s, field %s: markup stays text" % (where, field))
        for line in page.console():
            # That a refused question was refused, and that a field of numbers takes no words, the browser writes itself.
            known = ("Failed to load resource" in line and ("40" in line or "429" in line)) or "cannot be parsed" in line \
                or "does not conform" in line
            trial.expect(known, "%s: %s" % (where, line[:300]))


def stands(page):
    """Whether the page has its head and its content, and no part of it has failed."""
    main = page.text("main")
    return "How good" in page.text("header") and len(main) > 40 and "could not be drawn" not in main \
        and not page.run("return !!document.querySelector('main .skeleton, main [aria-busy]')")


TRIALS = [address_is_hostile, fields_are_hostile]
