// Small pieces of text that more than one target writes the same way.
private import Foundation

/// Bytes as lower-case hexadecimal, as `sha256sum` prints them.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

/// What is wrong with a JSON document that was not decoded, by its place: `routes[3].id: is missing`.
package func jsonProblem(_ error: any Error) -> String {
    func place(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the file" : codingPathText(keys)
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
        return "\(place(context.codingPath + [key])): is missing"
    case DecodingError.typeMismatch(let type, let context):
        return "\(place(context.codingPath)): should be \(jsonWord(for: type))"
    case DecodingError.valueNotFound(_, let context):
        return "\(place(context.codingPath)): must not be null"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
        return "\(place(context.codingPath)): \(context.debugDescription)"
    default: return "not valid JSON, or cut short"
    }
}

/// What JSON calls a type.
private func jsonWord(for type: Any.Type) -> String {
    switch type {
    case is any BinaryFloatingPoint.Type, is any BinaryInteger.Type: "a number"
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
    }
}

/// Where in a document a decoder was, such as `routes[3].steps[1].minutes`.
package func codingPathText(_ keys: [any CodingKey]) -> String {
    let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return path.hasPrefix(".") ? String(path.dropFirst()) : path
}

/// A name as it is compared: letters and digits in lower case, without accents.
package func foldedName(_ text: String) -> String {
    text.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        .filter { $0.isLetter || $0.isNumber }
}
