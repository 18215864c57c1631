// The nearest stations against a plain search, the shared location, and the problems of both.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastSupport
@testable import BridgecastTransit

@Suite("Nearest stations")
struct StationFinderTests {
    /// A feed of stops with these locations, all on one trip.
    private func feed(_ points: [(id: String, point: GeoPoint)]) throws -> TransitFeed {
        try MadeFeed.feed([
            MadeTrip(
                id: "t",
                stops: points.enumerated().map {
                    .init(id: $1.id, point: $1.point, arrival: $0, departure: $0)
                })
        ])
    }

    private func randomPoint(_ generator: inout SeededGenerator) -> GeoPoint {
        GeoPoint(
            latitude: .random(in: -90...90, using: &generator),
            longitude: .random(in: -180...180, using: &generator))
    }

    /// All stops by distance to a millimetre, then by identifier.
    private func plainSearch(
        _ feed: TransitFeed, near point: GeoPoint, limit: Int, within: Double
    ) -> [String] {
        (0..<feed.stops.count).map { feed[StopIndex($0)] }.compactMap { stop in
            stop.point.map { (id: stop.id, metres: $0.metres(to: point)) }
        }.filter { $0.metres <= within }
            .sorted {
                (($0.metres * 1000).rounded(), $0.id) < (($1.metres * 1000).rounded(), $1.id)
            }
            .prefix(limit).map(\.id)
    }

    @Test("Equals a plain search, anywhere on earth and for any limit", arguments: 1...4)
    func matchesPlainSearch(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let special = [(90.0, 0.0), (-90, 12), (0, 180), (0, -180), (10, 179.999), (10, -179.999)]
            .map { GeoPoint(latitude: $0, longitude: $1) }
        let points = special + (0..<1500).map { _ in randomPoint(&generator) }
        let feed = try feed(points.enumerated().map { ("s\($0)", $1) })
        let finder = StationFinder(feed)
        #expect(finder.count == feed.stops.count)
        for number in 0..<150 {
            let point = number < 30 ? points[number] : randomPoint(&generator)
            let limit = [1, 2, 7, 63, 64, 65, 2000].randomElement(using: &generator) ?? 1
            let within =
                [50_000.0, 500_000, 3e6, 2.1e7, .infinity].randomElement(using: &generator) ?? 1
            let found = finder.nearest(to: point, limit: limit, withinMetres: within)
            #expect(
                found.map { feed[$0.stop].id }
                    == plainSearch(feed, near: point, limit: limit, within: within))
        }
    }

    @Test("Equally near stops are ordered by identifier, not by row")
    func ties() throws {
        let west = GeoPoint(latitude: 0, longitude: -1)
        let east = GeoPoint(latitude: 0, longitude: 1)
        let stops = [("m", west), ("b", east), ("z", west), ("a", west), ("c", east)]
        for stops in [stops, stops.reversed()] {
            let feed = try feed(stops.map { (id: $0.0, point: $0.1) })
            let finder = StationFinder(feed)
            for limit in 1...6 {
                let found = finder.nearest(
                    to: GeoPoint(latitude: 0, longitude: 0), limit: limit, withinMetres: 1e6)
                #expect(
                    found.map { feed[$0.stop].id }
                        == Array(["a", "b", "c", "m", "z"].prefix(limit)))
            }
        }
    }

    @Test("Three thousand stops at one location are found in order")
    func oneLocation() throws {
        let point = GeoPoint(latitude: 47.6, longitude: -122.3)
        let feed = try feed((1000..<4000).shuffled().map { ("\($0)", point) })
        let found = StationFinder(feed).nearest(to: point, limit: 3)
        #expect(found.map { feed[$0.stop].id } == ["1000", "1001", "1002"])
        #expect(found.allSatisfy { $0.metres == 0 })
    }

    @Test("A platform is found as its station; a stop without a trip or location is not found")
    func stations() throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        let finder = StationFinder(feed)
        let found = finder.nearest(
            to: GeoPoint(latitude: 47.6681, longitude: -122.3761), limit: 10)
        #expect(found.map { feed[$0.stop].id } == [SmallTransit.station, SmallTransit.south])
        #expect(abs((found.first?.metres ?? 0) - 13.4) < 0.3)
    }

    @Test("A point off the earth, a limit of 0 and invalid distances find nothing")
    func nothing() throws {
        let point = GeoPoint(latitude: 47.6, longitude: -122.3)
        let finder = StationFinder(try feed([("a", point)]))
        for (latitude, longitude) in [(Double.nan, 0.0), (91, 0), (0, 181), (0, .infinity)] {
            #expect(
                finder.nearest(to: GeoPoint(latitude: latitude, longitude: longitude)).isEmpty)
        }
        #expect(finder.nearest(to: point, limit: 0).isEmpty)
        #expect(finder.nearest(to: point, withinMetres: -1).isEmpty)
        #expect(finder.nearest(to: point, withinMetres: .nan).isEmpty)
        #expect(finder.nearest(to: point, withinMetres: 0).count == 1)
        #expect(finder.nearest(to: GeoPoint(latitude: 49, longitude: -122.3)).isEmpty)
    }

    @Test(
        "Caltrain's nearest station to well-known locations",
        arguments: [
            (37.7786, -122.3893, "San Francisco"), (37.4275, -122.1697, "Palo Alto"),
            (37.3639, -121.9289, "Santa Clara"), (37.6213, -122.3790, "Millbrae"),
        ])
    func caltrain(_ latitude: Double, _ longitude: Double, _ name: String) throws {
        let feed = try TransitSamples.caltrain.get()
        let found = try #require(
            StationFinder(feed).nearest(to: GeoPoint(latitude: latitude, longitude: longitude))
                .first)
        #expect(feed[found.stop].name.contains(name))
        #expect(feed[found.stop].kind == .station)
    }
}

