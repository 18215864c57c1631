// What realtime feeds of agencies say, and what is said of bytes that are none.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import Testing

@Suite(.enabled(if: TransitSamples.areHere)) struct RealtimeSampleTests {
    private func read(_ name: String) throws -> RealtimeReading {
        try RealtimeFeed.read(TransitSamples.bytes(name))
    }

    @Test func occupancyThatIsNotSetIsNotEmpty() throws {
        let without = try read("samples/no-occupancy.pb").feed
        #expect(without.entities.first?.vehicle?.latitude == 50)
        #expect(without.entities.first?.vehicle?.occupancy == nil)
        let with = try read("samples/with-occupancy-status.pb").feed
        #expect(with.entities.first?.vehicle?.occupancy == .fewSeats)
    }

    @Test func percentagesAndLevelsOfMississauga() throws {
        let vehicles = try read("samples/occupancy-mississauga.pb").feed.entities
            .compactMap(\.vehicle)
        #expect(vehicles.count == 139)
        #expect(vehicles.count { $0.occupancy != nil } == 88)
        #expect(vehicles.count { $0.occupancyPercentage != nil } == 79)
    }

    @Test func caltrainsTrips() throws {
        let reading = try read("caltrain/tripupdates.pb")
        let updates = reading.feed.entities.compactMap(\.tripUpdate)
        #expect(reading.form == .protobuf && updates.count == 25)
        #expect(updates.reduce(0) { $0 + $1.stops.count } == 222)
        #expect(reading.feed.timestamp == Timestamp(secondsSinceEpoch: 1_771_378_394))
        #expect(reading.notices.count(.error) == 0)
    }

    @Test func brokenFilesAreCalledWhatTheyAre() {
        #expect(refusal("samples/invalid.pb").contains("a text that begins 'not valid pb data'"))
        #expect(refusal("samples/crlf-corrupted.pb").contains("CR LF"))
        #expect(refusal("samples/gtfs-sample-feed.zip").contains("zip file"))
        #expect(
            refusal("caltrain/stations.json").contains("neither header nor entity, but 'stations'"))
    }

    private func refusal(_ name: String) -> String {
        do {
            _ = try read(name)
            return "read"
        } catch { return "\(error)" }
    }

    @Test func theFormForPeopleIsReadToo() throws {
        let reading = try read("samples/sydney-trip-updates.txt")
        #expect(reading.form == .text)
        let first = try #require(reading.feed.entities.first?.tripUpdate)
        #expect(first.trip.tripID == "2027401" && first.trip.startDate == "20260114")
        #expect(first.stops.first?.arrival?.delaySeconds == 0)
        #expect(first.stops.first?.arrival?.time?.secondsSinceEpoch == 1_768_361_220)
    }

    @Test(arguments: ["samples/syd_v1_buses.pb", "caltrain/tripupdates.pb"])
    func everyCutOfAFeedIsRefusedOrShorter(_ name: String) throws {
        let bytes = try TransitSamples.bytes(name)
        let whole = try RealtimeFeed.read(bytes).feed
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
            // A cut between two entities leaves a feed.
            guard let cut = try? RealtimeFeed.read(Array(bytes.prefix(length))).feed else {
                continue
            }
            #expect(cut.entities == Array(whole.entities.prefix(cut.entities.count)))
            #expect(cut.entities.count < whole.entities.count)
        }
    }
}

@Suite struct RealtimeReadingTests {
    private func refusal(_ bytes: some Sequence<UInt8>) -> String {
        do {
            _ = try RealtimeFeed.read(Array(bytes))
            return "read"
        } catch { return "\(error)" }
    }

    private func refusal(_ text: String) -> String { refusal(Array(text.utf8)) }

    @Test func allThatIsWrittenIsReadBack() throws {
        let reading = try RealtimeFeed.read(RichFeed.feed.protobufBytes())
        #expect(reading.feed == RichFeed.feed)
    }

