// The usual chance beside a forecast is climatology's for the same moment and traffic, and a forecast says what it
// rests on.
@testable import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct UsualChanceTests {
    private let evening = Fixtures.moment("2026-02-20T18:02")

    @Test func theUsualChanceIsWhereExplanationsBegin() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let situation = SituationReader(Fixtures.shippedHistory).situation(at: evening)
        var workspace = Workspace()
        for bridge in BridgeIndex.all {
            for (lead, density) in [(0.0, Float(0)), (10, 0.3), (55, 0.8), (700, 0.5)] {
                let explanation = try model.explanation(
                    of: bridge, leadMinutes: lead, density: density, in: situation,
                    workspace: &workspace)
                let usual = model.climatology.usualProbabilityDelayed(
                    at: bridge, arrival: evening.adding(minutes: lead), density: Double(density))
                #expect(abs(usual - explanation.climatology) < 1e-6)
            }
        }
    }

    @Test func theUsualChanceIsThePriorOfABlankSituation() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        for bridge in BridgeIndex.all {
            for hour in stride(from: 0.0, to: 48, by: 3) {
                var batch = FeatureBatch()
                FeatureBuilder(climatology: model.climatology).append(
                    bridge, leadMinutes: hour * 60, density: 0.4,
                    in: .unknown(at: evening), to: &batch)
                let prior = DelayDistribution(batch.priorLogits.map { exp($0) })
                let usual = model.climatology.usualProbabilityDelayed(
                    at: bridge, arrival: evening.adding(minutes: hour * 60), density: 0.4)
                #expect(abs(prior.probabilityDelayed - usual) < 2e-5)
            }
        }
    }

    @Test func aForecastRestsOnWhatIsKnownForAnHour() {
        let situation = SituationReader(Fixtures.shippedHistory).situation(at: evening)
        let fremont = Fixtures.bridge("Fremont")
        #expect(ForecastBasis(fremont, leadMinutes: 60, in: situation) == .live)
        #expect(ForecastBasis(fremont, leadMinutes: 60.1, in: situation) == .climatology)
        let blank = Situation.unknown(at: evening)
        #expect(ForecastBasis(fremont, leadMinutes: 0, in: blank) == .climatology)
        // What a neighbour does is known, and the forecast goes by it.
        var ballard = blank
        ballard[Fixtures.bridge("Ballard")].state = .lowered
        #expect(ForecastBasis(fremont, leadMinutes: 5, in: ballard) == .live)
        #expect(
            ForecastBasis(Fixtures.bridge("South Park"), leadMinutes: 5, in: ballard)
                == .climatology)
    }
}
