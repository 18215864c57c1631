// Reads and writes percent-encoded text (RFC 3986, 2.1); used for queries, path parameters and links.

enum PercentEncoding {
    /// The text that bytes stand for; nil if they are not encoded right or not UTF-8.
    ///
    /// - Parameter blank: What stands for a blank besides `%20`: `+` in queries.
    static func decoded(_ text: some Collection<UInt8>, blank: UInt8? = nil) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var left = text.makeIterator()
        while let byte = left.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = digit(left.next()), let low = digit(left.next()) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte == blank ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A text as a value in a query: all but letters, digits and `-._~:` encoded.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126, 58: bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%")]
                bytes += [byte >> 4, byte & 15].map { $0 < 10 ? 48 + $0 : 55 + $0 }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case let byte? where byte >= 48 && byte <= 57: byte - 48
        case let byte? where byte >= 65 && byte <= 70: byte - 55
        case let byte? where byte >= 97 && byte <= 102: byte - 87
        default: nil
        }
    }
}
