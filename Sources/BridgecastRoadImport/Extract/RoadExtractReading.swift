// Extracts from files and bytes: unpacked, recognised by their content, read within limits.
internal import BridgecastSupport
public import Foundation

extension RoadExtract {
    /// Reads a file: Overpass JSON or OpenStreetMap PBF, each also packed by gzip.
    ///
    /// The format is recognised by the content. All of it is in memory while it is read.
    ///
    /// - Throws: ``RoadExtractError``.
    public static func read(_ url: URL) throws(RoadExtractError) -> RoadExtract {
        do throws(RoadExtractDefect) {
            let limits = ReadingLimits()
            let bytes = try RoadExtractDefect.bytes(of: url, maxBytes: limits.fileBytes)
            return try RoadExtract(bytes, url.lastPathComponent, limits)
        } catch {
            throw RoadExtractError(error, file: url.relativePath)
        }
    }

    /// Reads an extract that is in memory, as ``read(_:)`` does.
    ///
    /// - Parameter name: Name for messages.
    /// - Throws: ``RoadExtractError``.
    public init(bytes: [UInt8], name: String) throws(RoadExtractError) {
        try self.init(bytes: bytes, name: name, limits: ReadingLimits())
    }

    /// Reads an extract that is in memory, within limits.
    init(bytes: [UInt8], name: String, limits: ReadingLimits) throws(RoadExtractError) {
        do throws(RoadExtractDefect) {
            try self.init(bytes, name, limits)
        } catch {
            throw RoadExtractError(error, file: name)
        }
    }

    private init(
        _ bytes: [UInt8], _ name: String, _ limits: ReadingLimits
    ) throws(RoadExtractDefect) {
        guard bytes.count <= limits.fileBytes else {
            throw RoadExtractDefect(.tooLarge(bytes: bytes.count, maxBytes: limits.fileBytes))
        }
        guard !bytes.isEmpty else { throw RoadExtractDefect(.empty) }
        let content = try Self.unpacked(bytes, limits)
        let builder =
            switch try ExtractFormat(of: content) {
            case .json: try OverpassReader.read(content, limits)
            case .pbf: try PBFReader.read(content, fileBytes: bytes.count, limits)
            }
        self.init(builder, source: name)
    }

    /// The unpacked content of a file, if it is packed by gzip, or else its bytes.
    private static func unpacked(
        _ bytes: [UInt8], _ limits: ReadingLimits
    ) throws(RoadExtractDefect) -> [UInt8] {
        guard bytes.starts(with: ExtractFormat.gzipMark) else { return bytes }
        let maxBytes = limits.maxUnpackedBytes(from: bytes.count)
        do throws(Unpacking.Failure) {
            return try Unpacking.gzip(bytes, maxBytes: maxBytes)
        } catch {
            switch error {
            case .cutShort: throw RoadExtractDefect(.cutShort, byte: bytes.count)
            case .tooMuch: throw RoadExtractDefect(limits.tooMuchUnpacked(from: bytes.count))
            case .damaged(let reason, let offset):
                throw RoadExtractDefect(.damagedPacking(reason), byte: offset)
            }
        }
    }
}

extension RoadExtractError {
    init(_ defect: RoadExtractDefect, file: String) {
        self.file = file
        location = defect.location
        problem = defect.problem
    }
}

// MARK: - Formats

enum ExtractFormat {
    /// A reply of Overpass to `[out:json]`.
    case json
    /// Blocks of Protocol Buffers (.osm.pbf).
    case pbf

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
        case UInt8(ascii: "<"): throw RoadExtractDefect(.other(Self.markup(bytes[start...])))
        case UInt8(ascii: "["): throw RoadExtractDefect(.other(.json))
        default:
            let isText = bytes.prefix(512).allSatisfy { $0 >= 32 || (9...13).contains($0) }
            throw RoadExtractDefect(.other(isText ? .text : .binary))
        }
    }

    static let gzipMark: [UInt8] = [0x1f, 0x8b]

    /// A web page, or XML by the name of its first element.
    private static func markup(_ bytes: ArraySlice<UInt8>) -> OtherContent {
        let head = String(decoding: bytes.prefix(1 << 12), as: UTF8.self)
        if ["<!doctype html", "<html"].contains(where: head.lowercased().hasPrefix) {
            return .webPage
        }
        let root = head.split(separator: "<").first { $0.first?.isLetter == true } ?? ""
        return .xml(root: String(root.prefix { !$0.isWhitespace && $0 != "/" && $0 != ">" }))
    }

    private static let marks: [(bytes: [UInt8], content: OtherContent)] = [
        (gzipMark, .gzipInGzip), (Array("BZh".utf8), .packed(as: "bzip2", by: "bunzip2")),
        ([0xfd] + Array("7zXZ".utf8), .packed(as: "xz", by: "unxz")),
        ([0x28, 0xb5, 0x2f, 0xfd], .packed(as: "Zstandard", by: "unzstd")),
        ([0x04, 0x22, 0x4d, 0x18], .packed(as: "LZ4", by: "unlz4")),
        ([0x50, 0x4b, 0x03, 0x04], .packed(as: "zip", by: "unzip")), ([0xff, 0xe0, 0x04], .o5m),
        (Array("SQLite format 3".utf8), .database),
    ]

    /// Whether there are four bytes of length and a message whose first field is a type that begins with "OSM".
    private static func isPBF(_ bytes: [UInt8]) -> Bool {
        bytes.count > 9 && bytes[4] == 0x0a && bytes[5] < 64
            && bytes[6...].starts(with: Array("OSM".utf8))
    }

    /// The index of the first byte after a byte order mark and blanks.
    static func startOfText(_ bytes: [UInt8]) -> Int {
        let start = ByteOrderMark.utf8Length(bytes)
        return bytes[start...].firstIndex { ![32, 9, 10, 13].contains($0) } ?? bytes.count
    }
}

// MARK: - Limits

/// Limits of reading an extract: a crafted file must not exhaust the memory.
struct ReadingLimits {
    var fileBytes = 2 << 30
    /// The maximum that a file may unpack to; an offset in it fits into 32 bits.
    var unpackedBytes = 1 << 32 - 1
    /// What any file may unpack to, however small.
    var freeBytes = 64 << 20
    /// Unpacked over packed size: maps are packed to a tenth, a file of zeros to a thousandth.
    var ratio = 50
    var nodes = 50_000_000
    var ways = 10_000_000

    /// The maximum that a file of `packed` bytes may unpack to.
    func maxUnpackedBytes(from packed: Int) -> Int {
        min(unpackedBytes, freeBytes + ratio * packed)
    }

    /// The problem of a file of `packed` bytes that unpacks to more.
    func tooMuchUnpacked(from packed: Int) -> RoadExtractProblem {
        let maxBytes = maxUnpackedBytes(from: packed)
        return maxBytes == unpackedBytes
            ? .unpackedTooLarge(maxBytes: maxBytes)
            : .packedTooTightly(bytes: packed, maxBytes: maxBytes)
    }
}
