// What a host knows of the bridges, told in a few words, and what comes of it.
import Bridgecast
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct WhatAHostKnowsTests {
    private let now = Fixtures.moment("2026-02-20T12:00")
    private var inference: TrafficInference {
        get throws { try TrafficInference(contentsOf: Fixtures.model("bridgecast.int8.bcm")) }
    }

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
        #expect(live == before)
        try live.set(.fremont, state: .raised(since: nil), openings: [opening(5, nil)])
    }

    @Test func anOldTableIsLookedUpAsTheOldTableItIs() async throws {
        var live = LiveSnapshot(asOf: now)
        try live.set(.fremont, state: .raised(since: now.adding(minutes: -1)))
        let route = Route(
            id: "a", name: "a", origin: "Home", destination: "Work", mode: .car,
            steps: [.travel(Route.Travel(minutes: 2)), .crossing(.fremont)])
        let table = try await inference.table(
            in: Situation.unknown(at: now).applying(live), reaching: 120)
        #expect(try table.rank([route], leaving: now)[0].probabilityStopped > 0.9)
        // Half an hour later that opening is long over.
        let later = try table.rank([route], leaving: now.adding(minutes: 30))
        #expect(later[0].probabilityStopped < 0.3 && later.issueTime == now)
        #expect(abs(later[0].crossings[0].leadMinutes - 32) < 0.1)
    }

    @Test func aTableThatCannotAnswerSaysSo() async throws {
        let near = Route(
            id: "a", name: "a", origin: "Home", destination: "Work", mode: .car,
            steps: [.travel(Route.Travel(minutes: 2)), .crossing(.fremont)])
        let far = Route(
            id: "b", name: "b", origin: "Home", destination: "Work", mode: .bike,
            steps: [.travel(Route.Travel(minutes: 80)), .crossing(.fremont)])
        let table = try await inference.table(
            in: .unknown(at: now), reaching: 60, modes: [.walk])
        #expect(throws: RankingError.table(.unknownMode(.car, known: [.walk]))) {
            try table.rank([near], leaving: now)
        }
        #expect(throws: RankingError.table(.tooShort(minutes: 220, reach: 60))) {
            try table.rank([far], leaving: now)
        }
        #expect(
            throws: RankingError.table(.beforeIssueTime(minutes: 5, now))
        ) { try table.rank([far], leaving: now.adding(minutes: -5)) }
    }

    @Test func bridgesHaveTheirNames() {
        let names: [(BridgeIndex, String)] = [
            (.ballard, "Ballard"), (.fremont, "Fremont"), (.university, "University"),
            (.montlake, "Montlake"), (.lowerSpokaneSt, "Lower Spokane St"),
            (.firstAveSouth, "1st Ave South"), (.southPark, "South Park"),
        ]
        #expect(names.map(\.0) == BridgeIndex.all)
        for (bridge, name) in names { #expect(BridgeCatalogue[bridge].name == name) }
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
        let copied = try copy(ranking)
        #expect(copied.map(\.figures) == ranking.map(\.figures) && copied.weights == .standard)
        #expect(copied[0].crossings.map(\.arrival) == ranking[0].crossings.map(\.arrival))
        #expect(try copy(BridgeIndex.all) == BridgeIndex.all)
        #expect(try copy(BridgeCatalogue.seattle) == BridgeCatalogue.seattle)
        #expect(String(decoding: try JSONEncoder().encode(BridgeIndex.university), as: UTF8.self) == "21")
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
        #expect(throws: RecordFileError.self) { try LiveFile.read(Data()) }
        let error = try #require(throws: RecordFileError.self) {
            try CandidateFile.read(Data([0xff, 0xfe]), mode: .car, name: "the reply")
        }
        #expect(error.path == "the reply")
    }

    @Test func departuresAreComparedForRoutesOfOnesOwn() async throws {
        let routes = [
            Route(
                id: "bridge", name: "bridge", origin: "Home", destination: "Work", mode: .car,
                steps: [
                    .travel(Route.Travel(minutes: 4)), .crossing(.fremont),
                    .travel(Route.Travel(minutes: 6)),
                ]),
            Route(
                id: "way round", name: "way round", origin: "Home", destination: "Work",
                mode: .car, steps: [.travel(Route.Travel(minutes: 16))]),
        ]
        let deadline = now.adding(minutes: 40)
        let window = DepartureWindow(from: now, until: deadline, arriveBy: deadline)
        let curve = try await inference.departures(of: routes, window, in: .unknown(at: now))
        #expect(curve.points.map(\.departure) == (0..<8).map { now.adding(minutes: 5 * Double($0)) })
        #expect(curve.latest.map(\.score.route.id) == ["bridge", "way round"])
        for latest in curve.latest {
            let again = try await inference.rank(
                routes, leaving: latest.departure.adding(minutes: 1), arriveBy: deadline,
                in: .unknown(at: now))
            let same = try #require(again.first { $0.route.id == latest.score.route.id })
            #expect(try #require(same.probabilityOnTime) < 0.9)
            #expect(try #require(latest.score.probabilityOnTime) >= 0.9)
        }
    }

    @Test func aTripOnTheRoadsIsRankedAsItsRoutesAre() async throws {
        let trip = try RoadNetwork.seattle.trip(from: "Ballard", to: "Downtown")
        let ranking = try await inference.rank(trip, leaving: now, in: .unknown(at: now))
        let routes = ranking.map(\.route)
        let again = try await inference.rank(routes, leaving: now, in: .unknown(at: now))
        #expect(again.map(\.route.id) == ranking.map(\.route.id) && ranking.count > 2)
        let point = GeoPoint(latitude: 47.6686, longitude: -122.3762)
        let anchor = try RoadNetwork.seattle.anchor(point, for: .car)
        #expect(anchor == (try RoadNetwork.seattle.anchor("47.6686,-122.3762", for: .car)))
        #expect(throws: PlaceError.self) {
            try RoadNetwork.seattle.anchor(GeoPoint(latitude: .nan, longitude: 0), for: .car)
        }
    }

    /// If the work were done here nobody else would ever have a turn: nothing else in the loop waits.
    @MainActor @Test func heavyWorkIsNotDoneOnTheCallersActor() async throws {
        let inference = try inference
        var hadATurn = false
        Task { @MainActor in hadATurn = true }
        for _ in 0..<1_000 where !hadATurn {
            _ = try await inference.table(in: .unknown(at: now), reaching: 60)
        }
        #expect(hadATurn)
    }

    @Test @MainActor func aScreenIsFedWithoutTheLiveService() async throws {
        let app = AppStateModel()
        var live = LiveSnapshot(asOf: now)
        try live.set(
            .ballard, state: .raised(since: now), observedSince: now.adding(minutes: -90))
        let situation = Situation.unknown(at: now).applying(live)
        let table = try await inference.table(in: situation, reaching: 60)
        app.apply(
            AppStateUpdate(
                bridges: BridgeIndex.all.map { BridgeUpdate($0, table, situation) }, routes: nil))
        #expect(app[.ballard].state == .raised(since: now) && app[.ballard].confidence == .high)
        #expect(app[.fremont].confidence == .medium)
        #expect(app[.ballard].outlook.map(\.leadMinutes) == [0, 2] + stride(from: 5, through: 60, by: 5))
    }
}
