// Candidates of route services: formats, crossings, times, and everything that is wrong with files.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastData
@testable import BridgecastRouting
@testable import BridgecastSupport

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
            Polyline.points("_p~iF~ps|U_ulLnnqC_mqNvxq`@", scale: 1e5, maxPoints: 9))
        #expect(
            points == [
                GeoPoint(latitude: 38.5, longitude: -120.2),
                GeoPoint(latitude: 40.7, longitude: -120.95),
                GeoPoint(latitude: 43.252, longitude: -126.453),
            ])
        for broken in ["_p~iF~ps|", "_p~iF", "\u{7f}", " ", "~~~~~~~~~~~~"] {
            #expect(Polyline.points(broken, scale: 1e5, maxPoints: 9) == nil)
        }
        #expect(Polyline.points("_p~iF~ps|U_ulLnnqC", scale: 1e5, maxPoints: 1) == nil)
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
            "-3.0 is not a duration"
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
    func brokenCandidatesAreRefusedWithTheLocation(_ example: (String, String)) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        try Data(example.0.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect {
            try CandidateFile.read(file, mode: .car)
        } throws: { error in
            (error as? DocumentError)?.kind == .data && "\(error)".contains(example.1)
        }
    }

    @Test func ourOwnFormatIsRecognised() throws {
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

@Suite struct CandidateSetAsideTests: RouteServiceSuite {
    @Test func aRouteMattersWhereItPasses() throws {
        // From Everett to Tacoma over Fremont Bridge; another one to Portland, far from here.
        let long = [(47.9790, -122.2021)] + Self.line + [(47.2529, -122.4443)]
        let candidates = try read(
            """
            {"code": "Ok", "routes": [
              {"geometry": "\(encoded(long))", "duration": 5400},
              {"geometry": "\(encoded([(45.5, -122.6), (45.6, -122.7)]))", "duration": 1200},
              {"geometry": "\(encoded(long, 6))", "duration": 5400}]}
            """)
        #expect(candidates.routes.map(\.crossings) == [[fremont], [fremont]])
        #expect(
            candidates.notes.contains {
                $0.hasPrefix("routes[1]: does not come near Seattle")
            })
        #expect(
            candidates.notes.allSatisfy { !$0.contains("routes[1]") || $0.hasSuffix("set aside") })
    }

    /// A leg or a part may be far away, as long as the whole passes; in whatever precision.
    @Test(arguments: [6, 5]) func aLegMayBeFarAway(_ precision: Int) throws {
        let far = [(48.4, -122.33), (47.9790, -122.2021)]
        let near = [(47.9790, -122.2021)] + Self.line
        let candidates = try read(
            """
            {"trip": {"legs": [{"shape": "\(encoded(far, precision))", "summary": {"time": 2400}},
              {"shape": "\(encoded(near, precision))", "summary": {"time": 2400}}]},
             "alternates": [7, {"trip": {"legs": [{"shape": "\(encoded(near, precision))", "summary": {"time": 2500}}]}}]}
            """)
        #expect(candidates.routes.map(\.crossings) == [[fremont], [fremont]])
        #expect(candidates.notes.contains { $0.contains("precision 5") } == (precision == 5))
        #expect(candidates.notes.contains { $0.hasPrefix("alternates[0].trip.legs: are missing") })
        let parts = try read(
            "{\"type\": \"MultiLineString\", \"coordinates\": [\(coordinates(far)), \(coordinates(near))]}"
        )
        #expect(parts.routes[0].crossings == [fremont])
    }

    @Test func oneBadFeatureCostsItselfOnly() throws {
        let good = "{\"type\": \"LineString\", \"coordinates\": \(coordinates(Self.line))}"
        let candidates = try read(
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "properties": {}, "geometry": null},
              {"type": "Feature", "properties": {"duration": -1}, "geometry": \(good)},
              {"type": "Feature", "properties": {"duration": 500}, "geometry": \(good)},
              {"type": "Feature", "properties": {}, "geometry": {"type": "GeometryCollection", "geometries": []}},
              7]}
            """)
        #expect(
            candidates.routes.count == 1
                && abs(minutes(candidates.routes[0]).reduce(0, +) - 500.0 / 60) < 1e-9
        )
        #expect(candidates.notes.count == 4)
        #expect(candidates.notes.contains { $0.contains("features[3]: is GeometryCollection") })
    }

    @Test func partsThatDoNotTouchAreNoRoute() throws {
        // North and south of the canal: joined, they would cross Fremont Bridge.
        let north = Array(Self.line[0..<2])
        let south = Array(Self.line[2...])
        let apart = try refusal(
            "{\"type\": \"MultiLineString\", \"coordinates\": [\(coordinates(north)), \(coordinates(south))]}"
        )
        #expect(apart.contains("coordinates[1]") && apart.contains("parts must touch"), "\(apart)")
        let touching = try read(
            "{\"type\": \"MultiLineString\", \"coordinates\": [\(coordinates(north)), \(coordinates(Array(Self.line[1...])))]}"
        )
        #expect(touching.routes[0].crossings == [fremont])
        // Steps and legs as well.
        let steps = try refusal(
            """
            {"code": "Ok", "routes": [{"duration": 600, "legs": [{"steps": [{"geometry": "\(encoded(north))"},
              {"geometry": "\(encoded(south))"}]}]}]}
            """)
        #expect(steps.contains("routes[0].legs[0].steps[1]"), "\(steps)")
        let legs = try refusal(
            """
            {"trip": {"legs": [{"shape": "\(encoded(north, 6))", "summary": {"time": 60}},
              {"shape": "\(encoded(south, 6))", "summary": {"time": 300}}]}}
            """)
        #expect(legs.contains("trip.legs[1]") && legs.contains("parts must touch"), "\(legs)")
    }

    @Test func tooManyLinesAreRefused() throws {
        let feature =
            "{\"type\": \"Feature\", \"properties\": {\"duration\": 500}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[-122.30, 47.62], [-122.30, 47.63]]}}"
        func file(_ count: Int) -> String {
            let list = Array(repeating: feature, count: count).joined(separator: ",")
            return "{\"type\": \"FeatureCollection\", \"features\": [\(list)]}"
        }
        #expect(try read(file(10_000)).routes.count == 10_000)
        #expect(try refusal(file(10_001)).contains("more than 10000 routes"))
    }
}

@Suite struct CandidateTimeTests: RouteServiceSuite {
    /// 500 s to the second point after the bridge, 100 s for the rest.
    @Test func openrouteservicesStepsSayWhenTheBridgeIsReached() throws {
        let segments = """
            [{"steps": [{"duration": 500, "distance": 600, "way_points": [0, 2]},
              {"duration": 100, "distance": 1800, "way_points": [2, 4]}, {"duration": 0, "way_points": [4, 4]}]}]
            """
        let json = try read(
            """
            {"routes": [{"summary": {"duration": 600}, "geometry": "\(encoded(Self.line))", "segments": \(segments)}]}
            """)
        let geo = try read(
            """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"summary": {"duration": 600},
              "segments": \(segments)}, "geometry": {"type": "LineString", "coordinates": \(coordinates(Self.line))}}]}
            """)
        for candidates in [json, geo] {
            let time = minutes(candidates.routes[0])[0]
            #expect(time > 5.5 && time < 8 && candidates.notes == [])
        }
    }

    /// Without steps, which is OSRM's default, the legs' own durations count.
    @Test func osrmsLegsDoWhereThereAreNoSteps() throws {
        func file(_ legs: String) -> String {
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(Self.line))", "duration": 600, "distance": 2400,
              "legs": [\(legs)]}]}
            """
        }
        let plain = try read(file(""))
        let legs = try read(
            file("{\"distance\": 300, \"duration\": 500}, {\"distance\": 2100, \"duration\": 100}"))
        #expect(minutes(legs.routes[0])[0] > 8 && minutes(plain.routes[0])[0] < 4)
    }

    /// Annotations are of the whole line, the overview may be simplified.
    @Test func mapboxAnnotationsAreReadWithASimplifiedOverview() throws {
        let steps = """
            [{"distance": 600, "duration": 160, "maneuver": {"type": "depart"}, "geometry": "\(encoded(Array(Self.line[0...2])))"},
             {"distance": 1800, "duration": 440, "maneuver": {"type": "turn"}, "geometry": "\(encoded(Array(Self.line[2...])))"},
             {"distance": 0, "duration": 0, "maneuver": {"type": "arrive"}, "geometry": "\(encoded([Self.line[4], Self.line[4]]))"}]
            """
        let candidates = try read(
            """
            {"code": "Ok", "uuid": "x", "routes": [{"geometry": "\(encoded([Self.line[0], Self.line[2], Self.line[4]]))",
              "duration": 600, "duration_typical": 580, "weight_name": "auto", "legs": [{"summary": "Westlake",
              "annotation": {"duration": [100, 60, 200, 240], "congestion": ["low", "low", "heavy", "low"]},
              "steps": \(steps)}]}]}
            """)
        #expect(abs(minutes(candidates.routes[0])[0] - 131.0 / 60) < 0.03)
    }

    /// The usual overview is simplified; the steps have the line, and its bridges.
    @Test func aSimplifiedOverviewHidesNoBridge() throws {
        let steps = """
            [{"distance": 600, "duration": 500, "maneuver": {"type": "depart"}, "geometry": "\(encoded(Array(Self.line[0...2])))"},
             {"distance": 1800, "duration": 100, "maneuver": {"type": "turn"}, "geometry": "\(encoded(Array(Self.line[2...])))"},
             {"distance": 0, "duration": 0, "maneuver": {"type": "arrive"}, "geometry": "\(encoded([Self.line[4]]))"}]
            """
        let aside = [Self.line[0], (47.6480, -122.3400), Self.line[4]]
        let candidates = try read(
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(aside))", "duration": 600, "distance": 2400,
              "legs": [{"steps": \(steps)}]}]}
            """)
        #expect(candidates.routes[0].crossings == [fremont])
        #expect(minutes(candidates.routes[0])[0] > 5)
    }

    @Test(arguments: [
        "[1e308, 1e308, 0, 0]", "[0, 0, 0, 0]", "[1, 1, 1, 1]", "[-5, 100, 400, 100]",
        "[null, 1, 1, 1]",
    ])
    func annotationsThatContradictTheDurationAreNotUsed(_ annotations: String) throws {
        func file(_ annotation: String) -> String {
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(Self.line))", "duration": 600,
              "legs": [{\(annotation)}]}]}
            """
        }
        let plain = try read(file(""))
        let wrong = try read(file("\"annotation\": {\"duration\": \(annotations)}"))
        #expect(wrong.routes == plain.routes)
        #expect(
            wrong.notes.contains { $0.contains("its annotations ") && $0.contains("ignored") })
        #expect(minutes(wrong.routes[0])[0] > 1)
    }

    @Test func withoutADurationTheModeGivesTheSpeed() throws {
        let line = "{\"type\": \"LineString\", \"coordinates\": \(coordinates(Self.line))}"
        for (mode, words) in [(Route.Mode.car, "30 km/h"), (.bike, "16 km/h"), (.walk, "4.8 km/h")]
        {
            let candidates = try read(line, mode: mode)
            #expect(candidates.notes == ["the file: no duration; taken at \(words)"])
        }
    }

    @Test func stretchesFollowEachOther() {
        let line = CandidateLine(
            points: Self.line.map { GeoPoint(latitude: $0.0, longitude: $0.1) })
        #expect(
            line.pieceSeconds(of: [
                LineStretch(from: 0, to: 2, seconds: 60), LineStretch(from: 2, to: 4, seconds: 30),
            ])?.reduce(0, +)
                == 90)
        #expect(
            line.pieceSeconds(of: [
                LineStretch(from: 0, to: 4, seconds: 60), LineStretch(from: 0, to: 4, seconds: 30),
            ]) == nil)
        #expect(line.pieceSeconds(of: [LineStretch(from: 0, to: 5, seconds: 60)]) == nil)
        #expect(line.pieceSeconds(of: [LineStretch(from: 3, to: 2, seconds: 60)]) == nil)
    }
}

