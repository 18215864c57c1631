import BridgecastCore
import BridgecastLive
import BridgecastObservation
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastService

@Suite struct PageHeadlineTests {
    /// The first line for states by name, all others lowered; of a reading of so many seconds ago.
    private func headline(
        _ states: [String: SpanState], readSecondsAgo seconds: Double = 5,
        pace: ClockPace = .live, in language: PageLanguage = .english
    ) async throws -> PageHeadline {
        let board = try await ServiceFixture.board(
            readSecondsAgo: seconds, .ready, pace: pace, states: states)
        return PageHeadline(board, at: ServiceFixture.evening, in: language)
    }

    private static let raised = SpanState.raised(since: nil)
    /// As the two bridges without a sensor always are.
    private static let unwatched: [String: SpanState] = [
        "University": .unknown, "Lower Spokane St": .unknown,
    ]

    private func watched(_ states: [String: SpanState]) -> [String: SpanState] {
        Self.unwatched.merging(states) { _, given in given }
    }

    @Test func bridgesThatAreUpAreNamed() async throws {
        let one = watched(["Ballard": Self.raised])
        let two = watched(["Ballard": Self.raised, "South Park": Self.raised])
        let three = watched([
            "Ballard": Self.raised, "Fremont": Self.raised, "Montlake": Self.raised,
        ])
        #expect(try await headline(one).text == "Ballard is up.")
        #expect(try await headline(two).text == "Ballard and South Park are up.")
        #expect(try await headline(three).text == "Ballard, Fremont, and Montlake are up.")
        #expect(
            try await headline(three, in: .spanish).text
                == "Ballard, Fremont y Montlake están levantados.")
        #expect(try await headline(one).html == "<h1 class=\"headline is-up\">Ballard is up.</h1>")
    }

    @Test func bridgesThatAreDownAreCounted() async throws {
        #expect(try await headline(watched([:])).text == "All five watched bridges are down.")
        #expect(
            try await headline(watched(["Fremont": .unknown])).text
                == "All four bridges that report are down.")
        let silent = ["Ballard", "Fremont", "Montlake", "1st Ave South"]
        let one = watched(Dictionary(uniqueKeysWithValues: silent.map { ($0, .unknown) }))
        #expect(try await headline(one).text == "South Park is down; no other bridge reports.")
        #expect(
            try await headline(watched([:]), in: .spanish).text
                == "Los cinco puentes vigilados están bajados.")
    }

    @Test func anOldReadingIsInThePastTenseAndADeadOneIsBlind() async throws {
        let states = watched(["Ballard": Self.raised])
        for (seconds, pace, text, name) in [
            (60.0, ClockPace.live, "Ballard is up.", "headline is-up"),
            (61, .live, "Ballard was up.", "headline is-up is-old"),
            (601, .live, "We cannot see the bridges.", "headline is-blind"),
            (299, ClockPace(rate: 60), "Ballard is up.", "headline is-up"),
            (301, ClockPace(rate: 60), "Ballard was up.", "headline is-up is-old"),
        ] {
            let headline = try await headline(states, readSecondsAgo: seconds, pace: pace)
            #expect(headline.html == "<h1 class=\"\(name)\">\(text)</h1>", "\(seconds) s")
        }
    }

    /// The page's own first line takes the place of this one: no letter may change.
    @Test(arguments: PageLanguage.allCases)
    func theTextsAreThoseOfThePage(language: PageLanguage) throws {
        let url = Fixtures.checkout.appendingPathComponent(
            "Sources/BridgecastService/Resources/page/text/\(language.rawValue).json")
        let messages = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        func message(_ name: String, _ form: String) -> String? {
            (messages[name] as? [String: String])?[form] ?? messages[name] as? String
        }
        let texts = PageTexts.of(language)
        for (area, headline) in [("headline", texts.headline), ("then", texts.pastHeadline)] {
            #expect(headline.oneUp == message("\(area).up", "one"))
            #expect(headline.up == message("\(area).up", "other"))
            #expect(headline.oneDown == message("\(area).down", "one"))
            #expect(headline.oneDown == message("\(area).down_reporting", "one"))
            #expect(headline.allDown == message("\(area).down", "other"))
            #expect(headline.reportingDown == message("\(area).down_reporting", "other"))
        }
        #expect(texts.blind == message("headline.blind", ""))
        for count in 1...BridgeCatalogue.count {
            #expect(texts.counts[count - 1] == message("count.\(count)", ""))
        }
    }
}

extension ServiceFixture {
    /// The evening's board, with its feed read some time ago and given states of bridges by name.
    ///
    /// - Parameters:
    ///   - isSeen: Whether any state is known.
    ///   - states: Nil for those of the records; bridges without one are then lowered.
    static func board(
        readSecondsAgo seconds: Double, _ phase: AppPhase, pace: ClockPace = .live,
        isSeen: Bool = true, states: [String: SpanState]? = nil
    ) async throws -> BridgesSnapshot {
        let made = try await state().snapshot()
        var situation = made.situation
        for bridge in BridgeIndex.all {
            if let states {
                situation[bridge].state = states[BridgeCatalogue[bridge].name] ?? .lowered
            } else if !isSeen {
                situation[bridge].state = .unknown
            }
        }
        let update = LiveUpdate(
            situation, made.update.table, traffic: made.traffic, model: made.model)
        let readAt = evening.adding(minutes: -seconds / 60)
        return BridgesSnapshot(
            madeAt: evening, update: update,
            feeds: [FeedStatus(id: "city", fetchedAt: readAt, problem: nil)], phase: phase,
            pace: pace)
    }
}
