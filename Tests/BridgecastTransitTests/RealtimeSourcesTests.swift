// Recorded feeds by the clock, and files that another program keeps new.
import BridgecastSupport
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import Testing

@Suite struct RealtimeRecordingTests {
    @Test func aFolderOfMessagesIsReplayedByTheClock() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let afternoon = try SimulatedAfternoon.shared.get()
        try afternoon.write(to: folder)
        let updates = try TransitSamples.bytes("caltrain/tripupdates.pb")
        try Data(updates).write(to: folder.appendingPathComponent("TripUpdates.pb"))
        let recording = try RealtimeRecording(folder)
        #expect(recording.kinds == [.vehicles, .tripUpdates])
        #expect(recording.notices.counts.isEmpty)
        let vehicles = try #require(recording.source(.vehicles))
        #expect(vehicles.times.count == afternoon.messages().count)
        #expect(recording.source(.tripUpdates)?.times.count == 1)
        #expect(vehicles.id == "vehicle_positions" && recording.source(.alerts) == nil)
        // A frame every half minute, and each is given once.
        let start = try #require(vehicles.times.first)
        var frames = 0
        for second in stride(from: Int64(0), through: 1800, by: 10) {
            let now = start.adding(seconds: second)
            guard let bytes = try await vehicles.fetch(at: now) else { continue }
            frames += 1
            let made = try #require(RealtimeFeed.read(bytes).feed.timestamp)
            #expect(made <= now && now.secondsSinceEpoch - made.secondsSinceEpoch <= 60)
        }
        #expect((59...61).contains(frames))
    }

    @Test func messagesAreReturnedFromWhenTheyWereMade() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        // Not in the order of their names, one of another spelling, and one that is no feed.
        let noon = Timestamp(secondsSinceEpoch: 1_771_380_000)
        for (name, second) in [("a", Int64(60)), ("b", 0), ("c", 30)] {
            try Data(Self.message(at: noon.adding(seconds: second)))
                .write(to: folder.appendingPathComponent(name))
        }
        try Data("<html>".utf8).write(to: folder.appendingPathComponent("d"))
        let recording = try RealtimeRecording(folder)
        #expect(recording.span == noon...noon.adding(seconds: 60))
        #expect(recording.notices.kept.map(\.code) == ["unreadable_file"])
        let source = try #require(recording.source())
        await #expect(throws: DocumentProblem("", "the recording begins 1 s later")) {
            try await source.fetch(at: noon.adding(seconds: -1))
        }
        #expect(try await source.fetch(at: noon) == Self.message(at: noon))
        #expect(try await source.fetch(at: noon.adding(seconds: 29)) == nil)
        #expect(
            try await source.fetch(at: noon.adding(seconds: 45))
                == Self.message(at: noon.adding(seconds: 30)))
        #expect(
            try await source.fetch(at: noon.adding(seconds: 900))
                == Self.message(at: noon.adding(seconds: 60)))
        #expect(try await source.fetch(at: noon.adding(seconds: 999)) == nil)
        // A clock that is set back.
        #expect(try await source.fetch(at: noon) == Self.message(at: noon))
    }

    @Test func aFileOfManyMessagesIsARecordingAndOfOneIsNot() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let noon = Timestamp(secondsSinceEpoch: 1_771_380_000)
        let messages = try (0..<3).map { try Self.message(at: noon.adding(seconds: 30 * $0)) }
        let many = folder.appendingPathComponent("many.pb")
        try Data(messages.flatMap(Self.delimited)).write(to: many)
        let recording = try #require(try RealtimeRecording.recording(in: many))
        #expect(recording.span == noon...noon.adding(seconds: 60))
        #expect(recording.notices.counts.isEmpty)
        let source = try #require(recording.source(.vehicles))
        #expect(try await source.fetch(at: noon.adding(seconds: 45)) == messages[1])
        let one = folder.appendingPathComponent("one.pb")
        try Data(messages[0]).write(to: one)
        #expect(try RealtimeRecording.recording(in: one) == nil)
        #expect(try RealtimeRecording(one).span == noon...noon)
        // Cut short, it is not taken for less than it was.
        try Data(messages.flatMap(Self.delimited).dropLast()).write(to: many)
        #expect(try RealtimeRecording.recording(in: many) == nil)
        #expect(throws: DocumentProblem.self) { try RealtimeRecording(many) }
    }

    @Test func messagesThatCannotBeReadAreSkipped() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let noon = Timestamp(secondsSinceEpoch: 1_771_380_000)
        let messages = try (0..<3).map { try Self.message(at: noon.adding(seconds: 30 * $0)) }
        // One is no message at all, one begins as one, one is empty.
        let bad: [[UInt8]] = [[0xFF, 0xFF, 0xFF, 0xFF], [0x0A, 0x7F, 0x01], []]
        let file = folder.appendingPathComponent("many.pb")
        let parts = [messages[0], bad[0], bad[1], messages[1], bad[2], messages[2]]
        try Data(parts.flatMap(Self.delimited)).write(to: file)
        let recording = try #require(try RealtimeRecording.recording(in: file))
        #expect(recording.span == noon...noon.adding(seconds: 60))
        let source = try #require(recording.source())
        #expect(source.times == (0..<3).map { noon.adding(seconds: 30 * $0) })
        #expect(try await source.fetch(at: noon.adding(seconds: 45)) == messages[1])
        let first = Self.delimited(messages[0]).count + 1
        #expect(recording.notices.kept.count == 1)
        let notice = try #require(recording.notices.kept.first).message
        #expect(
            notice.hasPrefix("3 of 6 messages cannot be replayed, the first at byte \(first) ("),
            "\(notice)")
    }

    @Test func indentedJSONIsNoRecordingWhateverItsLength() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("vehicles.json")
        let text =
            "{\n  \"header\": {\"gtfs_realtime_version\": \"2.0\", \"timestamp\": 1771380000},"
        let end = "\"entity\": []\n}"
        // `{` could be a length of 123, and the line end after it the tag of a header.
        for length in 110...140 {
            let padding = String(
                repeating: " ", count: length - text.utf8.count - end.utf8.count)
            try Data((text + padding + end).utf8).write(to: file)
            #expect(try RealtimeRecording.recording(in: file) == nil, "\(length)")
            #expect(
                try RealtimeRecording(file).span.lowerBound.secondsSinceEpoch == 1_771_380_000)
        }
    }

    @Test func foldersWithoutMessagesAreRefused() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: DocumentProblem.self) { try RealtimeRecording(folder) }
        let file = folder.appendingPathComponent("x.pb")
        try Data(TransitRealtime_FeedMessage(at: nil).bytes()).write(to: file)
        #expect(throws: DocumentProblem.self) { try RealtimeRecording(file) }
    }

    @Test func refusalsOfFoldersNameTheFirstFile() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["stops.txt", "agency.txt", "routes.txt"] {
            try Data("\(name.dropLast(4))_id,".utf8)
                .write(to: folder.appendingPathComponent(name))
        }
        #expect {
            try RealtimeRecording(folder)
        } throws: {
            let words = "\($0)"
            return words.hasPrefix(
                "\(folder.path): none of the 3 files can be replayed; agency.txt: ")
                && words.contains("begins 'agency_id") && !words.contains("stops.txt")
        }
    }

    @Test func aFileIsReadWheneverItHasChanged() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("vehicles.pb")
        let source = FileRealtimeSource(file, id: "vehicles")
        let now = Timestamp(secondsSinceEpoch: 1_771_380_000)
        await #expect(throws: DocumentProblem.self) { try await source.fetch(at: now) }
        try Data([1, 2, 3]).write(to: file)
        #expect(try await source.fetch(at: now) == [1, 2, 3])
        #expect(try await source.fetch(at: now) == nil)
        // Replaced atomically, as programs do so that no half file is read.
        try Data([4, 5, 6]).write(to: file, options: .atomic)
        #expect(try await source.fetch(at: now) == [4, 5, 6])
        try FileManager.default.removeItem(at: file)
        await #expect(throws: DocumentProblem.self) { try await source.fetch(at: now) }
    }

    /// A message after its length, which is a varint.
    private static func delimited(_ message: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = message.count
        while rest > 0x7F {
            length.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return length + [UInt8(rest)] + message
    }

    private static func message(at time: Timestamp) throws -> [UInt8] {
        try TransitRealtime_FeedMessage(
            at: time.secondsSinceEpoch,
            [TransitRealtime_FeedEntity(id: "v", vehicle: RichFeed.vehicleMessage)]
        ).bytes()
    }
}
