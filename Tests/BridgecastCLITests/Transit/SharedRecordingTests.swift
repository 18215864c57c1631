// A recording whose kinds are played by feeds of their own.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastServerCLI

@Suite struct SharedRecordingTests {
    @Test func feedsOfTheShippedRecordingReadItOnce() async throws {
        let noon = Fixtures.timestamp("2018-01-04T12:00")
        let feeds = ShippedRecording.feeds(from: noon, to: noon)
        #expect(feeds.map(\.id).contains("vehicle_positions"))
        for feed in feeds {
            // What has been read is played, wherever the file is by then.
            let moved = RealtimeLocation(
                id: feed.id, kind: feed.kind, location: "/nowhere/recording.pb.gz",
                option: feed.option, note: feed.note, recording: feed.recording)
            #expect(throws: Never.self) { try moved.source(nil) }
        }
    }
}
