// Reads the blocks of a .osm.pbf file: each a head, then what it holds, packed on its own.
internal import BridgecastCore
internal import SwiftProtobuf
private import BridgecastUnpacking

/// Reads an extract in OpenStreetMap's PBF form.
///
/// The form: https://wiki.openstreetmap.org/wiki/PBF_Format.
struct PBFReader {
    private let bytes: [UInt8]
    private let limits: ReadingLimits
    /// The size of the file, which may be packed once more.
    private let fileBytes: Int
    private var builder: RoadExtractBuilder
    private var position = 0
    private var unpackedBytes = 0

    /// The most that the form allows.
    static let mostHeadBytes = 64 << 10
    static let mostBlockBytes = 32 << 20
    private static let features: Set<String> = ["OsmSchema-V0.6", "DenseNodes"]

    /// Reads a file.
    ///
    /// - Parameter fileBytes: The file's size where it is packed as a whole.
    static func read(
        _ bytes: [UInt8], fileBytes: Int, _ limits: ReadingLimits
    ) throws(RoadExtractDefect) -> RoadExtractBuilder {
        var reader = PBFReader(
            bytes: bytes, limits: limits, fileBytes: fileBytes, builder: RoadExtractBuilder(limits))
        try reader.blocks()
        return reader.builder
    }

    private init(
        bytes: [UInt8], limits: ReadingLimits, fileBytes: Int, builder: RoadExtractBuilder
    ) {
        (self.bytes, self.limits, self.fileBytes) = (bytes, limits, fileBytes)
        self.builder = builder
    }

    private mutating func blocks() throws(RoadExtractDefect) {
        var hasHead = false
        while position < bytes.count {
            let start = position
            let head = try blockHead()
            let packed = try take(
                Int(head.bytes), most: Self.mostBlockBytes, from: start,
                RoadExtractProblem.blobTooLarge)
            do throws(RoadExtractProblem) {
                switch head.type {
                case "OSMHeader":
                    try readHead(try unpacked(packed))
                    hasHead = true
                case "OSMData":
                    guard hasHead else { throw .headerMissing }
                    try readElements(try unpacked(packed), at: start)
                default: break
                }
            } catch {
                throw RoadExtractDefect(error, byte: start)
            }
        }
    }

    private mutating func blockHead() throws(RoadExtractDefect) -> MapBlockHead {
        let start = position
        let length = try take(4, most: 4, from: start, RoadExtractProblem.blobHeaderTooLarge)
            .reduce(0) { $0 << 8 | Int($1) }
        let head = try take(
            length, most: Self.mostHeadBytes, from: start, RoadExtractProblem.blobHeaderTooLarge)
        do throws(RoadExtractProblem) {
            return try Self.decoded(MapBlockHead.self, head, "the head of a block")
        } catch {
            throw RoadExtractDefect(error, byte: start)
        }
    }

    /// The next bytes; what is too large for the form is told apart from what the file does not hold.
    private mutating func take(
        _ count: Int, most: Int, from start: Int,
        _ tooLarge: (_ bytes: Int, _ most: Int) -> RoadExtractProblem
    ) throws(RoadExtractDefect) -> ArraySlice<UInt8> {
        guard (0...most).contains(count) else {
            throw RoadExtractDefect(tooLarge(count, most), byte: start)
        }
        guard count <= bytes.count - position else {
            throw RoadExtractDefect(.cutShort, byte: bytes.count)
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// What a block holds.
    private mutating func unpacked(
        _ packed: ArraySlice<UInt8>
    ) throws(RoadExtractProblem) -> [UInt8] {
        let block = try Self.decoded(MapPackedBlock.self, packed, "a block")
        let content: [UInt8]
        switch block.content {
        case .raw(let raw):
            guard raw.count <= Self.mostBlockBytes else { throw tooLarge(raw.count) }
            content = Array(raw)
        case .zlib(let zlib):
            let stated = Int(block.unpackedBytes)
            guard (0...Self.mostBlockBytes).contains(stated) else { throw tooLarge(stated) }
            content = try Self.inflated(Array(zlib), stated: stated)
        case .lzma: throw .packedAs("LZMA")
        case .bzip2: throw .packedAs("bzip2")
        case .lz4: throw .packedAs("LZ4")
        case .zstd: throw .packedAs("Zstandard")
        case nil: throw .emptyBlob
        }
        unpackedBytes += content.count
        guard unpackedBytes <= limits.mostUnpacked(from: fileBytes) else {
            throw limits.unpacksTooMuch(from: fileBytes)
        }
        return content
    }

    private func tooLarge(_ bytes: Int) -> RoadExtractProblem {
        .blobTooLarge(bytes: bytes, most: Self.mostBlockBytes)
    }

    private static func inflated(
        _ packed: [UInt8], stated: Int
    ) throws(RoadExtractProblem) -> [UInt8] {
        let content: [UInt8]
        do throws(Unpacking.Stop) {
            content = try Unpacking.zlib(packed, most: stated)
        } catch {
            switch error {
            case .cutShort: throw .damagedPacking("a block's data end too early")
            case .tooMuch:
                throw .damagedPacking("a block holds more than the \(stated) bytes it states")
            case .damaged(let words, _): throw .damagedPacking(words)
            }
        }
        guard content.count == stated else {
            throw .blobSize(stated: stated, unpacked: content.count)
        }
        return content
    }

    private mutating func readHead(_ content: [UInt8]) throws(RoadExtractProblem) {
        let head = try Self.decoded(MapFileHead.self, content, "the header")
        if let feature = head.requiredFeatures.first(where: { !Self.features.contains($0) }) {
            throw .needsFeature(feature)
        }
        if head.replicationSeconds > 0 {
            builder.timestamp = Timestamp(secondsSinceEpoch: head.replicationSeconds)
        }
    }

    private mutating func readElements(
        _ content: [UInt8], at start: Int
    ) throws(RoadExtractProblem) {
        let block = try Self.decoded(MapElementBlock.self, content, "a block of elements")
        try PBFBlockReader(block).read(into: &builder)
    }

    /// A message; the fields that are not known are left out.
    private static func decoded<Content: Message>(
        _ type: Content.Type, _ bytes: some Collection<UInt8>, _ what: String
    ) throws(RoadExtractProblem) -> Content {
        var options = BinaryDecodingOptions()
        options.discardUnknownFields = true
        do {
            return try Content(serializedBytes: Array(bytes), options: options)
        } catch {
            throw .brokenMessage("\(what) cannot be decoded")
        }
    }
}
