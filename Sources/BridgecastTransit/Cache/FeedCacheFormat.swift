// The form of a cached feed's file: what CachedFeedWriter writes and CachedFeedReader reads.
internal import BridgecastCore

/// The form of a cached feed.
///
/// Numbers are little-endian. A header of ``headerBytes`` bytes: ``magic``, version (UInt32), sections (UInt32), bytes of
/// the file (UInt64), checksum of the table (UInt64), checksum of the header up to here (UInt64). Then the table of
/// sections, ``entryBytes`` bytes each: bytes an element (UInt64), first byte (UInt64), elements (UInt64), checksum
/// (UInt64). Then the sections in the order of ``FeedParts/visitColumns(_:)``, before them ``CachedFeedAbout`` as JSON.
enum FeedCacheFormat {
    /// Its line ends show whether a transfer has changed them.
    static let magic = "BCFEED\r\n"
    /// ``magic`` as the header's first number.
    static let magicWord = magic.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    /// Raised whenever the form changes, or what the reader makes of a feed.
    static let version: UInt32 = 2
    static let headerBytes = 40
    static let entryBytes = 32
    /// Sections begin at multiples of this.
    static let alignment = 64
    /// More sections than any version has.
    static let mostSections = 200
    /// Checksums are made of blocks of so many bytes, so that two processors can share a section.
    static let blockBytes = 1 << 20
    /// What the names of cached feeds end with.
    static let suffix = ".feed"
}

/// Why a cached feed was not used; for people who ask, never thrown out of the cache.
struct CachedFeedDamage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
