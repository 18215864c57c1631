// A feed's answer.
public import BridgecastCore

/// A feed's answer.
public struct FeedReply: Sendable {
    /// The content; nil if it is what the given ETag stands for (HTTP 304).
    public let body: [UInt8]?
    /// The content's ETag, if it has one.
    public let etag: String?
    /// When the whole answer was here.
    public let receivedAt: Timestamp
}
