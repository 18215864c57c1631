// Which reasons a forecast has, and that the records support them.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

@Suite struct ForecastReasonTests {
    @Test func reasonsNameTheConvoyAndTheRule() throws {
        let issueTime = Fixtures.timestamp("2026-02-20T12:20")
        // Not seen since midnight: whether the day is quiet is not known.
        let day = Fixtures.timestamp("2026-02-20T06:00")..<Fixtures.timestamp("2026-02-21T00:00")
        let history = OpeningHistory(
            records: [Fixtures.opening("Ballard", "2026-02-20T12:08", "2026-02-20T12:13")],
            coverage: Coverage(day))
        let reasons = ForecastReason(
            situation: SituationReader(history).situation(at: issueTime),
            climatology: RandomModel.climatology)
        #expect(
            reasons.phrases(
                for: Fixtures.bridge("Fremont"), arrival: issueTime.adding(minutes: 3),
                forecast: .above, climatology: 0.05)
                == ["Ballard went up 12 min ago; boats usually reach Fremont in 9 to 20 min"])
        #expect(
            reasons.phrases(
                for: Fixtures.bridge("1st Ave South"),
                arrival: Fixtures.timestamp("2026-02-20T15:30"), forecast: .below, climatology: 0.05
            ) == [
                "closed to smaller boats until 18:00"
            ])
        for bridge in BridgeIndex.all {
            #expect(
                !reasons.phrases(
                    for: bridge, arrival: issueTime, forecast: .same, climatology: 0.05
                ).isEmpty)
        }
    }
}

@Suite struct DownReasonTests {
    private let fremont = BridgeIndex.fremont
    private let noon = Fixtures.timestamp("2026-02-20T12:00")

    /// The reasons at Fremont at noon for an arrival `lead` minutes ahead, `loweredAgo` minutes after its last opening.
    private func codes(
        lead: Double, loweredAgo: Double? = nil, _ forecast: ClimatologyComparison,
        _ change: (inout Situation) -> Void = { _ in }
    ) -> [Reason.Code] {
        var situation = Situation.unknown(at: noon)
        situation[fremont].state = .lowered
        if let loweredAgo {
            let end = noon.adding(minutes: -loweredAgo)
            situation[fremont].recent = [KnownOpening(start: end.adding(minutes: -4), end: end)]
        }
        change(&situation)
        return ForecastReason(situation: situation, climatology: RandomModel.climatology)
            .reasons(
                for: fremont, arrival: noon.adding(minutes: lead), forecast: forecast,
                climatology: 0.05
            )
            .map(\.code)
    }

