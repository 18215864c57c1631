// Candidate routes from elsewhere: which format a file is in, and what it holds.
public import BridgecastCore
public import Foundation

/// Candidate routes as read.
public struct CandidateRoutes: Sendable {
    /// The routes.
    public let routes: [Route]
    /// What was corrected or estimated, for people.
    public let notes: [String]
}

/// Reads candidates: our JSON, GeoJSON lines, route responses of OSRM and of Valhalla, told apart by what
/// is in them.
///
/// Crossings are found by geometry, and when they are reached by the response's own durations.
public enum CandidateFile {
    /// Points a file may hold in all.
    public static let mostPoints = 1_000_000

    /// Reads a file.
    ///
    /// - Parameter mode: How one travels on lines, which do not say.
    /// - Throws: ``RecordFileError``.
    public static func read(_ url: URL, mode: Route.Mode) throws(RecordFileError) -> CandidateRoutes
    {
        let input = try InputFile(url)
        let data = Data(input.text)
        do {
            if let candidates = try read(data, mode: mode) { return candidates }
        } catch {
            throw RecordFileError(.content, path: input.path, reason: error.description)
        }
        return CandidateRoutes(routes: try RoutesFile.routes(data, path: input.path), notes: [])
    }

    /// Reads lines; nil if the data is none of the formats with lines.
    static func read(
        _ data: Data, mode: Route.Mode
    ) throws(CandidateMistake) -> CandidateRoutes? {
        guard let value = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            return nil
        }
        var reader = CandidateReader(mode: mode)
        if value["trip"] != nil {
            try reader.addValhalla(value)
        } else if let type = value["type"] as? String, GeoJSONType(rawValue: type) != nil {
            try reader.addGeoJSON(value, "")
        } else if let code = value["code"] as? String {
            guard code == "Ok" else {
                throw CandidateMistake(
                    "code", "the route service answered \(printable(code, most: 80)), no routes")
            }
            try reader.addOSRM(value)
        } else if let routes = value["routes"] as? [[String: Any]],
            routes.contains(where: { $0["legs"] != nil || $0["geometry"] != nil })
        {
            try reader.addOSRM(value)
        } else {
            return nil
        }
        guard !reader.routes.isEmpty else { throw CandidateMistake("the file", "holds no route") }
        return CandidateRoutes(routes: reader.routes, notes: reader.notes)
    }
}

/// Types of GeoJSON that can hold a route (RFC 7946).
enum GeoJSONType: String {
    case featureCollection = "FeatureCollection"
    case feature = "Feature"
    case lineString = "LineString"
    case multiLineString = "MultiLineString"
}

/// Where in a file something is wrong, and what.
struct CandidateMistake: Error, CustomStringConvertible {
    let place: String
    let problem: String

    init(_ place: String, _ problem: String) {
        (self.place, self.problem) = (place, problem)
    }

    var description: String { "\(place): \(problem)" }
}
