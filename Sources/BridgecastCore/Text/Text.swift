// Small pieces of text that more than one target writes the same way.

/// Bytes as lower-case hexadecimal, as `sha256sum` prints them.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

/// Where in a document a decoder was, such as `routes[3].steps[1].minutes`.
package func codingPathText(_ keys: [any CodingKey]) -> String {
    let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return path.hasPrefix(".") ? String(path.dropFirst()) : path
}
