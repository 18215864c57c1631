"""Trials of widgets: inside another site's page, as pictures there, and the view that makes their addresses."""
import http.server, re, threading, time

from everybody import axe

# Buses of the shipped timetable run over Montlake Bridge on that day.
DAY = "2018-01-04T15:09/2018-01-04T18:00"
WIDGET = "/widget/542/25243"
BOARD = "/widget/board/25243"
# What a sandboxed frame may do besides running its script: its page opens without the sandbox.
POPUPS = "allow-popups allow-popups-to-escape-sandbox"


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
    """a widget in another site's page counts down and fetches new pictures, sandboxed or not, without a message on the console"""
    service = trial.serve(DAY, speed=1)
    frames = "".join("<iframe title='Buses %d' src='%s' width='340' height='320' %s></iframe>" % (
        n, service.address + path, more) for n, (path, more) in enumerate((
            (WIDGET + "?size=large&refresh=10", ""),
            (WIDGET + "?size=medium&refresh=10", "sandbox='allow-scripts %s'" % POPUPS), (BOARD + "?theme=dark", "sandbox"))))
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
    for index, frame in enumerate(found[:2]):
        page.driver.switch_to.frame(frame)
        left = page.run("return document.querySelector('[data-at]').dataset.at - Date.now() / 1000")
        trial.expect(abs(left) > 1e6, "the service's day is another than this machine's")
        page.run("document.querySelector('svg').id = 'first'")
        trial.expect(page.until(lambda: page.run("return !document.getElementById('first')"), 15),
                     "a new picture comes to frame %d" % index)
        age = page.run("""const age = document.getElementById('age'), { width, height } = age.getBoundingClientRect();
            return [age.textContent, width, height, getComputedStyle(age).display];""")
        trial.expect(age == ["", 0, 0, "block"], "it is fresh, and its age is ready to be said: %s" % age)
        page.driver.switch_to.default_content()
    wrong = complaints(page)
    trial.expect(not wrong, "console: %s" % wrong[:3])
    found = axe(page)
    trial.expect(not found, "axe-core: %s" % "\n".join(found))


def a_sandboxed_widget_opens_the_page(trial):
    """a click on a sandboxed widget opens its line in a new tab, where the page works, in the widget's language"""
    service = trial.serve(DAY, speed=1)
    frame = "<iframe title='Buses' src='%s?lang=es' width='160' height='160' sandbox='allow-scripts %s'></iframe>" % (
        service.address + WIDGET, POPUPS)
    page = trial.browse(other_site(trial, service, frame).address, width=1200, height=900).open()
    page.driver.switch_to.frame(page.driver.find_element("css selector", "iframe"))
    trial.expect(page.until(lambda: countdown(page) is not None, 10), "it has a countdown")
    page.driver.find_element("css selector", "a").click()
    opened = page.until(lambda: len(page.driver.window_handles) == 2, 10)
    if not trial.expect(opened, "a tab opens"):
        return
    page.driver.switch_to.window(page.driver.window_handles[1])
    trial.expect(page.wait("Redmond", 20, selector="main"), "it has the line: %r" % page.text()[:200])
    address = page.run("return location.search")
    trial.expect("line=542" in address and "stop=25243" in address, address)
    language = page.run("return document.documentElement.lang")
    trial.expect("lang=es" in address and language.startswith("es"), "%s: the page is in %s" % (address, language))


