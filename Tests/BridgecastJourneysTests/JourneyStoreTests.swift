import BridgecastCore
@testable import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@Suite struct JourneyStoreTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func problem(_ body: () throws -> Void) -> JourneyStoreProblem? {
        do {
            try body()
            return nil
        } catch let error as JourneyStoreError {
            return error.problem
        } catch {
            return nil
        }
    }

    // MARK: The file

    @Test func theFileAndItsLogsAreForTheirOwnerOnly() throws {
        try withJournal { (store, url) throws in
            try store.add(journey("a", at: testNow.adding(minutes: -60)), now: testNow)
            for ending in ["", "-wal", "-shm"] { #expect(try mode(url.path + ending) == 0o600) }
        }
    }

    @Test func anOlderFileThatOthersCouldReadBecomesPrivate() throws {
        try withJournal { (store, url) throws in
            store.close()
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: url.path)
            try JourneyStore(url, .writing).close()
            #expect(try mode(url.path) == 0o600)
        }
    }

    @Test func aFileOfAnotherProgramIsRefusedAndNotChanged() throws {
        try withJournalFolder { folder in
            let text = folder.appendingPathComponent("notes.txt")
            try Data("shopping".utf8).write(to: text)
            let other = folder.appendingPathComponent("other.sqlite")
            try DatabaseQueue(path: other.path).write {
                try $0.execute(sql: "CREATE TABLE mine (x)")
            }
            let history = folder.appendingPathComponent("history.sqlite")
            try HistoryStore(history, .writing).close()
            for url in [text, other, history] {
                let before = try Data(contentsOf: url)
                for access in [HistoryStore.Access.reading, .writing] {
                    #expect(
                        problem { _ = try JourneyStore(url, access) } == .file(.foreign))
                }
                #expect(try Data(contentsOf: url) == before)
            }
        }
    }

    @Test func aJournalOfANewerVersionIsRefused() throws {
        try withJournal { (store, url) throws in
            try store.database.write { try $0.execute(sql: "PRAGMA user_version = 99") }
            store.close()
            for access in [HistoryStore.Access.reading, .writing] {
                #expect(problem { _ = try JourneyStore(url, access) } == .file(.newer))
            }
        }
    }

    @Test func aMissingJournalIsReportedAndNotCreatedByReading() throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("journeys.sqlite")
            let found = problem { _ = try JourneyStore(url, .reading) }
            #expect(found == .missing)
            #expect(found?.kind == .missing)
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
    }

    @Test func theHistoryStoreNeitherReadsNorBacksUpAJournal() throws {
        try withJournal { (store, url) throws in
            try store.add(
                journey("a", at: testNow.adding(minutes: -60), from: "secret"), now: testNow)
            let folder = url.deletingLastPathComponent()
            let history = try HistoryStore(
                folder.appendingPathComponent("history.sqlite"), .writing)
            defer { history.close() }
            let copy = folder.appendingPathComponent("copy.sqlite")
            try history.backUp(to: copy)
            #expect(try Data(contentsOf: copy).range(of: Data("secret".utf8)) == nil)
            // A journal is neither a store to open nor a copy to replace.
            #expect(throws: HistoryStoreError.self) { try HistoryStore(url, .reading) }
            #expect(throws: HistoryStoreError.self) { try history.backUp(to: url) }
            #expect(try store.journeys().count == 1)
        }
    }

    @Test func aFullDiskIsReportedAndReadingWorks() throws {
        try withJournal { (store, _) throws in
            try store.add(journey("a", at: testNow.adding(minutes: -60)), now: testNow)
            guard case .plain(let queue) = store.database else { return }
            try queue.writeWithoutTransaction { database in
                let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(pages)")
            }
            let many = (0..<500).map { index in
                journey("b\(index)", at: testNow.adding(minutes: -100 - Double(index)))
            }
            let found = problem {
                _ = try store.merge(JournalContents(journeys: many), now: testNow)
            }
            #expect(found == .file(.full))
            #expect(found?.kind == .io)
            #expect(try store.journeys().map(\.id) == ["a"])
        }
    }

    // MARK: Journeys

    @Test func aJourneyIsKeptAsItWasEntered() throws {
        try withJournal { (store, url) throws in
            let entered = journey(
                "a", at: testNow.adding(minutes: -60), delayMinutes: 3.5, wasStopped: true,
                forecast: forecast(stopped: 0.25))
            try store.add(entered, now: testNow)
            #expect(try JourneyStore(url, .reading).journeys() == [entered])
        }
    }

    @Test func impossibleJourneysAreRefused() throws {
        let start = testNow.adding(minutes: -60)
        var backwards = journey("a", at: start)
        backwards.actualArrival = start.adding(seconds: -1)
        var planBackwards = journey("a", at: start)
        planBackwards.plannedArrival = start.adding(seconds: -1)
        var withoutDeparture = journey("a", at: start)
        withoutDeparture.actualDeparture = nil
        var both = journey("a", at: start)
        both.isAbandoned = true
        var farFromPlan = journey("a", at: start)
        farFromPlan.plannedDeparture = start.adding(minutes: -1500)
        farFromPlan.plannedArrival = start.adding(minutes: -1400)
        let early = Timestamp(secondsSinceEpoch: -1)
        let cases: [(Journey, JourneyProblem)] = [
            (backwards, .endsBeforeStart), (planBackwards, .endsBeforeStart),
            (journey("a", at: testNow.adding(seconds: 61), minutes: 0), .future),
            (journey("a", at: testNow.adding(minutes: -10)), .future),
            (journey("a", at: testNow.adding(minutes: -2000), minutes: 1441), .tooLong),
            (journey("a", at: early, minutes: 1), .tooEarly),
            (withoutDeparture, .neverDeparted), (both, .arrivedAndAbandoned),
            (farFromPlan, .farFromPlan), (journey("a b", at: start), .badText("id")),
            (journey("", at: start), .badText("id")),
            (journey("a", at: start, forecast: forecast(stopped: 1.1)), .badForecast),
            (journey("a", at: start, forecast: forecast(stopped: .nan)), .badForecast),
        ]
        try withJournal { (store, _) throws in
            for (journey, expected) in cases {
                #expect(
                    problem { try store.add(journey, now: testNow) } == .journey(expected),
                    "\(journey)")
            }
            #expect(try store.journeys().isEmpty)
        }
    }

    @Test func aMinuteInTheFutureIsAllowedBecauseClocksDiffer() throws {
        try withJournal { (store, _) throws in
            let start = testNow.adding(seconds: 60)
            #expect(throws: Never.self) {
                try store.add(journey("a", at: start, minutes: 0), now: testNow)
            }
        }
    }

    @Test func journeysThatOverlapAreKeptAndReported() throws {
        try withJournal { (store, _) throws in
            let start = testNow.adding(minutes: -120)
            try store.add(journey("a", at: start), now: testNow)
            let inside = try store.add(
                journey("b", at: start.adding(minutes: 10), to: "gym"), now: testNow)
            #expect(inside.overlapping.map(\.id) == ["a"])
            let after = try store.add(journey("c", at: start.adding(minutes: 30)), now: testNow)
            #expect(after.overlapping.isEmpty)
            #expect(try store.journeys().count == 3)
        }
    }

    @Test func the1001stJourneyDropsTheOldest() throws {
        try withJournal { (store, _) throws in
            let first = testNow.adding(minutes: -60 * 1_100)
            let journeys = (0..<1_000).map { index in
                journey("j\(index)", at: first.adding(minutes: Double(index) * 60))
            }
            let report = try store.merge(JournalContents(journeys: journeys), now: testNow)
            #expect(report.added == 1_000 && report.dropped == 0)
            let addition = try store.add(
                journey("new", at: testNow.adding(minutes: -60)), now: testNow)
            #expect(addition.dropped == 1)
            let kept = try store.journeys()
            #expect(kept.count == 1_000)
            #expect(kept.first?.id == "j1" && kept.last?.id == "new")
            // One that is older than all is not kept, and that is an error.
            let old = journey("old", at: first.adding(minutes: -60))
            #expect(problem { try store.add(old, now: testNow) } == .olderThanKept)
            #expect(try store.journeys().count == 1_000)
        }
    }

    @Test func theLimitCanBeChangedAndDropsTheOldest() throws {
        try withJournal { (store, _) throws in
            for index in 0..<5 {
                try store.add(
                    journey("j\(index)", at: testNow.adding(minutes: Double(index - 10) * 60)),
                    now: testNow)
            }
            #expect(try store.setMaxJourneys(2) == 3)
            #expect(try store.journeys().map(\.id) == ["j3", "j4"])
            #expect(problem { try store.setMaxJourneys(0) } == .badLimit(max: 100_000))
            #expect(try store.maxJourneys() == 2)
        }
    }

    @Test func addingAndDroppingAreOneTransaction() throws {
        try withJournal { (store, _) throws in
            try store.setMaxJourneys(1)
            try store.add(journey("a", at: testNow.adding(minutes: -90)), now: testNow)
            try store.database.write {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER refuse BEFORE DELETE ON journey
                        BEGIN SELECT raise(ABORT, 'refused'); END
                        """)
            }
            #expect(throws: JourneyStoreError.self) {
                try store.add(journey("b", at: testNow.adding(minutes: -60)), now: testNow)
            }
            #expect(try store.journeys().map(\.id) == ["a"])
        }
    }

    @Test func aStartedJourneyEndsOnceAndOnlyOneIsUnderWay() throws {
        try withJournal { (store, _) throws in
            var started = journey("a", at: testNow.adding(minutes: -30))
            started.actualArrival = nil
            try store.begin(started, now: testNow)
            #expect(try store.underWay() == started)
            var second = started
            second.id = "b"
            #expect(
                problem { try store.begin(second, now: testNow) }
                    == .alreadyUnderWay("home -> work"))
            let ended = try store.end(.arrived(wasStopped: true), at: testNow, now: testNow)
            #expect(ended.delayMinutes == 10 && ended.wasStopped == true)
            #expect(ended.outcome == .arrived)
            #expect(
                problem { _ = try store.end(.abandoned, at: testNow, now: testNow) }
                    == .nothingUnderWay)
        }
    }

    @Test func anAbandonedJourneyHasNoDelay() throws {
        try withJournal { (store, _) throws in
            var started = journey("a", at: testNow.adding(minutes: -30))
            started.actualArrival = nil
            try store.begin(started, now: testNow)
            let ended = try store.end(.abandoned, at: testNow, now: testNow)
            #expect(ended.outcome == .abandoned && ended.delayMinutes == nil)
            #expect(try store.underWay() == nil)
        }
    }

    @Test func whatIsClearedIsNoLongerInTheFile() throws {
        try withJournal { (store, url) throws in
            try store.add(
                journey("old", at: testNow.adding(minutes: -6000), from: "hideout"), now: testNow)
            try store.add(journey("new", at: testNow.adding(minutes: -60)), now: testNow)
            let limit = testNow.adding(minutes: -1000)
            #expect(try store.clear(before: limit, isTrial: true) == 1)
            #expect(try store.journeys().count == 2)
            #expect(try store.clear(before: limit) == 1)
            #expect(try store.journeys().map(\.id) == ["new"])
            for ending in ["", "-wal"] {
                let data = try Data(contentsOf: URL(fileURLWithPath: url.path + ending))
                #expect(data.range(of: Data("hideout".utf8)) == nil)
            }
        }
    }

    @Test func aJourneyIsRemovedByTheBeginningOfItsID() throws {
        try withJournal { (store, _) throws in
            try store.add(journey("abc1", at: testNow.adding(minutes: -90)), now: testNow)
            try store.add(journey("abc2", at: testNow.adding(minutes: -60)), now: testNow)
            #expect(problem { _ = try store.removeJourney("abc") } == .ambiguous("abc"))
            #expect(problem { _ = try store.removeJourney("x") } == .unknown("x"))
            #expect(problem { _ = try store.removeJourney("") } == .unknown(""))
            #expect(try store.removeJourney("abc1").id == "abc1")
            #expect(try store.journeys().map(\.id) == ["abc2"])
        }
    }

    // MARK: Favourites

    @Test func favouritesKeepTheirOrderAndCountTheirJourneys() throws {
        try withJournal { (store, _) throws in
            for name in ["home", "gym", "school"] { try store.add(commute(name)) }
            try store.moveFavourite("School", to: 0)
            #expect(try store.favourites().map(\.name) == ["school", "home", "gym"])
            let start = testNow.adding(minutes: -90)
            try store.add(journey("a", at: start, from: "Home"), now: testNow)
            try store.add(
                journey("b", at: start.adding(minutes: 40), delayMinutes: 10), now: testNow)
            let home = try store.favourite("home")
            #expect(home.useCount == 2 && home.averageSeconds == 25 * 60)
            #expect(home.lastUsed == start.adding(minutes: 40))
            _ = try store.setFavourite("home", name: "Way to work", refresh: .manual)
            #expect(try store.favourite("waytowork").refresh == .manual)
            #expect(try store.removeFavourite("id-gym").favourite.name == "gym")
            #expect(try store.favourites().count == 2)
            #expect(try store.journeys().count == 2)
        }
    }

    @Test func twoFavouritesNeitherShareANameNorATrip() throws {
        try withJournal { (store, _) throws in
            try store.add(commute("home"))
            var sameName = commute("HOME")
            sameName.id = "other"
            #expect(problem { try store.add(sameName) } == .taken("home"))
            var sameTrip = commute("home")
            sameTrip.id = "other"
            sameTrip.name = "another"
            #expect(problem { try store.add(sameTrip) } == .taken("home"))
            #expect(
                problem { try store.add(commute("")) } == .favourite(.badText("name")))
            #expect(try store.favourites().count == 1)
        }
    }

    @Test func thereAreAtMost200Favourites() throws {
        try withJournal { (store, _) throws in
            let many = (0...200).map { commute("f\($0)") }
            #expect(
                problem {
                    _ = try store.merge(JournalContents(favourites: many), now: testNow)
                } == .tooManyFavourites(max: 200))
            #expect(try store.favourites().isEmpty)
        }
    }

    // MARK: Models

    @MainActor @Test func aFavouriteIsRefreshedSoonerBeforeItsReminder() throws {
        try withJournal { (store, _) throws in
            let model = FavouritesModel(store)
            var trip = commute("home")
            trip.refresh = .fifteenMinutes
            try store.add(trip)
            try store.add(journey("a", at: testNow.adding(minutes: -90)), now: testNow)
            @MainActor func seconds(
                _ now: String, _ condition: NetworkCondition = .good
            ) -> Double? {
                model.reload()
                return model.secondsToRefresh(
                    trip.id, now: Fixtures.timestamp(now), condition: condition)
            }
            #expect(seconds("2026-02-20T08:20") == 900, "no reminder")
            try store.set(
                Reminder(
                    id: "r", favourite: trip.id, minuteOfDay: 9 * 60, weekdays: .daily,
                    zone: "America/Los_Angeles"))
            // By an average of twenty minutes one leaves at 8:40.
            #expect(seconds("2026-02-20T06:00") == 900)
            #expect(seconds("2026-02-20T08:20") == 200)
            #expect(seconds("2026-02-20T08:20", .poor) == 400)
            #expect(seconds("2026-02-20T08:39") == 30)
            #expect(seconds("2026-02-20T08:42") == 30, "two minutes late")
            #expect(seconds("2026-02-20T08:43") == 900, "the next is tomorrow's")
            let bus = Fixtures.timestamp("2026-02-20T06:12")
            #expect(
                model.secondsToRefresh(
                    trip.id, departure: bus, now: bus.adding(minutes: -12), condition: .good)
                    == 120)
            model.set(trip.id, refresh: .manual)
            #expect(seconds("2026-02-20T08:39", .offline) == nil)
            #expect(model.secondsToRefresh("other", condition: .good) == nil)
        }
    }

    @MainActor @Test func modelsShowFavouritesRecentsAndStatistics() throws {
        try withJournal { (store, _) throws in
            let favourites = FavouritesModel(store)
            favourites.add(commute("home"))
            favourites.add(commute("home"))
            #expect(favourites.favourites.map(\.name) == ["home"])
            #expect(favourites.error?.problem == .taken("home"))
            let history = JourneyHistoryModel(store, zone: .gmt)
            let start = testNow.adding(minutes: -90)
            history.record(journey("a", at: start, delayMinutes: 4), now: testNow)
            history.record(journey("b", at: start.adding(minutes: 40), to: "gym"), now: testNow)
            #expect(history.journeys.map(\.id) == ["b", "a"])
            #expect(history.statistics?.meanDelayMinutes == 2)
            favourites.reload()
            #expect(favourites.recents.map(\.name) == ["home -> gym"])
            #expect(favourites.error == nil)
            history.clear(before: testNow, now: testNow)
            #expect(history.journeys.isEmpty && history.statistics?.journeys == 0)
        }
    }
}
