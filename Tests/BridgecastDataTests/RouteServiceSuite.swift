// What the suites of route services share: replies of GraphHopper and OpenTripPlanner, and what is read from replies.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

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
        _ mode: String, _ points: ArraySlice<(Double, Double)>, _ start: Int, _ seconds: Int
    ) -> String {
        """
        {"mode": "\(mode)", "startTime": \(1_771_617_600_000 + start * 1000), "duration": \(seconds).0,
         "routeShortName": "\(mode == "BUS" ? "40" : "")",
         "legGeometry": {"points": "\(encoded(Array(points)))", "length": \(points.count)}}
        """
    }

    var itinerary: String {
        // Walk, wait two minutes, cross by bus.
        let legs = [leg("WALK", Self.line[0..<2], 0, 240), leg("BUS", Self.line[1...], 360, 400)]
        return "{\"duration\": 760, \"legs\": [\(legs.joined(separator: ","))]}"
    }
}
