// How much an extract may hold: whoever sends a file does not decide how much memory reading it takes.

/// Limits of reading an extract.
struct ReadingLimits {
    /// The largest file.
    var fileBytes = 2 << 30
    /// The most that a file may unpack to; a place in it fits into 32 bits.
    var unpackedBytes = 1 << 32 - 1
    /// What any file may unpack to, however small it is.
    var freeBytes = 64 << 20
    /// How much larger than the file the rest may be.
    ///
    /// Maps shrink to a tenth, a file of zeros to a thousandth.
    var ratio = 50
    var nodes = 50_000_000
    var ways = 10_000_000

    /// The most that a file of so many bytes may unpack to.
    func mostUnpacked(from packed: Int) -> Int {
        min(unpackedBytes, freeBytes + ratio * packed)
    }

    /// The problem of a file of so many bytes that unpacks to more.
    func unpacksTooMuch(from packed: Int) -> RoadExtractProblem {
        let most = mostUnpacked(from: packed)
        return most == unpackedBytes
            ? .unpackedTooLarge(most: most) : .packedTooTightly(bytes: packed, most: most)
    }
}
