// `/forecast` and `/explain`: forecasts for arrivals, one or ten thousand, and the reasons for them.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastEngine
internal import BridgecastSupport
internal import NIOCore

enum ForecastEndpoints {
    static let all = [
        Endpoint.get("\(EndpointTable.base)/forecast", parameters) { try forecast($0) },
        Endpoint.post("\(EndpointTable.base)/forecast", takes: ["application/json"]) {
            try await forecasts($0)
        },
        Endpoint.getHeavy("\(EndpointTable.base)/explain", parameters) {
            try await explanation($0)
        },
    ]

    private static let parameters = ["bridge", "at", "lead_min", "mode", IssueTime.parameter]

    private static func forecast(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let snapshot = try request.snapshot()
        let mode = try request.query.mode()
        let lead = try ForecastTime.leadMinutes(request.query, at: request.now, snapshot)
        let bridges = try request.query.bridge().map { [$0] } ?? BridgeIndex.all
        let inference = request.state.parts.inference
        let forecasts = try bridges.map { bridge throws(Problem) in
            let asked = snapshot.request(bridge, leadMinutes: lead, mode: mode)
            let delay = try Problem.catching { () throws(InferenceError) in
                try inference.forecastNow(asked, in: snapshot.situation, by: snapshot.model)
            }
            return snapshot.forecast(asked, delay, isFull: true)
        }
        return answer(forecasts, of: snapshot, at: request.now)
    }

    @concurrent private static func forecasts(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let snapshot = try request.snapshot()
        let settings = request.state.settings
        let asked: ForecastRows
        do {
            asked = try ForecastRows(
                Array(request.body.readableBytesView), maxRows: settings.maxRows,
                maxDepth: settings.maxJSONDepth)
        } catch { throw .body(error, takes: ForecastRows.form) }
        let rows = try asked.rows.enumerated().map { index, row throws(Problem) in
            let lead = try lead(of: row, index: index, at: request.now, in: snapshot)
            return snapshot.request(row.bridge, leadMinutes: lead, mode: asked.mode)
        }
        let delays = try Problem.catching { () throws(InferenceError) in
            try request.state.parts.inference.forecastNow(
                rows, in: snapshot.situation, by: snapshot.model)
        }
        let forecasts = zip(rows, delays).map { snapshot.forecast($0, $1, isFull: asked.isFull) }
        return answer(forecasts, of: snapshot, at: request.now)
    }

    /// The lead of a row; 0, now, if it has no time.
    private static func lead(
        of row: ForecastRows.Row, index: Int, at now: Timestamp, in snapshot: BridgesSnapshot
    ) throws(Problem) -> Double {
        guard let at = row.at else {
            return ForecastTime.leadMinutes(fromNow: row.leadMinutes ?? 0, now, snapshot)
        }
        if let fault = ForecastTime.fault(of: at, snapshot) {
            throw .body(DocumentProblem("rows[\(index)].at", fault), takes: ForecastRows.form)
        }
        return at.minutes(since: snapshot.issueTime)
    }

    private static func answer(
        _ forecasts: [BridgeForecast], of snapshot: BridgesSnapshot, at now: Timestamp
    ) -> ServiceAnswer {
        let document = ForecastDocument(
            forecasts, snapshot.envelope(at: now, about: forecasts.first?.validTime))
        var json = JSONWriter(capacity: document.estimatedBytes)
        document.write(to: &json)
        return ServiceAnswer(.json, json.bytes)
    }

