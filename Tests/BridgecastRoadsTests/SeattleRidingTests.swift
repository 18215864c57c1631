// Which ways riders take through Seattle: lanes, tracks and greenways before streets with cars.
import BridgecastCore
@testable import BridgecastRoads
import BridgecastTestSupport
import Testing

@Suite struct SeattleRidingTests {
    private let seattle = Fixtures.seattle

    private func way(_ from: String, _ to: String) throws -> Path {
        let paths = RouteSearch(seattle, mode: .bike).paths(
            from: try seattle.anchor(from, for: .bike), to: try seattle.anchor(to, for: .bike),
            leaving: Fixtures.moment("2026-02-24T12:00")
        ) { _ in nil }
        return try #require(paths.first, "\(from) to \(to)")
    }

    private func metres(_ path: Path, where isWanted: (RoadArc) -> Bool) -> Double {
        path.pieces.reduce(0) { $0 + (isWanted(seattle.map.arcs[$1.arc]) ? $1.metres : 0) }
    }

    private func isOn(_ road: String, _ arc: RoadArc) -> Bool {
        seattle.map.names[Int(arc.name)] == road
    }

    @Test(arguments: [
        ("Leschi", "Seward Park", "Lake Washington Blvd S", 2_500.0),
        ("Fremont", "Dexter Ave N & Thomas St", "Dexter Ave N", 1_000),
        ("Columbia City", "Downtown", "Martin Luther King Jr Way S", 1_000),
        ("Georgetown", "SoDo", "6th Ave S", 1_500),
        ("West Seattle", "Downtown", "SW Avalon Way", 500),
    ])
    func ridersTakeStreetsWithRoomForThem(_ trip: (String, String, String, Double)) throws {
        let path = try way(trip.0, trip.1)
        #expect(metres(path) { isOn(trip.2, $0) } > trip.3)
    }

    /// Both one-way streets for cars, with tracks for bikes that lead both ways.
    @Test(arguments: ["2nd Ave", "4th Ave"])
    func theTracksDowntownLeadAgainstTheCars(_ street: String) {
        let against = seattle.map.arcs.filter {
            isOn(street, $0) && $0.bikeDeciseconds > 0 && $0.carDeciseconds == 0
                && $0.bikeRoom == .track
        }
        #expect(against.reduce(0) { $0 + $1.metres } > 1_900)
    }

    @Test func ridersKeepOffBusyArterials() throws {
        let trips = [
            ("Ballard", "Downtown"), ("Greenwood", "Fremont"), ("Rainier Beach", "Capitol Hill"),
            ("Columbia City", "Downtown"), ("University of Washington", "Downtown"),
        ]
        for (from, to) in trips {
            let path = try way(from, to)
            let busy = metres(path) {
                $0.roadClass == .primary && $0.bikeRoom != .track && $0.bikeRoom != .lane
            }
            #expect(busy < 0.13 * path.metres, "\(from) to \(to): \(busy) m")
        }
    }

    @Test func minutesAreThoseOfTheRoadsAlone() throws {
        let path = try way("Rainier Beach", "Capitol Hill")
        let free = path.pieces.reduce(0) { sum, piece in
            let arc = seattle.map.arcs[piece.arc]
            return sum + Double(arc.bikeDeciseconds) / 600 * piece.metres
                / max(Double(arc.metres), 0.1)
        }
        #expect(abs(path.minutes - free) < 0.05)
        #expect(path.costMinutes > path.minutes * 1.05)
    }

    @Test func roomForBikesIsOnTheMap() {
        func kilometres(_ room: BikeRoom) -> Float {
            seattle.map.arcs.filter { $0.bikeRoom == room }.reduce(0) { $0 + $1.metres } / 1_000
        }
        // Both directions count.
        #expect(kilometres(.track) > 80 && kilometres(.track) < 160)
        #expect(kilometres(.lane) > 150 && kilometres(.lane) < 300)
        #expect(kilometres(.greenway) > 150 && kilometres(.greenway) < 400)
        #expect(kilometres(.sharrows) > 200 && kilometres(.sharrows) < 500)
    }
}
