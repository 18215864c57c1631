"""Trials of the live line's picture under a hand: vehicles are painted, and they, stops and lines are chosen in it."""
import time

from figures import metrics
from line import DAY, LINE, STOP, look, picture

# What the vehicles' canvas has in colours: the names on it are ink, edges of paper are nearly grey.
COLOURED = """
const canvas = document.querySelectorAll(".line-frame canvas")[1];
const { width, height } = canvas;
const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
const isColoured = (x, y) => {
    const at = 4 * (y * width + x);
    const parts = [data[at], data[at + 1], data[at + 2]];
    return data[at + 3] > 200 && Math.max(...parts) - Math.min(...parts) > 90;
};
const found = [];
for (let y = 3; y < height - 3; y += 1) for (let x = 3; x < width - 3; x += 1) if (isColoured(x, y)) found.push([x, y]);
const inside = found.filter(([x, y]) => [-2, 0, 2].every((right) => [-2, 0, 2].every((down) => isColoured(x + right, y + down))));
return [found.length, inside[Math.floor(inside.length / 2)] ?? null];
"""
# Points of the picture where the pointer says that there is something, without those near a vehicle.
SENSITIVE = """
const frame = document.querySelector(".line-frame");
const box = frame.getBoundingClientRect();
const found = [];
for (let y = 4; y < box.height; y += 9) {
    for (let x = 4; x < box.width; x += 9) {
        frame.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, clientX: box.left + x, clientY: box.top + y }));
        if (frame.classList.contains("is-pointing")) found.push([x, y]);
    }
}
frame.dispatchEvent(new PointerEvent("pointerleave"));
return found;
"""
# Every vehicle is full, and comes to the visitor's stop in five minutes.
FULL = """
const ask = window.fetch.bind(window);
window.fetch = async (path, how) => {
    const answer = await ask(path, how);
    if (!String(path).includes("realtime?")) return answer;
    const document = await answer.json();
    const at = Date.parse(document.valid_at) / 1000 + 300;
    for (const vehicle of document.data.vehicles) {
        Object.assign(vehicle, { occupancy: "Very crowded", at_stop: { stop_id: "25243", arrival_at_epoch_s: at, confidence: "HIGH" } });
    }
    return new Response(JSON.stringify(document), { headers: answer.headers });
};
"""


def press_at(page, x, y, kind="click"):
    """A mouse at a point of the picture."""
    left, top = page.run("""const box = document.querySelector(".line-frame").getBoundingClientRect(); return [box.left, box.top]""")
    steps = {"click": ("mousePressed", "mouseReleased"), "point": ("mouseMoved",)}[kind]
    for step in steps:
        page.order("Input.dispatchMouseEvent", type=step, x=left + x, y=top + y, button="left" if kind == "click" else "none",
                   buttons=int(step == "mousePressed"), clickCount=1)


def vehicles_picture(page):
    """The layer of vehicles as it is painted."""
    return page.run("return document.querySelectorAll('.line-frame canvas')[1].toDataURL()")


def vehicles_are_painted(trial):
    """vehicles are in the picture, in colours, and move; without vehicles there are none"""
    service = trial.serve(DAY, speed=1)
    faults = trial.faults(service)
    faults.path = "/api/v1/realtime"
    page = trial.browse(faults.address, width=1440, height=900).open(STOP)
    trial.expect(page.wait("vehicle", 20, ".line-said"), "vehicles come")
    # A ring spreads from the visitor's stop for four seconds.
    time.sleep(5)
    count, _ = page.run(COLOURED)
    shown = int(page.text(".line-said").split()[0])
    trial.expect(count > 100 * shown, "%d vehicles have %d coloured pixels" % (shown, count))
    before = vehicles_picture(page)
    trial.expect(page.until(lambda: vehicles_picture(page) != before, 10), "they move")
    faults.mode = ("text", '{"valid_at": "2018-01-04T15:10:00-08:00", "data": {"vehicles": []}}')
    page.open(STOP)
    trial.expect(page.wait("No vehicles", 15, ".line-said"), "there are none")
    time.sleep(5)
    trial.expect(page.run(COLOURED)[0] == 0, "without vehicles none are painted: %s" % page.run(COLOURED))


