// Requests that a host may hand in by mistake: each comes back as a typed error, and none is computed.
import Bridgecast
import BridgecastTestSupport
import Testing

@Suite struct HostileRequestTests: HostSuite {
    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300, 600_000])
    func aLeadThatIsNoneIsRefused(_ minutes: Double) async throws {
        let requests = [
            ForecastRequest(bridge: .ballard, leadMinutes: 5, density: 0),
            ForecastRequest(bridge: .fremont, leadMinutes: minutes, density: 0.2),
        ]
        do {
            _ = try await inference.forecast(requests, in: situation)
            Issue.record("\(minutes) was taken for a lead")
        } catch InferenceError.lead(let told, request: 1) {
            #expect(told == minutes || told.isNaN)
        }
    }

    @Test(arguments: [Float.nan, .infinity, -0.1, 1, 1.5])
    func aDensityThatIsNoneIsRefused(_ density: Float) async throws {
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5, density: density)
        do {
            _ = try await inference.forecast([request], in: situation)
            Issue.record("\(density) was taken for a density")
        } catch InferenceError.density(_, request: 0) {}
    }

    @Test(arguments: [Double.infinity, .nan, -1, 1e6, 1e300])
    func aTableThatCannotReachSoFarIsRefusedAtOnce(_ minutes: Double) async throws {
        do {
            _ = try await inference.table(in: situation, reaching: minutes)
            Issue.record("a table reaches \(minutes) minutes")
        } catch InferenceError.reach {}
    }

    @Test func aTableForNobodyIsRefused() async throws {
        await #expect(throws: InferenceError.noMode) {
            try await inference.table(in: situation, reaching: 60, modes: [])
        }
    }

    @Test func whatIsTooLargeByItselfIsNotToldToTryAgain() async throws {
        let error = try await #require(throws: InferenceError.self) {
            try await inference.table(in: situation, reaching: 300_000)
        }
        #expect(error == .tooLarge(rows: 280_140, limit: 65_536))
        #expect("\(error)".contains("ask for less") && !"\(error)".contains("again"))
    }

    @Test func refusedRequestsLeaveNothingBehindAndAreNotComputed() async throws {
        var options = ServiceOptions()
        options.mostRowsInFlight = 10
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

    @Test func variablesSetToNonsenseDoNoHarm() async throws {
        var options = ServiceOptions()
        (options.threads, options.leastRowsAlone) = (0, -5)
        options.coalescingWindow = .seconds(-1)
        let inference = TrafficInference(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")), options: options)
        var planner = RoutePlanner(Fixtures.seattle)
        planner.mostRoutes = -3
        let trip = try Fixtures.seattle.trip(from: "Ballard", to: "Downtown")
        let ranking = try await inference.rank(trip, by: planner, leaving: now, in: situation)
        #expect(!ranking.isEmpty)
        #expect(Workspace(threads: .max).threads == 64 && Workspace(threads: -1).threads == 1)
        #expect(FeatureBatch(capacity: -7).spread(rows: -1).rowCount == 0)
    }
}
