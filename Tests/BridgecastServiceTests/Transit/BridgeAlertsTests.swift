// Raised bridges as a GTFS-realtime feed, and closed windows as a calendar.
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct BridgeAlertsTests {
    @Test func aRaisedBridgeIsAnAlertForTheRoutesOverIt() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let response = try await client.execute(uri: "/gtfs-rt/alerts", method: .get)
            #expect(response.headers[.contentType] == "application/x-protobuf")
            let feed = try RealtimeFeed.read(Array(response.body.readableBytesView)).feed
            #expect(feed.timestamp == TransitFixture.evening)
            // Ballard alone: no other bridge is on the way of a bus of this timetable.
            let alert = try #require(feed.entities.first?.alert)
            #expect(feed.entities.count == 1)
            #expect(alert.informed.map(\.routeID) == [SmallTransit.route])
            #expect(alert.header.first?.text.contains("Ballard") == true)
            #expect(alert.activePeriods.first?.start == Fixtures.moment("2026-02-20T18:00"))
        }
    }

    @Test func closedWindowsAreACalendar() async throws {
        try await TransitFixture.asking(try await TransitFixture.state([])) { client in
            let response = try await client.execute(uri: "/calendar/fremont.ics", method: .get)
            #expect(response.headers[.contentType] == "text/calendar; charset=utf-8")
            let text = String(buffer: response.body)
            #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
            let number = try await client.execute(uri: "/calendar/3.ics", method: .get)
            #expect(String(buffer: number.body) == text)
            for path in ["/calendar/tower.ics", "/calendar/.ics", "/calendar/fremont"] {
                #expect(try await client.execute(uri: path, method: .get).status == .notFound)
            }
        }
    }
}
