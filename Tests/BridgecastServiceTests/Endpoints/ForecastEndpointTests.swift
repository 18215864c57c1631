// `/forecast` and `/explain`: the numbers of the library, refusals, and reasons that agree with them.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing
@testable import BridgecastService

@Suite struct ForecastEndpointTests {
    private static let path = "/api/v1/forecast"

    private func forecasts(
        _ query: String, from state: ServiceState
    ) async throws -> [[String: Any]] {
        let answer = try await ServiceFixture.answer(Self.path, query, from: state).object()
        return try #require(answer["forecasts"] as? [[String: Any]])
    }

    private func rows(_ body: String, from state: ServiceState) async throws -> ServiceAnswer {
        try await ServiceFixture.answer(
            Self.path, method: .post, body: Array(body.utf8),
            from: state)
    }

    @Test(arguments: [(60.0, 0), (61, 1)])
    func beyondAnHourThereIsAWarning(lead: Double, count: Int) async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(Self.path, "lead_min=\(lead)", from: state)
        let warnings = try #require(try answer.object()["warnings"] as? [String])
        #expect(warnings.filter { $0.hasPrefix("more than an hour ahead") }.count == count)
    }

    @Test func aSeasonThatTheModelHasHardlySeenIsWarnedOf() async throws {
        let winter = Fixtures.timestamp("2025-12-01T00:00")
        let history = OpeningHistory(
            records: [], coverage: Coverage(winter..<winter.adding(minutes: 100 * 1440)))
        let climatology = Climatology(ClimatologyCounts(history))
        let july = Fixtures.timestamp("2026-07-10T12:00")
        #expect(SeasonWarning.warnings(at: july, climatology).count == 1)
        #expect(SeasonWarning.warnings(at: winter, climatology).isEmpty)
        let model = try ModelFile.read(RandomModel.bytes(.fp32, climatology: climatology))
        let inference = TrafficInference(model)
        for (time, count) in [(july, 1), (winter, 0)] {
            let context = try ForecastContext(
                leaving: time, known: (.unknown(at: time), []), traffic: TrafficDensity(),
                model: model, by: inference, sources: [], askedAt: time)
            #expect(context.notes.count == count, "\(context.notes)")
        }
    }

    @Test(arguments: ["car", "bike"])
    func forecastsEqualThoseOfTheLibrary(_ mode: String) async throws {
        let state = try await ServiceFixture.state()
        let board = try state.snapshot()
        for lead in [0.0, 7, 25, 59, 90] {
            let answers = try await forecasts("lead_min=\(lead)&mode=\(mode)", from: state)
            #expect(answers.count == 7)
            for (bridge, answer) in zip(BridgeIndex.all, answers) {
                let arrival = board.issueTime.adding(minutes: lead)
                let density =
                    mode == "car" ? Float(board.traffic.density(of: bridge, at: arrival)) : 0
                let expected = try await state.parts.inference.forecast(
                    [ForecastRequest(bridge: bridge, leadMinutes: lead, density: density)],
                    in: board.situation)[0]
                try check(answer, expected)
                #expect(answer["bridge"] as? String == BridgeCatalogue[bridge].name)
                #expect(answer["valid_time"] as? String == TimeText.rfc3339(arrival))
                #expect(answer["lead_time_s"] as? Double == lead * 60)
                let usual = board.model.climatology.climatologicalProbabilityDelayed(
                    at: bridge, arrival: arrival, density: Double(density))
                let said = try #require(answer["climatology_probability_stopped"] as? Double)
                #expect(abs(said - usual) <= 0.5001e-5)
            }
        }
    }

    private func check(_ answer: [String: Any], _ expected: DelayDistribution) throws {
        let probability = try #require(answer["probability_stopped"] as? Double)
        #expect(abs(probability - expected.probabilityDelayed) <= 0.5001e-5)
        let delay = try #require(answer["delay_s"] as? [String: Double])
        for (name, level) in [("p50", 0.5), ("p80", 0.8), ("p95", 0.95)] {
            #expect(abs(try #require(delay[name]) - expected.quantileSeconds(level)) <= 0.0501)
        }
        #expect(abs(try #require(delay["mean"]) - expected.expectedSeconds) <= 0.0501)
        let quantiles = try #require(answer["delay_quantiles_s"] as? [Double])
        #expect(quantiles.count == 20 && quantiles == quantiles.sorted())
        for (place, quantile) in quantiles.enumerated() {
            let level = 0.025 + 0.05 * Double(place)
            #expect(abs(quantile - expected.quantileSeconds(level)) <= 0.0501)
        }
        let bins = try #require(answer["delay_bins"] as? [Double])
        #expect(bins.count == 12 && abs(bins.reduce(0, +) - 1) < 1e-4)
    }

    @Test func aForecastHasItsSourcesAndReasons() async throws {
        let state = try await ServiceFixture.state()
        let soon = try #require(
            try await forecasts("bridge=Fremont&lead_min=8", from: state).first)
        #expect(soon["basis"] as? String == "live" && soon["confidence"] as? String == "HIGH")
        let reasons = try #require(soon["reasons"] as? [[String: Any]])
        #expect(!reasons.isEmpty)
        #expect(reasons.allSatisfy { $0["text"] is String && $0["values"] is [String: Any] })
        for (lead, basis) in [("60", "live"), ("60.5", "calendar"), ("119", "calendar")] {
            let answer = try await forecasts("bridge=3&lead_min=\(lead)", from: state)
            #expect(answer.count == 1 && answer[0]["basis"] as? String == basis)
        }
    }

    @Test func aTimeAndALeadAreTheSameArrival() async throws {
        let state = try await ServiceFixture.state()
        let byLead = try await ServiceFixture.answer(
            Self.path, "bridge=Ballard&lead_min=28", from: state)
        let byTime = try await ServiceFixture.answer(
            Self.path, "bridge=Ballard&at=2026-02-20T18:30", from: state)
        #expect(ServiceFixture.bytes(byLead) == ServiceFixture.bytes(byTime))
        let object = try byLead.object()
        #expect(object["valid_at"] as? String == "2026-02-20T18:30:00-08:00")
        #expect(object["issue_time"] as? String == "2026-02-20T18:02:00-08:00")
    }

    @Test func invalidParametersAreExplained() async throws {
        let state = try await ServiceFixture.state()
        for (query, parameter) in [
            ("bridge=Tower", "bridge"), ("lead_min=-1", "lead_min"),
            ("lead_min=nan", "lead_min"), ("lead_min=1e9", "lead_min"),
            ("at=2026-02-20T18:01", "at"), ("at=2027-02-22T18:02", "at"), ("at=soon", "at"),
            ("at=2026-02-20T18:30&lead_min=5", "lead_min"), ("mode=ferry", "mode"),
        ] {
            let problem = try await problem {
                try await ServiceFixture.answer(Self.path, query, from: state)
            }
            #expect(problem?.status == .badRequest && problem?.parameter == parameter, "\(query)")
        }
        let past = try await problem {
            try await ServiceFixture.answer(Self.path, "at=2026-02-19T08:00", from: state)
        }
        #expect(past?.detail.contains("/api/v1/days/2026-02-19") == true)
    }

    @Test func rowsOfABodyAreForecastInTheirOrder() async throws {
        let state = try await ServiceFixture.state()
        let body = """
            {"rows":[{"bridge":"Fremont","lead_min":10},{"bridge":2,"at":"2026-02-20T18:30"},
            {"bridge":"Montlake"}],"mode":"car","detail":"full"}
            """
        let answer = try await rows(body, from: state).object()
        let found = try #require(answer["forecasts"] as? [[String: Any]])
        #expect(found.compactMap { $0["bridge"] as? String } == ["Fremont", "Ballard", "Montlake"])
        let queries = ["bridge=3&lead_min=10", "bridge=2&lead_min=28", "bridge=4"]
        for (row, query) in zip(found, queries) {
            let single = try #require(try await forecasts(query, from: state).first)
            #expect(NSDictionary(dictionary: row) == NSDictionary(dictionary: single), "\(query)")
        }
        let summary = try await rows(
            #"{"rows":[{"bridge":"Fremont","lead_min":10}]}"#, from: state
        ).object()
        let row = try #require((summary["forecasts"] as? [[String: Any]])?.first)
        #expect(row["reasons"] == nil && row["delay_bins"] == nil && row["delay_s"] != nil)
    }

    @Test func invalidBodiesAreRefusedWithTheLocation() async throws {
        var settings = ServiceSettings()
        settings.maxRows = 3
        let state = try await ServiceFixture.state(settings: settings)
        let many = Array(repeating: #"{"bridge":3}"#, count: 4).joined(separator: ",")
        for (body, status, words) in [
            (#"{"rows":[\#(many)]}"#, 422, "3"), (#"{"rows":[]}"#, 422, "rows"),
            ("{", 422, "JSON"), (#"{"rows":[{"bridge":"Tower"}]}"#, 422, "rows[0].bridge"),
            (#"{"rows":[{"bridge":3,"lead_min":-5}]}"#, 422, "rows[0].lead_min"),
            (#"{"rows":[{"bridge":3,"at":"2020-01-01T00:00"}]}"#, 422, "rows[0].at"),
        ] {
            let problem = try await problem { try await rows(body, from: state) }
            #expect(problem?.status.code == status, "\(body)")
            #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
        }
    }

    @Test func anExplanationLeadsFromClimatologyToTheForecast() async throws {
        let state = try await ServiceFixture.state()
        let query = "bridge=Fremont&lead_min=10"
        let answer = try await ServiceFixture.answer("/api/v1/explain", query, from: state).object()
        let forecast = try #require(try await forecasts(query, from: state).first)
        for name in ["climatology_probability_stopped", "probability_stopped"] {
            let said = answer[name] as? Double
            let expected = forecast[name] as? Double
            #expect(abs(try #require(said) - #require(expected)) < 2e-5, "\(name)")
        }
        let parts = try #require(answer["parts"] as? [[String: Any]])
        let moved = parts.compactMap { $0["log_odds"] as? Double }.reduce(0, +)
        let odds = try ["climatology_probability_stopped", "probability_stopped"].map {
            let probability = try #require(answer[$0] as? Double)
            return log(probability / (1 - probability))
        }
        #expect(abs(moved - (odds[1] - odds[0])) < 5e-3)
        #expect(parts.contains { $0["cause"] as? String == "Ballard" && $0["evidence"] is String })
        let missing = try await problem {
            try await ServiceFixture.answer("/api/v1/explain", from: state)
        }
        #expect(missing?.code == .missingParameter)
    }
}

@Suite struct AnsweredReasonTests {
    /// Codes of reasons for more and for less, as the documentation has them.
    private static let more: Set = [
        "raised", "raised_for", "raised_long", "lowered_recently", "convoy", "convoy_in_order",
        "neighbour_often", "window_ended", "long_openings", "busy_day", "above_climatology",
    ]
    private static let less: Set = [
        "closed_window", "quiet_day", "down_now", "down_lately", "down_long", "below_climatology",
    ]

    /// Checks an answer's reasons against its chances; returns their codes.
    private func check(_ answer: [String: Any]) throws -> [String] {
        let chance = try #require(answer["probability_stopped"] as? Double)
        let usual = try #require(answer["climatology_probability_stopped"] as? Double)
        let reasons = try #require(answer["reasons"] as? [[String: Any]])
        let codes = reasons.compactMap { $0["code"] as? String }
        let isSeen = abs(chance - usual) > 0.0051
        if isSeen, chance * 1.101 < usual {
            #expect(Self.more.isDisjoint(with: codes), "\(answer)")
        }
        if isSeen, chance > usual * 1.101 {
            #expect(Self.less.isDisjoint(with: codes), "\(answer)")
        }
        if isSeen, max(chance, usual) > 1.51 * min(chance, usual) {
            #expect(!codes.contains("usual") && !codes.contains("state_unknown"), "\(answer)")
        }
        #expect((1...3).contains(codes.count))
        return codes
    }

    @Test func reasonsAgreeWithTheProbabilities() async throws {
        var seen: Set<String> = []
        for time in ["18:02", "12:20", "14:41", "09:35"] {
            let state = try await ServiceFixture.state(
                at: Fixtures.timestamp("2026-02-20T\(time)"))
            // Leads of one minute share their reasons only where they go the same way.
            for lead in [0.0, 2.4, 2.6, 5, 9.6, 10, 10.4, 25, 59] {
                for mode in ["car", "bike"] {
                    let answer = try await ServiceFixture.answer(
                        "/api/v1/forecast", "lead_min=\(lead)&mode=\(mode)", from: state
                    ).object()
                    for forecast in try #require(answer["forecasts"] as? [[String: Any]]) {
                        seen.formUnion(try check(forecast))
                    }
                }
            }
            let board = try await ServiceFixture.answer("/api/v1/bridges", from: state).object()
            for bridge in try #require(board["bridges"] as? [[String: Any]]) {
                seen.formUnion(try check(bridge))
            }
            let ways = try await ServiceFixture.answer(
                "/api/v1/routes", "from=Ballard&to=Downtown", from: state
            ).object()
            for group in try #require(ways["groups"] as? [[String: Any]]) {
                for route in try #require(group["routes"] as? [[String: Any]]) {
                    for crossing in try #require(route["crossings"] as? [[String: Any]]) {
                        seen.formUnion(try check(crossing))
                    }
                }
            }
        }
        #expect(seen.isSuperset(of: ["down_now", "convoy", "raised_for"]), "\(seen)")
    }
}
