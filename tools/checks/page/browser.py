"""A headless Chromium with the page in it, found by role and name as a visitor would; the trials of this folder use it."""
import base64, json, shutil, time, urllib.parse

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROLES = {"button": "button, [role=button], summary", "link": "a[href]", "combobox": "[role=combobox], select",
         "heading": "h1, h2, h3", "textbox": "input", "slider": "input[type=range]", "radio": "input[type=radio]",
         "article": "article", "option": "[role=option], option", "img": "[role=img]", "status": "[role=status]",
         "alert": "[role=alert]", "spinbutton": "input[type=number]"}


class Page:
    """One browser with one tab."""

    def __init__(self, address, *, width=360, height=740, dark=False, language="en-US", script=True, reduced=False, letters=16,
                 notifications=False, flags=()):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or "/usr/bin/chromium"
        for flag in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--disable-component-update", "--enable-precise-memory-info",
                     "--no-first-run", "--accept-lang=" + language, *flags]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        preferences = {"intl.accept_languages": language, "webkit.webprefs.default_font_size": letters}
        if notifications:
            preferences["profile.content_settings.exceptions.notifications"] = {address + ",*": {"setting": 1}}
        if not script:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        self.driver = webdriver.Chrome(options=options, service=Driver(shutil.which("chromedriver") or "/usr/bin/chromedriver"))
        self.address, self.has_script = address, script
        self.logged = []
        self.shape(width, height, dark=dark, reduced=reduced)

    def order(self, name, **values):
        """A command of Chromium's protocol."""
        return self.driver.execute_cdp_cmd(name, values)

    def shape(self, width, height, *, dark=False, reduced=False, print_=False):
        """The window's size and what the visitor prefers."""
        self.order("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.order("Emulation.setEmulatedMedia", media="print" if print_ else "", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}])

    def open(self, where="", until=None, seconds=20):
        """Opens the page at an address such as ?view=trip, and waits until its modules have made it and some words stand on it."""
        self.driver.get(self.address + "/" + where)
        if until and self.has_script:
            self.until(lambda: self.run("return !document.querySelector('.plain')"), seconds)
        if until:
            self.wait(until, seconds)
        return self

    def run(self, script, *values):
        """What a piece of script returns."""
        return self.driver.execute_script(script, *values)

    def text(self, selector="body"):
        """The words that are seen."""
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def wait(self, words, seconds=20, selector="body", gone=False):
        """Waits until words, or one of some, are there (or gone); False if they do not come."""
        wanted = [words] if isinstance(words, str) else words
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                text = self.text(selector)
                if any(word in text for word in wanted) != gone:
                    return True
            except WebDriverException:
                pass
            time.sleep(0.05)
        return False

    def until(self, holds, seconds=20):
        """Waits until something holds; what it gave last."""
        end = time.monotonic() + seconds
        while True:
            try:
                found = holds()
            except (StaleElementReferenceException, WebDriverException):
                found = None
            if found or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def all(self, role, name=None):
        """Elements of a role that can be seen, by the name that a screen reader says."""
        found = []
        for element in self.driver.find_elements(By.CSS_SELECTOR, ROLES.get(role, "[role=%s]" % role)):
            try:
                if element.is_displayed() and (name is None or name in element.accessible_name):
                    found.append(element)
            except StaleElementReferenceException:
                pass
        return found

    def one(self, role, name=None, seconds=10):
        """The first of them, waited for."""
        found = self.until(lambda: self.all(role, name), seconds)
        if not found:
            raise LookupError("no %s named %r; there are %s" % (role, name, [e.accessible_name for e in self.all(role)][:20]))
        return found[0]

    def press(self, *keys):
        """Types on the keyboard, wherever the focus is."""
        chain = webdriver.ActionChains(self.driver)
        for key in keys:
            chain.send_keys(getattr(Keys, key, key))
        chain.perform()

    def focused(self):
        """Role and name of what has the focus."""
        element = self.driver.switch_to.active_element
        return element.aria_role, element.accessible_name

    def tab_to(self, role, name, most=120):
        """Presses Tab until something has the focus; False if it never has."""
        for _ in range(most):
            own_role, own_name = self.focused()
            if own_role == role and name in own_name:
                return True
            self.press("TAB")
        return False

    def network(self, *, offline=False):
        """Cuts the network, or gives it back."""
        self.order("Network.enable")
        self.order("Network.emulateNetworkConditions", offline=offline, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def slow(self, times):
        """Makes the CPU so many times slower."""
        self.order("Emulation.setCPUThrottlingRate", rate=times)

    def shot(self, path, full=True):
        """A picture of the page."""
        path.parent.mkdir(parents=True, exist_ok=True)
        data = self.order("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        path.write_bytes(base64.b64decode(data))

    def console(self):
        """What was written to the console since the last time, as level and words."""
        return ["%s %s" % (line["level"], line["message"]) for line in self.driver.get_log("browser")]

    def events(self, method):
        """Chromium's own events of a kind so far."""
        self.logged += [json.loads(line["message"])["message"] for line in self.driver.get_log("performance")]
        return [event["params"] for event in self.logged if event["method"] == method]

    def hosts(self):
        """Hosts that were asked so far."""
        urls = [event["request"]["url"] for event in self.events("Network.requestWillBeSent")]
        return {urllib.parse.urlsplit(url).netloc for url in urls if not url.startswith(("data:", "blob:", "chrome"))}

    def heap_bytes(self):
        """Memory of scripts after a collection."""
        # Twice: what scripts release in the first may free nodes in the second.
        for _ in range(2):
            self.order("HeapProfiler.collectGarbage")
        return self.run("return performance.memory.usedJSHeapSize")
