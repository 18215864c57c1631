// Small pieces of text that more than one target writes the same way.
// Belongs here: texts that several targets write alike; not: the words of one command.
private import Foundation

/// Bytes as lower-case hexadecimal, as `sha256sum` prints them.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

/// A name as it is compared: letters and digits in lower case, without accents.
package func foldedName(_ text: String) -> String {
    text.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        .filter { $0.isLetter || $0.isNumber }
}