    @Test func aSpanJustLoweredIsAReasonForALowForecast() {
        #expect(codes(lead: 5, loweredAgo: 3, .farBelow) == [.downLately])
        #expect(codes(lead: 5, loweredAgo: 3, .below) == [.downLately])
        // Above the usual it is the queue, or openings that come in series.
        for forecast in [ClimatologyComparison.same, .above, .farAbove] {
            #expect(codes(lead: 5, loweredAgo: 3, forecast) == [.loweredRecently])
        }
        #expect(codes(lead: 2, loweredAgo: 6, .farBelow) == [.downLately])
        #expect(codes(lead: 2.1, loweredAgo: 6, .farBelow) == [.downNow], "8 minutes are over")
        #expect(codes(lead: 10, loweredAgo: 15, .farBelow) == [.belowClimatology])
        #expect(codes(lead: 10, loweredAgo: 15, .same) == [.loweredRecently])
        // Nor where it is not known to be down, or a newer opening has no end.
        #expect(
            codes(lead: 5, loweredAgo: 3, .farBelow) { $0[fremont].state = .unknown }
                == [.belowClimatology])
        let unended = codes(lead: 5, loweredAgo: 3, .farBelow) {
            $0[fremont].recent.insert(
                KnownOpening(start: noon.adding(minutes: -1), end: nil), at: 0)
        }
        #expect(!unended.contains(.downLately))
    }

    @Test func aSpanDownNowCountsForTheLengthOfAnOpening() {
        let length = RandomModel.climatology.meanOpeningMinutes(fremont)
        #expect(length > 3 && length < 8)
        #expect(codes(lead: length - 0.1, .farBelow) == [.downNow])
        #expect(codes(lead: length + 0.1, .farBelow) == [.belowClimatology])
        #expect(codes(lead: 1, .same) == [.nearClimatology])
        #expect(codes(lead: 1, .farAbove) == [.aboveClimatology])
        #expect(codes(lead: 1, .farBelow) { $0[fremont].state = .unknown } == [.belowClimatology])
        #expect(
            codes(lead: 1, .farBelow) { $0[fremont].state = .raised(since: noon) } == [
                .belowClimatology
            ])
    }

    @Test func aSpanDownForSixHoursIsAReason() {
        func explain(
            _ forecast: ClimatologyComparison, lead: Double = 20, seenMinutes: Double = 360
        ) -> [Reason.Code] {
            codes(lead: lead, forecast) {
                $0[fremont].observedSince = noon.adding(minutes: -seenMinutes)
            }
        }
        #expect(explain(.farBelow) == [.downLong] && explain(.below) == [.downLong])
        #expect(explain(.same) == [.nearClimatology] && explain(.farAbove) == [.aboveClimatology])
        #expect(explain(.farBelow, lead: 30) == [.downLong])
        #expect(explain(.farBelow, lead: 30.1) == [.belowClimatology])
        #expect(
            explain(.farBelow, seenMinutes: 359) == [.belowClimatology], "not all of it was seen")
        #expect(codes(lead: 20, loweredAgo: 350, .farBelow) == [.belowClimatology])
        // A quiet day says it already.
        let quiet = codes(lead: 20, .farBelow) {
            $0[fremont].observedSince = Fixtures.timestamp("2026-02-20T00:00")
        }
        #expect(quiet.contains(.quietDay) != quiet.contains(.downLong))
    }

    @Test func anUnexplainedForecastHasItsOwnReason() {
        #expect(codes(lead: 20, .farBelow) == [.belowClimatology])
        #expect(codes(lead: 20, .farAbove) == [.aboveClimatology])
        for forecast in [ClimatologyComparison.below, .same, .above] {
            #expect(codes(lead: 20, forecast) == [.nearClimatology])
            let unknown = codes(lead: 20, forecast) { $0[fremont].state = .unknown }
            #expect(unknown == [.stateUnknown])
        }
    }

    @Test func contradictingReasonsAreLeftOut() {
        func explain(_ forecast: ClimatologyComparison) -> [Reason.Code] {
            codes(lead: 10, forecast) {
                $0[fremont].observedSince = Fixtures.timestamp("2026-02-20T00:00")
                $0[fremont].openingsToday = 12
                $0[.ballard].recent = [
                    KnownOpening(start: noon.adding(minutes: -2), end: nil)
                ]
            }
        }
        #expect(
            explain(.same) == [.convoy, .busyDay] && explain(.farAbove) == [.convoy, .busyDay])
        #expect(explain(.farBelow) == [.downLong])
    }

    /// How often the span was up, over how often it usually is then.
    @Test func theRecordsSupportThem() throws {
        let history = Fixtures.shippedHistory
        let climatology = RandomModel.climatology
        let reader = SituationReader(history)
        var ratios: [String: (blocked: Double, usual: Double)] = [:]
        for (start, days) in [("2017-10-26T00:00", 60.0), ("2025-01-03T00:00", 110)] {
            var issueTime = Fixtures.timestamp(start)
            let end = issueTime.adding(minutes: days * 1440)
            while issueTime < end {
                let reasons = ForecastReason(
                    situation: reader.situation(at: issueTime), climatology: climatology)
                for bridge in BridgeIndex.all where reasons.situation[bridge].state == .lowered {
                    for lead in [2.0, 5, 20] {
                        let arrival = issueTime.adding(minutes: lead)
                        guard history.coverage.contains(arrival, of: bridge) else { continue }
                        let blocked = history.isBlocked(at: arrival, of: bridge) ? 1.0 : 0
                        let usual = Double(
                            climatology.climatologicalProbabilityBlocked(
                                at: bridge, arrival: arrival, in: reasons.situation))
                        for name in Self.groups(
                            reasons, bridge, leadMinutes: lead, arrival: arrival)
                        {
                            ratios[name, default: (0, 0)].blocked += blocked
                            ratios[name, default: (0, 0)].usual += usual
                        }
                    }
                }
                issueTime = issueTime.adding(minutes: 10)
            }
        }
        func ratio(_ name: String) throws -> Double {
            let sums = try #require(ratios[name])
            return sums.blocked / sums.usual
        }
        #expect(try ratio("now") < 0.6)
        #expect(try ratio("lately") < 0.75 * ratio("somewhat later"))
        #expect(try ratio("long") < 0.85 * ratio("not long"))
    }

    /// The groups that a forecast counts in.
    private static func groups(
        _ reasons: ForecastReason, _ bridge: BridgeIndex, leadMinutes lead: Double,
        arrival: Timestamp
    ) -> [String] {
        let code = reasons.down(bridge, arrival, climatology: 0.05)?.code
        if lead == 2 { return code == .downNow ? ["now"] : [] }
        if lead == 20 { return [reasons.downLong(bridge) == nil ? "not long" : "long"] }
        if code == .downLately { return ["lately"] }
        let own = reasons.reasons(for: bridge, arrival: arrival, forecast: .same, climatology: 0.05)
            .map(\.code)
        return own.contains(.loweredRecently) ? ["somewhat later"] : []
    }
}

