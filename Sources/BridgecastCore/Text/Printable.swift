// Text from outside made fit to be shown: no control characters, no escape sequences, not endless.

/// A text in which characters that would move a cursor, change colours or hide others are replaced.
///
/// - Parameters:
///   - text: Anything.
///   - most: Characters kept; what is longer ends in an ellipsis.
package func printable(_ text: String, most: Int = 80) -> String {
    let shown = text.unicodeScalars.prefix(most + 1).map { scalar -> Character in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            "\u{FFFD}"
        default: Character(scalar)
        }
    }
    return shown.count > most ? String(shown.prefix(max(0, most - 1))) + "…" : String(shown)
}
