// A cached feed's file to a feed: sections straight into arrays, each checked.
private import BridgecastCore
private import Foundation

/// Reads the sections of a cached feed.
struct CachedFeedReader: ColumnVisitor {
    private let file: CacheFile
    private let entries: [UInt64]
    private var next = 0

    /// Reads the feed of a file, if it was made from a source.
    static func read(
        _ path: String, madeFrom source: FeedIdentity
    ) throws(CachedFeedDamage) -> TransitFeed {
        guard let file = CacheFile(reading: path) else { throw CachedFeedDamage("it is not there") }
        var reader = try CachedFeedReader(file)
        let about: CachedFeedAbout
        do {
            about = try JSONDecoder().decode(
                CachedFeedAbout.self, from: Data(try reader.section(of: UInt8.self)))
        } catch let damage as CachedFeedDamage {
            throw damage
        } catch { throw CachedFeedDamage("its small parts cannot be read") }
        guard about.source.isStill(source) else {
            throw CachedFeedDamage("\(source.path) has changed since")
        }
        var parts = try about.emptyFeed()
        try parts.visitColumns(&reader)
        guard reader.next == reader.entries.count / 4 else {
            throw CachedFeedDamage("it has more sections than a feed")
        }
        try parts.checkStructure()
        return TransitFeed(parts)
    }

    private init(_ file: CacheFile) throws(CachedFeedDamage) {
        guard let start = file.read(UInt64.self, count: FeedCacheFormat.headerBytes / 8, at: 0)
        else { throw CachedFeedDamage("it is shorter than a header") }
        let header = start.elements.map { UInt64(littleEndian: $0) }
        guard header[0] == FeedCacheFormat.magicWord else {
            throw CachedFeedDamage("it does not begin as one")
        }
        guard UInt32(truncatingIfNeeded: header[1]) == FeedCacheFormat.version else {
            throw CachedFeedDamage("another version of Bridgecast made it")
        }
        guard header[4] == XXH64.hash(Array(header[..<4])), header[2] == UInt64(file.byteCount)
        else { throw CachedFeedDamage("its header is damaged, or its end is missing") }
        let sections = Int(header[1] >> 32)
        guard sections <= FeedCacheFormat.mostSections,
            let table = file.read(
                UInt64.self, count: 4 * sections, at: FeedCacheFormat.headerBytes)
        else { throw CachedFeedDamage("its table does not fit") }
        entries = table.elements.map { UInt64(littleEndian: $0) }
        guard header[3] == XXH64.hash(entries) else {
            throw CachedFeedDamage("its table is damaged")
        }
        self.file = file
    }

    mutating func visit<Element: BitwiseCopyable>(
        _ column: inout [Element]
    ) throws(CachedFeedDamage) { column = try section(of: Element.self) }

    mutating func visit(_ texts: inout TextColumn) throws(CachedFeedDamage) {
        texts = try textColumn()
    }

    mutating func visit(_ ids: inout IdentifierTable) throws(CachedFeedDamage) {
        guard let table = IdentifierTable(try textColumn()) else {
            throw CachedFeedDamage("it has an identifier twice")
        }
        ids = table
    }

    private mutating func textColumn() throws(CachedFeedDamage) -> TextColumn {
        let bytes = try section(of: UInt8.self)
        guard let column = TextColumn(bytes: bytes, ends: try section(of: UInt32.self)) else {
            throw CachedFeedDamage("its texts do not fit together")
        }
        return column
    }

    private mutating func section<Element: BitwiseCopyable>(
        of type: Element.Type
    ) throws(CachedFeedDamage) -> [Element] {
        let number = next
        guard 4 * number + 3 < entries.count else {
            throw CachedFeedDamage("section \(number) is missing")
        }
        next += 1
        let entry = entries[4 * number..<4 * number + 4].map { Int(exactly: $0) ?? -1 }
        guard entry[0] == MemoryLayout<Element>.stride,
            let (elements, checksum) = file.read(type, count: entry[2], at: entry[1])
        else { throw CachedFeedDamage("section \(number) does not fit") }
        guard checksum == entries[4 * number + 3] else {
            throw CachedFeedDamage("section \(number) is damaged")
        }
        return elements
    }
}
