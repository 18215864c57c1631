// Reading realtime feeds in all their forms: agencies' samples, bytes that are no feed, limits, spellings of JSON.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import SwiftProtobuf
import Testing

@Suite struct RealtimeSampleTests {
    private func read(_ name: String) throws -> RealtimeReading {
        try RealtimeFeed.read(TransitSamples.bytes(name))
    }

    @Test func unsetOccupancyIsNil() throws {
        let without = try read("specification/no-occupancy.pb").feed
        #expect(without.entities.first?.vehicle?.latitude == 50)
        #expect(without.entities.first?.vehicle?.occupancy == nil)
        let with = try read("specification/with-occupancy-status.pb").feed
        #expect(with.entities.first?.vehicle?.occupancy == .fewSeats)
    }

    /// As the official Python bindings count them.
    @Test func occupancyOfSydneysBuses() throws {
        let vehicles = try read("sydney/syd_v1_buses.pb").feed.entities.compactMap(\.vehicle)
        #expect(vehicles.count == 1512)
        #expect(vehicles.allSatisfy { $0.occupancy != nil })
        #expect(vehicles.count { $0.occupancy == .manySeats } == 1460)
    }

    @Test func caltrainsTrips() throws {
        let reading = try read("caltrain/tripupdates.pb")
        let updates = reading.feed.entities.compactMap(\.tripUpdate)
        #expect(reading.form == .protobuf && updates.count == 25)
        #expect(updates.reduce(0) { $0 + $1.stops.count } == 222)
        #expect(reading.feed.timestamp == Timestamp(secondsSinceEpoch: 1_771_378_394))
        #expect(reading.notices.count(.error) == 0)
    }

