// Explanations: parts that add up, go to the bridge they come from, and vanish with what is not known.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ExplanationTests {
    private static let fremont = Fixtures.bridge("Fremont")

    private static func explanation(
        of bridge: BridgeIndex = fremont, lead: Double = 10, density: Float = 0.4,
        in situation: Situation
    ) throws -> ForecastExplanation {
        let model = try ModelFile.read(Fixtures.model("validation/bridgecast.int8.bcm"))
        var workspace = Workspace()
        return try model.explanation(
            of: bridge, leadMinutes: lead, density: density, in: situation, workspace: &workspace)
    }

    private static func logOdds(_ probability: Double) -> Double {
        log(probability / (1 - probability))
    }

    @Test func partsAddUpFromClimatologyToTheForecast() throws {
        let model = try ModelFile.read(Fixtures.model("validation/bridgecast.int8.bcm"))
        let reader = SituationReader(Fixtures.shippedHistory)
        for minute in stride(from: 0.0, to: 1440, by: 97) {
            let situation = reader.situation(
                at: Fixtures.moment("2026-02-20T00:00").adding(minutes: minute))
            for bridge in BridgeIndex.all {
                let found = try Self.explanation(of: bridge, in: situation)
                let sum = found.parts.reduce(0) { $0 + $1.logOdds }
                let moved = Self.logOdds(found.probability) - Self.logOdds(found.climatology)
                #expect(abs(sum - moved) < 1e-6)
                // The end of the way is the forecast itself.
                var batch = FeatureBatch()
                FeatureBuilder(climatology: model.climatology).append(
                    bridge, leadMinutes: 10, density: 0.4, in: situation, to: &batch)
                var (output, workspace) = ([Float](), Workspace())
                model.predict(batch, into: &output, workspace: &workspace)
                let delayed = DelayDistribution(output).probabilityDelayed
                #expect(abs(found.probability - delayed) < 1e-6)
            }
        }
    }

    @Test func nothingKnownLeavesNothingButTheTime() throws {
        let found = try Self.explanation(in: .unknown(at: Fixtures.moment("2026-02-20T12:00")))
        #expect(found.parts.map(\.cause) == [.time])
    }

    @Test func aBridgeThatWentUpRaisesTheNextOnesChance() throws {
        var situation = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.moment("2026-02-20T03:00"))
        let ballard = Fixtures.bridge("Ballard")
        let start = situation.issueTime.adding(minutes: -4)
        situation[ballard].state = .raised(since: start)
        situation[ballard].recent.insert(KnownOpening(start: start, end: nil), at: 0)
        let found = try Self.explanation(in: situation)
        let part = try #require(found.parts.first { $0.cause == .bridge(ballard) })
        #expect(part.logOdds > 0.5)
        #expect(found.parts.first == part, "it is the weightiest")
    }

    @Test func bridgesOfAnotherWaterwayHaveNoPart() throws {
        let situation = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.moment("2026-02-20T12:00"))
        let causes = Set(try Self.explanation(in: situation).parts.map(\.cause))
        let canal = ["Ballard", "Fremont", "University", "Montlake"].map(Fixtures.bridge)
        #expect(causes == Set([.time] + canal.map { .bridge($0) }))
    }

    @Test func aPartIsWhatABridgeAddsOnAverageOverAllOrders() throws {
        // Two bridges known: the value written out is the mean over the two orders.
        let reader = SituationReader(Fixtures.shippedHistory)
        let full = reader.situation(at: Fixtures.moment("2026-02-20T12:10"))
        let (ballard, fremont) = (Fixtures.bridge("Ballard"), Self.fremont)
        func forecast(_ known: [BridgeIndex]) throws -> Double {
            var situation = Situation.unknown(at: full.issueTime)
            for bridge in known { situation[bridge] = full[bridge] }
            return Self.logOdds(try Self.explanation(in: situation).probability)
        }
        var both = Situation.unknown(at: full.issueTime)
        both[ballard] = full[ballard]
        both[fremont] = full[fremont]
        let found = try Self.explanation(in: both)
        let part = try #require(found.parts.first { $0.cause == .bridge(ballard) })
        let (none, one) = (try forecast([]), try forecast([ballard]))
        let (other, all) = (try forecast([fremont]), try forecast([ballard, fremont]))
        #expect(abs(part.logOdds - ((one - none) + (all - other)) / 2) < 1e-6)
    }
}
