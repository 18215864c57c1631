// Feeds in JSON say the same as in Protocol Buffers, in whatever case their names are.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import SwiftProtobuf
import Testing

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
            ($0.alwaysPrintEnumsAsInts, $0.alwaysPrintInt64sAsNumbers) = (true, true)
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

    @Test func allThreeSpellingsOfEverythingThatCanBeSet() throws {
        let bytes = RichFeed.feed.protobufBytes()
        for spelling in try Self.spellings(bytes) {
            let reading = try RealtimeFeed.read(spelling)
            #expect(reading.form == .json)
            #expect(
                reading.feed == RichFeed.feed,
                "\(String(decoding: spelling.prefix(300), as: UTF8.self))")
        }
    }

    @Test(
        .enabled(if: TransitSamples.areHere),
        arguments: [
            "caltrain/tripupdates.pb", "caltrain/vehiclepositions.pb", "caltrain/servicealerts.pb",
            "puget-sound/puget_sound_alerts.pb", "samples/occupancy-mississauga.pb",
            "samples/syd_v2_sydneytrains.pb", "samples/with-occupancy-status.pb",
        ])
    func allThreeSpellingsOfAgenciesFeeds(_ name: String) throws {
        let bytes = try TransitSamples.bytes(name)
        let feed = try RealtimeFeed.read(bytes).feed
        for spelling in try Self.spellings(bytes) {
            #expect(try RealtimeFeed.read(spelling).feed == feed)
        }
    }

    @Test(.enabled(if: TransitSamples.areHere)) func caltrainAs511HasIt() throws {
        let reading = try RealtimeFeed.read(TransitSamples.bytes("caltrain/tripupdates-511.json"))
        #expect(reading.form == .json && reading.feed.version == "1.0")
        #expect(reading.feed.timestamp?.secondsSinceEpoch == 1_770_070_726)
        let updates = reading.feed.entities.compactMap(\.tripUpdate)
        #expect(updates.count == 15 && updates.reduce(0) { $0 + $1.stops.count } == 221)
        let first = try #require(updates.first)
        #expect(first.trip.tripID == "134" && first.trip.routeID == "Local Weekday")
        #expect(first.trip.direction == 1 && first.stops[0].stopID == "70202")
        #expect(first.stops[0].departure?.time?.secondsSinceEpoch == 1_770_070_903)
        #expect(reading.feed.entities.allSatisfy { $0.vehicle == nil && $0.alert == nil })
    }

    @Test func whatIsOddInOneFieldLeavesTheRest() throws {
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
}
