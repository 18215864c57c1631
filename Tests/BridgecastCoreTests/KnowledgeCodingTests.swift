// What is known, sent as JSON: it comes back as it was, and what cannot be is refused.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct KnowledgeCodingTests {
    private static let now = Fixtures.timestamp("2026-02-20T18:02")

    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    private func decoding<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    @Test func aSnapshotComesBack() throws {
        var live = LiveSnapshot(asOf: Self.now)
        try live.set(.ballard, state: .raised(since: nil))
        try live.set(
            .fremont,
            openings: [
                KnownOpening(
                    start: Self.now.adding(minutes: -60), end: Self.now.adding(minutes: -55)),
                KnownOpening(start: Self.now.adding(minutes: -2), end: nil),
            ], observedSince: Self.now.adding(minutes: -300))
        try live.set(.montlake, state: .lowered)
        #expect(try roundTrip(live) == live)
        #expect(try roundTrip(LiveSnapshot(asOf: nil)) == LiveSnapshot(asOf: nil))
    }

    /// All that the records of a real evening say, and with a live reading on top.
    @Test func aSituationComesBack() throws {
        let reader = SituationReader(Fixtures.shippedHistory)
        for hours in stride(from: 0.0, to: 24 * 14, by: 7) {
            let situation = reader.situation(at: Self.now.adding(minutes: hours * -60))
            #expect(try roundTrip(situation) == situation)
        }
        var live = LiveSnapshot(asOf: Self.now)
        try live.set(.ballard, state: .raised(since: Self.now.adding(minutes: -3)))
        let situation = reader.situation(at: Self.now).applying(live)
        #expect(try roundTrip(situation) == situation && situation[.ballard].state != .unknown)
        let unknown = Situation.unknown(at: Self.now)
        #expect(try roundTrip(unknown) == unknown)
    }

    @Test func densitiesComeBack() throws {
        var traffic = TrafficDensity()
        #expect(try roundTrip(traffic) == traffic)
        #expect(traffic.set(0.4, for: .ballard) && traffic.set(0, for: .southPark))
        #expect(try roundTrip(traffic) == traffic)
        let id = BridgeCatalogue[BridgeIndex.ballard].id
        let entry = "{\"bridge\": \(id), \"density\": 0.1}"
        #expect(throws: DecodingError.self) {
            try decoding(TrafficDensity.self, "[\(entry), \(entry)]")
        }
        for wrong in ["1", "-0.1", "1e9"] {
            #expect(throws: DecodingError.self) {
                try decoding(TrafficDensity.self, "[{\"bridge\": \(id), \"density\": \(wrong)}]")
            }
        }
    }

    @Test func whatCannotBeIsRefused() throws {
        let id = BridgeCatalogue[BridgeIndex.ballard].id
        let twice = "[{\"bridge\": \(id), \"openings\": []}, {\"bridge\": \(id), \"openings\": []}]"
        let backwards = "[{\"bridge\": \(id), \"openings\": [{\"start\": 100, \"end\": 50}]}]"
        let unknown = "[{\"bridge\": 999, \"openings\": []}]"
        for bridges in [twice, backwards, unknown] {
            #expect(throws: DecodingError.self) {
                try decoding(LiveSnapshot.self, "{\"bridges\": \(bridges)}")
            }
        }
        let situation = SituationReader(Fixtures.shippedHistory).situation(at: Self.now)
        let text = String(decoding: try JSONEncoder().encode(situation), as: UTF8.self)
        #expect(try decoding(Situation.self, text) == situation)
        for (field, wrong) in [
            ("openingsToday", "-1"), ("openingsInFourWeeks", "-5"), ("longCount", "100000"),
            ("logMinutes", "1e30"), ("count", "-2"), ("openingsToday", "1441"),
            ("observedSince", "9999999999"), ("start", "9999999999"),
        ] {
            let bad = text.replacing(
                try Regex("\"\(field)\":[0-9.]+"), with: "\"\(field)\":\(wrong)", maxReplacements: 1
            )
            #expect(bad != text, "no \(field)")
            #expect(throws: DecodingError.self, "\(field)") { try decoding(Situation.self, bad) }
        }
    }
}
