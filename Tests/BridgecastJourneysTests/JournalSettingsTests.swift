// Settings and consents: what each of them forbids in the store, and their document.
import BridgecastCore
@testable import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@Suite struct JournalSettingsTests {
    private func refusal(_ body: () throws -> Void) -> SettingsRefusal? {
        do {
            try body()
            return nil
        } catch let error as JourneyStoreError {
            guard case .refused(let refusal) = error.problem else {
                Issue.record(error)
                return nil
            }
            return refusal
        } catch {
            Issue.record(error)
            return nil
        }
    }

    private func changing(_ change: (inout JournalSettingsChange) -> Void) -> JournalSettingsChange
    {
        var result = JournalSettingsChange()
        change(&result)
        return result
    }

    private let begun = testNow.adding(minutes: -60)

    /// A journey that has not ended.
    private func underWay(_ id: String = "a") -> Journey {
        var result = journey(id, at: begun)
        result.actualArrival = nil
        return result
    }

    // MARK: Keeping

    @Test func bothConsentsAreOffUntilTheyAreGiven() throws {
        try withJournal { (store, url) throws in
            let settings = try store.settings()
            #expect(!settings.keepsHistory && !settings.keepsLocation && settings.tracksJourneys)
            #expect(settings.refresh == .fiveMinutes && settings.reminderLeadSeconds == 300)
            #expect(settings.announcesMoves && settings == JournalSettings())
            let changed = try store.change(
                changing {
                    $0.keepsHistory = true
                    $0.refresh = .manual
                })
            #expect(changed.settings.keepsHistory && !changed.settings.keepsLocation)
            // Also in the file, for the next program that opens it.
            let reopened = try JourneyStore(url, .reading)
            defer { reopened.close() }
            #expect(try reopened.settings() == changed.settings)
            #expect(try store.resetSettings().settings == JournalSettings())
        }
    }

    @Test func anImpossibleLeadChangesNothing() throws {
        try withJournal { (store, _) throws in
            for lead in [-1, Reminder.maxSeconds + 1, .max] {
                #expect(throws: JourneyStoreError.self) {
                    try store.change(
                        changing {
                            $0.reminderLeadSeconds = lead
                            $0.keepsHistory = true
                        })
                }
            }
            #expect(try store.settings() == JournalSettings())
        }
    }

    @Test func aJournalOfBeforeHasTheDefaultsAndAllThatWasInIt() throws {
        try withJournal { (store, url) throws in
            try store.add(journey("a", at: begun), now: testNow)
            try store.database.write {
                try $0.execute(sql: "DROP TABLE settings; PRAGMA user_version = 2")
            }
            store.close()
            let migrated = try JourneyStore(url, .writing)
            defer { migrated.close() }
            #expect(try migrated.settings() == JournalSettings())
            #expect(try migrated.journeys().map(\.id) == ["a"])
        }
    }

    @Test func aSettingThatWasDamagedInTheFileIsReported() throws {
        for damage in ["refreshMinutes = 3", "reminderLeadSeconds = 99999"] {
            try withJournal { (store, _) throws in
                try store.database.write { try $0.execute(sql: "UPDATE settings SET \(damage)") }
                let error = try #require(throws: JourneyStoreError.self) { try store.settings() }
                guard case .file(.damaged) = error.problem else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }

    // MARK: History

    @Test func withoutConsentAServiceRecordsNothingAndOnesOwnCommandDoes() throws {
        try withJournal { (store, _) throws in
            #expect(
                refusal { try store.begin(underWay(), by: .service, now: testNow) }
                    == .noHistoryConsent)
            #expect(
                refusal { try store.add(journey("b", at: begun), by: .service, now: testNow) }
                    == .noHistoryConsent)
            let contents = JournalContents(journeys: [journey("c", at: begun)])
            #expect(
                refusal { _ = try store.merge(contents, by: .service, now: testNow) }
                    == .noHistoryConsent)
            #expect(try store.journeys().isEmpty)
            // Favourites are no history.
            _ = try store.merge(
                JournalContents(favourites: [commute("home")]), by: .service, now: testNow)
            try store.begin(underWay(), now: testNow)
            #expect(
                refusal {
                    _ = try store.end(
                        .arrived(wasStopped: nil), at: testNow, by: .service, now: testNow)
                } == .noHistoryConsent)
            #expect(try store.underWay() != nil)
            _ = try store.end(.abandoned, at: testNow, by: .service, now: testNow)
            _ = try store.change(changing { $0.keepsHistory = true })
            try store.add(journey("b", at: begun), by: .service, now: testNow)
            #expect(try store.journeys().count == 2)
        }
    }

    /// Before roads are searched for a journey that would be refused.
    @Test func whatMayBeRecordedIsKnownBefore() throws {
        try withJournal { (store, _) throws in
            try store.checkRecording(by: .ownCommand)
            #expect(refusal { try store.checkRecording(by: .service) } == .noHistoryConsent)
            _ = try store.change(changing { $0.keepsHistory = true })
            try store.checkRecording(by: .service)
            _ = try store.change(changing { $0.tracksJourneys = false })
            for source in [JourneySource.ownCommand, .service] {
                #expect(refusal { try store.checkRecording(by: source) } == .trackingIsOff)
            }
        }
    }

    @Test func nothingIsLearnedWithoutConsentAndAllOfItWithIt() throws {
        try withJournal { (store, _) throws in
            for number in 0..<6 {
                try store.add(
                    journey(
                        "j\(number)", at: begun.adding(minutes: Double(-number) * 60),
                        delayMinutes: 5, wasStopped: false, forecast: forecast(stopped: 0.1)),
                    now: testNow)
            }
            let route = Journey.identity(from: "home", to: "work", mode: .car)
            func learned() throws -> Int {
                try store.learnableJourneys().pace(on: route, endedBy: testNow).journeys
            }
            #expect(try learned() == 0)
            #expect(try store.learnableJourneys().obstacle == .noConsent)
            _ = try store.change(changing { $0.keepsHistory = true })
            #expect(try learned() == 6)
            #expect(try store.learnableJourneys().obstacle == nil)
            _ = try store.change(changing { $0.tracksJourneys = false })
            #expect(try learned() == 0)
            #expect(try store.learnableJourneys().obstacle == .trackingIsOff)
        }
    }

    @Test func whileTrackingIsOffNothingIsRecordedNotEvenByHand() throws {
        try withJournal { (store, _) throws in
            try store.begin(underWay(), now: testNow)
            _ = try store.change(
                changing {
                    $0.tracksJourneys = false
                    $0.keepsHistory = true
                })
            for source in [JourneySource.ownCommand, .service] {
                #expect(
                    refusal { try store.add(journey("b", at: begun), by: source, now: testNow) }
                        == .trackingIsOff)
                #expect(
                    refusal {
                        _ = try store.end(
                            .arrived(wasStopped: true), at: testNow, by: source, now: testNow)
                    } == .trackingIsOff)
            }
            let contents = JournalContents(journeys: [journey("c", at: begun)])
            #expect(refusal { _ = try store.merge(contents, now: testNow) } == .trackingIsOff)
            #expect(try store.end(.abandoned, at: testNow, now: testNow).isAbandoned)
            #expect(refusal { try store.begin(underWay("d"), now: testNow) } == .trackingIsOff)
            #expect(try store.journeys().map(\.id) == ["a"])
        }
    }

    // MARK: Location

    private let home = "47.66871,-122.37612"

    @Test func withoutConsentNothingWithCoordinatesIsKept() throws {
        try withJournal { (store, url) throws in
            var own = commute("home")
            own.target = .trip(from: home, to: "work", mode: .car)
            let contents = JournalContents(favourites: [own])
            for attempt in [
                { try store.add(own) }, { _ = try store.merge(contents, now: testNow) },
                { try store.add(journey("b", at: begun, from: home), now: testNow) },
                { try store.begin(journey("c", at: begun, to: home), now: testNow) },
                { try store.add(commute(home)) },
            ] {
                guard case .coordinates = refusal(attempt) else {
                    Issue.record("kept")
                    continue
                }
            }
            try store.add(commute("gym"))
            #expect(refusal { _ = try store.setFavourite("gym", name: "at \(home)") } != nil)
            let bytes = try Data(contentsOf: url)
            #expect(bytes.range(of: Data("47.66871".utf8)) == nil)
            #expect(bytes.range(of: Data("4766871".utf8)) == nil)
        }
    }

    /// Of the journal and of its file: `secure_delete` overwrites what is removed.
    @Test func withdrawingTheConsentRemovesWhatItAllowed() throws {
        try withJournal { (store, url) throws in
            _ = try store.change(changing { $0.keepsLocation = true })
            var own = commute("own")
            own.target = .trip(from: home, to: "work", mode: .car)
            try store.add(own)
            try store.add(commute("gym"))
            try store.set(
                Reminder(id: "r", favourite: own.id, minuteOfDay: 540, zone: "America/Los_Angeles"))
            try store.add(journey("a", at: begun, from: home), now: testNow)
            try store.add(journey("b", at: begun, from: "gym"), now: testNow)
            #expect(try Data(contentsOf: url).range(of: Data("47.66871".utf8)) != nil)
            // A change of something else removes nothing.
            #expect(try store.change(changing { $0.refresh = .manual }).removedFavourites == 0)
            let report = try store.change(changing { $0.keepsLocation = false })
            #expect(report.removedJourneys == 1 && report.removedFavourites == 1)
            #expect(report.removedReminders == 1)
            #expect(try store.journeys().map(\.id) == ["b"])
            #expect(try store.favourites().map(\.name) == ["gym"] && store.reminders().isEmpty)
            for trace in ["47.66871", "4766871", "122.37612"] {
                #expect(try Data(contentsOf: url).range(of: Data(trace.utf8)) == nil, "\(trace)")
            }
        }
    }

    @Test(arguments: [
        ("47.66871,-122.37612", true), ("at 47.66871, -122.37612 -> work", true),
        ("47.67;-122.37", true), ("47.6687 -122.3761", true), ("47.66° N, 122.37° W", true),
        ("+47.66,+8.54", true), ("home", false), ("15th Ave W 3.5", false),
        ("line 44, 7.50", false),
        ("12.5,13.5", false), ("95.11,-122.37", false), ("47.66 or else 122.37", false),
        ("47,-122", false), ("9.00-10.30", false),
        ("47°40'05\"N 122°23'02\"W", true), ("47° 40.1' N, 122° 23′ W", true),
        ("N47.668 W122.384", true), ("https://maps.example/?q=47.668%2C-122.384", true),
        ("https://maps.example/?q=47.668%252C-122.384", true),
        ("100% of https://maps.example/?lat=47.668&lon=-122.384", true),
        ("https://maps.example/?lat=47.668&lon=-122.384", true),
        ("buses 44,545, 62,550", false), ("5.50 new 7.25", false), ("gate 12.30/14.45", false),
        ("C/ Mayor 3º 2, 1º 4", false), ("20° C", false), ("100% Coffee", false),
    ])
    func coordinatesAreFoundInTexts(text: String, isFound: Bool) {
        #expect(CoordinatesInText.isIn(text) == isFound)
    }

    // MARK: Reminders

    @Test func aMoveIsAnnouncedOnlyIfThatIsWanted() throws {
        try withJournal { (store, _) throws in
            #expect(try store.announcesMoves())
            _ = try store.change(changing { $0.announcesMoves = false })
            #expect(try !store.announcesMoves())
        }
        let reminder = Reminder(
            id: "r", favourite: "f", minuteOfDay: 540, zone: "America/Los_Angeles")
        let deadline = testNow.adding(minutes: 60)
        let last = ReminderAnnouncement(
            identity: .init(reminder: "r", deadline: deadline, sequence: 0),
            departure: testNow.adding(minutes: 20))
        func plan(_ minutes: Double?, _ announcesMoves: Bool) -> ReminderPlan {
            ReminderPlan(
                for: reminder,
                LeaveBy(
                    reminder: "r", deadline: deadline,
                    departure: minutes.map { testNow.adding(minutes: $0) }),
                announced: last, announcesMoves: announcesMoves, at: testNow)
        }
        guard case .announceAgain = plan(10, true) else {
            Issue.record("not again")
            return
        }
        #expect(plan(10, false) == .nothing(until: nil))
        // That it is too late is no move.
        guard case .tooLate = plan(nil, false) else {
            Issue.record("not too late")
            return
        }
    }

    // MARK: Clearing

    @Test func clearingLeavesNoTraceInFavourites() throws {
        try withJournal { (store, _) throws in
            try store.add(commute("home"))
            let old = testNow.adding(minutes: -10_000)
            try store.add(journey("a", at: old), now: testNow)
            try store.add(journey("b", at: begun, minutes: 30), now: testNow)
            #expect(try store.favourite("home").useCount == 2)
            #expect(try store.clear(before: begun) == 1)
            let kept = try store.favourite("home")
            #expect(kept.useCount == 1 && kept.lastUsed == begun && kept.averageSeconds == 1800)
            #expect(try store.clear(before: testNow) == 1)
            let empty = try store.favourite("home")
            #expect(empty.useCount == 0 && empty.lastUsed == nil && empty.averageSeconds == nil)
            _ = try store.change(changing { $0.keepsHistory = true })
            #expect(try store.learnableJourneys().journeys.isEmpty)
        }
    }

    @Test func aRemovedJourneyThatIsPutBackCountsAsBefore() throws {
        try withJournal { (store, _) throws in
            try store.add(commute("home"))
            try store.add(journey("a", at: begun), now: testNow)
            let before = try store.favourite("home")
            let removed = try store.removeJourney("a")
            #expect(try store.favourite("home").useCount == 0)
            _ = try store.merge(JournalContents(journeys: [removed]), now: testNow)
            #expect(try store.favourite("home") == before)
        }
    }

    // MARK: Documents

    @Test func aDocumentIsReadAsItWasWritten() throws {
        var settings = JournalSettings()
        settings.refresh = .fifteenMinutes
        settings.reminderLeadSeconds = 0
        settings.announcesMoves = false
        settings.tracksJourneys = false
        settings.keepsHistory = true
        settings.keepsLocation = true
        for original in [settings, JournalSettings()] {
            #expect(try JournalSettings(reading: Array(original.jsonText().utf8)) == original)
        }
    }

    private static let document = """
        {"format": "bridgecast-settings", "version": 1, "refresh_min": 5,
         "reminder_lead_s": 300, "announces_moves": true,
         "tracks_journeys": true, "keeps_history": false, "keeps_location": false}
        """

    @Test(arguments: [
        ("bridgecast-settings", "bridgecast-journal", "format: is not \"bridgecast-settings\""),
        ("\"version\": 1", "\"version\": 2", "version: 2 is of a newer version of bridgecast"),
        ("\"version\": 1", "\"version\": 0", "version: should be 1 to 1"),
        ("\"refresh_min\": 5", "\"refresh_min\": 3", "line 1: refresh_min: '3' should be 0, 1, 2"),
        ("300", "-1", "line 2: reminder_lead_s: '-1' should be 0 to 7200 seconds"),
        ("300", "7201", "line 2: reminder_lead_s: '7201' should be"),
        ("300", "1e400", "line 2: reminder_lead_s: '1e400' should be"),
        ("300", "9223372036854775808", "line 2: reminder_lead_s: "),
        ("300", "{}", "line 2: reminder_lead_s: must not be an object"),
        ("300", "null", "line 1: reminder_lead_s: is missing"),
        (
            "\"keeps_history\": false", "\"keeps_history\": 1",
            "line 3: keeps_history: '1' should be true or false"
        ),
        ("\"keeps_history\": false, ", "", "line 1: keeps_history: is missing"),
        ("keeps_history", "keeps_everything", "line 3: field 'keeps_everything' is unknown"),
        ("keeps_location", "keeps_history", "line 3: field 'keeps_history' is there twice"),
        (
            "keeps_location", "keeps\\u005flocation",
            "line 3: field 'keeps\\u005flocation' is unknown"
        ),
        ("false}", "false", "line 3: not valid JSON there, or cut short"),
        ("false}", "false} {}", "line 3: not valid JSON there, or cut short"),
    ])
    func aWrongDocumentIsRefusedWithItsLineAndField(
        part: String, replacement: String, problem: String
    ) {
        let text = Self.document.replacing(part, with: replacement)
        let error = #expect(throws: DocumentProblem.self) {
            try JournalSettings(reading: Array(text.utf8))
        }
        #expect(error?.description.hasPrefix(problem) == true, "\(String(describing: error))")
    }

    /// Bytes changed at random never crash, and never make other settings than some that can be kept.
    @Test func mutatedDocumentsAreReadOrRefused() throws {
        var random = SeededGenerator(seed: 39)
        let original = Array(Self.document.utf8)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
                }
                if bytes.isEmpty { break }
            }
            do throws(DocumentProblem) {
                let settings = try JournalSettings(reading: bytes)
                #expect((0...Reminder.maxSeconds).contains(settings.reminderLeadSeconds))
            } catch {
                refused += 1
            }
        }
        #expect(refused > 15_000)
    }
}
