// A feed's columns, found by looking into it rather than by a list, so that tests of the cache notice new ones.
@testable import BridgecastTransit

/// Walks through a feed's parts.
enum FeedColumns {
    /// Paths of all parts that differ between two feeds.
    static func differences(_ one: TransitFeed, _ other: TransitFeed) -> [String] {
        differences(FeedParts(one), FeedParts(other), "feed")
    }

    /// How many sections the columns of a feed take: one an array, two a column of texts.
    static func sections(_ feed: TransitFeed) -> Int {
        Mirror(reflecting: FeedParts(feed)).children.reduce(0) { sum, child in
            let isSmall = ["name", "agencies", "zone", "info", "notices"].contains(child.label)
            return sum + (isSmall ? 0 : sections(child.value))
        }
    }

    private static func sections(_ value: Any) -> Int {
        if value is TextColumn || value is IdentifierTable { return 2 }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct else {
            return mirror.displayStyle == .collection ? 1 : 0
        }
        return mirror.children.reduce(0) { $0 + sections($1.value) }
    }

    private static func differences(_ one: Any, _ other: Any, _ path: String) -> [String] {
        // NaN stands for "none" and is equal to nothing.
        if let one = one as? [Float], let other = other as? [Float] {
            return one.map(\.bitPattern) == other.map(\.bitPattern) ? [] : [path]
        }
        if let one = one as? [Double], let other = other as? [Double] {
            return one.map(\.bitPattern) == other.map(\.bitPattern) ? [] : [path]
        }
        if let one = one as? any Equatable { return isSame(one, other) ? [] : [path] }
        let (mine, theirs) = (Mirror(reflecting: one), Mirror(reflecting: other))
        guard mine.children.count == theirs.children.count, !mine.children.isEmpty else {
            return mine.children.count == theirs.children.count ? [] : [path]
        }
        return zip(mine.children, theirs.children).flatMap {
            differences($0.value, $1.value, path + "." + ($0.label ?? "?"))
        }
    }

    private static func isSame<Value: Equatable>(_ one: Value, _ other: Any) -> Bool {
        one == other as? Value
    }
}
