"""The installed package: its answers are those of the program, its arrays are numpy's, and errors name their cause."""
import concurrent.futures
import datetime
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
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


# The program has no records of that year: it knows what the file says, and no more.
LONG_AGO = datetime.datetime(2004, 5, 7, 12, tzinfo=SEATTLE)


def before(minutes):
    return LONG_AGO - datetime.timedelta(minutes=minutes)


@pytest.fixture(scope="module")
def long_ago(model):
    return model.situation(
        LONG_AGO, states={"Ballard": bridgecast.Raised(since=before(2)), "Fremont": bridgecast.LOWERED},
        openings=[bridgecast.Opening("Fremont", before(42), before(38))])


@pytest.fixture
def program(tmp_path):
    """Runs the program in the same situation, and returns its answer."""
    live = tmp_path / "live.json"
    live.write_text(json.dumps({
        "asOf": LONG_AGO.isoformat(),
        "bridges": [{"bridge": "Ballard", "state": "raised", "since": before(2).isoformat()},
                    {"bridge": "Fremont", "state": "lowered"}],
        "openings": [{"bridge": "Fremont", "raised": before(42).isoformat(), "lowered": before(38).isoformat()}]}))

    def ask(*words):
        run = subprocess.run(
            [os.environ["BRIDGECAST"], *words, "--at", "2004-05-07T12:00", "--live", live, "--format", "json"],
            capture_output=True, text=True, check=False, env={**os.environ, "XDG_DATA_HOME": str(tmp_path)})
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)
    return ask


needs_program = pytest.mark.skipif("BRIDGECAST" not in os.environ, reason="BRIDGECAST names no program to compare with")


# The program rounds probabilities to five digits and seconds to one.
@needs_program
@pytest.mark.parametrize("bridge", bridgecast.BRIDGES)
def test_delays_are_those_of_the_program(long_ago, program, bridge):
    theirs = program("bridge", bridge, "--hours", "1")
    assert theirs["bridge_id"] == bridgecast.BRIDGES[bridge] and len(theirs["outlook"]) == 13
    ours = long_ago.forecast(bridge, [LONG_AGO.timestamp() + one["lead_time_s"] for one in theirs["outlook"]])
    chances = [one["probability_stopped"] for one in theirs["outlook"]]
    assert ours.probability_delayed == pytest.approx(chances, rel=0, abs=6e-6)
    assert ours.expected_s == pytest.approx([one["expected_delay_s"] for one in theirs["outlook"]], rel=0, abs=0.051)


@needs_program
def test_routes_are_those_of_the_program(long_ago, program):
    theirs = program("predict", "--from", "Ballard", "--to", "Downtown")["groups"][0]["routes"]
    ours = long_ago.routes("Ballard", "Downtown")
    assert [route.name for route in ours] == [route["name"] for route in theirs] and len(ours) >= 3
    for mine, other in zip(ours, theirs):
        assert mine.probability_stopped == pytest.approx(other["probability_stopped"], rel=0, abs=6e-6)
        assert mine.expected_delay_s == pytest.approx(other["expected_delay_s"], rel=0, abs=0.051)
        assert [one.bridge for one in mine.crossings] == [one["bridge"] for one in other["crossings"]]


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
    (lambda known: known.forecast("Ballard", NOW, rho=np.nan), "rho"),
    (lambda known: known.forecast(2**32 + 2, NOW), "4294967298"),
    (lambda known: known.forecast(np.array([2, 2**40 + 2]), NOW), "there is no bridge"),
    (lambda known: known.routes("Balard", "Downtown"), "Ballard"),
    (lambda known: known.routes("Ballard\0", "Downtown"), "zero character"),
    (lambda known: known.routes("Ballard", "Downtown", mode="boat"), "boat"),
    (lambda known: known.routes("Ballard", "Downtown", arrive_by=0), "1970"),
    (lambda known: known.routes("Ballard", "Downtown", departure=NOW - datetime.timedelta(minutes=1)), "before"),
    (lambda known: known.model.situation(-1), "time"),
    (lambda known: known.model.situation(NOW, states={"Golden Gate": bridgecast.LOWERED}), "Golden Gate"),
    (lambda known: known.model.situation(NOW, states={2: bridgecast.Raised(NOW + datetime.timedelta(hours=1))}), "since"),
    (lambda known: known.model.situation(NOW, openings=[bridgecast.Opening(2, NOW, NOW)]), "begin before it ends"),
])
def test_what_makes_no_sense_is_refused(known, call, words):
    with pytest.raises(bridgecast.Refused, match=words):
        call(known)


@pytest.mark.parametrize("call", [
    lambda known: known.forecast(2.0, NOW),
    lambda known: known.forecast(True, NOW),
    lambda known: known.forecast(np.array([2.7], object), NOW),
    lambda known: known.forecast(None, NOW),
    lambda known: known.forecast("Ballard", "now"),
    lambda known: known.forecast("Ballard", 1j),
    lambda known: known.forecast("Ballard", [None]),
    lambda known: known.forecast("Ballard", datetime.timedelta(minutes=3)),
    lambda known: known.forecast("Ballard", NOW, rho="0.5"),
    lambda known: known.routes(None, "Downtown"),
    lambda known: known.model.situation([1.0, 2.0]),
    lambda known: known.model.situation(NOW, states={"Ballard": "raised"}),
    lambda known: known.model.situation(NOW, openings=[("Ballard", 1, 2)]),
    lambda known: bridgecast.Model(3),
])
def test_values_of_other_types_are_refused(known, call):
    before = known.forecast("Ballard", arrivals()).expected_s
    with pytest.raises(TypeError):
        call(known)
    assert (known.forecast("Ballard", arrivals()).expected_s == before).all()


