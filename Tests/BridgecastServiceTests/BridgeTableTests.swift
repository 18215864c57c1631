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
        in language: PageLanguage = .english
    ) async throws -> String {
        let made = try await ServiceFixture.state().snapshot()
        let readAt = evening.adding(minutes: -seconds / 60)
        let board = BridgesSnapshot(
            madeAt: evening, update: made.update,
            feeds: [FeedStatus(id: "city", fetchedAt: readAt, problem: nil)], phase: phase,
            pace: pace)
        return BridgeTable(board, feed: "city", at: evening, in: language).html
    }

    /// A table's caption without its tags.
    private func caption(_ table: String) throws -> String {
        let inner = try #require(table.firstMatch(of: /<caption>(.*)<\/caption>/)).1
        return String(inner.replacing(/<[^>]*>/, with: ""))
    }

    @Test func theCaptionHasTheAgeOfTheReading() async throws {
        #expect(try caption(await table(readSecondsAgo: 9, .ready)) == "Live, as of 18:01:51.")
        #expect(
            try caption(await table(readSecondsAgo: 130, .ready))
                == "Last reading 2 min ago, 17:59:50. Trying again.")
        let since = evening.adding(minutes: -22)
        #expect(
            try caption(await table(readSecondsAgo: 22 * 60, .stale(since: since)))
                == "No live reading since 17:40:00. Showing the usual for the hour.")
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
                == "Replay: Fri 20 Feb 2026. As of 18:01:51.")
    }

    @Test func everyBridgeHasARowWithItsProbabilities() async throws {
        let table = try await table(readSecondsAgo: 0, .ready)
        let rows = table.matches(
            of:
                /<tr class="\w+"><th scope="row">[^<]+<\/th><td>([^<]+)<\/td><td>(.+?)<\/td>(.+)<\/tr>/
        )
        #expect(rows.count == BridgeCatalogue.count)
        for row in rows {
            let chances = row.3.matches(of: /<td>([^<]+)<\/td>/).map { String($0.1) }
            #expect(
                chances.count == 2 && chances.allSatisfy { $0.hasSuffix(" in 100") }, "\(row.3)")
            let isUnknown = row.1.hasPrefix("not known")
            #expect(isUnknown == (row.2 == "no reading"))
        }
        #expect(rows.contains { $0.1.hasPrefix("not known") })
        #expect(!table.contains("%"))
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
