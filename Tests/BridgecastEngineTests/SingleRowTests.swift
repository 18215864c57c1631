// A single forecast at once is that of a batch, to the last bit, whatever was asked before it.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Testing

@Suite struct SingleRowTests {
    private let reader = SituationReader(Fixtures.shippedHistory)

    @Test func aSingleForecastIsThatOfABatch() async throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let inference = TrafficInference(model)
        for minute in [0.0, 7, 400, 7] {
            let situation = reader.situation(
                at: Fixtures.moment("2026-02-20T17:58").adding(minutes: minute))
            for lead in [0.0, 10, 10.4, 59, 60, 61, 300] {
                let requests = BridgeIndex.all.flatMap { bridge in
                    [Float(0), 0.4].map {
                        ForecastRequest(bridge: bridge, leadMinutes: lead, density: $0)
                    }
                }
                let together = try await inference.forecast(requests, in: situation)
                for (request, expected) in zip(requests, together) {
                    let alone = try inference.forecastNow(request, in: situation, by: model)
                    #expect(alone == expected, "\(request)")
                }
                #expect(
                    try inference.forecastNow(requests, in: situation, by: model) == together)
            }
        }
    }

    @Test func whatIsKeptOfEarlierRowsStaysSmall() throws {
        let situation = reader.situation(at: Fixtures.moment("2026-02-20T18:02"))
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        var most = 0
        for row in 0..<20_000 {
            batch.removeRows()
            builder.append(
                BridgeIndex.all[row % 7], leadMinutes: Double(row % 7_001) / 10, density: 0.3,
                in: situation, to: &batch)
            #expect(batch.rowCount == 1 && batch.priorLogits.count == DelayBins.count)
            most = max(most, batch.rows.listCount)
        }
        #expect(most > 1_000 && most < 4_200)
    }

    @Test func aSingleForecastIsByTheModelThatIsNamed() throws {
        let situation = reader.situation(at: Fixtures.moment("2026-02-20T18:02"))
        let (old, new) = try (
            ModelFile.read(RandomModel.bytes(.int8, seed: 1)),
            ModelFile.read(RandomModel.bytes(.int8, seed: 2))
        )
        let inference = TrafficInference(new)
        let request = requests()[0]
        let byNew = try inference.forecastNow(request, in: situation, by: new)
        let byOld = try inference.forecastNow(request, in: situation, by: old)
        #expect(byOld != byNew)
        #expect(try TrafficInference(old).forecastNow([request], in: situation)[0] == byOld)
    }

    @Test func aSingleRequestIsCheckedAndCounted() throws {
        let situation = reader.situation(at: Fixtures.moment("2026-02-20T18:02"))
        let inference = TrafficInference(try ModelFile.read(RandomModel.bytes(.int8)))
        var request = requests()[0]
        _ = try inference.forecastNow(request, in: situation, by: inference.model)
        #expect(inference.batchesRun == 1)
        request.leadMinutes = -1
        #expect(throws: InferenceError.lead(minutes: -1, request: 0)) {
            try inference.forecastNow(request, in: situation, by: inference.model)
        }
        request.leadMinutes = 1
        request.density = 1
        #expect(throws: InferenceError.density(1, request: 0)) {
            try inference.forecastNow(request, in: situation, by: inference.model)
        }
        #expect(throws: Never.self) { try inference.refuseUnlessAdmissible(65_536) }
    }
}
