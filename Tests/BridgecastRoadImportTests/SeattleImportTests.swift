// An extract of Seattle's own streets: every drawbridge, streets people know, and lengths.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastRoads
import BridgecastTestSupport
import Foundation
import Testing

@Suite(.serialized) struct SeattleImportTests {
    private static let made = Result { () throws -> RoadImport in
        var options = RoadImportOptions()
        options.additions = try RoadAdditions(
            json: Array(Data(contentsOf: SeattleFiles.additions)), file: "seattle-additions.json")
        return try RoadImport(try RoadExtract.read(SeattleFiles.streets), options: options)
    }

    private func arcs(_ name: String, _ made: RoadImport) -> [RoadArc] {
        made.map.arcs.filter { made.map.names[Int($0.name)] == name }
    }

    @Test func allDrawbridgesLeadBothWays() throws {
        let made = try Self.made.get()
        let drawbridges = made.crossings.compactMap(\.bridge)
        #expect(drawbridges == BridgeIndex.all)
        #expect(made.crossings.prefix(7).allSatisfy { $0.bridge != nil })
        for number in drawbridges.indices {
            let arcs = made.map.arcs.filter { Int($0.crossing) == number && $0.carDeciseconds > 0 }
            #expect(arcs.count == 2, "\(made.crossings[number].name)")
            #expect(arcs.allSatisfy { (50...260).contains($0.metres) })
            let walked = made.map.arcs.filter {
                Int($0.crossing) == number && $0.walkDeciseconds > 0
            }
            #expect(walked.count == 2, "\(made.crossings[number].name)")
        }
    }

    @Test func fixedCrossingsHaveTheirNames() throws {
        let names = Set(try Self.made.get().crossings.map(\.name))
        #expect(
            names.isSuperset(of: [
                "Aurora Bridge", "I-5 Ship Canal Bridge", "I-5 express lanes",
                "West Seattle Bridge",
                "Ballard Locks walkway", "I-90 floating bridge",
            ]))
        #expect(!names.contains { $0.hasPrefix("ramp") })
    }

    @Test func `known one-way streets have their direction`() throws {
        let made = try Self.made.get()
        // 2nd Avenue runs south-east, 4th Avenue north-west, downtown.
        for (name, isNorthwards) in [("2nd Ave", false), ("4th Ave", true)] {
            let driven = arcs(name, made).filter { arc in
                let point = made.map.nodes[Int(arc.tail)].geoPoint
                return arc.carDeciseconds > 0 && (47.603...47.612).contains(point.latitude)
            }
            #expect(driven.count > 5)
            #expect(
                driven.allSatisfy { arc in
                    let (tail, head) = (
                        made.map.nodes[Int(arc.tail)], made.map.nodes[Int(arc.head)]
                    )
                    return (head.latitudeE7 > tail.latitudeE7) == isNorthwards
                })
        }
    }

    @Test func lengthsAreThoseOfTheExtract() throws {
        let made = try Self.made.get()
        // Added up from the file in Python, by great circles. What is closed, or no longer connects, is some percent.
        let kilometres = 1188.04
        #expect(abs(made.report.readKilometres - kilometres) < 0.005 * kilometres)
        let streets = made.report.classes.filter { $0.name != "trail" && $0.name != "footway" }
        let kept = streets.reduce(0) { $0 + $1.kilometres }
        #expect(kept > 0.95 * kilometres && kept <= made.report.readKilometres)
    }

    @Test func everyArcIsReachedAndLeftByCar() throws {
        let made = try Self.made.get()
        var isEntered: Set<Int> = []
        var isLeft: Set<Int> = []
        for link in made.turnLinks {
            isEntered.insert(link.to)
            isLeft.insert(link.from)
        }
        let driven = made.map.arcs.indices.filter { made.map.arcs[$0].carDeciseconds > 0 }
        #expect(driven.allSatisfy { isEntered.contains($0) && isLeft.contains($0) })
        #expect(isEntered.count == driven.count)
    }

    @Test func `places and source are reported`() throws {
        let made = try Self.made.get()
        #expect(made.source == "seattle-streets-2026-07-18.json.gz, 2026-07-18")
        #expect(made.places.count == 147 && made.outerPlaces.count == 18)
        #expect(made.places.contains { $0.name == "Fremont" && $0.kind == .neighbourhood })
    }
}

