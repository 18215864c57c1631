// A town of five nodes, three ways and two turn restrictions, in each form of file.
@testable import BridgecastRoadImport
import CZlib
import Foundation
import SwiftProtobuf

/// The same small extract as JSON, XML and PBF.
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

    static let xml = Array(
        #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a town -->
        <osm version="0.6" timestamp="2026-07-18T20:27:45Z">
         <node id="1" lat="47.6" lon="-122.33"/>
         <node id="2" lat="47.6512345" lon="-122.3234567"><tag k="highway" v="traffic_signals"/></node>
         <node id="-3" lat="-1e-7" lon="180"/>
         <node id="8766312107" lat="47.61" lon="-122.34"><tag k="source" v="survey"/></node>
         <node id="5" lat="47.62" lon="-122.35"><tag k="place" v="square"/><tag k="name" v="Café &quot;Nord&quot;"/></node>
         <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="-3"/><tag k="highway" v="residential"/>
          <tag k="name" v="A street of more than fifteen bytes"/></way>
         <way id="11"><nd ref="2"/><nd ref="8766312107"/><nd ref="99"/><tag k="highway" v="primary"/><tag k="oneway" v="yes"/></way>
         <way id="12"/>
         <relation id="20"><member type="way" ref="10" role="from"/><member type="node" ref="2" role="via"/>
          <member type="way" ref="11" role="to"/><tag k="type" v="restriction"/><tag k="restriction" v="no_left_turn"/></relation>
         <relation id="21"><member type="way" ref="10" role="from"/><member type="way" ref="12" role="via"/>
          <member type="way" ref="11" role="to"/><tag k="type" v="restriction"/><tag k="restriction" v="no_u_turn"/></relation>
         <relation id="22"><tag k="type" v="restriction"/><tag k="restriction" v="no_left_turn"/></relation>
         <relation id="23"><tag k="type" v="multipolygon"/></relation>
        </osm>
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
        var (source, packed) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1000))
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

    /// The block behind its head, as it stands in a file.
    func file(_ type: String) -> [UInt8] {
        let block = Town.bytes(of: self)
        var head = MapBlockHead()
        (head.type, head.bytes) = (type, Int32(block.count))
        let headBytes = Town.bytes(of: head)
        return [0, 0, 0, UInt8(headBytes.count)] + headBytes + block
    }
}

extension MapElementBlock {
    /// The block as it stands in a file.
    func file(packed: Bool = false) -> [UInt8] {
        MapPackedBlock(packing: Town.bytes(of: self), asZlib: packed).file("OSMData")
    }
}
