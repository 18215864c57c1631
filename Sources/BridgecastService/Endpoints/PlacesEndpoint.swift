// `/places`: what a text may become that somebody types for the start or end of a trip.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastRoads
internal import HTTPTypes

enum PlacesEndpoint {
    static let all = [Endpoint.get("/api/v1/places", ["q", "limit"], places)]

    private static let limits = 1...50
    private static let usualLimit = 10
    private static let mostBytes = 200

    @Sendable
    private static func places(_ request: ServiceRequest) throws -> ServiceAnswer {
        guard let network = request.state.parts.network else {
            throw Problem(
                .notFound, .notFound, "this service has no roads to search",
                recovery: "send candidates to /api/v1/routes/rank")
        }
        let text = request.query.text("q")
        guard text.map({ $0.utf8.count <= mostBytes }) ?? true else {
            throw Problem.parameter(
                "q", "is longer than that", takes: "at most \(mostBytes) bytes of a name")
        }
        let limit = try request.query.integer("limit", in: limits, usual: usualLimit)
        let envelope = Envelope(
            generatedAt: request.now, issueTime: nil, validAt: request.now,
            model: request.state.parts.inference.model.header)
        let document = PlacesDocument(text, limit: limit, on: network, envelope)
        return ServiceAnswer(.json, document.jsonBytes(), keeping: .seconds(3600))
    }
}
