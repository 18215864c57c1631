// What `/bridges` and `/bridges/{id}` say of rules, closed windows and the delay of those who are stopped.
import BridgecastAnswers
import BridgecastCore
import BridgecastLive
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastService

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
        let table = try state.board().update.table
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

    @Test func `each rule in words has its code and values in the same place`() async throws {
        for moment in ["2026-02-20T12:00", "2026-02-21T12:00", "2026-06-18T12:00"] {
            let date = SeattleTime.civil(at: Fixtures.moment(moment)).date
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

    /// The values of a rule in the order in which it is said.
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
