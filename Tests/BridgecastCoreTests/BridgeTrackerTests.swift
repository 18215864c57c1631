// Readings without times become states with times; nothing unobserved counts as known.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

private let (ballard, fremont) = (Fixtures.bridge("Ballard"), Fixtures.bridge("Fremont"))
private let noon = Fixtures.timestamp("2026-02-20T12:00")

@Suite struct BridgeTrackerTests {
    private func reading(_ seconds: Int64, _ isRaised: [BridgeIndex: Bool]) -> BridgeReading {
        BridgeReading(receivedAt: noon.adding(seconds: seconds), isRaised: isRaised)
    }

    @Test func aTransitionIsStampedWithTheFirstReadingThatShowsIt() {
        var tracker = BridgeTracker()
        let first = tracker.apply(reading(0, [ballard: false]))
        #expect(first.changes.map(\.after) == [.lowered] && first.openings.isEmpty)
        #expect(tracker.state(of: ballard) == .lowered && tracker.state(of: fremont) == .unknown)
        let raised = tracker.apply(reading(20, [ballard: true]))
        let at = noon.adding(seconds: 20)
        #expect(
            raised.changes == [
                BridgeChange(
                    bridge: ballard, at: at, before: .lowered, after: .raised(since: at))
            ])
        #expect(tracker.apply(reading(40, [ballard: true])).changes.isEmpty)
        let lowered = tracker.apply(reading(60, [ballard: false]))
        #expect(
            lowered.openings == [
                ObservedOpening(
                    bridge: ballard, start: at, startIsKnown: true, end: noon.adding(seconds: 60))
            ])
        #expect(
            tracker.snapshot?.openings == [
                Opening(bridge: ballard, start: at, end: noon.adding(seconds: 60))
            ])
        #expect(tracker.snapshot?.observedSince == [ballard: noon])
    }

    @Test func aSpanRaisedInTheFirstReadingHasNoKnownStart() {
        var tracker = BridgeTracker()
        let step = tracker.apply(reading(0, [ballard: true]))
        #expect(step.openings.map(\.startIsKnown) == [false])
        #expect(tracker.state(of: ballard) == .raised(since: nil))
        _ = tracker.apply(reading(20, [ballard: false]))
        // Watched from when it came down; the opening itself is no knowledge of its length.
        #expect(tracker.snapshot?.openings == [])
        #expect(tracker.snapshot?.observedSince == [ballard: noon.adding(seconds: 20)])
    }

    @Test func aGapForgetsOpeningsUnderWay() {
        var tracker = BridgeTracker()
        _ = tracker.apply(reading(0, [ballard: false, fremont: false]))
        _ = tracker.apply(reading(20, [ballard: true, fremont: false]))
        let after = tracker.apply(reading(81, [ballard: true, fremont: true]))
        #expect(tracker.state(of: ballard) == .raised(since: nil))
        #expect(tracker.state(of: fremont) == .raised(since: nil))
        #expect(after.openings.allSatisfy { !$0.startIsKnown })
        #expect(after.periods.allSatisfy { $0.start == noon.adding(seconds: 81) })
        var unbroken = BridgeTracker()
        _ = unbroken.apply(reading(0, [ballard: false]))
        _ = unbroken.apply(reading(60, [ballard: true]))
        #expect(unbroken.state(of: ballard) == .raised(since: noon.adding(seconds: 60)))
    }

    @Test func aBridgeMissingFromTheFeedIsUnknown() {
        var tracker = BridgeTracker()
        _ = tracker.apply(reading(0, [ballard: false, fremont: false]))
        let step = tracker.apply(reading(20, [ballard: false]))
        #expect(step.changes.map(\.bridge) == [fremont] && step.changes.map(\.after) == [.unknown])
        #expect(tracker.snapshot?.states == [ballard: .lowered])
    }

    @Test func aFeedIsFrozenAfterTwelveHoursWithoutMovement() {
        var tracker = BridgeTracker()
        _ = tracker.apply(reading(0, [ballard: false, fremont: false]))
        _ = tracker.apply(reading(20, [ballard: true, fremont: false]))
        _ = tracker.apply(reading(40, [ballard: false, fremont: false]))
        let moved = noon.adding(seconds: 40)
        var last = BridgeTracker.Step()
        for second in stride(from: Int64(60), through: 40 + 12 * 3600, by: 20) {
            #expect(!tracker.isFrozen)
            last = tracker.apply(reading(second, [ballard: false, fremont: false]))
        }
        #expect(
            tracker.isFrozen && tracker.snapshot == nil && tracker.state(of: ballard) == .unknown)
        #expect(last.cut == moved && last.periods.isEmpty)
        #expect(last.changes.map(\.after) == [.unknown, .unknown])
        let thaw = tracker.apply(reading(60 + 12 * 3600, [ballard: false, fremont: true]))
        #expect(!tracker.isFrozen && tracker.state(of: ballard) == .lowered)
        #expect(
            thaw.periods.map(\.start)
                == Array(repeating: noon.adding(seconds: 60 + 12 * 3600), count: 2))
    }

    @Test func aClockSetBackStopsTimeOrLeavesAGap() {
        var tracker = BridgeTracker()
        _ = tracker.apply(reading(0, [ballard: false]))
        _ = tracker.apply(reading(20, [ballard: true]))
        let little = tracker.apply(reading(10, [ballard: false]))
        #expect(little.openings.map(\.end) == [noon.adding(seconds: 20)] && little.cut == nil)
        let much = tracker.apply(reading(-3600, [ballard: false]))
        #expect(much.cut == noon.adding(seconds: -3600))
        #expect(tracker.lastReadingAt == noon.adding(seconds: -3600))
        #expect(
            tracker.snapshot?.openings == [] && tracker.snapshot?.observedSince[ballard] == much.cut
        )
    }

    @Test func aTrackerResumesFromAnEarlierOne() {
        var first = BridgeTracker()
        _ = first.apply(reading(0, [ballard: false]))
        let step = first.apply(reading(20, [ballard: true]))
        var second = BridgeTracker(resuming: step.periods, recent: step.openings)
        #expect(second.state(of: ballard) == .raised(since: noon.adding(seconds: 20)))
        let end = second.apply(reading(40, [ballard: false]))
        #expect(
            end.openings == [
                ObservedOpening(
                    bridge: ballard, start: noon.adding(seconds: 20), startIsKnown: true,
                    end: noon.adding(seconds: 40))
            ])
    }

    /// Any sequence of readings: times never run backwards, openings never overlap, periods are never wrong.
    @Test func anySequenceOfReadingsLeavesAConsistentHistory() {
        for seed: UInt64 in 0..<300 {
            var random = SeededGenerator(seed: seed)
            var tracker = BridgeTracker()
            var second = Int64(0)
            var openings: [Timestamp: ObservedOpening] = [:]
            for _ in 0..<60 {
                second += Int64.random(in: 1...90, using: &random)
                let step = tracker.apply(reading(second, [ballard: Bool.random(using: &random)]))
                for opening in step.openings { openings[opening.start] = opening }
                let now = noon.adding(seconds: second)
                let arePeriodsOfNow = step.periods.allSatisfy {
                    $0.start <= $0.end && $0.end == now
                }
                #expect(arePeriodsOfNow, "seed \(seed)")
                let areChanges = step.changes.allSatisfy { $0.at == now && $0.before != $0.after }
                #expect(areChanges, "seed \(seed)")
            }
            let sorted = openings.values.sorted { $0.start < $1.start }
            for (one, next) in zip(sorted, sorted.dropFirst()) {
                #expect((one.end ?? one.start) <= next.start, "seed \(seed)")
            }
        }
    }

    @Test func aTrackerThatIsWrittenAndReadGoesOnAsBefore() throws {
        for seed in UInt64(1)...20 {
            var random = SeededGenerator(seed: seed)
            var second: Int64 = 0
            var unbroken = BridgeTracker()
            for _ in 0..<80 {
                // Now and then a gap, a clock that was set back, and half a day without a movement.
                second += [5, 20, 20, 20, 61, -30, 43_300].randomElement(using: &random) ?? 5
                let isRaised = Bool.random(using: &random)
                var read = try JSONDecoder().decode(
                    BridgeTracker.self, from: try JSONEncoder().encode(unbroken))
                #expect(read == unbroken, "seed \(seed)")
                let states =
                    Int.random(in: 0..<8, using: &random) == 0
                    ? [fremont: isRaised] : [ballard: isRaised, fremont: false]
                #expect(
                    read.apply(reading(second, states)) == unbroken.apply(reading(second, states)),
                    "seed \(seed)")
            }
        }
    }

    @Test func aWholeStepHasWhatTheStepsBeforeItHad() {
        var tracker = BridgeTracker()
        var openings: [Timestamp: ObservedOpening] = [:]
        for (second, isRaised) in [(0, false), (20, true), (40, false), (60, true)] {
            let step = tracker.apply(reading(Int64(second), [ballard: isRaised]))
            for opening in step.openings { openings[opening.start] = opening }
        }
        let whole = tracker.wholeStep
        #expect(whole.openings == openings.values.sorted { $0.start < $1.start })
        #expect(whole.periods.map(\.end) == [noon.adding(seconds: 60)])
        #expect(whole.changes.isEmpty && whole.cut == nil)
    }

    @Test func lessThanAnHourOfObservationLeavesThePastUnknown() {
        for (minutes, isKnown) in [(59.0, false), (60.0, true)] {
            let live = LiveSnapshot(
                asOf: noon, states: [ballard: .lowered],
                observedSince: [ballard: noon.adding(minutes: -minutes)])
            let situation = Situation.unknown(at: noon).applying(live)
            #expect(situation[ballard].state == .lowered)
            #expect((situation[ballard].observedSince != nil) == isKnown)
        }
    }
}
