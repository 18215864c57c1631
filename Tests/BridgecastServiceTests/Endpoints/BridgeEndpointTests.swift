// `/bridges`, `/bridges/{id}`, its rules and its weekly pattern.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing
@testable import BridgecastService

@Suite struct BridgeEndpointTests {
    private static let path = "/api/v1/bridges"

    private func bridge(
        _ name: String, _ query: String = "", from state: ServiceState
    ) async throws -> ServiceAnswer {
        try await ServiceFixture.answer(
            "/api/v1/bridges/{id}", query, pathValues: [name], from: state)
    }

    @Test func bridgesListsEveryBridgeForTwoHours() async throws {
        let state = try await ServiceFixture.state()
        let board = try state.snapshot()
        let object = try await ServiceFixture.answer(Self.path, from: state).object()
        let bridges = try #require(object["bridges"] as? [[String: Any]])
        #expect(bridges.count == 7)
        let withoutSensor = bridges.filter { $0["has_live_sensor"] as? Bool == false }
        #expect(
            withoutSensor.compactMap { $0["bridge"] as? String }
                == ["University", "Lower Spokane St"])
        for (index, shown) in zip(BridgeIndex.all, bridges) {
            let delay = board.update.table.delayWithin(at: index, leadMinutes: 0, queues: true)
            let probability = try #require(shown["probability_stopped"] as? Double)
            #expect(abs(probability - delay.probabilityDelayed) <= 0.5001e-5)
            #expect((shown["delay_quantiles_s"] as? [Double])?.count == 20)
            let outlook = try #require(shown["outlook"] as? [[String: Any]])
            #expect(outlook.count == 25)
            for (place, point) in outlook.enumerated() {
                let lead = Double(place) * 5
                let expected = board.update.table.delayWithin(
                    at: index, leadMinutes: lead, queues: true)
                let said = try #require(point["probability_stopped"] as? Double)
                #expect(abs(said - expected.probabilityDelayed) <= 0.5001e-5)
                #expect(point["lead_time_s"] as? Double == lead * 60)
                #expect(point["basis"] as? String == (lead <= 60 ? "live" : "calendar"))
            }
        }
    }

    @Test func theHighestChanceOfABridgeHasReasonsOfItsOwn() async throws {
        // Ballard went up two minutes ago: boats reach Fremont in 9 to 20 minutes.
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(Self.path, from: state).object()
        let bridges = try #require(answer["bridges"] as? [[String: Any]])
        #expect(bridges.count == 7)
        for bridge in bridges {
            let highest = try #require(bridge["highest"] as? [String: Any])
            let outlook = try #require(bridge["outlook"] as? [[String: Any]])
            // Two hours of five minutes.
            let chances = outlook.prefix(24).compactMap { $0["probability_stopped"] as? Double }
            #expect(highest["probability_stopped"] as? Double == chances.max())
            let peak = try #require(
                outlook.first { $0["valid_time"] as? String == highest["valid_time"] as? String })
            // The usual chance of a reason is the one that is drawn.
            let reasons = try #require(highest["reasons"] as? [[String: Any]])
            for reason in reasons {
                let values = try #require(reason["values"] as? [String: Any])
                guard let usual = values["probability"] as? Double else { continue }
                #expect(usual == peak["climatology_probability_stopped"] as? Double)
            }
        }
        let fremont = try #require(bridges.first { $0["bridge"] as? String == "Fremont" })
        func codes(_ owner: [String: Any]?) -> [String] {
            (owner?["reasons"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
        }
        #expect(codes(fremont["highest"] as? [String: Any]).first == "convoy")
        #expect(codes(fremont).first != "convoy")
    }

    @Test func bridgesHasRaisedBridgesAndSinceWhen() async throws {
        let state = try await ServiceFixture.state()
        let object = try await ServiceFixture.answer(Self.path, from: state).object()
        let bridges = try #require(object["bridges"] as? [[String: Any]])
        let ballard = try #require(bridges.first { $0["bridge_id"] as? Int == 2 })
        let known = try state.snapshot().situation[Fixtures.bridge("Ballard")]
        guard case .raised(let since?) = known.state else {
            Issue.record("Ballard Bridge is up at that time")
            return
        }
        #expect(ballard["state"] as? String == "raised")
        #expect(ballard["since"] as? String == TimeText.rfc3339(since))
        #expect(
            ballard["state_age_s"] as? Double
                == ServiceFixture.evening.minutes(since: since) * 60)
        #expect((ballard["rules"] as? [String])?.isEmpty == false)
    }

    @Test func sharedDocumentsAreMadeOnceForASnapshot() async throws {
        let state = try await ServiceFixture.state()
        for (path, values) in [(Self.path, []), ("/api/v1/bridges/{id}", ["fremont"])] {
            let tags = try await [1, 2].asyncMap { _ in
                let answer = try await ServiceFixture.answer(path, pathValues: values, from: state)
                guard case .shared(let document) = answer.content else { return "not shared" }
                return document.tag
            }
            #expect(tags[0] == tags[1] && tags[0] != "not shared")
        }
    }

    @Test func theMapHasTheBridgesLocation() async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            Self.path, accept: "application/geo+json", from: state)
        #expect(answer.mediaType == .geoJSON)
        let object = try answer.object()
        let features = try #require(object["features"] as? [[String: Any]])
        #expect(features.count == 7 && object["generated_at"] is String)
        let point = try #require(features[0]["geometry"] as? [String: Any])
        let place = try #require(point["coordinates"] as? [Double])
        #expect(abs(place[0] + 122.37619) < 1e-5 && abs(place[1] - 47.65982) < 1e-5)
        #expect((features[0]["properties"] as? [String: Any])?["bridge"] as? String == "Ballard")
        let refused = try await problem {
            try await ServiceFixture.answer(Self.path, accept: "text/csv", from: state)
        }
        #expect(refused?.status == .notAcceptable)
    }

    @Test func aBridgeIsFoundByNameAndNumberAndShowsItsHours() async throws {
        let state = try await ServiceFixture.state()
        let byName = try await bridge("fremont", from: state)
        #expect(
            ServiceFixture.bytes(byName) == ServiceFixture.bytes(try await bridge("3", from: state))
        )
        let object = try byName.object()
        #expect(object["clearance_ft"] as? Double == 30)
        #expect(object["has_live_sensor"] as? Bool == true)
        let windows = try #require(object["closed_windows_today"] as? [[String: String]])
        #expect(windows.first?["from"] == "2026-02-20T07:00:00-08:00" && windows.count == 2)
        #expect(object["vessel_text"] == nil)
        for (hours, points) in [(1, 13), (2, 25), (24, 25 + 22 * 4)] {
            let shown = try await bridge("Fremont", "hours=\(hours)", from: state).object()
            #expect((shown["outlook"] as? [Any])?.count == points)
        }
    }

    @Test func theOutlookOfAVesselSaysWhetherItNeedsAnOpening() async throws {
        let state = try await ServiceFixture.state()
        for (height, needs) in [("45", true), ("20", false)] {
            let query = "vessel_height_ft=\(height)&at=2026-02-23T17:30"
            let object = try await bridge("Fremont", query, from: state).object()
            #expect(object["vessel_needs_opening"] as? Bool == needs)
            #expect(object["valid_at"] as? String == "2026-02-23T17:30:00-08:00")
            #expect(object["state"] as? String == "unknown", "it is unknown three days ahead")
            #expect((object["outlook"] as? [Any])?.count == 25)
        }
    }

    @Test func anUnknownBridgeSuggestsSimilarOnes() async throws {
        let state = try await ServiceFixture.state()
        let unknown = try await problem { try await bridge("Freemont", from: state) }
        #expect(unknown?.status == .notFound && unknown?.near.first == "Fremont")
        for (query, parameter) in [
            ("hours=0", "hours"), ("hours=25", "hours"), ("vessel_height_ft=0", "vessel_height_ft"),
            ("at=2026-02-20T17:00", "at"),
        ] {
            let wrong = try await problem { try await bridge("Fremont", query, from: state) }
            #expect(wrong?.status == .badRequest && wrong?.parameter == parameter)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Other>(
        _ transform: (Element) async throws -> Other
    ) async rethrows -> [Other] {
        var result: [Other] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}

@Suite struct BridgeRuleTests {
    private func bridges(_ state: ServiceState) async throws -> [[String: Any]] {
        let object = try await ServiceFixture.answer("/api/v1/bridges", from: state).object()
        return try #require(object["bridges"] as? [[String: Any]])
    }

    private func bridge(_ name: String, _ query: String = "") async throws -> [String: Any] {
        try await ServiceFixture.answer(
            "/api/v1/bridges/{id}", query, pathValues: [name],
            from: try await ServiceFixture.state()
        ).object()
    }

    @Test func `delays of those who are stopped are the distribution's without its first bin`()
        async throws
    {
        let state = try await ServiceFixture.state()
        let table = try state.snapshot().update.table
        for (index, shown) in zip(BridgeIndex.all, try await bridges(state)) {
            let delay = table.delayWithin(at: index, leadMinutes: 0, queues: true)
            let stopped = DelayDistribution([0] + delay.probabilities.dropFirst().map { Float($0) })
            let said = try #require(shown["delay_quantiles_if_stopped_s"] as? [Double])
            #expect(said.count == QuantileLevels.count)
            for (level, seconds) in zip(QuantileLevels.all, said) {
                #expect(abs(seconds - stopped.quantileSeconds(level)) < 0.06)
            }
        }
    }

    @Test func `the next closed window is the one that holds or begins within a day`() async throws
    {
        let state = try await ServiceFixture.state()
        for shown in try await bridges(state) {
            let window = shown["next_closed_window"] as? [String: String]
            guard shown["bridge"] as? String == "Montlake" else {
                // It is Friday evening.
                #expect(window == nil && shown["next_closed_window"] is NSNull)
                continue
            }
            #expect(window?["from"] == "2026-02-20T15:30:00-08:00")
            #expect(window?["to"] == "2026-02-20T19:00:00-08:00")
        }
        let sunday = try await bridge("Fremont", "at=2026-02-22T20:00")
        #expect(
            sunday["next_closed_window"] as? [String: String] == [
                "from": "2026-02-23T07:00:00-08:00", "to": "2026-02-23T09:00:00-08:00",
            ])
    }

    @Test func `a week of closed windows leaves out weekends and holidays`() async throws {
        for (query, first, off) in [
            ("", "2026-02-20", [1, 2]),
            // Memorial Day is on Monday.
            ("at=2026-05-21T12:00", "2026-05-21", [2, 3, 4]),
        ] {
            let shown = try await bridge("Ballard", query)
            let week = try #require(shown["closed_windows_week"] as? [[String: Any]])
            #expect(week.count == 7 && week.first?["date"] as? String == first)
            for (place, day) in week.enumerated() {
                let date = try #require(day["date"] as? String)
                let windows = try #require(day["windows"] as? [[String: String]])
                #expect(windows.count == (off.contains(place) ? 0 : 2), "\(date)")
                #expect(windows.allSatisfy { $0["from"]?.hasPrefix(date) == true })
            }
            let today = try #require(shown["closed_windows_today"] as? [[String: String]])
            #expect(today == week.first?["windows"] as? [[String: String]])
        }
    }

    @Test func `each rule as text has its code and values`() async throws {
        for time in ["2026-02-20T12:00", "2026-02-21T12:00", "2026-06-18T12:00"] {
            let date = SeattleTime.civil(at: Fixtures.timestamp(time)).date
            for bridge in BridgeCatalogue.seattle {
                for rule in bridge.rules(on: date) {
                    let json = try JSONValue.read(rule.jsonBytes())
                    #expect(json["code"]?.text == rule.code.rawValue)
                    // What the words say in numbers, the values say.
                    let values = Self.texts(try #require(json["values"]))
                    let numbers = rule.text.split { !"0123456789:.".contains($0) }.map(String.init)
                        .filter { $0 != ":" }
                    let title = rule.code == .regulation ? ["33"] : []
                    #expect(numbers == title + values, "\(rule.text)")
                }
            }
        }
        for shown in try await bridges(try await ServiceFixture.state()) {
            let facts = try #require(shown["rule_facts"] as? [[String: Any]])
            #expect(facts.count == (shown["rules"] as? [String])?.count)
            #expect(facts.last?["code"] as? String == "regulation")
        }
        let montlake = try await bridge("Montlake")
        #expect(
            montlake["rules"] as? [String] == [
                "closed to smaller vessels today 07:00 to 10:00 and 15:30 to 19:00"
                    + "; ships of 1000 gross tons and more are let through",
                "from 12:30 to 15:30 it opens only on the hour and half-hour", "33 CFR 117.1051",
            ])
        let codes = (montlake["rule_facts"] as? [[String: Any]])?.map { $0["code"] as? String }
        #expect(codes == ["closed_hours", "half_hour_only", "regulation"])
    }

    /// The values of a rule in the order of its text.
    private static func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .text(let text): [text]
        case .number(let number): ["\(Int(number))"]
        case .list(let values): values.flatMap(texts)
        case .object(let fields):
            ["windows", "exempt_gross_tons", "from", "to", "notice_h", "section"]
                .compactMap { fields[$0] }.flatMap(texts)
        default: []
        }
    }
}

