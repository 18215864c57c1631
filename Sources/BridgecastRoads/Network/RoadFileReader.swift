// From the sections of a file to a network: every number is checked that something else relies on.
import BridgecastCore
import Foundation

/// Reads and checks the parts of a network.
struct RoadFileReader {
    private let sections: RoadSections
    private let about: RoadFileAbout
    private let crossings: [Crossing]

    /// The network of a file, once all of it was read and its digest is right.
    static func network(_ bytes: RoadFileBytes) throws(RoadNetworkError) -> RoadNetwork {
        let sections = try RoadSections(bytes)
        let network: RoadNetwork
        do throws(RoadNetworkError) {
            try sections.readTable()
            network = try RoadFileReader(sections).network()
        } catch {
            // Who damaged the file is to blame, rather than who made it.
            try sections.finish()
            throw error
        }
        try sections.finish()
        return network
    }

    private init(_ sections: RoadSections) throws(RoadNetworkError) {
        self.sections = sections
        let text = try sections.array(
            RoadFileFormat.Section.about.rawValue, "about", of: UInt8.self)
        do {
            about = try JSONDecoder().decode(RoadFileAbout.self, from: Data(text))
        } catch {
            throw .damaged(
                file: sections.file, problem: "section 'about': \(DocumentProblem(decoding: error))"
            )
        }
        guard about.reluctance?.isWhole ?? true, about.reluctance?.value.isSound ?? true else {
            throw .damaged(
                file: sections.file,
                problem: "section 'about': a reluctance out of its range, or a part of one")
        }
        var crossings: [Crossing] = []
        for (number, entry) in about.crossings.enumerated() {
            let bridge = entry.bridge.flatMap { BridgeCatalogue.index(named: String($0)) }
            guard (bridge == nil) == (entry.bridge == nil) else {
                throw .content(
                    file: sections.file, section: "crossings", index: number,
                    problem: "\(entry.bridge ?? 0) is no drawbridge")
            }
            try Self.check(entry.latitude, entry.longitude, "crossings", number, sections.file)
            guard !crossings.contains(where: { $0.name == entry.name }) else {
                throw .content(
                    file: sections.file, section: "crossings", index: number,
                    problem: "a second '\(printable(entry.name, most: 60))'")
            }
            crossings.append(
                Crossing(
                    name: entry.name, bridge: bridge,
                    point: GeoPoint(latitude: entry.latitude, longitude: entry.longitude)))
        }
        self.crossings = crossings
        for (number, place) in (about.places + (about.outerPlaces ?? [])).enumerated() {
            try Self.check(place.latitude, place.longitude, "places", number, sections.file)
        }
    }

    private static func check(
        _ latitude: Double, _ longitude: Double, _ section: String, _ index: Int, _ file: String
    ) throws(RoadNetworkError) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw .content(
                file: file, section: section, index: index, problem: "is no place on earth")
        }
    }

    /// Asks for the sections in the order in which they lie.
    private func network() throws(RoadNetworkError) -> RoadNetwork {
        let map = try map()
        let paces = try paces()
        var hierarchies: [HierarchyOnDemand] = []
        for mode in Route.Mode.allCases {
            let reader = RoadHierarchyReader(sections, map, mode, about.reluctance?.value ?? .none)
            hierarchies.append(try reader.hierarchy())
        }
        return RoadNetwork(
            name: about.name, attribution: about.attribution, source: about.source,
            places: about.places.map(\.place),
            outerPlaces: (about.outerPlaces ?? []).map(\.place), crossings: crossings, map: map,
            paces: paces,
            reluctance: about.reluctance?.value ?? .none, hierarchies: hierarchies)
    }

    private func map() throws(RoadNetworkError) -> RoadMap {
        let nodes = try array(.nodes, RoadPoint.self)
        let arcs = try array(.arcs, RoadArc.self)
        let shapes = try array(.shapes, RoadPoint.self)
        for (points, section) in [(nodes, "nodes"), (shapes, "shapes")] {
            let bad = points.firstIndex {
                abs(Int($0.latitudeE7)) > 900_000_000 || abs(Int($0.longitudeE7)) > 1_800_000_000
            }
            if let bad { throw refusal(section, bad, "is no place on earth") }
        }
        let names = try names()
        var tail: UInt32 = 0
        for (number, arc) in arcs.enumerated() {
            let isSound =
                arc.tail >= tail && arc.tail < nodes.count && arc.head < nodes.count
                && arc.name < names.count && Int(arc.shape) + Int(arc.shapeCount) <= shapes.count
                && arc.metres >= 0 && arc.metres < 1e7
                && (arc.twin == RoadArc.noTwin || arc.twin < arcs.count)
                && RoadClass(rawValue: arc.roadClassValue) != nil
                && PaceGroup(rawValue: arc.paceGroupValue) != nil
                && BikeRoom(rawValue: arc.bikeRoomValue) != nil
                && (arc.crossing == RoadArc.noCrossing || arc.crossing < crossings.count)
            guard isSound else { throw refusal("arcs", number, "leads out of its tables") }
            tail = arc.tail
        }
        guard !arcs.isEmpty else { throw refusal("arcs", 0, "there is no road") }
        return RoadMap(nodes: nodes, arcs: arcs, shapes: shapes, names: names)
    }

    private func names() throws(RoadNetworkError) -> [String] {
        let bytes = try array(.nameBytes, UInt8.self)
        let starts = try array(.nameStarts, UInt32.self)
        guard starts.count >= 2, starts[0] == 0 else { throw refusal("names", 0, "are none") }
        var names: [String] = []
        names.reserveCapacity(starts.count - 1)
        for number in 0..<starts.count - 1 {
            guard starts[number] <= starts[number + 1], starts[number + 1] <= bytes.count else {
                throw refusal("names", number, "leads out of its table")
            }
            names.append(
                String(
                    decoding: bytes[Int(starts[number])..<Int(starts[number + 1])], as: UTF8.self))
        }
        return names
    }

    private func paces() throws(RoadNetworkError) -> PaceTable {
        let rows = try array(.paces, SIMD8<Float>.self)
        guard rows.count == 2 * PaceTable.slotsPerDay else {
            throw refusal("paces", 0, "\(rows.count) rows where two days have 192")
        }
        for (number, row) in rows.enumerated() {
            for lane in 0..<8 where !PaceTable.range.contains(row[lane]) {
                throw refusal("paces", number, "a pace of \(row[lane])")
            }
        }
        return PaceTable(rows: rows)
    }

    private func array<Element: BitwiseCopyable>(
        _ section: RoadFileFormat.Section, _ type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        try sections.array(section.rawValue, "\(section)", of: type)
    }

    private func refusal(_ section: String, _ index: Int, _ problem: String) -> RoadNetworkError {
        .content(file: sections.file, section: section, index: index, problem: problem)
    }
}
