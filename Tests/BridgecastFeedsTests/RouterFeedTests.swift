// Route servers over real sockets: what they are asked, and what comes of each way of answering.
@testable import BridgecastRouting
import BridgecastCore
import BridgecastRoads
import BridgecastSupport
@testable import BridgecastData
@testable import BridgecastFeeds
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouterFeedTests {
    private func trip(_ from: String = "Ballard", _ to: String = "Downtown") throws -> RouterTrip {
        let roads = Fixtures.seattle
        return RouterTrip(
            from: try roads.end(from, for: .car), to: try roads.end(to, for: .car), mode: .car,
            on: roads,
            leaving: Fixtures.timestamp("2026-02-20T18:02"))
    }

    private func ask<Result>(
        _ kind: String, _ scenario: String,
        _ body: (RouterFeed, FeedClient, Router) async throws -> Result
    ) async throws -> Result {
        let server = try StandIn.shared.get()
        let router = try #require(Router("\(kind)=\(server.address)/\(scenario)"))
        let client = FeedClient(clock: jumpingClock, log: quietLog)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(RouterFeed(router, client: client), client, router))
        } catch {
            result = .failure(error)
        }
        client.close()
        return try result.get()
    }

    private func names(_ routes: [Route]) -> Set<String> {
        Set(routes.flatMap { $0.name.split(separator: ", ").dropFirst() }.map(String.init))
    }

    @Test(arguments: ["osrm", "valhalla"])
    func everyBridgeThatCompetesIsAmongTheRoutes(_ kind: String) async throws {
        let trip = try trip()
        let found = try await ask(kind, "ok/\(kind)-every") { feed, _, _ in
            try await feed.routes(of: trip)
        }
        let wanted = Set(trip.ways.flatMap { $0 }.map(\.name))
        #expect(wanted.count >= 5 && names(found.routes) == wanted, "\(found)")
        // The direct way is over Aurora Bridge; it is not asked for again.
        #expect(found.requests == trip.ways.count && found.notes.isEmpty)
        #expect(Set(found.routes.map(\.id)).count == found.routes.count)
    }

    @Test(arguments: ["osrm", "valhalla"])
    func aReplyIsReadLikeAFile(_ kind: String) async throws {
        let trip = try trip("Downtown", "Capitol Hill")
        #expect(trip.ways.isEmpty)
        try await ask(kind, "ok/\(kind)-file") { feed, client, router in
            let found = try await feed.routes(of: trip)
            let request = FeedRequest(feed: "router", url: router.address(of: trip, by: []))
            let bytes = try await client.get(request, retrying: .once) { $0 ?? [] }.content
            let file = try CandidateFile.read(Data(bytes), mode: .car)
            #expect(found.routes.map(\.steps) == file.routes.map(\.steps))
            #expect(found.routes.map(\.name) == file.routes.map(\.name) && !found.routes.isEmpty)
        }
    }

    @Test(arguments: [
        ("noroute", "status_400", "NoRoute: Impossible route between points"),
        ("500", "status_500", "HTTP status 500"), ("html", "refused", "is not valid JSON"),
        ("wrongjson", "refused", "is not valid JSON"),
        ("huge", "too_large", "more than 4194304 bytes"),
        ("loop", "redirects", "redirects in a circle"), ("cut", "unreachable", "cannot be reached"),
        ("reset", "unreachable", "cannot be reached"),
    ]) func everyFaultHasItsNameAndItsAddress(_ example: (String, String, String)) async throws {
        let trip = try trip()
        try await ask("osrm", example.0 + "/faults?key=secret") { feed, _, _ in
            let error = await #expect(throws: FeedError.self) { try await feed.routes(of: trip) }
            let words = error?.description ?? ""
            #expect(error?.label == example.1 && words.contains(example.2), "\(words)")
            #expect(
                words.contains("/route/v1/driving/-122.376200,47.668600;")
                    && !words.contains("secret"))
        }
    }

    @Test func valhallasRefusalIsReportedWithItsNumber() async throws {
        let trip = try trip()
        let error = try await ask("valhalla", "noroute/x") { feed, _, _ in
            await #expect(throws: FeedError.self) { try await feed.routes(of: trip) }
        }
        #expect(error?.kind == .data)
        #expect(error?.description.contains("No path could be found for input (error 442)") == true)
    }

    @Test func aServerThatDawdlesIsGivenUpInTime() async throws {
        let trip = try trip()
        try await ask("osrm", "drip/slow") { feed, _, _ in
            var impatient = feed
            impatient.timeoutSeconds = 0.4
            let error = await #expect(throws: FeedError.self) {
                try await impatient.routes(of: trip)
            }
            #expect(error?.label == "timed_out")
        }
    }

    @Test func partialFailuresAreNotes() async throws {
        let trip = try trip()
        let some = try await ask("osrm", "fremont-fails/x") { feed, _, _ in
            try await feed.routes(of: trip)
        }
        #expect(names(some.routes).isSuperset(of: ["Aurora Bridge", "Ballard Bridge"]))
        #expect(some.notes.count == 1 && some.notes[0].contains("(by Fremont Bridge)"))
        let none = try await ask("osrm", "vias-fail/x") { feed, _, _ in
            try await feed.routes(of: trip)
        }
        #expect(names(none.routes) == ["Aurora Bridge", "Fremont Bridge"])
        #expect(none.notes[0].hasPrefix("\(none.requests - 1) of \(none.requests) requests"))
    }

    @Test(arguments: ["detour", "back-and-forth"])
    func nonsenseOverADeckIsLeftOut(_ fault: String) async throws {
        let trip = try trip()
        let found = try await ask("osrm", "\(fault)/x") { feed, _, _ in
            try await feed.routes(of: trip)
        }
        #expect(
            names(found.routes) == ["Aurora Bridge", "Fremont Bridge"],
            "\(found.routes.map(\.name))")
    }
}
