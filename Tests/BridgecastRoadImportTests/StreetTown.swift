// A small hand-made town for tests of the import: nodes by metres around a point, ways by names of nodes.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastRoads
import Foundation

/// Streets on a plane.
struct StreetTown {
    private(set) var elements: [[String: Any]] = []
    private var numbers: [String: Int] = [:]
    let middle: GeoPoint

    /// Somewhere on a hill: no water near.
    init(middle: GeoPoint = GeoPoint(latitude: 47.70, longitude: -122.35)) {
        self.middle = middle
    }

    /// A node at distances in metres east and north of the middle.
    mutating func node(
        _ name: String, _ east: Double, _ north: Double, tags: [String: String] = [:]
    ) {
        let degree = 111_195.0
        node(
            name,
            GeoPoint(
                latitude: middle.latitude + north / degree,
                longitude: middle.longitude + east / degree / cos(middle.latitude * .pi / 180)),
            tags)
    }

    mutating func node(_ name: String, _ point: GeoPoint, _ tags: [String: String] = [:]) {
        numbers[name] = numbers.count + 1
        elements.append([
            "type": "node", "id": numbers.count, "lat": point.latitude, "lon": point.longitude,
            "tags": tags,
        ])
    }

    /// A way along nodes, whose names are divided by spaces; its number counts from 1000.
    @discardableResult
    mutating func way(_ nodes: String, _ tags: [String: String] = [:]) -> Int {
        let id = 1_000 + elements.count
        let known = nodes.split(separator: " ").map { numbers[String($0)] ?? 999_999 }
        let street = ["highway": "residential"].merging(tags) { $1 }
        elements.append(["type": "way", "id": id, "nodes": known, "tags": street])
        return id
    }

    mutating func restriction(_ kind: String, from: Int, via: String, to: Int) {
        let members: [[String: Any]] = [
            ["type": "way", "ref": from, "role": "from"],
            ["type": "node", "ref": numbers[via] ?? 0, "role": "via"],
            ["type": "way", "ref": to, "role": "to"],
        ]
        elements.append([
            "type": "relation", "id": 5_000 + elements.count, "members": members,
            "tags": ["type": "restriction", "restriction": kind],
        ])
    }

    /// Three by three corners, a1 to c3, 100 m apart: letters count east, numbers north.
    mutating func grid(_ tags: [String: String] = [:]) {
        for (column, letter) in "abc".enumerated() {
            for row in 1...3 { node("\(letter)\(row)", Double(column) * 100, Double(row) * 100) }
        }
        for letter in "abc" {
            way("\(letter)1 \(letter)2 \(letter)3", tags.merging(["name": "\(letter)"]) { $1 })
        }
        for row in 1...3 { way("a\(row) b\(row) c\(row)", tags.merging(["name": "\(row)"]) { $1 }) }
    }

    func extract() throws -> RoadExtract {
        let data = try JSONSerialization.data(withJSONObject: [
            "version": 0.6, "elements": elements,
        ])
        return try RoadExtract(bytes: Array(data), name: "town.json")
    }

    /// Imports it, without bridges by default.
    func imported(
        withoutBridges: Bool = true, additions: RoadAdditions? = nil
    ) throws -> RoadImport {
        var options = RoadImportOptions()
        options.withoutBridges = withoutBridges
        options.additions = additions
        return try RoadImport(try extract(), options: options)
    }

    /// The map's junction at a node.
    func junction(_ name: String, _ made: RoadImport) -> Int? {
        guard let number = numbers[name],
            let element = elements.first(where: {
                $0["type"] as? String == "node" && $0["id"] as? Int == number
            }), let latitude = element["lat"] as? Double, let longitude = element["lon"] as? Double
        else { return nil }
        let point = RoadPoint(GeoPoint(latitude: latitude, longitude: longitude))
        return made.map.nodes.firstIndex(of: point)
    }

    /// The arc from one node to another.
    func arc(_ from: String, _ to: String, _ made: RoadImport) -> Int? {
        guard let tail = junction(from, made), let head = junction(to, made) else { return nil }
        return made.map.departing(tail).first { Int(made.map.arcs[$0].head) == head }
    }
}
