// Trails and places of the project join the streets of an extract.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastSupport
import BridgecastRoads
import Testing

@Suite struct AdditionTests {
    private func additions(_ json: String) throws -> RoadAdditions {
        try RoadAdditions(json: Array(json.utf8), file: "more.json")
    }

    @Test func aTrailLeadsFromStreetToStreet() throws {
        var town = StreetTown()
        town.grid()
        // About 30 m from two corners.
        let made = try town.imported(
            additions: try additions(
                """
                {"lines": [{"name": "Path", "kind": "trail",
                  "points": [[47.70117, -122.35], [47.7020, -122.3492], [47.7029, -122.3473]]}],
                 "places": [{"name": "Here", "kind": "park", "at": [47.702, -122.349], "aliases": ["there"]},
                            {"name": "Away", "kind": "school", "at": [47.8, -122.349]}]}
                """))
        let path = made.map.arcs.filter { $0.roadClass == .trail }
        #expect(path.count == 2)
        #expect(
            path.allSatisfy {
                $0.carDeciseconds == 0 && $0.bikeDeciseconds > 0 && $0.walkDeciseconds > 0
            })
        #expect(path.allSatisfy { made.map.names[Int($0.name)] == "Path" && $0.shapeCount == 1 })
        #expect(
            Set(path.map { Int($0.tail) })
                == Set([town.junction("a1", made), town.junction("c3", made)].compactMap { $0 }))
        #expect(
            made.places == [
                Place(
                    name: "Here", aliases: ["there"], kind: .park,
                    point: GeoPoint(latitude: 47.702, longitude: -122.349))
            ])
        #expect(made.outerPlaces.map(\.name) == ["Away"])
        #expect(made.report.remarks.contains("1 places are outside the extract: Away"))
    }

    @Test func `a trail far from streets is left out and reported`() throws {
        var town = StreetTown()
        town.grid()
        let made = try town.imported(
            additions: try additions(
                """
                {"lines": [{"name": "Path", "kind": "trail", "points": [[47.701, -122.35], [47.72, -122.35]]}],
                 "places": []}
                """))
        #expect(made.map.arcs.allSatisfy { $0.roadClass != .trail })
        #expect(made.report.remarks.contains { $0.hasSuffix("Path") })
    }

    @Test(arguments: [
        (
            #"{"lines": [], "places": [{"name": "x", "kind": "pub", "at": [47, -122]}]}"#,
            "places[0].kind"
        ),
        (
            #"{"lines": [], "places": [{"name": "x", "kind": "park", "at": [147, -122]}]}"#,
            "places[0].at"
        ),
        (
            #"{"lines": [{"name": "x", "kind": "trail", "points": [[1, 1]]}], "places": []}"#,
            "lines[0].points"
        ),
        (
            #"{"lines": [{"name": "x", "kind": "trail", "points": [[1, 1], [2, 2]], "joins": [0, 7]}], "places": []}"#,
            "lines[0].joins"
        ),
        (#"{"lines": []}"#, "places"), ("[", ""),
    ])
    func `problems in the file are located`(_ example: (String, String)) throws {
        let error = #expect(throws: RoadImportError.self) { try additions(example.0) }
        guard case .additions("more.json", let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.location.hasPrefix(example.1))
    }
}
