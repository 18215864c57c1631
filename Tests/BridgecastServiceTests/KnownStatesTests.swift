import BridgecastAnswers
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastService

@Suite struct KnownStatesTests {
    private let noon = Fixtures.timestamp("2026-02-20T12:00")

    /// A situation in which some bridges are lowered and have been observed for some minutes.
    private func situation(_ observedMinutes: [String: Double?]) throws -> Situation {
        var situation = Situation.unknown(at: noon)
        for (name, minutes) in observedMinutes {
            let bridge = try #require(BridgeCatalogue.index(named: name))
            situation[bridge].state = .lowered
            situation[bridge].observedSince = minutes.map { noon.adding(minutes: -$0) }
        }
        return situation
    }

    @Test func theClauseSaysHowManyStatesAreKnownAndForHowLong() throws {
        let known = KnownStates(try situation(["Ballard": 70, "Fremont": 125]))
        #expect(known.text == "the state of 2 of 7 bridges is known, their openings since 10:50")
        #expect(known.openings == .since(noon.adding(minutes: -70)))
        #expect(known.bridges.map { BridgeCatalogue[$0].name } == ["Ballard", "Fremont"])
    }

    @Test func nothingIsAddedWhereAllThatForecastsLookBackToIsKnown() throws {
        let known = KnownStates(try situation(["Ballard": 360, "Fremont": 1440]))
        #expect(known.text == "the state of 2 of 7 bridges is known" && known.openings == .all)
    }

    @Test func whatIsNotObservedIsSaidNotToBeKnown() throws {
        let known = KnownStates(try situation(["Ballard": 360, "Montlake": nil]))
        #expect(
            known.text == "the state of 2 of 7 bridges is known, not all of their recent openings")
        #expect(known.openings == .notAll)
        let none = KnownStates(Situation.unknown(at: noon))
        #expect(none.text == "the state of 0 of 7 bridges is known" && none.bridges.isEmpty)
    }

    @Test(arguments: ["/api/v1/bridges", "/api/v1/forecast", "/api/v1/routes"])
    func answersSayWhatTheyRestOn(path: String) async throws {
        let state = try await ServiceFixture.state()
        let query = path.hasSuffix("routes") ? "from=Ballard&to=Downtown" : ""
        let answer = try await ServiceFixture.answer(path, query, from: state).object()
        let known = try #require(answer["known"] as? [String: Any])
        #expect(known["text"] as? String == "the state of 6 of 7 bridges is known")
        #expect((known["bridges"] as? [String])?.contains("Lower Spokane St") == false)
    }
}
