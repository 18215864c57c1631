// `/forecast` and `/explain`: forecasts for arrivals, one or ten thousand, and why they are what they are.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastEngine
internal import HTTPTypes
internal import NIOCore

enum ForecastEndpoints {
    static let all = [
        Endpoint.get("/api/v1/forecast", parameters) { try forecast($0) },
        Endpoint.post("/api/v1/forecast", takes: ["application/json"]) {
            try await forecasts($0)
        },
        Endpoint.getHeavy("/api/v1/explain", parameters) { try await explanation($0) },
    ]

    private static let parameters = ["bridge", "at", "lead_min", "mode", IssueTime.parameter]

    /// One bridge, or all of them, for one arrival.
    private static func forecast(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let board = try request.board()
        let mode = try request.query.mode()
        let lead = try ForecastMoment.leadMinutes(request.query, at: request.now, board)
        let bridges = try request.query.bridge().map { [$0] } ?? BridgeIndex.all
        let inference = request.state.parts.inference
        var forecasts: [BridgeForecast] = []
        forecasts.reserveCapacity(bridges.count)
        for bridge in bridges {
            let asked = board.request(bridge, lead, mode)
            let delay = try Problem.telling { () throws(InferenceError) in
                try inference.forecastNow(asked, in: board.situation, by: board.model)
            }
            forecasts.append(board.forecast(asked, delay, isFull: true))
        }
        return answer(forecasts, board, request.now)
    }

    /// The rows of a body, in one batch.
    @concurrent
    private static func forecasts(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let board = try request.board()
        let settings = request.state.settings
        let asked: ForecastRows
        do {
            asked = try ForecastRows(
                Array(request.body.readableBytesView), mostRows: settings.mostRows,
                mostDepth: settings.mostJSONDepth)
        } catch {
            throw .body(error, takes: ForecastRows.form)
        }
        var rows: [ForecastRequest] = []
        rows.reserveCapacity(asked.rows.count)
        for (place, row) in asked.rows.enumerated() {
            rows.append(
                board.request(row.bridge, try lead(of: row, place, request.now, board), asked.mode))
        }
        let delays = try Problem.telling { () throws(InferenceError) in
            try request.state.parts.inference.forecastNow(
                rows, in: board.situation, by: board.model)
        }
        let forecasts = zip(rows, delays).map {
            board.forecast($0, $1, isFull: asked.isFull)
        }
        return answer(forecasts, board, request.now)
    }

    /// The lead of a row; 0, now, if it states no moment.
    private static func lead(
        of row: ForecastRows.Row, _ place: Int, _ now: Timestamp, _ board: Board
    ) throws(Problem) -> Double {
        guard let at = row.at else {
            return ForecastMoment.leadMinutes(fromNow: row.leadMinutes ?? 0, now, board)
        }
        if let fault = ForecastMoment.fault(of: at, board) {
            throw .body(DocumentProblem("rows[\(place)].at", fault), takes: ForecastRows.form)
        }
        return at.minutes(since: board.issueTime)
    }

    private static func answer(
        _ forecasts: [BridgeForecast], _ board: Board, _ now: Timestamp
    ) -> ServiceAnswer {
        let document = ForecastDocument(
            forecasts, board.envelope(at: now, about: forecasts.first?.validTime))
        var json = JSONWriter(capacity: document.usualBytes)
        document.write(to: &json)
        return ServiceAnswer(.json, json.bytes)
    }

    /// What moved one forecast away from what is usual.
    @concurrent
    private static func explanation(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let board = try request.board()
        let mode = try request.query.mode()
        let lead = try ForecastMoment.leadMinutes(request.query, at: request.now, board)
        guard let bridge = try request.query.bridge() else {
            throw Problem(
                .badRequest, .missingParameter, "bridge is missing",
                recovery: "bridge takes a bridge's name or the city's number",
                parameter: "bridge", near: BridgeCatalogue.seattle.map(\.name))
        }
        let asked = board.request(bridge, lead, mode)
        let explanation = try Problem.telling { () throws(InferenceError) in
            var workspace = Workspace()
            return try board.model.explanation(
                of: bridge, leadMinutes: lead, density: asked.density, in: board.situation,
                workspace: &workspace)
        }
        let validAt = board.issueTime.adding(minutes: lead)
        let document = ExplanationDocument(
            explanation, of: bridge, leadMinutes: lead, density: Double(asked.density),
            in: board.situation, board.model.climatology,
            board.envelope(at: request.now, about: validAt))
        return ServiceAnswer(.json, document.jsonBytes())
    }
}

extension Board {
    /// What the engine is asked for an arrival.
    fileprivate func request(
        _ bridge: BridgeIndex, _ leadMinutes: Double, _ mode: Route.Mode
    ) -> ForecastRequest {
        let arrival = issueTime.adding(minutes: leadMinutes)
        return ForecastRequest(
            bridge: bridge, leadMinutes: leadMinutes,
            density: mode.queues ? Float(traffic.density(of: bridge, at: arrival)) : 0)
    }

    /// What is answered for it.
    fileprivate func forecast(
        _ asked: ForecastRequest, _ delay: DelayDistribution, isFull: Bool
    ) -> BridgeForecast {
        let forecast = BridgeForecast(
            asked.bridge, leadMinutes: asked.leadMinutes, density: Double(asked.density), delay,
            in: situation, model.climatology)
        guard isFull else { return forecast }
        let comparison = UsualComparison(
            chance: delay.probabilityDelayed, usual: forecast.usualProbability)
        return forecast.with(
            reasons: reasons.list(
                asked.bridge, leadMinutes: asked.leadMinutes, forecast: comparison, in: situation,
                model.climatology))
    }
}
