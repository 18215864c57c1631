// Reasons beside the shipped model's forecasts at many real moments: none points the other way than the forecast.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ReasonDirectionTests {
    /// Codes that say that the chance is more than usual, less, or near it; what is left says neither.
    private static let more: Set<Reason.Code> = [
        .raised, .raisedFor, .raisedLong, .loweredRecently, .convoy, .convoyInOrder,
        .neighbourOften, .windowEnded, .longOpenings, .busyDay, .overUsual,
    ]
    private static let less: Set<Reason.Code> = [
        .closedWindow, .quietDay, .downNow, .downLately, .downLong, .underUsual,
    ]
    private static let near: Set<Reason.Code> = [.usual, .stateUnknown]
    private static let leads = [0.0, 3, 5, 8, 15, 30, 60]

    /// A forecast beside what is usual, and its reasons.
    private struct Told {
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
    private static let told: [Told] = {
        guard let model = try? ModelFile.read(Fixtures.model("bridgecast.int8.bcm")) else {
            return []
        }
        let (reader, traffic) = (SituationReader(Fixtures.shippedHistory), TrafficDensity())
        return ["2018-03-12T00:00", "2025-03-03T00:00", "2026-02-18T00:00"].flatMap { start in
            stride(from: 0.0, to: 7 * 1440, by: 37).flatMap { minutes -> [Told] in
                let situation = reader.situation(
                    at: Fixtures.moment(start).adding(minutes: minutes))
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
                        let usual = model.climatology.usualProbabilityDelayed(
                            at: bridge, arrival: arrival,
                            density: traffic.density(of: bridge, at: arrival), in: situation)
                        return Told(
                            situation: situation, bridge: bridge, leadMinutes: lead,
                            chance: chance, usual: usual,
                            reasons: reasons.reasons(
                                for: bridge, arrival: arrival,
                                forecast: UsualComparison(chance: chance, usual: usual)))
                    }
                }
            }
        }
    }()

    @Test func noReasonPointsTheOtherWayThanTheForecast() {
        #expect(Self.told.count > 30_000)
        var seen: Set<Reason.Code> = []
        for told in Self.told {
            let codes = Set(told.codes)
            seen.formUnion(codes)
            #expect((1...3).contains(told.codes.count))
            #expect(!told.isBelow || codes.isDisjoint(with: Self.more), "\(told)")
            #expect(!told.isAbove || codes.isDisjoint(with: Self.less), "\(told)")
            #expect(!told.isFar || codes.isDisjoint(with: Self.near), "\(told)")
        }
        let expected: Set<Reason.Code> = [
            .raisedFor, .loweredRecently, .convoy, .closedWindow, .windowEnded, .busyDay, .quietDay,
            .downNow, .downLately, .downLong, .overUsual, .underUsual, .usual,
        ]
        #expect(seen.isSuperset(of: expected), "never told: \(expected.subtracting(seen))")
    }

    @Test func aBridgeThatHasJustComeDownSaysSoWhereItsForecastIsFarBelowTheUsual() {
        var count = 0
        for told in Self.told where told.isFar && told.isBelow {
            let known = told.situation[told.bridge]
            guard known.state == .lowered, let end = known.recent.lazy.compactMap(\.end).first
            else { continue }
            let ago = told.situation.issueTime.minutes(since: end)
            let hasJustComeDown = ago + told.leadMinutes <= 8
            #expect(told.codes.contains(.downLately) == hasJustComeDown)
            guard hasJustComeDown else { continue }
            count += 1
            let minutes = Int(ago.rounded())
            #expect(told.reasons[0] == .downLately(told.bridge, minutesAgo: minutes))
        }
        #expect(count > 10)
    }

    @Test func nothingIsLeftUnexplainedWhereItIsKnownThatTheBridgeIsDown() {
        let atOnce = Self.told.filter {
            $0.leadMinutes <= 3 && $0.isBelow && $0.situation[$0.bridge].state == .lowered
        }
        #expect(atOnce.count > 1000)
        for told in atOnce {
            #expect(
                told.codes.first == .downNow || told.codes.first == .downLately, "\(told.codes)")
        }
    }

    @Test func longIsWhatTheLawOfLengthsSays() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let law = try #require(model.climatology.lengthLaw)
        var count = 0
        for told in Self.told where told.leadMinutes == 3 && told.isAbove {
            guard case .raised(let since?) = told.situation[told.bridge].state else { continue }
            let known = LengthCovariates(told.bridge, in: told.situation, law)
            let minutes = told.situation.issueTime.minutes(since: since)
            let share =
                1
                - law.survival(of: told.bridge, known)
                .probabilityOutlasts(total: minutes, elapsed: 0)
            let long = told.reasons.compactMap { reason -> Double? in
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
