// A GTFS-realtime feed over HTTP; asked by TransitPoller, made by `serve` and the transit commands.
public import BridgecastCore
private import BridgecastData
public import BridgecastTransit
private import Foundation
private import Synchronization

/// A realtime feed at an address: trip updates, vehicle positions or alerts, as protobuf or JSON.
public final class RealtimeHTTPSource: RealtimeSource {
    /// Which feed it is, such as `trip_updates`.
    public let id: String
    private let client: FeedClient
    private let request: FeedRequest
    /// The ETag of what was handed out last.
    private let etag = Mutex<String?>(nil)

    /// No agency's feed is longer, unpacked.
    private static let mostBytes = 64 << 20
    /// Forms that are read, the usual one first.
    private static let forms =
        "application/x-protobuf, application/protobuf, application/octet-stream, application/json;q=0.9, */*;q=0.5"

    /// Names a feed.
    ///
    /// - Parameter url: Its address, with whatever key it asks for; messages show it without its query.
    /// - Throws: `FeedError` if it is no address that can be asked.
    public init(id: String, url: String, client: FeedClient) throws {
        try FeedRequest.check(url)
        (self.id, self.client) = (id, client)
        var request = FeedRequest(feed: id, url: url)
        request.headers = ["Accept": Self.forms]
        request.mostBytes = Self.mostBytes
        self.request = request
    }

    /// Asks once; nil if the server says that nothing has changed.
    ///
    /// The poll after is the retry.
    /// - Throws: `FeedError`, `CancellationError`.
    public func fetch(at now: Timestamp) async throws -> [UInt8]? {
        var request = request
        request.etag = etag.withLock { $0 }
        let (body, reply) = try await client.get(request, retrying: .once) {
            body throws(DocumentProblem) in body
        }
        // A reply without a body names none of its own, as a rule.
        if body != nil { etag.withLock { $0 = reply.etag } }
        return body
    }
}
