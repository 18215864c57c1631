// Which of Seattle's ways are shown: those through the tunnel are, and those that nobody would take are not.
import Bridgecast
import BridgecastTestSupport
import Testing

@Suite struct ShownRoutesTests: HostSuite {
    private func shown(_ from: String, _ to: String, _ hour: String) async throws -> [String] {
        let moment = Fixtures.moment("2026-02-24T\(hour)")
        let trip = try Fixtures.seattle.trip(from: from, to: to)
        return try await inference.rank(
            trip, by: RoutePlanner(Fixtures.seattle), leaving: moment, in: .unknown(at: moment)
        ).map(\.route.id)
    }

    @Test(arguments: [
        ("West Seattle", "Ballard", "12:00", "West Seattle Bridge + Ballard Bridge"),
        ("Georgetown", "Ballard", "12:00", "Ballard Bridge"),
        ("Ballard", "West Seattle", "17:40", "Fremont Bridge + West Seattle Bridge"),
        ("Greenwood", "SoDo", "12:00", "Aurora Bridge"),
        ("Crown Hill", "Georgetown", "12:00", "Ballard Bridge"),
        ("Ballard", "Downtown", "12:00", "Fremont Bridge"),
        ("Fremont", "Belltown", "12:00", "Fremont Bridge"),
        ("Fremont", "Downtown", "08:50", "Fremont Bridge"),
    ])
    func goodWaysAreShown(_ trip: (String, String, String, String)) async throws {
        #expect(try await shown(trip.0, trip.1, trip.2).contains(trip.3))
    }

    @Test(arguments: [
        ("Laurelhurst", "Madison Park", "08:50", "I-5 express lanes"),
        ("Madison Valley", "University Village", "17:40", "I-5 express lanes"),
        ("Queen Anne", "University District", "08:50", "Montlake Bridge"),
        ("West Seattle", "Downtown", "12:00", "Lower Spokane St Bridge"),
    ])
    func waysFarBehindWhereTheyLeaveTheBestAreNot(
        _ trip: (String, String, String, String)
    ) async throws {
        let shown = try await shown(trip.0, trip.1, trip.2)
        #expect(!shown.isEmpty && !shown.contains(trip.3))
    }
}
