// Records in all their good forms: the openings they give, and what is flagged.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Testing

private let now = RecordText.now
private let header = RecordText.header

private func read(_ text: String) throws -> RecordFile { try RecordText.read(text) }

@Suite struct RecordFileTests {
    @Test func theShippedRecordsAreAllUsable() throws {
        for (name, rows) in [("openings-2017-2018.csv", 4_535), ("openings-2025-2026.csv", 3_245)] {
            let file = try RecordFile(Fixtures.trainingData(name), now: now)
            #expect(file.rowsRead == rows && file.rejected.isEmpty, "\(name)")
        }
    }

    @Test func bothSpellingsAndFormsGiveTheSameOpenings() throws {
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

    @Test func bothDateFormsAndLooseHeadersAreRead() throws {
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

    @Test func theRepeatedHourIsToldApartByMinutesOpen() throws {
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
