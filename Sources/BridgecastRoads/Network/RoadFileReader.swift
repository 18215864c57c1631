// From sections to a network: every number that other code relies on is checked here.
internal import BridgecastSupport
import BridgecastCore
import Foundation

struct RoadFileReader {
    private let sections: RoadSections
    private let about: RoadFileAbout
    private let crossings: [Crossing]

    /// The network of a file, all of it read and its digest verified.
    static func network(_ bytes: RoadFileBytes) throws(RoadNetworkError) -> RoadNetwork {
        let sections = try RoadSections(bytes)
        let network: RoadNetwork
        do throws(RoadNetworkError) {
            try sections.readTable()
            network = try RoadFileReader(sections).network()
        } catch {
            // A wrong digest explains more than whatever value it has spoiled.
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
        guard about.reluctance?.isComplete ?? true, about.reluctance?.value.isValid ?? true else {
            throw .damaged(
                file: sections.file,
                problem: "section 'about': a reluctance is out of range or incomplete")
        }
        var crossings: [Crossing] = []
        for (number, entry) in about.crossings.enumerated() {
            let bridge = entry.bridge.flatMap { BridgeCatalogue.index(named: String($0)) }
            guard (bridge == nil) == (entry.bridge == nil) else {
                throw .content(
                    file: sections.file, section: "crossings", index: number,
                    problem: "\(entry.bridge ?? 0) is not a drawbridge")
            }
            try Self.check(
                entry.latitude, entry.longitude, in: sections.file, section: "crossings",
                index: number)
            guard !crossings.contains(where: { $0.name == entry.name }) else {
                throw .content(
                    file: sections.file, section: "crossings", index: number,
                    problem: "a second '\(printable(entry.name, maxLength: 60))'")
            }
            crossings.append(
                Crossing(
                    name: entry.name, bridge: bridge,
                    point: GeoPoint(latitude: entry.latitude, longitude: entry.longitude)))
        }
        self.crossings = crossings
        for (number, place) in (about.places + (about.outerPlaces ?? [])).enumerated() {
            try Self.check(
                place.latitude, place.longitude, in: sections.file, section: "places",
                index: number)
        }
    }

    private static func check(
        _ latitude: Double, _ longitude: Double, in file: String, section: String, index: Int
    ) throws(RoadNetworkError) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw .content(file: file, section: section, index: index, problem: "is not on earth")
        }
    }

    /// Reads the sections in the order of the file.
    private func network() throws(RoadNetworkError) -> RoadNetwork {
        let map = try map()
        let paces = try paces()
        var hierarchies: [Lazy<RoadHierarchy>] = []
        for mode in Route.Mode.allCases {
            let reader = RoadHierarchyReader(
                sections, map: map, mode: mode, reluctance: about.reluctance?.value ?? .none)
            hierarchies.append(try reader.hierarchy())
        }
        return RoadNetwork(
            name: about.name, attribution: about.attribution, source: about.source,
            places: about.places.map(\.place), outerPlaces: (about.outerPlaces ?? []).map(\.place),
            crossings: crossings, map: map, paces: paces,
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
            if let bad { throw refusal(section, bad, "is not on earth") }
        }
        let names = try names()
        var tail: UInt32 = 0
        for (number, arc) in arcs.enumerated() {
            let isValid =
                arc.tail >= tail && arc.tail < nodes.count && arc.head < nodes.count
                && arc.name < names.count && Int(arc.shape) + Int(arc.shapeCount) <= shapes.count
                && arc.metres >= 0 && arc.metres < 1e7
                && (arc.twin == RoadArc.noTwin || arc.twin < arcs.count)
                && RoadClass(rawValue: arc.roadClassValue) != nil
                && PaceGroup(rawValue: arc.paceGroupValue) != nil
                && BikeRoom(rawValue: arc.bikeRoomValue) != nil
                && (arc.crossing == RoadArc.noCrossing || arc.crossing < crossings.count)
            guard isValid else { throw refusal("arcs", number, "points outside of its tables") }
            tail = arc.tail
        }
        guard !arcs.isEmpty else { throw refusal("arcs", 0, "there are none") }
        return RoadMap(nodes: nodes, arcs: arcs, shapes: shapes, names: names)
    }

    private func names() throws(RoadNetworkError) -> [String] {
        let bytes = try array(.nameBytes, UInt8.self)
        let starts = try array(.nameStarts, UInt32.self)
        guard starts.count >= 2, starts[0] == 0 else { throw refusal("names", 0, "there are none") }
        var names: [String] = []
        names.reserveCapacity(starts.count - 1)
        for number in 0..<starts.count - 1 {
            guard starts[number] <= starts[number + 1], starts[number + 1] <= bytes.count else {
                throw refusal("names", number, "points outside of its table")
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
