// `/routes` and `/depart`: what is said of ways, what is refused and how.
import BridgecastCore
import BridgecastEngine
import Foundation
import HTTPTypes
import Testing

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

    @Test func waysAreRankedWithTheBridgeThatIsUp() async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(path, ballard, from: state)
        let routes = try routes(answer)
        #expect(routes.compactMap { $0["rank"] as? Int } == Array(1...routes.count))
        let over = try #require(routes.first { $0["id"] as? String == "Ballard Bridge" })
        let crossing = try #require((over["crossings"] as? [[String: Any]])?.first)
        let chance = try #require(crossing["probability_stopped"] as? Double)
        let usual = try #require(crossing["usual_probability_stopped"] as? Double)
        #expect(chance > 0.8 && usual < 0.2 && crossing["basis"] as? String == "live")
        let reasons = try #require(crossing["reasons"] as? [[String: Any]])
        #expect(reasons[0]["code"] as? String == "raised_for")
        #expect((reasons[0]["values"] as? [String: Any])?["bridge"] as? String == "Ballard")
        #expect(over["geometry"] is String && over["directions"] == nil)
        #expect(over["probability_on_time"] == nil && crossing["explanation"] == nil)
    }

    @Test func twentyQuantilesAreTheDistributionOfTheTravelTime() async throws {
        let state = try await ServiceFixture.state()
        for route in try routes(try await ServiceFixture.answer(path, ballard, from: state)) {
            let quantiles = try #require(route["travel_quantiles_s"] as? [Double])
            let travel = try #require(route["travel_s"] as? [String: Double])
            #expect(quantiles.count == 20 && quantiles == quantiles.sorted())
            let (median, mean) = (try #require(travel["p50"]), try #require(travel["mean"]))
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
            path, ballard + "&arrive_by=17:00&weights=late=60,expected=1", from: state)
        let chances = [late, easy].compactMap { answer in
            try? routes(answer).compactMap { $0["probability_on_time"] as? Double }.max()
        }
        #expect(chances.count == 2 && chances[0] < 0.05 && chances[1] > 0.999)
    }

    @Test func moreThanAnHourAheadIsClimatologyAndSaysSo() async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            path, ballard + "&depart=2026-02-20T19:30", from: state)
        let warnings = try #require(try answer.object()["warnings"] as? [String])
        #expect(warnings.contains { $0.contains("climatology") })
        let crossings = try routes(answer).flatMap { $0["crossings"] as? [[String: Any]] ?? [] }
        #expect(!crossings.isEmpty)
        #expect(crossings.allSatisfy { $0["basis"] as? String == "climatology" })
        #expect((try answer.object()["valid_at"] as? String)?.hasPrefix("2026-02-20T19:30") == true)
    }

    @Test func directionsExplanationsAndMapsAreForThoseWhoAsk() async throws {
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

    @Test func whatCannotBeAskedNamesTheParameter() async throws {
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

    @Test func departSaysWhenToLeave() async throws {
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

    @Test func refusalsOfTheEngineHaveTheirStatus() {
        let busy = Problem(RankingError.forecast(.overloaded(rowsInFlight: 9, limit: 9)))
        #expect(busy.status == .serviceUnavailable && busy.retryAfterSeconds == 1)
        let noWay = Problem(.trip(.noWay(from: "a", to: "b", mode: .bike)))
        #expect(noWay.status == .notFound && noWay.near == ["car", "bike", "walk"])
        #expect(Problem(.curveTooLarge(scores: 9, limit: 1)).status == .unprocessableContent)
    }
}
