// Which ways through Seattle are ones that drivers and riders would take: tunnels, through streets, trails.
import BridgecastCore
@testable import BridgecastRoads
import BridgecastTestSupport
import Testing

@Suite struct SeattleDetourTests {
    private let seattle = Fixtures.seattle

    private func paths(
        _ from: String, _ to: String, _ hour: String, _ mode: Route.Mode = .car
    ) throws -> [Path] {
        RouteSearch(seattle, mode: mode).paths(
            from: try seattle.anchor(from, for: mode), to: try seattle.anchor(to, for: mode),
            leaving: Fixtures.moment("2026-02-24T\(hour)")
        ) { $0.minutes * 1.25 + 6 }
    }

    private func path(
        _ from: String, _ to: String, _ hour: String, over crossing: String
    ) throws -> Path {
        try #require(
            try paths(from, to, hour).first { path in
                path.crossings.contains { seattle.crossings[$0].name == crossing }
            }, "\(from) to \(to) over \(crossing)")
    }

    private func names(_ path: Path) -> [String] {
        path.pieces.map { seattle.map.names[Int(seattle.map.arcs[$0.arc].name)] }
    }

    // MARK: Leaving a motorway

    @Test(arguments: [
        ("West Seattle", "Ballard", "12:00", "Ballard Bridge"),
        ("West Seattle", "Ballard", "12:00", "Fremont Bridge"),
        ("Georgetown", "Ballard", "12:00", "Ballard Bridge"),
        ("Ballard", "West Seattle", "17:40", "Ballard Bridge"),
        ("Ballard", "West Seattle", "17:40", "Fremont Bridge"),
        ("Greenwood", "SoDo", "12:00", "Aurora Bridge"),
        ("Crown Hill", "Georgetown", "12:00", "Ballard Bridge"),
        ("Crown Hill", "Georgetown", "12:00", "Aurora Bridge"),
    ])
    func aTunnelIsPartOfItsRoad(_ trip: (String, String, String, String)) throws {
        let path = try path(trip.0, trip.1, trip.2, over: trip.3)
        let names = names(path)
        #expect(names.contains("SR 99 Tunnel") && names.contains("SR 99"))
        #expect(!path.rejoinsMotorway(on: seattle))
    }

    @Test func expressLanesArePartOfTheirFreeway() throws {
        let path = try path("South Park", "Northgate", "12:00", over: "I-5 express lanes")
        #expect(names(path).contains("I-5") && !path.rejoinsMotorway(on: seattle))
    }

    @Test func whoGetsOffAndOnAgainRejoins() throws {
        func way(_ from: String, _ to: String) throws -> Path {
            try #require(try paths(from, to, "12:00").first { names($0).contains("SR 520") })
        }
        // Down I-5, over to Montlake by SR 520, and back by both.
        let (there, back) = (try way("Northgate", "Montlake"), try way("Montlake", "Downtown"))
        #expect(!there.rejoinsMotorway(on: seattle) && !back.rejoinsMotorway(on: seattle))
        #expect(names(there).contains("I-5") && names(back).contains("I-5"))
        #expect(Path(pieces: there.pieces + back.pieces).rejoinsMotorway(on: seattle))
        // A road of another number is enough: without what lies beyond SR 520.
        let first = try #require(there.pieces.lastIndex { isOn("SR 520", $0) })
        let last = try #require(back.pieces.firstIndex { isOn("SR 520", $0) })
        let around = Path(pieces: Array(there.pieces[...first] + back.pieces[last...]))
        #expect(around.rejoinsMotorway(on: seattle))
    }

    private func isOn(_ road: String, _ piece: Path.Piece) -> Bool {
        seattle.map.names[Int(seattle.map.arcs[piece.arc].name)] == road
    }

    // MARK: Local streets

    /// Metres of local streets between the first arterial and the last.
    private func throughMetres(_ path: Path) -> Double {
        let isLocal = path.pieces.map { seattle.map.arcs[$0.arc].isLocal }
        guard let first = isLocal.firstIndex(of: false), let last = isLocal.lastIndex(of: false)
        else { return 0 }
        return (first...last).reduce(0) { $0 + (isLocal[$1] ? path.pieces[$1].metres : 0) }
    }

    @Test(arguments: [
        ("Ballard", "Downtown", "12:00", "Fremont Bridge"),
        ("Fremont", "Belltown", "12:00", "Fremont Bridge"),
        ("Greenwood", "SoDo", "17:40", "Aurora Bridge"),
        ("Ballard", "Downtown", "17:40", "Aurora Bridge"),
        ("Phinney Ridge", "Downtown", "12:00", "Ballard Bridge"),
        ("Wallingford", "Capitol Hill", "17:40", "University Bridge"),
        ("West Seattle", "15th Ave W & W Armour St", "12:00", "West Seattle Bridge"),
    ])
    func driversStayOnArterials(_ trip: (String, String, String, String)) throws {
        let path = try path(trip.0, trip.1, trip.2, over: trip.3)
        #expect(throughMetres(path) < 100, "\(names(path))")
    }

    @Test func minutesAreThoseOfTheRoadsAlone() throws {
        // Alki's streets are local at its end: entering them seems to take longer than it does.
        let path = try #require(try paths("Downtown", "Alki", "12:00").first)
        #expect(path.costMinutes > path.minutes + 0.1)
    }

    @Test func ridersTakeTheTrail() throws {
        let path = try #require(
            try paths("Fremont", "University District", "12:00", .bike).first)
        let metres = path.pieces.filter { isOn("Burke-Gilman Trail", $0) }
            .reduce(0) { $0 + $1.metres }
        #expect(metres > 1_000, "\(names(path))")
    }
}
