// Whole lines taken out of a text; made by TextWindow, read by another one and digested by PartwiseReading.

/// A part of a text that ends with a line feed.
struct TextPart {
    /// All bytes that were at hand, those before the part included.
    var bytes: [UInt8]
    /// Where the part begins.
    let start: Int
    /// How many of the bytes were digested before.
    let digested: Int
}
