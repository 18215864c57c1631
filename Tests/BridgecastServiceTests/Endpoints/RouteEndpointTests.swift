// `/routes` and `/depart`, and their agreement with the commands `predict` and `depart`.
import BridgecastCLI
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing
@testable import BridgecastRouting
@testable import BridgecastService

@Suite struct RouteEndpointTests {
    private let path = "/api/v1/routes"
    private let ballard = "from=Ballard&to=Downtown"

    private func groups(_ answer: ServiceAnswer) throws -> [[String: Any]] {
        try #require(try answer.object()["groups"] as? [[String: Any]])
    }

    private func routes(_ answer: ServiceAnswer) throws -> [[String: Any]] {
        try #require(try groups(answer).first?["routes"] as? [[String: Any]])
    }

    @Test func routesAreRankedWithTheRaisedBridge() async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(path, ballard, from: state)
        let routes = try routes(answer)
        #expect(routes.compactMap { $0["rank"] as? Int } == Array(1...routes.count))
        let over = try #require(routes.first { $0["id"] as? String == "Ballard Bridge" })
        let crossing = try #require((over["crossings"] as? [[String: Any]])?.first)
        let chance = try #require(crossing["probability_stopped"] as? Double)
        let usual = try #require(crossing["climatology_probability_stopped"] as? Double)
        #expect(chance > 0.8 && usual < 0.2 && crossing["basis"] as? String == "live")
        let reasons = try #require(crossing["reasons"] as? [[String: Any]])
        #expect(reasons[0]["code"] as? String == "raised_for")
        #expect((reasons[0]["values"] as? [String: Any])?["bridge"] as? String == "Ballard")
        #expect(over["geometry"] is String && over["directions"] == nil)
        #expect(over["probability_on_time"] == nil && crossing["explanation"] == nil)
    }

    @Test(arguments: [
        ("from=15th+%26+Dravus&to=Downtown", "pass above each other"),
        ("from=Phinney&to=Downtown", "'Phinney' is taken as Phinney Ridge"),
        ("from=Ballard&to=2250+NW+Market+St", "no house numbers"),
    ])
    func `what is assumed about a place is in the notes`(_ example: (String, String)) async throws {
        let state = try await ServiceFixture.state()
        for path in [path, "/api/v1/depart"] {
            let answer = try await ServiceFixture.answer(path, example.0, from: state)
            let source = try #require(try answer.object()["route_source"] as? [String: Any])
            let notes = try #require(source["notes"] as? [String])
            #expect(notes.count == 1 && notes[0].contains(example.1), "\(notes)")
        }
    }

    @Test func `a place that may be several lists them`() async throws {
        let state = try await ServiceFixture.state()
        let several = try await problem {
            try await ServiceFixture.answer(path, "from=Link&to=Downtown", from: state)
        }
        #expect(several?.status == .badRequest && several?.parameter == "from")
        let stations = try #require(several?.near)
        #expect(stations.count == 6 && stations.allSatisfy { $0.hasSuffix("Station") })
        let earth = try await problem {
            try await ServiceFixture.answer(path, "from=91,0&to=Downtown", from: state)
        }
        #expect(earth?.status == .badRequest && earth?.detail.contains("latitude 91") == true)
    }

    @Test func `a deadline may be typed as a clock time`() async throws {
        let state = try await ServiceFixture.state()
        for text in ["18:40", "6:40+pm", "today+18:40"] {
            let answer = try await ServiceFixture.answer(
                "/api/v1/depart", ballard + "&arrive_by=\(text)", from: state)
            #expect(try answer.object()["arrive_by"] as? String == "2026-02-20T18:40:00-08:00")
        }
    }

    @Test func twentyQuantilesAreTheDistributionOfTheTravelTime() async throws {
        let state = try await ServiceFixture.state()
        for route in try routes(try await ServiceFixture.answer(path, ballard, from: state)) {
            let quantiles = try #require(route["travel_quantiles_s"] as? [Double])
            let travel = try #require(route["travel_s"] as? [String: Double])
            #expect(quantiles.count == 20 && quantiles == quantiles.sorted())
            let median = try #require(travel["p50"])
            let mean = try #require(travel["mean"])
            #expect(quantiles[9] <= median && median <= quantiles[10])
            #expect(abs(quantiles.reduce(0, +) / 20 - mean) < mean * 0.02)
        }
    }

    @Test func pairsOfRoutesAreCompared() async throws {
        let state = try await ServiceFixture.state()
        let group = try groups(try await ServiceFixture.answer(path, ballard, from: state))[0]
        let routes = try #require(group["routes"] as? [[String: Any]])
        let comparisons = try #require(group["comparisons"] as? [[String: Any]])
        #expect(comparisons.count == routes.count * (routes.count - 1) / 2)
        for comparison in comparisons {
            let faster = try #require(comparison["probability_faster"] as? Double)
            let tie = try #require(comparison["probability_tie"] as? Double)
            #expect(faster >= 0 && tie >= 0 && faster + tie <= 1.00001)
        }
    }

    @Test func aClockTimeToArriveByIsTheNextOne() async throws {
        let state = try await ServiceFixture.state()
        let late = try await ServiceFixture.answer(
            path, ballard + "&arrive_by=18:10", from: state)
        let easy = try await ServiceFixture.answer(
            path, ballard + "&arrive_by=20:00&weights=late=60,expected=1", from: state)
        let chances = [late, easy].compactMap { answer in
            try? routes(answer).compactMap { $0["probability_on_time"] as? Double }.max()
        }
        #expect(chances.count == 2 && chances[0] < 0.05 && chances[1] > 0.999)
        await #expect {
            _ = try await ServiceFixture.answer(path, ballard + "&arrive_by=17:00", from: state)
        } throws: { "\($0)".contains("write it with its date") }
    }

    @Test func moreThanAnHourAheadIsClimatologyWithAWarning() async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            path, ballard + "&depart=2026-02-20T19:30", from: state)
        let warnings = try #require(try answer.object()["warnings"] as? [String])
        #expect(warnings.contains { $0.contains("climatology") })
        let crossings = try routes(answer).flatMap { $0["crossings"] as? [[String: Any]] ?? [] }
        #expect(!crossings.isEmpty)
        #expect(crossings.allSatisfy { $0["basis"] as? String == "calendar" })
        #expect((try answer.object()["valid_at"] as? String)?.hasPrefix("2026-02-20T19:30") == true)
    }

    @Test func directionsExplanationsAndMapsAreOptional() async throws {
        let state = try await ServiceFixture.state()
        let full = try routes(
            try await ServiceFixture.answer(
                path, ballard + "&directions=true&explain=true", from: state))
        #expect(full.allSatisfy { ($0["directions"] as? [[String: Any]])?.count ?? 0 > 2 })
        let crossings = full.flatMap { $0["crossings"] as? [[String: Any]] ?? [] }
        #expect(crossings.allSatisfy { $0["explanation"] is [String: Any] })
        let map = try await ServiceFixture.answer(
            path, ballard, accept: "application/geo+json", from: state)
        #expect(map.mediaType == .geoJSON)
        let features = try #require(try map.object()["features"] as? [[String: Any]])
        let line = try #require(features.first?["geometry"] as? [String: Any])
        let points = try #require(line["coordinates"] as? [[Double]])
        #expect(features.count == full.count && points.count > 10)
        #expect(points.allSatisfy { (-123...(-122)).contains($0[0]) && (47...48).contains($0[1]) })
    }

    @Test func invalidParametersAreNamed() async throws {
        let state = try await ServiceFixture.state()
        for (query, status, parameter) in [
            ("from=Balard&to=Downtown", 404, "from"), ("from=Ballard&to=Xyzzy", 404, "to"),
            ("from=Ballard", 400, "to"), ("from=Ballard&to=Ballard", 400, "to"),
            ("from=47.6,-122.3&to=10,10", 404, "to"),
            ("from=-122.37,47.66&to=Downtown", 400, "from"),
            (ballard + "&depart=2026-02-20T18:01", 400, "depart"),
            (ballard + "&depart=2027-12-01T08:00", 400, "depart"),
            (ballard + "&depart=yesterday", 400, "depart"),
            (ballard + "&arrive_by=2026-02-20T17:00", 400, "arrive_by"),
            (ballard + "&arrive_by=soon", 400, "arrive_by"),
            (ballard + "&weights=speed=1", 400, "weights"),
            (ballard + "&weights=late=1", 400, "weights"),
            (ballard + "&explain=maybe", 400, "explain"),
            (ballard + "&mode=boat", 400, "mode"),
        ] {
            let found = try await problem {
                try await ServiceFixture.answer(path, query, from: state)
            }
            #expect(found?.status.code == status && found?.parameter == parameter, "\(query)")
            #expect(found?.recovery.isEmpty == false)
        }
        let unknown = try await problem {
            try await ServiceFixture.answer(path, "from=Balard&to=Downtown", from: state)
        }
        #expect(unknown?.near.contains("Ballard") == true)
    }

    @Test func departRecommendsADeparture() async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            "/api/v1/depart", ballard + "&arrive_by=19:00&confidence=0.8", from: state)
        let document = try answer.object()
        let latest = try #require(document["latest"] as? [[String: Any]])
        #expect(!latest.isEmpty)
        #expect(latest.allSatisfy { $0["probability_on_time"] as? Double ?? 0 >= 0.8 })
        let points = try #require(document["points"] as? [[String: Any]])
        #expect(points.count == 12 && document["confidence"] as? Double == 0.8)
        for (query, parameter) in [
            ("&arrive_by=18:05", "arrive_by"), ("&confidence=1", "confidence"),
            ("&confidence=2", "confidence"), ("&depart=2026-02-20T10:00", "depart"),
            ("&arrive_by=2027-12-01T08:00", "arrive_by"),
            ("&depart=2027-12-01T07:00&arrive_by=2027-12-01T08:00", "depart"),
        ] {
            let found = try await problem {
                try await ServiceFixture.answer("/api/v1/depart", ballard + query, from: state)
            }
            #expect(found?.status == .badRequest && found?.parameter == parameter, "\(query)")
        }
    }

    @Test func errorsOfTheEngineHaveTheirStatus() {
        let busy = Problem(RankingError.forecast(.overloaded(rowsInFlight: 9, limit: 9)))
        #expect(busy.status == .serviceUnavailable && busy.retryAfterSeconds == 1)
        let noWay = Problem(.trip(.noWay(from: "a", to: "b", mode: .bike)))
        #expect(noWay.status == .notFound && noWay.near == ["car", "bike", "walk"])
        #expect(Problem(.curveTooLarge(scores: 9, limit: 1)).status == .unprocessableContent)
    }
}

