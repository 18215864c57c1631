// Every live forecast is of one model, the one that it names, whatever is loaded while it is made.
import Bridgecast
import BridgecastLive
import BridgecastTestSupport
import Testing

@Suite struct ForecastReloadTests {
    private static let names = ["bridgecast.int8.bcm", "validation/bridgecast.int8.bcm"]
    private static let updates = 40

    /// All chances of a table, by bridge and lead.
    private func chances(_ table: ForecastTable) throws -> [Double] {
        try BridgeIndex.all.flatMap { bridge in
            try table.leadsMinutes.map {
                try table.delay(at: bridge, leadMinutes: $0, mode: .car).probabilityDelayed
            }
        }
    }

    @Test func everyForecastIsThatOfTheModelItNames() async throws {
        let models = try Self.names.map { try ModelFile.read(Fixtures.model($0)) }
        let inference = TrafficInference(models[0])
        let history = Fixtures.shippedHistory
        let moment = Fixtures.moment("2026-02-20T18:02")
        let forecaster = try LiveForecaster(inference, history: history)
        let reloads = Task.detached {
            while !Task.isCancelled {
                for model in models { inference.use(model) }
                await Task.yield()
            }
        }
        defer { reloads.cancel() }
        for number in 0..<Self.updates {
            let update = try await forecaster.update(
                nil, traffic: LiveTraffic(), at: moment.adding(minutes: Double(number)))
            // A model of its own, which nobody reloads.
            let own = try await TrafficInference(update.model).table(
                in: update.situation, reaching: update.table.reachMinutes, traffic: update.traffic)
            #expect(try chances(own) == chances(update.table), "update \(number)")
        }
        // The two do not forecast the same, or nothing would be shown by this.
        let situation = SituationReader(history).situation(at: moment)
        let first = try await TrafficInference(models[0]).table(in: situation, reaching: 60)
        let second = try await TrafficInference(models[1]).table(in: situation, reaching: 60)
        #expect(try chances(first) != chances(second))
    }
}
