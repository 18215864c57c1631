// What is asked of a feed and what it answers; for FeedClient and those who use it.
import BridgecastCore
package import BridgecastData
private import Foundation

/// What to ask of a feed.
public struct FeedRequest: Sendable {
    /// The feed's name in metrics and logs.
    public var feed: String
    /// The address.
    public var url: String
    /// Header fields beyond the usual.
    public var headers: [String: String] = [:]
    /// An ETag: the feed need not send what we have.
    public var etag: String?
    /// The answer must be complete after so many seconds.
    public var timeoutSeconds = 10.0
    /// The answer must not be longer, unpacked.
    public var mostBytes = 1 << 20
    /// Finds a server's own words in the body of an answer that is no success; nil where its status says it all.
    var refusal: (@Sendable ([UInt8]) -> String?)?

    /// Creates a request.
    public init(feed: String, url: String) { (self.feed, self.url) = (feed, url) }

    /// Checks that an address can be asked at all.
    ///
    /// - Throws: ``FeedError/address(url:)``.
    package static func check(_ address: String) throws(FeedError) {
        let url = URL(string: address)
        guard let url, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false, url.port.map({ (1...65_535).contains($0) }) ?? true
        else { throw .address(url: address) }
    }

    /// The address without its query and user, which may hold keys.
    var publicURL: String { FeedAddress.shown(url) }
}