@Suite struct CommandAgreementTests {
    /// What a command prints with `--format json`, run in this process with an empty home.
    private func command(_ arguments: [String]) async throws -> [String: Any] {
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        let printed = Mutex("")
        let console = Console(
            environment: ["HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path],
            output: { text in printed.withLock { $0 += text } }, errors: { _ in },
            become: { _, _, _ in })
        let code = await Console.$current.withValue(console) {
            await CommandLineProgram.run(
                BridgecastCommand.self, arguments + ["--format", "json"])
        }
        #expect(code == 0)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(printed.withLock(\.self).utf8))
                as? [String: Any])
    }

    /// A document without its time and its source.
    private func bare(_ document: [String: Any]) -> NSDictionary {
        let apart = ["generated_at", "sources", "warnings", "route_source"]
        return document.filter { !apart.contains($0.key) } as NSDictionary
    }

    @Test func predictAgreesWithRoutes() async throws {
        let said = try await command([
            "predict", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02",
            "--arrive-by", "18:40", "--weights", "expected=1,late=20", "--explain",
        ])
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            "/api/v1/routes",
            "from=Ballard&to=Downtown&arrive_by=18:40&weights=expected%3D1,late%3D20"
                + "&explain=true&directions=true", from: state)
        #expect(bare(said) == bare(try answer.object()))
        #expect(said.keys.sorted() == (try answer.object()).keys.sorted())
    }

    /// An hour after it the service says what the commands say of that time: nothing later is known to it.
    @Test func predictOfAPastTimeAgreesWithRoutes() async throws {
        let state = try await ServiceFixture.state(at: Fixtures.timestamp("2026-02-20T19:02"))
        let said = try await command([
            "predict", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02",
        ])
        let answer = try await ServiceFixture.answer(
            "/api/v1/routes",
            "from=Ballard&to=Downtown&directions=true&issue_time=2026-02-20T18:02", from: state)
        #expect(bare(said) == bare(try answer.object()))
        let best = try await command([
            "depart", "--from", "Ballard", "--to", "Downtown", "--at", "2026-02-20T18:02",
        ])
        let departures = try await ServiceFixture.answer(
            "/api/v1/depart", "from=Ballard&to=Downtown&issue_time=2026-02-20T18:02", from: state)
        #expect(bare(best) == bare(try departures.object()))
    }

    /// Two groups, one of them by bike.
    private static let candidates = """
        {"routes": [
        {"id": "a", "name": "Ballard Bridge", "origin": "Ballard", "destination": "Downtown", "mode": "car",
         "steps": [{"minutes": 2}, {"bridge": "Ballard"}, {"minutes": 14, "spread": 2.2}]},
        {"id": "b", "name": "Leary Way", "origin": "Ballard", "destination": "Downtown", "mode": "car",
         "steps": [{"minutes": 7}, {"bridge": "Fremont"}, {"minutes": 12}]},
        {"id": "c", "name": "Aurora Bridge", "origin": "Ballard", "destination": "Downtown", "mode": "car",
         "steps": [{"minutes": 18.5}]},
        {"id": "d", "name": "Spokane St", "origin": "West Seattle", "destination": "SoDo", "mode": "bike",
         "steps": [{"minutes": 15}, {"bridge": "Lower Spokane St"}, {"minutes": 10}]}]}
        """

    @Test func predictOfAFileAgreesWithRank() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "candidates-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(Self.candidates.utf8).write(to: file)
        let said = try await command([
            "predict", "--routes", file.path, "--at", "2026-02-20T18:02",
        ])
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            "/api/v1/routes/rank", "detail=full", method: .post,
            body: Array(try Data(contentsOf: file)), from: state)
        #expect(bare(said) == bare(try answer.object()))
    }

    @Test func departOfTheCommandAgreesWithTheService() async throws {
        let said = try await command([
            "depart", "--from", "Fremont", "--to", "Capitol Hill", "--mode", "bike", "--at",
            "2026-02-20T18:02", "--arrive-by", "19:15", "--confidence", "0.8",
        ])
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            "/api/v1/depart",
            "from=Fremont&to=Capitol+Hill&mode=bike&arrive_by=19:15&confidence=0.8", from: state)
        #expect(bare(said) == bare(try answer.object()))
    }
}
