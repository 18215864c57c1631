// Reasons from the openings of the last hours: when each is told, when not, and that the records bear it out.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct LatelyReasonTests {
    /// Eight openings a day, evenly; of a hundred 60 last up to 4 minutes, 36 up to 8, 4 up to 14: 5.3 on average.
    private static let climatology: Climatology? = {
        let survival = (0..<Climatology.survivalCount).map { minute -> Float in
            minute < 4 ? 1 : minute < 8 ? 0.4 : minute < 14 ? 0.04 : 0
        }
        let bridges = BridgeCatalogue.count
        return Climatology(
            slotsPerDay: 1, openProbability: Array(repeating: 0.05, count: bridges * 2),
            durationSurvival: (0..<bridges).flatMap { _ in survival },
            openingsPerDay: Array(repeating: 8, count: bridges * 2),
            coveredDays: Array(repeating: 100, count: bridges))
    }()
    private let fremont = BridgeIndex.fremont

    private func at(_ clock: String) -> Timestamp { Fixtures.moment("2026-02-20T\(clock)") }

    private func opening(_ start: String, _ end: String?) -> KnownOpening {
        KnownOpening(start: at(start), end: end.map { at($0) })
    }

    /// What is told of Fremont at noon, or as given, where the forecast is the usual: of both sides.
    private func reasons(
        at issueTime: String = "12:00", arrival: String = "12:10",
        _ change: (inout Situation) -> Void
    ) throws -> [Reason] {
        var situation = Situation.unknown(at: at(issueTime))
        situation[fremont].state = .lowered
        change(&situation)
        return ForecastReason(situation: situation, climatology: try #require(Self.climatology))
            .reasons(for: fremont, arrival: at(arrival), forecast: .same)
    }

    @Test func longOpeningsAreToldWhereTheLastOnesWereLong() throws {
        func told(_ openings: [KnownOpening], arrival: String = "12:10") throws -> [Reason] {
            try reasons(arrival: arrival) { $0[fremont].recent = openings }
        }
        let long = [opening("11:20", "11:29"), opening("10:50", "10:59")]
        #expect(try told(long) == [.longOpenings(fremont, lastMinutes: 9, usualMinutes: 5)])
        #expect(try told(long, arrival: "12:31").map(\.code) == [.usual])
        #expect(try told([long[0]]).map(\.code) == [.usual], "one is no series")
        #expect(
            try told([opening("11:20", "11:26"), long[1]]).map(\.code) == [.usual],
            "7.5 minutes are not half as long again as 5.3")
        #expect(
            try told([opening("10:50", "10:59"), opening("10:20", "10:29")]).map(\.code) == [
                .usual
            ],
            "the last was over more than an hour ago")
    }

    @Test func aDayIsBusyOrQuietAgainstWhatIsUsualByNow() throws {
        func told(
            _ count: Int, at issueTime: String = "12:00", arrival: String = "12:10",
            seenSince: String = "00:00"
        ) throws -> [Reason] {
            try reasons(at: issueTime, arrival: arrival) {
                $0[fremont].openingsToday = count
                $0[fremont].observedSince = at(seenSince)
            }
        }
        #expect(try told(7) == [.busyDay(fremont, openings: 7, usualOpenings: 4)])
        #expect(try told(1) == [.quietDay(fremont, openings: 1, usualOpenings: 4)])
        for count in 2...6 { #expect(try told(count).map(\.code) == [.usual], "\(count)") }
        #expect(try told(7, arrival: "13:01").map(\.code) == [.usual])
        #expect(try told(1, seenSince: "06:00").map(\.code) == [.usual])
        // By eight in the evening a busy day is over, a quiet one is not.
        #expect(try told(14, at: "19:55", arrival: "20:00").map(\.code) == [.busyDay])
        #expect(try told(14, at: "20:05", arrival: "20:10").map(\.code) == [.usual])
        #expect(try told(1, at: "20:05", arrival: "20:10").map(\.code) == [.quietDay])
    }

    @Test func boatsThatComeFromBridgeToBridgeAreToldWithTheirConvoy() throws {
        func told(
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
        let found = try told(montlake: "11:48")
        #expect(found.map(\.code) == [.convoy, .convoyInOrder] && found[1] == inOrder)
        #expect(try told(montlake: "11:54").map(\.code) == [.convoy], "no boat is so fast")
        #expect(
            try told(montlake: "11:48", own: [opening("11:42", "11:46")]).map(\.code)
                == [.loweredRecently, .convoy], "the boat came from here")
        // Those that come from bridge to bridge weigh more than a boat from the other side.
        let both = try told(montlake: "11:48", ballard: [opening("11:52", "11:57")])
        #expect(both.map(\.code) == [.convoy, .convoyInOrder, .convoy] && both[1] == inOrder)
    }

    @Test func aNeighbourThatOpensOftenIsToldWhereItsNewestBoatIsNotExpected() throws {
        func told(first: String, arrival: String) throws -> [Reason] {
            try reasons(arrival: arrival) {
                $0[.ballard].recent = [
                    opening("11:58", nil), opening("11:41", "11:46"), opening(first, "11:30"),
                ]
            }
        }
        #expect(
            try told(first: "11:25", arrival: "12:28")
                == [.neighbourOften(fremont, neighbour: .ballard, openings: 3, minutes: 35)])
        #expect(
            try told(first: "11:19", arrival: "12:28")
                == [.neighbourOften(fremont, neighbour: .ballard, openings: 2, minutes: 19)])
        #expect(try told(first: "11:25", arrival: "12:10").map(\.code) == [.convoy])
        #expect(try told(first: "11:25", arrival: "12:31").map(\.code) == [.usual])
        #expect(
            try reasons(arrival: "12:28") { $0[.ballard].recent = [opening("11:58", nil)] }
                .map(\.code) == [.usual])
    }

    @Test func aSpanThatStaysUpIsToldAgainstItsOtherOpenings() throws {
        func told(since: String) throws -> [Reason] {
            try reasons { $0[fremont].state = .raised(since: at(since)) }
        }
        let found = try told(since: "11:52")
        guard case .raisedLong(fremont, minutes: 8, let share) = try #require(found.last) else {
            Issue.record("\(found)")
            return
        }
        #expect(found.first == .raisedFor(fremont, minutes: 8) && abs(share - 0.96) < 0.002)
        #expect(try told(since: "11:53") == [.raisedFor(fremont, minutes: 7)])
    }

    /// Half of the openings that are still up come down in each minute; after long ones fewer do.
    @Test func howLongIsLongFollowsFromTheLawOfLengthsAndWhatIsKnown() throws {
        var parameters = [Float](repeating: 0, count: LengthLaw.parameterCount)
        let places = LengthLaw.covariatePlaces
        // What the last openings lasted is the first of what is known.
        (parameters[places.early], parameters[places.late]) = (-2, -2)
        var climatology = try #require(Self.climatology)
        climatology.lengthLaw = LengthLaw(parameters)
        func told(since: String, after openings: [KnownOpening] = []) -> Reason? {
            var situation = Situation.unknown(at: at("12:00"))
            situation[fremont].state = .raised(since: at(since))
            situation[fremont].recent = [opening(since, nil)] + openings
            return ForecastReason(situation: situation, climatology: climatology)
                .reasons(for: fremont, arrival: at("12:02"), forecast: .farAbove)
                .first { $0.code == .raisedLong }
        }
        guard case .raisedLong(_, minutes: 5, let share) = try #require(told(since: "11:55")) else {
            Issue.record("no minutes of this opening")
            return
        }
        #expect(abs(share - (1 - 1 / 32.0)) < 1e-6)
        #expect(told(since: "11:56") == nil, "one in sixteen lasts 4 minutes")
        #expect(told(since: "11:55", after: [opening("11:00", "11:30")]) == nil)
    }

    @Test func atMostThreeReasonsAreToldTheWeightiestFirst() throws {
        let found = try reasons(at: "16:10", arrival: "16:20") {
            $0[fremont].state = .raised(since: at("15:55"))
            $0[.ballard].recent = [opening("16:05", nil)]
        }
        #expect(found.map(\.code) == [.raisedFor, .raisedLong, .convoy])
    }

    /// How often the span was up 10, 20 and 30 minutes later, over how often it usually is then, by reason.
    @Test func theRecordsBearOutEveryReasonOfLoweredSpans() throws {
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

    /// What happened and what is usual where a reason was told.
    private struct Ratios {
        private var sums: [Reason.Code?: (blocked: Double, usual: Double)] = [:]

        /// By code; nil stands for all forecasts.
        subscript(code: Reason.Code?) -> Double? { sums[code].map { $0.blocked / $0.usual } }

        mutating func add(from start: String, to end: String) {
            let (history, climatology) = (Fixtures.shippedHistory, RandomModel.climatology)
            let reader = SituationReader(history)
            var issueTime = Fixtures.moment(start)
            while issueTime < Fixtures.moment(end) {
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
                            for: bridge, arrival: arrival, forecast: .same
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