struct PatternEndpointTests {
    private struct Pattern: Decodable {
        struct Hour: Decodable {
            let weekday: Int
            let hour: Int
            let coveredH: Double
            let openings: Int
            let openingsPerH: Double?
            let medianDurationS: Double?
            let raisedShare: Double?
        }
        let bridgeId: Int
        let from: String?
        let to: String?
        let coveredDays: Double
        let openings: Int
        let medianDurationS: Double?
        let hours: [Hour]
        let warnings: [String]
    }

    private func answer(_ name: String, from state: ServiceState) async throws -> ServiceAnswer {
        try await ServiceFixture.answer(
            "/api/v1/bridges/{id}/pattern", pathValues: [name], from: state)
    }

    private func pattern(_ name: String, from state: ServiceState) async throws -> Pattern {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let bytes = ServiceFixture.bytes(try await answer(name, from: state))
        return try decoder.decode(Pattern.self, from: Data(bytes))
    }

    @Test(arguments: ["Ballard", "Fremont", "South Park", "Lower Spokane St"])
    func `its openings are those that the history lists for covered time`(
        _ name: String
    ) async throws {
        let state = try await ServiceFixture.state()
        let pattern = try await pattern(name, from: state)
        let today = Fixtures.timestamp("2026-02-20T00:00")
        let coverage = Fixtures.shippedHistory.coverage.clamped(to: .earliest..<today)
        let bridge = Fixtures.bridge(name)
        var total = 0
        for period in coverage.periods[bridge.rawValue] {
            let (from, to) = (
                TimeText.rfc3339(period.lowerBound), TimeText.rfc3339(period.upperBound)
            )
            let page = try await ServiceFixture.answer(
                "/api/v1/history", "bridge=\(pattern.bridgeId)&from=\(from)&to=\(to)&limit=1",
                from: state)
            total += try #require(try page.object()["total"] as? Int)
        }
        #expect(pattern.openings == total && total > 100)
        #expect(pattern.hours.reduce(0) { $0 + $1.openings } == total)
        let hours = coverage.minutes(of: bridge) / 60
        #expect(abs(pattern.coveredDays * 24 - hours) < 0.2)
        #expect(abs(pattern.hours.reduce(0) { $0 + $1.coveredH } - hours) < 0.02)
        if name != "Lower Spokane St" { #expect(pattern.to == TimeText.rfc3339(today)) }
        #expect(pattern.from?.isEmpty == false && pattern.warnings.isEmpty)
    }

    @Test func `it begins with Monday's first hour and has null for unobserved hours`()
        async throws
    {
        let watched =
            Fixtures.timestamp("2026-02-18T08:00")..<Fixtures.timestamp("2026-02-18T10:30")
        let shipped = Fixtures.shippedHistory
        let history = OpeningHistory(
            records: shipped.openings.flatMap(\.self), coverage: Coverage(watched, of: .fremont))
        let state = try await ServiceFixture.state(history: history)
        let fremont = try await pattern("fremont", from: state)
        #expect(fremont.hours.map { ($0.weekday - 1) * 24 + $0.hour } == Array(0..<168))
        #expect(fremont.from == "2026-02-18T08:00:00-08:00")
        for hour in fremont.hours {
            let isCovered = hour.weekday == 3 && (8...10).contains(hour.hour)
            #expect((hour.coveredH > 0) == isCovered)
            #expect(
                (hour.openingsPerH != nil) == isCovered && (hour.raisedShare != nil) == isCovered)
            #expect((hour.medianDurationS != nil) == (hour.openings > 0))
        }
        let ballard = try await pattern("2", from: state)
        #expect(ballard.from == nil && ballard.to == nil && ballard.medianDurationS == nil)
        #expect(ballard.openings == 0 && ballard.coveredDays == 0)
        #expect(ballard.warnings.first?.hasPrefix("no records of this bridge") == true)
    }

    @Test func `the pattern is cached`() async throws {
        let state = try await ServiceFixture.state()
        var tags: Set<String> = []
        for name in ["Fremont", "3", "Ballard"] {
            guard case .shared(let document) = try await answer(name, from: state).content else {
                Issue.record("it is not shared")
                continue
            }
            tags.insert(document.tag)
        }
        #expect(tags.count == 2)
    }

    @Test func `an unknown bridge suggests similar ones`() async throws {
        let state = try await ServiceFixture.state()
        let problem = try await problem { try await answer("Freemont", from: state) }
        #expect(problem?.status == .notFound && problem?.near.first == "Fremont")
    }
}
