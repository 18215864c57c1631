// Fields that nobody reads: in our own JSON forms a name spelled wrong would say nothing, unnoticed.
import BridgecastCore

/// What is wrong with an object that has a field nobody reads, the first by name; nil if there is none.
func unknownField(of object: [String: Any], known: [String]) -> String? {
    object.keys.filter { !known.contains($0) }.min().map {
        "unknown field '\(printable($0, most: 40))' (known: \(known.joined(separator: ", ")))"
    }
}
