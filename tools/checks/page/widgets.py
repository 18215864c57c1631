"""Trials of widgets: inside another site's page, as pictures there, and the view that makes their addresses."""
import http.server, re, threading, time

from everybody import axe

# Buses of the shipped timetable run over Montlake Bridge on that day.
DAY = "2018-01-04T15:09/2018-01-04T18:00"
WIDGET = "/widget/542/25243"
BOARD = "/widget/board/25243"


class OtherSite:
    """A page of another host, which frames widgets and lets in nothing of its own."""

    def __init__(self, service, body):
        policy = "default-src 'none'; img-src %s; frame-src %s" % (service.address, service.address)
        text = ("<!doctype html><html lang='en'><title>Another site</title><main><h1>Another site</h1>%s</main></html>" % body).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path == "/" else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write(text if self.path == "/" else b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        # Another name of this machine, so that it is another site.
        self.address = "http://localhost:%d" % self.server.server_port


def other_site(trial, service, body):
    site = OtherSite(service, body)
    trial.open.append(site.server.shutdown)
    return site


def seconds(text):
    """A countdown as seconds; None if it is none."""
    found = re.fullmatch(r"(?:(\d+):)?(\d+):(\d\d)", text or "")
    return None if not found else int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])


def countdown(page):
    return seconds(page.run("return document.querySelector('[data-at]')?.textContent"))


def complaints(page):
    """What the console has; browsers ask every site for an icon."""
    return [line for line in page.console() if "favicon" not in line]


def a_widget_counts_down_in_another_page(trial):
    """a widget in another site's page counts down each second, sandboxed or not, without a message on the console"""
    service = trial.serve(DAY, speed=1)
    frames = "".join("<iframe title='Buses %d' src='%s' width='340' height='320' %s></iframe>" % (
        n, service.address + path, more) for n, (path, more) in enumerate((
            (WIDGET + "?size=large&refresh=10", ""), (WIDGET + "?size=medium", "sandbox='allow-scripts'"),
            (BOARD + "?theme=dark", "sandbox"))))
    page = trial.browse(other_site(trial, service, frames).address, width=1200, height=900).open()
    found = page.driver.find_elements("css selector", "iframe")
    for index, frame in enumerate(found):
        page.driver.switch_to.frame(frame)
        trial.expect(page.until(lambda: countdown(page) is not None, 10), "frame %d has a countdown" % index)
        first, began = countdown(page), time.monotonic()
        time.sleep(4)
        gone = first - countdown(page)
        # Without scripts nothing counts.
        expected = 0 if index == 2 else time.monotonic() - began
        trial.expect(abs(gone - expected) <= 1.5, "frame %d: %s s in %.1f s" % (index, gone, expected))
        page.driver.switch_to.default_content()
    page.driver.switch_to.frame(found[0])
    left = page.run("return document.querySelector('[data-at]').dataset.at - Date.now() / 1000")
    trial.expect(abs(left) > 1e6, "the service's day is another than this machine's")
    page.run("document.querySelector('svg').id = 'first'")
    trial.expect(page.until(lambda: page.run("return !document.getElementById('first')"), 15), "a new picture comes")
    trial.expect(page.run("return document.getElementById('age').hidden"), "it is fresh")
    page.driver.switch_to.default_content()
    wrong = complaints(page)
    trial.expect(not wrong, "console: %s" % wrong[:3])
    found = axe(page)
    trial.expect(not found, "axe-core: %s" % "\n".join(found))


def a_widget_is_within_a_second(trial):
    """the countdown of a framed widget is that of the service's board to a second"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address, width=400, height=400).open(WIDGET[1:])
    trial.expect(page.until(lambda: countdown(page) is not None, 10), "it has a countdown")
    time.sleep(1)
    shown, expected = page.driver.execute_async_script("""
        const done = arguments[0];
        fetch("/api/v1/bridges").then((answer) => {
            const { textContent, dataset } = document.querySelector("[data-at]");
            done([textContent, dataset.at - Date.parse(answer.headers.get("X-Service-Time")) / 1000]);
        });""")
    trial.expect(abs(seconds(shown) - expected) <= 2, "%s is shown, %s s are left" % (shown, expected))


def pictures_are_drawn_elsewhere(trial):
    """pictures of all sizes are drawn in another site's page, which may frame no other answer of the service"""
    service = trial.serve(DAY, speed=1)
    paths = ["%s.%s?size=%s" % (path, form, size) for path in (WIDGET, BOARD) for form in ("svg", "png")
             for size in ("small", "medium", "large", "round")]
    body = "".join("<img alt='Buses' src='%s'>" % (service.address + path) for path in paths)
    body += "<iframe title='The page' src='%s/'></iframe>" % service.address
    page = trial.browse(other_site(trial, service, body).address, width=1200, height=900).open()
    drawn = page.until(lambda: page.run("return [...document.images].every((one) => one.complete)"), 20)
    sizes = page.run("return [...document.images].map((one) => [one.naturalWidth, one.naturalHeight])")
    trial.expect(drawn and all(width >= 120 and height >= 120 for width, height in sizes), "%s" % sizes)
    for form, size in zip([path.split(".")[1][:3] for path in paths], sizes):
        trial.expect(form == "svg" or size[0] in (240, 320, 680), "a PNG has twice the pixels: %s" % size)
    page.driver.switch_to.frame(page.driver.find_element("css selector", "iframe"))
    trial.expect(not page.run("return document.getElementById('page')"), "the page itself is framed by no other site")


def a_widget_is_made(trial):
    """the view that makes a widget shows it as it will be; what it copies is what it shows; axe-core finds nothing"""
    service = trial.serve(DAY, speed=1)
    for width, dark in ((1200, False), (360, True)):
        page = trial.browse(service.address, width=width, height=900, dark=dark).open("?view=widget&stop=25243")
        trial.expect(page.wait("<iframe", 20), "there is something to copy: %r" % page.text("main")[:200])
        choice = page.one("combobox", "Size")
        choice.send_keys("large")
        trial.expect(page.wait("board/25243?size=large", 10), "the address has the size")
        page.one("combobox", "Rows").send_keys("5")
        trial.expect(page.wait("rows=5", 10), "and the rows")
        frame = page.driver.find_element("css selector", ".widget-preview iframe")
        address = frame.get_attribute("src")
        trial.expect(address.replace("&", "&amp;") in page.text("main") and "rows=5" in address, "what is shown is what is copied")
        inside = page.run("return arguments[0].getBoundingClientRect().toJSON()", frame)
        trial.expect(width > 500 or inside["right"] <= width, "it fits a phone")
        page.driver.switch_to.frame(frame)
        trial.expect(page.wait("Redmond", 10), "the preview has departures")
        page.driver.switch_to.default_content()
        time.sleep(1)
        found = axe(page)
        trial.expect(not found, "axe-core, %d: %s" % (width, "\n".join(found)))
        trial.expect(not page.run("return document.documentElement.scrollWidth > innerWidth"), "nothing overflows")
        wrong = complaints(page)
        trial.expect(not wrong, "console: %s" % wrong[:3])


TRIALS = [a_widget_counts_down_in_another_page, a_widget_is_within_a_second, pictures_are_drawn_elsewhere, a_widget_is_made]