@Suite("The shared location")
struct CachedLocationTests {
    private let now = Timestamp(secondsSinceEpoch: 1_770_000_000)
    private let ballard = GeoPoint(latitude: 47.668, longitude: -122.376)

    @Test("A location is valid for half an hour, and up to a minute ahead of the clock")
    func validity() {
        let location = CachedLocation(point: ballard, foundAt: now)
        for seconds: Int64 in [-60, 0, 1799, 1800] {
            #expect(location.problem(at: now.adding(seconds: seconds)) == nil)
        }
        for seconds in [1801, -61] {
            #expect(
                location.problem(at: now.adding(seconds: Int64(seconds)))
                    == .cacheStale(ageSeconds: seconds))
        }
    }

    @Test("An app's location can be read by its widget")
    func coding() throws {
        let location = CachedLocation(point: ballard, foundAt: now, stationID: "N2")
        let read = try JSONDecoder().decode(
            CachedLocation.self, from: JSONEncoder().encode(location))
        #expect(read == location)
        #expect(read.problem(at: now.adding(seconds: 1801)) == .cacheStale(ageSeconds: 1801))
        #expect(read.problem(at: now.adding(seconds: 1800)) == nil)
    }

    @Test("Each problem has a code, a message and a recovery")
    func problems() {
        let problems: [(StationProblem, String, String)] = [
            (.noLocation, "noLocation", "your location is unknown"),
            (
                .cacheStale(ageSeconds: 2460), "cacheStale",
                "your location is 41 min old; you may have moved since"
            ),
            (
                .cacheStale(ageSeconds: -61), "cacheStale",
                "your location has a time in the future"
            ),
            (
                .noStation(withinMetres: 50_000), "noStation",
                "this timetable has no station within 50 km"
            ),
            (
                .noData(reason: "the timetable ended on 2018-03-09"), "noData",
                "no departures there: the timetable ended on 2018-03-09"
            ),
            (
                .apiError("503\u{1b}[2J"), "apiError",
                "the realtime feed is unavailable: \(printable("503\u{1b}[2J", maxLength: 200))"
            ),
        ]
        for (problem, code, message) in problems {
            #expect(problem.code == code)
            #expect(problem.description == message)
            #expect(!problem.recovery.isEmpty && !problem.description.contains("\u{1b}"))
        }
        #expect(Set(problems.map(\.0.recovery)).count == 5)
        for metres in [-Double.infinity, .infinity, .nan] {
            let problem = StationProblem.noStation(withinMetres: metres)
            #expect(problem.description.hasSuffix("within reach"))
        }
    }
}
