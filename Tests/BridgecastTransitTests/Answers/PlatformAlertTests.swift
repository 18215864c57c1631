// Alerts for a platform, on the board of its station.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit
@testable import BridgecastTransitAnswers

@Suite struct PlatformAlertTests {
    private static let moment = Timestamp(secondsSinceEpoch: 1_771_638_900)

    @Test("An alert for a platform stands on its station's board, whatever leaves from there")
    func platformAlert() throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = try TransitFeed(contentsOf: folder)
        let alerts = ["N1", "N2", SmallTransit.south].map { stop in
            var (alert, selector) = (ServiceAlert(), ServiceAlert.Selector())
            selector.stopID = stop
            (alert.informed, alert.header) = ([selector], [.init(stop, language: "en")])
            return RealtimeEntity(id: stop, alert: alert)
        }
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        state.take(
            RealtimeFeed(timestamp: Self.moment, entities: alerts), of: "alerts", at: Self.moment)
        let snapshot = TransitSnapshot(feed, state, asOf: Self.moment, tracker: &tracker)
        let station = try #require(feed.stop(SmallTransit.station))
        let envelope = TransitEnvelope(snapshot, generatedAt: Self.moment)
        for limit in [0, 1, 50] {
            var query = BoardQuery()
            query.limit = limit
            let board = StopBoardDocument(
                snapshot.board(of: station, query), snapshot, envelope)
            #expect(board.alerts.map(\.header) == ["N1", "N2"])
        }
    }
}
