// Where one was, for half an hour by an injected clock; and the five reasons for which there is no board.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit

@Suite("The last place")
struct LocationCacheTests {
    private let clock = HandClock(Timestamp(secondsSinceEpoch: 1_770_000_000))
    private let ballard = GeoPoint(latitude: 47.668, longitude: -122.376)

    @Test("A place is believed for half an hour, and no second longer")
    func halfAnHour() throws {
        let cache = LocationCache(clock: clock)
        #expect(throws: StationProblem.noLocation) { try cache.location() }
        cache.note(ballard)
        for seconds: Int64 in [0, 1799, 1] {
            clock.move(seconds: seconds)
            #expect(try cache.location().point == ballard)
        }
        clock.move(seconds: 1)
        #expect(throws: StationProblem.cacheStale(ageSeconds: 1801)) { try cache.location() }
        cache.note(ballard)
        #expect(try cache.location().point == ballard)
        cache.forget()
        #expect(throws: StationProblem.noLocation) { try cache.location() }
    }

    @Test("A place from a time still to come is not believed, but for a minute between clocks")
    func future() throws {
        let cache = LocationCache(clock: clock)
        cache.note(ballard)
        clock.move(seconds: -60)
        #expect(try cache.location().point == ballard)
        clock.move(seconds: -1)
        #expect(throws: StationProblem.cacheStale(ageSeconds: -61)) { try cache.location() }
    }

    @Test("What an app keeps, its widget reads")
    func shared() throws {
        let kept = LocationCache(clock: clock).note(ballard, stationID: "N2")
        let read = try JSONDecoder().decode(CachedLocation.self, from: JSONEncoder().encode(kept))
        clock.move(seconds: 1801)
        #expect(throws: StationProblem.cacheStale(ageSeconds: 1801)) {
            try LocationCache(clock: clock, last: read).location()
        }
        clock.move(seconds: -1)
        #expect(try LocationCache(clock: clock, last: read).location() == kept)
    }

    @Test("The station chosen at the place, else the nearest, else none")
    func station() throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        let (finder, cache) = (StationFinder(feed), LocationCache(clock: clock))
        cache.note(ballard)
        #expect(try feed[cache.station(in: feed, finder)].id == SmallTransit.station)
        cache.note(ballard, stationID: SmallTransit.south)
        #expect(try feed[cache.station(in: feed, finder)].id == SmallTransit.south)
        cache.note(ballard, stationID: "closed long ago")
        #expect(try feed[cache.station(in: feed, finder)].id == SmallTransit.station)
        cache.note(GeoPoint(latitude: 37, longitude: -122))
        #expect(throws: StationProblem.noStation(withinMetres: 50_000)) {
            try cache.station(in: feed, finder)
        }
    }

    @Test("Each problem has its name, says what is wrong and what to do")
    func words() {
        let problems: [(StationProblem, String, String)] = [
            (.noLocation, "noLocation", "where you are is not known"),
            (
                .cacheStale(ageSeconds: 2460), "cacheStale",
                "where you are was found 41 min ago; you may be somewhere else by now"
            ),
            (
                .noStation(withinMetres: 50_000), "noStation",
                "there is no station of this timetable within 50 km"
            ),
            (
                .noData(reason: "the timetable ended on 2018-03-09"), "noData",
                "nothing leaves there: the timetable ended on 2018-03-09"
            ),
            (
                .apiError("503\u{1b}[2J"), "apiError",
                "the realtime feed could not be had: \(printable("503\u{1b}[2J", most: 200))"
            ),
        ]
        for (problem, code, words) in problems {
            #expect(problem.code == code)
            #expect(problem.description == words)
            #expect(!problem.recovery.isEmpty && !problem.description.contains("\u{1b}"))
        }
        #expect(Set(problems.map(\.0.recovery)).count == 5)
        for metres in [-Double.infinity, .infinity, .nan] {
            let problem = StationProblem.noStation(withinMetres: metres)
            #expect(problem.description.hasSuffix("within reach"))
        }
    }
}
