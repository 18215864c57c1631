// What is decided: by the kinds of rules, hours, pauses, restarts and clocks that are set.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastAlerts

@Suite struct AlertPlannerTests {
    private let every = BridgeConditions(
        raised: true, lowered: true, stillRaisedMinutes: [15, 20, 30])

    private func at(_ minutes: Double) -> Timestamp { testNow.adding(minutes: minutes) }

    @Test func anOpeningIsAnnouncedAtItsStartAtEachLengthAndAtItsEnd() {
        var planner = makePlanner([rule(every)])
        #expect(planner.plan(board(.lowered, at: at(0))).isEmpty)
        var summary: [String] = []
        for minute in 1...40 {
            let state: SpanState = minute < 33 ? .raised(since: at(1)) : .lowered
            summary += planner.plan(board(state, at: at(Double(minute)), seconds: 60)).summary
        }
        #expect(
            summary == [
                "up waiting", "still-up-15 waiting", "still-up-20 waiting", "still-up-30 waiting",
                "down waiting",
            ])
    }

    @Test func theTextsNameBridgeTimeAndLength() {
        var planner = makePlanner([rule(every)])
        let up = planner.plan(board(.raised(since: at(0)), at: at(0))).alerts[0].alert
        #expect(up.title == "Ballard Bridge is up")
        #expect(up.text == "Ballard Bridge went up at 15:00 PST.")
        let still = planner.plan(board(.raised(since: at(0)), at: at(15), seconds: 900))
        #expect(
            still.alerts.map(\.alert.text) == [
                "Ballard Bridge has been up for 15 min, since 15:00 PST."
            ])
        let down = planner.plan(board(.lowered, at: at(16), seconds: 60)).alerts[0].alert
        #expect(down.text == "Ballard Bridge is down again at 15:16 PST, after about 16 min.")
    }

    @Test func oneThatIsFirstSeenAfterALongTimeIsAnnouncedWithItsLengthAndOnlyTheLongestCounts() {
        var planner = makePlanner([rule(every)])
        let plan = planner.plan(board(.raised(since: at(-22)), at: at(0), seconds: nil))
        #expect(plan.summary == ["up waiting", "still-up-15 superseded", "still-up-20 waiting"])
        #expect(plan.alerts[0].alert.text.contains("since 14:38 PST, for 22 min"))
    }

    @Test func anUnknownStateAndAnUnknownStartAreNotAnotherOpening() {
        var planner = makePlanner([rule(every)])
        #expect(planner.plan(board(.raised(since: at(0)), at: at(0))).summary == ["up waiting"])
        #expect(planner.plan(board(.unknown, at: at(1), seconds: 60)).isEmpty)
        #expect(planner.plan(board(.raised(since: nil), at: at(2), seconds: 60)).alerts.isEmpty)
        #expect(planner.plan(board(.lowered, at: at(3), seconds: 60)).summary == ["down waiting"])
        #expect(
            planner.plan(board(.raised(since: nil), at: at(4), seconds: 60)).summary == [
                "up waiting"
            ])
    }

    @Test func anOpeningThatBeganAfterTheLastOneWasSeenIsAnother() {
        var first = makePlanner([rule(every)])
        let before = first.plan(board(.raised(since: at(0)), at: at(0)))
        var memory = AlertMemory()
        memory.openings = before.openings
        // Down and up again while nothing ran.
        var second = AlertPlanner(
            rules: [rule(every)], subscribers: [person()], memory: memory)
        let after = second.plan(board(.raised(since: at(30)), at: at(31), seconds: nil))
        #expect(after.summary == ["up waiting"])
        #expect(after.alerts[0].alert.identity != before.alerts[0].alert.identity)
        // The same one, seen by a process that does not know since when.
        var third = AlertPlanner(
            rules: [rule(every)], subscribers: [person()], memory: memory)
        #expect(third.plan(board(.raised(since: nil), at: at(5), seconds: nil)).alerts.isEmpty)
    }

    @Test func aReplayThatBeginsAgainAnnouncesNothingAgain() {
        var planner = makePlanner([rule(every)])
        var identities: [AlertIdentity] = []
        for _ in 1...3 {
            for minute in 0...40 {
                let state: SpanState = (5..<25).contains(minute) ? .raised(since: at(5)) : .lowered
                let plan = planner.plan(
                    board(state, at: at(Double(minute)), seconds: minute == 0 ? nil : 60))
                identities += plan.alerts.map(\.alert.identity)
            }
        }
        // What was decided on again has the same identity, by which the ledger refuses it.
        #expect(Set(identities.map(\.kind.name)) == ["up", "still-up-15", "down"])
        #expect(Set(identities).count == 3)
        #expect(identities.count { $0.kind == .raised } == 1)
    }

    @Test func aClockThatIsSetDoesNotChangeHowLongABridgeHasBeenUp() {
        var planner = makePlanner([rule(every)])
        _ = planner.plan(board(.raised(since: at(0)), at: at(0)))
        // Three hours forward within five seconds; the tracker then knows no start.
        #expect(planner.plan(board(.raised(since: nil), at: at(180), seconds: 5)).alerts.isEmpty)
        // And two hours back.
        #expect(planner.plan(board(.raised(since: nil), at: at(60), seconds: 5)).alerts.isEmpty)
        #expect(
            planner.plan(board(.raised(since: nil), at: at(74), seconds: 900)).summary
                == ["still-up-15 waiting"])
    }

    @Test func hoursAndDaysDecide() {
        let commute = AlertHours(
            days: [.monday, .tuesday, .wednesday, .thursday, .friday], startMinute: 420,
            endMinute: 570)
        let night = AlertHours(days: [.friday], startMinute: 1320, endMinute: 120)
        for (hours, time, isIn) in [
            (commute, "2018-01-04T07:00", true), (commute, "2018-01-04T09:29", true),
            (commute, "2018-01-04T09:30", false), (commute, "2018-01-06T08:00", false),
            (night, "2018-01-05T23:00", true), (night, "2018-01-06T01:59", true),
            (night, "2018-01-06T02:00", false), (night, "2018-01-05T01:00", false),
            (night, "2018-01-06T23:00", false),
        ] {
            let now = Fixtures.timestamp(time)
            #expect(hours.contains(now) == isIn, "\(time)")
            var planner = makePlanner([rule(every, hours: hours)])
            let plan = planner.plan(board(.raised(since: now), at: now))
            #expect(plan.summary == (isIn ? ["up waiting"] : []), "\(time)")
        }
    }

    /// Clocks show 01:30 twice on 2018-11-04, and 02:30 not at all on 2018-03-11.
    @Test func hoursHoldOnDaysOnWhichClocksChange() throws {
        let hours = AlertHours(days: [.sunday], startMinute: 60, endMinute: 120)
        let repeated = try #require(TimeText.parseFloating("2018-11-04T01:30"))
        #expect(SeattleTime.resolve(repeated).candidates.count == 2)
        for time in SeattleTime.resolve(repeated).candidates { #expect(hours.contains(time)) }
        let skipped = AlertHours(days: [.sunday], startMinute: 120, endMinute: 180)
        let day = Fixtures.timestamp("2018-03-11T00:00")
        #expect((0..<23 * 60).allSatisfy { !skipped.contains(day.adding(minutes: Double($0))) })
    }

    @Test func aPauseHoldsBackAllButCriticalAlerts() {
        let end = at(60)
        for priority in AlertPriority.allCases {
            var planner = makePlanner([rule(every, priority: priority)], pausedUntil: end)
            let during = planner.plan(board(.raised(since: at(10)), at: at(10)))
            #expect(during.summary == [priority == .critical ? "up waiting" : "up paused"])
            let after = planner.plan(board(.lowered, at: end, seconds: 60))
            #expect(after.summary == ["down waiting"])
        }
    }

    @Test func pausesEndOnSeattlesClocks() {
        for (start, pause, end) in [
            ("2018-01-04T08:10", AlertPause.hour, "2018-01-04T09:10"),
            ("2018-01-04T08:10", .morning, "2018-01-04T12:00"),
            ("2018-01-04T12:00", .morning, "2018-01-05T12:00"),
            // A week in which clocks are set forward, and one in which they are set back.
            ("2018-03-08T08:10", .week, "2018-03-15T08:10"),
            ("2018-11-01T08:10", .week, "2018-11-08T08:10"),
        ] {
            #expect(
                pause.end(from: Fixtures.timestamp(start)) == Fixtures.timestamp(end), "\(start)")
        }
    }

    @Test func aLikelyOpeningIsAnnouncedOnceUntilTheChanceHasFallen() {
        var planner = makePlanner([rule(BridgeConditions(likelyThreshold: 0.5))])
        var announced: [Int] = []
        let chances = [0.1, 0.49, 0.5, 0.9, 0.45, 0.6, 0.36, 0.5, 0.34, 0.2, 0.55, 0.7]
        for (index, chance) in chances.enumerated() {
            // Twelve minutes apart: another ten minutes of the clock each time.
            let plan = planner.plan(
                board(.lowered, at: at(Double(index) * 12), seconds: 720, chance: chance))
            if !plan.alerts.isEmpty { announced.append(index) }
        }
        // Armed again below 0.35.
        #expect(announced == [2, 10])
        #expect(planner.plan(board(.raised(since: nil), at: at(200), chance: 0.9)).alerts.isEmpty)
    }

    @Test func aLikelyOpeningWaitsForTheHoursOfItsRule() {
        let hours = AlertHours(days: Set(Weekday.allCases), startMinute: 930, endMinute: 1000)
        var planner = makePlanner([rule(BridgeConditions(likelyThreshold: 0.5), hours: hours)])
        #expect(planner.plan(board(.lowered, at: at(0), chance: 0.9)).alerts.isEmpty)
        let plan = planner.plan(board(.lowered, at: at(30), chance: 0.6))
        #expect(plan.alerts.first?.alert.text.contains("60 %") == true)
    }

    private func reminder(_ leaveBy: DepartureReminder.LeaveBy, lead: Int64 = 300) -> AlertRule {
        AlertRule(
            id: "leave", subscriber: "s1",
            subject: .departure(
                DepartureReminder(name: "work", leaveBy: leaveBy, leadSeconds: lead)),
            createdAt: testNow)
    }

    @Test func aReminderIsDueItsLeadBeforeLeaving() {
        var planner = makePlanner([reminder(.once(at(60)))])
        #expect(planner.plan(board(.lowered, at: at(54))).alerts.isEmpty)
        let plan = planner.plan(board(.lowered, at: at(55)))
        #expect(plan.summary == ["leave waiting"])
        #expect(plan.alerts[0].alert.text == "Leave for work by 16:00 PST.")
        #expect(planner.plan(board(.lowered, at: at(56))).alerts.isEmpty)
        #expect(planner.plan(board(.lowered, at: at(1500))).alerts.isEmpty)
    }

    @Test func aDailyReminderComesOnceADayAlsoWhenClocksChange() {
        for (day, clock, due) in [
            // 02:30 does not exist: it is 03:30 on the clock then.
            ("2018-03-11", 9000, "2018-03-11T03:25"), ("2018-03-12", 9000, "2018-03-12T02:25"),
            ("2018-11-05", 5400, "2018-11-05T01:25"),
        ] {
            var planner = makePlanner([reminder(.daily(secondOfDay: clock))])
            var times: [Timestamp] = []
            let start = Fixtures.timestamp("\(day)T00:00")
            for minute in 0..<1440 {
                let now = start.adding(minutes: Double(minute))
                guard SeattleTime.civil(at: now).date == SeattleTime.civil(at: start).date else {
                    break
                }
                let plan = planner.plan(board(.lowered, at: now, seconds: 60))
                times += plan.alerts.map(\.alert.at)
            }
            #expect(times == [Fixtures.timestamp(due)], "\(day)")
        }
    }

    @Test func aReminderThatBecameDueWhileNothingRanIsMissedAndSaidToBe() {
        var memory = AlertMemory()
        memory.lastAt = at(0)
        var planner = AlertPlanner(
            rules: [reminder(.once(at(60)))], subscribers: [person()], memory: memory)
        #expect(
            planner.plan(board(.lowered, at: at(120), seconds: nil)).summary == ["leave missed"])
    }

    @Test func anAgencysAlertComesOncePerRuleOfItsLines() {
        let rules = ["44", "C Line", "8"].map {
            AlertRule(id: "line-\($0)", subscriber: "s1", subject: .line($0), createdAt: testNow)
        }
        var planner = makePlanner(rules)
        let alert = LineAlert(
            id: "a1", lines: ["44", "c line"], header: "Detour", text: "Stops are moved.",
            link: "https://example.org/44")
        let plan = planner.plan(board(.lowered, at: at(0), lines: [alert]))
        #expect(plan.alerts.map(\.alert.identity.rule) == ["line-44", "line-C Line"])
        #expect(plan.alerts[0].alert.text == "Stops are moved.")
        #expect(plan.alerts[0].alert.link == "https://example.org/44")
        #expect(planner.plan(board(.lowered, at: at(1), lines: [alert])).alerts.isEmpty)
        // A feed that loses it for a while: the same identity, which the ledger refuses.
        _ = planner.plan(board(.lowered, at: at(2)))
        let again = planner.plan(board(.lowered, at: at(3), lines: [alert]))
        #expect(again.alerts.map(\.alert.identity) == plan.alerts.map(\.alert.identity))
    }

    @Test func rulesOfOtherBridgesArePassedOver() {
        let other = AlertRule(
            id: "other", subscriber: "s1", subject: .bridge(.fremont, every), createdAt: testNow)
        var planner = makePlanner([other])
        #expect(planner.plan(board(.raised(since: at(0)), at: at(0))).alerts.isEmpty)
    }

    @Test func impossibleRulesAreRefused() {
        for (conditions, problem) in [
            (BridgeConditions(), AlertRuleProblem.noCondition),
            (BridgeConditions(likelyThreshold: 1.5), .threshold(1.5)),
            (BridgeConditions(stillRaisedMinutes: [0]), .minutes),
        ] {
            #expect(throws: problem) { try rule(conditions).validate() }
        }
    }
}
