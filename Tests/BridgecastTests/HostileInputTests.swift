// Values a host may pass by mistake: each call fails with a typed error or clamps, and none ends the process.
import Bridgecast
import BridgecastRouting
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct HostileRequestTests: HostSuite {
    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300, 600_000])
    func invalidLeadsAreRefused(_ minutes: Double) async throws {
        let requests = [
            ForecastRequest(bridge: .ballard, leadMinutes: 5, density: 0),
            ForecastRequest(bridge: .fremont, leadMinutes: minutes, density: 0.2),
        ]
        do {
            _ = try await inference.forecast(requests, in: situation)
            Issue.record("\(minutes) was taken for a lead")
        } catch InferenceError.lead(let reported, request: 1) {
            #expect(reported == minutes || reported.isNaN)
        }
    }

    @Test(arguments: [Float.nan, .infinity, -0.1, 1, 1.5])
    func invalidDensitiesAreRefused(_ density: Float) async throws {
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5, density: density)
        do {
            _ = try await inference.forecast([request], in: situation)
            Issue.record("\(density) was taken for a density")
        } catch InferenceError.density(_, request: 0) {}
    }

    @Test(arguments: [Double.infinity, .nan, -1, 1e6, 1e300])
    func tablesThatReachTooFarAreRefused(_ minutes: Double) async throws {
        do {
            _ = try await inference.table(in: situation, reaching: minutes)
            Issue.record("a table reaches \(minutes) minutes")
        } catch InferenceError.reach {}
    }

    @Test func tablesWithoutAModeAreRefused() async throws {
        await #expect(throws: InferenceError.noMode) {
            try await inference.table(in: situation, reaching: 60, modes: [])
        }
    }

    @Test func tooLargeRequestsAreNotAskedToRetry() async throws {
        let error = try await #require(throws: InferenceError.self) {
            try await inference.table(in: situation, reaching: 300_000)
        }
        #expect(error == .tooLarge(rows: 280_140, limit: 65_536))
        #expect("\(error)".contains("ask for less") && !"\(error)".contains("again"))
    }

    @Test func refusedRequestsAreNotComputed() async throws {
        var options = InferenceOptions()
        options.maxRowsInFlight = 10
        let inference = TrafficInference(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")), options: options)
        let many = (0..<11).map { _ in
            ForecastRequest(bridge: .fremont, leadMinutes: .nan, density: 0)
        }
        // Looked at first, the leads would be what is wrong.
        await #expect(throws: InferenceError.tooLarge(rows: 11, limit: 10)) {
            try await inference.forecast(many, in: situation)
        }
        #expect(inference.batchesRun == 0)
        let few = (0..<10).map { _ in
            ForecastRequest(bridge: .fremont, leadMinutes: 5, density: 0)
        }
        #expect(try await inference.forecast(few, in: situation).count == 10)
    }

    @Test func invalidOptionsAreHarmless() async throws {
        var options = InferenceOptions()
        options.threads = 0
        options.minRowsAlone = -5
        options.coalescingWindow = .seconds(-1)
        let inference = TrafficInference(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")), options: options)
        var planner = RoutePlanner(Fixtures.seattle)
        planner.maxRoutes = -3
        let trip = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        let ranking = try await inference.rank(trip, by: planner, leaving: now, in: situation)
        #expect(!ranking.isEmpty)
        #expect(
            Workspace(threads: .max).threads == ProcessInfo.processInfo.activeProcessorCount
                && Workspace(threads: -1).threads == 1)
        #expect(FeatureBatch(capacity: -7).spread(rows: -1).rowCount == 0)
    }
}

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

    @Test func openingsAreWeightedByHistory() async throws {
        let set = try RouteSet([
            overFremont, route(.travel(Route.Travel(minutes: 5)), .crossing(.montlake)),
        ])
        let table = try await inference.table(for: set, leaving: now, in: situation)
        var scorer = RouteScorer()
        try scorer.rank(
            set, with: table, leaving: now, weights: RouteWeights([.openingsPerDay: 1]))
        let openings = [BridgeIndex.fremont, .montlake].map { table.history(of: $0).openingsPerDay }
        #expect(
            scorer.figures.map(\.score) == openings && openings[0] > openings[1] && openings[1] > 0)
    }

    @Test func timesOutOfRangeAreRefused() async throws {
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

    @Test func routesWithInvalidDurationsAreRefused() async throws {
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

@Suite struct HostileValueTests: HostSuite {
    @Test(arguments: [Int64.min, .max, -1 << 60, 1 << 60])
    func timesBeyondTheCalendarAreClamped(_ seconds: Int64) async throws {
        let end = Timestamp(secondsSinceEpoch: seconds)
        #expect(end == (seconds < 0 ? .earliest : .latest))
        #expect(end.adding(seconds: seconds) == end && end.adding(minutes: .nan) == end)
        #expect(now.adding(minutes: seconds < 0 ? -.infinity : .infinity) == end)
        #expect(TimeText.rfc3339(end).count == 25 && Timestamp(end.date) == end)
        #expect(
            CivilDate(dayNumber: Int(seconds)).adding(days: Int(seconds)).description.count >= 10)
        let known = Situation.unknown(at: end)
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5, density: 0)
        #expect(try await inference.forecast([request], in: known).count == 1)
        let ranking = try await inference.rank([overFremont], leaving: end, in: known)
        #expect(ranking.count == 1)
    }

    @Test func invalidTimesAreNotDecoded() throws {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data("[9223372036854775807]".utf8))
        }
    }

    @Test func addressesThatAreNotFilesAreNotRead() throws {
        let path = Fixtures.model("bridgecast.int8.bcm").path
        let address = try #require(URL(string: "https://example.org" + path))
        #expect(throws: ModelFileError.self) { try TrafficInference(contentsOf: address) }
        #expect(throws: ModelFileError.self) { try ModelFile.readNetwork(address) }
        let states = try #require(URL(string: "https://example.org" + path))
        #expect(throws: DocumentError.self) { try LiveFile.read(states) }
        #expect(throws: DocumentError.self) { try CandidateFile.read(states, mode: .car) }
    }

    @Test func invalidHistoriesAreRefused() {
        for openings in [Double.nan, -1, .infinity, 1e308] {
            #expect(throws: ForecastTableError.history(.ballard)) {
                try ForecastTable(
                    issueTime: now, leadsMinutes: [0],
                    history: [.ballard: BridgeHistory(openingsPerDay: openings, coveredDays: 1)]
                ) { _, _, _ in .none }
            }
        }
    }

    @Test func trackersResumeWithReversedOpenings() {
        let reversed = ObservedOpening(
            bridge: .ballard, start: now, startIsKnown: true, end: now.adding(minutes: -5))
        var tracker = BridgeTracker(resuming: [], recent: [reversed])
        _ = tracker.apply(BridgeReading(receivedAt: now, isRaised: [.ballard: true]))
        #expect(tracker.snapshot?.openings == [])
    }

    @Test func repliesThatMixUpBridgesAreRefused() {
        let reply = #"[{"BridgeID": 1, "DisplayName": "Ballard", "Status": "Open"}]"#
        #expect(throws: DocumentError.self) { try LiveFile.read(Data(reply.utf8)) }
    }

    @Test func namesOfAMegabyteAreNotSearched() {
        #expect(throws: PlaceError.self) {
            try Fixtures.seattle.place(named: String(repeating: "x", count: 1_000_000))
        }
        let error = #expect(throws: TimeTextError.self) {
            try TimeText.parse(String(repeating: "9", count: 1_000_000))
        }
        #expect("\(error ?? .unreadable(""))".count < 300)
    }
}
