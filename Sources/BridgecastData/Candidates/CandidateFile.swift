// Candidate routes from elsewhere: which format a file is in, and what it holds.
public import BridgecastCore
public import Foundation

/// Candidate routes as read.
public struct CandidateRoutes: Sendable {
    /// The routes.
    public let routes: [Route]
    /// What was corrected, estimated or set aside, for people.
    public let notes: [String]
}

/// Reads candidates: our JSON, GeoJSON lines, and the route replies of OSRM, Mapbox, Valhalla, GraphHopper,
/// OpenTripPlanner and openrouteservice, told apart by what is in them.
///
/// Crossings are found by geometry, and when they are reached by the reply's own durations. A candidate that
/// cannot be used is set aside with its reason in the notes; only a file of which nothing is left is refused.
public enum CandidateFile {
    /// Points a file may hold in all.
    package static let mostPoints = 1_000_000

    /// What is read, for messages.
    static let formats =
        "our own routes, GeoJSON lines, and replies of OSRM, Mapbox, Valhalla, GraphHopper, "
        + "OpenTripPlanner and openrouteservice"

    /// Reads a file.
    ///
    /// - Parameter mode: How one travels on lines, which do not say.
    /// - Throws: ``DocumentError``.
    public static func read(_ url: URL, mode: Route.Mode) throws(DocumentError) -> CandidateRoutes {
        try read(try InputFile(url), mode: mode)
    }

    /// Reads candidates that are in memory, such as the reply of a route service.
    ///
    /// - Parameters:
    ///   - mode: How one travels on lines, which do not say.
    ///   - name: What to call them in messages.
    /// - Throws: ``DocumentError``.
    public static func read(
        _ data: Data, mode: Route.Mode, name: String = "candidates"
    ) throws(DocumentError) -> CandidateRoutes {
        try read(try InputFile(data, name: name), mode: mode)
    }

    private static func read(
        _ input: InputFile, mode: Route.Mode
    ) throws(DocumentError) -> CandidateRoutes {
        let data = Data(input.bytes)
        do {
            if let candidates = try lines(data, mode: mode) { return candidates }
        } catch {
            throw DocumentError(DocumentProblem("", error.description), in: input.path)
        }
        return CandidateRoutes(routes: try RoutesFile.routes(data, path: input.path), notes: [])
    }

    /// Reads lines; nil if the data looks like our own format.
    static func lines(
        _ data: Data, mode: Route.Mode
    ) throws(CandidateMistake) -> CandidateRoutes? {
        guard let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        else {
            throw CandidateMistake(
                "the file", "is not valid JSON, is cut short, or holds a number beyond 1e308")
        }
        guard let value = json as? [String: Any] else {
            let what = json is [Any] ? "a JSON array" : "a bare JSON value"
            throw CandidateMistake(
                "the file", "is \(what), not an object with routes; Bridgecast reads \(formats)")
        }
        var reader = CandidateReader(mode: mode)
        if value["trip"] != nil {
            try reader.addValhalla(value)
        } else if let type = value["type"] as? String, GeoJSONType(rawValue: type) != nil {
            try reader.addGeoJSON(value)
        } else if let paths = value["paths"] as? [Any] {
            try reader.addGraphHopper(paths)
        } else if let plan = OpenTripPlannerPlan(value), !plan.itineraries.isEmpty {
            try reader.addOpenTripPlanner(plan)
        } else if let answer = ForeignReply.refusal(in: value) {
            throw CandidateMistake("the file", answer)
        } else if value["code"] as? String == "Ok" || isLikeOSRM(value["routes"]) {
            try reader.addOSRM(value)
        } else if value["routes"] is [Any] {
            return nil
        } else {
            throw CandidateMistake("the file", "holds no \"routes\"; Bridgecast reads \(formats)")
        }
        return try reader.result()
    }

    private static func isLikeOSRM(_ routes: Any?) -> Bool {
        (routes as? [[String: Any]] ?? []).contains { $0["legs"] != nil || $0["geometry"] != nil }
    }
}

/// Where in a file something is wrong, and what.
struct CandidateMistake: Error, CustomStringConvertible {
    let place: String
    let problem: String
    /// Whether the whole file is refused for it.
    let isFatal: Bool

    init(_ place: String, _ problem: String, isFatal: Bool = false) {
        (self.place, self.problem, self.isFatal) = (place, problem, isFatal)
    }

    var description: String { "\(place): \(problem)" }
}