def vehicles_are_chosen(trial):
    """a vehicle in the picture is named under a pointer, and a click has its card, with crowding and the time at one's stop"""
    service = trial.serve(DAY, speed=1)
    page = look(trial, service, width=1440, height=900, more=FULL)
    time.sleep(4)
    _, spot = page.run(COLOURED)
    before = vehicles_picture(page)
    press_at(page, *spot, kind="point")
    is_pointing = "return document.querySelector('.line-frame').classList.contains('is-pointing')"
    trial.expect(page.until(lambda: page.run(is_pointing), 3), "the pointer has another form")
    trial.expect(page.until(lambda: vehicles_picture(page) != before, 3), "and the vehicle its name")
    trial.expect(not page.text(".line-vehicle"), "pointing chooses nothing")
    press_at(page, *page.run(COLOURED)[1])
    trial.expect(page.wait("Very crowded", 5, ".line-vehicle"), "a click has its card: %r" % page.text(".line-vehicle"))
    card = page.text(".line-vehicle")
    trial.expect("At Montlake" in card, "with the visitor's stop: %r" % card)
    shown = page.text(".line-at .countdown")
    trial.expect(shown.startswith("4:") or shown.startswith("5:"), "counted down: %r" % shown)
    press_at(page, 3, 3)
    trial.expect(page.until(lambda: not page.text(".line-vehicle"), 3), "a click elsewhere closes it")


def stops_and_lines_are_chosen(trial):
    """a click on a stop makes it the visitor's; on one of two lines it is seen alone"""
    service = trial.serve(DAY, speed=1)
    page = look(trial, service, LINE, width=1440, height=900)
    spots = page.run(SENSITIVE)
    trial.expect(len(spots) > 10, "the pointer finds what there is: %d" % len(spots))
    for x, y in spots[::2]:
        press_at(page, x, y)
        if "stop=" in page.driver.current_url:
            break
    trial.expect(page.wait("Next at", 5, ".line-next"), "a stop is chosen: %s" % page.driver.current_url)
    page.open(LINE + "&lines=556")
    page.wait("vehicle", 20, ".line-said")
    time.sleep(1)
    chosen = "return document.querySelectorAll('.line-chips [aria-pressed=true]').length"
    for x, y in page.run(SENSITIVE)[::2]:
        press_at(page, x, y)
        if page.run(chosen):
            break
    trial.expect(page.run(chosen) == 1, "one line is seen alone")


def wheel_and_fingers_zoom(trial):
    """a wheel zooms a picture that was chosen and scrolls the page otherwise; two fingers zoom it"""
    service = trial.serve(DAY, speed=1)
    page = look(trial, service, LINE, width=360, height=740)
    x, y = page.run("""const box = document.querySelector(".line-frame").getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2]""")
    rest = picture(page)
    turn = lambda: page.order("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-240)
    turn()
    time.sleep(0.5)
    trial.expect(picture(page) == rest, "a wheel over it leaves it")
    page.run("document.querySelector('.line-frame').focus({ preventScroll: true })")
    turn()
    trial.expect(page.until(lambda: picture(page) != rest, 3), "one that is chosen comes nearer")
    page.press("ESCAPE")
    trial.expect(page.until(lambda: picture(page) == rest, 3), "Escape shows all of it")
    page.order("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    fingers = lambda apart: [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
    page.order("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(20))
    for apart in range(25, 90, 5):
        page.order("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers(apart))
    page.order("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    # Turned by the first finger it swings back.
    time.sleep(2)
    trial.expect(picture(page) != rest, "two fingers come nearer")
    trial.expect(page.run("return visualViewport.scale") == 1, "and the page stays as it is")


def line_left_open(trial):
    """a line that is left open costs little of a core, and in a hidden page next to nothing"""
    service = trial.serve(DAY, speed=1)
    page = look(trial, service, width=1440, height=900)
    time.sleep(5)
    open_share = share_of_a_core(page, 15)
    page.run("""Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))""")
    time.sleep(1)
    hidden_share = share_of_a_core(page, 15)
    trial.figure("a line left open: %.2f %% of a core, hidden %.2f %%" % (100 * open_share, 100 * hidden_share))
    trial.expect(open_share < 0.1, "it costs little: %.2f %%" % (100 * open_share))
    trial.expect(hidden_share < open_share and hidden_share < 0.02, "hidden it rests: %.2f %%" % (100 * hidden_share))


def share_of_a_core(page, seconds):
    """How much of a core the page's own thread takes for some seconds."""
    before = metrics(page)["TaskDuration"]
    time.sleep(seconds)
    return (metrics(page)["TaskDuration"] - before) / seconds


TRIALS = [vehicles_are_painted, vehicles_are_chosen, stops_and_lines_are_chosen, wheel_and_fingers_zoom]
MEASURING = [line_left_open]
