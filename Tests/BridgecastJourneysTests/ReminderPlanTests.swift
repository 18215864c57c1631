import BridgecastCore
import BridgecastJourneys
import BridgecastTestSupport
import Testing

@Suite struct ReminderPlanTests {
    private let deadline = Fixtures.timestamp("2026-02-20T09:00")

    private func at(_ clock: String) -> Timestamp { Fixtures.timestamp("2026-02-20T\(clock)") }

    private func plan(
        leaving departure: String?, at now: String, after last: ReminderAnnouncement? = nil,
        isOn: Bool = true
    ) -> ReminderPlan {
        var wanted = reminder()
        wanted.isOn = isOn
        return ReminderPlan(
            for: wanted,
            LeaveBy(reminder: "r", deadline: deadline, departure: departure.map(at)),
            announced: last, at: at(now))
    }

    private func announcement(_ departure: String?, _ sequence: Int = 0) -> ReminderAnnouncement {
        ReminderAnnouncement(
            identity: .init(reminder: "r", deadline: deadline, sequence: sequence),
            departure: departure.map(at))
    }

    @Test func itIsAnnouncedWhenTheLeadHasComeAndNotBefore() {
        #expect(plan(leaving: "08:37", at: "08:31:59") == .nothing(until: at("08:32")))
        #expect(plan(leaving: "08:37", at: "08:32") == .announce(announcement("08:37")))
        #expect(plan(leaving: "08:37", at: "08:37") == .announce(announcement("08:37")))
        #expect(plan(leaving: "08:37", at: "08:34", isOn: false) == .nothing(until: nil))
    }

    @Test func itIsAnnouncedAgainOnlyIfItMovedByMoreThanTwoMinutes() {
        let first = announcement("08:37")
        for moved in ["08:35", "08:37", "08:39"] {
            #expect(plan(leaving: moved, at: "08:33", after: first) == .nothing(until: nil))
        }
        #expect(
            plan(leaving: "08:34", at: "08:33", after: first)
                == .announceAgain(announcement("08:34", 1), movedSeconds: -180))
        #expect(
            plan(leaving: "08:45", at: "08:33", after: first)
                == .announceAgain(announcement("08:45", 1), movedSeconds: 480))
        // Counted from what was announced last, not first.
        #expect(
            plan(leaving: "08:43", at: "08:34", after: announcement("08:45", 1))
                == .nothing(until: nil))
    }

    @Test func itIsTooLateOnceWhenNoDepartureIsInTime() {
        #expect(plan(leaving: nil, at: "08:40") == .tooLate(announcement(nil)))
        #expect(
            plan(leaving: nil, at: "08:40", after: announcement(nil)) == .nothing(until: nil))
        #expect(
            plan(leaving: nil, at: "08:36", after: announcement("08:37"))
                == .tooLate(announcement(nil, 1)))
        // What has passed is as late as none.
        #expect(plan(leaving: "08:37", at: "08:38") == .tooLate(announcement(nil)))
        // The bridge closed early.
        #expect(
            plan(leaving: "08:44", at: "08:41", after: announcement(nil, 1))
                == .announce(announcement("08:44", 2)))
        #expect(
            plan(leaving: "08:50", at: "08:41", after: announcement(nil, 1))
                == .nothing(until: at("08:45")))
    }

    @Test func nothingIsAnnouncedToOneWhoHasLeft() {
        let first = announcement("08:37")
        #expect(plan(leaving: nil, at: "08:37", after: first) == .nothing(until: nil))
        #expect(plan(leaving: nil, at: "08:39", after: first) == .nothing(until: nil))
        #expect(plan(leaving: "08:45", at: "08:40", after: first) == .nothing(until: nil))
        #expect(plan(leaving: nil, at: "09:01") == .nothing(until: nil))
    }

    @Test func anAnnouncementOfAnotherDeadlineDoesNotCount() {
        var yesterday = announcement("08:37", 3)
        yesterday.identity.deadline = deadline.adding(minutes: -1440)
        #expect(
            plan(leaving: "08:37", at: "08:33", after: yesterday)
                == .announce(announcement("08:37")))
        #expect(announcement("08:37", 2).identity.text == "r/1771606800/2")
    }

    /// Whatever the forecasts do minute by minute, no identity comes twice, and sequences count up from 0.
    @Test func noIdentityIsAnnouncedTwice() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            var last: ReminderAnnouncement?
            var identities: [ReminderAnnouncement.Identity] = []
            var departure = at("08:37")
            var now = at("08:15")
            while now < deadline.adding(minutes: 5) {
                departure = departure.adding(
                    seconds: Int64.random(in: -240...240, using: &random))
                let isPossible = Int.random(in: 0..<8, using: &random) > 0
                let plan = ReminderPlan(
                    for: reminder(),
                    LeaveBy(
                        reminder: "r", deadline: deadline,
                        departure: isPossible ? departure : nil), announced: last, at: now)
                switch plan {
                case .nothing: break
                case .announce(let next), .announceAgain(let next, _), .tooLate(let next):
                    if let time = next.departure { #expect(time >= now) }
                    identities.append(next.identity)
                    last = next
                }
                now = now.adding(seconds: 30)
            }
            #expect(identities.map(\.sequence) == Array(identities.indices))
            #expect(!identities.isEmpty)
        }
    }

    @Test func aRiderLeavesForTheDepartureAsForecastLessTheWalk() {
        var stop = reminder("w", minute: 520)
        stop.walkSeconds = 360
        let leaveBy = LeaveBy(
            catching: at("08:43"), of: "line 44", for: stop, deadline: at("08:40"),
            bridgeSeconds: 250)
        #expect(leaveBy.departure == at("08:37") && leaveBy.deadline == at("08:40"))
        #expect(leaveBy.bridgeSeconds == 250 && leaveBy.way == "line 44")
        let cancelled = LeaveBy(
            catching: nil, of: "line 44", for: stop, deadline: at("08:40"), bridgeSeconds: nil)
        #expect(cancelled.departure == nil)
    }
}
