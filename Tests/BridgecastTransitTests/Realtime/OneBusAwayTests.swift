// Replies of OneBusAway's as realtime feeds: 0 is none, duplicates are one, placeholders are no buses.
import BridgecastSupport
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import Testing

@Suite struct OneBusAwayTests {
    private func read(_ name: String) throws -> RealtimeReading {
        try RealtimeFeed.read(TransitSamples.bytes("puget-sound/\(name).json"))
    }

    @Test func predictedArrivalsBecomeTripUpdates() throws {
        let reading = try read("arrivals-and-departures_1_29320")
        #expect(reading.form == .oneBusAway)
        let updates = reading.feed.entities.compactMap(\.tripUpdate)
        // Nine arrivals, of which three are scheduled alone.
        #expect(updates.count == 6)
        let first = try #require(updates.first)
        #expect(first.trip.tripID == "1_47376871" && first.trip.startDate == "20200515")
        #expect(first.stops[0].stopID == "1_29320")
        #expect(first.stops[0].arrival?.time?.secondsSinceEpoch == 1_589_553_623)
        #expect(first.stops[0].arrival?.delaySeconds == -480)
        #expect(
            updates.allSatisfy {
                ($0.stops[0].arrival?.time?.secondsSinceEpoch ?? 0) > 1_500_000_000
            })
        #expect(reading.feed.entities.count { $0.alert != nil } == 5)
    }

    @Test func bearingsAreFromNorthAndEmptyOccupancyIsNone() throws {
        let reading = try read("arrivals-and-departures_1_11250")
        let bus = try #require(
            reading.feed.entities.compactMap(\.vehicle).first { $0.vehicle?.id == "1_4562" })
        #expect(bus.occupancy == nil)
        #expect(bus.trip?.tripID == "1_47650148")
        #expect(abs((bus.bearing ?? 0) - (90 - 22.572669)) < 1e-4)
        #expect(bus.latitude == 47.614356994628906 as Float)
        #expect(bus.timestamp?.secondsSinceEpoch == 1_589_553_878)
    }

    @Test func duplicateTripsAreMergedAndPlaceholdersIgnored() throws {
        let reading = try read("arrivals-and-departures-for-stop-1_10914-duplicates")
        let updates = reading.feed.entities.compactMap(\.tripUpdate)
        #expect(updates.map(\.trip.tripID) == ["1_40984902", "1_40984903"])
        #expect(updates[0].vehicle?.id == "1_4559")
        #expect(reading.notices.counts.contains { $0.code == "duplicate_arrival" && $0.count == 1 })
        // Only the placeholder has EMPTY.
        let vehicles = reading.feed.entities.compactMap(\.vehicle)
        #expect(vehicles.map { $0.vehicle?.id } == ["1_4559"])
        #expect(vehicles[0].occupancy == nil)
    }

    @Test func refusalsQuoteTheServer() {
        let reply = #"{"code":429,"currentTime":1,"text":"rate limit exceeded","version":2}"#
        #expect(throws: DocumentProblem("", "OneBusAway refused: 429 rate limit exceeded")) {
            try RealtimeFeed.read(Array(reply.utf8))
        }
        #expect(throws: DocumentProblem.self) { try read("route-43-schedule") }
    }

    @Test func agencyPrefixesAreRemoved() {
        #expect(AgencyPrefix.bare("1_75403") == "75403")
        #expect(AgencyPrefix.parts(of: "40_ab_c")?.agency == "40")
        #expect(AgencyPrefix.parts(of: "ST:8")?.agency == "ST")
        #expect(AgencyPrefix.bare("40_ab_c") == "ab_c")
        #expect(["75403", "_1", "1_", "", ":", "__"].allSatisfy { AgencyPrefix.bare($0) == $0 })
    }
}
