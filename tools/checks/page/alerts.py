"""Trials of a person's alerts: rules and reminders by hand, and a push that arrives while no page is open."""
import json, pathlib, queue, subprocess, sys, threading, time

import me
from me import VIEW, ask, enter
from trial import EVENING

# A browser's keys and its push service, by Python's cryptography and none of our code.
RECEIVER = pathlib.Path(__file__).resolve().parents[3] / "Tests/BridgecastAlertsTests/Receivers/push_service.py"

# Chromium's own push service is on the internet. What it would give is given by the receiver, and kept over pages.
SUBSCRIBE = """
    const [endpoint, p256dh, auth] = %s;
    window.asked = 0;
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => { window.asked += 1; return ask(); };
    const own = (key) => ({
        endpoint, options: { applicationServerKey: key.buffer ?? key },
        toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
        unsubscribe: async () => { localStorage.removeItem("trial.push"); return true; },
    });
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        localStorage.setItem("trial.push", JSON.stringify([...applicationServerKey]));
        return own(applicationServerKey);
    };
    PushManager.prototype.getSubscription = async () => {
        const kept = localStorage.getItem("trial.push");
        return kept === null ? null : own(Uint8Array.from(JSON.parse(kept)));
    };
"""


class Receiver:
    """A browser's push service on this machine, which decrypts what it gets."""

    def __init__(self, trial):
        self.process = subprocess.Popen([sys.executable, str(RECEIVER)], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
        trial.open.append(self.process.kill)
        address, self.key, self.secret = self.process.stdout.readline().split()
        self.endpoint = address + "/send/abc"
        self.got = queue.Queue()
        threading.Thread(target=lambda: [self.got.put(json.loads(line)) for line in self.process.stdout], daemon=True).start()

    def next(self, seconds):
        """The next message; None if none comes."""
        try:
            return self.got.get(timeout=seconds)
        except queue.Empty:
            return None


def shown(page):
    """The notifications that are shown, as the service worker's registration lists them."""
    return page.driver.execute_async_script("""const done = arguments[0];
        navigator.serviceWorker.getRegistration().then((one) => one.getNotifications()).then((all) => done(all.map(
            ({ title, body, tag, silent, requireInteraction, data }) => ({ title, body, tag, silent, requireInteraction, data }))));""")


def close_pages(page):
    """Closes all tabs of the page; an empty one stays, so that the browser does."""
    before = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    after = page.driver.current_window_handle
    page.driver.switch_to.window(before)
    page.driver.close()
    page.driver.switch_to.window(after)


def allow(page, service, setting="granted"):
    """Allows notifications, or forbids them; what was allowed in a tab ends with it."""
    page.order("Browser.setPermission", origin=service.address, permission={"name": "notifications"}, setting=setting)


def deliver(page, service, message):
    """Has Chromium take in a push message as from its push service; its service worker has to start for it."""
    page.order("ServiceWorker.enable")
    page.order("ServiceWorker.stopAllWorkers")
    # The number of the first service worker of a new browser.
    page.order("ServiceWorker.deliverPushMessage", origin=service.address + "/", registrationId="0", data=json.dumps(message))


def a_push_arrives_with_the_page_closed(trial):
    """notifications are asked for after a press, alerts go to a push service encrypted, and show while no page is open"""
    service, token = me.serve(trial, replay=EVENING, speed=10)
    receiver = Receiver(trial)
    page = trial.browse(service.address, width=800, height=900)
    allow(page, service)
    page.order("Page.addScriptToEvaluateOnNewDocument", source=SUBSCRIBE % json.dumps([receiver.endpoint, receiver.key, receiver.secret]))
    page.open(VIEW)
    page.until(lambda: page.run("return navigator.serviceWorker.controller !== null"), 20)
    enter(page, token, is_kept=True)
    button = page.one("button", "Switch on notifications", 20)
    trial.expect(page.run("return window.asked") == 0, "nothing is asked before the press")
    button.click()
    trial.expect(page.wait("Your alerts come to this browser", 10), "switched on: %r" % page.text(".me-alerts"))
    trial.expect(page.run("return window.asked") == 1, "asked once")
    known = ask(service, token, "/alerts")
    trial.expect([one["host"] for one in known["browsers"]] == ["127.0.0.1"], "the service has it: %s" % known["browsers"])
    trial.expect(receiver.endpoint not in json.dumps(known) and receiver.secret not in json.dumps(known), "and does not repeat it")
    page.run("document.getElementById('me-add-rule').click()")
    page.one("combobox", "Bridge").send_keys("Ballard")
    page.run("document.querySelector('.me-alerts [type=submit]').click()")
    trial.expect(page.wait("Ballard goes up and is down again: every day", 10), "the rule is listed: %r" % page.text(".me-alerts"))
    close_pages(page)
    allow(page, service)
    got = receiver.next(60)
    if not trial.expect(got is not None, "the push service got it: %s" % ask(service, token, "/alerts")["alerts"][:2]):
        return
    trial.expect(got["message"]["title"] == "Ballard Bridge is up", "decrypted by the receiver: %s" % got["message"])
    trial.expect(got["key"] == known["push_key"] and len(got["fields"]["Topic"]) == 32, "signed by the service: %s" % got["fields"])
    deliver(page, service, got["message"])
    later = receiver.next(120)
    trial.expect(later and later["message"]["title"] == "Ballard Bridge is down again", "later: %s" % later)
    tabs = page.order("Target.getTargets")["targetInfos"]
    open_pages = [one["url"] for one in tabs if one["type"] == "page" and service.address in one["url"]]
    trial.expect(not open_pages, "no page is open: %s" % open_pages)
    page.open("healthz")
    first = page.until(lambda: shown(page), 10) or []
    trial.expect([(one["title"], one["tag"], one["data"]) for one in first]
                 == [("Ballard Bridge is up", got["message"]["tag"], {"target": "?view=bridge&bridge=Ballard"})], "it is shown: %s" % first)
    trial.expect(first and "went up at 18:0" in first[0]["body"] and first[0]["requireInteraction"] is False, "with its text: %s" % first)
    close_pages(page)
    allow(page, service)
    deliver(page, service, later["message"] if later else got["message"])
    time.sleep(2)
    page.open("healthz")
    second = shown(page)
    trial.expect([one["title"] for one in second] == ["Ballard Bridge is down again"], "it replaces the one before: %s" % second)
    log = ask(service, token, "/alerts")["alerts"]
    trial.expect([(one["kind"], one["status"]) for one in log] == [("down", "delivered"), ("up", "delivered")], "the log: %s" % log)


def alerts_are_arranged(trial):
    """the page says what to do where notifications are forbidden; reminders, rules, pauses and a test by hand; the stream"""
    service, token = me.serve(trial)
    receiver = Receiver(trial)
    page = trial.browse(service.address, width=360, height=900)
    page.order("Page.addScriptToEvaluateOnNewDocument", source=SUBSCRIBE % json.dumps([receiver.endpoint, receiver.key, receiver.secret]))
    allow(page, service, "denied")
    page.open(VIEW)
    enter(page, token, is_kept=True)
    trial.expect(page.wait("You have forbidden notifications of this page", 20), "what to do: %r" % page.text(".me-alerts"))
    trial.expect(not page.all("button", "Switch on notifications") and page.run("return window.asked") == 0, "nothing is asked")
    allow(page, service)
    page.open(VIEW)
    page.one("button", "Switch on notifications", 20).click()
    trial.expect(page.wait("Your alerts come to this browser", 20), "allowed later: %r" % page.text(".me-alerts"))
    page.one("button", "Send a test").click()
    got = receiver.next(20)
    trial.expect(got and got["message"]["kind"] == "test", "the test goes out: %s" % got)
    page.run("for (const one of document.querySelectorAll('.me-alerts details')) one.open = true")
    trial.expect(page.wait("A test of Bridgecast's alerts", 10, ".me-alerts") and page.wait("delivered", 10, ".me-alerts"),
                 "the list has it without a reload: %r" % page.text(".me-alerts"))
    page.one("button", "For an hour").click()
    trial.expect(page.wait("No alerts until", 10) and ask(service, token, "/alerts")["paused_until"], "paused")
    trial.expect(page.until(lambda: page.focused() == ("button", "End the pause"), 5), "the focus is on its end: %s" % (page.focused(),))
    page.press("ENTER")
    trial.expect(page.wait("For an hour", 10) and not ask(service, token, "/alerts")["paused_until"], "the pause ends")
    page.one("button", "Add a reminder").click()
    page.one("combobox", "Favourite").send_keys("commute")
    page.run("""const field = document.getElementById("me-reminder-time"); field.value = "09:00";
        field.dispatchEvent(new Event("input", { bubbles: true })); document.getElementById("me-reminder-fri").click();""")
    page.until(lambda: page.run("return !document.querySelector('.me-reminders [type=submit]').disabled"), 5)
    page.run("document.querySelector('.me-reminders [type=submit]').click()")
    trial.expect(page.wait("commute: be there by 9:00 AM, Mon to Thu, 90% sure", 10, ".me-reminders"), page.text(".me-reminders"))
    kept = ask(service, token, "/reminders")["reminders"]
    trial.expect([(one["time"], one["days"], one["lead_s"]) for one in kept] == [("09:00", "mon+tue+wed+thu", 300)], "kept: %s" % kept)
    page.one("button", "Switch off : commute").click()
    trial.expect(page.until(lambda: not ask(service, token, "/reminders")["reminders"][0]["on"], 10), "switched off")
    page.one("button", "Remove : commute").click()
    trial.expect(page.wait("The reminder for commute is removed", 10) and not ask(service, token, "/reminders")["reminders"], "removed")
    page.one("button", "Undo").click()
    trial.expect(page.until(lambda: ask(service, token, "/reminders")["reminders"], 10), "put back")
    page.one("button", "Add a rule").click()
    page.run("document.querySelector('[name=me-rule-kind][value=reminders]').click()")
    page.run("document.querySelector('.me-alerts [type=submit]').click()")
    trial.expect(page.wait("Time to leave, for your reminders: every day", 10, ".me-alerts"), page.text(".me-alerts"))
    page.one("button", "Forget the token").click()
    trial.expect(page.wait("Your token", 10), "forgotten")
    known = page.until(lambda: not ask(service, token, "/alerts")["browsers"], 10)
    trial.expect(known and page.run("return localStorage.getItem('bridgecast.alerts')") is None, "and this browser gets no more alerts")
    wrong = page.console()
    trial.expect(not wrong, "console: %s" % wrong[:3])


TRIALS = [a_push_arrives_with_the_page_closed, alerts_are_arranged]
