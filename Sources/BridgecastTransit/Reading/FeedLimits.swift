// How much a feed may hold: whoever sends a file does not decide how much memory reading it takes.

/// Limits of reading a feed.
struct FeedLimits {
    /// The largest zip file.
    var fileBytes = 2 << 30
    /// The most that what is read of a feed may unpack to; a place in a column of texts fits into 32 bits.
    var unpackedBytes = 1 << 32 - 1
    /// What any zip file may unpack to, however small it is.
    var freeBytes = 64 << 20
    /// How much larger than the zip file the rest may be.
    ///
    /// Timetables shrink to a tenth, a file of zeros to a thousandth.
    var ratio = 50
    /// Files in a zip file or folder.
    var files = 10_000
    /// Rows of stop times or shapes; a row number fits into 32 bits, and a stop time takes 30 bytes.
    var rows = 100_000_000
    /// Rows of any other table; a stop takes 80 bytes, however short its row is.
    var otherRows = 50_000_000

    /// The most that a zip file of so many bytes may unpack to.
    func mostUnpacked(from packed: Int) -> Int {
        min(unpackedBytes, freeBytes + ratio * packed)
    }
}
