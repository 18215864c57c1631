// Documents that seldom change: the description of all resources (OpenAPI 3.1), the evaluation of the model, and the map.
internal import BridgecastSupport
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive

enum DescriptionEndpoint {
    static let all = ["/openapi.json", EndpointTable.base + "/openapi.json"].map { path in
        Endpoint.get(path, forms: [.json, .openAPI]) { request in
            guard let document = request.state.description else {
                throw Problem(
                    .notFound, "the service was started without its description",
                    recovery: "ask the operator to install openapi.json next to the program")
            }
            return ServiceAnswer(request.form, .shared(document), keeping: .seconds(3600))
        }
    }
}

enum SkillEndpoint {
    static let all = [Endpoint.getHeavy("\(EndpointTable.base)/skill", [], skill)]

    @Sendable private static func skill(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let state = request.state
        let header = state.parts.inference.model.header
        let document = try await state.records.skills.document([header.digest]) {
            let envelope = Envelope(at: request.now, model: header)
            guard let data = state.parts.skill,
                let document = SkillDocument(data, envelope, of: header)
            else {
                throw Problem(
                    .notFound, "the service was started without an evaluation",
                    recovery: "ask the operator for one")
            }
            return document.jsonBytes()
        }
        return ServiceAnswer(.json, .shared(document), keeping: .seconds(3600))
    }
}

enum VerificationEndpoint {
    static let all = [
        Endpoint.getHeavy(
            "\(EndpointTable.base)/verification", [], sharedFor: SharedPeriod(seconds: 60),
            verification)
    ]

    /// The archiver sums up after each scoring: nothing is read for a request.
    @Sendable private static func verification(
        _ request: ServiceRequest
    ) async throws -> ServiceAnswer {
        let parts = request.state.parts
        guard let archiver = parts.live.archiver else {
            throw Problem(
                .notFound, "the service archives no forecasts",
                recovery: "ask the operator to start it with an archive")
        }
        guard let report = archiver.report else {
            if let problem = archiver.counts.publicProblem {
                throw Problem(
                    .notReady, problem,
                    recovery: "ask the operator: the service's log has the reason",
                    retryAfterSeconds: 600)
            }
            throw Problem(
                .notReady, "no forecast has been archived yet", recovery: "try again in a minute",
                retryAfterSeconds: 60)
        }
        let envelope = Envelope(at: request.now, model: parts.inference.model.header)
        return ServiceAnswer(
            .json, VerificationDocument(report, envelope).jsonBytes(), keeping: .seconds(60))
    }
}

enum GeographyEndpoint {
    static let all = [
        Endpoint.getHeavy(
            "\(EndpointTable.base)/geography", ["metres_per_pixel"], forms: [.geoJSON], geography)
    ]

    /// Metres per pixel.
    private static let range = 0.1...1000
    private static let defaultScale = 20.0

    @Sendable private static func geography(_ request: ServiceRequest) async throws -> ServiceAnswer
    {
        let asked = try request.query.number("metres_per_pixel", in: range, unit: "metres")
        let scale = GeographyDocument.scale(for: asked ?? defaultScale)
        let state = request.state
        let header = state.parts.inference.model.header
        let document = await state.records.maps.document([Int(scale), header.digest]) {
            var envelope = Envelope(at: request.now, model: header)
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
