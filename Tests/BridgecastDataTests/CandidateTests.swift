// Candidates of route services: formats, crossings, times, and everything that is wrong with files.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct CandidateTests {
    private static let line = CandidateText.line

    private func read(_ text: String, mode: Route.Mode = .car) throws -> CandidateRoutes {
        try CandidateText.read(text, mode: mode)
    }

    private func minutes(_ route: Route) -> [Double] { CandidateText.minutes(route) }

    private func encoded(_ points: [(Double, Double)], precision: Int) -> String {
        CandidateText.encoded(points, precision: precision)
    }

    private func geoJSON(_ points: [(Double, Double)], swapped: Bool = false) -> String {
        CandidateText.geoJSON(points, swapped: swapped)
    }

    @Test func polylinesAreDecodedAsTheirInventorsSay() throws {
        // The example of Google's description of the format.
        let points = try #require(
            Polyline.points("_p~iF~ps|U_ulLnnqC_mqNvxq`@", scale: 1e5, most: 9))
        #expect(
            points == [
                GeoPoint(latitude: 38.5, longitude: -120.2),
                GeoPoint(latitude: 40.7, longitude: -120.95),
                GeoPoint(latitude: 43.252, longitude: -126.453),
            ])
        for broken in ["_p~iF~ps|", "_p~iF", "\u{7f}", " ", "~~~~~~~~~~~~"] {
            #expect(Polyline.points(broken, scale: 1e5, most: 9) == nil)
        }
        #expect(Polyline.points("_p~iF~ps|U_ulLnnqC", scale: 1e5, most: 1) == nil)
    }

    @Test func osrmsAnnotationsSayWhenTheBridgeIsReached() throws {
        let candidates = try read(
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(Self.line, precision: 5))",
              "duration": 480, "distance": 2400, "legs": [{"summary": "Westlake Avenue North",
              "duration": 480, "annotation": {"duration": [100, 60, 200, 120]}}]}]}
            """)
        let route = candidates.routes[0]
        #expect(route.crossings == [Fixtures.bridge("Fremont")])
        #expect(route.name == "Westlake Avenue North, Fremont Bridge" && candidates.notes == [])
        // The city's middle of the bridge is half way between the ends of the second piece.
        let times = minutes(route)
        #expect(abs(times[0] - 131.0 / 60) < 0.03 && abs(times[0] + times[1] - 8) < 1e-9)
    }

    @Test func osrmsStepsDoWhereThereAreNoAnnotations() throws {
        // The steps say that the first third of the way takes two thirds of the time.
        let candidates = try read(
            """
            {"code": "Ok", "routes": [{"geometry": {"type": "LineString",
              "coordinates": [\(geoJSON(Self.line))]}, "duration": 600, "distance": 2400,
              "legs": [{"steps": [{"distance": 800, "duration": 400}, {"distance": 1600, "duration": 200}]}]}]}
            """)
        let whole = try read(
            """
            {"type": "LineString", "coordinates": [\(geoJSON(Self.line))]}
            """)
        let share = minutes(whole.routes[0])[0] / minutes(whole.routes[0]).reduce(0, +)
        #expect(share < 1.0 / 3)
        #expect(abs(minutes(candidates.routes[0])[0] - share * 3 * 400 / 60) < 0.05)
        #expect(whole.notes.contains { $0.contains("no duration; taken at 30 km/h") })
    }

    @Test func valhallasManeuversDoAndAlternatesAreRoutesToo() throws {
        let aurora = [(47.6540, -122.3474), (47.6432, -122.3473), (47.6325, -122.3444)]
        func trip(_ line: [(Double, Double)], _ maneuvers: String) -> String {
            """
            {"legs": [{"shape": "\(encoded(line, precision: 6))", "summary": {"time": 420, "length": 2.4},
              "maneuvers": [\(maneuvers)]}], "summary": {"time": 420}, "status": 0}
            """
        }
        let candidates = try read(
            """
            {"trip": \(trip(Self.line, "{\"time\": 60, \"length\": 0.3, \"begin_shape_index\": 0, \"end_shape_index\": 1, \"street_names\": [\"Fremont Avenue North\"]}, {\"time\": 360, \"length\": 2.1, \"begin_shape_index\": 1, \"end_shape_index\": 4, \"street_names\": [\"Westlake Avenue North\"]}")),
             "alternates": [{"trip": \(trip(aurora, ""))}]}
            """, mode: .bike)
        #expect(candidates.routes.map(\.crossings) == [[Fixtures.bridge("Fremont")], []])
        #expect(candidates.routes[0].name == "Westlake Avenue North, Fremont Bridge")
        #expect(candidates.routes[1].name == "Aurora Bridge")
        #expect(candidates.routes.allSatisfy { $0.mode == .bike })
        // One minute to the end of the first maneuver, and a part of the second up to the bridge.
        let time = minutes(candidates.routes[0])[0]
        #expect(time > 1 && time < 1.7)
    }

    @Test func geoJSONCollectionsCompeteAndOtherThingsAreLeftOut() throws {
        let candidates = try read(
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "properties": {"name": "mine", "duration": 500},
               "geometry": {"type": "LineString", "coordinates": [\(geoJSON(Self.line))]}},
              {"type": "Feature", "properties": {"summary": {"duration": 700}},
               "geometry": {"type": "MultiLineString", "coordinates": [[\(geoJSON(Array(Self.line.prefix(2))))], [\(geoJSON(Array(Self.line.suffix(4))))]]}},
              {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [-122.3, 47.6]}}]}
            """)
        #expect(candidates.routes.map { minutes($0).reduce(0, +).rounded() } == [8, 12])
        #expect(Set(candidates.routes.map(\.origin)).count == 1)
        #expect(candidates.routes.allSatisfy { $0.crossings == [Fixtures.bridge("Fremont")] })
        #expect(candidates.notes.count == 1)
    }

    @Test func wrongPrecisionAndSwappedCoordinatesAreReadAsMeant() throws {
        let six = try read(
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(Self.line, precision: 6))", "duration": 480}]}
            """)
        #expect(six.routes[0].crossings == [Fixtures.bridge("Fremont")])
        #expect(six.notes.contains { $0.contains("precision 6") })
        let swapped = try read(
            """
            {"type": "LineString", "coordinates": [\(geoJSON(Self.line, swapped: true))]}
            """)
        #expect(swapped.routes[0].crossings == [Fixtures.bridge("Fremont")])
        #expect(swapped.notes.contains { $0.contains("longitude first") })
    }

    @Test(arguments: [
        ("{\"code\": \"NoRoute\", \"message\": \"x\"}", "NoRoute"),
        ("{\"code\": \"Ok\", \"routes\": []}", "holds no route"),
        ("{\"code\": \"Ok\", \"routes\": [{\"duration\": 5}]}", "geometry"),
        ("{\"code\": \"Ok\", \"routes\": [{\"geometry\": \"%%\", \"duration\": 5}]}", "polyline"),
        (
            "{\"code\": \"Ok\", \"routes\": [{\"geometry\": \"_p~iF~ps|U_ulLnnqC\", \"duration\": 5}]}",
            "near Seattle"
        ),
        ("{\"type\": \"LineString\", \"coordinates\": []}", "no length"),
        (
            "{\"type\": \"LineString\", \"coordinates\": [[-122.3, 47.6], [-122.3, 47.6]]}",
            "no length"
        ),
        ("{\"type\": \"LineString\", \"coordinates\": [[-122.3, \"NaN\"], [-122.3, 47.6]]}", "[0]"),
        ("{\"type\": \"LineString\", \"coordinates\": [[-122.3, 47.6], [-122.3]]}", "[1]"),
        ("{\"type\": \"LineString\", \"coordinates\": [[-122.3, 1e999], [-122.3, 47.6]]}", ".json"),
        ("{\"type\": \"LineString\"}", "missing"),
        ("{\"type\": \"Feature\", \"geometry\": null, \"properties\": {}}", "geometry"),
        (
            "{\"type\": \"Feature\", \"properties\": {\"duration\": -3}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[-122.3, 47.6], [-122.3, 47.61]]}}",
            "no duration"
        ),
        (
            "{\"type\": \"Feature\", \"properties\": {\"duration\": 2}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[-122.3, 47.6], [-122.3, 47.61]]}}",
            "faster than"
        ),
        (
            "{\"type\": \"Feature\", \"properties\": {\"duration\": 100000}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[-122.3, 47.6], [-122.3, 47.61]]}}",
            "a day"
        ),
        ("{\"trip\": {\"legs\": []}}", "legs"), ("{\"trip\": {\"legs\": [{}]}}", "shape"),
        ("{\"trip\": 5}", "legs"), ("[]", "is a JSON array"), ("3", "a bare JSON value"),
        ("nonsense", "JSON"), ("", "empty"),
    ])
    func brokenCandidatesAreRefusedWithThePlace(_ example: (String, String)) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        try Data(example.0.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect {
            try CandidateFile.read(file, mode: .car)
        } throws: { error in
            (error as? DocumentError)?.kind == .data && "\(error)".contains(example.1)
        }
    }

    @Test func ourOwnFormatIsToldApart() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        try Data(
            """
            {"routes": [{"id": "a", "name": "A", "origin": "x", "destination": "y",
              "steps": [{"minutes": 6}, {"bridge": "Fremont"}, {"minutes": 2}]}]}
            """.utf8
        ).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try CandidateFile.read(file, mode: .car).routes.map(\.id) == ["a"])
        #expect {
            try CandidateFile.read(URL(fileURLWithPath: "/nowhere/x.json"), mode: .car)
        } throws: { ($0 as? DocumentError)?.kind == .missing }
    }

    @Test func aMillionPointsAreReadAndMoreAreRefused() throws {
        // To and fro on one road: a line that a broken recorder would make.
        var points: [(Double, Double)] = []
        points.reserveCapacity(1_000_001)
        for index in 0..<1_000_000 { points.append((47.62 + Double(index % 2) * 1e-5, -122.30)) }
        func file(_ points: [(Double, Double)]) -> String {
            "{\"code\": \"Ok\", \"routes\": [{\"geometry\": \"\(encoded(points, precision: 5))\", \"duration\": 86400}]}"
        }
        #expect(try read(file(points)).routes[0].crossings.isEmpty)
        points.append((47.63, -122.30))
        #expect {
            try CandidateFile.candidates(Data(file(points).utf8), mode: .car)
        } throws: { "\($0)".contains("more than 1000000 points") }
    }
}
