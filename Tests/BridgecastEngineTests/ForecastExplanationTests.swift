// Explanations: parts that add up, go to the bridge they come from, and vanish with what is not known.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore
@testable import BridgecastEngine

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
                at: Fixtures.timestamp("2026-02-20T00:00").adding(minutes: minute))
            for bridge in BridgeIndex.all {
                let found = try Self.explanation(of: bridge, in: situation)
                let sum = found.parts.reduce(0) { $0 + $1.logOdds }
                let moved = Self.logOdds(found.probability) - Self.logOdds(found.climatology)
                #expect(abs(sum - moved) < 1e-6)
                // The end of the way is the forecast itself.
                var batch = FeatureBatch()
                FeatureBuilder(climatology: model.climatology).append(
                    bridge, leadMinutes: 10, density: 0.4, in: situation, to: &batch)
                var output = [Float]()
                var workspace = Workspace()
                model.predict(batch, into: &output, workspace: &workspace)
                let delayed = DelayDistribution(output).probabilityDelayed
                #expect(abs(found.probability - delayed) < 1e-6)
            }
        }
    }

    @Test func nothingKnownLeavesNothingButTheTime() throws {
        let found = try Self.explanation(in: .unknown(at: Fixtures.timestamp("2026-02-20T12:00")))
        #expect(found.parts.map(\.cause) == [.time])
    }

    @Test func aBridgeThatWentUpRaisesTheNextOnesChance() throws {
        var situation = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.timestamp("2026-02-20T03:00"))
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
            at: Fixtures.timestamp("2026-02-20T12:00"))
        let causes = Set(try Self.explanation(in: situation).parts.map(\.cause))
        let canal = ["Ballard", "Fremont", "University", "Montlake"].map(Fixtures.bridge)
        #expect(causes == Set([.time] + canal.map { .bridge($0) }))
    }

    @Test func aPartIsWhatABridgeAddsOnAverageOverAllOrders() throws {
        // Two bridges known: the value written out is the mean over the two orders.
        let reader = SituationReader(Fixtures.shippedHistory)
        let full = reader.situation(at: Fixtures.timestamp("2026-02-20T12:10"))
        let ballard = Fixtures.bridge("Ballard")
        let fremont = Self.fremont
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
        let none = try forecast([])
        let one = try forecast([ballard])
        let other = try forecast([fremont])
        let all = try forecast([ballard, fremont])
        #expect(abs(part.logOdds - ((one - none) + (all - other)) / 2) < 1e-6)
    }
}

@Suite struct ReasonDirectionTests {
    /// Codes that say that the chance is more than usual, less, or near it; what is left says neither.
    private static let more: Set<Reason.Code> = [
        .raised, .raisedFor, .raisedLong, .loweredRecently, .convoy, .convoyInOrder,
        .neighbourOften, .windowEnded, .longOpenings, .busyDay, .aboveClimatology,
    ]
    private static let less: Set<Reason.Code> = [
        .closedWindow, .quietDay, .downNow, .downLately, .downLong, .belowClimatology,
    ]
    private static let near: Set<Reason.Code> = [.nearClimatology, .stateUnknown]
    private static let leads = [0.0, 3, 5, 8, 15, 30, 60]

    /// A forecast, the climatological one, and its reasons.
    private struct ExplainedForecast {
        let situation: Situation
        let bridge: BridgeIndex
        let leadMinutes, chance, usual: Double
        let reasons: [Reason]

        var codes: [Reason.Code] { reasons.map(\.code) }
        var isFar: Bool {
            abs(chance - usual) > 0.0051 && max(chance, usual) > 1.51 * min(chance, usual)
        }
        /// What is seen: more than half a point in 100 and more than a tenth.
        var isBelow: Bool { usual - chance > 0.0051 && usual > chance * 1.101 }
        var isAbove: Bool { chance - usual > 0.0051 && chance > usual * 1.101 }
    }

    /// Three weeks of the records, every 37 minutes: an issue time for every minute of the hour.
    private static let explained: [ExplainedForecast] = {
        guard let model = try? ModelFile.read(Fixtures.model("bridgecast.int8.bcm")) else {
            return []
        }
        let reader = SituationReader(Fixtures.shippedHistory)
        let traffic = TrafficDensity()
        return ["2018-03-12T00:00", "2025-03-03T00:00", "2026-02-18T00:00"].flatMap { start in
            stride(from: 0.0, to: 7 * 1440, by: 37).flatMap { minutes -> [ExplainedForecast] in
                let situation = reader.situation(
                    at: Fixtures.timestamp(start).adding(minutes: minutes))
                guard let table = try? model.minuteTable(in: situation, traffic: traffic) else {
                    return []
                }
                let reasons = ForecastReason(
                    situation: situation, climatology: model.climatology)
                return BridgeIndex.all.flatMap { bridge in
                    leads.map { lead in
                        let arrival = situation.issueTime.adding(minutes: lead)
                        let chance = table.delayWithin(
                            at: bridge, leadMinutes: lead, queues: true
                        ).probabilityDelayed
                        let usual = model.climatology.climatologicalProbabilityDelayed(
                            at: bridge, arrival: arrival,
                            density: traffic.density(of: bridge, at: arrival), in: situation)
                        return ExplainedForecast(
                            situation: situation, bridge: bridge, leadMinutes: lead,
                            chance: chance, usual: usual,
                            reasons: reasons.reasons(
                                for: bridge, arrival: arrival,
                                forecast: ClimatologyComparison(chance: chance, climatology: usual),
                                climatology: usual)
                        )
                    }
                }
            }
        }
    }()

