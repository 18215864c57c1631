"""Pictures of every state of the page at three widths, for people to look at; check.py writes them with --shots."""
import time

from trial import Trial

WIDTHS = {360: 740, 768: 1024, 1440: 900}


def write(folder, scratch):
    """Writes all pictures into a folder."""
    trial = Trial("pictures", scratch, None)
    try:
        service = trial.serve(replay="2026-02-20T18:01/2026-02-25T21:00", speed=60, admin=True)
        faults = trial.faults(service)
        steps = [
            ("now", ""),
            ("trip", "?view=trip&from=Ballard&to=Downtown"),
            ("trip-arrive", "?view=trip&from=Ballard&to=Downtown&arrive=2026-02-20T23:30"),
            ("trip-empty", "?view=trip"),
            ("trip-unknown", "?view=trip&from=Balard&to=Downtown"),
            ("bridge", "?view=bridge&bridge=3"),
            ("skill", "?view=skill"),
            ("replay", "?replay=2026-02-20T18:02"),
            ("replay-uncovered", "?replay=2025-07-04T18:02"),
        ]
        for width, height in WIDTHS.items():
            for dark in (False, True):
                page = trial.browse(faults.address, width=width, height=height, dark=dark)
                for name, address in steps:
                    page.open(address, until=["in 100", "Half the time", "No records"])
                    time.sleep(1.5)
                    page.shot(folder / ("%s-%d%s.png" % (name, width, "-dark" if dark else "")))
                page.driver.quit()
            page = trial.browse(faults.address, width=width, height=height)
            faults.mode = ("late", 4)
            page.open()
            time.sleep(1.5)
            page.shot(folder / ("loading-%d.png" % width))
            faults.mode = None
            page.wait("Replaying, as of", 30)
            faults.mode = ("status", 503, {})
            page.wait("503", 40)
            page.shot(folder / ("error-%d.png" % width))
            faults.mode = None
            page.wait("Replaying, as of", 60)
            trial.administer("feed/pause")
            page.wait("Last reading", 30)
            page.shot(folder / ("stale-%d.png" % width))
            page.wait("No live reading", 40)
            page.shot(folder / ("dead-%d.png" % width))
            trial.administer("feed/resume")
            page.wait("Replaying, as of", 60)
            page.network(offline=True)
            page.wait("You are offline", 40)
            page.shot(folder / ("offline-%d.png" % width))
            page.network(offline=False)
            page.shape(width, height, print_=True)
            page.open(until="in 100")
            time.sleep(1)
            page.shot(folder / ("print-%d.png" % width))
            page.driver.quit()
        page = trial.browse(service.address, script=False)
        page.open()
        page.shot(folder / "no-script-360.png")
    finally:
        trial.close()
