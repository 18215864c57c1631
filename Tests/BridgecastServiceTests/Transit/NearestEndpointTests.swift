// The nearest station over HTTP, and the words for what is wrong, by the names that apps have for them.
import BridgecastTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

private let path = "/api/v1/stops/nearest"

@Suite struct NearestEndpointTests {
    @Test func theNearestStationHasItsBoardAndSaysNothingOfWhereOneIs() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let response = try await client.execute(
                uri: path + "?lat=47.667123&lon=-122.3765&stations=2&arrivals=true", method: .get)
            let nearest = try JSONValue.read(response.body.readableBytesView)
            #expect(nearest.at("data.stops.0.id")?.text == SmallTransit.station)
            #expect(nearest.at("data.stops.1.id")?.text == SmallTransit.south)
            let metres = try #require(nearest.at("data.stops.0.distance_m")?.number)
            #expect(abs(metres - 100) < 5)
            #expect(nearest.at("data.board.departures.0.trip_id")?.text != nil)
            #expect(!String(buffer: response.body).contains("667123"))
        }
    }

    @Test(arguments: [
        ("", 400, "noLocation"), ("?lat=47.6", 400, "noLocation"),
        ("?lat=91&lon=0", 400, "bad_parameter"), ("?lat=nan&lon=0", 400, "bad_parameter"),
        ("?lat=47.65&lon=-122.376&located_at=2026-02-20T17:31:59", 400, "cacheStale"),
        ("?lat=47.65&lon=-122.376&located_at=2026-02-20T18:03:01", 400, "cacheStale"),
        ("?lat=37.4&lon=-122.1", 404, "noStation"),
        ("?lat=47.66&lon=-122.376&within_m=10", 404, "noStation"),
    ]) func whatIsWrongHasItsName(_ example: (String, Int, String)) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let problem = try ToldProblem(
                try await client.execute(uri: path + example.0, method: .get))
            #expect(problem.status == example.1 && problem.code == example.2, "\(problem)")
            #expect(!problem.recovery.isEmpty)
        }
    }

    @Test func aPlaceOfHalfAnHourAgoIsStillGood() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let response = try await client.execute(
                uri: path + "?lat=47.65&lon=-122.376&located_at=2026-02-20T17:32:00", method: .get)
            #expect(response.status == .ok)
        }
    }

    /// A path with a name of its own is no identifier, and another method is refused as such.
    @Test func namesOfTheirOwnAreNoIdentifiers() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let rank = try await client.execute(uri: "/api/v1/routes/rank", method: .get)
            #expect(rank.status == .methodNotAllowed && rank.headers[.allow] == "POST, OPTIONS")
            let board = try await client.execute(uri: "/api/v1/board/timeline", method: .post)
            #expect(board.status == .methodNotAllowed)
        }
    }
}
