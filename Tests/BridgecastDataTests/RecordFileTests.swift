// Files of records: the openings they give, rows that are flagged or rejected, and files that are refused as a whole.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastData
@testable import BridgecastSupport

private let now = Fixtures.timestamp("2026-11-21T12:00")
private let header =
    "entitytype,entityname,entityid,opendatetime,closedatetime,minutesopen,latitude,longitude\n"

private func read(_ text: String) throws -> RecordFile {
    try withFile(text.utf8) { try RecordFile($0, now: now) }
}

@Suite struct RecordFileTests {
    @Test func theShippedRecordsAreAllUsable() throws {
        for (years, rows) in [("2015-2017", 14_545), ("2017-2018", 4_535), ("2025-2026", 3_245)] {
            let file = try RecordFile(
                Fixtures.trainingData("openings-\(years).csv"), now: now)
            #expect(file.rowsRead == rows && file.rejected.isEmpty, "\(years)")
        }
    }

    @Test func bothFormatsGiveTheSameOpenings() throws {
        let shipped = try RecordFile(
            Fixtures.trainingData("openings-2025-2026.csv"), now: now
        ).openings
        for (name, content, form, rows) in [
            ("export.csv", try CitySpelling.portalExport(latest: 200), RecordForm.csv, 200),
            ("page.json", try CitySpelling.sodaPage(latest: 250), .json, 250),
        ] {
            let file = try withFile(content, name) { try RecordFile($0, now: now) }
            #expect(file.form == form && file.rowsRead == rows && file.rejected.isEmpty)
            #expect(file.openings.allSatisfy { shipped.contains($0) }, "\(name)")
        }
    }

    @Test func bothDateFormatsAndLooseHeadersAreRead() throws {
        let expected = Fixtures.opening("Fremont", "2026-02-19T13:01", "2026-02-19T13:05")
        for text in [
            header + "Bridge,Fremont,3,2026-02-19T13:01:00.000,2026-02-19T13:05:00.000,4,,\n",
            "Entity Name,OPEN DATE TIME,Close_Date_Time\nFremont,02/19/2026 01:01:00 PM,02/19/2026 01:05:00 PM",
            "\u{FEFF}entityid,opendatetime,closedatetime\r\n3,2026-02-19T13:01:00,2026-02-19T13:05:00\r\n",
            "[{\"entityid\": 3, \"opendatetime\": \"2026-02-19T13:01:00.000\", \"closedatetime\": \"2026-02-19T13:05:00.000\", \"minutesopen\": 4}]",
        ] {
            #expect(try read(text).openings == [expected], "\(text)")
        }
    }

    @Test(arguments: [
        ("12:00:00 AM", 0), ("12:59:00 PM", 12 * 60 + 59), ("11:30:00 pm", 23 * 60 + 30),
    ])
    func twelveOClockOfThePortal(_ example: (String, Int)) throws {
        let civil = try #require(PortalTime.parse("02/19/2026 \(example.0)"))
        #expect(civil.secondOfDay == example.1 * 60)
    }

    @Test func oddRowsAreKeptAndFlagged() throws {
        let file = try read(
            header + "Bridge,Fremont,3,2026-02-19T10:00:00,2026-02-19T10:01:00,1,,\n"
                + "Bridge,Fremont,3,2026-02-19T11:00:00,2026-02-19T11:45:00,45,,\n"
                + "Bridge,Fremont,3,2026-02-19T13:00:00,,,,\n"
                + "Bridge,Fremont,3,2026-02-19T14:00:00,2026-02-19T14:05:00,25,,\n")
        #expect(
            file.records.map(\.flags) == [[.short], [.long], [.missingEnd], [.minutesDisagree]])
        #expect(file.openings[2].end == nil)
    }

    @Test func theRepeatedHourIsResolvedByMinutesOpen() throws {
        func opening(_ open: String, _ close: String, _ minutes: String) throws -> Opening {
            try #require(
                try read(header + "Bridge,Fremont,3,\(open),\(close),\(minutes),,").openings.first)
        }
        let first = try TimeText.parse("2025-11-02T01:50:00-07:00")
        let across = try opening("2025-11-02T01:50:00", "2025-11-02T01:05:00", "15")
        #expect(across.start == first && across.minutes == 15)
        let short = try opening("2025-11-02T01:10:00", "2025-11-02T01:20:00", "10")
        #expect(short.start == (try TimeText.parse("2025-11-02T01:10:00-07:00")))
        let long = try opening("2025-11-02T01:10:00", "2025-11-02T01:20:00", "70")
        #expect(long.minutes == 70)
    }
}

