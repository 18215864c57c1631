// `/geography`: water, main roads and spans for drawing, simplified to a scale.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine

enum GeographyEndpoint {
    static let all = [
        Endpoint.getHeavy(
            "/api/v1/geography", ["metres_per_pixel"], forms: [.geoJSON], geography)
    ]

    private static let range = 0.1...1000
    private static let usual = 20.0

    @Sendable
    private static func geography(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let asked = try request.query.number("metres_per_pixel", in: range, unit: "metres")
        let scale = GeographyDocument.scale(for: asked ?? usual)
        let state = request.state
        let header = state.parts.inference.model.header
        let document = try await state.records.map([Int(scale), header.digest]) {
            var envelope = Envelope(
                generatedAt: request.now, issueTime: nil, validAt: request.now, model: header)
            let water = state.parts.geography.flatMap { WaterMap($0) }
            if water == nil { envelope.warnings.append("no water: its file was not loaded") }
            if state.parts.network == nil {
                envelope.warnings.append("no roads: the service was started without them")
            }
            return GeographyDocument(
                metresPerPixel: scale, water: water, network: state.parts.network, envelope
            ).jsonBytes()
        }
        return ServiceAnswer(.geoJSON, .shared(document), keeping: .seconds(3600))
    }
}
