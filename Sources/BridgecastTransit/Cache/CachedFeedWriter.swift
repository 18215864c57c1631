// A feed to a cached feed's file: sections one after another, then the table that names them.
private import BridgecastCore
private import Foundation

/// Writes the sections of a cached feed.
struct CachedFeedWriter: ColumnVisitor {
    private let file: CacheFile
    private let path: String
    private var entries: [UInt64] = []
    private var end: Int

    /// Writes a feed into a new file.
    ///
    /// - Returns: Bytes of the file.
    static func write(
        _ feed: TransitFeed, from source: FeedIdentity, to path: String
    ) throws(CachedFeedDamage) -> Int {
        var parts = FeedParts(feed)
        guard var writer = CachedFeedWriter(path) else {
            throw CachedFeedDamage("\(path) cannot be made")
        }
        let about: Data
        do {
            about = try JSONEncoder().encode(CachedFeedAbout(parts, source: source))
        } catch { throw CachedFeedDamage("its small parts cannot be written: \(error)") }
        try writer.add(Array(about))
        try parts.visitColumns(&writer)
        return try writer.finish()
    }

    private init?(_ path: String) {
        guard let file = CacheFile(writing: path) else { return nil }
        (self.file, self.path) = (file, path)
        let table = FeedCacheFormat.mostSections * FeedCacheFormat.entryBytes
        end = FeedCacheFormat.headerBytes + table
    }

    mutating func visit<Element: BitwiseCopyable>(
        _ column: inout [Element]
    ) throws(CachedFeedDamage) { try add(column) }

    mutating func visit(_ texts: inout TextColumn) throws(CachedFeedDamage) {
        try add(texts.bytes)
        try add(texts.ends)
    }

    mutating func visit(_ ids: inout IdentifierTable) throws(CachedFeedDamage) {
        try add(ids.texts.bytes)
        try add(ids.texts.ends)
    }

    private mutating func add<Element: BitwiseCopyable>(
        _ elements: [Element]
    ) throws(CachedFeedDamage) {
        let alignment = FeedCacheFormat.alignment
        // What is empty ends where it begins, so that the file ends with its last byte.
        let offset =
            elements.isEmpty ? end : (end + alignment - 1) / alignment * alignment
        let stride = MemoryLayout<Element>.stride
        guard file.write(elements, at: offset) else {
            throw CachedFeedDamage("\(path) cannot be written: is the disk full?")
        }
        entries += [
            UInt64(stride), UInt64(offset), UInt64(elements.count), CacheFile.checksum(elements),
        ]
        end = offset + stride * elements.count
    }

    private func finish() throws(CachedFeedDamage) -> Int {
        let sections = entries.count / 4
        precondition(sections <= FeedCacheFormat.mostSections, "the table has room for them")
        var header = [
            FeedCacheFormat.magicWord, UInt64(FeedCacheFormat.version) | UInt64(sections) << 32,
            UInt64(end), XXH64.hash(entries),
        ]
        header.append(XXH64.hash(header))
        guard file.write((header + entries).map(\.littleEndian), at: 0) else {
            throw CachedFeedDamage("\(path) cannot be written: is the disk full?")
        }
        return end
    }
}
