// Live traffic from a file that is read again and again; used by the commands that watch and replay.
public import BridgecastCore
private import Foundation

/// A file that another program keeps up to date.
public struct TrafficFileFeed: TrafficFeed {
    /// The feed's name.
    public let name = "traffic-file"
    private let path: String

    /// Creates a feed.
    public init(path: String) { self.path = path }

    /// Reads the file as it is now.
    ///
    /// - Throws: ``DocumentError``.
    public func readings() async throws -> [TrafficReading] {
        try TrafficFile(URL(fileURLWithPath: path)).readings
    }
}
