// Replies of route services as tests write them; shared by the tests of candidates.
import BridgecastCore
@testable import BridgecastData
import Foundation
import Testing

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
        var (lastLatitude, lastLongitude) = (0, 0)
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
            (lastLatitude, lastLongitude) = (north, east)
        }
        return text.replacingOccurrences(of: "\\", with: "\\\\")
    }

    /// Coordinates as GeoJSON has them.
    static func geoJSON(_ points: [(Double, Double)], swapped: Bool = false) -> String {
        points.map { swapped ? "[\($0.0), \($0.1)]" : "[\($0.1), \($0.0)]" }.joined(separator: ", ")
    }
}
