// Where shapes cross drawbridges.
import BridgecastCore
import BridgecastTestSupport
import Foundation
@testable import BridgecastTransit
import Testing

struct BridgeCrossingsTests {
    @Test(
        "Four bus routes cross Montlake Bridge")
    func routesOverMontlake() throws {
        let feed = try TransitSamples.soundTransit.get()
        let crossings = BridgeCrossings(of: feed)
        let names = crossings.routes(over: .montlake).map { feed[$0].title }
        #expect(Set(names) == ["540", "541", "542", "556"])
        #expect(names.count == 4)
        #expect(crossings.routes(over: .montlake) == crossings.routes(over: .montlake).sorted())
        for bridge in BridgeIndex.all where bridge != .montlake {
            // 1st Ave South, Ballard and the others are on no route of this feed.
            #expect(crossings.routes(over: bridge).isEmpty, "\(bridge)")
        }
        #expect(!crossings.isEmpty)
    }

    @Test("The same lines on rails cross no drawbridge: trains go through the tunnel next to it")
    func rails() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in try TransitSamples.files(of: TransitSamples.shippedTimetable) {
            var text = String(decoding: bytes, as: UTF8.self)
            // The type of routes: 3 is a bus, 1 a subway.
            if name == "routes.txt" {
                text = text.replacingOccurrences(of: ",3,http", with: ",1,http")
            }
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let feed = try TransitFeed(contentsOf: folder)
        #expect(feed.trips.count == 346)
        #expect(BridgeCrossings(of: feed).isEmpty)
    }

    /// Counted from the files with pandas: trips whose shape passes the middle of the bridge within 60 m.
    @Test("As many trips cross as pandas counts in the files")
    func tripsOverMontlake() throws {
        let feed = try TransitSamples.soundTransit.get()
        let crossings = BridgeCrossings(of: feed)
        var trips: [String: Int] = [:]
        for row in 0..<feed.trips.count {
            let trip = TripIndex(row)
            let crossed = crossings.of(trip, in: feed)
            guard !crossed.isEmpty else { continue }
            #expect(crossed.map(\.bridge) == [.montlake])
            trips[feed[feed[trip].route].title, default: 0] += 1
        }
        #expect(trips == ["540": 72, "541": 88, "542": 148, "556": 38])
    }

    @Test(
        "Crossings are on the bridge and agree with a search over whole lines")
    func placesOnShapes() throws {
        let feed = try TransitSamples.soundTransit.get()
        var found = 0
        for row in 0..<feed.shapes.count {
            let shape = ShapeIndex(row)
            let points = feed.points(of: shape)
            let whole = BridgeDeck.crossings(of: points).compactMap(\.deck.bridge)
            let crossings = feed.shapes.crossings(of: shape)
            #expect(crossings.map(\.bridge) == whole, "shape \(feed.shapes.ids[row])")
            let line = try #require(ShapeLine(points))
            for crossing in crossings {
                let place = line.point(atMetres: crossing.metres)
                #expect(place.metres(to: BridgeCatalogue[crossing.bridge].point) < 60)
                found += 1
            }
        }
        #expect(found == 12)
    }

    @Test(
        "Random lines around the bridges agree with a search over whole lines",
        arguments: 0..<40)
    func randomLines(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var crossed = 0
        for _ in 0..<50 {
            let points = Self.wander(&random)
            let shapes = Self.table(points)
            let stored = shapes.points(of: ShapeIndex(0))
            let found = shapes.crossings(of: ShapeIndex(0))
            #expect(
                found.map(\.bridge) == BridgeDeck.crossings(of: stored).compactMap(\.deck.bridge))
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.metres < $1.metres })
            crossed += found.count
        }
        #expect(crossed > 5)
    }

    /// Roads drawn as pieces of 20 to 900 m that go to and fro over bridges, with detours to other places.
    private static func wander(_ random: inout SeededGenerator) -> [GeoPoint] {
        var points: [GeoPoint] = []
        for _ in 0..<4 {
            guard let bridge = BridgeIndex.all.randomElement(using: &random) else { continue }
            let middle = BridgeCatalogue[bridge].point
            let north = Bool.random(using: &random) ? 1.0 : -1
            let east = Double.random(in: -0.0016...0.0016, using: &random)
            for step in -6...6 {
                let reach = Double.random(in: 0.0004...0.0012, using: &random)
                let isEastWest = bridge == .lowerSpokaneSt
                points.append(
                    GeoPoint(
                        latitude: middle.latitude
                            + (isEastWest ? east / 2 : north * Double(step) * reach),
                        longitude: middle.longitude
                            + (isEastWest ? north * Double(step) * reach : east)))
            }
            points.append(
                GeoPoint(
                    latitude: Double.random(in: 47.5...47.7, using: &random),
                    longitude: Double.random(in: -122.45 ... -122.2, using: &random)))
        }
        return Self.withoutLongPieces(points)
    }

    /// Points between those that are far from each other.
    private static func withoutLongPieces(_ points: [GeoPoint]) -> [GeoPoint] {
        zip(points, points.dropFirst()).flatMap { before, after in
            let pieces = max(1, (before.metres(to: after) / 900).rounded(.up))
            return (0..<Int(pieces)).map { piece in
                let share = Double(piece) / pieces
                return GeoPoint(
                    latitude: before.latitude + share * (after.latitude - before.latitude),
                    longitude: before.longitude + share * (after.longitude - before.longitude))
            }
        }
    }

    @Test("A straight line of kilometres between two stops crosses no bridge")
    func straightLines() {
        let middle = BridgeCatalogue[.montlake].point
        let ends = [-0.02, 0.02].map {
            GeoPoint(latitude: middle.latitude + $0, longitude: middle.longitude)
        }
        #expect(BridgeDeck.crossings(of: ends).compactMap(\.deck.bridge) == [.montlake])
        #expect(Self.table(ends).crossings(of: ShapeIndex(0)).isEmpty)
    }

    @Test("Shapes of no, one or two equal points cross nothing")
    func smallShapes() {
        let middle = BridgeCatalogue[.montlake].point
        for points in [[], [middle], [middle, middle]] {
            #expect(Self.table(points).crossings(of: ShapeIndex(0)).isEmpty)
        }
    }

    /// A table of one shape.
    private static func table(_ points: [GeoPoint]) -> ShapeTable {
        var table = ShapeTable()
        _ = table.ids.append([UInt8]("shape".utf8).span)
        table.latitudes = points.map { Int32(($0.latitude * ShapeTable.unitsPerDegree).rounded()) }
        table.longitudes = points.map {
            Int32(($0.longitude * ShapeTable.unitsPerDegree).rounded())
        }
        table.starts = [0, UInt32(points.count)]
        return table
    }
}
