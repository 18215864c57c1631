// What a watcher of the feed knows, against a tracker that is given every reading.
import BridgecastEngine
import BridgecastTestSupport
import Testing
@testable import BridgecastCore
@testable import BridgecastTraining

@Suite struct LiveObservationTests {
    private let history = Fixtures.shippedHistory

    /// A reading of the bridges with a sensor, from the records alone.
    private func reading(at time: Timestamp) -> BridgeReading {
        var isRaised: [BridgeIndex: Bool] = [:]
        for bridge in BridgeIndex.all where BridgeCatalogue[bridge].hasLiveSensor {
            guard history.coverage.contains(time, of: bridge) else { continue }
            isRaised[bridge] = history.openings(
                of: bridge, overlapping: time..<time.adding(seconds: 1)
            ).contains { opening in
                opening.start <= time && time < opening.end ?? .latest
                    && !opening.seams.contains { $0.contains(time) }
            }
        }
        return BridgeReading(receivedAt: time, isRaised: isRaised)
    }

    @Test(arguments: ["2018-02-12T12:00", "2016-07-05T06:30", "2026-02-15T09:00"])
    func isWhatATrackerKnowsAfterItsReadings(_ start: String) throws {
        let observation = LiveObservation(history)
        var raised = 0
        for hours in 0..<14 {
            let issueTime = Fixtures.timestamp(start).adding(minutes: Double(hours) * 61)
            let age = issueTime.secondsSinceEpoch / 60 * 7 % 20
            var tracker = BridgeTracker()
            for second in stride(from: Int64(3 * 3600), through: 0, by: -20) {
                _ = tracker.apply(reading(at: issueTime.adding(seconds: -age - second)))
            }
            let snapshot = try #require(tracker.snapshot)
            let expected = Situation.unknown(at: issueTime).applying(snapshot)
            let found = observation.situation(at: issueTime, observedMinutes: 180)
            for bridge in BridgeIndex.all {
                #expect(found[bridge] == expected[bridge], "\(bridge) at \(issueTime)")
            }
            raised += found.bridges.reduce(0) { $0 + $1.recent.count }
        }
        #expect(raised > 20, "there is something to see")
    }

    @Test func bridgesWithoutASensorAndTimeBeforeTheStartAreUnknown() {
        let issueTime = Fixtures.timestamp("2018-02-12T12:00")
        let complete = SituationReader(history).situation(at: issueTime)
        let live = LiveObservation(history).situation(at: issueTime, observedMinutes: 60)
        for bridge in BridgeIndex.all {
            #expect(complete[bridge].state != .unknown)
            if BridgeCatalogue[bridge].hasLiveSensor {
                #expect(live[bridge].state != .unknown)
                #expect(live[bridge].recent.allSatisfy { issueTime.minutes(since: $0.start) <= 61 })
            } else {
                #expect(live[bridge] == .unknown)
            }
            #expect(live[bridge].coveredDaysInFourWeeks == [0, 0])
        }
        #expect(complete.bridges.contains { $0.coveredDaysInFourWeeks != [0, 0] })
    }

    @Test func aDoubtedStartIsUnknownWhileTheSpanIsUp() throws {
        let opening = try #require(
            history.openings[BridgeIndex.ballard.rawValue].first {
                $0.start > Fixtures.timestamp("2026-02-16T10:00") && $0.minutes ?? 0 > 3
            })
        let end = try #require(opening.end)
        let doubted = history.doubtingStarts(
            of: .ballard, in: opening.start.adding(minutes: -600)..<end.adding(minutes: 600),
            unknown: [opening.start.adding(minutes: -5)..<opening.start.adding(minutes: 1)])
        let observation = LiveObservation(doubted)
        let during = observation.situation(
            at: opening.start.adding(minutes: 2), observedMinutes: 120)
        #expect(during[.ballard].state == .raised(since: nil))
        // The unknown minutes are no gap in the readings.
        let after = observation.situation(at: end.adding(minutes: 2), observedMinutes: 120)
        #expect(after[.ballard].state == .lowered && !after[.ballard].recent.isEmpty)
        let since = try #require(after[.ballard].observedSince)
        #expect(end.adding(minutes: 2).minutes(since: since) > 119)
    }

    /// Each situation of the evaluation knows less than the one before, and forecasts no row less.
    @Test func allKnowledgeIsScoredOnTheSameRows() throws {
        let start = Fixtures.timestamp("2026-02-16T00:00")
        let day = start..<start.adding(minutes: 1440)
        let evaluation = EvaluationProtocol(history: history, interval: day)
        let model = try ModelFile.read(Fixtures.model("validation/bridgecast.int8.bcm"))
        let complete = evaluation.rows(of: model)
        for knowledge in [Knowledge.liveDay, .liveHour, .none] {
            let rows = evaluation.rows(of: model, knowing: knowledge)
            #expect(rows.bridges == complete.bridges && rows.happened == complete.happened)
            #expect(rows.probabilities[.climatology] == complete.probabilities[.climatology])
            #expect(rows.probabilities[.model] != complete.probabilities[.model])
        }
    }
}
