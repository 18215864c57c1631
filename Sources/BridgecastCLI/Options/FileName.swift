// Names that people give to what they make, and that its files or folders bear. Used by `train` and `origins`.
import ArgumentParser

/// Checks a name: letters, digits, `-`, `_` and `.`, which does not come first, for such files are hidden.
///
/// - Parameter option: The option that it was given with, for the message.
/// - Throws: `ValidationError`.
func checkFileName(_ name: String, of option: String) throws {
    guard !name.isEmpty, !name.hasPrefix("."),
        name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
    else { throw ValidationError("\(option): letters, digits, - _ and . (not first)") }
}
