// Text from outside made fit to be shown: no control characters, no escape sequences, not endless.
// Belongs here: texts that several targets write alike; not: the words of one command.

/// A text in which characters that would move a cursor, change colours or hide others are replaced.
///
/// - Parameters:
///   - text: Anything.
///   - most: Characters kept; what is longer ends in an ellipsis.
package func printable(_ text: String, most: Int = 80) -> String {
    let shown = text.unicodeScalars.prefix(most + 1).map { scalar -> Character in
        scalar.isPrintable ? Character(scalar) : "\u{FFFD}"
    }
    return shown.count > most ? String(shown.prefix(max(0, most - 1))) + "…" : String(shown)
}

/// A printable text of which the middle is cut where it is too long: what is wrong stands at its end.
package func printableEnds(_ text: String, most: Int) -> String {
    guard text.unicodeScalars.count > most else { return printable(text, most: most) }
    let head = String(text.unicodeScalars.prefix(most * 2 / 3))
    let tail = String(text.unicodeScalars.suffix(most / 3 - 3))
    return printable(head, most: most) + " … " + printable(tail, most: most)
}

/// A text of lines in which such characters are replaced, line ends and tabs apart; nothing is cut.
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
