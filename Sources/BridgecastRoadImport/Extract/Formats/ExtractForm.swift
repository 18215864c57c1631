// Which form an extract has, told by its first bytes; whatever its name is.
// Belongs here: the forms of files and what they are packed in; not: what they hold (the folder above).

/// A form in which OpenStreetMap data are handed on.
enum ExtractForm {
    /// An answer of Overpass to `[out:json]`.
    case json
    /// The XML of OpenStreetMap's own server (.osm).
    case xml
    /// Protocol Buffers in blocks (.osm.pbf).
    case pbf

    /// The form of what is not packed as a whole.
    init(of bytes: [UInt8]) throws(RoadExtractDefect) {
        if let other = Self.marks.first(where: { bytes.starts(with: $0.bytes) })?.content {
            throw RoadExtractDefect(.other(other))
        }
        if Self.isPBF(bytes) {
            self = .pbf
            return
        }
        let start = Self.startOfText(bytes)
        guard start < bytes.count else { throw RoadExtractDefect(.empty) }
        switch bytes[start] {
        case UInt8(ascii: "{"): self = .json
        case UInt8(ascii: "<"):
            let head = String(decoding: bytes[start...].prefix(64), as: UTF8.self).lowercased()
            guard !head.hasPrefix("<!doctype html"), !head.hasPrefix("<html") else {
                throw RoadExtractDefect(.other(.webPage))
            }
            self = .xml
        case UInt8(ascii: "["): throw RoadExtractDefect(.other(.json))
        default:
            let isText = bytes.prefix(512).allSatisfy { $0 >= 32 || (9...13).contains($0) }
            throw RoadExtractDefect(.other(isText ? .text : .binary))
        }
    }

    static let gzipMark: [UInt8] = [0x1f, 0x8b]

    private static let marks: [(bytes: [UInt8], content: OtherContent)] = [
        (gzipMark, .gzipInGzip),
        (Array("BZh".utf8), .packed(as: "bzip2", by: "bunzip2")),
        ([0xfd] + Array("7zXZ".utf8), .packed(as: "xz", by: "unxz")),
        ([0x28, 0xb5, 0x2f, 0xfd], .packed(as: "Zstandard", by: "unzstd")),
        ([0x04, 0x22, 0x4d, 0x18], .packed(as: "LZ4", by: "unlz4")),
        ([0x50, 0x4b, 0x03, 0x04], .packed(as: "zip", by: "unzip")),
        ([0xff, 0xe0, 0x04], .o5m),
        (Array("SQLite format 3".utf8), .database),
    ]

    /// Four bytes of length, then a message whose first field is a type that begins with "OSM".
    private static func isPBF(_ bytes: [UInt8]) -> Bool {
        bytes.count > 9 && bytes[4] == 0x0a && bytes[5] < 64
            && bytes[6...].starts(with: Array("OSM".utf8))
    }

    /// The first byte that is neither a byte order mark nor blank.
    static func startOfText(_ bytes: [UInt8]) -> Int {
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        return bytes[start...].firstIndex { ![32, 9, 10, 13].contains($0) } ?? bytes.count
    }
}