enum CandidateText {
    /// Over Fremont Bridge: Fremont Ave N at N 36th St, the bridge, Westlake Ave N at Galer St.
    static let line: [(Double, Double)] = [
        (47.6522, -122.3499), (47.6489, -122.3498), (47.6464, -122.3497), (47.6400, -122.3420),
        (47.6325, -122.3400),
    ]

    /// Reads candidates that must be there.
    static func read(_ text: String, mode: Route.Mode = .car) throws -> CandidateRoutes {
        try CandidateFile.candidates(Data(text.utf8), mode: mode)
    }

    /// Minutes of a route's stretches.
    static func minutes(_ route: Route) -> [Double] {
        route.steps.compactMap { step in
            if case .travel(let travel) = step { travel.meanMinutes } else { nil }
        }
    }

    /// The format's own definition, written the other way round.
    ///
    /// - Parameter elevations: A third number of each point, as GraphHopper writes it; none by default.
    static func encoded(
        _ points: [(Double, Double)], precision: Int, elevations: [Int]? = nil
    ) -> String {
        var lastLatitude = 0
        var lastLongitude = 0
        var text = ""
        func append(_ value: Int) {
            var rest = value < 0 ? ~(value << 1) : value << 1
            while rest >= 0x20 {
                text.unicodeScalars.append(UnicodeScalar(UInt8(0x20 | rest & 0x1f) + 63))
                rest >>= 5
            }
            text.unicodeScalars.append(UnicodeScalar(UInt8(rest) + 63))
        }
        let scale = pow(10, Double(precision))
        for (index, (latitude, longitude)) in points.enumerated() {
            let (north, east) = (
                Int((latitude * scale).rounded()), Int((longitude * scale).rounded())
            )
            append(north - lastLatitude)
            append(east - lastLongitude)
            if let elevations {
                append(elevations[index] - (index > 0 ? elevations[index - 1] : 0))
            }
            lastLatitude = north
            lastLongitude = east
        }
        return text.replacingOccurrences(of: "\\", with: "\\\\")
    }

    /// Coordinates as GeoJSON has them.
    static func geoJSON(_ points: [(Double, Double)], swapped: Bool = false) -> String {
        points.map { swapped ? "[\($0.0), \($0.1)]" : "[\($0.1), \($0.0)]" }.joined(separator: ", ")
    }
}
