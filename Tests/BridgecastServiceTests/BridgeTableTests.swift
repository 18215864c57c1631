import BridgecastCore
import BridgecastLive
import BridgecastObservation
import BridgecastTestSupport
import Testing

@testable import BridgecastService

@Suite struct BridgeTableTests {
    private let evening = ServiceFixture.evening

    /// The table of the evening's board with a feed in a certain phase.
    private func table(
        readSecondsAgo seconds: Double, _ phase: AppPhase, pace: ClockPace = .live,
        isSeen: Bool = true, in language: PageLanguage = .english
    ) async throws -> String {
        let board = try await ServiceFixture.board(
            readSecondsAgo: seconds, phase, pace: pace, isSeen: isSeen)
        return BridgeTable(board, feed: "city", at: evening, in: language).html
    }

    /// A table's caption without its tags.
    private func caption(_ table: String) throws -> String {
        let inner = try #require(table.firstMatch(of: /<caption>(.*)<\/caption>/)).1
        return String(inner.replacing(/<[^>]*>/, with: ""))
    }

    @Test func theCaptionHasTheAgeOfTheReading() async throws {
        #expect(
            try caption(await table(readSecondsAgo: 9, .ready)) == "Live, as of 6:01:51\u{A0}PM.")
        #expect(
            try caption(await table(readSecondsAgo: 130, .ready))
                == "Last reading 2 min ago, 5:59:50\u{A0}PM. Trying again.")
        let since = evening.adding(minutes: -22)
        #expect(
            try caption(await table(readSecondsAgo: 22 * 60, .stale(since: since)))
                == "No live reading since 5:40:00\u{A0}PM. Showing the usual for the hour.")
        #expect(
            try caption(await table(readSecondsAgo: 0, .failed))
                == "No live reading. Showing the usual for the hour.")
        #expect(
            try caption(await table(readSecondsAgo: 9, .ready, in: .spanish))
                == "En directo, a las 18:01:51.")
    }

    @Test func aReplayIsNotCalledLive() async throws {
        let replay = ClockPace(rate: 60)
        #expect(
            try caption(await table(readSecondsAgo: 9, .ready, pace: replay))
                == "Replay: Fri 20 Feb 2026. As of 6:01:51\u{A0}PM.")
    }

    @Test func everyBridgeHasARowWithItsProbabilities() async throws {
        let table = try await table(readSecondsAgo: 0, .ready)
        let rows = table.matches(
            of:
                /<tr class="(\w+)"><th scope="row">([^<]+)<\/th><td>([^<]+)<\/td>(.+)<\/tr>/
        )
        #expect(rows.count == BridgeCatalogue.count)
        for row in rows {
            let chances = row.4.matches(of: /<td>([^<]+)<\/td>/).map { String($0.1) }
            #expect(
                chances.count == 2 && chances.allSatisfy { $0.hasSuffix(" in 100") }, "\(row.4)")
            #expect((row.1 == "unknown") == (row.3 == "no sensor: forecast without one"))
        }
        #expect(rows.filter { $0.1 == "unknown" }.map(\.2) == ["Lower Spokane St"])
        #expect(!table.contains("%"))
    }

    @Test func withoutAFeedTheTableSaysClimatology() async throws {
        let table = try await table(
            readSecondsAgo: 22 * 60, .stale(since: evening.adding(minutes: -22)), isSeen: false)
        let states = table.matches(of: /<\/th><td>([^<]+)<\/td>/).map { String($0.1) }
        let counts = Dictionary(grouping: states) { $0 }.mapValues(\.count)
        #expect(
            counts == [
                "not known: usual, from climatology": 5, "no sensor: forecast without one": 2,
            ])
    }

    @Test func timesAreThoseOfThePage() throws {
        for (text, english, spanish) in [
            ("00:05", "12:05\u{A0}AM", "0:05"), ("09:00", "9:00\u{A0}AM", "9:00"),
            ("12:30", "12:30\u{A0}PM", "12:30"), ("23:59", "11:59\u{A0}PM", "23:59"),
        ] {
            let time = try TimeText.parse("2026-02-20T\(text)")
            #expect(PageTexts.of(.english).clock(time) == english)
            #expect(PageTexts.of(.spanish).clock(time) == spanish)
        }
    }

    @Test func probabilitiesAreWholeNumbersInAHundred() {
        let words = PageTexts.of(.english)
        #expect(
            [0, 0.0099, 0.01, 0.054, 0.99, 0.991, 1].map { words.chance($0) } == [
                "under 1 in 100", "under 1 in 100", "1 in 100", "5 in 100", "99 in 100",
                "over 99 in 100", "over 99 in 100",
            ])
        #expect(PageTexts.of(.spanish).chance(0.04) == "4 de cada 100")
    }

    @Test func namesAreEscaped() {
        #expect(
            HTMLText.element("th", "", text: "<b onclick='x'>\"A\" & B</b>")
                == "<th>&lt;b onclick=&#39;x&#39;&gt;&quot;A&quot; &amp; B&lt;/b&gt;</th>")
    }

    @Test(arguments: [
        (nil, PageLanguage.english), ("", .english), ("es", .spanish), ("ES-mx", .spanish),
        ("de, fr;q=0.9", .english), ("en;q=0.4, es;q=0.5", .spanish), ("es;q=0, en", .english),
        ("es;q=x", .english), (";;;,,,=", .english),
    ])
    func thePreferredLanguageIsChosen(accept: String?, language: PageLanguage) {
        #expect(PageLanguage(accept: accept) == language)
    }
}