@Suite struct LatelyReasonTests {
    /// Eight openings a day, evenly; of a hundred 60 last up to 4 minutes, 36 up to 8, 4 up to 14: 5.3 on average.
    private static let climatology: Climatology? = {
        let survival = (0..<Climatology.survivalCount).map { minute -> Float in
            minute < 4 ? 1 : minute < 8 ? 0.4 : minute < 14 ? 0.04 : 0
        }
        let bridges = BridgeCatalogue.count
        return Climatology(
            slotsPerDay: 1, openProbability: Array(repeating: 0.05, count: bridges * 4),
            durationSurvival: (0..<bridges).flatMap { _ in survival },
            openingsPerDay: Array(repeating: 8, count: bridges * 4),
            coveredSeasonDays: Array(repeating: 50, count: bridges * 2))
    }()
    private let fremont = BridgeIndex.fremont

    private func at(_ clock: String) -> Timestamp { Fixtures.timestamp("2026-02-20T\(clock)") }

    private func opening(_ start: String, _ end: String?) -> KnownOpening {
        KnownOpening(start: at(start), end: end.map { at($0) })
    }

    /// The reasons at Fremont at noon, or as given, where the forecast is climatology: those of both sides.
    private func reasons(
        at issueTime: String = "12:00", arrival: String = "12:10",
        _ change: (inout Situation) -> Void
    ) throws -> [Reason] {
        var situation = Situation.unknown(at: at(issueTime))
        situation[fremont].state = .lowered
        change(&situation)
        return ForecastReason(situation: situation, climatology: try #require(Self.climatology))
            .reasons(for: fremont, arrival: at(arrival), forecast: .same, climatology: 0.05)
    }

    @Test func longOpeningsAreAReasonIfTheLastWereLong() throws {
        func explain(_ openings: [KnownOpening], arrival: String = "12:10") throws -> [Reason] {
            try reasons(arrival: arrival) { $0[fremont].recent = openings }
        }
        let long = [opening("11:20", "11:29"), opening("10:50", "10:59")]
        #expect(try explain(long) == [.longOpenings(fremont, lastMinutes: 9, typicalMinutes: 5)])
        #expect(try explain(long, arrival: "12:31").map(\.code) == [.nearClimatology])
        #expect(try explain([long[0]]).map(\.code) == [.nearClimatology], "one is no series")
        #expect(
            try explain([opening("11:20", "11:26"), long[1]]).map(\.code) == [.nearClimatology],
            "7.5 minutes are not half as long again as 5.3")
        #expect(
            try explain([opening("10:50", "10:59"), opening("10:20", "10:29")]).map(\.code) == [
                .nearClimatology
            ],
            "the last was over more than an hour ago")
    }

    @Test func aDayIsBusyOrQuietComparedWithClimatology() throws {
        func explain(
            _ count: Int, at issueTime: String = "12:00", arrival: String = "12:10",
            seenSince: String = "00:00"
        ) throws -> [Reason] {
            try reasons(at: issueTime, arrival: arrival) {
                $0[fremont].openingsToday = count
                $0[fremont].observedSince = at(seenSince)
            }
        }
        #expect(try explain(7) == [.busyDay(fremont, openings: 7, typicalOpenings: 4)])
        #expect(try explain(1) == [.quietDay(fremont, openings: 1, typicalOpenings: 4)])
        for count in 2...6 {
            #expect(try explain(count).map(\.code) == [.nearClimatology], "\(count)")
        }
        #expect(try explain(7, arrival: "13:01").map(\.code) == [.nearClimatology])
        #expect(try explain(1, seenSince: "06:00").map(\.code) == [.nearClimatology])
        // By eight in the evening a busy day is over, a quiet one is not.
        #expect(try explain(14, at: "19:55", arrival: "20:00").map(\.code) == [.busyDay])
        #expect(try explain(14, at: "20:05", arrival: "20:10").map(\.code) == [.nearClimatology])
        #expect(try explain(1, at: "20:05", arrival: "20:10").map(\.code) == [.quietDay])
    }

    @Test func boatsPassingSeveralBridgesComeWithTheirConvoy() throws {
        func explain(
            montlake: String, own: [KnownOpening] = [], ballard: [KnownOpening] = []
        ) throws -> [Reason] {
            try reasons(arrival: "12:05") {
                $0[.university].recent = [opening("11:55", "11:59")]
                $0[.montlake].recent = [opening(montlake, nil)]
                $0[fremont].recent = own
                $0[.ballard].recent = ballard
            }
        }
        let inOrder = Reason.convoyInOrder(fremont, beyond: .montlake, minutesAgo: 12)
        let found = try explain(montlake: "11:48")
        #expect(found.map(\.code) == [.convoy, .convoyInOrder] && found[1] == inOrder)
        #expect(try explain(montlake: "11:54").map(\.code) == [.convoy], "no boat is so fast")
        #expect(
            try explain(montlake: "11:48", own: [opening("11:42", "11:46")]).map(\.code)
                == [.loweredRecently, .convoy], "the boat came from here")
        // Those that come from bridge to bridge weigh more than a boat from the other side.
        let both = try explain(montlake: "11:48", ballard: [opening("11:52", "11:57")])
        #expect(both.map(\.code) == [.convoy, .convoyInOrder, .convoy] && both[1] == inOrder)
    }

    @Test func aNeighbourThatOpensOftenIsAReasonWithoutAConvoy() throws {
        func explain(first: String, arrival: String) throws -> [Reason] {
            try reasons(arrival: arrival) {
                $0[.ballard].recent = [
                    opening("11:58", nil), opening("11:41", "11:46"), opening(first, "11:30"),
                ]
            }
        }
        #expect(
            try explain(first: "11:25", arrival: "12:28")
                == [.neighbourOften(fremont, neighbour: .ballard, openings: 3, minutes: 35)])
        #expect(
            try explain(first: "11:19", arrival: "12:28")
                == [.neighbourOften(fremont, neighbour: .ballard, openings: 2, minutes: 19)])
        #expect(try explain(first: "11:25", arrival: "12:10").map(\.code) == [.convoy])
        #expect(try explain(first: "11:25", arrival: "12:31").map(\.code) == [.nearClimatology])
        #expect(
            try reasons(arrival: "12:28") { $0[.ballard].recent = [opening("11:58", nil)] }
                .map(\.code) == [.nearClimatology])
    }

    @Test func aSpanUpForLongIsComparedWithItsOtherOpenings() throws {
        func explain(since: String) throws -> [Reason] {
            try reasons { $0[fremont].state = .raised(since: at(since)) }
        }
        let found = try explain(since: "11:52")
        guard case .raisedLong(fremont, minutes: 8, let share) = try #require(found.last) else {
            Issue.record("\(found)")
            return
        }
        #expect(found.first == .raisedFor(fremont, minutes: 8) && abs(share - 0.96) < 0.002)
        #expect(try explain(since: "11:53") == [.raisedFor(fremont, minutes: 7)])
    }

    /// Half of the openings that are still up come down in each minute; after long ones fewer do.
    @Test func longIsDefinedByTheLawOfLengths() throws {
        var parameters = [Float](repeating: 0, count: LengthLaw.parameterCount)
        let places = LengthLaw.covariateIndices
        // What the last openings lasted is the first of what is known.
        parameters[places.early] = -2
        parameters[places.late] = -2
        var climatology = try #require(Self.climatology)
        climatology.lengthLaw = LengthLaw(parameters)
        func explain(since: String, after openings: [KnownOpening] = []) -> Reason? {
            var situation = Situation.unknown(at: at("12:00"))
            situation[fremont].state = .raised(since: at(since))
            situation[fremont].recent = [opening(since, nil)] + openings
            return ForecastReason(situation: situation, climatology: climatology)
                .reasons(for: fremont, arrival: at("12:02"), forecast: .farAbove, climatology: 0.05)
                .first { $0.code == .raisedLong }
        }
        guard case .raisedLong(_, minutes: 5, let share) = try #require(explain(since: "11:55"))
        else {
            Issue.record("no minutes of this opening")
            return
        }
        #expect(abs(share - (1 - 1 / 32.0)) < 1e-6)
        #expect(explain(since: "11:56") == nil, "one in sixteen lasts 4 minutes")
        #expect(explain(since: "11:55", after: [opening("11:00", "11:30")]) == nil)
    }

    @Test func thereAreAtMostThreeReasons() throws {
        let found = try reasons(at: "16:10", arrival: "16:20") {
            $0[fremont].state = .raised(since: at("15:55"))
            $0[.ballard].recent = [opening("16:05", nil)]
        }
        #expect(found.map(\.code) == [.raisedFor, .raisedLong, .convoy])
    }

    /// How often the span was up 10, 20 and 30 minutes later, over how often it usually is then, by reason.
    @Test func theRecordsSupportEveryReasonOfLoweredSpans() throws {
        var ratios = Ratios()
        ratios.add(from: "2017-10-26T00:00", to: "2018-03-26T00:00")
        ratios.add(from: "2025-01-03T00:00", to: "2025-04-25T00:00")
        let all = try #require(ratios[nil])
        let convoy = try #require(ratios[.convoy])
        #expect(try #require(ratios[.convoyInOrder]) > 1.3 * convoy && convoy > 2 * all)
        #expect(try #require(ratios[.longOpenings]) > 1.5 * all)
        #expect(try #require(ratios[.neighbourOften]) > all)
        #expect(try #require(ratios[.busyDay]) > 1.3 * all)
        #expect(try #require(ratios[.quietDay]) < 0.8 * all)
        #expect(try #require(ratios[.loweredRecently]) > 1.2 * all)
    }

    /// What happened and what is usual where a reason was given.
    private struct Ratios {
        private var sums: [Reason.Code?: (blocked: Double, usual: Double)] = [:]

        /// By code; nil means all forecasts.
        subscript(code: Reason.Code?) -> Double? { sums[code].map { $0.blocked / $0.usual } }

        mutating func add(from start: String, to end: String) {
            let history = Fixtures.shippedHistory
            let climatology = RandomModel.climatology
            let reader = SituationReader(history)
            var issueTime = Fixtures.timestamp(start)
            while issueTime < Fixtures.timestamp(end) {
                let situation = reader.situation(at: issueTime)
                let reasons = ForecastReason(situation: situation, climatology: climatology)
                for bridge in BridgeIndex.all where situation[bridge].state == .lowered {
                    for lead in [10.0, 20, 30] {
                        let arrival = issueTime.adding(minutes: lead)
                        guard history.coverage.contains(arrival, of: bridge) else { continue }
                        let blocked = history.isBlocked(at: arrival, of: bridge) ? 1.0 : 0
                        let usual = Double(
                            climatology.openProbability(
                                of: bridge, at: SeattleTime.civil(at: arrival)))
                        let codes = reasons.reasons(
                            for: bridge, arrival: arrival, forecast: .same, climatology: 0.05
                        ).map(\.code)
                        for code in Set<Reason.Code?>(codes + [nil]) {
                            sums[code, default: (0, 0)].blocked += blocked
                            sums[code, default: (0, 0)].usual += usual
                        }
                    }
                }
                issueTime = issueTime.adding(minutes: 20)
            }
        }
    }
}

