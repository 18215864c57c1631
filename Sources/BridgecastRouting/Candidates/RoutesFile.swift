// Our own form of candidate routes; an error names the route, the step and the field.
public import BridgecastCore
public import BridgecastSupport
public import Foundation

/// Reads route files: `{"routes": [{id, name, origin, destination, mode, steps}]}`.
///
/// A text `about` beside the routes is for people. A field of another name is refused.
///
/// A step is `{"minutes": mean, "spread": standard deviation, "to": place}` (`spread` and `to` are
/// optional; a missing spread is 15 % of the mean) or `{"bridge": name or id}`.
public enum RoutesFile {
    /// Routes that one file may have.
    public static let maxRoutes = 10_000

    /// Reads the content of a file.
    ///
    /// - Parameter path: Named in errors.
    /// - Throws: ``DocumentError``.
    public static func routes(_ data: Data, path: String) throws(DocumentError) -> [Route] {
        do throws(DocumentProblem) {
            if let document = OwnRoutesReader.document(data.span) {
                return try document.checkedRoutes()
            }
            return try decodedRoutes(data)
        } catch {
            throw DocumentError(error, in: path)
        }
    }

    /// The routes of a document, by the decoder alone.
    static func decodedRoutes(_ data: Data) throws(DocumentProblem) -> [Route] {
        try JSONDocument.decoded(StrictObject<RoutesDocument>.self, from: data).object
            .checkedRoutes()
    }
}

// MARK: - The document

struct RoutesDocument: StrictDecodable {
    /// For people; anything may stand there.
    @LenientValue var about: String?
    let routes: [StrictObject<Entry>]

    enum CodingKeys: CodingKey, CaseIterable { case about, routes }

    struct Entry: StrictDecodable {
        let id: String
        let name: String
        let origin: String
        let destination: String
        let mode: String?
        let steps: [StrictObject<Step>]

        enum CodingKeys: CodingKey, CaseIterable { case id, name, origin, destination, mode, steps }
    }

    struct Step: StrictDecodable {
        let minutes: Double?
        let spread: Double?
        let to: String?
        let bridge: String?

        enum CodingKeys: CodingKey, CaseIterable { case minutes, spread, to, bridge }
    }
}

// MARK: - Checks

extension RoutesDocument {
    /// - Throws: ``DocumentProblem`` with the route, the step and the field.
    func checkedRoutes() throws(DocumentProblem) -> [Route] {
        guard !routes.isEmpty else { throw DocumentProblem("routes", "there are none") }
        guard routes.count <= RoutesFile.maxRoutes else {
            throw DocumentProblem(
                "routes",
                "\(routes.count) of them, at most \(RoutesFile.maxRoutes) at once; split the file")
        }
        var ids: Set<String> = []
        var found: [Route] = []
        ids.reserveCapacity(routes.count)
        found.reserveCapacity(routes.count)
        for (number, entry) in routes.enumerated() {
            let entry = entry.object
            let location = Location(route: number)
            guard !entry.id.isEmpty else { throw location.problem("id", message: "is empty") }
            guard ids.insert(entry.id).inserted else {
                throw location.problem(
                    "id", message: "'\(printable(entry.id, maxLength: 40))' appears twice")
            }
            found.append(try entry.route(location))
        }
        return found
    }

    /// Where a check is; it becomes text only for an error, because files have thousands of steps.
    fileprivate struct Location {
        let route: Int
        var step: Int?

        /// What is wrong here, or with a field here.
        func problem(_ field: String = "", message: String) -> DocumentProblem {
            let step = step.map { ".steps[\($0)]" } ?? ""
            return DocumentProblem(
                "routes[\(route)]\(step)" + (field.isEmpty ? "" : ".\(field)"), message)
        }
    }
}

extension RoutesDocument.Entry {
    private static let maxSteps = RouteSet.maxSteps

