import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

@Suite struct RankEndpointTests {
    private func rank(
        _ body: String, _ query: String = "", settings: ServiceSettings = ServiceSettings()
    ) async throws -> ServiceAnswer {
        let state = try await ServiceFixture.state(settings: settings)
        return try await ServiceFixture.answer(
            "/api/v1/routes/rank", query, method: .post,
            body: Array(body.utf8), from: state)
    }

    private func groups(_ answer: ServiceAnswer) throws -> [[[String: Any]]] {
        try #require(try answer.object()["groups"] as? [[String: Any]]).map {
            try #require($0["routes"] as? [[String: Any]])
        }
    }

    /// Candidates over different bridges, of two destinations.
    private func candidates(_ count: Int) -> String {
        let bridges = ["Ballard", "Fremont", "University", "Montlake"]
        let routes = (0..<count).map { number in
            """
            {"id": "r\(number)", "name": "Way \(number)", "origin": "Home", \
            "destination": "\(number % 3 == 2 ? "Shop" : "Work")", "steps": [{"minutes": \(4 + number % 7)}, \
            {"bridge": "\(bridges[number % 4])"}, {"minutes": \(9 + number % 5)}]}
            """
        }
        return "{\"routes\": [\(routes.joined(separator: ","))]}"
    }

    @Test func summaryAndFullAnswersAgree() async throws {
        for query in ["", "&depart=2026-02-20T18:12", "&depart=2026-02-20T20:00&arrive_by=20:25"] {
            let short = try await rank(candidates(24), "detail=summary" + query)
            let full = try await rank(candidates(24), "detail=full" + query)
            let few = try groups(short)
            let all = try groups(full)
            #expect(few.map(\.count) == [16, 8] && all.map(\.count) == [16, 8])
            for (short, full) in zip(few.joined(), all.joined()) {
                #expect(short["crossings"] == nil && full["crossings"] is [[String: Any]])
                for (name, value) in short {
                    #expect(
                        full[name] as? NSObject == value as? NSObject, "\(name) of \(query)")
                }
            }
            for group in few {
                let scores = group.compactMap { $0["score"] as? Double }
                #expect(scores == scores.sorted() && scores.count == group.count)
            }
        }
    }

    @Test func fewCandidatesAreAnsweredInFull() async throws {
        let few = try groups(try await rank(candidates(20)))
        #expect(few.joined().allSatisfy { $0["travel_quantiles_s"] is [Double] })
        let many = try groups(try await rank(candidates(21)))
        #expect(many.joined().allSatisfy { $0["travel_quantiles_s"] == nil })
    }

    @Test func geoJSONLinesAreCandidates() async throws {
        let answer = try await rank(
            """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": \
            {"name": "over", "duration": 900}, "geometry": {"type": "LineString", "coordinates": \
            [[-122.3556,47.6615],[-122.3498,47.6503],[-122.3497,47.6476],[-122.3496,47.645],[-122.3385,47.6205]]}}]}
            """, "mode=bike")
        let route = try #require(try groups(answer).first?.first)
        let crossings = try #require(route["crossings"] as? [[String: Any]])
        #expect(crossings.compactMap { $0["bridge"] as? String } == ["Fremont"])
        #expect(route["idling_co2_g"] as? Double == 0)
    }

    @Test func invalidCandidatesAreRefusedWithTheirLocation() async throws {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        for (body, place) in [
            ("{", "line 1, column 2"), ("[]", "the body"), (#"{"routes": []}"#, "routes"),
            (
                #"{"routes": [{"id": "a", "name": "A", "origin": "x", "destination": "y", "steps": [{"bridge": "Tower"}]}]}"#,
                "routes[0].steps[0].bridge"
            ),
            (#"{"routes": \#(deep)}"#, "byte 42"),
        ] {
            let found = try await problem { try await rank(body) }
            #expect(found?.status == .unprocessableContent, "\(body)")
            #expect(found?.parameter == place, "\(found?.detail ?? "")")
        }
        var settings = ServiceSettings()
        settings.maxRows = 30
        let many = try await problem { try await rank(candidates(31), settings: settings) }
        #expect(many?.status == .unprocessableContent && many?.detail.contains("30") == true)
        let full = try await problem { try await rank(candidates(1_001), "detail=full") }
        #expect(full?.status == .badRequest && full?.parameter == "detail")
    }
}
