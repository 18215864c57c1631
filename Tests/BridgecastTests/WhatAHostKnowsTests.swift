// What a host knows of the bridges, told in a few words, and what comes of it.
import Bridgecast
import Testing

@Suite struct WhatAHostKnowsTests: HostSuite {
    private func opening(_ start: Double, _ end: Double?) -> KnownOpening {
        KnownOpening(
            start: now.adding(minutes: -start), end: end.map { now.adding(minutes: -$0) })
    }

    private func chance(
        _ bridge: BridgeIndex, _ lead: Double, _ situation: Situation
    ) async throws -> Double {
        let request = ForecastRequest(bridge: bridge, leadMinutes: lead, density: 0)
        return try await inference.forecast([request], in: situation)[0].probabilityDelayed
    }

    /// University has no sensor, so its openings come without a state.
    @Test func openingsOfABridgeWithoutAStateAreNotLost() async throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(
            .university, openings: [opening(9, 5)], observedSince: now.adding(minutes: -180))
        let situation = Situation.unknown(at: now).applying(live)
        #expect(situation[.university].recent == [opening(9, 5)])
        #expect(situation[.university].observedSince == now.adding(minutes: -180))
        #expect(situation[.university].state == .lowered)
        // A boat that went through there may come here.
        let known = try await chance(.fremont, 5, situation)
        #expect(try await chance(.fremont, 5, .unknown(at: now)) != known)
        // Also by the members of a snapshot, which openings and watching reach without a state.
        let direct = LiveSnapshot(
            asOf: now,
            openings: [
                Opening(
                    bridge: .university, start: now.adding(minutes: -9),
                    end: now.adding(minutes: -5))
            ], observedSince: [.university: now.adding(minutes: -180)])
        #expect(Situation.unknown(at: now).applying(direct) == situation)
    }

    @Test func anOpeningThatHasNotEndedMeansRaised() async throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(.ballard, openings: [opening(60, 55), opening(2, nil)])
        let situation = Situation.unknown(at: now).applying(live)
        #expect(situation[.ballard].state == .raised(since: now.adding(minutes: -2)))
        #expect(try await chance(.ballard, 1, situation) > 0.8)
        // What has ended says nothing of now where nobody watches.
        try live.set(.ballard, openings: [opening(60, 55)])
        #expect(Situation.unknown(at: now).applying(live)[.ballard].state == .unknown)
    }

    @Test func whatContradictsItselfIsRefusedAndChangesNothing() throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(.fremont, state: .raised(since: nil))
        let before = live
        #expect(throws: LiveSnapshotError.endsBeforeItStarts(.fremont, opening(5, 9))) {
            try live.set(.fremont, openings: [opening(5, 9)])
        }
        #expect(throws: LiveSnapshotError.contradicts(.fremont, .lowered, opening(5, nil))) {
            try live.set(.fremont, state: .lowered, openings: [opening(5, nil)])
        }
        #expect(throws: LiveSnapshotError.twoWithoutEnd(.fremont)) {
            try live.set(.fremont, openings: [opening(50, nil), opening(5, nil)])
        }
        let earlier = SpanState.raised(since: now.adding(minutes: -9))
        #expect(throws: LiveSnapshotError.contradicts(.fremont, earlier, opening(5, nil))) {
            try live.set(.fremont, state: earlier, openings: [opening(5, nil)])
        }
        #expect(throws: LiveSnapshotError.contradicts(.fremont, earlier, opening(7, 3))) {
            try live.set(.fremont, state: earlier, openings: [opening(7, 3)])
        }
        #expect(live == before)
        try live.set(.fremont, state: .raised(since: nil), openings: [opening(5, nil)])
    }

    /// The same opening told twice, by one witness or by two, is one.
    @Test func repeatedOpeningsCountOnce() throws {
        var live = LiveSnapshot(asOf: now)
        let watched = now.adding(minutes: -200)
        try live.set(.fremont, openings: [opening(40, 36)], observedSince: watched)
        let once = Situation.unknown(at: now).applying(live)
        try live.set(
            .fremont, openings: [opening(40, 36), opening(40, 36), opening(39.8, 35.9)],
            observedSince: watched)
        let often = Situation.unknown(at: now).applying(live)
        #expect(often[.fremont].recent == [opening(40, 35.9)])
        #expect(often[.fremont].openingsToday == once[.fremont].openingsToday)
        // Laid over what another says of it.
        #expect(once.applying(live)[.fremont].recent.count == 1)
    }

    /// A state without a start takes it from the opening that is under way, and one start is one opening.
    @Test func whatIsUnderWayIsOneOpeningHoweverItIsTold() throws {
        let up = SpanState.raised(since: now.adding(minutes: -10))
        var live = LiveSnapshot(asOf: now)
        try live.set(.ballard, state: .raised(since: nil), openings: [opening(10, nil)])
        let told = Situation.unknown(at: now).applying(live)
        #expect(told[.ballard].state == up)
        try live.set(.ballard, state: .raised(since: nil))
        #expect(told.applying(live)[.ballard].state == up)
        try live.set(.ballard, state: .raised(since: now.adding(minutes: -9.7)))
        #expect(told.applying(live)[.ballard].recent.count == 1)
        // Of the same opening with an end and without one the end is known, in any order.
        for openings in [
            [opening(30, 20), opening(30, nil)], [opening(30, nil), opening(30, 20)],
        ] {
            try live.set(.ballard, openings: openings, observedSince: now.adding(minutes: -180))
            let known = Situation.unknown(at: now).applying(live)[.ballard]
            #expect(known.recent == [opening(30, 20)] && known.state == .lowered)
        }
    }

    @Test func anOpeningThatHasJustEndedIsNotForgotten() throws {
        var live = LiveSnapshot(asOf: now)
        let late = KnownOpening(
            start: now.adding(minutes: -5), end: now.adding(seconds: 10))
        try live.set(.ballard, state: .lowered, openings: [late])
        #expect(Situation.unknown(at: now).applying(live)[.ballard].recent == [opening(5, 0)])
        var up = Situation.unknown(at: now)
        up[.ballard].state = .raised(since: now.adding(minutes: -10))
        up[.ballard].recent = [opening(10, nil)]
        try live.set(.ballard, state: .lowered)
        let down = up.applying(live)[.ballard]
        #expect(down.state == .lowered && down.recent == [opening(10, 0)])
        // Two that touch are two.
        try live.set(.ballard, openings: [opening(30, 20), opening(20, 10)])
        #expect(Situation.unknown(at: now).applying(live)[.ballard].recent.count == 2)
    }

    /// What the past says goes six hours back, whoever tells it.
    @Test func oldOpeningsAndShortWatchingSayNothing() throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(
            .fremont, openings: [opening(1_200, 1_190), opening(500, 300)],
            observedSince: now.adding(minutes: -1_300))
        let long = Situation.unknown(at: now).applying(live)
        #expect(long[.fremont].recent == [opening(500, 300)] && long[.fremont].state == .lowered)
        try live.set(.fremont, observedSince: now.adding(minutes: -20))
        let short = Situation.unknown(at: now).applying(live)
        #expect(short[.fremont].observedSince == nil && short[.fremont].state == .unknown)
        // A clock that runs ahead by seconds does not hide an opening.
        try live.set(
            .fremont, openings: [KnownOpening(start: now.adding(seconds: 30), end: nil)])
        #expect(Situation.unknown(at: now).applying(live)[.fremont].state == .raised(since: now))
    }

    /// Who has watched for an hour need not have seen a span that went up before that.
    @Test func watchingDoesNotLowerWhatWentUpBefore() throws {
        var situation = Situation.unknown(at: now)
        situation[.fremont].state = .raised(since: now.adding(minutes: -150))
        var live = LiveSnapshot(asOf: now)
        try live.set(.fremont, observedSince: now.adding(minutes: -90))
        #expect(situation.applying(live)[.fremont].state == situation[.fremont].state)
        try live.set(.fremont, observedSince: now.adding(minutes: -180))
        #expect(situation.applying(live)[.fremont].state == .lowered)
    }
}
