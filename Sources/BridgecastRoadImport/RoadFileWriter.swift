// Writes a network as a file that RoadNetwork reads; the layout is RoadFileFormat's.
import BridgecastSupport
package import BridgecastRoads
package import Foundation

package struct RoadFileWriter {
    private var sections: [(number: UInt32, elementBytes: Int, count: Int, bytes: Data)] = []

    /// The bytes of a network's file; the same network gives the same bytes.
    package static func bytes(of network: RoadNetwork) throws -> Data {
        var writer = RoadFileWriter()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        writer.add(.about, Array(try encoder.encode(RoadFileAbout(network))))
        writer.add(.nodes, network.map.nodes)
        writer.add(.arcs, network.map.arcs)
        writer.add(.shapes, network.map.shapes)
        let names = network.map.names.map { Array($0.utf8) }
        writer.add(.nameBytes, Array(names.joined()))
        writer.add(
            .nameStarts,
            names.reduce(into: [UInt32(0)]) { $0.append($0[$0.count - 1] + UInt32($1.count)) })
        writer.add(.paces, network.paces.rows)
        for (mode, hierarchy) in network.hierarchies.enumerated() {
            func add<Element: BitwiseCopyable>(
                _ section: RoadFileFormat.ModeSection, _ elements: [Element]
            ) {
                writer.add(section.number(mode), elements)
            }
            add(.core, [hierarchy.firstOfCore])
            add(.vertices, hierarchy.vertices)
            add(.gates, hierarchy.gates)
            add(.firstUp, hierarchy.firstUp)
            add(.upward, hierarchy.upward.map(RoadFileFormat.Edge.init))
            add(.firstDown, hierarchy.firstDown)
            add(.downward, hierarchy.downward.map(RoadFileFormat.Edge.init))
        }
        return writer.file()
    }

    private mutating func add<Element: BitwiseCopyable>(
        _ section: RoadFileFormat.Section, _ elements: [Element]
    ) {
        add(section.rawValue, elements)
    }

    private mutating func add<Element: BitwiseCopyable>(_ number: UInt32, _ elements: [Element]) {
        let bytes = unsafe elements.withUnsafeBytes { unsafe Data($0) }
        sections.append((number, MemoryLayout<Element>.stride, elements.count, bytes))
    }

    private func file() -> Data {
        var table = Data()
        var body = Data()
        let first = RoadFileFormat.headerBytes + sections.count * RoadFileFormat.entryBytes
        for section in sections {
            let alignment = RoadFileFormat.alignment
            let rest = (first + body.count) % alignment
            if rest > 0 { body.append(Data(count: alignment - rest)) }
            table.append(littleEndian: section.number)
            table.append(littleEndian: UInt32(section.elementBytes))
            table.append(littleEndian: UInt64(first + body.count))
            table.append(littleEndian: UInt64(section.count))
            body.append(section.bytes)
        }
        let checked = table + body
        var header = Data(RoadFileFormat.magic)
        header.append(littleEndian: UInt32(RoadFileFormat.version))
        header.append(littleEndian: UInt32(sections.count))
        header.append(littleEndian: UInt64(RoadFileFormat.headerBytes + checked.count))
        header.append(contentsOf: SHA256.hash(checked))
        return header + checked
    }
}

extension Data {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