def a_link_has_its_language(trial):
    """a link's language holds for the visit, on every view, and is not remembered; a choice of the visitor takes its turn"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address, width=1200, height=900).open("?view=board&stop=25243&lang=es", until="Hacia")
    trial.expect(page.text("h1") and "Salidas" in page.text(), "Spanish: %r" % page.text()[:200])
    page.one("link", "Ahora").click()
    trial.expect(page.until(lambda: page.run("return location.search") == "?lang=es", 5), "it goes along with links")
    remembered = page.run("return JSON.parse(localStorage.getItem('bridgecast.preferences') ?? '{}').language ?? null")
    trial.expect(remembered is None, "remembered: %s" % remembered)
    page.one("combobox", "Idioma").send_keys("English")
    trial.expect(page.wait("Now", 10, selector="header"), "the visitor's choice: %r" % page.text("header"))
    trial.expect(page.run("return location.search + document.documentElement.lang").startswith("en"), "the address has no other")
    page.open("?view=board&stop=25243", until="Towards")
    trial.expect(page.run("return document.documentElement.lang").startswith("en"), "it is English without it")


def a_widget_is_within_a_second(trial):
    """the countdown of a framed widget is that of the service's clock to a second"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address, width=400, height=400).open(WIDGET[1:])
    trial.expect(page.until(lambda: countdown(page) is not None, 10), "it has a countdown")
    time.sleep(2)
    # The service says its time in whole seconds: as one of them ends it is known better than that.
    shown, expected = page.driver.execute_async_script("""
        const done = arguments[0];
        const time = async () => Date.parse((await fetch("/healthz", { cache: "no-store" })).headers.get("X-Service-Time")) / 1000;
        (async () => {
            const first = await time();
            let now = first;
            while (now === first) now = await time();
            const { textContent, dataset } = document.querySelector("[data-at]");
            done([textContent, dataset.at - now]);
        })();""")
    trial.expect(abs(seconds(shown) - expected) <= 1, "%s is shown, %s s are left" % (shown, expected))


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
        page.one("combobox", "Size").send_keys("large")
        trial.expect(page.wait("board/25243?size=large", 10), "the address has the size")
        page.one("combobox", "Rows").send_keys("5")
        trial.expect(page.wait("rows=5", 10), "and the rows")
        page.one("combobox", "Direction").send_keys("Towards Redmond")
        trial.expect(page.wait("direction=0", 10), "and the direction")
        # A link has all of that.
        trial.expect(page.run("return location.search") == "?view=widget&stop=25243&rows=5&size=large&direction=0",
                     page.run("return location.search"))
        page.driver.refresh()
        trial.expect(page.wait("direction=0", 20), "a reload keeps it")
        frame = page.driver.find_element("css selector", ".widget-preview iframe")
        address = frame.get_attribute("src")
        copied = page.run("return document.getElementById('widget-html').textContent")
        trial.expect('src="%s"' % address.replace("&", "&amp;") in copied, "what is shown is what is copied: %s, %s" % (address, copied))
        trial.expect(address.endswith("/widget/board/25243?size=large&rows=5&direction=0"), address)
        inside = page.run("return arguments[0].getBoundingClientRect().toJSON()", frame)
        trial.expect(width > 500 or inside["right"] <= width, "it fits a phone")
        page.driver.switch_to.frame(frame)
        trial.expect(page.wait("Redmond", 10), "the preview has departures")
        trial.expect("Issaquah" not in page.text(), "in its direction")
        drawn = page.run("return document.querySelector('svg').getBoundingClientRect().height - innerHeight")
        trial.expect(abs(drawn) <= 1, "and no room below it: %s" % drawn)
        page.driver.switch_to.default_content()
        time.sleep(1)
        found = axe(page)
        trial.expect(not found, "axe-core, %d: %s" % (width, "\n".join(found)))
        trial.expect(not page.run("return document.documentElement.scrollWidth > innerWidth"), "nothing overflows")
        wrong = complaints(page)
        trial.expect(not wrong, "console: %s" % wrong[:3])


def a_widget_is_made_in_spanish(trial):
    """in another language each text to copy has an identifier of its own; a picture that cannot be loaded is asked for again"""
    service = trial.serve(DAY, speed=1)
    page = trial.browse(service.address, width=1200, height=900)
    page.order("Network.enable")
    page.order("Network.setBlockedURLs", urls=["*/widget/*.svg*"])
    page.open("?view=widget&stop=25243&line=542&lang=es")
    trial.expect(page.wait("No se puede cargar la imagen", 20), "what is wrong is shown: %r" % page.text("main")[:300])
    trial.expect(not page.run("return document.querySelector('.widget-skeleton')"), "nothing is awaited")
    page.order("Network.setBlockedURLs", urls=[])
    page.one("button", "Intentar de nuevo").click()
    trial.expect(page.wait("<iframe", 10), "it comes when it is asked for again")
    identifiers = page.run("return [...document.querySelectorAll('.widget-copies pre')].map((one) => one.id)")
    trial.expect(identifiers == ["widget-html", "widget-picture", "widget-home"], identifiers)
    trial.expect(not page.all("combobox", "Sentido"), "a line that goes one way there has no choice of directions")


TRIALS = [a_widget_counts_down_in_another_page, a_sandboxed_widget_opens_the_page, a_link_has_its_language,
          a_widget_is_within_a_second, pictures_are_drawn_elsewhere, a_widget_is_made, a_widget_is_made_in_spanish]
