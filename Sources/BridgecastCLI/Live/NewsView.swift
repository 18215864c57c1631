// The board where a program reads on: a JSON document on a line for each forecast and event.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive

/// Writes what a live service publishes, as `GET /bridges` of the service has it.
@MainActor
final class NewsView {
    private let news: AsyncStream<LiveNews>
    private let clock: any WallClock

    init(_ news: AsyncStream<LiveNews>, clock: any WallClock) {
        (self.news, self.clock) = (news, clock)
    }

    /// Writes until the news end.
    ///
    /// - Throws: ``CommandFailure`` where output cannot be written.
    func run() async throws {
        for await news in news {
            guard let update = news.update, news.isForecastNew || !news.events.isEmpty else {
                continue
            }
            let document = Self.document(news, update, at: clock.now)
            try Console.print(String(decoding: document.jsonBytes(), as: UTF8.self))
        }
    }

    private static func document(
        _ news: LiveNews, _ update: LiveUpdate, at now: Timestamp
    ) -> BoardDocument {
        let view = BridgeView(
            update.situation, update.table, traffic: update.traffic,
            climatology: update.model.climatology)
        let envelope = Envelope(
            generatedAt: now, issueTime: update.issueTime, validAt: update.issueTime,
            model: update.model.header, sources: news.feeds.map { SourceStatus($0, at: now) },
            warnings: news.phase.warnings)
        return BoardDocument(view, envelope, news: .init(news.phase, news.events))
    }
}
