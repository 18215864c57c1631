internal import BridgecastSupport
public import BridgecastCore
private import BridgecastData
public import BridgecastTransit
private import Foundation
private import Synchronization

/// A realtime feed at an address: trip updates, vehicle positions or alerts, as protobuf or JSON.
public final class RealtimeHTTPSource: RealtimeSource {
    /// The name of the feed, such as `trip_updates`.
    public let id: String
    private let client: FeedClient
    private let request: FeedRequest
    /// The ETag of the body returned last.
    private let etag = Mutex<String?>(nil)

    /// No agency has a longer feed, unpacked.
    private static let maxBytes = 64 << 20
    /// The media types that are read, the most common first.
    private static let mediaTypes =
        "application/x-protobuf, application/protobuf, application/octet-stream, application/json;q=0.9, */*;q=0.5"

    /// Creates a source.
    ///
    /// - Parameter url: Its address, with any key it requires; messages show it without its query.
    /// - Throws: `FeedError` if it is not a valid address.
    public init(id: String, url: String, client: FeedClient) throws {
        try FeedRequest.check(url)
        self.id = id
        self.client = client
        var request = FeedRequest(feed: id, url: url)
        request.headers = ["Accept": Self.mediaTypes]
        request.maxBytes = Self.maxBytes
        self.request = request
    }

    /// Requests the feed once; nil if the server replies that nothing has changed; the next poll is the retry.
    ///
    /// - Throws: `FeedError`, `CancellationError`.
    public func fetch(at now: Timestamp) async throws -> [UInt8]? {
        var request = request
        request.etag = etag.withLock { $0 }
        let (body, reply) = try await client.get(request, retrying: .once) {
            body throws(DocumentProblem) in body
        }
        // A reply without a body usually has no ETag.
        if body != nil { etag.withLock { $0 = reply.etag } }
        return body
    }
}