    @Test func otherBytesAreCalledWhatTheyAre() {
        #expect(refusal([UInt8]()).contains("empty"))
        #expect(refusal("<!DOCTYPE html><html></html>").contains("an HTML page"))
        #expect(refusal("\u{FEFF}<Error><Code>NoSuchKey</Code></Error>").contains("HTML or XML"))
        #expect(refusal("[1, 2]").contains("neither header nor entity"))
        #expect(refusal("{\"header\": {}, ").contains("line 1"))
        #expect(refusal(" \n \n").contains("white space"))
        #expect(refusal("agency_id,agency_name\r\n1,Metro\r\n").contains("a text that begins"))
        #expect(refusal([0x12, 0x00] as [UInt8]).contains("without the header"))
    }

    @Test func damageHasAPlace() {
        let bytes = RichFeed.feed.protobufBytes()
        #expect(refusal(Array(bytes.dropLast())).contains("bytes are announced and"))
        var wrong = bytes
        wrong[0] = 0x0F
        #expect(refusal(wrong).contains("byte 0: no realtime feed, or a damaged one"))
    }

    @Test func packedFeedsAreUnpackedAndSaidToBe() throws {
        // gzip of a header alone: 0A 05 0A 03 "2.0".
        let packed: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 2, 3, 0xE3, 0x62, 0xE5, 0x62, 0x36, 0xD2, 0x33, 0,
            0, 0xB2, 0xAE, 0xE5, 0x3B, 7, 0, 0, 0,
        ]
        let reading = try RealtimeFeed.read(packed)
        #expect(reading.feed.version == "2.0")
        #expect(reading.notices.counts.contains { $0.code == "gzip" })
        #expect(refusal(packed.dropLast(9)).contains("gzip that is damaged or cut short"))
    }

    @Test func oneEntityThatIsNoTextDoesNotTakeTheOthersWithIt() throws {
        let header: [UInt8] = [0x0A, 0x05, 0x0A, 0x03, 0x32, 0x2E, 0x30]
        let bad: [UInt8] = [0x12, 0x04, 0x0A, 0x02, 0xC3, 0x28]
        let good: [UInt8] = [0x12, 0x03, 0x0A, 0x01, 0x67]
        let reading = try RealtimeFeed.read(header + bad + good)
        #expect(reading.feed.entities.map(\.id) == ["g"])
        let notice = try #require(reading.notices.kept.first { $0.code == "invalid_text" })
        #expect(notice.message.contains("entity 1"))
        #expect(notice.severity == .error)
    }

    @Test func millisecondsAreTakenAsSuchAndNoted() throws {
        let json = """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": "1771378394000"},
             "entity": [{"id": "1", "vehicle": {"timestamp": 0}}]}
            """
        let reading = try RealtimeFeed.read(Array(json.utf8))
        #expect(reading.feed.timestamp?.secondsSinceEpoch == 1_771_378_394)
        #expect(reading.feed.entities[0].vehicle?.timestamp == nil)
        #expect(reading.notices.counts.contains { $0.code == "timestamp_not_in_seconds" })
    }

    @Test func enumsBeyondTheKnownStayUnknown() throws {
        // header, entity 1 with a vehicle whose occupancy_status (field 9) is 99 and current_status (field 4) 2.
        let bytes: [UInt8] = [
            0x0A, 0x05, 0x0A, 0x03, 0x32, 0x2E, 0x30, 0x12, 0x09, 0x0A, 0x01, 0x31, 0x22, 0x04,
            0x48, 0x63, 0x20, 0x02,
        ]
        let vehicle = try RealtimeFeed.read(bytes).feed.entities[0].vehicle
        #expect(vehicle?.occupancy == nil && vehicle?.stopStatus == .inTransitTo)
        let json = """
            {"header": {"gtfs_realtime_version": "2.0"}, "entity": [{"id": "1", "vehicle":
             {"occupancy_status": "ROOMY", "current_status": 2}}]}
            """
        let reading = try RealtimeFeed.read(Array(json.utf8))
        #expect(reading.feed.entities[0].vehicle == vehicle)
        #expect(reading.notices.counts.contains { $0.code == "unknown_enum_value" })
    }
}
