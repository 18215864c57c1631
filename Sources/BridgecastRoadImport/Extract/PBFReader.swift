internal import BridgecastCore
internal import BridgecastSupport
internal import Foundation
internal import SwiftProtobuf

/// Reads an extract in OpenStreetMap's PBF format.
///
/// The format: https://wiki.openstreetmap.org/wiki/PBF_Format.
struct PBFReader {
    private let bytes: [UInt8]
    private let limits: ReadingLimits
    /// The size of the file, which may be packed as a whole.
    private let fileBytes: Int
    private var builder: RoadExtractBuilder
    private var position = 0
    private var unpackedBytes = 0

    // The maxima of the format.
    private static let maxHeaderBytes = 64 << 10
    private static let maxBlockBytes = 32 << 20
    private static let features: Set<String> = ["OsmSchema-V0.6", "DenseNodes"]

    /// - Parameter fileBytes: The size of the file, which may be packed as a whole.
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
        self.bytes = bytes
        self.limits = limits
        self.fileBytes = fileBytes
        self.builder = builder
    }

    private mutating func blocks() throws(RoadExtractDefect) {
        var hasHead = false
        while position < bytes.count {
            let start = position
            let head = try blockHead()
            let packed = try take(
                Int(head.bytes), maxBytes: Self.maxBlockBytes, from: start,
                orThrow: RoadExtractProblem.blobTooLarge)
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
        let length = try take(
            4, maxBytes: 4, from: start, orThrow: RoadExtractProblem.blobHeaderTooLarge
        ).reduce(0) { $0 << 8 | Int($1) }
        let head = try take(
            length, maxBytes: Self.maxHeaderBytes, from: start,
            orThrow: RoadExtractProblem.blobHeaderTooLarge)
        do throws(RoadExtractProblem) {
            return try Self.decoded(MapBlockHead.self, head, "the header of a block")
        } catch {
            throw RoadExtractDefect(error, byte: start)
        }
    }

    /// The next bytes; too many for the format is another error than too many for the file.
    private mutating func take(
        _ count: Int, maxBytes: Int, from start: Int,
        orThrow tooLarge: (_ bytes: Int, _ maxBytes: Int) -> RoadExtractProblem
    ) throws(RoadExtractDefect) -> ArraySlice<UInt8> {
        guard (0...maxBytes).contains(count) else {
            throw RoadExtractDefect(tooLarge(count, maxBytes), byte: start)
        }
        guard count <= bytes.count - position else {
            throw RoadExtractDefect(.cutShort, byte: bytes.count)
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func unpacked(
        _ packed: ArraySlice<UInt8>
    ) throws(RoadExtractProblem) -> [UInt8] {
        let block = try Self.decoded(MapPackedBlock.self, packed, "a block")
        let content: [UInt8]
        switch block.content {
        case .raw(let raw):
            guard raw.count <= Self.maxBlockBytes else { throw tooLarge(raw.count) }
            content = Array(raw)
        case .zlib(let zlib):
            let stated = Int(block.unpackedBytes)
            guard (0...Self.maxBlockBytes).contains(stated) else { throw tooLarge(stated) }
            content = try Self.inflated(Array(zlib), stated: stated)
        case .lzma: throw .packedAs("LZMA")
        case .bzip2: throw .packedAs("bzip2")
        case .lz4: throw .packedAs("LZ4")
        case .zstd: throw .packedAs("Zstandard")
        case nil: throw .emptyBlob
        }
        unpackedBytes += content.count
        guard unpackedBytes <= limits.maxUnpackedBytes(from: fileBytes) else {
            throw limits.tooMuchUnpacked(from: fileBytes)
        }
        return content
    }

    private func tooLarge(_ bytes: Int) -> RoadExtractProblem {
        .blobTooLarge(bytes: bytes, maxBytes: Self.maxBlockBytes)
    }

    private static func inflated(
        _ packed: [UInt8], stated: Int
    ) throws(RoadExtractProblem) -> [UInt8] {
        let content: [UInt8]
        do throws(Unpacking.Failure) {
            content = try Unpacking.zlib(packed, maxBytes: stated)
        } catch {
            switch error {
            case .cutShort: throw .damagedPacking("a block ends too early")
            case .tooMuch: throw .damagedPacking("a block has more than the stated \(stated) bytes")
            case .damaged(let reason, _): throw .damagedPacking(reason)
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

    /// Decodes a message; unknown fields are discarded.
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

// MARK: - Elements

/// Reads a block of elements: texts are indices of a table, ids and coordinates are differences.
///
/// Nothing in a block is trusted: sums that overflow and wrong indices are refused.
struct PBFBlockReader {
    private let block: MapElementBlock
    private let texts: [String]
    private let granularity: Int64

    init(_ block: MapElementBlock) throws(RoadExtractProblem) {
        self.block = block
        var texts: [String] = []
        texts.reserveCapacity(block.texts.texts.count)
        for text in block.texts.texts {
            guard let text = String(validating: text, as: UTF8.self) else { throw .notUTF8 }
            texts.append(text)
        }
        self.texts = texts
        granularity = block.hasGranularity ? Int64(block.granularity) : 100
        guard granularity > 0 else { throw .brokenMessage("degrees in steps of \(granularity)") }
    }

    func read(into builder: inout RoadExtractBuilder) throws(RoadExtractProblem) {
        for group in block.groups {
            for node in group.nodes { try add(node, to: &builder) }
            if group.hasDense { try add(group.dense, to: &builder) }
            for way in group.ways { try add(way, to: &builder) }
            for relation in group.relations { try add(relation, to: &builder) }
        }
    }

    private func add(
        _ node: MapPlainNode, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        try builder.add(
            node: node.id, latitude: try degrees(node.latitude, offset: block.latitudeOffset),
            longitude: try degrees(node.longitude, offset: block.longitudeOffset),
            tags: try tags(node.keys, node.values))
    }

    private func add(
        _ dense: MapDenseNodes, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        let ids = dense.ids
        let latitudes = dense.latitudes
        let longitudes = dense.longitudes
        guard ids.count == latitudes.count, ids.count == longitudes.count else {
            throw .brokenMessage(
                "\(ids.count) nodes with \(latitudes.count) latitudes and \(longitudes.count) longitudes"
            )
        }
        let keysAndValues = dense.keysAndValues
        var id: Int64 = 0
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        var next = 0
        for index in ids.indices {
            id = try Self.sum(id, ids[index])
            latitude = try Self.sum(latitude, latitudes[index])
            longitude = try Self.sum(longitude, longitudes[index])
            try builder.add(
                node: id, latitude: try degrees(latitude, offset: block.latitudeOffset),
                longitude: try degrees(longitude, offset: block.longitudeOffset),
                tags: try tags(keysAndValues, &next))
        }
        guard next == keysAndValues.count else { throw .brokenMessage("tags without a node") }
    }

    private func add(
        _ way: MapPlainWay, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        try builder.add(
            way: way.id, nodes: try Self.sums(way.nodes), tags: try tags(way.keys, way.values))
    }

    private func add(
        _ relation: MapPlainRelation, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        let ids = try Self.sums(relation.members)
        guard ids.count == relation.roles.count, ids.count == relation.kinds.count else {
            throw .brokenMessage("a relation with different numbers of members, roles and kinds")
        }
        var members: [RelationMember] = []
        for index in ids.indices {
            let kind = Int(relation.kinds[index])
            guard RoadElement.Kind.allCases.indices.contains(kind) else {
                throw .brokenMessage("a relation member of unknown kind \(kind)")
            }
            members.append(
                RelationMember(
                    kind: RoadElement.Kind.allCases[kind], id: ids[index],
                    role: try text(relation.roles[index])))
        }
        try builder.add(
            relation: relation.id, members: members, tags: try tags(relation.keys, relation.values))
    }

    // MARK: - Numbers and texts

    private static func sum(_ a: Int64, _ b: Int64) throws(RoadExtractProblem) -> Int64 {
        let (sum, overflows) = a.addingReportingOverflow(b)
        guard !overflows else { throw .brokenMessage("a number over 64 bits") }
        return sum
    }

    private static func sums(_ differences: [Int64]) throws(RoadExtractProblem) -> [Int64] {
        var sums: [Int64] = []
        var last: Int64 = 0
        sums.reserveCapacity(differences.count)
        for difference in differences {
            last = try sum(last, difference)
            sums.append(last)
        }
        return sums
    }

    /// Degrees by one division of integers, so that 7 decimals give the same number as text does.
    private func degrees(_ steps: Int64, offset: Int64) throws(RoadExtractProblem) -> Double {
        let (product, overflows) = steps.multipliedReportingOverflow(by: granularity)
        guard !overflows else { throw .brokenMessage("a number over 64 bits") }
        return Double(try Self.sum(product, offset)) / 1e9
    }

    private func text(_ number: some BinaryInteger) throws(RoadExtractProblem) -> String {
        guard let index = Int(exactly: number), texts.indices.contains(index) else {
            throw .brokenMessage("text \(number) of \(texts.count)")
        }
        return texts[index]
    }

    private func tags(_ keys: [UInt32], _ values: [UInt32]) throws(RoadExtractProblem) -> RoadTags {
        guard keys.count == values.count else {
            throw .brokenMessage("\(keys.count) keys with \(values.count) values")
        }
        var tags: [RoadTags.Tag] = []
        tags.reserveCapacity(keys.count)
        for index in keys.indices {
            tags.append(RoadTags.Tag(key: try text(keys[index]), value: try text(values[index])))
        }
        return RoadTags(tags)
    }

    /// The tags of the next node of a dense list, terminated by 0; the list is empty if no node has tags.
    private func tags(
        _ keysAndValues: [Int32], _ next: inout Int
    ) throws(RoadExtractProblem) -> RoadTags {
        guard !keysAndValues.isEmpty else { return [:] }
        var tags: [RoadTags.Tag] = []
        while true {
            guard next < keysAndValues.count else {
                throw .brokenMessage("the tags of a node do not end")
            }
            let key = keysAndValues[next]
            next += 1
            guard key != 0 else { return RoadTags(tags) }
            guard next < keysAndValues.count else { throw .brokenMessage("a tag without a value") }
            tags.append(RoadTags.Tag(key: try text(key), value: try text(keysAndValues[next])))
            next += 1
        }
    }
}
