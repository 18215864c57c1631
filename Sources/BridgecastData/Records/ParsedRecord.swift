// A record that has been understood: an opening, where it stood and what was noteworthy.
package import BridgecastCore

/// A record understood, in 32 bytes: files hold millions.
package struct ParsedRecord: Sendable, Equatable {
    private let start: Timestamp
    private let end: Timestamp
    private var number: UInt32
    private let flagBits: UInt8
    private let bridge: UInt8
    private let isLine: Bool
    private let hasEnd: Bool

    init(_ location: RecordLocation, _ opening: Opening, _ flags: RecordFlagSet) {
        start = opening.start
        end = opening.end ?? opening.start
        number = UInt32(clamping: location.number)
        flagBits = flags.rawValue
        bridge = UInt8(opening.bridge.rawValue)
        isLine = location.unit == .line
        hasEnd = opening.end != nil
    }

    /// The record as it stands when so many lines come before the text it was read from.
    func moved(lines: Int) -> ParsedRecord {
        var moved = self
        moved.number += UInt32(clamping: lines)
        return moved
    }

    package var location: RecordLocation {
        RecordLocation(number: Int(number), unit: isLine ? .line : .record)
    }
    package var opening: Opening {
        Opening(bridge: BridgeIndex.all[Int(bridge)], start: start, end: hasEnd ? end : nil)
    }
    package var flags: [RecordFlag] { RecordFlagSet(rawValue: flagBits).flags }
}
