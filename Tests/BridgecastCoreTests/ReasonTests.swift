// Reasons as codes, values and text; the sentence about a span that is up.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

@Suite struct ReasonTests {
    /// Of ten openings six last up to 4 minutes, the others up to 8.
    private static let climatology: Climatology? = {
        let survival = (0..<Climatology.survivalCount).map { minute -> Float in
            minute < 4 ? 1 : minute < 8 ? 0.4 : 0
        }
        let bridges = BridgeCatalogue.count
        return Climatology(
            slotsPerDay: 1, openProbability: Array(repeating: 0.05, count: bridges * 4),
            durationSurvival: (0..<bridges).flatMap { _ in survival },
            openingsPerDay: Array(repeating: 5, count: bridges * 4),
            coveredSeasonDays: Array(repeating: 50, count: bridges * 2))
    }()
    private let fremont = Fixtures.bridge("Fremont")

    @Test func theRestOfAnOpeningFollowsFromHowLongItHasLasted() throws {
        let climatology = try #require(Self.climatology)
        func left(_ elapsed: Double, _ share: Double) -> Double {
            BridgeContext(
                fremont,
                in: IssueContext(
                    .unknown(at: Fixtures.timestamp("2026-02-20T12:00")), climatology)
            ).minutesLeft(elapsed: elapsed, share: share)
        }
        // Between the whole minutes of the table the survival falls evenly.
        #expect(left(0, 0.25) == 3.5 && left(0, 0.5) == 4 && left(0, 0.9) == 8)
        #expect(left(2, 0.5) == 2 && left(2, 0.9) == 6)
        // It has outlasted the short ones: it is one of the long ones.
        #expect(left(5, 0.4) == 2.5 && left(5, 0.9) == 3)
    }

    @Test func theSentenceGivesTheRemainingTime() throws {
        let now = Fixtures.timestamp("2026-02-20T12:00")
        func words(_ state: SpanState) throws -> String? {
            var situation = Situation.unknown(at: now)
            situation[fremont].state = state
            return ForecastReason(
                situation: situation, climatology: try #require(Self.climatology)
            ).stillUp(fremont)
        }
        #expect(
            try words(.raised(since: now.adding(minutes: -2)))
                == "Fremont is up; of its openings that have lasted 2 min half are over after 2 min more, "
                + "nine in ten after 6 min")
        #expect(
            try words(.raised(since: nil))
                == "Fremont is up; of its openings half are over after 4 min, nine in ten after 8 min"
        )
        #expect(try words(.lowered) == nil && words(.unknown) == nil)
    }

    @Test func theSentenceAppearsIfADelayIsLikely() throws {
        let now = Fixtures.timestamp("2026-02-20T12:00")
        var situation = Situation.unknown(at: now)
        func certainty(lead: Double, density: Double) throws -> String? {
            ForecastReason(situation: situation, climatology: try #require(Self.climatology))
                .certainty(of: fremont, leadMinutes: lead, density: density)
        }
        #expect(try certainty(lead: 1, density: 0) == nil, "not known to be up")
        situation[fremont].state = .raised(since: now.adding(minutes: -2))
        let soon = try #require(try certainty(lead: 1, density: 0))
        #expect(soon.hasSuffix("nine in ten after 6 min"))
        // It will be down by then, and without traffic there is no queue.
        #expect(try certainty(lead: 5, density: 0) == nil)
        let queue = try #require(try certainty(lead: 5, density: 0.6))
        #expect(queue.hasSuffix("; its queue takes longer"))
        #expect(try certainty(lead: 40, density: 0.6) == nil)
    }
}

@Suite struct ReasonCodeTests {
    private let fremont = BridgeIndex.fremont
    private let noon = Fixtures.timestamp("2026-02-20T12:00")

    /// One reason of every code.
    private var all: [Reason] {
        [
            .raised(fremont), .raisedFor(fremont, minutes: 3),
            .raisedLong(fremont, minutes: 14, shorterShare: 0.97),
            .loweredRecently(fremont, minutesAgo: 4),
            .convoy(
                Reason.Convoy(
                    neighbour: .ballard, bridge: fremont, minutesAgo: 12, minMinutes: 9,
                    maxMinutes: 20)),
            .convoyInOrder(fremont, beyond: .montlake, minutesAgo: 21),
            .neighbourOften(fremont, neighbour: .ballard, openings: 3, minutes: 35),
            .closedWindow(fremont, until: noon), .windowEnded(fremont, from: noon),
            .halfHourOnly(fremont), .longOpenings(fremont, lastMinutes: 9, typicalMinutes: 5),
            .busyDay(fremont, openings: 6, typicalOpenings: 3),
            .quietDay(fremont, openings: 1, typicalOpenings: 4),
            .downNow(fremont, probability: 0.052), .downLately(fremont, minutesAgo: 3),
            .downLong(fremont, hours: 6), .aboveClimatology(fremont, probability: 0.052),
            .belowClimatology(fremont, probability: 0.004),
            .nearClimatology(fremont, probability: 0.052),
            .stateUnknown(fremont, probability: 0.004),
        ]
    }

