// Bad records among good ones: every row is in exactly one count, and the good ones stay.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

private let now = RecordText.now
private let header = RecordText.header

private func read(_ text: String) throws -> RecordFile { try RecordText.read(text) }

@Suite struct RejectedRecordTests {
    /// One row of each kind of badness, each with the field that shows it.
    @Test(arguments: [
        ("Bridge,Fremont,3,2026-02-19T13:01:00", RecordRejection.wrongShape, "4 fields"),
        ("Bridge,\"Fre\"mont,3,a,b,4,,", .badQuoting, "text after a quote"),
        ("Tunnel,Fremont,3,2026-02-19T13:01:00,2026-02-19T13:05:00,4,,", .notABridge, "entitytype"),
        (
            "Bridge,Aurora,,2026-02-19T13:01:00,2026-02-19T13:05:00,4,,", .unknownBridge,
            "entityname"
        ),
        (
            "Bridge,Fremont,99,2026-02-19T13:01:00,2026-02-19T13:05:00,4,,", .unknownBridge,
            "entityid"
        ),
        ("Bridge,,,2026-02-19T13:01:00,2026-02-19T13:05:00,4,,", .unknownBridge, "entityid"),
        (
            "Bridge,Fremont,2,2026-02-19T13:01:00,2026-02-19T13:05:00,4,,", .contradictoryBridge,
            "entityname"
        ),
        ("Bridge,Fremont,3,,2026-02-19T13:05:00,4,,", .missingOpenTime, "opendatetime"),
        ("Bridge,Fremont,3,yesterday,2026-02-19T13:05:00,4,,", .unreadableTime, "opendatetime"),
        (
            "Bridge,Fremont,3,2026-02-19T13:01:00,2026-02-31T13:05:00,4,,", .unreadableTime,
            "closedatetime"
        ),
        (
            "Bridge,Fremont,3,2026-03-08T02:30:00,2026-03-08T03:05:00,4,,", .nonexistentTime,
            "opendatetime"
        ),
        (
            "Bridge,Fremont,3,2026-02-19T13:05:00,2026-02-19T13:01:00,4,,", .closesBeforeOpening,
            "closedatetime"
        ),
        (
            "Bridge,Fremont,3,2027-02-19T13:01:00,2027-02-19T13:05:00,4,,", .inTheFuture,
            "opendatetime"
        ),
        (
            "Bridge,Fremont,3,1970-01-01T00:00:00,1970-01-01T00:04:00,4,,", .tooEarly,
            "opendatetime"
        ),
        (
            "Bridge,Fremont,3,2026-02-19T13:01:00,2026-02-21T13:05:00,4,,", .implausiblyLong,
            "closedatetime"
        ),
        (
            "Bridge,Fremont,3,2026-02-19T13:01:00,2026-02-19T13:05:00,4,0,-122.3497",
            .implausiblePlace, "latitude"
        ),
        (
            "Bridge,Fremont,3,2026-02-19T13:01:00,2026-02-19T13:05:00,4,47.6476,west",
            .implausiblePlace, "longitude"
        ),
    ]) func aBadRowIsCountedAndLocated(_ example: (String, RecordRejection, String)) throws {
        let good = "Bridge,Ballard,2,2026-02-19T12:00:00,2026-02-19T12:05:00,5,,\n"
        let file = try read(header + good + example.0 + "\n" + good)
        #expect(file.rowsRead == 3 && file.records.count == 2)
        let rejected = try #require(file.rejected.first)
        #expect(rejected.rejection == example.1)
        #expect(rejected.field == example.2)
        #expect(rejected.location == RecordLocation(number: 3, unit: .line))
    }

    @Test func entriesThatAreNoObjectsAreRejectedOneByOne() throws {
        let file = try read(
            "[1, {\"entityid\": \"3\", \"opendatetime\": \"2026-02-19T13:01:00\"}, null, [2]]")
        #expect(file.records.count == 1 && file.rejected.count == 3)
        #expect(file.rejected.map(\.location.number) == [1, 3, 4])
    }

    /// Real records with random bytes changed: whatever becomes of those rows, the others stay.
    @Test func changedBytesCostNoRowButTheirOwn() throws {
        let all = try String(
            contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
        let lines = all.split(whereSeparator: \.isNewline).prefix(40).map { Array($0.utf8) + [10] }
        let rows = Array(lines.dropFirst())
        let (first, original) = (lines[0].count, lines.flatMap(\.self))
        let openings = try RecordFile(original, name: "r.csv", now: now).openings
        #expect(openings.count == 39)
        // The row of each byte behind the header; a line end belongs to the next row too.
        let owners: [[Int]] = rows.enumerated().flatMap { row, line in
            line.map { $0 == 10 ? [row, row + 1] : [row] }
        }
        for seed: UInt64 in 0..<400 {
            var random = SeededGenerator(seed: seed)
            var (bytes, changed) = (original, Set<Int>())
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: owners.indices, using: &random)
                bytes[first + place] = UInt8.random(in: 9...126, using: &random)
                changed.formUnion(owners[place])
            }
            let found = try RecordFile(bytes, name: "r.csv", now: now).openings
            let lost = openings.indices.filter {
                !changed.contains($0) && !found.contains(openings[$0])
            }
            #expect(lost.isEmpty, "seed \(seed): rows \(lost)")
        }
    }

    /// A row that differs from the one before by a missing quote only, which makes another type of it.
    @Test func whatWasUnderstoodIsNotTakenForTheSameTextDividedOtherwise() throws {
        let good = "\"Bridge\",\"Fremont\",\"3\",2026-02-19T13:01:00,2026-02-19T13:05:00,4,,\n"
        let file = try read(header + "\n" + good + good.dropFirst() + good)
        #expect(file.records.count == 2 && file.rejections == [.notABridge: 1])
        #expect(file.rejected.first?.value == "Bridge\"")
    }
}