@Suite struct SeattleWatersTests {
    /// A ring of the shore.
    private struct Area {
        let rings: [[GeoPoint]]

        /// Whether a point is in it: a ray to the east meets its shore an odd number of times.
        func holds(_ point: GeoPoint) -> Bool {
            var isInside = false
            for ring in rings {
                for (a, b) in zip(ring, ring.dropFirst())
                where (a.latitude > point.latitude) != (b.latitude > point.latitude) {
                    let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
                    if a.longitude + share * (b.longitude - a.longitude) > point.longitude {
                        isInside.toggle()
                    }
                }
            }
            return isInside
        }
    }

    private struct Document: Decodable {
        struct Point: Decodable {
            let lat, lon: Double
        }
        struct Member: Decodable { let geometry: [Point]? }
        struct Element: Decodable {
            let tags: [String: String]?
            let geometry: [Point]?
            let members: [Member]?
        }
        let elements: [Element]
    }

    private func shores() throws -> (lakes: [Area], coast: [[GeoPoint]]) {
        let document = try JSONDecoder().decode(
            Document.self, from: try SeattleFiles.unpacked(SeattleFiles.water))
        var lakes: [Area] = []
        var coast: [[GeoPoint]] = []
        func line(_ points: [Document.Point]) -> [GeoPoint] {
            points.map { GeoPoint(latitude: $0.lat, longitude: $0.lon) }
        }
        for element in document.elements {
            let rings = ([element.geometry] + (element.members ?? []).map(\.geometry)).compactMap {
                $0
            }
            if element.tags?["natural"] == "coastline" {
                coast += rings.map(line)
            } else {
                lakes.append(Area(rings: rings.map(line)))
            }
        }
        return (lakes, coast)
    }

    /// Points every 20 m or so.
    private func samples(_ water: CentreLine) -> [GeoPoint] {
        zip(water.points, water.points.dropFirst()).flatMap { start, end in
            let count = Int(start.metres(to: end) / 20) + 1
            return (0..<count).map { step in
                let share = Double(step) / Double(count)
                return GeoPoint(
                    latitude: start.latitude + (end.latitude - start.latitude) * share,
                    longitude: start.longitude + (end.longitude - start.longitude) * share)
            }
        }
    }

    @Test func `the centre lines are in the water`() throws {
        let (lakes, coast) = try shores()
        for water in SeattleWaterways.all {
            let points = samples(water)
            // The sound is no area; its line must not touch the coast, and be wet further in.
            let dry = points.filter { point in
                !lakes.contains { $0.holds(point) } && !isAtSea(point, coast)
            }
            #expect(dry.count * 200 <= points.count, "\(water.name): \(dry.prefix(5))")
        }
    }

    /// Whether a point is on the sea's side of the nearest coast: coasts are drawn with the sea on their right.
    private func isAtSea(_ point: GeoPoint, _ coast: [[GeoPoint]]) -> Bool {
        let plane = MapPlane(around: point)
        var nearest = (metres: Double.infinity, isRight: false)
        for line in coast {
            for (a, b) in zip(line, line.dropFirst()) {
                let metres = plane.metres(from: point, toSegmentFrom: a, to: b)
                guard metres < nearest.metres else { continue }
                let side =
                    (b.longitude - a.longitude) * (point.latitude - a.latitude)
                    - (b.latitude - a.latitude) * (point.longitude - a.longitude)
                nearest = (metres, side < 0)
            }
        }
        return nearest.isRight
    }
}

/// Seattle's roads from tertiary on, all streets within 600 m of a drawbridge, and its waters; the README of Tests/Samples has the
/// source.
enum SeattleFiles {
    private static let folder = Fixtures.checkout.appending(path: "Tests/Samples/roads")
    static let streets = folder.appending(path: "seattle-streets-2026-07-18.json.gz")
    static let water = folder.appending(path: "seattle-water.json.gz")
    static let additions = Fixtures.model("roads/seattle-additions.json")

    static func unpacked(_ url: URL) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-dc", url.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return pipe.fileHandleForReading.readDataToEndOfFile()
    }
}
