// Values that a host hands on: names, JSON there and back, replies read from memory, and a screen.
import Bridgecast
import Foundation
import Testing

@Suite struct HandedOnValueTests: HostSuite {
    @Test func bridgesHaveTheirNames() {
        let names: [(BridgeIndex, String)] = [
            (.ballard, "Ballard"), (.fremont, "Fremont"), (.university, "University"),
            (.montlake, "Montlake"), (.lowerSpokaneSt, "Lower Spokane St"),
            (.firstAveSouth, "1st Ave South"), (.southPark, "South Park"),
        ]
        #expect(names.map(\.0) == BridgeIndex.all)
        for (bridge, name) in names { #expect(BridgeCatalogue[bridge].name == name) }
    }

    @Test func criteriaSpeakForThemselves() {
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
        #expect(
            app[.ballard].outlook.map(\.leadMinutes) == [0, 2] + stride(from: 5, through: 60, by: 5)
        )
    }
}