@Suite struct ClimatologyComparisonTests {
    @Test func smallDifferencesAreNoneAndLargeOnesFar() {
        func compared(_ chance: Double, _ usual: Double) -> ClimatologyComparison {
            ClimatologyComparison(chance: chance, climatology: usual)
        }
        #expect(compared(0.2, 0.2) == .same && compared(0, 0) == .same)
        #expect(compared(0.215, 0.2) == .same && compared(0.2, 0.215) == .same)
        #expect(compared(0.23, 0.2) == .above && compared(0.2, 0.23) == .below)
        #expect(compared(0.299, 0.2) == .above && compared(0.2, 0.299) == .below)
        #expect(compared(0.31, 0.2) == .farAbove && compared(0.2, 0.31) == .farBelow)
        // Small chances show no difference, however many times one is the other.
        #expect(compared(0.0001, 0.0049) == .same && compared(0.0049, 0.0001) == .same)
        #expect(compared(0, 0.006) == .farBelow && compared(0.006, 0) == .farAbove)
        #expect(compared(.nan, 0.2) == .same && compared(0.2, .nan) == .same)
    }

    @Test func contradictingReasonsAreNotAdmitted() {
        let bridge = BridgeIndex.fremont
        let more = Reason.busyDay(bridge, openings: 6, typicalOpenings: 3)
        let less = Reason.quietDay(bridge, openings: 1, typicalOpenings: 4)
        let near = Reason.nearClimatology(bridge, probability: 0.05)
        let either = Reason.halfHourOnly(bridge)
        func admitted(_ reason: Reason) -> [ClimatologyComparison] {
            ClimatologyComparison.allCases.filter { $0.admits(reason) }
        }
        #expect(admitted(more) == [.same, .above, .farAbove])
        #expect(admitted(less) == [.farBelow, .below, .same])
        #expect(admitted(near) == [.below, .same, .above])
        #expect(admitted(either) == ClimatologyComparison.allCases)
    }
}
