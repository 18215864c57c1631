import BridgecastCore
@testable import BridgecastJourneys
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct JournalDocumentTests {
    /// Journeys of all kinds, with names that are hard to write.
    private var contents: JournalContents {
        let start = testNow.adding(minutes: -600)
        var detailed = forecast(stopped: 0.125)
        detailed.expectedDelaySeconds = 12.5
        var abandoned = journey("b", at: start.adding(minutes: 100), to: "a,b \"c\"\nd")
        abandoned.actualArrival = nil
        abandoned.isAbandoned = true
        let stop = Favourite(
            id: "f2", name: "bus", target: .stop(line: "44", stop: "1_29240", direction: ""),
            refresh: .manual)
        return JournalContents(
            journeys: [
                journey(
                    "a", at: start, delayMinutes: 2.5, from: "Zürich \u{1b}[31m", wasStopped: true,
                    forecast: detailed), abandoned,
                journey("c", at: start.adding(minutes: 200)),
            ], favourites: [commute("home"), stop], reminders: [reminder()])
    }

    private func problem(_ text: String) -> String {
        do {
            _ = try JournalContents(reading: Array(text.utf8), now: testNow)
            return "none"
        } catch {
            return error.description
        }
    }

    @Test func anExportIsReadBackAsItWas() throws {
        let bytes = Array(contents.jsonText().utf8)
        #expect(try JournalContents(reading: bytes, now: testNow) == contents)
        let csv = Array(contents.csv.utf8)
        #expect(try JournalContents(reading: csv, now: testNow).journeys == contents.journeys)
    }

    @Test func wrongDocumentsAreRefusedWithLineAndField() {
        let good = contents.jsonText()
        func edited(_ old: String, _ new: String) -> String {
            problem(good.replacingOccurrences(of: old, with: new))
        }
        #expect(edited("\"stopped\": true", "\"speed\": 3") == "line 15: field 'speed' is unknown")
        #expect(
            edited("\"mode\": \"car\",\n      \"planned", "\"mode\": \"boat\",\n      \"planned")
                == "line 9: mode: 'boat' should be car, bike, walk or transit")
        #expect(edited("\"version\": 2", "\"version\": 3").contains("newer version of bridgecast"))
        #expect(edited("\"version\": 2", "\"version\": 0") == "version: should be 1 to 2")
        #expect(edited("bridgecast-journal", "else").hasPrefix("format: is not"))
        #expect(edited("\"id\": \"c\"", "\"id\": \"a\"") == "journeys: id 'a' is there twice")
        #expect(edited("\"expected_s\": 1200", "\"expected_s\": \"x\"").contains("a number"))
        #expect(edited("\"Ballard\"", "\"Tower\"").contains("drawbridges of Seattle"))
        #expect(problem(String(good.dropLast(3))).contains("not valid JSON there, or cut short"))
        #expect(problem("{}") == "format: is not \"bridgecast-journal\"")
        #expect(problem("") == "line 1: the header is missing")
        #expect(problem("id,speed\n") == "line 1: field 'speed' is unknown")
    }

    @Test(arguments: [
        ("\"abandoned\": false", "\"abandoned\": \"false\"", "abandoned: 'false' should be true"),
        ("\"expected_s\": 1200", "\"expected_s\": \"1200\"", "should be a number, without quotes"),
        ("\"use_count\": 0", "\"use_count\": \"0\"", "should be a whole number, without quotes"),
        ("\"on\": true", "\"on\": \"true\"", "on: 'true' should be true or false, without"),
        ("\"on\": true", "\"on\": \"\"", "on: '' should be true or false, without quotes"),
        ("\"id\": \"r\"", "\"id\": 5", "id: '5' should be a text, in quotes"),
        ("\"name\": \"bus\"", "\"name\": [\"bus\"]", "name: 'bus' should be a text, in quotes"),
        ("\"line\": \"44\"", "\"line\": 44", "line: '44' should be a text, in quotes"),
    ])
    func aValueOfAnotherTypeIsRefused(_ right: String, _ wrong: String, _ expected: String) {
        let text = contents.jsonText()
        #expect(text.contains(right))
        let problem = problem(text.replacing(right, with: wrong))
        #expect(problem.hasPrefix("line ") && problem.contains(expected), "\(problem)")
    }

    @Test func aByteOrderMarkIsSkippedAndUTF16IsNamed() throws {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        for text in [contents.csv, contents.jsonText()] {
            let read = try JournalContents(reading: mark + Array(text.utf8), now: testNow)
            #expect(read.journeys == contents.journeys)
        }
        #expect(throws: DocumentProblem.self) {
            try JournalContents(reading: [0xff, 0xfe, 0x69, 0], now: testNow)
        }
    }

    @Test func aLaterEntryThatIsWrongRefusesAllOfACSV() {
        var lines = contents.csv.split(separator: "\n", omittingEmptySubsequences: false)
        lines[lines.count - 2] = "c,r,n,car,2026-02-20T17:00:00-08:00,2026-02-20T16:00:00-08:00"
        #expect(problem(lines.joined(separator: "\n")).contains("fields; the header has 17"))
        let header = "id,route,name,mode,planned_departure,planned_arrival,created_at\n"
        let end = ",2026-02-20T16:00:00-08:00,2026-02-20T16:00:00-08:00\n"
        #expect(
            problem(header + "c,r,n,car,2026-02-20T17:00:00-08:00" + end)
                == "line 2: \(JourneyProblem.endsBeforeStart)")
    }

    private func csv(_ rows: [String]) -> String {
        let header = "id,route,name,mode,planned_departure,planned_arrival,created_at,"
        return (["\(header)actual_departure,actual_arrival,abandoned"] + rows).joined(
            separator: "\n")
    }

    private static let day = "2026-02-19"

    @Test(arguments: [
        // It ends before it starts, as planned and as it was.
        (
            "T08:00:00-08:00,2026-02-19T07:59:00-08:00,2026-02-19T08:00:00-08:00,,,true",
            "the journey ends before it starts"
        ),
        (
            "T08:00:00-08:00,2026-02-19T08:10:00-08:00,2026-02-19T08:00:00-08:00,2026-02-19T08:01:00-08:00,2026-02-19T08:00:59-08:00,",
            "the journey ends before it starts"
        ),
        // It takes years.
        (
            "T08:00:00-08:00,2031-02-19T08:00:00-08:00,2026-02-19T08:00:00-08:00,,,true",
            "more than 24 hours"
        ),
        (
            "T08:00:00-08:00,2026-02-19T08:10:00-08:00,2026-02-19T08:00:00-08:00,2019-02-19T08:00:00-08:00,2026-02-19T08:10:00-08:00,",
            "more than 24 hours"
        ),
        // It is in the future.
        (
            "T08:00:00-08:00,2026-02-19T08:10:00-08:00,2026-02-19T08:00:00-08:00,2026-02-19T08:00:00-08:00,2026-02-20T21:00:00-08:00,",
            "more than 24 hours"
        ),
        (
            "T08:00:00-08:00,2026-02-19T08:10:00-08:00,2999-01-01T00:00:00Z,,,true",
            "created_at: is more than a day in the future"
        ),
    ])
    func impossibleTimesAreRefusedWithTheirLine(_ row: String, _ expected: String) {
        let good =
            "g,r,n,car,2026-02-18T08:00:00-08:00,2026-02-18T08:10:00-08:00,2026-02-18T08:00:00-08:00,,,true"
        #expect(problem(csv([good])) == "none")
        let found = problem(csv([good, "x,r,n,car,\(Self.day)\(row)"]))
        #expect(found.hasPrefix("line 3: ") && found.contains(expected), "\(found)")
    }

    @Test func aFarPlanAndAFarLastUseAreRefused() {
        let far =
            "x,r,n,car,2999-01-01T00:00:00Z,2999-01-01T00:10:00Z,2026-02-19T08:00:00-08:00,,,true"
        #expect(problem(csv([far])) == "line 2: \(JourneyProblem.future)")
        var favourite = commute("home")
        favourite.lastUsed = Fixtures.timestamp("2026-02-21T19:00")
        let fine = JournalContents(favourites: [favourite]).jsonText()
        #expect(problem(fine) == "none")
        let late = fine.replacingOccurrences(of: "2026-02-21T19:00", with: "2999-02-21T19:00")
        #expect(problem(late).hasSuffix("last_used_at: is more than a day in the future"))
        #expect(problem(late).hasPrefix("line "))
    }

    @Test func onlyOneJourneyOfAnImportIsUnderWay() throws {
        func row(_ id: String) -> String {
            "\(id),r,\(id),car,2026-02-20T08:00:00-08:00,2026-02-20T08:10:00-08:00,2026-02-20T08:00:00-08:00,2026-02-20T08:00:00-08:00,,"
        }
        #expect(problem(csv([row("a")])) == "none")
        let expected = "line 3: actual_arrival: is missing, and an earlier journey is under way"
        #expect(problem(csv([row("a"), row("b")])).hasPrefix(expected))
        var two = [journey("a", at: testNow.adding(minutes: -60)), journey("b", at: testNow)]
        for index in two.indices { two[index].actualArrival = nil }
        let found = problem(JournalContents(journeys: two).jsonText())
        #expect(found.hasPrefix("line 2") && found.contains("an earlier journey is under way"))
        // Nor one while another one is that is kept; itself again it may be.
        try withJournal { (store, _) throws in
            try store.begin(two[0], now: testNow)
            #expect(
                try store.merge(JournalContents(journeys: [two[0]]), now: testNow).replaced == 1)
            #expect(throws: JourneyStoreError.self) {
                try store.merge(JournalContents(journeys: [two[1]]), now: testNow)
            }
            #expect(try store.journeys().map(\.id) == ["a"])
        }
    }

    /// Offsets are those of the zone that the traveller was in: after a flight, and on both days of the change of clocks.
    @Test func timesOfOtherZonesAndOfBothChangesOfClocksAreInstants() throws {
        let rows = [
            "flight,r,n,car,2026-02-19T08:00:00-08:00,2026-02-19T13:00:00-05:00,2026-02-19T08:00:00-08:00,2026-02-19T08:00:00-08:00,2026-02-19T13:20:00-05:00,",
            "autumn,r,n,car,2025-11-02T01:50:00-07:00,2025-11-02T01:10:00-08:00,2025-11-02T01:50:00-07:00,2025-11-02T01:50:00-07:00,2025-11-02T01:15:00-08:00,",
            "spring,r,n,car,2025-03-09T01:50:00-08:00,2025-03-09T03:10:00-07:00,2025-03-09T01:50:00-08:00,2025-03-09T01:50:00-08:00,2025-03-09T03:15:00-07:00,",
        ]
        let journeys = try JournalContents(reading: Array(csv(rows).utf8), now: testNow).journeys
        #expect(journeys.map(\.travelSeconds) == [8400, 1500, 1500])
        #expect(journeys.map(\.delaySeconds) == [1200, 300, 300])
    }

    @Test func aMillionRowsAreRefusedAtTheLimit() {
        let row =
            "\nx,r,n,car,2026-02-19T08:00:00-08:00,2026-02-19T08:10:00-08:00,2026-02-19T08:00:00-08:00,,,true"
        let text = csv([]) + String(repeating: row, count: 1_000_000)
        #expect(problem(text) == "line 100002: more than 100000 journeys")
    }

    @Test(arguments: [
        "'); DROP TABLE journey; --", "<script>alert(1)</script>", "\u{202e}gnp.exe", "=1+1",
        "../../etc/passwd", "%00%s%n", "\u{1b}[2J", "e\u{301}\u{301}\u{301}", "🚲🌉", " ",
        String(repeating: "x", count: 200),
    ])
    func hostileNamesStayTextsOfTheirOwn(_ name: String) throws {
        try withJournal { (store, _) throws in
            var hostile = journey("a", at: testNow.adding(minutes: -60))
            hostile.name = name
            hostile.route = name
            let contents = JournalContents(journeys: [hostile])
            for text in [contents.jsonText(), contents.csv] {
                let read = try JournalContents(reading: Array(text.utf8), now: testNow)
                #expect(read == contents)
                _ = try store.merge(read, now: testNow)
                #expect(try store.contents() == contents)
            }
        }
    }

    @Test func anImportTwiceReplacesAndAddsNothing() throws {
        try withJournal { (store, _) throws in
            let first = try store.merge(contents, now: testNow)
            #expect(first.added == 3 && first.replaced == 0 && first.favourites == 2)
            let second = try store.merge(contents, now: testNow)
            #expect(second.added == 0 && second.replaced == 3)
            #expect(try store.contents().journeys == contents.journeys)
            #expect(try store.favourites().map(\.name) == ["home", "bus"])
        }
    }

    /// A favourite was entered again on another device before the old export came.
    @Test func aFavouriteWithTheSameNameAndTripIsTheSame() throws {
        try withJournal { (store, _) throws in
            var own = commute("Home")
            own.id = "new"
            own.target = commute("home").target
            try store.add(own)
            var known = reminder("known", of: "new")
            known.minuteOfDay = reminder().minuteOfDay
            try store.set(known)
            let report = try store.merge(contents, now: testNow)
            #expect(report.favourites == 2 && report.reminders == 0)
            #expect(try store.favourites().map(\.id) == ["new", "f2"])
            #expect(try store.reminders().map(\.id) == ["known"])
            var later = contents
            later.reminders = [reminder("later", minute: 600)]
            #expect(try store.merge(later, now: testNow).reminders == 1)
            #expect(try store.reminders().map(\.favourite) == ["new", "new"])
        }
    }

    /// A backup is restored over reminders that were changed since.
    @Test func aReminderThatSaysWhatAReplacedOneSaidIsKept() throws {
        try withJournal { (store, _) throws in
            try store.add(commute("home"))
            try store.set(reminder("a", minute: 540))
            var backup = JournalContents(favourites: [try store.favourites()[0]])
            backup.reminders = [reminder("a", minute: 600), reminder("b", minute: 540)]
            #expect(try store.merge(backup, now: testNow).reminders == 2)
            #expect(try store.reminders().map(\.minuteOfDay).sorted() == [540, 600])
            _ = try store.setReminder("b", isOn: false)
            backup.reminders = [reminder("c", minute: 540)]
            #expect(try store.merge(backup, now: testNow).reminders == 1)
            #expect(try store.reminders().first { $0.id == "b" }?.isOn == true)
        }
    }

    @Test func anEntryThatAnotherOneExcludesIsNamedWithItsLine() throws {
        let document = try JournalDocument(reading: Array(contents.jsonText().utf8), now: testNow)
        func conflict(with favourite: Favourite) throws -> DocumentProblem? {
            var found: DocumentProblem?
            try withJournal { (store, _) throws in
                try store.add(favourite)
                do throws(JourneyStoreError) {
                    _ = try store.merge(document.contents, now: testNow)
                } catch {
                    guard case .conflict(let conflict) = error.problem else { return }
                    #expect(error.kind == .data)
                    found = document.problem(of: conflict)
                }
                #expect(try store.journeys().isEmpty)
            }
            return found
        }
        var own = commute("gym")
        own.name = "home"
        let name = try #require(try conflict(with: own))
        #expect(name.location.hasPrefix("line ") && name.problem.contains("gym -> work, by car"))
        own = commute("home")
        own.id = "new"
        own.name = "office"
        let trip = try #require(try conflict(with: own))
        #expect(trip.location == name.location && trip.problem.contains("'office' is kept"))
    }

    @Test func aReminderWithoutItsFavouriteIsNamedWithItsLine() throws {
        var lonely = contents
        lonely.favourites = []
        let document = try JournalDocument(reading: Array(lonely.jsonText().utf8), now: testNow)
        try withJournal { (store, _) throws in
            let error = #expect(throws: JourneyStoreError.self) {
                try store.merge(document.contents, now: testNow)
            }
            guard case .conflict(let conflict) = error?.problem else {
                Issue.record("\(String(describing: error))")
                return
            }
            let problem = document.problem(of: conflict)
            #expect(problem.location.hasPrefix("line "))
            #expect(problem.problem.contains("favourite_id: no favourite"))
        }
    }

    @Test func overlappingImportsAreKeptAndCounted() throws {
        try withJournal { (store, _) throws in
            let start = testNow.adding(minutes: -600)
            let all = [journey("a", at: start), journey("b", at: start.adding(minutes: 5))]
            #expect(try store.merge(JournalContents(journeys: all), now: testNow).overlapping == 1)
        }
    }

    /// Whatever is changed in an export, it is imported as a whole or not at all.
    @Test func mutatedExportsNeverCrashAndAreNeverImportedInPart() async throws {
        let json = Array(contents.jsonText().utf8)
        let csv = Array(contents.csv.utf8)
        let words = ["null", "{", "[", "\"", "\\u0000", "1e999", "-", "true", "9999-12-31"]
            .map { Array($0.utf8) }
        let results = await FuzzRun(usually: 2_000).results { cases, seed -> [Int] in
            var random = SeededGenerator(seed: seed)
            var wrong = 0
            var read = 0
            for _ in 0..<cases {
                let original = Bool.random(using: &random) ? json : csv
                let bytes = mutated(original, words: words, &random)
                guard let found = try? JournalContents(reading: bytes, now: testNow) else {
                    continue
                }
                read += 1
                let isValid =
                    found.journeys.allSatisfy { (try? $0.validate(now: testNow)) != nil }
                    && found.favourites.allSatisfy { (try? $0.validate()) != nil }
                    && found.reminders.allSatisfy { (try? $0.validate()) != nil }
                // What is read can be written and read again.
                let again = try? JournalContents(
                    reading: Array(found.jsonText().utf8), now: testNow)
                if !isValid || again?.journeys.map(\.id) != found.journeys.map(\.id)
                    || again?.reminders != found.reminders
                {
                    wrong += 1
                }
            }
            return [wrong, read]
        }
        #expect(results.allSatisfy { $0[0] == 0 })
        #expect(results.map { $0[1] }.reduce(0, +) > 0)
        try withJournal { (store, _) throws in
            var bad = contents
            bad.journeys[2].plannedArrival = testNow.adding(minutes: 5_000)
            #expect(throws: JourneyStoreError.self) { try store.merge(bad, now: testNow) }
            #expect(try store.contents() == JournalContents())
        }
    }

    // MARK: Anonymous

    @Test func anonymousRowsAreSharedByFiveJourneysAndHaveNoNames() throws {
        try withJournal { (store, _) throws in
            let morning = Fixtures.timestamp("2026-02-01T08:00")
            for day in 0..<5 {
                try store.add(
                    journey("m\(day)", at: morning.adding(minutes: Double(day) * 1440)),
                    now: testNow)
            }
            for day in 0..<4 {
                try store.add(
                    journey(
                        "e\(day)", at: morning.adding(minutes: Double(day) * 1440 + 600),
                        delayMinutes: 25, from: "work", to: "home"), now: testNow)
            }
            let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
            let export = try store.anonymousExport(zone: zone)
            #expect(export.rows.count == 1)
            let row = try #require(export.rows.first)
            #expect(row.journeys == 5 && row.timeSlot == .morning && row.delayClass == .onTime)
            #expect(export.leftOutRows == 1 && export.leftOutJourneys == 4)
            let text = export.jsonText() + export.csv
            #expect(!text.contains("work") && !text.contains("2026"))
            let key = try store.salt()
            #expect(key.count == 32 && !text.contains(hexadecimal(key)))
            #expect(
                row.routeHash
                    == hexadecimal(
                        SHA256.authenticationCode(of: "car/home/work".utf8, key: key)))
        }
    }

    @Test func anotherJournalHashesTheSameRouteDifferently() throws {
        try withJournal { (one, _) throws in
            try withJournal { (two, _) throws in #expect(try one.salt() != two.salt()) }
        }
    }

    // MARK: Attacks on the anonymous export

    private static let seattle = TimeZone(secondsFromGMT: -8 * 3600) ?? .current

    /// Journeys of `counts` on as many routes, one each day at 8:00, so that each route is one row.
    private func commuting(
        _ counts: [Int], weeksBefore weeks: Int = 0, delayMinutes: Double = 0
    ) -> [Journey] {
        let morning = Fixtures.timestamp("2025-12-01T08:00")
        return counts.enumerated().flatMap { route, count in
            (0..<count).map { day in
                journey(
                    "r\(route)-\(day)",
                    at: morning.adding(
                        minutes: Double(day - 7 * weeks) * 1440 + Double(route * 7 + day % 3)),
                    delayMinutes: delayMinutes, from: "home \(route)")
            }
        }
    }

    private func export(_ journeys: [Journey], salt: [UInt8] = [1, 2, 3]) -> AnonymousExport {
        AnonymousExport(of: journeys, zone: Self.seattle, salt: salt)
    }

    private func text(_ export: AnonymousExport) -> String { export.jsonText() + export.csv }

    /// From two exports one learns of no single journey: neither of one more, nor of one that is left out.
    @Test func oneJourneyMoreDoesNotShow() {
        let whole = text(export(commuting([6, 12])))
        #expect(text(export(commuting([7, 12]))) == whole)
        #expect(text(export(commuting([6, 14]))) == whole)
        #expect(text(export(commuting([6, 12, 1]))) == whole)
        #expect(text(export(commuting([6, 12, 4, 2]))) == whole)
        // The feature removed: a fifth journey does show.
        #expect(text(export(commuting([6, 12, 5]))) != whole)
        #expect(text(export(commuting([6, 15]))) != whole)
    }

    /// Neither dates nor the order in which journeys were made or entered.
    @Test func orderAndDatesDoNotShow() {
        let journeys = commuting([5, 10, 15])
        let whole = text(export(journeys))
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20 {
            #expect(text(export(journeys.shuffled(using: &random))) == whole)
        }
        #expect(text(export(commuting([5, 10, 15], weeksBefore: 3))) == whole)
        // By hash, which says nothing of names: over many keys each route is first as often as the others.
        var first = [0, 0, 0]
        for key in 0..<300 {
            let salt = [UInt8](repeating: 0, count: 8) + [UInt8(key % 256), UInt8(key / 256)]
            let counts = export(journeys, salt: salt).rows.map(\.journeys)
            #expect(counts.sorted() == [5, 10, 15])
            first[counts[0] / 5 - 1] += 1
        }
        #expect(first.allSatisfy { (60...140).contains($0) }, "\(first)")
    }

    /// A list of all places is of no use without the key, and two people cannot be joined by a route they share.
    @Test func routesCannotBeTriedOutOrJoined() {
        let mine = export(commuting([5, 5]), salt: [UInt8](repeating: 7, count: 32))
        let hers = export(commuting([5, 5]), salt: [UInt8](repeating: 8, count: 32))
        let hashes = Set(mine.rows.map(\.routeHash))
        #expect(hashes.count == 2 && hashes.isDisjoint(with: hers.rows.map(\.routeHash)))
        for from in 0..<10 {
            let route = Array(Journey.identity(from: "home \(from)", to: "work", mode: .car).utf8)
            for key in [[], route, Array("bridgecast".utf8), [UInt8](repeating: 0, count: 32)] {
                let guess = SHA256.authenticationCode(of: route, key: key)
                #expect(!hashes.contains(hexadecimal(guess)))
            }
            #expect(!hashes.contains(hexadecimal(SHA256.hash(route))))
        }
    }

    /// A delay is a class, a time a slot: minutes within them change nothing.
    @Test func minutesDoNotShow() {
        let whole = text(export(commuting([10], delayMinutes: 5.5)))
        #expect(text(export(commuting([10], delayMinutes: 10))) == whole)
        #expect(text(export(commuting([10], delayMinutes: 10.5))) != whole)
    }

    @Test func slotsAndClassesHaveTheirLimits() {
        let slots = (0..<24).map { TimeSlot(hour: $0) }
        #expect(slots[3] == .night && slots[4] == .earlyMorning && slots[7] == .morning)
        #expect(slots[11] == .midday && slots[14] == .afternoon && slots[17] == .evening)
        #expect(slots[21] == .night)
        let classes = [-60, 300, 301, 600, 601, 1200, 1201].map { DelayClass(seconds: $0) }
        #expect(
            classes == [.onTime, .onTime, .slight, .slight, .moderate, .moderate, .significant])
    }
}