def test_shapes_that_do_not_fit_are_refused(known):
    with pytest.raises(ValueError, match="broadcast"):
        known.forecast(["Ballard", "Fremont"], NOW.timestamp() + np.arange(3))


def test_arrays_may_be_strided_and_of_any_number_type(known):
    table = np.repeat(arrivals()[:, None], 4, axis=1)
    expected = known.forecast("Ballard", arrivals()).expected_s
    assert (known.forecast("Ballard", table.T[::-1, ::2]).expected_s == expected[::2]).all()
    assert (known.forecast("Ballard", arrivals().astype(np.int64)).expected_s == expected).all()
    assert (known.forecast(np.full(61, 2, np.uint8), np.asfortranarray(table).T).expected_s == expected).all()


def test_a_refused_situation_changes_no_other(model, known):
    before = known.forecast("Ballard", arrivals()).expected_s
    with pytest.raises(bridgecast.Refused):
        model.situation(NOW, states={"Ballard": bridgecast.LOWERED, "Nowhere": bridgecast.LOWERED})
    assert (known.forecast("Ballard", arrivals()).expected_s == before).all()
    with pytest.raises(TypeError):
        known.states["Ballard"] = bridgecast.LOWERED


def test_garbage_is_answered_or_refused(known):
    random = np.random.default_rng(7)
    odd = np.array([np.nan, np.inf, -np.inf, -1, 0, 1e300, 4102444800, NOW.timestamp() - 1])
    answered = 0
    for _ in range(500):
        times = NOW.timestamp() + random.integers(0, 90000, random.integers(0, 9)).astype(float)
        bridges = random.choice(list(bridgecast.BRIDGES.values()), times.shape)
        if times.size and random.random() < 0.5:
            times[random.integers(times.size)] = random.choice(odd)
        if times.size and random.random() < 0.2:
            bridges[random.integers(times.size)] = random.integers(-2**31, 2**31)
        try:
            delays = known.forecast(bridges, times, rho=random.random(times.shape) if random.random() < 0.5 else None)
        except bridgecast.Refused:
            continue
        answered += 1
        assert delays.expected_s.shape == times.shape and np.isfinite(delays.p95_s).all()
    assert 100 < answered < 450


def test_a_package_without_its_model_says_so(tmp_path):
    folder = tmp_path / "bridgecast"
    shutil.copytree(pathlib.Path(bridgecast.__file__).parent, folder, ignore=shutil.ignore_patterns("*.bcm", "*.roads"))
    run = subprocess.run([sys.executable, "-c", "import bridgecast; bridgecast.Model()"], cwd=tmp_path, text=True,
                         capture_output=True, check=False, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert run.returncode == 1
    assert "FileNotFoundError" in run.stderr and f"{folder}/models/bridgecast.int8.bcm" in run.stderr, run.stderr


def test_loading_changes_nothing_else():
    """No threads of a BLAS, no variable, no symbols that another library could take."""
    program = """if True:
        import os, ctypes
        before = dict(os.environ)
        import bridgecast
        threads = len(os.listdir('/proc/self/task'))
        bridgecast.Model().situation(1771639320.0).forecast('Ballard', 1771639380.0)
        assert dict(os.environ) == before
        library = ctypes.CDLL(os.path.dirname(bridgecast.__file__) + '/lib/libbridgecast.so')
        assert hasattr(library, 'bridgecast_open')
        for name in 'cblas_sgemm', 'nettle_sha256_init', 'inflate', 'swift_retain':
            assert not hasattr(library, name), name
        print(threads)"""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    numpy = subprocess.run([sys.executable, "-c", "import numpy, os; print(len(os.listdir('/proc/self/task')))"],
                           capture_output=True, text=True, check=True, env=environment)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)
    assert run.returncode == 0, run.stderr
    assert run.stdout == numpy.stdout


def test_files_are_refused_by_their_kind(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        bridgecast.Model("/nowhere/model.bcm")
    garbage = tmp_path / "garbage.bcm"
    garbage.write_bytes(os.urandom(4096))
    with pytest.raises(bridgecast.InvalidModel):
        bridgecast.Model(garbage)
    with pytest.raises(FileNotFoundError, match="none.roads"):
        bridgecast.Model(roads=tmp_path / "none.roads")
    with pytest.raises(bridgecast.InvalidModel):
        bridgecast.Model(roads=garbage)


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
    assert names == {"README.md", "bridgecast.txt", "libopenblas-dev.txt", "nettle-dev.txt", "swift-runtime.txt",
                     "zlib1g-dev.txt"}
    assert (folder / "models/roads/LICENSE.md").is_file()
