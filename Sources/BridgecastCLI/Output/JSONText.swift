// Values as JSON, as every command prints them.
import BridgecastCore
package import Foundation

/// A value as JSON with sorted keys, in snake_case unless they are to stay as they are.
///
/// - Parameter isLine: All on one line, for streams of documents.
package func json(
    _ value: some Encodable,
    keys: JSONEncoder.KeyEncodingStrategy = .convertToSnakeCase, isLine: Bool = false
) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if !isLine { encoder.outputFormatting.insert(.prettyPrinted) }
    return escapingInvisible(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// JSON in which characters that a terminal would not show are escaped; they stand in texts only, and the encoder
/// escapes no more of them than RFC 8259 asks for.
private func escapingInvisible(_ json: String) -> String {
    if json.unicodeScalars.allSatisfy({ $0.isASCII && $0 != "\u{7F}" || $0.isPrintable }) {
        return json
    }
    var text = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
        if scalar == "\n" || scalar.isPrintable {
            text.append(scalar)
        } else {
            for unit in String(scalar).utf16 {
                text.append(contentsOf: String(format: "\\u%04x", Int(unit)).unicodeScalars)
            }
        }
    }
    return String(text)
}
