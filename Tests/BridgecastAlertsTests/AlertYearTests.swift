// A year of real openings, with both changes of clocks, restarts at any point and clocks that are set: nothing is sent
// twice, and nothing is lost without a trace.
import BridgecastCore
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastAlerts

@Suite struct AlertYearTests {
    /// Ballard's openings of 2016 as they were, and a process that lives through them.
    private struct Year {
        var random = SeededGenerator(seed: 2016)
        let clock = HandClock(Fixtures.timestamp("2016-01-01T00:00"))
        let url: URL
        var store: AlertStore
        var recorder: AlertRecorder
        var dispatcher: AlertDispatcher
        var carrier: RecordingCarrier
        /// What every process so far has sent.
        var sent: [AlertMessage] = []
        /// True seconds since the year began, and by how much the clock is ahead.
        var trueSeconds: Int64 = 0
        var aheadSeconds: Int64 = 0
        /// Whether this process has seen the bridge go up; else it does not know since when it is up.
        var raisedSince: Timestamp?
        var wasDown = false
        var isFirstBoard = true
        var restarts = 0, interruptions = 0, settings = 0

        init(_ url: URL) async throws {
            self.url = url
            carrier = RecordingCarrier()
            store = try AlertStore(url, .writing)
            dispatcher = AlertDispatcher(store, carriers: ["command": carrier], clock: clock)
            recorder = try await AlertRecorder(store, dispatcher: dispatcher, clock: clock)
        }

        /// Ends the process as kill -9 does, and starts another.
        mutating func restart() async throws {
            restarts += 1
            sent += carrier.sent.map(\.message)
            store.close()
            carrier = RecordingCarrier()
            store = try AlertStore(url, .writing)
            dispatcher = AlertDispatcher(store, carriers: ["command": carrier], clock: clock)
            recorder = try await AlertRecorder(store, dispatcher: dispatcher, clock: clock)
            raisedSince = nil
            wasDown = false
            isFirstBoard = true
        }

        mutating func pass(seconds: Int64) {
            trueSeconds += seconds
            clock.advance(seconds: Double(seconds))
        }

        mutating func setClock(aheadSeconds: Int64) {
            settings += 1
            clock.set(clock.now.adding(seconds: aheadSeconds - self.aheadSeconds))
            self.aheadSeconds = aheadSeconds
            // The tracker forgets since when a bridge is up, as LiveService has it.
            raisedSince = nil
            wasDown = false
        }

        mutating func look(isRaised: Bool, seconds: Int64) async {
            if isRaised, raisedSince == nil, wasDown { raisedSince = clock.now }
            if !isRaised {
                raisedSince = nil
                wasDown = true
            }
            await recorder.take(
                board(
                    isRaised ? .raised(since: raisedSince) : .lowered, at: clock.now,
                    seconds: isFirstBoard ? nil : Double(seconds)))
            isFirstBoard = false
        }
    }

    @Test func nothingIsSentTwiceOrLostInAYear() async throws {
        let start = Fixtures.timestamp("2016-01-01T00:00")
        let end = Fixtures.timestamp("2017-01-01T00:00")
        let openings = Array(
            Fixtures.shippedHistory.openings(of: ballard, overlapping: start..<end))
        #expect(openings.count > 1000)
        try await withAlerts { url in
            let setup = try AlertStore(url, .writing)
            try setup.addPerson(
                "me",
                BridgeConditions(raised: true, lowered: true, stillRaisedMinutes: [15, 20, 30]))
            let reminder = try setup.add(to: "me", nil) { subscriber in
                AlertRule(
                    id: "leave", subscriber: subscriber,
                    subject: .departure(
                        DepartureReminder(
                            name: "work", leaveBy: .daily(secondOfDay: 27_600))),
                    createdAt: start)
            }.rule
            setup.close()
            var year = try await Year(url)
            let seen = try await live(through: openings, from: start, to: end, &year)
            try check(year, seen: seen, reminder: reminder)
            year.store.close()
        }
    }

