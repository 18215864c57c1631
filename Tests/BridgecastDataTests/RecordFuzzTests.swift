// Any bytes of records, feeds and traffic files are read or refused.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RecordFuzzTests {
    /// Mutated CSV and JSON of records, traffic, travel times, live states and SODA pages.
    @Test func anyBytesAreReadOrRefused() async {
        let fuzz = FuzzRun(usually: 30_000)
        let cases = fuzz.cases
        let seed = fuzz.seed
        let total = await fuzz.results(Self.run).reduce(into: Tally()) { $0.add($1) }
        #expect(total.read + total.refused == cases)
        #expect(total.read > cases / 10 && total.refused > cases / 10)
        if !fuzz.isUsual {
            print(
                "\(cases) texts from seed \(seed): \(total.read) read with \(total.rows) rows, "
                    + "\(total.refused) refused; the longest took \(total.longest)")
        }
    }

    private struct Tally: Sendable {
        var read = 0
        var refused = 0
        var rows = 0
        var longest = Duration.zero

        mutating func add(_ other: Tally) {
            read += other.read
            refused += other.refused
            rows += other.rows
            longest = max(longest, other.longest)
        }
    }

    private static let words = [
        "\"", "\"\"", ",", "\n", "\r\n", "[", "]", "{", "}", "\\u", "\\", "\u{0}", "\u{FEFF}",
        "null", "1e999",
        "-", "9999999999999999999", "\u{1B}[2J", "'; DROP TABLE opening;--", "é", "\u{D}",
    ].map { Array($0.utf8) }

    private static let seeds: [[UInt8]] = [
        """
        entitytype,entityname,entityid,opendatetime,closedatetime,minutesopen,latitude,longitude
        "Bridge","Fremont","3","2026-02-19T13:01:00.000","2026-02-19T13:05:00.000","4","47.6476","-122.3497"
        Bridge,Ballard,2,02/19/2026 01:01:00 PM,02/19/2026 01:05:00 PM,4,,
        "Bridge","1st ""Ave"" South","1","2025-11-02T01:50:00.000","2025-11-02T01:05:00.000","15",,

        """,
        #"[{"entityid":"3","entityname":"Fremont","opendatetime":"2026-02-19T13:01:00.000","closedatetime":null,":id":"row-a","minutesopen":"4",":updated_at":"2026-02-20T11:00:00.000Z"},{"entityid":29,"opendatetime":"2026-02-19T13:01:00.000\u0030","x":{"y":[1,2,{"z":null}]}}]"#,
        #"[{"BridgeID":3,"DisplayName":"Fremont","Status":"Open"},{"BridgeID":2,"Status":"Closed"}]"#,
        #""[{\"BridgeID\":3,\"Status\":\"Open\"},{\"BridgeID\":2,\"Status\":\"Closed\"}]""#,
        #"[{"TravelTimeID":5,"Name":"Montlake Bridge","Distance":2.5,"CurrentTime":9,"AverageTime":5,"TimeUpdated":"/Date(1740000000000-0800)/"}]"#,
        "bridge,time,volume_vph\nFremont,2026-02-20T12:00:00-08:00,1200\n3,2026-02-20T12:00,0.5\n",
    ].map { Array($0.utf8) }

    private static func run(_ cases: Int, _ seed: UInt64) -> Tally {
        var random = SeededGenerator(seed: seed)
        let now = Fixtures.timestamp("2026-11-21T12:00")
        let clock = ContinuousClock()
        var tally = Tally()
        for round in 0..<cases {
            let kind = Int.random(in: 0..<seeds.count, using: &random)
            let bytes = mutated(seeds[kind], edits: 0...6, words: words, &random)
            let start = clock.now
            let rows = read(bytes, kind, now: now, name: "seed \(seed), case \(round)")
            tally.longest = max(tally.longest, clock.now - start)
            tally.rows += rows ?? 0
            if rows != nil { tally.read += 1 } else { tally.refused += 1 }
        }
        return tally
    }

    private static func read(
        _ bytes: [UInt8], _ kind: Int, now: Timestamp, name: String
    ) -> Int? {
        switch kind {
        case 0: return (try? RecordFile(bytes, name: "f", now: now))?.rowsRead
        case 1:
            let page = try? SODAPage(bytes, now: now)
            let file = try? RecordFile(bytes, name: "f", now: now)
            if let page {
                let rows = page.rows.count + page.rejectedRows.count
                #expect(page.marks.count == rows, "\(name)")
            }
            return file?.rowsRead
        case 2, 3: return (try? BridgeDataReply(bytes))?.isRaised.count
        case 4: return (try? TravelTimesReply(bytes))?.times.count
        default: return (try? TrafficFile(bytes, name: "f"))?.readings.count
        }
    }
}
