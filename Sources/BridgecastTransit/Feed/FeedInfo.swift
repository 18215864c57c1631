// Who publishes a feed and for when: feed_info.txt.
public import BridgecastCore

/// feed_info.txt.
public struct FeedInfo: Sendable, Hashable {
    /// Who publishes the feed.
    public var publisher: String
    /// Its language, such as `en`.
    public var language: String
    /// Its version; empty if it has none.
    public var version: String
    /// The days that it is meant for, as far as it says.
    public var firstDay, lastDay: CivilDate?

    package init(
        publisher: String, language: String, version: String, firstDay: CivilDate?,
        lastDay: CivilDate?
    ) {
        (self.publisher, self.language, self.version) = (publisher, language, version)
        (self.firstDay, self.lastDay) = (firstDay, lastDay)
    }
}
