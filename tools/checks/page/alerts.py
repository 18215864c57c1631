"""Trials of a person's alerts: rules and reminders by hand, and pushes that arrive while no page is open."""
import json, pathlib, queue, subprocess, sys, threading, time

import me
from me import VIEW, ask, enter
from push_service import PushService

# A browser's keys and its push service, by Python's cryptography and none of our code.
RECEIVER = pathlib.Path(__file__).resolve().parents[3] / "Tests/BridgecastAlertsTests/Receivers/push_service.py"

# Ballard Bridge goes up at 18:00.
BEFORE_SIX = "2026-02-20T17:50/2026-02-20T21:00"

COUNT = """
    window.asked = 0;
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => { window.asked += 1; return ask(); };
"""

# Chromium's own subscription, but for the host of its endpoint.
ENDPOINT = COUNT + """
    const { get } = Object.getOwnPropertyDescriptor(PushSubscription.prototype, "endpoint");
    const toJSON = PushSubscription.prototype.toJSON;
    const local = (endpoint) => endpoint.replace(/^https:..[^/]+/, "%s");
    Object.defineProperty(PushSubscription.prototype, "endpoint", { get() { return local(get.call(this)); } });
    PushSubscription.prototype.toJSON = function () { return { ...toJSON.call(this), endpoint: this.endpoint }; };
"""

# A subscription whose messages the receiver can decrypt, kept over pages.
SUBSCRIBE = COUNT + """
    const [endpoint, p256dh, auth] = %s;
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


NOTHING = {"title": "", "body": "", "tag": "", "data": None, "requireInteraction": None}


def arrival(trial, page, push, seconds):
    """Closes all pages, waits for the next message, and opens one again: what was sent, and what is shown."""
    close_pages(page)
    page.order("ServiceWorker.enable")
    page.order("ServiceWorker.stopAllWorkers")
    fields = push.next(seconds)
    # After some seconds a browser takes a notification back that is not pressed.
    time.sleep(2)
    tabs = [one["url"] for one in page.order("Target.getTargets")["targetInfos"] if one["type"] == "page"]
    trial.expect(fields and tabs == ["about:blank"], "a message came, and no page is open: %s, %s" % (fields, tabs))
    page.open("healthz")
    return fields or {"Authorization": "", "Topic": ""}, next(iter(reversed(shown(page))), NOTHING)


def a_push_arrives_with_the_page_closed(trial):
    """after a press, alerts go encrypted to Chromium's push service, here one on this machine, and show while no page is open"""
    service, token = me.serve(trial, replay=BEFORE_SIX, speed=10)
    ask(service, token, "/reminders", b"favourite=commute&by=18:35&days=daily")
    ask(service, token, "/alerts/rules", b"reminders=true")
    push = PushService(trial.folder)
    trial.open.append(push.close)
    page = trial.browse(service.address, width=800, height=900, notifications=True, flags=push.flags)
    page.order("Page.addScriptToEvaluateOnNewDocument", source=ENDPOINT % push.address)
    page.open(VIEW)
    page.until(lambda: page.run("return navigator.serviceWorker.controller !== null"), 20)
    enter(page, token, is_kept=True)
    button = page.one("button", "Switch on notifications", 20)
    trial.expect(page.run("return window.asked") == 0, "nothing is asked before the press")
    button.click()
    trial.expect(page.wait("Your alerts come to this browser", 20), "switched on: %r" % page.text(".me-alerts"))
    trial.expect(page.run("return window.asked") == 1, "asked once")
    known = ask(service, token, "/alerts")
    trial.expect([one["host"] for one in known["browsers"]] == ["127.0.0.1"], "the service has it: %s" % known["browsers"])
    trial.expect("/fcm/send/" not in json.dumps(known), "and does not repeat the endpoint")
    page.run("document.getElementById('me-add-rule').click()")
    page.one("combobox", "Bridge").send_keys("Ballard")
    page.run("document.querySelector('.me-alerts [type=submit]').click()")
    trial.expect(page.wait("Ballard goes up and is down again: every day", 10), "the rule is listed: %r" % page.text(".me-alerts"))
    fields, up = arrival(trial, page, push, 150)
    trial.expect(known["push_key"] in fields["Authorization"] and len(fields["Topic"]) == 32, "signed by the service: %s" % fields)
    trial.expect((up["title"], up["data"]) == ("Ballard Bridge is up", {"target": "?view=bridge&bridge=Ballard"}), "it is shown: %s" % up)
    trial.expect("went up at 18:0" in up["body"] and not up["requireInteraction"], "with its text: %s" % up)
    _, down = arrival(trial, page, push, 90)
    trial.expect((down["title"], down["tag"]) == ("Ballard Bridge is down again", up["tag"]), "it replaces the one before: %s" % down)
    _, leave = arrival(trial, page, push, 90)
    trial.expect("be there by 18:35" in leave["body"] and leave["data"] == {"target": "?view=me"}, "the reminder, as forecast: %s" % leave)
    log = ask(service, token, "/alerts")["alerts"]
    trial.expect({(one["kind"], one["status"]) for one in log} == {(kind, "delivered") for kind in ("down", "leave", "up")}, "the log: %s" % log)


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
    trial.expect(got and got["message"]["kind"] == "test", "the test goes out, and can be decrypted: %s" % got)
    trial.expect(got and got["key"] == ask(service, token, "/alerts")["push_key"], "signed with the service's key")
    page.run("for (const one of document.querySelectorAll('.me-alerts details')) one.open = true")
    trial.expect(page.wait("A test of Bridgecast's alerts", 10, ".me-alerts") and page.wait("delivered", 10, ".me-alerts"),
                 "the list has it without a reload: %r" % page.text(".me-alerts"))
    page.one("button", "For an hour").click()
    trial.expect(page.wait("No alerts until", 10) and ask(service, token, "/alerts")["paused_until"], "paused")
    trial.expect(page.until(lambda: page.focused() == ("button", "End the pause"), 5), "the focus is on its end: %s" % (page.focused(),))
    page.press("ENTER")
    trial.expect(page.wait("For an hour", 10) and not ask(service, token, "/alerts")["paused_until"], "the pause ends")
    ask(service, token, "/settings", b"reminder_lead_s=720", method="PATCH")
    page.one("button", "Add a reminder").click()
    lead = "return document.getElementById('me-reminder-lead').value"
    trial.expect(page.until(lambda: page.run(lead) == "12", 10), "the form has the person's setting: %r" % page.run(lead))
    page.one("combobox", "Favourite").send_keys("commute")
    page.run("""const field = document.getElementById("me-reminder-time"); field.value = "09:00";
        field.dispatchEvent(new Event("input", { bubbles: true })); document.getElementById("me-reminder-fri").click();""")
    page.until(lambda: page.run("return !document.querySelector('.me-reminders [type=submit]').disabled"), 5)
    page.run("document.querySelector('.me-reminders [type=submit]').click()")
    trial.expect(page.wait("commute: be there by 9:00 AM, Mon to Thu, 90% sure", 10, ".me-reminders"), page.text(".me-reminders"))
    kept = ask(service, token, "/reminders")["reminders"]
    trial.expect([(one["time"], one["days"], one["lead_s"]) for one in kept] == [("09:00", "mon+tue+wed+thu", 720)], "kept: %s" % kept)
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