    /// What moved a forecast away from climatology.
    @concurrent private static func explanation(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let snapshot = try request.snapshot()
        let mode = try request.query.mode()
        let lead = try ForecastTime.leadMinutes(request.query, at: request.now, snapshot)
        guard let bridge = try request.query.bridge() else {
            throw Problem(
                .missingParameter, "bridge is missing",
                recovery: "bridge takes a bridge's name or the city's number", parameter: "bridge",
                near: BridgeCatalogue.seattle.map(\.name))
        }
        let asked = snapshot.request(bridge, leadMinutes: lead, mode: mode)
        let density = asked.density(from: snapshot.issueTime)
        let explanation = try Problem.catching { () throws(InferenceError) in
            var workspace = Workspace()
            return try snapshot.model.explanation(
                of: bridge, leadMinutes: lead, density: density, in: snapshot.situation,
                workspace: &workspace)
        }
        let validAt = snapshot.issueTime.adding(minutes: lead)
        let document = ExplanationDocument(
            explanation, of: bridge, leadMinutes: lead, density: Double(density),
            in: snapshot.situation, climatology: snapshot.model.climatology,
            envelope: snapshot.envelope(at: request.now, about: validAt))
        return ServiceAnswer(.json, document.jsonBytes())
    }
}

extension BridgesSnapshot {
    fileprivate func request(
        _ bridge: BridgeIndex, leadMinutes: Double, mode: Route.Mode
    ) -> ForecastRequest {
        let arrival = issueTime.adding(minutes: leadMinutes)
        return ForecastRequest(
            bridge: bridge, leadMinutes: leadMinutes,
            density: mode.queues ? Float(traffic.density(of: bridge, at: arrival)) : 0)
    }

    fileprivate func forecast(
        _ asked: ForecastRequest, _ delay: DelayDistribution, isFull: Bool
    ) -> BridgeForecast {
        let forecast = BridgeForecast(
            asked.bridge, leadMinutes: asked.leadMinutes,
            density: Double(asked.density(from: issueTime)), delay, in: situation,
            climatology: model.climatology)
        guard isFull else { return forecast }
        return forecast.with(
            reasons: reasons.list(
                forecast, in: situation, model.climatology,
                traffic: asked.density(from: issueTime) > 0 ? traffic : nil))
    }
}

/// Arrivals as minutes after a snapshot's issue time.
enum ForecastTime {
    private static let takes = "a time from now to 366 days ahead, such as 2026-02-20T17:50"

    /// The lead of the arrival of a query, by default now.
    ///
    /// - Throws: ``Problem`` 400 for an arrival that cannot be forecast.
    static func leadMinutes(
        _ query: Query, at now: Timestamp, _ snapshot: BridgesSnapshot
    ) throws(Problem) -> Double {
        let lead = try query.number(
            "lead_min", in: 0...ForecastTable.maxDepartureMinutes, unit: "minutes")
        guard let at = try query.time("at") else {
            return leadMinutes(fromNow: lead ?? 0, now, snapshot)
        }
        guard lead == nil else {
            throw .parameter(
                "lead_min", "cannot be combined with at", takes: "minutes from now; at takes a time"
            )
        }
        return try leadMinutes(at, parameter: "at", snapshot)
    }

    /// The lead of an arrival a number of minutes from now; a snapshot is usually some seconds old.
    static func leadMinutes(
        fromNow minutes: Double, _ now: Timestamp, _ snapshot: BridgesSnapshot
    ) -> Double { max(0, now.minutes(since: snapshot.issueTime)) + minutes }

    /// The lead of an arrival at a time.
    ///
    /// - Parameter name: The parameter, for the message.
    /// - Throws: ``Problem`` 400.
    static func leadMinutes(
        _ at: Timestamp, parameter name: String, _ snapshot: BridgesSnapshot
    ) throws(Problem) -> Double {
        if let fault = fault(of: at, snapshot) { throw .parameter(name, fault, takes: takes) }
        return at.minutes(since: snapshot.issueTime)
    }

    /// Why a time cannot be forecast; nil if it can.
    static func fault(of at: Timestamp, _ snapshot: BridgesSnapshot) -> String? {
        let lead = at.minutes(since: snapshot.issueTime)
        if lead < 0 {
            guard snapshot.past == nil else {
                return "\(TimeText.rfc3339(at)) is before issue_time"
            }
            let day = SeattleTime.civil(at: at).date
            return "\(TimeText.rfc3339(at)) is past; what was forecast then is at "
                + "\(EndpointTable.base)/days/\(day), or here with issue_time"
        }
        return lead > ForecastTable.maxDepartureMinutes
            ? "\(TimeText.rfc3339(at)) is more than 366 days ahead" : nil
    }
}
