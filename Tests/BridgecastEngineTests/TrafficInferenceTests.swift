// Forecasts are those of the model, alone or in a batch, and a bad file never replaces a good one.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct TrafficInferenceTests {
    private let issueTime = Fixtures.moment("2026-02-20T18:05")
    private var situation: Situation {
        SituationReader(Fixtures.shippedHistory).situation(at: issueTime)
    }

    @Test(arguments: InstructionSet.available)
    func forecastsDoNotDependOnWhatElseIsInTheBatch(_ set: InstructionSet) async throws {
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.int8)).packed(for: set))
        let requests = requests()
        let together = try await inference.forecast(requests, in: situation)
        #expect(together.count == requests.count)
        for (request, expected) in zip(requests, together) {
            let alone = try await inference.forecast([request], in: situation)
            for bin in 0..<DelayBins.count { #expect(abs(alone[0][bin] - expected[bin]) < 1e-6) }
        }
        #expect(try await inference.forecast([], in: situation).isEmpty)
    }

    @Test(arguments: InstructionSet.available)
    func computeUnitsAgree(_ set: InstructionSet) async throws {
        let model = try ModelFile.read(RandomModel.bytes(.int8)).packed(for: set)
        let reference = try await TrafficInference(model, computeUnits: .reference)
            .forecast(requests(), in: situation)
        for units in ComputeUnits.allCases {
            let found = try await TrafficInference(model, computeUnits: units)
                .forecast(requests(), in: situation)
            for (a, b) in zip(found, reference) {
                for bin in 0..<DelayBins.count { #expect(abs(a[bin] - b[bin]) < 1e-6) }
            }
        }
    }

    @Test(arguments: InstructionSet.available)
    func aTableHoldsTheForecastsOfItsGrid(_ set: InstructionSet) async throws {
        let inference = TrafficInference(
            try ModelFile.read(RandomModel.bytes(.fp32)).packed(for: set))
        let traffic = TrafficDensity()
        let table = try await inference.table(in: situation, reaching: 100, traffic: traffic)
        #expect((table.leadsMinutes.last ?? 0) >= 100)
        let fremont = Fixtures.bridge("Fremont")
        for lead in [0.0, 2, 15, 60] {
            let density = traffic.density(of: fremont, at: issueTime.adding(minutes: lead))
            let requests = [
                ForecastRequest(bridge: fremont, leadMinutes: lead, density: Float(density)),
                ForecastRequest(bridge: fremont, leadMinutes: lead, density: 0),
            ]
            let expected = try await inference.forecast(requests, in: situation)
            for (mode, forecast) in zip([Route.Mode.car, .bike], expected) {
                let found = try table.delay(at: fremont, leadMinutes: lead, mode: mode)
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
        let before = try await inference.forecast(requests(), in: situation)
        #expect(throws: ModelFileError.self) { try inference.reload(contentsOf: bad) }
        #expect(try await inference.forecast(requests(), in: situation) == before)
        try Data(RandomModel.bytes(.int8, seed: 2)).write(to: good)
        try inference.reload(contentsOf: good)
        #expect(try await inference.forecast(requests(), in: situation) != before)
    }
}
