import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastService

struct HistoryEndpointTests {
    private struct Answer: Decodable {
        struct Opening: Decodable, Hashable {
            let bridge: String
            let bridgeId: Int
            let openedAt: String
            let closedAt: String?
            let durationS: Int?
        }
        let openings: [Opening]
        let total: Int
        let next: String?
    }

    private func answer(
        _ query: String, accept: String? = nil, from state: ServiceState
    ) async throws -> ServiceAnswer {
        try await ServiceFixture.answer("/api/v1/history", query, accept: accept, from: state)
    }

    private func page(_ query: String, from state: ServiceState) async throws -> Answer {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let bytes = ServiceFixture.bytes(try await answer(query, from: state))
        return try decoder.decode(Answer.self, from: Data(bytes))
    }

    @Test func `following next visits every opening of a period once and in order`() async throws {
        let state = try await ServiceFixture.state()
        let period = "from=2026-01-05&to=2026-02-10"
        let interval =
            Fixtures.timestamp("2026-01-05T00:00")..<Fixtures.timestamp("2026-02-11T00:00")
        let expected = Fixtures.shippedHistory.openings.joined().filter {
            interval.contains($0.start)
        }
        var found: [Answer.Opening] = []
        var query: String? = period + "&limit=97"
        while let asked = query, found.count <= expected.count {
            let page = try await page(asked, from: state)
            #expect(page.total == expected.count)
            found += page.openings
            query = page.next.map { String($0.split(separator: "?")[1]) }
        }
        #expect(found.count == expected.count && expected.count > 300)
        #expect(Set(found).count == found.count)
        let keys = found.map { ($0.openedAt, $0.bridgeId) }
        let places = try keys.map { key in
            (
                try TimeText.parse(key.0),
                try #require(BridgeCatalogue.index(of: BridgeID(key.1)))
            )
        }
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `one bridge's openings are its own`() async throws {
        let state = try await ServiceFixture.state()
        let page = try await page("bridge=Fremont&from=2026-02-01&limit=1000", from: state)
        let fremont = Fixtures.shippedHistory.openings[BridgeIndex.fremont.rawValue]
        let interval = Fixtures.timestamp("2026-02-01T00:00")...ServiceFixture.evening
        #expect(page.openings.allSatisfy { $0.bridge == "Fremont" })
        #expect(page.total == fremont.count { interval.contains($0.start) })
    }

    @Test func `nothing later than the clock is listed`() async throws {
        let state = try await ServiceFixture.state()
        let all = try await page("bridge=Ballard&from=2026-02-20&limit=1000", from: state)
        let last = try #require(all.openings.last)
        #expect(try TimeText.parse(last.openedAt) <= ServiceFixture.evening)
        #expect(last.closedAt == nil && last.durationS == nil)
        #expect(all.openings.dropLast().allSatisfy { $0.closedAt != nil })
    }

    @Test func `CSV and NDJSON agree with JSON`() async throws {
        let state = try await ServiceFixture.state()
        let query = "from=2026-02-19&to=2026-02-19&limit=1000"
        let openings = try await page(query, from: state).openings
        let csv = String(
            decoding: ServiceFixture.bytes(
                try await answer(query, accept: "text/csv", from: state)), as: UTF8.self)
        let lines = csv.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(lines.first == ["bridge", "bridge_id", "opened_at", "closed_at", "duration_s"])
        #expect(
            Array(lines.dropFirst())
                == openings.map {
                    [
                        $0.bridge, "\($0.bridgeId)", $0.openedAt, $0.closedAt ?? "",
                        $0.durationS.map { "\($0)" } ?? "",
                    ]
                })
        let ndjson = ServiceFixture.bytes(
            try await answer(query, accept: "application/x-ndjson", from: state))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let objects = try ndjson.split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(Answer.Opening.self, from: Data($0))
        }
        #expect(objects == openings && !openings.isEmpty)
    }

    @Test func `a period that ends before it begins is refused`() async throws {
        let state = try await ServiceFixture.state()
        let problem = await #expect(throws: Problem.self) {
            try await answer("from=2026-02-10&to=2026-02-01", from: state)
        }
        #expect(problem?.parameter == "to")
    }
}
