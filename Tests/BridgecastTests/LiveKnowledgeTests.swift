// What a host reports of the bridges and what follows from it; values that a host passes on.
import Bridgecast
import BridgecastRouting
import BridgecastSupport
import Foundation
import Testing

@Suite struct LiveKnowledgeTests: HostSuite {
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
    @Test func openingsWithoutAStateAreKept() async throws {
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

    @Test func openingsWithoutAnEndMeanRaised() async throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(.ballard, openings: [opening(60, 55), opening(2, nil)])
        let situation = Situation.unknown(at: now).applying(live)
        #expect(situation[.ballard].state == .raised(since: now.adding(minutes: -2)))
        #expect(try await chance(.ballard, 1, situation) > 0.8)
        // An opening that ended says nothing about now without observation.
        try live.set(.ballard, openings: [opening(60, 55)])
        #expect(Situation.unknown(at: now).applying(live)[.ballard].state == .unknown)
    }

    @Test func contradictionsAreRefusedAndChangeNothing() throws {
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

    /// The same opening reported twice, by one source or by two, is one.
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
    @Test func anOpeningUnderWayIsOneHoweverReported() throws {
        let up = SpanState.raised(since: now.adding(minutes: -10))
        var live = LiveSnapshot(asOf: now)
        try live.set(.ballard, state: .raised(since: nil), openings: [opening(10, nil)])
        let reported = Situation.unknown(at: now).applying(live)
        #expect(reported[.ballard].state == up)
        try live.set(.ballard, state: .raised(since: nil))
        #expect(reported.applying(live)[.ballard].state == up)
        try live.set(.ballard, state: .raised(since: now.adding(minutes: -9.7)))
        #expect(reported.applying(live)[.ballard].recent.count == 1)
        // Of the same opening with an end and without one the end is known, in any order.
        for openings in [
            [opening(30, 20), opening(30, nil)], [opening(30, nil), opening(30, 20)],
        ] {
            try live.set(.ballard, openings: openings, observedSince: now.adding(minutes: -180))
            let known = Situation.unknown(at: now).applying(live)[.ballard]
            #expect(known.recent == [opening(30, 20)] && known.state == .lowered)
        }
    }

    @Test func openingsThatJustEndedAreKept() throws {
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

    /// Past openings count for six hours, from any source.
    @Test func oldOpeningsAndShortObservationAreIgnored() throws {
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

    /// An hour of observation does not cover a span that went up before it.
    @Test func observationDoesNotLowerEarlierOpenings() throws {
        var situation = Situation.unknown(at: now)
        situation[.fremont].state = .raised(since: now.adding(minutes: -150))
        var live = LiveSnapshot(asOf: now)
        try live.set(.fremont, observedSince: now.adding(minutes: -90))
        #expect(situation.applying(live)[.fremont].state == situation[.fremont].state)
        try live.set(.fremont, observedSince: now.adding(minutes: -180))
        #expect(situation.applying(live)[.fremont].state == .lowered)
    }
}

@Suite struct ValueExchangeTests: HostSuite {
    @Test func bridgesHaveTheirNames() {
        let names: [(BridgeIndex, String)] = [
            (.ballard, "Ballard"), (.fremont, "Fremont"), (.university, "University"),
            (.montlake, "Montlake"), (.lowerSpokaneSt, "Lower Spokane St"),
            (.firstAveSouth, "1st Ave South"), (.southPark, "South Park"),
        ]
        #expect(names.map(\.0) == BridgeIndex.all)
        for (bridge, name) in names { #expect(BridgeCatalogue[bridge].name == name) }
    }

    @Test func criteriaHaveNamesAndUnits() {
        #expect(
            RouteCriterion.allCases.map(\.name) == [
                "expected", "p50", "p80", "p90", "p95", "late", "stopped", "openings", "idle",
            ])
        #expect(RouteCriterion.probabilityLate.label == "being late")
        #expect(RouteCriterion.openingsPerDay.unit == .perDay)
        #expect(RouteCriterion.p90Minutes.unit == .minutes)
        #expect(RouteCriterion.probabilityStopped.unit == .probability)
    }

    @Test func valuesSurviveJSON() async throws {
        let routes = [
            Route(
                id: "a", name: "Über Fremont", origin: "Home", destination: "Work", mode: .bike,
                steps: [.travel(Route.Travel(minutes: 2)), .crossing(.fremont)])
        ]
        let ranking = try await inference.rank(
            routes, leaving: now, arriveBy: now.adding(minutes: 9), in: .unknown(at: now))
        func copy<Value: Codable>(_ value: Value) throws -> Value {
            try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
        }
        #expect(try copy(routes) == routes)
        #expect(try copy(ranking) == ranking)
        let text = String(decoding: try JSONEncoder().encode(ranking.weights), as: UTF8.self)
        #expect(text.contains(#""p90_minutes":0.333"#), "\(text)")
        #expect(try copy(BridgeIndex.all) == BridgeIndex.all)
        #expect(try copy(BridgeCatalogue.seattle) == BridgeCatalogue.seattle)
        #expect(
            String(decoding: try JSONEncoder().encode(BridgeIndex.university), as: UTF8.self)
                == "21")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([BridgeIndex].self, from: Data("[5]".utf8))
        }
        // A file of routes is read by the same words.
        let file = try JSONEncoder().encode(["routes": routes])
        #expect(try CandidateFile.read(file, mode: .car).routes.map(\.crossings) == [[.fremont]])
    }

    @Test func repliesAreReadFromMemory() throws {
        let states = try LiveFile.read(
            Data(#"[{"BridgeID": 3, "DisplayName": "Fremont", "Status": "Open"}]"#.utf8))
        #expect(states.states == [.fremont: .raised(since: nil)])
        #expect(throws: DocumentError.self) { try LiveFile.read(Data()) }
        let error = try #require(throws: DocumentError.self) {
            try CandidateFile.read(Data([0xff, 0xfe]), mode: .car, name: "the reply")
        }
        #expect(error.path == "the reply")
    }

    @Test @MainActor func modelsAreUpdatedWithoutTheLiveService() async throws {
        let app = AppStateModel()
        var live = LiveSnapshot(asOf: now)
        try live.set(
            .ballard, state: .raised(since: now), observedSince: now.adding(minutes: -90))
        let situation = Situation.unknown(at: now).applying(live)
        let table = try await inference.table(in: situation, reaching: 60)
        try app.apply(AppStateUpdate(table, situation))
        #expect(app[.ballard].state == .raised(since: now) && app[.ballard].confidence == .high)
        #expect(app[.fremont].confidence == .medium)
        #expect(
            app[.ballard].outlook.map(\.leadMinutes) == [0, 2] + stride(from: 5, through: 60, by: 5)
        )
        let delay = try #require(app[.ballard].realTimeDelay)
        #expect(delay > 60)
        // A table that begins in three hours says nothing of now.
        let far = try await inference.table(
            in: situation, leaving: now.adding(minutes: 200), reaching: 10)
        try app.apply(AppStateUpdate(far, situation))
        #expect(app[.ballard].state == .raised(since: now))
        #expect(app[.ballard].realTimeDelay == nil && app[.ballard].openProbability == nil)
        let later = Situation.unknown(at: now.adding(minutes: 10))
        #expect(
            throws: ForecastTableError.otherMoment(table: now, situation: later.issueTime)
        ) { try AppStateUpdate(table, later) }
    }

    @Test func whatCannotBeSaysWhatIsWrong() async throws {
        let situation = Situation.unknown(at: now)
        await #expect(throws: InferenceError.departureInThePast(minutes: 10)) {
            _ = try await inference.table(
                in: situation, leaving: now.adding(minutes: -10), reaching: 60)
        }
        let error = await #expect(throws: InferenceError.self) {
            _ = try await inference.table(in: situation, reaching: .nan)
        }
        #expect(error?.description.contains("nan minutes") == true)
        let route = Route(
            id: "a", name: "a", origin: "b", destination: "c", mode: .car,
            steps: [.travel(Route.Travel(meanMinutes: 4, spreadMinutes: 1)), .crossing(.fremont)])
        await #expect(throws: RankingError.sameID("a")) {
            _ = try await inference.rank([route, route], leaving: now, in: situation)
        }
        var live = LiveSnapshot(asOf: now)
        for minutes in [5.0, -11_000] {
            let since = now.adding(minutes: minutes)
            #expect(throws: LiveSnapshotError.since(.ballard, since, asOf: now)) {
                try live.set(.ballard, state: .raised(since: since))
            }
        }
        #expect(live.states.isEmpty)
    }
}
