// What services report instead of routes, replies of other formats, and the formats of single services.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastData
@testable import BridgecastRouting
@testable import BridgecastSupport

@Suite struct ServiceMessageTests: RouteServiceSuite {
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
        ("{\"error\": {}}", "an error without a message"),
        ("{\"errors\": [{}]}", "an error without a message"),
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
    func aServicesErrorMessageIsReported(_ example: (String, String)) throws {
        let words = try refusal(example.0)
        #expect(words.contains(example.1), "\(words)")
        #expect(!words.unicodeScalars.contains { $0.value < 32 })
    }
}

@Suite struct MixedUpReplyTests: RouteServiceSuite {
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
        var read = 0
        var refused = 0
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

@Suite struct GraphHopperTests: RouteServiceSuite {
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
    @Test(arguments: [4, 5, 36]) func heightsAreRecognisedByTheLength(_ count: Int) throws {
        // The line in `count` points.
        let line = (0..<count).map { index -> (Double, Double) in
            let position = Double(index) / Double(count - 1) * Double(Self.line.count - 1)
            let piece = min(Int(position), Self.line.count - 2)
            let share = position - Double(piece)
            let a = Self.line[piece]
            let b = Self.line[piece + 1]
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
}

@Suite struct OpenTripPlannerTests: RouteServiceSuite {
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
                "{\"plan\": {\"itineraries\": [{\"duration\": 600, \"legs\": [\(leg(mode, Self.line[...], start: 0, seconds: 600))]}]}}"
            ).routes[0]
        }
        #expect(try route("RAIL").crossings.isEmpty)
        #expect(try route("WALK").mode == .walk && route("WALK").crossings == [fremont])
        #expect(try route("BICYCLE").mode == .bike)
        #expect(try route("BUS").mode == .car && route("BUS").name == "BUS 40, Fremont Bridge")
    }

    @Test func aGapBetweenLegsGivesNoRoute() throws {
        func reply(
            _ first: ArraySlice<(Double, Double)>, _ second: ArraySlice<(Double, Double)>
        ) -> String {
            let legs = [
                leg("CAR", first, start: 0, seconds: 300),
                leg("CAR", second, start: 300, seconds: 300),
            ]
            return "{\"plan\": {\"itineraries\": [{\"legs\": [\(legs.joined(separator: ", "))]}]}}"
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

    @Test func aLegWithoutADurationGivesNoRoute() throws {
        let leg = """
            {"mode": "BUS", "startTime": 1771617600000, "legGeometry": {"points": "\(encoded(Self.line))"}}
            """
        let words = try refusal(
            "{\"plan\": {\"itineraries\": [{\"duration\": 600, \"legs\": [\(leg)]}]}}")
        #expect(words.contains("plan.itineraries[0].legs[0].duration: is missing"), "\(words)")
    }
}

/// A suite that reads what route services reply.
protocol RouteServiceSuite {}

extension RouteServiceSuite {
    static var line: [(Double, Double)] { CandidateText.line }
    var fremont: BridgeIndex { Fixtures.bridge("Fremont") }

    func read(_ text: String, mode: Route.Mode = .car) throws -> CandidateRoutes {
        try CandidateText.read(text, mode: mode)
    }

    func refusal(_ text: String) throws -> String {
        let error = #expect(throws: DocumentProblem.self) {
            try CandidateFile.candidates(Data(text.utf8), mode: .car)
        }
        return error.map(String.init(describing:)) ?? ""
    }

    func minutes(_ route: Route) -> [Double] { CandidateText.minutes(route) }

    func encoded(_ line: [(Double, Double)], _ precision: Int = 5) -> String {
        CandidateText.encoded(line, precision: precision)
    }

    func coordinates(_ line: [(Double, Double)]) -> String {
        "[\(CandidateText.geoJSON(line))]"
    }
}

// MARK: GraphHopper

extension RouteServiceSuite {
    /// The pieces take 100, 60, 200 and 240 s.
    var details: String {
        "{\"time\": [[0, 1, 100000], [1, 2, 60000], [2, 3, 200000], [3, 4, 240000]]}"
    }
    var instructions: String {
        """
        [{"interval": [0, 2], "time": 160000, "distance": 600, "street_name": "Fremont Avenue North"},
         {"interval": [2, 4], "time": 440000, "distance": 1800, "street_name": "Westlake Avenue North"},
         {"interval": [4, 4], "time": 0, "distance": 0, "street_name": ""}]
        """
    }

    func path(_ points: String, _ more: String) -> String {
        "{\"hints\": {}, \"paths\": [{\"distance\": 2400, \"time\": 600000, \"points\": \(points), \(more)}]}"
    }
}

// MARK: OpenTripPlanner

extension RouteServiceSuite {
    func leg(
        _ mode: String, _ points: ArraySlice<(Double, Double)>, start: Int, seconds: Int
    ) -> String {
        """
        {"mode": "\(mode)", "startTime": \(1_771_617_600_000 + start * 1000), "duration": \(seconds).0,
         "routeShortName": "\(mode == "BUS" ? "40" : "")",
         "legGeometry": {"points": "\(encoded(Array(points)))", "length": \(points.count)}}
        """
    }

    var itinerary: String {
        // Walk, wait two minutes, cross by bus.
        let legs = [
            leg("WALK", Self.line[0..<2], start: 0, seconds: 240),
            leg("BUS", Self.line[1...], start: 360, seconds: 400),
        ]
        return "{\"duration\": 760, \"legs\": [\(legs.joined(separator: ","))]}"
    }
}
