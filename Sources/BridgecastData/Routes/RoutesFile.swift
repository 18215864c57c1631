// Candidate routes from JSON; every mistake is named with the route, the step and the field.
public import BridgecastCore
public import Foundation

/// Reads route files: `{"routes": [{id, name, origin, destination, mode, steps}]}`.
///
/// A text `about` beside the routes is for people. A field of another name is refused.
///
/// A step is `{"minutes": mean, "spread": standard deviation, "to": place}` (`spread` and `to` are
/// optional; a missing spread is 15 % of the mean) or `{"bridge": name or id}`.
public enum RoutesFile {
    /// The most routes of one file.
    public static let mostRoutes = 10_000
    /// The most steps of one route.
    static let mostSteps = 100
    /// The longest step and the longest route, minutes.
    static let longestMinutes = 1_440.0
    /// The widest spread of a step, minutes.
    static let widestSpreadMinutes = 60.0
    /// Spread of a step that states none, as a share of its mean.
    static let usualSpread = 0.15

    /// Reads the content of a file.
    ///
    /// - Parameter path: Named in errors.
    /// - Throws: ``RecordFileError``.
    public static func routes(
        _ data: Data, path: String
    ) throws(RecordFileError) -> [Route] {
        do {
            let document = try JSONDecoder().decode(RouteDocument.self, from: data)
            try RouteDocument.checkNames(data)
            return try RouteChecker().routes(document)
        } catch let error as RouteMistake {
            throw RecordFileError(.content, path: path, reason: error.text)
        } catch let error as DecodingError {
            throw RecordFileError(.content, path: path, reason: RouteMistake(error).text)
        } catch {
            throw RecordFileError(.content, path: path, reason: "cannot be read: \(error)")
        }
    }
}

/// What is wrong, and where: `routes[3].steps[1].minutes: ...`.
private struct RouteMistake: Error {
    let text: String

    init(_ place: String, _ problem: String) { text = "\(place): \(problem)" }

    init(_ error: DecodingError) { text = jsonProblem(error) }
}

private struct RouteDocument: Decodable {
    struct Entry: Decodable {
        let id: String
        let name: String
        let origin: String
        let destination: String
        let mode: String?
        let steps: [Step]
    }

    struct Step: Decodable {
        let minutes: Double?
        let spread: Double?
        let to: String?
        let bridge: String?
    }

    let routes: [Entry]

    static func checkNames(_ data: Data) throws {
        func check(_ object: [String: Any], _ known: [String], _ place: String) throws {
            if let problem = unknownField(of: object, known: known) {
                throw RouteMistake(place, problem)
            }
        }
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        try check(json, ["about", "routes"], "the file")
        for (number, route) in (json["routes"] as? [[String: Any]] ?? []).enumerated() {
            let place = "routes[\(number)]"
            try check(route, ["id", "name", "origin", "destination", "mode", "steps"], place)
            for (number, step) in (route["steps"] as? [[String: Any]] ?? []).enumerated() {
                try check(step, ["minutes", "spread", "to", "bridge"], "\(place).steps[\(number)]")
            }
        }
    }
}

private struct RouteChecker {
    func routes(_ document: RouteDocument) throws -> [Route] {
        guard !document.routes.isEmpty else { throw RouteMistake("routes", "there are none") }
        guard document.routes.count <= RoutesFile.mostRoutes else {
            throw RouteMistake(
                "routes",
                "\(document.routes.count) of them, at most \(RoutesFile.mostRoutes) at once; "
                    + "split the file")
        }
        var ids: Set<String> = []
        return try document.routes.enumerated().map { number, entry in
            let place = "routes[\(number)]"
            guard !entry.id.isEmpty else { throw RouteMistake("\(place).id", "is empty") }
            guard ids.insert(entry.id).inserted else {
                throw RouteMistake("\(place).id", "'\(printable(entry.id, most: 40))' stands twice")
            }
            return try route(entry, place)
        }
    }

    private func route(_ entry: RouteDocument.Entry, _ place: String) throws -> Route {
        guard let mode = Route.Mode(rawValue: entry.mode ?? "car") else {
            let modes = Route.Mode.allCases.map(\.rawValue).joined(separator: ", ")
            throw RouteMistake(
                "\(place).mode", "'\(printable(entry.mode ?? "", most: 40))' is not one of \(modes)"
            )
        }
        guard (1...RoutesFile.mostSteps).contains(entry.steps.count) else {
            throw RouteMistake(
                "\(place).steps", "\(entry.steps.count) steps; 1 to \(RoutesFile.mostSteps) allowed"
            )
        }
        let route = Route(
            id: entry.id, name: entry.name, origin: entry.origin, destination: entry.destination,
            mode: mode,
            steps: try entry.steps.enumerated().map { try step($1, "\(place).steps[\($0)]") })
        guard route.meanTravelMinutes <= RoutesFile.longestMinutes else {
            throw RouteMistake("\(place).steps", "take more than a day in all")
        }
        try checkCycles(route, entry, place)
        return route
    }

    private func step(_ step: RouteDocument.Step, _ place: String) throws -> Route.Step {
        if let name = step.bridge {
            guard step.minutes == nil, step.spread == nil else {
                throw RouteMistake(place, "is either a bridge or a stretch with minutes, not both")
            }
            guard let bridge = BridgeCatalogue.index(named: name) else {
                let names = BridgeCatalogue.seattle.map(\.name).joined(separator: ", ")
                throw RouteMistake(
                    "\(place).bridge",
                    "unknown bridge '\(printable(name, most: 40))' (known: \(names))")
            }
            return .crossing(bridge)
        }
        guard let minutes = step.minutes else {
            throw RouteMistake(place, "needs \"minutes\" or \"bridge\"")
        }
        let allowed = 0...RoutesFile.longestMinutes
        guard allowed.contains(minutes) else {
            throw RouteMistake("\(place).minutes", "\(minutes) does not lie between 0 and 1440")
        }
        let widest = min(minutes, RoutesFile.widestSpreadMinutes)
        let spread = step.spread ?? min(minutes * RoutesFile.usualSpread, widest)
        guard spread >= 0, spread <= widest else {
            throw RouteMistake(
                "\(place).spread", "\(spread) does not lie between 0 and \(widest)")
        }
        return .travel(Route.Travel(meanMinutes: minutes, spreadMinutes: spread))
    }

    private func checkCycles(
        _ route: Route, _ entry: RouteDocument.Entry, _ place: String
    ) throws {
        var bridges: Set<BridgeIndex> = []
        for bridge in route.crossings where !bridges.insert(bridge).inserted {
            throw RouteMistake(
                "\(place).steps", "goes in a circle: \(BridgeCatalogue[bridge].name) twice")
        }
        var places: Set<String> = [route.origin]
        for to in entry.steps.compactMap(\.to) where !places.insert(to).inserted {
            throw RouteMistake(
                "\(place).steps", "goes in a circle: through '\(printable(to, most: 40))' twice")
        }
    }
}
