// How deep JSON nests, told before anything reads it: who reads by calling itself needs a place on the stack for each
// level. Used by the service for what clients send, and by ForecastRows.
package import BridgecastCore

/// The nesting of JSON text.
package enum JSONDepth {
    /// Refuses a text that nests too deep; whether it is JSON at all is not looked at.
    ///
    /// - Parameter most: Levels of objects and lists that are allowed, 0 or more.
    /// - Throws: ``DocumentProblem`` with the byte at which it gets too deep.
    package static func check(_ bytes: Span<UInt8>, most: Int) throws(DocumentProblem) {
        var (depth, index) = (0, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= most else {
                    throw DocumentProblem(
                        "byte \(index)", "objects and lists nest more than \(most) deep")
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
    }

    /// Refuses a text that nests too deep.
    ///
    /// - Parameter most: Levels of objects and lists that are allowed, 0 or more.
    /// - Throws: ``DocumentProblem`` with the byte at which it gets too deep.
    package static func check(_ bytes: [UInt8], most: Int) throws(DocumentProblem) {
        try check(bytes.span, most: most)
    }
}
