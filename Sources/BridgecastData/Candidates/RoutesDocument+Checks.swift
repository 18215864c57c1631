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
        for (number, entry) in routes.enumerated() {
            let (entry, place) = (entry.object, "routes[\(number)]")
            guard !entry.id.isEmpty else { throw DocumentProblem("\(place).id", "is empty") }
            guard ids.insert(entry.id).inserted else {
                throw DocumentProblem(
                    "\(place).id", "'\(printable(entry.id, most: 40))' stands twice")
            }
            found.append(try entry.route(place))
        }
        return found
    }
}

extension RoutesDocument.Entry {
    /// The most steps of one route.
    private static let mostSteps = 100

    fileprivate func route(_ place: String) throws(DocumentProblem) -> Route {
        let mode = try statedMode("\(place).mode")
        guard (1...Self.mostSteps).contains(steps.count) else {
            throw DocumentProblem(
                "\(place).steps", "\(steps.count) steps; 1 to \(Self.mostSteps) allowed")
        }
        var found: [Route.Step] = []
        for (number, step) in steps.enumerated() {
            found.append(try step.object.step("\(place).steps[\(number)]"))
        }
        let route = Route(
            id: id, name: name, origin: origin, destination: destination, mode: mode, steps: found)
        guard route.meanTravelMinutes <= RoutesDocument.Step.longestMinutes else {
            throw DocumentProblem("\(place).steps", "take more than a day in all")
        }
        try checkCycles(of: route, "\(place).steps")
        return route
    }

    private func statedMode(_ place: String) throws(DocumentProblem) -> Route.Mode {
        guard let mode else { return .car }
        guard let known = Route.Mode(rawValue: mode) else {
            let modes = Route.Mode.allCases.map(\.rawValue).joined(separator: ", ")
            throw DocumentProblem(
                place, "'\(printable(mode, most: 40))' is not one of \(modes)")
        }
        return known
    }

    private func checkCycles(of route: Route, _ place: String) throws(DocumentProblem) {
        var bridges: Set<BridgeIndex> = []
        for bridge in route.crossings where !bridges.insert(bridge).inserted {
            throw DocumentProblem(
                place, "goes in a circle: \(BridgeCatalogue[bridge].name) twice")
        }
        var places: Set<String> = [route.origin]
        for to in steps.compactMap(\.object.to) where !places.insert(to).inserted {
            throw DocumentProblem(
                place, "goes in a circle: through '\(printable(to, most: 40))' twice")
        }
    }
}

extension RoutesDocument.Step {
    /// The longest step and the longest route, minutes.
    fileprivate static let longestMinutes = 1_440.0
    /// The widest spread of a step, minutes.
    private static let widestSpreadMinutes = 60.0
    /// Spread of a step that states none, as a share of its mean.
    private static let usualSpread = 0.15

    fileprivate func step(_ place: String) throws(DocumentProblem) -> Route.Step {
        if let bridge {
            guard minutes == nil, spread == nil else {
                throw DocumentProblem(
                    place, "is either a bridge or a stretch with minutes, not both")
            }
            return .crossing(try Self.bridge(named: bridge, "\(place).bridge"))
        }
        guard let minutes else { throw DocumentProblem(place, "needs \"minutes\" or \"bridge\"") }
        guard (0...Self.longestMinutes).contains(minutes) else {
            throw DocumentProblem(
                "\(place).minutes", "\(minutes) does not lie between 0 and 1440")
        }
        let widest = min(minutes, Self.widestSpreadMinutes)
        let spread = spread ?? min(minutes * Self.usualSpread, widest)
        guard spread >= 0, spread <= widest else {
            throw DocumentProblem(
                "\(place).spread", "\(spread) does not lie between 0 and \(widest)")
        }
        return .travel(Route.Travel(meanMinutes: minutes, spreadMinutes: spread))
    }

    private static func bridge(
        named name: String, _ place: String
    ) throws(DocumentProblem) -> BridgeIndex {
        guard let bridge = BridgeCatalogue.index(named: name) else {
            let names = BridgeCatalogue.seattle.map(\.name).joined(separator: ", ")
            throw DocumentProblem(
                place, "unknown bridge '\(printable(name, most: 40))' (known: \(names))")
        }
        return bridge
    }
}
