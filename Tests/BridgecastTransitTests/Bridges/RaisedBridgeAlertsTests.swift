// Raised bridges as service alerts: whom they name, how they change, and that others can read them.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTestSupport
import BridgecastTransit
import SwiftProtobuf
import Testing

@Suite(.enabled(if: TransitSamples.areHere))
struct RaisedBridgeAlertsTests {
    private func message(_ moment: String) throws -> (SoundTransitDay, RealtimeFeed) {
        let day = try SoundTransitDay(moment)
        return (
            day,
            RaisedBridgeAlerts.message(for: day.feed, day.crossings, day.knowledge, at: day.now)
        )
    }

    @Test("While Montlake Bridge is up an alert names the four routes over it")
    func raised() throws {
        let (day, message) = try message("2018-01-04T15:08")
        #expect(!message.isDifferential)
        #expect(message.timestamp == day.now)
        #expect(message.version == "2.0")
        let entity = try #require(message.entities.first)
        #expect(message.entities.count == 1)
        let alert = try #require(entity.alert)
        let start = Fixtures.moment("2018-01-04T15:05:50")
        #expect(alert.activePeriods == [ServiceAlert.Period(start: start, end: nil)])
        let routes = alert.informed.compactMap(\.routeID).compactMap(day.feed.route)
        #expect(Set(routes.map { day.feed[$0].title }) == ["540", "541", "542", "556"])
        #expect(routes.count == alert.informed.count)
        #expect(
            alert.header.map(\.text) == ["Montlake Bridge is up: routes 540, 541, 542 and 556 wait"]
        )
        let text = try #require(alert.description.first).text
        #expect(text.hasPrefix("Raised for boats at 15:05, 2 min ago. Traffic over it waits"))
        #expect(text.contains("half are over after"))
        #expect((alert.header + alert.description).allSatisfy { $0.language == "en" })
        // Nothing of it changes its identifier while the bridge is up.
        let later = try self.message("2018-01-04T15:10").1
        #expect(later.entities.map(\.id) == message.entities.map(\.id))
    }

    @Test("With the bridge down the message is whole and empty")
    func lowered() throws {
        let (_, message) = try message("2018-01-04T15:20")
        #expect(message.entities.isEmpty)
        #expect(!message.isDifferential)
    }

    @Test("The bytes are what the specification's own code reads")
    func readBack() throws {
        let (day, message) = try message("2018-01-04T15:08")
        let wire = try TransitRealtime_FeedMessage(serializedBytes: message.protobufBytes())
        #expect(wire.header.gtfsRealtimeVersion == "2.0")
        #expect(wire.header.incrementality == .fullDataset)
        #expect(wire.header.timestamp == UInt64(day.now.secondsSinceEpoch))
        let alert = try #require(wire.entity.first).alert
        #expect(alert.effect == .significantDelays)
        #expect(alert.cause == .otherCause)
        #expect(alert.severityLevel == .warning)
        #expect(alert.informedEntity.allSatisfy { $0.hasRouteID && !$0.hasAgencyID })
        #expect(alert.activePeriod.count == 1)
        #expect(alert.activePeriod.allSatisfy { $0.hasStart && !$0.hasEnd })
        #expect(alert.headerText.translation.map(\.language) == ["en"])
    }
}
