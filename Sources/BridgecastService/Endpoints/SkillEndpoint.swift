// `/skill`: how good the forecasts are, on days that the model was not fitted to.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import HTTPTypes

enum SkillEndpoint {
    static let all = [Endpoint.getHeavy("/api/v1/skill", [], skill)]

    @Sendable
    private static func skill(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let state = request.state
        let header = state.parts.inference.model.header
        let document = try await state.records.skill([header.digest]) {
            let envelope = Envelope(
                generatedAt: request.now, issueTime: nil, validAt: request.now, model: header)
            guard let data = state.parts.skill,
                let document = SkillDocument(data, envelope, of: header)
            else {
                throw Problem(
                    .notFound, .notFound, "the service was started without an evaluation",
                    recovery: "ask the operator for one")
            }
            return document.jsonBytes()
        }
        return ServiceAnswer(.json, .shared(document), keeping: .seconds(3600))
    }
}
