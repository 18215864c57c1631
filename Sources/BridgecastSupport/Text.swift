// Text for people: made printable, measured in columns of a terminal, folded for comparison.
private import Foundation

/// A text in which characters that would move a cursor, change colours or hide others are replaced.
///
/// - Parameter maxLength: Characters kept; a longer text ends in an ellipsis.
package func printable(_ text: String, maxLength: Int = 80) -> String {
    let shown = text.unicodeScalars.prefix(maxLength + 1).map { scalar -> Character in
        scalar.isPrintable ? Character(scalar) : "\u{FFFD}"
    }
    guard shown.count > maxLength else { return String(shown) }
    return String(shown.prefix(max(0, maxLength - 1))) + "…"
}

/// A printable text whose middle is cut where it is too long: what is wrong is at its end.
package func printableEnds(_ text: String, maxLength: Int) -> String {
    guard text.unicodeScalars.count > maxLength else {
        return printable(text, maxLength: maxLength)
    }
    let head = String(text.unicodeScalars.prefix(maxLength * 2 / 3))
    let tail = String(text.unicodeScalars.suffix(maxLength / 3 - 3))
    return printable(head, maxLength: maxLength) + " … " + printable(tail, maxLength: maxLength)
}

/// A text of several lines in which such characters are replaced, except line ends and tabs; nothing is cut.
package func printableLines(_ text: String) -> String {
    // Nearly all text is plain, and exports are long.
    if text.utf8.allSatisfy({ ($0 >= 32 && $0 < 127) || $0 == 10 || $0 == 9 }) { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        let isKept = scalar == "\n" || scalar == "\t" || scalar.isPrintable
        shown.append(isKept ? scalar : "\u{FFFD}")
    }
    return String(shown)
}

/// A text as a field of CSV: in quotes if it has a comma, a quote or a line end (RFC 4180).
package func csvField(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { "\",\n\r".unicodeScalars.contains($0) }) else {
        return text
    }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
}

/// A number as text, a whole one without a decimal point.
package func plainNumber(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
}

extension Unicode.Scalar {
    /// Whether a character shows as itself and does nothing else.
    package var isPrintable: Bool {
        // Letters by category, blank by look: the fillers of Hangul.
        if [0x115F, 0x1160, 0x3164, 0xFFA0].contains(value) { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }
}

extension StringProtocol {
    /// Columns of a terminal that it takes; O(length).
    package var terminalColumns: Int {
        // Nearly all text is plain.
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.terminalColumns }
    }

    /// Its longest prefix that takes no more columns than a maximum.
    package func prefix(terminalColumns maxColumns: Int) -> String {
        var shown = ""
        var left = maxColumns
        for character in self {
            left -= character.terminalColumns
            if left < 0 { break }
            shown.append(character)
        }
        return shown
    }
}

extension Character {
    /// 0 for a mark on its own, 2 for a wide character, else 1.
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
            // The hexagrams in between are narrow.
            !(0x4DC0...0x4DFF).contains(value)
        default: false
        }
    }
}

/// A name in the form in which it is compared: letters and digits in lower case, without accents.
package func foldedName(_ text: String) -> String {
    text.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        .filter { $0.isLetter || $0.isNumber }
}