@Suite struct RejectedRecordTests {
    /// One bad row of each kind, with the field that shows it.
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
            .implausibleLocation, "latitude"
        ),
        (
            "Bridge,Fremont,3,2026-02-19T13:01:00,2026-02-19T13:05:00,4,47.6476,west",
            .implausibleLocation, "longitude"
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

    @Test func entriesThatAreNotObjectsAreRejected() throws {
        let file = try read(
            "[1, {\"entityid\": \"3\", \"opendatetime\": \"2026-02-19T13:01:00\"}, null, [2]]")
        #expect(file.records.count == 1 && file.rejected.count == 3)
        #expect(file.rejected.map(\.location.number) == [1, 3, 4])
    }

    /// Real records with random bytes changed: the other rows stay.
    @Test func changedBytesAffectOnlyTheirRow() throws {
        let all = try String(
            contentsOf: Fixtures.trainingData("openings-2025-2026.csv"), encoding: .utf8)
        let lines = all.split(whereSeparator: \.isNewline).prefix(40).map { Array($0.utf8) + [10] }
        let rows = Array(lines.dropFirst())
        let (first, original) = (lines[0].count, lines.flatMap(\.self))
        let openings = try RecordFile(original, name: "r.csv", now: now).openings
        #expect(openings.count == 39)
        // The row of each byte after the header; a line end belongs to the next row too.
        let owners: [[Int]] = rows.enumerated().flatMap { row, line in
            line.map { $0 == 10 ? [row, row + 1] : [row] }
        }
        for seed: UInt64 in 0..<400 {
            var random = SeededGenerator(seed: seed)
            var (bytes, changed) = (original, Set<Int>())
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let index = Int.random(in: owners.indices, using: &random)
                bytes[first + index] = UInt8.random(in: 9...126, using: &random)
                changed.formUnion(owners[index])
            }
            let found = try RecordFile(bytes, name: "r.csv", now: now).openings
            let lost = openings.indices.filter {
                !changed.contains($0) && !found.contains(openings[$0])
            }
            #expect(lost.isEmpty, "seed \(seed): rows \(lost)")
        }
    }

    /// A row that differs from the previous one only by a missing quote, which changes its type.
    @Test func theSameTextSplitOtherwiseIsNotTakenFromTheCache() throws {
        let good = "\"Bridge\",\"Fremont\",\"3\",2026-02-19T13:01:00,2026-02-19T13:05:00,4,,\n"
        let file = try read(header + "\n" + good + good.dropFirst() + good)
        #expect(file.records.count == 2 && file.rejections == [.notABridge: 1])
        #expect(file.rejected.first?.value == "Bridge\"")
    }
}

@Suite struct RefusedRecordFileTests {
    @Test(arguments: [
        ("", "empty"), ("\n\n  \n", "nothing but blanks"), ("hello world\nfoo", "no column"),
        ("a,b,c\n1,2,3\n", "no column opendatetime"), (header, "no records"),
        ("entityid,opendatetime,opendatetime,closedatetime\n", "appears twice"),
        ("[{\"entityid\": 3,", "cut short"),
        ("{\"message\": \"rate limit\"}", "a message of the API: rate limit"),
        ("[]", "no records"), ("\"entityid", "not a CSV header"),
    ]) func aFileOfOtherContentIsRefused(_ example: (String, String)) throws {
        let error = #expect(throws: DocumentError.self) { try read(example.0) }
        #expect(error?.kind == .data)
        #expect(error?.description.contains(example.1) == true, "\(error?.description ?? "")")
    }

    @Test func binaryUTF16AndLatin1AreRefusedByName() throws {
        let utf16 = try #require(header.data(using: .utf16))
        for (bytes, word) in [
            ([UInt8](utf16), "UTF-16"), (Array("entityid,\0\0\0".utf8), "zero byte at offset 9"),
            (Array(header.utf8) + [0xe9, 0x0a], "not UTF-8"),
        ] {
            let error = #expect(throws: DocumentError.self) {
                try withFile(bytes) { try RecordFile($0, now: now) }
            }
            #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
        }
        let missing = #expect(throws: DocumentError.self) {
            try RecordFile(URL(fileURLWithPath: "/nonexistent/records.csv"), now: now)
        }
        #expect(missing?.kind == .missing)
        let folder = #expect(throws: DocumentError.self) {
            try RecordFile(URL(fileURLWithPath: "/tmp"), now: now)
        }
        #expect(folder?.kind == .io)
    }

    @Test func aHugeFileIsRefusedBeforeItIsRead() throws {
        try withFile([]) { url in
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: 1 << 30 | 1)  // sparse: takes no space
            try handle.close()
            let error = #expect(throws: DocumentError.self) {
                _ = try RecordFile(url, now: now)
            }
            #expect(error?.description.contains("larger than 1 GiB") == true)
        }
    }
}
