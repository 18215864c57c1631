// Random changes to inputs of fuzz tests.

/// A copy with a few random changes: bits flipped, bytes replaced, parts cut, repeated or truncated, and words inserted.
///
/// - Parameters:
///   - edits: The number of changes.
///   - words: Bytes with a meaning in the format, which are inserted.
package func mutated(
    _ original: [UInt8], edits: ClosedRange<Int> = 0...4, words: [[UInt8]] = [],
    _ random: inout SeededGenerator
) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: edits, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...32, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0..<3 where start < bytes.count:
            bytes[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 3: bytes.removeSubrange(start..<end)
        case 4: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 5:
            bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: start)
        case 6 where Bool.random(using: &random): bytes = Array(bytes.prefix(start))
        case 7:
            let part = bytes[start..<end]
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                bytes.insert(contentsOf: part, at: start)
            }
        default:
            if start < bytes.count { bytes[start] = UInt8.random(in: 0...255, using: &random) }
        }
    }
    return bytes
}
