// Everything that is done with a network, done with one that may have mistakes in it.
import BridgecastCore
@testable import BridgecastRoadImport
@testable import BridgecastRoads
import Foundation

/// What became of the mutants of a network file.
struct NetworkTrial: Sendable {
    var refused = 0
    var read = 0
    var ways = 0
    /// What no refusal and no way may be.
    var wrong: [String] = []

    /// Fremont with its drawbridge, a ramp on each side, and a street on each shore.
    static func town() throws -> RoadNetwork {
        let bridge = BridgeCatalogue[.fremont]
        var town = StreetTown(middle: bridge.point)
        for (name, north) in [
            ("s", -400.0), ("sr", -100), ("sl", -40), ("nl", 40), ("nr", 100), ("n", 400),
        ] {
            town.node(name, 2, north)
        }
        for (name, east, north) in [
            ("sw", -200.0, -400.0), ("se", 200, -400), ("nw", -200, 400), ("ne", 200, 400),
        ] { town.node(name, east, north) }
        town.way("s sw se s", ["name": "South Street"])
        town.way("n nw ne n", ["name": "North Street"])
        town.way("s sr", ["name": "4th Avenue North"])
        town.way("sr sl", ["name": "4th Avenue North", "bridge": "yes"])
        town.way(
            "sl nl", ["name": "Fremont Avenue North", "bridge": "yes", "bridge:movable": "bascule"])
        town.way("nl nr", ["name": "Fremont Avenue North", "bridge": "yes"])
        town.way("nr n", ["name": "Fremont Avenue North"])
        let made = try town.imported(
            withoutBridges: false,
            additions: try RoadAdditions(
                json: Array(
                    """
                    {"lines":[],"places":[{"name":"Southside","kind":"neighbourhood","at":[\(bridge.point.latitude - 0.0036),\(bridge.point.longitude)]},
                     {"name":"Eastside","kind":"neighbourhood","at":[47.615,-122.199]}]}
                    """.utf8), file: "places"))
        var hierarchies: [RoadHierarchy] = []
        for mode in Route.Mode.allCases {
            hierarchies.append(
                try RoadPreparation.hierarchy(
                    mode, of: made.map, turns: made.turnLinks, paces: made.paces,
                    reluctance: made.reluctance))
        }
        return RoadNetwork(
            name: "Fremont", attribution: made.attribution, source: made.source,
            places: made.places, outerPlaces: made.outerPlaces, crossings: made.crossings,
            map: made.map, paces: made.paces, reluctance: made.reluctance,
            hierarchies: hierarchies)
    }

    /// Reads the bytes; searches ways on what is read, and tells of them.
    mutating func take(_ bytes: [UInt8], _ pair: (Int, Int)) {
        let network: RoadNetwork
        do throws(RoadNetworkError) {
            network = try RoadNetwork(Data(bytes), file: "mutant")
        } catch {
            refused += 1
            if !error.description.contains("mutant") { wrong.append("\(error)") }
            return
        }
        read += 1
        for mode in Route.Mode.allCases { travel(network, mode, pair) }
        _ = network.completions(of: "s", limit: 5)
        _ = network.completions(of: "4th & s", limit: 5)
        _ = try? network.anchor("4th Ave N & South St", for: .walk)
        for place in network.places { _ = try? network.anchor(place, for: .car) }
    }

    private mutating func travel(_ network: RoadNetwork, _ mode: Route.Mode, _ pair: (Int, Int)) {
        let nodes = network.map.nodes
        guard !nodes.isEmpty,
            let origin = try? network.anchor(nodes[pair.0 % nodes.count].geoPoint, for: mode),
            let end = try? network.anchor(nodes[pair.1 % nodes.count].geoPoint, for: mode)
        else { return }
        let leaving = Timestamp(secondsSinceEpoch: 1_771_640_000)
        let paths = RouteSearch(network, mode: mode).paths(
            from: origin, to: end, leaving: leaving
        ) { $0.minutes * 1.25 + 6 }
        let search = AlternativeSearch(network, mode, from: origin, to: end, leaving: leaving)
        var others: [Path] = []
        for path in paths.prefix(2) {
            let found = search.alternatives(to: path)
            if found.contains(where: { $0.crossings != path.crossings }) {
                wrong.append("crossings")
            }
            others += found
        }
        for path in paths + others {
            ways += 1
            let route = PlannedRoute(path, on: network, from: "a", to: "b", mode: mode).route
            let minutes = path.minutes
            if !(minutes >= 0 && minutes.isFinite && route.meanTravelMinutes >= 0) {
                wrong.append("\(minutes) minutes")
            }
            if path.directions(on: network).count > path.pieces.count + 1 { wrong.append("steps") }
            _ = RoadPolyline.encode(path.line(on: network))
            _ = path.geoJSON(on: network)
        }
    }
}
