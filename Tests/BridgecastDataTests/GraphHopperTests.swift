// GraphHopper's paths as candidates: lines in every form, with heights or without, and the times of their pieces.
import BridgecastCore
@testable import BridgecastData
import Testing

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
}
