// When a candidate reaches its bridge: by steps, legs or annotations, and by the mode where there is no duration.
import BridgecastCore
@testable import BridgecastData
import Testing

@Suite struct CandidateTimeTests: RouteServiceSuite {
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
}
