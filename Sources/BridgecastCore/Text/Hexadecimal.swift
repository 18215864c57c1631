// Bytes as hexadecimal digits.
private import Foundation

/// Bytes as lower-case hexadecimal, as `sha256sum` prints them.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
