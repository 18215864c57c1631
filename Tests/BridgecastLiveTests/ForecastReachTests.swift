// A live forecast reaches an hour, or as far as the host wants; what a screen shows of it stays an hour.
import Bridgecast
import BridgecastLive
import BridgecastTestSupport
import Testing

@Suite struct ForecastReachTests {
    @Test(arguments: [nil, 120.0])
    func aForecastReachesAsFarAsIsWanted(_ wanted: Double?) async throws {
        let inference = TrafficInference(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")))
        let forecaster =
            try wanted.map {
                try LiveForecaster(inference, history: Fixtures.shippedHistory, reachMinutes: $0)
            } ?? LiveForecaster(inference, history: Fixtures.shippedHistory)
        let update = try await forecaster.update(
            nil, traffic: LiveTraffic(), at: Fixtures.moment("2026-02-20T18:02"))
        #expect(update.table.reachMinutes == wanted ?? 60)
        #expect(update.bridges.allSatisfy { $0.outlook.last?.leadMinutes == 60 })
    }
}
