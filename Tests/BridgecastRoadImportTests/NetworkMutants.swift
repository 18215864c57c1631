// Network files with mistakes in them and a digest that is right, so that the checks behind it are reached.
import BridgecastDigest
@testable import BridgecastRoads
import BridgecastTestSupport
import Foundation

/// Makes mutants of a network file.
struct NetworkMutants {
    let original: [UInt8]

    /// Numbers that readers stumble over.
    private static let numbers: [UInt32] = [
        0, 1, 2, 255, 256, 65_535, 65_536, 1 << 31, (1 << 31) - 1, .max, .max - 1, 0x7fc0_0000,
        0x7f80_0000, 0xff80_0000, 0x3f80_0000,
    ]

    private var sectionCount: Int { Int(word(12, of: original)) }

    /// A mutant with one to three changes.
    func mutant(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<max(1, Int.random(in: -2...3, using: &random)) {
            change(&bytes, &random)
        }
        return Self.mended(bytes)
    }

    /// The bytes with length and digest made right.
    static func mended(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard bytes.count >= RoadFileFormat.headerBytes else { return bytes }
        for place in 0..<8 {
            bytes[16 + place] = UInt8(truncatingIfNeeded: bytes.count >> (8 * place))
        }
        var digest = SHA256()
        digest.update(Array(bytes[RoadFileFormat.headerBytes...]).span)
        bytes.replaceSubrange(24..<56, with: digest.finish())
        return bytes
    }

    /// Where a section lies.
    func section(_ number: UInt32) -> Range<Int>? {
        for place in 0..<sectionCount where word(entry(place), of: original) == number {
            return range(place)
        }
        return nil
    }

    private func entry(_ place: Int) -> Int {
        RoadFileFormat.headerBytes + place * RoadFileFormat.entryBytes
    }

    private func range(_ place: Int) -> Range<Int> {
        let start = Int(word(entry(place) + 8, of: original))
        let size =
            Int(word(entry(place) + 16, of: original)) * Int(word(entry(place) + 4, of: original))
        return start..<start + size
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0..<sectionCount, using: &random)
        let range = range(place).clamped(to: 0..<bytes.count)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            // The table itself.
            let field = entry(place) + one(of: [0, 4, 8, 16], &random)
            let known = word(field, of: bytes)
            let next = [
                known &+ 1, known &- 1, known / 2, one(of: Self.numbers, &random),
            ]
            put(one(of: next, &random), field, &bytes)
        case 1: bytes.removeLast(Int.random(in: 0...min(200, bytes.count), using: &random))
        case 2 where range.count >= 4:
            let at = Int.random(in: range, using: &random)
            bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 3 where range.count >= 4:
            bytes[Int.random(in: range, using: &random)] = .random(in: 0...255, using: &random)
        case 4..<8 where range.count >= 8:
            // What stands elsewhere in the section.
            let words = range.count / 4
            let from = range.lowerBound + 4 * Int.random(in: 0..<words, using: &random)
            let to = range.lowerBound + 4 * Int.random(in: 0..<words, using: &random)
            put(word(from, of: bytes), to, &bytes)
        case 8..<14 where range.count >= 4:
            let at = range.lowerBound + 4 * Int.random(in: 0..<range.count / 4, using: &random)
            let small = UInt32.random(in: 0..<200, using: &random)
            put(
                Bool.random(using: &random) ? small : word(at, of: bytes) &+ small &- 100, at,
                &bytes)
        default:
            guard range.count >= 4 else { return }
            let at = range.lowerBound + 4 * Int.random(in: 0..<range.count / 4, using: &random)
            put(one(of: Self.numbers, &random), at, &bytes)
        }
    }

    private func word(_ at: Int, of bytes: [UInt8]) -> UInt32 {
        guard at + 4 <= bytes.count else { return 0 }
        return (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    private func put(_ value: UInt32, _ at: Int, _ bytes: inout [UInt8]) {
        guard at + 4 <= bytes.count else { return }
        for place in 0..<4 { bytes[at + place] = UInt8(truncatingIfNeeded: value >> (8 * place)) }
    }

    /// One of some numbers, of which there is at least one.
    private func one<Number>(
        of numbers: [Number], _ random: inout SeededGenerator
    ) -> Number {
        numbers[Int.random(in: 0..<numbers.count, using: &random)]
    }
}