    @Test func filesThatAreNoFeedAreIdentified() throws {
        #expect(
            refusal(Array("not valid pb data".utf8)).contains(
                "a text that begins 'not valid pb data'"))
        #expect(
            refusal(Array(#"{"stations": []}"#.utf8))
                .contains("neither header nor entity, but 'stations'"))
        #expect(
            refusal(try TransitSamples.bytes("specification/gtfs-sample-feed.zip"))
                .contains("zip file"))
        // A message that was sent as text, with other line ends.
        let message = try TransitSamples.bytes("sydney/syd_v1_buses.pb")
        let lineFeed = UInt8(ascii: "\n")
        let sent = message.flatMap { $0 == lineFeed ? [UInt8(ascii: "\r"), lineFeed] : [$0] }
        #expect(refusal(sent).contains("CR LF"))
    }

    private func refusal(_ bytes: [UInt8]) -> String {
        do {
            _ = try RealtimeFeed.read(bytes)
            return "read"
        } catch { return "\(error)" }
    }

    @Test func theTextFormatIsRead() throws {
        let reading = try read("sydney/sydney-trip-updates.txt")
        #expect(reading.form == .text)
        let first = try #require(reading.feed.entities.first?.tripUpdate)
        #expect(first.trip.tripID == "2027401" && first.trip.startDate == "20260114")
        #expect(first.stops.first?.arrival?.delaySeconds == 0)
        #expect(first.stops.first?.arrival?.time?.secondsSinceEpoch == 1_768_361_220)
    }

    @Test(arguments: ["sydney/syd_v1_buses.pb", "caltrain/tripupdates.pb"])
    func truncatedFeedsAreRefusedOrShorter(_ name: String) throws {
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

    @Test func everySetFieldIsRead() throws {
        let reading = try RealtimeFeed.read(RichFeed.bytes())
        #expect(reading.feed == RichFeed.feed)
    }

    @Test func otherBytesAreIdentified() {
        #expect(refusal([UInt8]()).contains("empty"))
        #expect(refusal("<!DOCTYPE html><html></html>").contains("an HTML page"))
        #expect(refusal("\u{FEFF}<Error><Code>NoSuchKey</Code></Error>").contains("HTML or XML"))
        #expect(refusal("[1, 2]").contains("neither header nor entity"))
        #expect(refusal("{\"header\": {}, ").contains("line 1"))
        #expect(refusal(" \n \n").contains("white space"))
        #expect(refusal("agency_id,agency_name\r\n1,Metro\r\n").contains("a text that begins"))
        #expect(refusal([0x12, 0x00] as [UInt8]).contains("without the header"))
    }

    @Test func damageHasALocation() throws {
        let bytes = try RichFeed.bytes()
        #expect(refusal(Array(bytes.dropLast())).contains("bytes are announced and"))
        var wrong = bytes
        wrong[0] = 0x0F
        #expect(refusal(wrong).contains("byte 0: not a realtime feed, or a damaged one"))
    }

    @Test func packedFeedsAreUnpackedAndNoted() throws {
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

    @Test func anEntityWithInvalidTextCostsOnlyItself() throws {
        let header: [UInt8] = [0x0A, 0x05, 0x0A, 0x03, 0x32, 0x2E, 0x30]
        let bad: [UInt8] = [0x12, 0x04, 0x0A, 0x02, 0xC3, 0x28]
        let good: [UInt8] = [0x12, 0x03, 0x0A, 0x01, 0x67]
        let reading = try RealtimeFeed.read(header + bad + good)
        #expect(reading.feed.entities.map(\.id) == ["g"])
        let notice = try #require(reading.notices.kept.first { $0.code == "invalid_text" })
        #expect(notice.message.contains("entity 1"))
        #expect(notice.severity == .error)
    }

    @Test func millisecondsAreConvertedAndNoted() throws {
        let json = """
            {"header": {"gtfs_realtime_version": "2.0", "timestamp": "1771378394000"},
             "entity": [{"id": "1", "vehicle": {"timestamp": 0}}]}
            """
        let reading = try RealtimeFeed.read(Array(json.utf8))
        #expect(reading.feed.timestamp?.secondsSinceEpoch == 1_771_378_394)
        #expect(reading.feed.entities[0].vehicle?.timestamp == nil)
        #expect(reading.notices.counts.contains { $0.code == "timestamp_not_in_seconds" })
    }

    @Test func unknownEnumValuesAreNil() throws {
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

@Suite struct RealtimeLimitTests {
    private func refusal(_ bytes: [UInt8]) -> String {
        do {
            _ = try RealtimeFeed.read(bytes)
            return "read"
        } catch { return "\(error)" }
    }

    private static let header: [UInt8] = [0x0A, 0x05, 0x0A, 0x03, 0x32, 0x2E, 0x30]

    /// A field with a length.
    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes = [number << 3 | 2]
        var length = content.count
        repeat {
            bytes.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return bytes + content
    }

    private static func repeated(_ bytes: [UInt8], _ times: Int) -> [UInt8] {
        Array(repeatElement(bytes, count: times).joined())
    }

    @Test func tooManyEntities() {
        let bytes = Self.header + Self.repeated([0x12, 0x00], 250_001)
        #expect(refusal(bytes).contains("more than 250000 entities"))
        #expect(refusal(Self.repeated([0x0A, 0x00], 17)).contains("more than 16 headers"))
        // What follows is not looked at any more, be it damaged.
        #expect(refusal(bytes + [0x00]).contains("more than 250000 entities"))
    }

    @Test func entitiesOfMoreThanAMegabyteAreLeftOut() throws {
        let stops = Self.repeated([0x12, 0x00], 600_000)
        let large = Self.field(2, [0x0A, 0x01, 0x61] + Self.field(3, stops))
        let reading = try RealtimeFeed.read(Self.header + large + [0x12, 0x03, 0x0A, 0x01, 0x62])
        #expect(reading.feed.entities.map(\.id) == ["b"])
        #expect(reading.notices.counts.contains { $0.code == "entity_too_large" })
    }

    @Test func tooManyStopsOfAllTripsTogether() {
        let trip = Self.field(3, Self.repeated([0x12, 0x00], 300_000))
        let entity = Self.field(2, [0x0A, 0x01, 0x61] + trip)
        #expect(refusal(Self.header + Self.repeated(entity, 4)).contains("more than 1000000 stops"))
    }

    @Test func nestedMessagesAreLimited() {
        // What is not known is passed over, and what is known does not nest as deep: a group in a group in ...
        let groups = [UInt8](repeating: 0x1B, count: 100_000)
        #expect(refusal(Self.header + groups) != "read")
        #expect(refusal(Self.header + Self.field(2, groups)) != "read")
    }

    @Test func jsonIsLimited() {
        let deep = "{\"entity\":" + String(repeating: "[", count: 100_000)
        #expect(refusal(Array(deep.utf8)).contains("nest more than 32 deep"))
        let wide = Array("{\"entity\":[".utf8) + Self.repeated(Array("0,".utf8), 4_000_001)
        #expect(refusal(wide).contains("more than 4000000 values"))
    }

    @Test func packedFeedsThatAreTooLarge() {
        let packed = Self.zeros(megabytes: 65)
        #expect(packed.count < 1 << 20)
        #expect(refusal(packed).contains("gzip of more than 64 MiB"))
    }

    /// gzip of zeros: one, then again and again the 258 before (RFC 1951, fixed codes).
    private static func zeros(megabytes: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var word = UInt64(0)
        var bits = 0
        func put(_ value: UInt64, _ count: Int) {
            word |= value << UInt64(bits)
            bits += count
            while bits >= 8 {
                bytes.append(UInt8(word & 0xFF))
                word = word >> 8
                bits = bits - 8
            }
        }
        // Last block, fixed codes; literal 0 is 00110000, most significant bit first.
        put(0b011, 3)
        put(0b0000_1100, 8)
        // Length 258 is code 285, 11000101; distance 1 is code 0 of five bits.
        for _ in 0..<(megabytes << 20) / 258 { put(0b1010_0011, 13) }
        return bytes
    }
}

@Suite struct RealtimeSpellingTests {
    /// Protobuf's own mapping of bytes, as SwiftProtobuf writes it.
    private static func json(
        _ bytes: [UInt8], _ edit: (inout JSONEncodingOptions) -> Void
    ) throws -> [UInt8] {
        var options = JSONEncodingOptions()
        edit(&options)
        return Array(
            try TransitRealtime_FeedMessage(serializedBytes: bytes).jsonUTF8Data(options: options))
    }

    /// The three spellings of a message, and one with names as the specification has them but numbers for enums.
    private static func spellings(_ bytes: [UInt8]) throws -> [[UInt8]] {
        let camel = try json(bytes) { _ in }
        let snake = try json(bytes) { $0.preserveProtoFieldNames = true }
        let numbers = try json(bytes) {
            $0.alwaysPrintEnumsAsInts = true
            $0.alwaysPrintInt64sAsNumbers = true
        }
        return [camel, snake, numbers, try pascal(camel)]
    }

    /// As 511 writes it: capitals in front, lists in the plural, and a byte order mark.
    private static func pascal(_ camel: [UInt8]) throws -> [UInt8] {
        func renamed(_ value: Any) -> Any {
            switch value {
            case let object as [String: Any]:
                var result: [String: Any] = [:]
                for (name, value) in object {
                    var name = name.prefix(1).uppercased() + name.dropFirst()
                    if name == "Entity" { name = "Entities" }
                    if name == "StopTimeUpdate" { name = "StopTimeUpdates" }
                    result[name] = renamed(value)
                }
                return result
            case let list as [Any]: return list.map(renamed)
            default: return value
            }
        }
        let data = try JSONSerialization.data(
            withJSONObject: renamed(JSONSerialization.jsonObject(with: Data(camel))))
        return [0xEF, 0xBB, 0xBF] + data
    }

    @Test func everythingIsReadInAllSpellings() throws {
        let bytes = try RichFeed.bytes()
        for spelling in try Self.spellings(bytes) {
            let reading = try RealtimeFeed.read(spelling)
            #expect(reading.form == .json)
            #expect(
                reading.feed == RichFeed.feed,
                "\(String(decoding: spelling.prefix(300), as: UTF8.self))")
        }
    }

    @Test(
        arguments: [
            "caltrain/tripupdates.pb", "caltrain/vehiclepositions.pb", "caltrain/servicealerts.pb",
            "puget-sound/puget_sound_alerts.pb", "sydney/syd_v2_metro.pb",
            "sydney/syd_v2_sydneytrains.pb", "specification/with-occupancy-status.pb",
        ])
    func agenciesFeedsAreReadInAllSpellings(_ name: String) throws {
        let bytes = try TransitSamples.bytes(name)
        let feed = try RealtimeFeed.read(bytes).feed
        for spelling in try Self.spellings(bytes) {
            #expect(try RealtimeFeed.read(spelling).feed == feed)
        }
    }

    @Test func anInvalidFieldLeavesTheRest() throws {
        let json = """
            {"header": {"gtfsRealtimeVersion": "2.0"}, "entity": [
              {"id": 7, "tripUpdate": {"trip": {"tripId": 12}, "delay": "soon", "stopTimeUpdate":
                {"stopSequence": "4", "arrival": {"delay": 12.0, "time": null}}}}]}
            """
        let reading = try RealtimeFeed.read(Array(json.utf8))
        let update = try #require(reading.feed.entities.first?.tripUpdate)
        #expect(reading.feed.entities[0].id == "7" && update.trip.tripID == "12")
        #expect(update.delaySeconds == nil)
        #expect(update.stops.map(\.sequence) == [4])
        #expect(update.stops[0].arrival == StopTimeEvent(delaySeconds: 12))
        let notice = try #require(reading.notices.kept.first { $0.code == "invalid_field" })
        #expect(notice.description.contains("entity 1 ('7')") && notice.field == "delay")
    }

    @Test("What is no object in a list is left out, not read as an object without fields")
    func elementsThatAreNotObjects() throws {
        let json = """
            {"header": {"gtfsRealtimeVersion": "2.0"}, "entity": [null, "1", {"id": "1", "alert":
              {"activePeriod": [null], "informedEntity": ["5", {"routeId": "44"}],
               "headerText": {"translation": [{"text": "t", "language": "en"}]}}}]}
            """
        let reading = try RealtimeFeed.read(Array(json.utf8))
        let alert = try #require(reading.feed.entities.first?.alert)
        #expect(reading.feed.entities.map(\.id) == ["1"])
        #expect(alert.informed.map(\.routeID) == ["44"] && alert.activePeriods.isEmpty)
        let left = reading.notices.kept.filter { $0.code == "invalid_field" }.map(\.field)
        #expect(left == ["entity", "entity", "active_period", "informed_entity"])
    }

    @Test func aTimeBefore1970IsNotedAsItIs() throws {
        let json = """
            {"header": {"gtfsRealtimeVersion": "2.0"}, "entity": [{"id": "1", "vehicle":
              {"position": {"latitude": 47.6, "longitude": -122.3}, "timestamp": -5}}]}
            """
        let reading = try RealtimeFeed.read(Array(json.utf8))
        #expect(reading.feed.entities[0].vehicle?.timestamp == nil)
        #expect(reading.notices.kept.contains { $0.description.contains("timestamp is -5") })
    }

    @Test func translationsWithoutTextAreLeftOut() throws {
        let json = """
            {"header": {"gtfsRealtimeVersion": "2.0"}, "entity": [
              {"id": "1", "alert": {"headerText": {"translation": [{"language": "en"}]}}}]}
            """
        let reading = try RealtimeFeed.read(Array(json.utf8))
        #expect(reading.feed.entities[0].alert?.header.isEmpty == true)
        #expect(reading.notices.counts.contains { $0.code == "missing_header_text" })
    }
}
