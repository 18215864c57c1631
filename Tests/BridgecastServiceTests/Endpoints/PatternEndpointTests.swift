// A bridge's openings over the week: made once, of the days before today, and as many as `/history` lists.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

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
        let today = Fixtures.moment("2026-02-20T00:00")
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

    @Test func `it begins with Monday's first hour and says null where nobody watched`()
        async throws
    {
        let watched = Fixtures.moment("2026-02-18T08:00")..<Fixtures.moment("2026-02-18T10:30")
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

    @Test func `it is made once for all who ask`() async throws {
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

    @Test func `an unknown bridge is told the nearest`() async throws {
        let state = try await ServiceFixture.state()
        let problem = try await problem { try await answer("Freemont", from: state) }
        #expect(problem?.status == .notFound && problem?.near.first == "Fremont")
    }
}
