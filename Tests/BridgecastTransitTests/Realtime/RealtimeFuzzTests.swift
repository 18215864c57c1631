// Mutated realtime feeds are read or refused, never trapped on.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import SwiftProtobuf
import Testing

@Suite struct RealtimeFuzzTests {
    /// Mutated Protocol Buffers, JSON, replies of OneBusAway's, the form for people, and packed ones.
    @Test func anyBytesAreReadOrRefused() async throws {
        let seeds = try Self.seeds()
        let fuzz = FuzzRun(usually: 20_000)
        let total = await fuzz.results { Self.run($0, $1, seeds) }.reduce(into: Tally()) {
            $0.add($1)
        }
        #expect(total.read.reduce(0, +) + total.refused.reduce(0, +) == fuzz.cases)
        for form in seeds.indices {
            #expect(total.read[form] > 0 && total.refused[form] > 0, "form \(form)")
        }
        if !fuzz.isUsual {
            print(
                "\(fuzz.cases) feeds from seed \(fuzz.seed): protobuf, JSON, OneBusAway, text, gzip: "
                    + "\(total.read) read with \(total.entities) entities, \(total.refused) refused; "
                    + "the longest took \(total.longest)")
        }
    }

    private struct Tally: Sendable {
        var read = [Int](repeating: 0, count: 5)
        var refused = [Int](repeating: 0, count: 5)
        var entities = 0
        var longest = Duration.zero

        mutating func add(_ other: Tally) {
            for form in read.indices {
                read[form] += other.read[form]
                refused[form] += other.refused[form]
            }
            entities += other.entities
            longest = max(longest, other.longest)
        }
    }

    private static func seeds() throws -> [[UInt8]] {
        [
            try RichFeed.bytes(), Array(json.utf8), Array(oneBusAway.utf8), Array(text.utf8),
            packed,
        ]
    }

    private static let json = """
        {"header": {"gtfs_realtime_version": "2.0", "timestamp": "1771380000"}, "entity": [
          {"id": "1", "trip_update": {"trip": {"trip_id": "t", "start_date": "20260217"},
            "stop_time_update": [{"stop_sequence": 1, "arrival": {"delay": -3, "time": 1771380060}}]}},
          {"id": "2", "vehicle": {"position": {"latitude": 47.6, "longitude": -1.2e2},
            "occupancy_status": "FULL", "timestamp": 1771380001}},
          {"id": "3", "alert": {"header_text": {"translation": [{"text": "\\u00fc"}]}}}]}
        """

    private static let oneBusAway = """
        {"code":200,"currentTime":1589553926433,"text":"OK","version":2,"data":{"entry":{
        "arrivalsAndDepartures":[{"predicted":true,"predictedArrivalTime":1589554469000,
        "scheduledArrivalTime":1589554278000,"serviceDate":1589526000000,"stopId":"1_11250",
        "tripId":"1_47650148","vehicleId":"1_4562","tripStatus":{"predicted":true,"vehicleId":"1_4562",
        "position":{"lat":47.6,"lon":-122.3},"orientation":22.5}}]},"references":{"agencies":
        [{"id":"1","timezone":"America/Los_Angeles"}],"situations":[{"id":"1_5","summary":
        {"value":"Detour"},"activeWindows":[{"from":1598532000,"to":1598605380}]}]}}}
        """

    private static let text = """
        header { gtfs_realtime_version: "2.0" timestamp: 1768357645 }
        entity { id: "1" trip_update { trip { trip_id: "2027401" } stop_time_update { stop_sequence: 1
          arrival { delay: 0 time: 1768361220 } schedule_relationship: SCHEDULED } } }
        """

    /// gzip of a header alone.
    private static let packed: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 2, 3, 0xE3, 0x62, 0xE5, 0x62, 0x36, 0xD2, 0x33, 0, 0, 0xB2,
        0xAE, 0xE5, 0x3B, 7, 0, 0, 0,
    ]

    private static func run(_ cases: Int, _ seed: UInt64, _ seeds: [[UInt8]]) -> Tally {
        var random = SeededGenerator(seed: seed)
        let clock = ContinuousClock()
        var tally = Tally()
        for _ in 0..<cases {
            let form = Int.random(in: seeds.indices, using: &random)
            let bytes = mutated(seeds[form], &random)
            let start = clock.now
            let reading = try? RealtimeFeed.read(bytes)
            tally.longest = max(tally.longest, clock.now - start)
            guard let reading else {
                tally.refused[form] += 1
                continue
            }
            tally.read[form] += 1
            tally.entities += reading.feed.entities.count
            expectSame(reading, bytes)
        }
        return tally
    }

    /// What SwiftProtobuf makes of the same bytes, written and read again, has the same entities; merging it does not trap.
    private static func expectSame(_ reading: RealtimeReading, _ bytes: [UInt8]) {
        var state = RealtimeState()
        state.take(reading.feed, of: "f", at: Timestamp(secondsSinceEpoch: 1_771_380_000))
        guard reading.form == .protobuf,
            let message = try? TransitRealtime_FeedMessage(serializedBytes: bytes, partial: true)
        else { return }
        guard let again = try? RealtimeFeed.read(message.bytes()).feed else {
            Issue.record("what was read is refused when it is written")
            return
        }
        #expect(again.entities.map(\.id) == reading.feed.entities.map(\.id))
        state.take(again, of: "f", at: Timestamp(secondsSinceEpoch: 1_771_380_030))
    }

    private static func mutated(_ seed: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 4: bytes.removeSubrange(index...)
            default:
                let end = min(bytes.count, index + Int.random(in: 1...40, using: &random))
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            }
        }
        return bytes
    }
}
