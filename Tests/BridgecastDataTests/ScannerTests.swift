// The scanners against references: Foundation's JSON, and one thread against many.
@testable import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JSONRecordScannerTests {
    /// The wanted fields of each object; nil for an entry that is none; throws as the scanner does.
    private func entries(_ bytes: [UInt8]) throws -> [[String?]?] {
        var window = try TextWindow(bytes, path: "text")
        let names = ["a", "b"]
        var scanner = JSONRecordScanner(fieldCount: 2) { names.firstIndex(of: $0) }
        var found: [[String?]?] = []
        while true {
            switch try scanner.next(&window) {
            case .end: return found
            case .noObject: found.append(nil)
            case .record:
                found.append(
                    scanner.fields.map {
                        $0 == .absent ? nil : RawRecord.text($0, window.bytes.span)
                    })
            }
        }
    }

    @Test func scalarsAreTextAndEverythingElseIsAbsent() throws {
        let text = #"""
            [ {"a": "x\"\u00e9\ud83d\ude00\n", "b": -1.50e3, "c": {"a": [1, {"b": 2}]}},
              {"b": true, "a": null}, 7, [], {"b": "2", "b": "3"}, {} ]
            """#
        #expect(
            try entries(Array(text.utf8)) == [
                ["x\"é😀\n", "-1.50e3"], [nil, nil], nil, nil, [nil, "3"], [nil, nil],
            ])
    }

    @Test func entriesMayLieAcrossBlocks() throws {
        let filler = String(repeating: " ", count: TextWindow.blockBytes - 40)
        let many = (0..<5_000).map { "{\"a\": \"\($0)\", \"b\": \($0), \"c\": \"ü\"}" }
        let text = "[" + filler + many.joined(separator: ",\n") + "]"
        let found = try entries(Array(text.utf8))
        #expect(found.count == 5_000 && found[4_321] == ["4321", "4321"])
    }

    @Test func depthAndLengthAreBounded() {
        for depth in [20, 100_000] {
            let nested =
                "[{\"a\":" + String(repeating: "[", count: depth)
                + String(repeating: "]", count: depth) + "}]"
            #expect((try? entries(Array(nested.utf8))) != nil ? depth == 20 : depth == 100_000)
        }
        let endless = "[{\"a\": \"" + String(repeating: "x", count: 3 << 20) + "\"}]"
        #expect(throws: DocumentError.self) { try entries(Array(endless.utf8)) }
    }

    /// Texts with random bytes changed are accepted exactly where Foundation accepts them.
    @Test func theGrammarIsThatOfFoundation() {
        var random = SeededGenerator(seed: 2)
        let original = Array(
            #"[{"a":"x\u00e9\"","b":-1.5e3,"c":[true,false,null,{"d":[]}]}, 12, "s", {"b":0}]"#.utf8
        )
        let alphabet = Array("[]{}\",:\\0123456789.eE+-truefalsn u".utf8)
        var (accepted, refused) = (0, 0)
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = alphabet.randomElement(using: &random) ?? 32
                case 1: bytes.remove(at: place)
                default: bytes.insert(alphabet.randomElement(using: &random) ?? 32, at: place)
                }
            }
            let reference = try? JSONSerialization.jsonObject(
                with: Data(bytes), options: [.fragmentsAllowed])
            let isArray = reference is [Any]
            let ours = try? entries(bytes)
            // A name with a broken escape is not decoded by us; Foundation refuses it.
            let text = String(decoding: bytes, as: UTF8.self)
            if isArray { accepted += 1 } else { refused += 1 }
            // Foundation forgives a comma before a bracket; the grammar does not.
            if text.contains(/,\s*[\]}]/) { continue }
            if isArray {
                #expect(ours?.count == (reference as? [Any])?.count, "\(text)")
            } else if ours != nil {
                #expect(text.contains("\\"), "\(text)")
            }
        }
        #expect(accepted > 1_000 && refused > 1_000)
    }
}

@Suite struct PartwiseReadingTests {
    private let now = Fixtures.moment("2026-11-21T12:00")

    /// Rows of several parts' length, some of them bad, at known lines.
    private func table(rows: Int, oddRow: (Int) -> String?) -> [UInt8] {
        var text = "entityid,entityname,opendatetime,closedatetime,minutesopen\n"
        for row in 0..<rows {
            let minute = row % 60 < 10 ? "0\(row % 60)" : "\(row % 60)"
            text +=
                oddRow(row)
                ?? "\"3\",\"Fremont\",\"2026-02-19T13:\(minute):00.000\",\"2026-02-19T14:05:00.000\",\"4\"\n"
        }
        return Array(text.utf8)
    }

    @Test func partsReadAtOnceAreTheWholeReadInOrder() throws {
        let rows = 60_000  // about 4 MB: several parts
        let file = try RecordFile(
            table(rows: rows) { $0 % 9_973 == 17 ? "99,Nowhere,2026-02-19T13:00:00,,\n" : nil },
            name: "t", now: now)
        let bad = (0..<rows).filter { $0 % 9_973 == 17 }
        #expect(file.rejections == [.unknownBridge: bad.count] && file.rowsRead == rows)
        #expect(file.rejected.map(\.location.number) == bad.prefix(3).map { $0 + 2 })
        #expect(
            file.records.map(\.location.number).elementsEqual(
                (0..<rows).filter { !bad.contains($0) }.map { $0 + 2 }))
        #expect(file.records[40_000].opening.minutes ?? 0 > 4)
    }

    /// Every row counts, on its own line, whatever ends it, and wherever a block of the text ends.
    @Test(arguments: [["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r", "\r\r", "\n\n", "\r\n\r\n"]])
    func everyLineEndEndsARow(_ ends: [String]) throws {
        var random = SeededGenerator(seed: 4)
        let rows = 30_000  // several blocks and parts
        var text = "entityid,entityname,opendatetime,closedatetime"
        var lines: [Int] = []
        var line = 1
        func endLine() {
            let end = ends.randomElement(using: &random) ?? "\n"
            line += end.replacingOccurrences(of: "\r\n", with: "\n").unicodeScalars.count
            text += end
        }
        endLine()
        for row in 0..<rows {
            lines.append(line)
            // A name with a line end in it, which is part of the row.
            let isTall = row % 1_000 == 7
            text += isTall ? "3,\"Fre" : "3,Fremont"
            if isTall {
                endLine()
                text += "mont\""
            }
            text += ",2026-02-19T13:0\(row % 10):00.000,\"2026-02-19T14:05:00.000\""
            if row < rows - 1 { endLine() }
        }
        let file = try RecordFile(Array(text.utf8), name: "t", now: now)
        #expect(file.rejections.isEmpty)
        #expect(file.records.map(\.location.number).elementsEqual(lines))
    }

    @Test func aLoneCarriageReturnCostsNoRow() throws {
        let rows = (0..<6).map { "3,2026-02-19T13:0\($0):00,2026-02-19T13:05:00" }
        let text =
            "entityid,opendatetime,closedatetime\n" + rows[0] + "\r"
            + rows[1...].joined(separator: "\n")
        let file = try RecordFile(Array(text.utf8), name: "t", now: now)
        #expect(file.rowsRead == 6 && file.records.count == 6)
    }

    /// A field with line breaks inside, on every part's boundary at once, and a quote that never closes.
    @Test func recordsThatRunOverPartsAreReadInOrder() throws {
        let rows = 50_000
        let tall = "3,\"Fre\nmont\",2026-02-19T13:00:00.000,2026-02-19T13:05:00.000,5\n"
        let file = try RecordFile(
            table(rows: rows) { $0 == 100 ? "3,\"open,2026\n" : $0 % 2 == 1 ? tall : nil },
            name: "t",
            now: now)
        #expect(file.rowsRead == rows)
        #expect(file.rejections[.badQuoting] == 1)
        // The line break counts for nothing in a name; a row with one takes two lines.
        #expect(file.records.count == rows - 1)
        #expect(file.records.last?.location.number == rows + rows / 2)
    }
}

@Suite struct RecordFuzzTests {
    private static func setting(_ name: String, or usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
    }

    /// Parts of a run, each with a seed of its own; they are as many on every machine, so that the cases
    /// are the same everywhere.
    private static let shares = 20

    /// Mutated CSV and JSON of records, traffic, travel times, live states and SODA pages.
    @Test func anyBytesAreReadOrRefused() async {
        let cases = Self.setting("BRIDGECAST_FUZZ_CASES", or: 30_000)
        let seed = Self.setting("BRIDGECAST_FUZZ_SEED", or: 20_261_121)
        let total = await withTaskGroup(of: Tally.self) { group in
            for share in 0..<Self.shares {
                group.addTask {
                    Self.run(
                        cases / Self.shares, UInt64(truncatingIfNeeded: seed &* 1_000 &+ share))
                }
            }
            return await group.reduce(into: Tally()) { $0.add($1) }
        }
        #expect(total.read + total.refused == cases / Self.shares * Self.shares)
        #expect(total.read > cases / 10 && total.refused > cases / 10)
        if cases != 30_000 {
            print(
                "\(cases) texts from seed \(seed): \(total.read) read with \(total.rows) rows, "
                    + "\(total.refused) refused; the longest took \(total.longest)")
        }
    }

    private struct Tally: Sendable {
        var (read, refused, rows) = (0, 0, 0)
        var longest = Duration.zero

        mutating func add(_ other: Tally) {
            read += other.read
            refused += other.refused
            rows += other.rows
            longest = max(longest, other.longest)
        }
    }

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
        let now = Fixtures.moment("2026-11-21T12:00")
        let clock = ContinuousClock()
        var tally = Tally()
        for round in 0..<cases {
            let kind = Int.random(in: 0..<seeds.count, using: &random)
            let bytes = mutated(seeds[kind], &random)
            let start = clock.now
            let rows = read(bytes, kind, now, "seed \(seed), case \(round)")
            tally.longest = max(tally.longest, clock.now - start)
            tally.rows += rows ?? 0
            if rows != nil { tally.read += 1 } else { tally.refused += 1 }
        }
        return tally
    }

    private static func read(
        _ bytes: [UInt8], _ kind: Int, _ now: Timestamp, _ name: String
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

    /// Bits flipped, pieces cut, repeated or exchanged, and words that mean something put in.
    private static func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        let words = [
            "\"", "\"\"", ",", "\n", "\r\n", "[", "]", "{", "}", "\\u", "\\", "\u{0}", "\u{FEFF}",
            "null",
            "1e999", "-", "9999999999999999999", "\u{1B}[2J", "'; DROP TABLE opening;--", "é",
            "\u{D}",
        ].map { Array($0.utf8) }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...24, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where place < bytes.count:
                bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
            case 4: bytes = Array(bytes.prefix(place))
            default:
                let copies = Int.random(in: 1...40, using: &random)
                for _ in 0..<copies { bytes.insert(contentsOf: bytes[place..<end], at: place) }
            }
        }
        return bytes
    }
}
