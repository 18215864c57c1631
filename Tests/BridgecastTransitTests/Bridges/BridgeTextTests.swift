// Lines beneath departures, and service alerts.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTestSupport
@testable import BridgecastTransit
import SwiftProtobuf
import Testing

struct BridgeTextTests {
    private static let now = Fixtures.timestamp("2026-02-20T17:30")

    private func ahead(
        stopped: Float, bin: Int = 4, waits: BridgeAhead.Evidence? = nil, minutesUp: Double? = nil
    ) -> String {
        var chances = [Float](repeating: 0, count: DelayBins.count)
        chances[0] = 1 - stopped
        chances[bin] = stopped
        return BridgeAhead(
            bridge: .montlake, arrival: Self.now.adding(minutes: 12), afterStop: 3, metres: 900,
            delay: DelayDistribution(chances), reasons: [], evidence: waits ?? .timetable,
            isWaiting: waits != nil,
            raisedSince: minutesUp.map { Self.now.adding(minutes: -$0) }
        ).text(at: Self.now)
    }

    @Test("A chance is given in hundredths, never as a certainty")
    func chances() {
        #expect(
            ahead(stopped: 0.08)
                == "Montlake Bridge at 17:42: 8 in 100 to be stopped; if so about 4 min")
        #expect(ahead(stopped: 0.003).contains(": under 1 in 100 to be stopped"))
        #expect(ahead(stopped: 0.999).contains(": over 99 in 100 to be stopped"))
        #expect(ahead(stopped: 0) == "Montlake Bridge at 17:42: not to be stopped")
        #expect(ahead(stopped: 0.5, bin: 1).hasSuffix("if so under a minute"))
    }

    @Test("A bus that waits has the time since raising, if known")
    func waiting() {
        #expect(
            ahead(stopped: 0.9, bin: 2, waits: .vehicle, minutesUp: 3.4)
                == "waiting at Montlake Bridge (raised 3 min ago); about 2 more minutes")
        #expect(
            ahead(stopped: 0.9, waits: .vehicle, minutesUp: 0.4)
                .hasPrefix("waiting at Montlake Bridge (just raised); "))
        #expect(
            ahead(stopped: 0.9, waits: .vehicle)
                .hasPrefix("waiting at Montlake Bridge (raised); "))
    }

    @Test(
        "Small chances deserve no line, unless long or the bus waits")
    func worthALine() {
        func isWorthALine(_ stopped: Float, bin: Int, waits: Bool = false) -> Bool {
            var chances = [Float](repeating: 0, count: DelayBins.count)
            chances[0] = 1 - stopped
            chances[bin] = stopped
            return BridgeAhead(
                bridge: .montlake, arrival: Self.now, afterStop: 3, metres: 900,
                delay: DelayDistribution(chances), reasons: [], evidence: .timetable,
                isWaiting: waits
            ).isWorthALine
        }
        #expect(isWorthALine(0.031, bin: 4))
        #expect(!isWorthALine(0.029, bin: 4))
        // 45 minutes in 29 of 1,000 cases are more than a minute each.
        #expect(isWorthALine(0.029, bin: 11))
        #expect(!isWorthALine(0.02, bin: 11))
        #expect(isWorthALine(0, bin: 4, waits: true))
    }

    @Test("A bus that was not seen at the bridge has another text")
    func unseen() {
        #expect(
            ahead(stopped: 0.9, bin: 2, waits: .timetable, minutesUp: 3.4)
                == "should be waiting at Montlake Bridge now (raised 3 min ago); about 2 more minutes"
        )
        #expect(
            ahead(stopped: 0.9, waits: .prediction, minutesUp: 0.4)
                .hasPrefix("predicted to be waiting at Montlake Bridge now (just raised); ")
        )
    }

    @Test("An outlook has both chances")
    func outlook() {
        let outlook = BridgeOutlookAtStop(
            meanSeconds: 20, p50Seconds: 0, p80Seconds: 0, p90Seconds: 40,
            probabilityDelayed: 0.121,
            probabilityOver3Minutes: 0.004)
        #expect(
            outlook.text
                == "bridges: 12 in 100 to be held up, under 1 in 100 for 3 min or more")
    }
}

struct RaisedBridgeAlertsTests {
    private func bytes(_ day: SoundTransitDay) -> [UInt8] {
        RaisedBridgeAlerts.protobufBytes(for: day.feed, day.bridges, at: day.now)
    }

    private func message(_ time: String) throws -> (SoundTransitDay, RealtimeFeed) {
        let day = try SoundTransitDay(time)
        return (day, try RealtimeFeed.read(bytes(day)).feed)
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
        let start = Fixtures.timestamp("2018-01-04T15:05:50")
        #expect(alert.activePeriods == [ServiceAlert.Period(start: start, end: nil)])
        let routes = alert.informed.compactMap(\.routeID).compactMap(day.feed.route)
        #expect(Set(routes.map { day.feed[$0].title }) == ["540", "541", "542", "556"])
        #expect(routes.count == alert.informed.count)
        #expect(
            alert.header.map(\.text) == ["Montlake Bridge is up: routes 540, 541, 542 and 556 wait"]
        )
        let text = try #require(alert.description.first).text
        #expect(text.hasPrefix("Raised for boats at 15:05, 2 min ago. Traffic waits until"))
        #expect(text.contains("half are over after"))
        #expect((alert.header + alert.description).allSatisfy { $0.language == "en" })
        // Nothing of it changes its identifier while the bridge is up.
        let later = try self.message("2018-01-04T15:10").1
        #expect(later.entities.map(\.id) == message.entities.map(\.id))
    }

    @Test("With the bridge down the message is a full, empty dataset")
    func lowered() throws {
        let (_, message) = try message("2018-01-04T15:20")
        #expect(message.entities.isEmpty)
        #expect(!message.isDifferential)
    }

    @Test("The bytes are what the specification's own code reads")
    func readBack() throws {
        let day = try SoundTransitDay("2018-01-04T15:08")
        let wire = try TransitRealtime_FeedMessage(serializedBytes: bytes(day))
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