    fileprivate func route(_ location: RoutesDocument.Location) throws(DocumentProblem) -> Route {
        let mode = try statedMode(location)
        guard (1...Self.maxSteps).contains(steps.count) else {
            throw location.problem(
                "steps", message: "\(steps.count) steps; 1 to \(Self.maxSteps) allowed")
        }
        var found: [Route.Step] = []
        found.reserveCapacity(steps.count)
        for (number, step) in steps.enumerated() {
            found.append(
                try step.object.step(RoutesDocument.Location(route: location.route, step: number)))
        }
        let route = Route(
            id: id, name: name, origin: origin, destination: destination, mode: mode, steps: found)
        guard route.meanTravelMinutes <= RouteSet.maxMinutes else {
            throw location.problem("steps", message: "take more than a day in all")
        }
        try checkCycles(of: route, location)
        return route
    }

    private func statedMode(
        _ location: RoutesDocument.Location
    ) throws(DocumentProblem) -> Route.Mode {
        guard let mode else { return .car }
        guard let known = Route.Mode(rawValue: mode) else {
            let modes = Route.Mode.allCases.map(\.rawValue).joined(separator: ", ")
            throw location.problem(
                "mode", message: "'\(printable(mode, maxLength: 40))' is not one of \(modes)")
        }
        return known
    }

    private func checkCycles(
        of route: Route, _ location: RoutesDocument.Location
    ) throws(DocumentProblem) {
        if let bridge = firstRepeated(in: route.crossings) {
            throw location.problem(
                "steps", message: "goes in a circle: \(BridgeCatalogue[bridge].name) twice")
        }
        let places = steps.compactMap(\.object.to)
        if !places.isEmpty, let repeated = firstRepeated(in: [route.origin] + places) {
            throw location.problem(
                "steps",
                message: "goes in a circle: through '\(printable(repeated, maxLength: 40))' twice")
        }
    }

    /// The first that is the same as one before it; few are compared with each other, which needs no memory.
    private func firstRepeated<Element: Hashable>(in elements: [Element]) -> Element? {
        guard elements.count <= 8 else {
            var found: Set<Element> = []
            return elements.first { !found.insert($0).inserted }
        }
        return elements.indices.first { elements[..<$0].contains(elements[$0]) }
            .map { elements[$0] }
    }
}

extension RoutesDocument.Step {
    /// The widest spread of a step, minutes.
    private static let maxSpreadMinutes = 60.0
    /// Spread of a step that states none, as a share of its mean.
    private static let defaultSpread = 0.15

    fileprivate func step(_ location: RoutesDocument.Location) throws(DocumentProblem) -> Route.Step
    {
        if let bridge {
            guard minutes == nil else {
                throw location.problem(
                    message: "is either a bridge or a stretch with minutes, not both")
            }
            guard spread == nil else {
                throw location.problem(
                    "spread", message: "belongs to a stretch with minutes, not to a bridge")
            }
            return .crossing(try Self.bridge(named: bridge, location))
        }
        guard let minutes else {
            throw location.problem(message: "needs \"minutes\" or \"bridge\"")
        }
        guard (0...RouteSet.maxMinutes).contains(minutes) else {
            throw location.problem(
                "minutes",
                message: "\(minutes) is not between 0 and \(Int(RouteSet.maxMinutes))")
        }
        let widest = min(minutes, Self.maxSpreadMinutes)
        let spread = spread ?? min(minutes * Self.defaultSpread, widest)
        guard spread >= 0, spread <= widest else {
            throw location.problem("spread", message: "\(spread) is not between 0 and \(widest)")
        }
        return .travel(Route.Travel(meanMinutes: minutes, spreadMinutes: spread))
    }

    private static func bridge(
        named name: String, _ location: RoutesDocument.Location
    ) throws(DocumentProblem) -> BridgeIndex {
        guard let bridge = BridgeCatalogue.index(named: name) else {
            let names = BridgeCatalogue.seattle.map(\.name).joined(separator: ", ")
            throw location.problem(
                "bridge",
                message: "unknown bridge '\(printable(name, maxLength: 40))' (known: \(names))")
        }
        return bridge
    }
}
