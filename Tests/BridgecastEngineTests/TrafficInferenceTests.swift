// The actor: forecasts are those of the model, and a bad file never replaces a good one.
@testable import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct TrafficInferenceTests {
    private let issueTime = Fixtures.moment("2026-02-20T18:05")
    private var situation: Situation {
        SituationReader(Fixtures.shippedHistory).situation(at: issueTime)
    }

    private func requests() -> [ForecastRequest] {
        BridgeIndex.all.flatMap { bridge in
            [2.0, 20, 45].map { ForecastRequest(bridge: bridge, leadMinutes: $0, density: 0.2) }
        }
    }

    @Test func forecastsDoNotDependOnWhatElseIsInTheBatch() async throws {
        let inference = TrafficInference(try ModelFile.read(RandomModel.bytes(.int8)))
        let requests = requests()
        let together = await inference.forecast(requests, in: situation)
        #expect(together.count == requests.count)
        for (request, expected) in zip(requests, together) {
            let alone = await inference.forecast([request], in: situation)
            for bin in 0..<DelayBins.count { #expect(abs(alone[0][bin] - expected[bin]) < 1e-6) }
        }
        #expect(await inference.forecast([], in: situation).isEmpty)
    }

    @Test func computeUnitsAgree() async throws {
        let model = try ModelFile.read(RandomModel.bytes(.int8))
        let reference = await TrafficInference(model, computeUnits: .reference)
            .forecast(requests(), in: situation)
        for units in ComputeUnits.allCases {
            let found = await TrafficInference(model, computeUnits: units)
                .forecast(requests(), in: situation)
            for (a, b) in zip(found, reference) {
                for bin in 0..<DelayBins.count { #expect(abs(a[bin] - b[bin]) < 1e-6) }
            }
        }
    }

    @Test func aTableHoldsTheForecastsOfItsGrid() async throws {
        let inference = TrafficInference(try ModelFile.read(RandomModel.bytes(.fp32)))
        let traffic = TrafficDensity()
        let table = await inference.table(in: situation, reaching: 100, traffic: traffic)
        #expect((table.leadsMinutes.last ?? 0) >= 100)
        let fremont = Fixtures.bridge("Fremont")
        for lead in [0.0, 2, 15, 60] {
            let density = traffic.density(of: fremont, at: issueTime.adding(minutes: lead))
            let requests = [
                ForecastRequest(bridge: fremont, leadMinutes: lead, density: Float(density)),
                ForecastRequest(bridge: fremont, leadMinutes: lead, density: 0),
            ]
            let expected = await inference.forecast(requests, in: situation)
            for (queues, forecast) in zip([true, false], expected) {
                let found = table.delay(at: fremont, leadMinutes: lead, queues: queues)
                for bin in 0..<DelayBins.count {
                    #expect(abs(found[bin] - forecast[bin]) < 1e-6)
                }
            }
        }
    }

    @Test func aBadFileLeavesTheOldModelServing() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let good = folder.appendingPathComponent("good.bcm")
        let bad = folder.appendingPathComponent("bad.bcm")
        let bytes = RandomModel.bytes(.int8, seed: 1)
        try Data(bytes).write(to: good)
        try Data(bytes.dropLast(10)).write(to: bad)
        let inference = try TrafficInference(contentsOf: good)
        let before = await inference.forecast(requests(), in: situation)
        await #expect(throws: ModelFileError.self) { try await inference.reload(contentsOf: bad) }
        #expect(await inference.forecast(requests(), in: situation) == before)
        try Data(RandomModel.bytes(.int8, seed: 2)).write(to: good)
        try await inference.reload(contentsOf: good)
        #expect(await inference.forecast(requests(), in: situation) != before)
    }
}
