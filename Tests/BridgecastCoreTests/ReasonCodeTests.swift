// Reasons as codes with values: what a translation is made from, and the words that are made from them here.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ReasonCodeTests {
    private let fremont = BridgeIndex.fremont
    private let noon = Fixtures.moment("2026-02-20T12:00")

    /// One reason of every code.
    private var all: [Reason] {
        [
            .raised(fremont), .raisedFor(fremont, minutes: 3),
            .raisedLong(fremont, minutes: 14, shorterShare: 0.97),
            .loweredRecently(fremont, minutesAgo: 4),
            .convoy(
                Reason.Convoy(
                    neighbour: .ballard, bridge: fremont, minutesAgo: 12, leastMinutes: 9,
                    mostMinutes: 20)),
            .convoyInOrder(fremont, beyond: .montlake, minutesAgo: 21),
            .neighbourOften(fremont, neighbour: .ballard, openings: 3, minutes: 35),
            .closedWindow(fremont, until: noon), .windowEnded(fremont, from: noon),
            .halfHourOnly(fremont), .longOpenings(fremont, lastMinutes: 9, usualMinutes: 5),
            .busyDay(fremont, openings: 6, usualOpenings: 3),
            .quietDay(fremont, openings: 1, usualOpenings: 4),
            .downNow(fremont, probability: 0.052), .downLately(fremont, minutesAgo: 3),
            .downLong(fremont, hours: 6), .overUsual(fremont, probability: 0.052),
            .underUsual(fremont, probability: 0.004), .usual(fremont, probability: 0.052),
            .stateUnknown(fremont, probability: 0.004),
        ]
    }

    @Test func everyCodeHasItsWordsAndItsValues() {
        #expect(all.map(\.code) == Reason.Code.allCases)
        #expect(
            all.map(\.text) == [
                "Fremont is raised now", "Fremont has been raised for 3 min",
                "of openings like this 97 in 100 do not last so long",
                "Fremont was lowered 4 min ago",
                "Ballard went up 12 min ago; boats usually reach Fremont in 9 to 20",
                "Montlake went up before, 21 min ago: boats come from bridge to bridge",
                "Ballard went up 3 times in the last 35 min",
                "closed to smaller boats until 12:00", "boats that waited may go from 12:00 on",
                "opens only on the hour and half-hour then",
                "its openings have lasted 9 min lately, usually 5",
                "a busy day: 6 openings where 3 are usual by now",
                "a quiet day: 1 opening where 4 are usual by now",
                "Fremont is down now; at this hour it is usually up 5 in 100 times",
                "Fremont came down 3 min ago and seldom goes up again so soon",
                "no opening in the last 6 h",
                "more likely than usual for the hour (up 5 in 100 times), by all that is known",
                "less likely than usual for the hour (up 4 in 1000 times), by all that is known",
                "usual for the hour: up 5 in 100 times",
                "usual for the hour: up 4 in 1000 times; its state now is not known",
            ])
        #expect(
            all.map { $0.values.map(\.name) } == [
                ["bridge"], ["bridge", "minutes"], ["bridge", "minutes", "shorter_share"],
                ["bridge", "minutes_ago"],
                ["bridge", "neighbour", "minutes_ago", "least_minutes", "most_minutes"],
                ["bridge", "neighbour", "minutes_ago"],
                ["bridge", "neighbour", "openings", "minutes"],
                ["bridge", "until"], ["bridge", "from"], ["bridge"],
                ["bridge", "last_minutes", "usual_minutes"],
                ["bridge", "openings", "usual_openings"],
                ["bridge", "openings", "usual_openings"], ["bridge", "probability"],
                ["bridge", "minutes_ago"], ["bridge", "hours"], ["bridge", "probability"],
                ["bridge", "probability"], ["bridge", "probability"], ["bridge", "probability"],
            ])
        for reason in all { #expect(reason.values.first?.value == .bridge(fremont)) }
    }

    /// What the words say stands in the values too: every number and every bridge of the text.
    @Test func theValuesSayWhatTheWordsSay() {
        for reason in all {
            let said = reason.values.map { field -> String in
                switch field.value {
                case .bridge(let bridge): "\(bridge)"
                case .minutes(let number), .hours(let number), .count(let number): "\(number)"
                case .probability(let probability):
                    probability >= 0.01
                        ? "\(Int((probability * 100).rounded()))"
                        : "\(Int((probability * 1000).rounded()))"
                case .time(let moment): TimeText.clock(moment)
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
                .reasons(for: fremont, arrival: Fixtures.moment(arrival), forecast: .same)
        }
        #expect(
            reasons(.raised(since: noon.adding(minutes: -3))) == [.raisedFor(fremont, minutes: 3)])
        #expect(reasons(.raised(since: nil)) == [.raised(fremont)])
        #expect(reasons(.unknown).map(\.code) == [.stateUnknown])
        #expect(reasons(.lowered).map(\.code) == [.usual])
        #expect(
            reasons(.lowered, at: "2026-02-20T16:30") == [
                .closedWindow(fremont, until: Fixtures.moment("2026-02-20T18:00"))
            ])
        #expect(
            reasons(.lowered, at: "2026-02-20T18:10") == [
                .windowEnded(fremont, from: Fixtures.moment("2026-02-20T18:00"))
            ])
    }

    @Test func theWordsAreThoseOfTheReasons() {
        let reasons = ForecastReason(
            situation: .unknown(at: noon), climatology: RandomModel.climatology)
        for bridge in BridgeIndex.all {
            for hour in 0..<24 {
                let arrival = noon.adding(minutes: Double(hour) * 60)
                #expect(
                    reasons.phrases(for: bridge, arrival: arrival, forecast: .same)
                        == reasons.reasons(for: bridge, arrival: arrival, forecast: .same)
                        .map(\.text))
            }
        }
    }
}