    @Test func noReasonPointsTheOtherWayThanTheForecast() {
        #expect(Self.explained.count > 30_000)
        var seen: Set<Reason.Code> = []
        for explained in Self.explained {
            let codes = Set(explained.codes)
            seen.formUnion(codes)
            #expect((1...3).contains(explained.codes.count))
            #expect(!explained.isBelow || codes.isDisjoint(with: Self.more), "\(explained)")
            #expect(!explained.isAbove || codes.isDisjoint(with: Self.less), "\(explained)")
            #expect(!explained.isFar || codes.isDisjoint(with: Self.near), "\(explained)")
        }
        let expected: Set<Reason.Code> = [
            .raisedFor, .loweredRecently, .convoy, .closedWindow, .windowEnded, .busyDay, .quietDay,
            .downNow, .downLately, .downLong, .aboveClimatology, .belowClimatology,
            .nearClimatology,
        ]
        #expect(seen.isSuperset(of: expected), "never given: \(expected.subtracting(seen))")
    }

    @Test func aRecentLoweringExplainsAForecastFarBelowClimatology() {
        var count = 0
        for explained in Self.explained where explained.isFar && explained.isBelow {
            let known = explained.situation[explained.bridge]
            guard known.state == .lowered, let end = known.recent.lazy.compactMap(\.end).first
            else { continue }
            let ago = explained.situation.issueTime.minutes(since: end)
            let hasJustComeDown = ago + explained.leadMinutes <= 8
            #expect(explained.codes.contains(.downLately) == hasJustComeDown)
            guard hasJustComeDown else { continue }
            count += 1
            let minutes = Int(ago.rounded())
            #expect(explained.reasons[0] == .downLately(explained.bridge, minutesAgo: minutes))
        }
        #expect(count > 10)
    }

    @Test func nothingIsLeftUnexplainedWhereItIsKnownThatTheBridgeIsDown() {
        let atOnce = Self.explained.filter {
            $0.leadMinutes <= 3 && $0.isBelow && $0.situation[$0.bridge].state == .lowered
        }
        #expect(atOnce.count > 1000)
        for explained in atOnce {
            #expect(
                explained.codes.first == .downNow || explained.codes.first == .downLately,
                "\(explained.codes)")
        }
    }

    @Test func longIsWhatTheLawOfLengthsSays() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let law = try #require(model.climatology.lengthLaw)
        var count = 0
        for explained in Self.explained where explained.leadMinutes == 3 && explained.isAbove {
            guard case .raised(let since?) = explained.situation[explained.bridge].state else {
                continue
            }
            let known = LengthCovariates(explained.bridge, in: explained.situation, law)
            let minutes = explained.situation.issueTime.minutes(since: since)
            let share =
                1
                - law.survival(of: explained.bridge, known)
                .probabilityOutlasts(total: minutes, elapsed: 0)
            let long = explained.reasons.compactMap { reason -> Double? in
                guard case .raisedLong(_, _, let share) = reason else { return nil }
                return share
            }
            #expect(long.isEmpty == (share < 0.95))
            #expect(long.allSatisfy { abs($0 - share) < 1e-9 })
            count += 1
        }
        #expect(count > 30)
    }
}

@Suite struct ClimatologicalChanceTests {
    private let evening = Fixtures.timestamp("2026-02-20T18:02")

    @Test func explanationsBeginAtTheClimatologicalChance() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let situation = SituationReader(Fixtures.shippedHistory).situation(at: evening)
        var workspace = Workspace()
        for bridge in BridgeIndex.all {
            for (lead, density) in [(0.0, Float(0)), (10, 0.3), (55, 0.8), (700, 0.5)] {
                let explanation = try model.explanation(
                    of: bridge, leadMinutes: lead, density: density, in: situation,
                    workspace: &workspace)
                let usual = model.climatology.climatologicalProbabilityDelayed(
                    at: bridge, arrival: evening.adding(minutes: lead), density: Double(density))
                #expect(abs(usual - explanation.climatology) < 1e-6)
            }
        }
    }

    @Test func theClimatologicalChanceIsThePriorOfABlankSituation() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        for bridge in BridgeIndex.all {
            for hour in stride(from: 0.0, to: 48, by: 3) {
                var batch = FeatureBatch()
                FeatureBuilder(climatology: model.climatology).append(
                    bridge, leadMinutes: hour * 60, density: 0.4,
                    in: .unknown(at: evening), to: &batch)
                let prior = DelayDistribution(batch.priorLogits.map { exp($0) })
                let usual = model.climatology.climatologicalProbabilityDelayed(
                    at: bridge, arrival: evening.adding(minutes: hour * 60), density: 0.4)
                #expect(abs(prior.probabilityDelayed - usual) < 2e-5)
            }
        }
    }

    @Test func aForecastRestsOnWhatIsKnownForAnHour() {
        let situation = SituationReader(Fixtures.shippedHistory).situation(at: evening)
        let fremont = Fixtures.bridge("Fremont")
        #expect(ForecastBasis(fremont, leadMinutes: 60, in: situation) == .live)
        #expect(ForecastBasis(fremont, leadMinutes: 60.1, in: situation) == .calendar)
        let blank = Situation.unknown(at: evening)
        #expect(ForecastBasis(fremont, leadMinutes: 0, in: blank) == .calendar)
        // What a neighbour does is known, and the forecast goes by it.
        var ballard = blank
        ballard[Fixtures.bridge("Ballard")].state = .lowered
        #expect(ForecastBasis(fremont, leadMinutes: 5, in: ballard) == .live)
        #expect(
            ForecastBasis(Fixtures.bridge("South Park"), leadMinutes: 5, in: ballard)
                == .calendar)
    }
}