    @Test func everyCodeHasItsTextAndItsValues() {
        #expect(all.map(\.code) == Reason.Code.allCases)
        #expect(
            all.map(\.text) == [
                "Fremont is raised now", "Fremont has been raised for 3 min",
                "of openings like this 97 in 100 do not last so long",
                "Fremont was lowered 4 min ago",
                "Ballard went up 12 min ago; boats usually reach Fremont in 9 to 20 min",
                "Montlake went up before, 21 min ago: boats come from bridge to bridge",
                "Ballard went up 3 times in the last 35 min",
                "closed to smaller boats until 12:00", "boats that waited may go from 12:00 on",
                "opens only on the hour and half-hour then",
                "its openings have lasted 9 min lately, usually 5",
                "a busy day: 6 openings where 3 are usual by now",
                "a quiet day: 1 opening where 4 are usual by now",
                "Fremont is down now; at this hour 5 in 100 are usually stopped",
                "Fremont came down 3 min ago and seldom goes up again so soon",
                "no opening in the last 6 h",
                "more likely than usual for the hour (5 in 100 stopped), by all that is known",
                "less likely than usual for the hour (4 in 1000 stopped), by all that is known",
                "usual for the hour: 5 in 100 stopped",
                "usual for the hour: 4 in 1000 stopped; its state now is not known",
            ])
        #expect(
            all.map { $0.values.map(\.name) } == [
                ["bridge"], ["bridge", "minutes"], ["bridge", "minutes", "shorter_share"],
                ["bridge", "minutes_ago"],
                ["bridge", "neighbour", "minutes_ago", "min_minutes", "max_minutes"],
                ["bridge", "neighbour", "minutes_ago"],
                ["bridge", "neighbour", "openings", "minutes"],
                ["bridge", "until"], ["bridge", "from"], ["bridge"],
                ["bridge", "last_minutes", "typical_minutes"],
                ["bridge", "openings", "typical_openings"],
                ["bridge", "openings", "typical_openings"], ["bridge", "probability"],
                ["bridge", "minutes_ago"], ["bridge", "hours"], ["bridge", "probability"],
                ["bridge", "probability"], ["bridge", "probability"], ["bridge", "probability"],
            ])
        for reason in all { #expect(reason.values.first?.value == .bridge(fremont)) }
    }

    /// The values have what the text says: every number and every bridge of the text.
    @Test func theValuesContainEverythingInTheText() {
        for reason in all {
            let said = reason.values.map { field -> String in
                switch field.value {
                case .bridge(let bridge): "\(bridge)"
                case .minutes(let number), .hours(let number), .count(let number): "\(number)"
                case .probability(let probability):
                    probability >= 0.01
                        ? "\(Int((probability * 100).rounded()))"
                        : "\(Int((probability * 1000).rounded()))"
                case .time(let time): TimeText.clock(time)
                }
            }
            for number in reason.text.matches(of: /\d+(:\d+)?/).map({ String($0.output.0) })
            where number != "100" && number != "1000" {
                #expect(said.contains(number), "\(number) of '\(reason.text)'")
            }
            for bridge in BridgeIndex.all where reason.text.contains("\(bridge)") {
                #expect(said.contains("\(bridge)"))
            }
        }
    }

    @Test func aSituationGivesItsReasonsAsValues() throws {
        func reasons(_ state: SpanState, at arrival: String = "2026-02-20T12:05") -> [Reason] {
            var situation = Situation.unknown(at: noon)
            situation[fremont].state = state
            return ForecastReason(situation: situation, climatology: RandomModel.climatology)
                .reasons(
                    for: fremont, arrival: Fixtures.timestamp(arrival), forecast: .same,
                    climatology: 0.05)
        }
        #expect(
            reasons(.raised(since: noon.adding(minutes: -3))) == [.raisedFor(fremont, minutes: 3)])
        #expect(reasons(.raised(since: nil)) == [.raised(fremont)])
        #expect(reasons(.unknown).map(\.code) == [.stateUnknown])
        #expect(reasons(.lowered).map(\.code) == [.nearClimatology])
        #expect(
            reasons(.lowered, at: "2026-02-20T16:30") == [
                .closedWindow(fremont, until: Fixtures.timestamp("2026-02-20T18:00"))
            ])
        #expect(
            reasons(.lowered, at: "2026-02-20T18:10") == [
                .windowEnded(fremont, from: Fixtures.timestamp("2026-02-20T18:00"))
            ])
    }

    @Test func thePhrasesAreTheTextsOfTheReasons() {
        let reasons = ForecastReason(
            situation: .unknown(at: noon), climatology: RandomModel.climatology)
        for bridge in BridgeIndex.all {
            for hour in 0..<24 {
                let arrival = noon.adding(minutes: Double(hour) * 60)
                #expect(
                    reasons.phrases(
                        for: bridge, arrival: arrival, forecast: .same, climatology: 0.05)
                        == reasons.reasons(
                            for: bridge, arrival: arrival, forecast: .same, climatology: 0.05
                        )
                        .map(\.text))
            }
        }
    }
}
