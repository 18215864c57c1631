// How many columns of a terminal a text takes: letters of East Asia and most pictures take two; for tables and boards.

extension StringProtocol {
    /// Columns of a terminal that it takes; O(length).
    package var terminalColumns: Int {
        // Nearly all text is plain.
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.terminalColumns }
    }

    /// Its beginning that takes at most so many columns.
    package func prefix(terminalColumns most: Int) -> String {
        var (shown, left) = ("", most)
        for character in self {
            left -= character.terminalColumns
            if left < 0 { break }
            shown.append(character)
        }
        return shown
    }
}

extension Character {
    /// 0 for a mark on its own, 2 for what is wide, else 1.
    fileprivate var terminalColumns: Int {
        guard let first = unicodeScalars.first, first.value >= 0x300 else { return 1 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        // A picture by itself, or a sign that variation selector 16 makes one.
        let isPicture =
            first.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xFE0F }
        return isPicture || first.isWide ? 2 : 1
    }
}

extension Unicode.Scalar {
    /// Whether it is wide or full-width (UAX #11), by blocks.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x20000...0x3FFFD:
            // Hexagrams lie between and are narrow.
            !(0x4DC0...0x4DFF).contains(value)
        default: false
        }
    }
}
