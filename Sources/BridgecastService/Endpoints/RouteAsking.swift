// The ends of a trip that a request names; for the resources that search the roads.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastRoads
internal import HTTPTypes

extension RouteRequest {
    /// The ways between the places that a request names.
    ///
    /// - Throws: ``Problem`` that names the parameter, with the nearest places.
    static func trip(_ request: ServiceRequest) throws(Problem) -> RouteRequest {
        guard let planner = request.state.planner else {
            throw Problem(
                .notFound, .notFound, "this service has no roads to search",
                recovery: "send candidates to /api/v1/routes/rank")
        }
        let mode = try request.query.mode()
        let from = try anchor("from", mode, request, on: planner.network)
        let to = try anchor("to", mode, request, on: planner.network)
        return .trip(Trip(from: from, to: to, mode: mode), planner)
    }

    private static func anchor(
        _ name: String, _ mode: Route.Mode, _ request: ServiceRequest, on network: RoadNetwork
    ) throws(Problem) -> Anchor {
        let text = try request.query.required(name, takes: Problem.placeTakes)
        do {
            return try request.state.anchors.anchor(text, mode, on: network)
        } catch {
            throw Problem(error, parameter: name, on: network)
        }
    }
}

extension Problem {
    /// What stands for a place.
    fileprivate static let placeTakes =
        "a place's name, a street corner such as 15th Ave NW & NW Market St, or latitude,longitude"
    /// Names that are told at most.
    private static let mostNear = 6

    /// What a client is told where a text is no place.
    fileprivate init(_ error: PlaceError, parameter: String, on network: RoadNetwork) {
        let isUnknown: Bool
        let near: [String]
        switch error {
        case .unknown(let text, let suggestions):
            (isUnknown, near) = (
                true, suggestions.isEmpty ? Self.places(like: text, network) : suggestions
            )
        case .unknownStreet(let text, _, let suggestions):
            (isUnknown, near) = (
                true, suggestions.isEmpty ? Self.places(like: text, network) : suggestions
            )
        case .noCorner(_, _, let suggestions): (isUnknown, near) = (true, suggestions)
        case .outOfArea, .noRoads: (isUnknown, near) = (true, [])
        case .ambiguous(_, let choices): (isUnknown, near) = (false, choices)
        case .street(_, let corners): (isUnknown, near) = (false, corners)
        case .swapped, .onBridge, .noStopping: (isUnknown, near) = (false, [])
        }
        self.init(
            isUnknown ? .notFound : .badRequest, isUnknown ? .notFound : .badParameter,
            "\(parameter): \(printable(error.description, most: 400))",
            recovery: "\(parameter) takes \(Self.placeTakes); /api/v1/places?q= completes names",
            parameter: parameter, near: Array(near.prefix(Self.mostNear)))
    }

    private static func places(like text: String, _ network: RoadNetwork) -> [String] {
        NearNames.nearest(text, of: network.places.map(\.name), most: mostNear)
    }
}
