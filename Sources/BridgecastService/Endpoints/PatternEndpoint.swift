// `/bridges/{id}/pattern`: how often and how long a bridge opened by weekday and hour, from the days before today.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine

enum PatternEndpoint {
    static let all = [Endpoint.getHeavy("/api/v1/bridges/{id}/pattern", [], pattern)]

    @Sendable
    private static func pattern(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let bridge = try BridgeEndpoints.named(request.path.first ?? "")
        let state = request.state
        let records = try state.records.records(state)
        let header = state.parts.inference.model.header
        // Today's records are others with every minute; a day more changes nothing that anybody would see.
        let today = SeattleTime.civil(at: records.list.moment).date
        let key = [bridge.rawValue, today.dayNumber, records.pastRevision, header.digest]
        let document = try await state.records.pattern(key) {
            let moment = records.list.moment
            let envelope = Envelope(
                generatedAt: moment, issueTime: nil, validAt: moment, model: header,
                sources: [SourceStatus(records: records.history, at: moment)])
            let pattern = OpeningPattern(
                of: bridge, in: records.history, before: SeattleTime.startOfDay(today))
            return PatternDocument(bridge, pattern, envelope).jsonBytes()
        }
        return ServiceAnswer(.json, .shared(document), keeping: .seconds(60))
    }
}
