// A town of five nodes, three ways and two turn restrictions as JSON and as PBF, with helpers
// that pack bytes and blocks.
import CZlib
import Foundation
import SwiftProtobuf
@testable import BridgecastRoadImport

/// The same small extract as JSON and PBF.
enum Town {
    static let json = Array(
        #"""
        {"version":0.6,"osm3s":{"timestamp_osm_base":"2026-07-18T20:27:45Z"},"elements":[
        {"type":"node","id":1,"lat":47.6,"lon":-122.33},
        {"type":"node","id":2,"lat":47.6512345,"lon":-122.3234567,"tags":{"highway":"traffic_signals"}},
        {"type":"node","id":-3,"lat":-0.0000001,"lon":180},
        {"type":"node","id":8766312107,"lat":47.61,"lon":-122.34,"tags":{"source":"survey"}},
        {"type":"node","id":5,"lat":47.62,"lon":-122.35,"tags":{"name":"Caf\u00e9 \"Nord\"","place":"square"}},
        {"type":"way","id":10,"nodes":[1,2,-3],"tags":{"highway":"residential","name":"A street of more than fifteen bytes"}},
        {"type":"way","id":11,"nodes":[2,8766312107,99],"tags":{"highway":"primary","oneway":"yes"}},
        {"type":"way","id":12},
        {"type":"relation","id":20,"members":[{"type":"way","ref":10,"role":"from"},{"type":"node","ref":2,"role":"via"},
        {"type":"way","ref":11,"role":"to"}],"tags":{"restriction":"no_left_turn","type":"restriction"}},
        {"type":"relation","id":21,"members":[{"type":"way","ref":10,"role":"from"},{"type":"way","ref":12,"role":"via"},
        {"type":"way","ref":11,"role":"to"}],"tags":{"restriction":"no_u_turn","type":"restriction"}},
        {"type":"relation","id":22,"members":[],"tags":{"restriction":"no_left_turn","type":"restriction"}},
        {"type":"relation","id":23,"tags":{"type":"multipolygon"}}
        ]}
        """#.utf8)

    /// One plain node and four dense ones, in blocks that are packed and not.
    static let pbf =
        head
        + TownBlocks.all.enumerated().flatMap { index, block in
            block.file(packed: index % 2 == 0)
        }

    /// The first block of a file.
    static let head = headBlock(["OsmSchema-V0.6", "DenseNodes"])

    /// A first block that asks for features of its reader.
    static func headBlock(_ features: [String]) -> [UInt8] {
        var head = MapFileHead()
        head.requiredFeatures = features
        head.replicationSeconds = 1_784_406_465
        return MapPackedBlock(packing: bytes(of: head), asZlib: true).file("OSMHeader")
    }

    static func bytes(of message: some Message) -> [UInt8] {
        (try? message.serializedBytes()) ?? []
    }

    /// Bytes packed by gzip, or as zlib alone.
    static func packed(_ bytes: [UInt8], asGzip: Bool = true) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        _ = unsafe deflateInit2_(
            &stream, 9, Z_DEFLATED, asGzip ? 31 : 15, 8, Z_DEFAULT_STRATEGY, zlibVersion(), size)
        defer { unsafe deflateEnd(&stream) }
        var source = bytes
        var packed = [UInt8](repeating: 0, count: bytes.count + 1000)
        unsafe source.withUnsafeMutableBufferPointer { source in
            unsafe packed.withUnsafeMutableBufferPointer { packed in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = packed.baseAddress
                unsafe stream.avail_out = UInt32(packed.count)
                _ = unsafe deflate(&stream, Z_FINISH)
            }
        }
        return Array(packed.prefix(Int(unsafe stream.total_out)))
    }
}

extension MapPackedBlock {
    /// A block of some content.
    init(packing content: [UInt8], asZlib: Bool) {
        self.init()
        if asZlib {
            unpackedBytes = Int32(content.count)
            zlib = Data(Town.packed(content, asGzip: false))
        } else {
            raw = Data(content)
        }
    }

    /// The block after its head, as in a file.
    func file(_ type: String) -> [UInt8] {
        let block = Town.bytes(of: self)
        var head = MapBlockHead()
        head.type = type
        head.bytes = Int32(block.count)
        let headBytes = Town.bytes(of: head)
        return [0, 0, 0, UInt8(headBytes.count)] + headBytes + block
    }
}

extension MapElementBlock {
    /// The block as in a file.
    func file(packed: Bool = false) -> [UInt8] {
        MapPackedBlock(packing: Town.bytes(of: self), asZlib: packed).file("OSMData")
    }
}

/// Blocks of elements with numbered texts and differences in place of numbers.
enum TownBlocks {
    static let all = [plainNode, denseNodes, ways, relations]

    private static let plainNode = block([]) { group in
        var node = MapPlainNode()
        node.id = 1
        node.latitude = 476_000_000
        node.longitude = -1_223_300_000
        group.nodes = [node]
    }

    /// In whole units of 1e-9 degrees, from a corner of their own.
    private static let denseNodes: MapElementBlock = {
        var texts = block([
            "highway", "traffic_signals", "source", "survey", "place", "square", "name",
            "Café \"Nord\"",
        ]) { group in
            group.dense.ids = [2, -5, 8_766_312_110, -8_766_312_102]
            group.dense.latitudes = [651_234_500, -47_651_234_600, 47_610_000_100, 10_000_000]
            group.dense.longitudes = [
                -2_323_456_700, 302_323_456_700, -302_340_000_000, -10_000_000,
            ]
            group.dense.keysAndValues = [1, 2, 0, 0, 3, 4, 0, 5, 6, 7, 8, 0]
        }
        texts.granularity = 1
        texts.latitudeOffset = 47_000_000_000
        texts.longitudeOffset = -120_000_000_000
        return texts
    }()

    private static let ways = block([
        "highway", "residential", "name", "A street of more than fifteen bytes", "primary",
        "oneway", "yes",
    ]) { group in
        group.ways = [
            way(10, [1, 1, -5], [1: 2, 3: 4]),
            way(11, [2, 8_766_312_105, -8_766_312_008], [1: 5, 6: 7]),
            way(12, [], [:]),
        ]
    }

    private static let relations = block([
        "from", "via", "to", "type", "restriction", "no_left_turn", "no_u_turn", "multipolygon",
    ]) { group in
        group.relations = [
            relation(20, [10, -8, 9], kinds: [1, 0, 1], [4: 5, 5: 6]),
            relation(21, [10, 2, -1], kinds: [1, 1, 1], [4: 5, 5: 7]),
            relation(22, [], kinds: [], [4: 5, 5: 6]),
            relation(23, [], kinds: [], [4: 8]),
        ]
    }

    /// A block with texts numbered from 1.
    static func block(
        _ texts: [String], _ fill: (inout MapElementGroup) -> Void
    ) -> MapElementBlock {
        var block = MapElementBlock()
        var group = MapElementGroup()
        fill(&group)
        block.texts.texts = ([""] + texts).map { Data($0.utf8) }
        block.groups = [group]
        return block
    }

    static func way(_ id: Int64, _ nodes: [Int64], _ tags: [UInt32: UInt32]) -> MapPlainWay {
        var way = MapPlainWay()
        way.id = id
        way.nodes = nodes
        way.keys = tags.map(\.key)
        way.values = tags.map(\.value)
        return way
    }

    private static func relation(
        _ id: Int64, _ members: [Int64], kinds: [Int32], _ tags: [UInt32: UInt32]
    ) -> MapPlainRelation {
        var relation = MapPlainRelation()
        relation.id = id
        relation.members = members
        relation.kinds = kinds
        relation.roles = members.indices.map { Int32($0 + 1) }
        relation.keys = tags.map(\.key)
        relation.values = tags.map(\.value)
        return relation
    }
}
