// Weights, moments and routes that no ranking can be made of: each comes back as a typed error.
import Bridgecast
import Testing

@Suite struct HostileRankingTests: HostSuite {
    @Test(
        arguments: [
            [:], [.expectedMinutes: 0], [.expectedMinutes: -1], [.p90Minutes: .nan],
            [.openingsPerDay: .infinity], [.expectedMinutes: 1, .probabilityLate: 1],
        ] as [[RouteCriterion: Double]])
    func weightsThatRankNothingAreRefused(_ values: [RouteCriterion: Double]) async throws {
        let weights = RouteWeights(values)
        func isRefused(_ body: () async throws -> Void) async throws -> Bool {
            do {
                try await body()
                return false
            } catch RankingError.weights { return true }
        }
        let routes = [overFremont]
        let set = try RouteSet(routes)
        let table = try await inference.table(for: set, leaving: now, in: situation)
        #expect(
            try await isRefused {
                _ = try await inference.rank(
                    routes, leaving: now, in: situation, weights: weights)
            })
        #expect(try await isRefused { _ = try table.rank(routes, leaving: now, weights: weights) })
        #expect(
            try await isRefused {
                var scorer = RouteScorer()
                try scorer.rank(set, with: table, leaving: now, weights: weights)
            })
    }

    @Test func openingsHaveAWeightWithoutBeingHandedIn() async throws {
        let set = try RouteSet([
            overFremont, route(.travel(Route.Travel(minutes: 5)), .crossing(.montlake)),
        ])
        let table = try await inference.table(for: set, leaving: now, in: situation)
        var scorer = RouteScorer()
        try scorer.rank(
            set, with: table, leaving: now, weights: RouteWeights([.openingsPerDay: 1]))
        let usual = [BridgeIndex.fremont, .montlake].map { table.history(of: $0).openingsPerDay }
        #expect(scorer.figures.map(\.score) == usual && usual[0] > usual[1] && usual[1] > 0)
    }

    @Test func momentsThatDoNotFitAreTold() async throws {
        let early = now.adding(minutes: -1)
        await #expect(throws: RankingError.departureInThePast(early, issueTime: now)) {
            try await inference.rank([overFremont], leaving: early, in: situation)
        }
        let far = now.adding(minutes: 400 * 1440)
        await #expect(throws: RankingError.departureTooFar(far)) {
            try await inference.rank([overFremont], leaving: far, in: situation)
        }
        await #expect(throws: RankingError.deadlineBeforeDeparture(early, departure: now)) {
            try await inference.rank([overFremont], leaving: now, arriveBy: early, in: situation)
        }
        for window in [
            DepartureWindow(from: now, until: now), DepartureWindow(from: now, until: early),
            DepartureWindow(from: now, until: now.adding(minutes: 2_000)),
        ] {
            await #expect(throws: RankingError.window(from: window.from, until: window.until)) {
                try await inference.departures(of: [overFremont], window, in: situation)
            }
        }
        let unsure = DepartureWindow(from: now, until: now.adding(minutes: 30), confidence: 1)
        await #expect(throws: RankingError.confidence(1)) {
            try await inference.departures(of: [overFremont], unsure, in: situation)
        }
    }

    @Test func aRouteThatTakesNoTimeThatIsOneIsRefused() async throws {
        for travel in [
            Route.Travel(minutes: -1), Route.Travel(meanMinutes: .nan, spreadMinutes: 0),
            Route.Travel(meanMinutes: 5, spreadMinutes: .infinity), Route.Travel(minutes: 1e9),
        ] {
            do {
                _ = try await inference.rank(
                    [route(.travel(travel))], leaving: now, in: situation)
                Issue.record("\(travel) was ranked")
            } catch RankingError.route(let error) {
                #expect(error.step == 0)
            }
        }
    }
}