    /// Returns how many openings were on a board while up.
    private func live(
        through openings: [Opening], from start: Timestamp, to end: Timestamp, _ year: inout Year
    ) async throws -> Int {
        var next = openings.startIndex
        var seen: Set<Int> = []
        while start.adding(seconds: year.trueSeconds) < end {
            let now = start.adding(seconds: year.trueSeconds)
            while next < openings.endIndex, (openings[next].end ?? openings[next].start) <= now {
                next += 1
            }
            let isRaised = next < openings.endIndex && openings[next].start <= now
            // Close looks around openings and at the time of the reminder.
            let step: Int64 =
                isRaised
                ? 30
                : min(
                    600,
                    next < openings.endIndex
                        ? max(30, openings[next].start.secondsSinceEpoch - now.secondsSinceEpoch)
                        : 600)
            year.pass(seconds: step)
            let time = start.adding(seconds: year.trueSeconds)
            let isUp =
                next < openings.endIndex && openings[next].start <= time
                && time < openings[next].end ?? openings[next].start
            await year.look(isRaised: isUp, seconds: step)
            if isUp { seen.insert(next) }
            try await disturb(&year, isRaised: isUp)
        }
        year.pass(seconds: 7200)
        await year.look(isRaised: false, seconds: 7200)
        await year.dispatcher.deliverDue()
        year.pass(seconds: 10)
        await year.dispatcher.deliverDue()
        year.sent += year.carrier.sent.map(\.message)
        return seen.count
    }

    /// Delivers, or restarts between any two writes, or sets the clock.
    private func disturb(_ year: inout Year, isRaised: Bool) async throws {
        switch Int.random(in: 0..<(isRaised ? 200 : 2000), using: &year.random) {
        case 0: try await year.restart()
        case 1:
            // Ends after the ledger says that something is being sent: sent or not is unknown.
            let waiting = try year.store.waiting()
            if !waiting.isEmpty {
                let messages = waiting.map { ($0.number, "interrupted") }
                _ = try year.store.begin(
                    Dictionary(uniqueKeysWithValues: messages), now: year.clock.now)
                year.interruptions += waiting.count
            }
            try await year.restart()
        case 2:
            let ahead = Int64.random(in: -7200...7200, using: &year.random)
            year.setClock(aheadSeconds: Bool.random(using: &year.random) ? 0 : ahead)
        case 3...60 where isRaised: break
        default: await year.dispatcher.deliverDue()
        }
    }

    private func check(_ year: Year, seen: Int, reminder: AlertRule) throws {
        let log = try year.store.log(max: 1_000_000)
        #expect(year.restarts > 100 && year.settings > 30 && year.interruptions > 5)
        // Nothing twice: neither by identity nor, for the same opening, under another one.
        let identities = year.sent.flatMap { $0.alerts.map(\.identity) }
        #expect(Set(identities).count == identities.count)
        let bridge = log.filter { $0.alert.bridge != nil }
        let raised = bridge.filter { $0.alert.identity.kind == .raised }
        // One entry for each opening that was seen, less those that are the same by the minute they began in.
        #expect(raised.count <= seen && raised.count >= seen - 5, "\(raised.count) of \(seen)")
        // Nothing without a trace: all are settled, and what counts as delivered was sent.
        #expect(log.allSatisfy { $0.status.isFinal })
        let delivered = Set(log.filter { $0.status == .delivered }.map(\.alert.identity))
        #expect(delivered == Set(identities))
        #expect(log.count { $0.status == .unknown } == year.interruptions)
        // A reminder of each day: sent, missed while nothing looked, or too late; 2016 was a leap year.
        let days = log.filter { $0.alert.identity.rule == reminder.id }
        #expect(days.count >= 364 && days.count <= 367, "\(days.count)")
        #expect(Set(days.map(\.alert.identity.occasion)).count == days.count)
    }
}
