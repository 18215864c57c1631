// What a road network has, counted: the JSON of `roads info`, and its text.
import BridgecastCore
import BridgecastDigest
import BridgecastRoads
import Foundation

/// What a road network has.
struct RoadsFacts: Encodable {
    /// Roads of a kind.
    struct Roads: Encodable {
        let name: String
        let pieces: Int
        /// Of roads, not of their directions.
        let kilometres: Double
    }

    /// A crossing of water.
    struct Water: Encodable {
        let name: String
        let isDrawbridge: Bool
        /// The city's number of a drawbridge.
        let bridgeID: BridgeID?
        let latitude, longitude: Double
    }

    /// The file.
    struct File: Encodable {
        let path: String
        let bytes: Int
        let sha256: String
    }

    let file: File
    let name, source, attribution: String
    let junctions, pieces, names: Int
    let kilometres: Double
    let classes: [Roads]
    /// Directed pieces of road by the mode they are open to.
    let openTo: [String: Int]
    let crossings: [Water]
    let places: [String: Int]

    init(_ network: RoadNetwork, path: String, _ digest: (count: Int, sha256: [UInt8])) {
        file = File(path: path, bytes: digest.count, sha256: hexadecimal(digest.sha256))
        (name, source) = (network.name, network.source)
        attribution = network.attribution
        let map = network.map
        (junctions, pieces, names) = (map.nodes.count, map.arcs.count, map.names.count - 1)
        classes = RoadClass.allCases.compactMap { Self.roads($0, map) }
        kilometres = classes.reduce(0) { $0 + $1.kilometres }
        openTo = [
            Route.Mode.car.rawValue: map.arcs.count { $0.carDeciseconds > 0 },
            Route.Mode.bike.rawValue: map.arcs.count { $0.bikeDeciseconds > 0 },
            Route.Mode.walk.rawValue: map.arcs.count { $0.walkDeciseconds > 0 },
        ]
        crossings = network.crossings.map { crossing in
            Water(
                name: crossing.name, isDrawbridge: crossing.bridge != nil,
                bridgeID: crossing.bridge.map { BridgeCatalogue[$0].id },
                latitude: crossing.point.latitude, longitude: crossing.point.longitude)
        }
        places = network.places.reduce(into: [:]) { $0["\($1.kind)", default: 0] += 1 }
    }

    /// Roads of a class; nil if there are none.
    private static func roads(_ roadClass: RoadClass, _ map: RoadMap) -> Roads? {
        var (pieces, metres) = (0, 0.0)
        for (number, arc) in map.arcs.enumerated() where arc.roadClass == roadClass {
            pieces += 1
            // Of a piece and its twin the first; who has none has the largest number there is.
            if arc.twin > UInt32(number) { metres += Double(arc.metres) }
        }
        return pieces == 0
            ? nil
            : Roads(
                name: "\(roadClass)", pieces: pieces,
                kilometres: (metres / 100).rounded() / 10)
    }

    /// For people.
    var text: String {
        let kinds = Place.Kind.allCases.compactMap { kind in
            places["\(kind)"].map { "\($0) \(kind)" }
        }
        let modes = Route.Mode.allCases.map { "\($0.rawValue) \(openTo[$0.rawValue] ?? 0)" }
        var roads = TextTable(["class", "km", "pieces"], [.left, .right, .right])
        for kind in classes { roads.add([kind.name, fixed(kind.kilometres, 1), "\(kind.pieces)"]) }
        var water = TextTable(["crossing of water", "", "where"], [.left, .left, .left])
        for crossing in crossings {
            water.add([
                crossing.name, crossing.isDrawbridge ? "drawbridge" : "",
                "\(fixed(crossing.latitude, 5)),\(fixed(crossing.longitude, 5))",
            ])
        }
        return """
            \(name): \(file.path)
            \(file.bytes) bytes, SHA-256 \(file.sha256)
            Made from \(source); \(attribution)
            \(junctions) junctions, \(pieces) directed pieces of road, \(fixed(kilometres, 1)) km of roads, \
            \(names) names
            Open to: \(modes.joined(separator: ", "))
            Places: \(kinds.isEmpty ? "none" : kinds.joined(separator: ", "))

            \(roads.text(indent: "  "))

            \(water.text(indent: "  "))
            """
    }
}
