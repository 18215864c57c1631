"""The installed package: its answers are those of the program, its arrays are numpy's, and errors name their cause."""
import concurrent.futures
import datetime
import importlib.metadata
import json
import os
import pathlib
import subprocess
import zoneinfo

import numpy as np
import pytest

import bridgecast

SEATTLE = zoneinfo.ZoneInfo("America/Los_Angeles")
NOW = datetime.datetime(2026, 2, 20, 18, 2, tzinfo=SEATTLE)
MINUTES = np.arange(61)


@pytest.fixture(scope="module")
def model():
    with bridgecast.Model() as loaded:
        yield loaded


@pytest.fixture
def known(model):
    raised = bridgecast.Raised(since=NOW - datetime.timedelta(minutes=2))
    return model.situation(NOW, states={"Ballard": raised, "Fremont": bridgecast.LOWERED})


def arrivals():
    return NOW.timestamp() + 60.0 * MINUTES


def test_the_version_is_that_of_the_package():
    assert bridgecast.__version__ == importlib.metadata.version("bridgecast")


def test_a_raised_bridge_stops_for_now_and_less_later(known):
    delays = known.forecast("Ballard", arrivals())
    assert delays.probability_delayed.shape == (61,) and delays.probability_delayed.dtype == np.float64
    assert delays.probability_delayed[0] > 0.95 > 0.3 > delays.probability_delayed[-1]
    assert (delays.p50_s <= delays.p80_s).all() and (delays.p80_s <= delays.p95_s).all()
    assert ((delays.probability_delayed >= 0) & (delays.probability_delayed <= 1)).all()


def test_a_batch_has_the_numbers_of_single_calls(known):
    batch = known.forecast("Ballard", arrivals())
    single = [known.forecast("Ballard", one).expected_s for one in arrivals()]
    assert single[0].shape == () and (np.array(single) == batch.expected_s).all()


def test_bridges_arrivals_and_saturation_are_broadcast(known):
    names = np.array(list(bridgecast.BRIDGES))[:, None]
    delays = known.forecast(names, arrivals(), rho=np.array([0.5]))
    assert delays.expected_s.shape == (7, 61)
    row = list(bridgecast.BRIDGES).index("Fremont")
    assert (delays.expected_s[row] == known.forecast(3, arrivals(), rho=0.5).expected_s).all()
    assert known.forecast("Ballard", np.empty((0, 3))).p95_s.shape == (0, 3)


def test_times_are_numbers_datetimes_or_datetime64(known):
    later = NOW + datetime.timedelta(minutes=5)
    utc = np.datetime64(later.astimezone(datetime.timezone.utc).replace(tzinfo=None))
    answers = {float(known.forecast("Ballard", time).expected_s) for time in (later, later.timestamp(), utc)}
    assert len(answers) == 1
    with pytest.raises(TypeError, match="no time zone"):
        known.forecast("Ballard", datetime.datetime(2026, 2, 20, 18, 5))
    with pytest.raises(bridgecast.Refused, match="NaT"):
        known.forecast("Ballard", np.array(["NaT"], "datetime64[s]"))


def test_openings_count(model):
    opening = bridgecast.Opening("Montlake", NOW - datetime.timedelta(minutes=9), NOW - datetime.timedelta(minutes=3))
    before = model.situation(NOW, states={"Montlake": bridgecast.LOWERED}).forecast("Montlake", NOW)
    after = model.situation(NOW, states={"Montlake": bridgecast.LOWERED}, openings=[opening]).forecast("Montlake", NOW)
    assert before.expected_s != after.expected_s


@pytest.mark.skipif("BRIDGECAST" not in os.environ, reason="BRIDGECAST names no program to compare with")
def test_routes_are_those_of_the_program(model, tmp_path):
    run = subprocess.run(
        [os.environ["BRIDGECAST"], "predict", "--from", "Ballard", "--to", "Downtown", "--format", "json"],
        capture_output=True, text=True, check=True, env={**os.environ, "XDG_DATA_HOME": str(tmp_path)})
    answer = json.loads(run.stdout)
    # No store, and no records of today: no state is known.
    ours = model.situation(datetime.datetime.fromisoformat(answer["issue_time"])).routes("Ballard", "Downtown")
    theirs = answer["groups"][0]["routes"]
    assert [route.name for route in ours] == [route["name"] for route in theirs]
    for mine, other in zip(ours, theirs):
        assert mine.probability_stopped == pytest.approx(other["probability_stopped"], abs=1e-5)


def test_routes_have_their_crossings(known):
    routes = known.routes("Ballard", "Downtown", arrive_by=NOW + datetime.timedelta(minutes=25))
    assert [route.score for route in routes] == sorted(route.score for route in routes)
    crossed = [crossing for route in routes for crossing in route.crossings]
    assert {"Ballard"} <= {crossing.bridge for crossing in crossed} <= set(bridgecast.BRIDGES)
    assert all(0 <= route.probability_on_time <= 1 for route in routes)
    assert known.routes("47.6686,-122.3762", "Downtown", mode="bike")


@pytest.mark.parametrize("call, words", [
    (lambda known: known.forecast("Golden Gate", NOW), "Golden Gate"),
    (lambda known: known.forecast(5, NOW), "request 0"),
    (lambda known: known.forecast("Ballard", [NOW.timestamp(), 0.0]), "request 1"),
    (lambda known: known.forecast("Ballard", [np.nan]), "request 0"),
    (lambda known: known.forecast("Ballard", NOW, rho=1.0), "rho"),
    (lambda known: known.forecast("Ballard", NOW, rho=-0.5), "below 0"),
    (lambda known: known.routes("Balard", "Downtown"), "Ballard"),
    (lambda known: known.routes("Ballard", "Downtown", mode="boat"), "boat"),
])
def test_what_makes_no_sense_is_refused(known, call, words):
    with pytest.raises(bridgecast.Refused, match=words):
        call(known)


def test_files_are_refused_by_their_kind(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        bridgecast.Model("/nowhere/model.bcm")
    garbage = tmp_path / "garbage.bcm"
    garbage.write_bytes(os.urandom(4096))
    with pytest.raises(bridgecast.InvalidModel):
        bridgecast.Model(garbage)
    with pytest.raises((bridgecast.BridgecastError, FileNotFoundError)):
        bridgecast.Model(roads=tmp_path / "none.roads")


def test_a_closed_model_says_so():
    model = bridgecast.Model()
    model.close()
    model.close()
    with pytest.raises(bridgecast.BridgecastError, match="closed"):
        model.situation(NOW).forecast("Ballard", NOW)


def test_threads_get_their_own_answers(model):
    def ask(minutes):
        now = NOW + datetime.timedelta(minutes=minutes)
        situation = model.situation(now, states={"Ballard": bridgecast.Raised(since=now)})
        return situation.forecast("Ballard", now.timestamp() + 60.0 * MINUTES).expected_s

    alone = [ask(minutes) for minutes in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for minutes, answer in enumerate(pool.map(ask, list(range(8)) * 10)):
            assert (answer == alone[minutes % 8]).all()


def test_the_package_has_its_licences():
    folder = pathlib.Path(bridgecast.__file__).parent
    names = {one.name for one in (folder / "licences").iterdir()}
    assert {"bridgecast.txt", "swift-runtime.txt"} <= names and (folder / "models/roads/LICENSE.md").is_file()
