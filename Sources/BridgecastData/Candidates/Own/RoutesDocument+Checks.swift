// What our own form of candidate routes means, and what is wrong with it.
internal import BridgecastCore

extension RoutesDocument {
    /// The routes of the document.
    ///
    /// - Throws: ``DocumentProblem`` with the route, the step and the field.
    func checkedRoutes() throws(DocumentProblem) -> [Route] {
        guard !routes.isEmpty else { throw DocumentProblem("routes", "there are none") }
        guard routes.count <= RoutesFile.mostRoutes else {
            throw DocumentProblem(
                "routes",
                "\(routes.count) of them, at most \(RoutesFile.mostRoutes) at once; split the file")
        }
        var ids: Set<String> = []
        var found: [Route] = []
        ids.reserveCapacity(routes.count)
        found.reserveCapacity(routes.count)
        for (number, entry) in routes.enumerated() {
            let (entry, place) = (entry.object, Place(route: number))
            guard !entry.id.isEmpty else { throw place.problem("id", words: "is empty") }
            guard ids.insert(entry.id).inserted else {
                throw place.problem("id", words: "'\(printable(entry.id, most: 40))' stands twice")
            }
            found.append(try entry.route(place))
        }
        return found
    }

    /// Where a check is; it becomes text only where something is wrong, for there are thirty thousand steps.
    fileprivate struct Place {
        let route: Int
        var step: Int?

        /// What is wrong here, or with a field here.
        func problem(_ field: String = "", words: String) -> DocumentProblem {
            let step = step.map { ".steps[\($0)]" } ?? ""
            return DocumentProblem(
                "routes[\(route)]\(step)" + (field.isEmpty ? "" : ".\(field)"), words)
        }
    }
}

extension RoutesDocument.Entry {
    /// The most steps of one route.
    private static let mostSteps = 100

    fileprivate func route(_ place: RoutesDocument.Place) throws(DocumentProblem) -> Route {
        let mode = try statedMode(place)
        guard (1...Self.mostSteps).contains(steps.count) else {
            throw place.problem(
                "steps", words: "\(steps.count) steps; 1 to \(Self.mostSteps) allowed")
        }
        var found: [Route.Step] = []
        found.reserveCapacity(steps.count)
        for (number, step) in steps.enumerated() {
            found.append(
                try step.object.step(RoutesDocument.Place(route: place.route, step: number)))
        }
        let route = Route(
            id: id, name: name, origin: origin, destination: destination, mode: mode, steps: found)
        guard route.meanTravelMinutes <= RoutesDocument.Step.longestMinutes else {
            throw place.problem("steps", words: "take more than a day in all")
        }
        try checkCycles(of: route, place)
        return route
    }

    private func statedMode(_ place: RoutesDocument.Place) throws(DocumentProblem) -> Route.Mode {
        guard let mode else { return .car }
        guard let known = Route.Mode(rawValue: mode) else {
            let modes = Route.Mode.allCases.map(\.rawValue).joined(separator: ", ")
            throw place.problem(
                "mode", words: "'\(printable(mode, most: 40))' is not one of \(modes)")
        }
        return known
    }

    private func checkCycles(
        of route: Route, _ place: RoutesDocument.Place
    ) throws(DocumentProblem) {
        if let bridge = firstRepeated(in: route.crossings) {
            throw place.problem(
                "steps", words: "goes in a circle: \(BridgeCatalogue[bridge].name) twice")
        }
        let places = steps.compactMap(\.object.to)
        if !places.isEmpty, let repeated = firstRepeated(in: [route.origin] + places) {
            throw place.problem(
                "steps", words: "goes in a circle: through '\(printable(repeated, most: 40))' twice"
            )
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
    /// The longest step and the longest route, minutes.
    fileprivate static let longestMinutes = 1_440.0
    /// The widest spread of a step, minutes.
    private static let widestSpreadMinutes = 60.0
    /// Spread of a step that states none, as a share of its mean.
    private static let usualSpread = 0.15

    fileprivate func step(_ place: RoutesDocument.Place) throws(DocumentProblem) -> Route.Step {
        if let bridge {
            guard minutes == nil, spread == nil else {
                throw place.problem(
                    words: "is either a bridge or a stretch with minutes, not both")
            }
            return .crossing(try Self.bridge(named: bridge, place))
        }
        guard let minutes else { throw place.problem(words: "needs \"minutes\" or \"bridge\"") }
        guard (0...Self.longestMinutes).contains(minutes) else {
            throw place.problem(
                "minutes", words: "\(minutes) does not lie between 0 and 1440")
        }
        let widest = min(minutes, Self.widestSpreadMinutes)
        let spread = spread ?? min(minutes * Self.usualSpread, widest)
        guard spread >= 0, spread <= widest else {
            throw place.problem(
                "spread", words: "\(spread) does not lie between 0 and \(widest)")
        }
        return .travel(Route.Travel(meanMinutes: minutes, spreadMinutes: spread))
    }

    private static func bridge(
        named name: String, _ place: RoutesDocument.Place
    ) throws(DocumentProblem) -> BridgeIndex {
        guard let bridge = BridgeCatalogue.index(named: name) else {
            let names = BridgeCatalogue.seattle.map(\.name).joined(separator: ", ")
            throw place.problem(
                "bridge", words: "unknown bridge '\(printable(name, most: 40))' (known: \(names))")
        }
        return bridge
    }
}
