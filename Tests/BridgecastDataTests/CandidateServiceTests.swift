// GraphHopper, OpenTripPlanner and Mapbox as candidates, what is set aside, and what services say instead of routes.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct CandidateServiceTests {
    private static let line = CandidateText.line
    private let fremont = Fixtures.bridge("Fremont")

    private func read(_ text: String, mode: Route.Mode = .car) throws -> CandidateRoutes {
        try CandidateText.read(text, mode: mode)
    }

    private func refusal(_ text: String) throws -> String {
        let error = #expect(throws: DocumentProblem.self) {
            try CandidateFile.candidates(Data(text.utf8), mode: .car)
        }
        return error.map(String.init(describing:)) ?? ""
    }

    private func minutes(_ route: Route) -> [Double] { CandidateText.minutes(route) }

    private func encoded(_ line: [(Double, Double)], _ precision: Int = 5) -> String {
        CandidateText.encoded(line, precision: precision)
    }

    private func coordinates(_ line: [(Double, Double)]) -> String {
        "[\(CandidateText.geoJSON(line))]"
    }

    // MARK: GraphHopper

    /// The pieces take 100, 60, 200 and 240 s.
    private let details =
        "{\"time\": [[0, 1, 100000], [1, 2, 60000], [2, 3, 200000], [3, 4, 240000]]}"
    private let instructions = """
        [{"interval": [0, 2], "time": 160000, "distance": 600, "street_name": "Fremont Avenue North"},
         {"interval": [2, 4], "time": 440000, "distance": 1800, "street_name": "Westlake Avenue North"},
         {"interval": [4, 4], "time": 0, "distance": 0, "street_name": ""}]
        """

    private func path(_ points: String, _ more: String) -> String {
        "{\"hints\": {}, \"paths\": [{\"distance\": 2400, \"time\": 600000, \"points\": \(points), \(more)}]}"
    }

    @Test func graphHoppersPathsAreReadInEveryForm() throws {
        let encoded5 = "\"\(encoded(Self.line))\""
        let tall = CandidateText.encoded(
            Self.line, precision: 5, elevations: [2_000, 1_500, 1_500, 1_200, 900])
        let forms = [
            path(encoded5, "\"points_encoded\": true, \"details\": \(details)"),
            path(
                "\"\(encoded(Self.line, 6))\"",
                "\"points_encoded\": true, \"points_encoded_multiplier\": 1000000.0, \"details\": \(details)"
            ),
            path(
                "{\"type\": \"LineString\", \"coordinates\": \(coordinates(Self.line))}",
                "\"points_encoded\": false, \"details\": \(details)"),
            path("\"\(tall)\"", "\"points_encoded\": true, \"details\": \(details)"),
        ]
        for form in forms {
            let candidates = try read(form)
            let route = candidates.routes[0]
            #expect(route.crossings == [fremont] && candidates.notes == [])
            let times = minutes(route)
            // Half way of the second piece, as its detail says.
            #expect(abs(times[0] - 131.0 / 60) < 0.03 && abs(times[0] + times[1] - 10) < 1e-9)
        }
    }

    @Test func graphHoppersInstructionsDoWhereThereAreNoDetails() throws {
        let candidates = try read(
            path("\"\(encoded(Self.line))\"", "\"instructions\": \(instructions)"))
        #expect(candidates.routes[0].name == "Westlake Avenue North, Fremont Bridge")
        // 160 s to the end of the second piece, by length.
        let time = minutes(candidates.routes[0])[0]
        #expect(time > 1.7 && time < 2.5)
        let tall = CandidateText.encoded(
            Self.line, precision: 5, elevations: [2_000, 1_500, 1_500, 1_200, 900])
        let same = try read(path("\"\(tall)\"", "\"instructions\": \(instructions)"))
        #expect(minutes(same.routes[0]) == minutes(candidates.routes[0]))
    }

    /// Nothing in a line says that it has heights, and an even number of points can be read either way.
    @Test(arguments: [4, 5, 36]) func heightsAreToldByTheLength(_ count: Int) throws {
        // The line in so many points.
        let line = (0..<count).map { index -> (Double, Double) in
            let position = Double(index) / Double(count - 1) * Double(Self.line.count - 1)
            let piece = min(Int(position), Self.line.count - 2)
            let share = position - Double(piece)
            let (a, b) = (Self.line[piece], Self.line[piece + 1])
            return (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
        }
        let metres = CandidateLine(
            points: line.map { GeoPoint(latitude: $0.0, longitude: $0.1) }
        ).metres
        let tall = CandidateText.encoded(
            line, precision: 5, elevations: (0..<count).map { 2_000 + $0 * 37 })
        let hopper = try read(
            "{\"paths\": [{\"distance\": \(metres), \"time\": 600000, \"points\": \"\(tall)\"}]}")
        #expect(hopper.routes[0].crossings == [fremont] && hopper.notes == [])
        let service = try read(
            """
            {"routes": [{"summary": {"distance": \(metres), "duration": 600}, "geometry": "\(tall)"}],
             "metadata": {"query": {"elevation": true}}}
            """)
        #expect(service.routes[0].crossings == [fremont] && service.notes == [])
    }

    // MARK: openrouteservice

    /// 500 s to the second point behind the bridge, 100 s for the rest.
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

    // MARK: OpenTripPlanner

    private func leg(
        _ mode: String, _ points: ArraySlice<(Double, Double)>, _ start: Int, _ seconds: Int
    ) -> String {
        """
        {"mode": "\(mode)", "startTime": \(1_771_617_600_000 + start * 1000), "duration": \(seconds).0,
         "routeShortName": "\(mode == "BUS" ? "40" : "")",
         "legGeometry": {"points": "\(encoded(Array(points)))", "length": \(points.count)}}
        """
    }

    private var itinerary: String {
        // Walk, wait two minutes, cross by bus.
        let legs = [leg("WALK", Self.line[0..<2], 0, 240), leg("BUS", Self.line[1...], 360, 400)]
        return "{\"duration\": 760, \"legs\": [\(legs.joined(separator: ","))]}"
    }

    @Test func openTripPlannersItinerariesAreReadFromEveryInterface() throws {
        let transmodel = """
            {"data": {"trip": {"tripPatterns": [{"legs": [
              {"mode": "foot", "expectedStartTime": "2026-02-20T12:00:00-08:00", "duration": 240,
               "pointsOnLink": {"points": "\(encoded(Array(Self.line[0..<2])))"}},
              {"mode": "bus", "expectedStartTime": "2026-02-20T12:06:00-08:00", "duration": 400,
               "pointsOnLink": {"points": "\(encoded(Array(Self.line[1...])))"}}]}]}}}
            """
        let gtfs = """
            {"data": {"planConnection": {"routingErrors": [], "edges": [{"node": {"duration": 760, "legs": [
              {"mode": "WALK", "start": {"scheduledTime": "2026-02-20T12:00:00-08:00", "estimated": null}, "duration": 240.0,
               "legGeometry": {"points": "\(encoded(Array(Self.line[0..<2])))"}},
              {"mode": "BUS", "start": {"scheduledTime": "2026-02-20T12:01:00-08:00",
                "estimated": {"time": "2026-02-20T12:06:00-08:00", "delay": "PT5M"}}, "duration": 400.0,
               "legGeometry": {"points": "\(encoded(Array(Self.line[1...])))"}}]}}]}}}
            """
        for text in [
            "{\"plan\": {\"itineraries\": [\(itinerary)]}, \"requestParameters\": {}}",
            "{\"data\": {\"plan\": {\"itineraries\": [\(itinerary)]}}}", gtfs, transmodel,
        ] {
            let route = try read(text).routes[0]
            #expect(route.crossings == [fremont] && route.mode == .car)
            let times = minutes(route)
            // The bus leaves at 360 s and has passed a tenth of its way at the bridge.
            #expect(times[0] > 6 && times[0] < 7 && abs(times[0] + times[1] - 760.0 / 60) < 1e-9)
        }
    }

    @Test func aTrainIsNotOnTheBridgeAndAWalkDoesNotQueue() throws {
        func route(_ mode: String) throws -> Route {
            try read(
                "{\"plan\": {\"itineraries\": [{\"duration\": 600, \"legs\": [\(leg(mode, Self.line[...], 0, 600))]}]}}"
            ).routes[0]
        }
        #expect(try route("RAIL").crossings.isEmpty)
        #expect(try route("WALK").mode == .walk && route("WALK").crossings == [fremont])
        #expect(try route("BICYCLE").mode == .bike)
        #expect(try route("BUS").mode == .car && route("BUS").name == "BUS 40, Fremont Bridge")
    }

    @Test func aHoleBetweenLegsIsNoWay() throws {
        func reply(
            _ first: ArraySlice<(Double, Double)>, _ second: ArraySlice<(Double, Double)>
        ) -> String {
            "{\"plan\": {\"itineraries\": [{\"legs\": [\(leg("CAR", first, 0, 300)), \(leg("CAR", second, 300, 300))]}]}}"
        }
        #expect(try refusal(reply(Self.line[0..<2], Self.line[2...])).contains("legs must touch"))
        // Of a street's width, but over water.
        let north = [(47.6522, -122.3499), (47.6480, -122.3497)],
            south = [(47.6471, -122.3497), (47.6325, -122.3400)]
        #expect(try refusal(reply(north[...], south[...])).contains("legs must touch"))
        let good = try read(reply(Self.line[0..<2], Self.line[1...]))
        #expect(good.routes[0].crossings == [fremont])
        #expect(
            good.notes == ["plan.itineraries: all are ranked as if they left at the time asked for"]
        )
    }

    @Test func anEmptyEdgeCostsItselfOnly() throws {
        let candidates = try read(
            "{\"data\": {\"planConnection\": {\"edges\": [null, {\"node\": null}, {\"node\": \(itinerary)}]}}}"
        )
        #expect(candidates.routes.count == 1)
        #expect(
            candidates.notes.contains {
                $0.hasPrefix("data.planConnection.edges[1].node.legs: are missing")
            })
    }

    @Test func aLegWithoutADurationIsNoWay() throws {
        let leg = """
            {"mode": "BUS", "startTime": 1771617600000, "legGeometry": {"points": "\(encoded(Self.line))"}}
            """
        let words = try refusal(
            "{\"plan\": {\"itineraries\": [{\"duration\": 600, \"legs\": [\(leg)]}]}}")
        #expect(words.contains("plan.itineraries[0].legs[0].duration: is missing"), "\(words)")
    }

    // MARK: Mapbox and OSRM

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
        let beside = [Self.line[0], (47.6480, -122.3400), Self.line[4]]
        let candidates = try read(
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(beside))", "duration": 600, "distance": 2400,
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
            wrong.notes.contains { $0.contains("its annotations ") && $0.contains("not used") })
        #expect(minutes(wrong.routes[0])[0] > 1)
    }

    // MARK: what is set aside

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

    /// A leg or a part may lie far away, as long as the whole passes; in whatever precision.
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
            line.pieceSeconds(of: [LineStretch(0, 2, 60), LineStretch(2, 4, 30)])?.reduce(0, +)
                == 90)
        #expect(line.pieceSeconds(of: [LineStretch(0, 4, 60), LineStretch(0, 4, 30)]) == nil)
        #expect(line.pieceSeconds(of: [LineStretch(0, 5, 60)]) == nil)
        #expect(line.pieceSeconds(of: [LineStretch(3, 2, 60)]) == nil)
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
        let (north, south) = (Array(Self.line[0..<2]), Array(Self.line[2...]))
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

    @Test(arguments: [
        (
            "{\"message\": \"Point 0 is out of bounds\", \"hints\": [{\"message\": \"x\"}]}",
            "Point 0 is out of bounds"
        ),
        ("{\"message\": \"Not Authorized - Invalid Token\"}", "Not Authorized - Invalid Token"),
        (
            "{\"code\": \"InvalidInput\", \"message\": \"Too many coordinates\"}",
            "InvalidInput: Too many coordinates"
        ),
        (
            "{\"error_code\": 171, \"error\": \"No suitable edges near location\", \"status_code\": 400}",
            "No suitable edges"
        ),
        (
            "{\"error\": {\"id\": 404, \"msg\": \"No trip found.\", \"message\": \"PATH_NOT_FOUND\"}}",
            "PATH_NOT_FOUND: No trip found."
        ),
        (
            "{\"plan\": {\"itineraries\": []}, \"error\": {\"id\": 404, \"msg\": \"No trip found.\"}}",
            "No trip found."
        ),
        (
            "{\"data\": {\"planConnection\": {\"edges\": [], \"routingErrors\": [{\"code\": \"OUTSIDE_BOUNDS\"}]}}}",
            "OUTSIDE_BOUNDS"
        ),
        ("{\"errors\": [{\"message\": \"Validation error\"}]}", "Validation error"),
        ("{\"error\": {}}", "an error without words"),
        ("{\"errors\": [{}]}", "an error without words"),
        (
            "{\"error\": {\"code\": 2009, \"message\": \"Route could not be found\"}, \"info\": {}}",
            "Route could not be found"
        ),
        (
            "{\"status\": \"ZERO_RESULTS\", \"routes\": [], \"geocoded_waypoints\": []}",
            "ZERO_RESULTS"
        ),
        (
            "{\"routes\": [], \"notices\": [{\"title\": \"No route\", \"code\": \"noRouteFound\", \"severity\": \"critical\"}]}",
            "noRouteFound"
        ),
        (
            "{\"routes\": [{\"polyline\": {\"encodedPolyline\": \"a\"}, \"duration\": \"60s\"}]}",
            "Google's Routes API"
        ),
        (
            "{\"status\": \"OK\", \"routes\": [{\"overview_polyline\": {\"points\": \"a\"}, \"legs\": []}]}",
            "Google's Directions API"
        ),
        ("{\"routes\": [{\"id\": \"x\", \"sections\": [{\"polyline\": \"BF\"}]}]}", "HERE"),
        (
            "{\"formatVersion\": \"0.0.12\", \"routes\": [{\"legs\": [], \"summary\": {}}]}",
            "TomTom"
        ),
        ("{\"code\": \"Ok\", \"durations\": [[0]]}", "a table of travel times"),
        ("{\"type\": \"GeometryCollection\", \"geometries\": []}", "a GeoJSON GeometryCollection"),
        ("{\"anything\": 1}", "holds no \"routes\""), ("{}", "holds no \"routes\""),
        ("{\"message\": \"\\u001b[2J\\u001b[31mred\"}", "[31mred"),
    ])
    func whatAServiceSaysInsteadIsTold(_ example: (String, String)) throws {
        let words = try refusal(example.0)
        #expect(words.contains(example.1), "\(words)")
        #expect(!words.unicodeScalars.contains { $0.value < 32 })
    }

    // MARK: anything

    /// Values of documents put in other places, and other values in theirs: an answer or a typed error, never an
    /// end of the process.
    @Test func mixedUpRepliesAreReadOrRefused() throws {
        var random = SeededGenerator(seed: 14)
        let documents = [
            path(
                "\"\(encoded(Self.line))\"",
                "\"details\": \(details), \"instructions\": \(instructions), \"points_encoded_multiplier\": 100000.0"
            ),
            "{\"plan\": {\"itineraries\": [\(itinerary), \(itinerary)]}}",
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(Self.line))", "duration": 600, "legs": [{"duration": 600,
              "annotation": {"duration": [100, 60, 200, 240]}, "steps": [{"distance": 600, "duration": 160,
              "maneuver": {"type": "depart"}, "geometry": "\(encoded(Self.line))"}]}]}]}
            """,
            """
            {"trip": {"legs": [{"shape": "\(encoded(Self.line, 6))", "summary": {"time": 420},
              "maneuvers": [{"time": 420, "length": 2, "begin_shape_index": 0, "end_shape_index": 4}]}]}}
            """,
            """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"duration": 600},
              "geometry": {"type": "MultiLineString", "coordinates": [\(coordinates(Self.line))]}}]}
            """,
        ].map { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
        let odd: [Any] = [
            NSNull(), -1, 0, 1e300, -1e300, 1e-300, true, "", "\u{1b}[2J", [Any](), [String: Any](),
            [[1]],
            9_223_372_036_854_775_807, "nan", [[0, 4, 1e300]], [NSNull()],
        ]
        func changed(_ value: Any, _ depth: Int) -> Any {
            if Int.random(in: 0..<12, using: &random) == 0, depth > 0 {
                return odd.randomElement(using: &random) ?? 0
            }
            if let object = value as? [String: Any] {
                return Dictionary(
                    uniqueKeysWithValues: object.sorted { $0.key < $1.key }.map {
                        ($0.key, changed($0.value, depth + 1))
                    })
            }
            return (value as? [Any]).map { $0.map { changed($0, depth + 1) } } ?? value
        }
        var (read, refused) = (0, 0)
        for round in 0..<5_000 {
            let document = try #require(documents[round % documents.count])
            let data = try JSONSerialization.data(withJSONObject: changed(document, 0))
            do throws(DocumentProblem) {
                let candidates = try CandidateFile.candidates(data, mode: .car)
                read += 1
                for route in candidates.routes {
                    #expect(minutes(route).allSatisfy { $0 >= 0 && $0 <= 1_440 })
                }
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        #expect(read > 500 && refused > 500)
    }
}
