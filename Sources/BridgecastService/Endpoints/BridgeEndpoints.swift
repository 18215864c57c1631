// `/bridges` and `/bridges/{id}`: the board of all bridges, and one of them with its next hours.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import HTTPTypes

enum BridgeEndpoints {
    static let all = [
        Endpoint.get("/api/v1/bridges", [IssueTime.parameter], forms: [.json, .geoJSON]) {
            try bridges($0)
        },
        Endpoint.getHeavy(
            "/api/v1/bridges/{id}", ["hours", "at", "vessel_height_ft", IssueTime.parameter]
        ) { try await bridge($0) },
    ]

    /// Hours that an outlook looks ahead unless somebody asks for more.
    private static let usualHours = 2
    /// Vessels are at most so high, feet.
    private static let mostVesselFeet = 1_000.0

    /// All bridges; one document for all clients until something changes.
    private static func bridges(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let board = try request.board()
        let form = request.form
        let document =
            form == .json
            ? board.document("bridges.json") { board.summaries.jsonBytes() }
            : board.document("bridges.geojson") { BoardMap(board.summaries).jsonBytes() }
        return ServiceAnswer(form, .shared(document))
    }

    /// One bridge; without parameters one document for all clients.
    private static func bridge(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let board = try request.board()
        let bridge = try named(request.path.first ?? "")
        let query = request.query
        let asked = (
            hours: try query.integer("hours", in: BridgeOutlook.hoursRange, usual: usualHours),
            lead: try query.time("at").map { at throws(Problem) in
                try ForecastMoment.leadMinutes(at, parameter: "at", board)
            },
            vesselFeet: try query.number(
                "vessel_height_ft", in: 1...mostVesselFeet, unit: "feet above the water")
        )
        guard asked.lead != nil || asked.vesselFeet != nil || asked.hours > usualHours else {
            let name = "bridge \(bridge.rawValue) \(asked.hours)"
            return ServiceAnswer(
                .json,
                .shared(
                    board.document(name) {
                        let outlook = BridgeOutlook(bridge, in: board.view, hours: asked.hours)
                        return BridgeOutlookDocument(outlook, board.envelope()).jsonBytes()
                    }))
        }
        let view = try await board.view(
            leadMinutes: asked.lead ?? 0, hours: asked.hours, request.state.parts.inference)
        let outlook = BridgeOutlook(
            bridge, in: view, hours: asked.hours, vesselFeet: asked.vesselFeet)
        let document = BridgeOutlookDocument(
            outlook, board.envelope(at: request.now, about: view.moment))
        return ServiceAnswer(.json, document.jsonBytes())
    }

    /// The bridge of a path.
    ///
    /// - Throws: ``Problem`` 404 with the names there are.
    static func named(_ text: String) throws(Problem) -> BridgeIndex {
        if Query.isPlain(text), let bridge = BridgeCatalogue.index(named: text) { return bridge }
        throw Problem(
            .notFound, .notFound, "there is no bridge '\(printable(text, most: 40))'",
            recovery: "use a bridge's name or the city's number",
            near: Query.nearBridges(text))
    }
}

extension Board {
    /// All bridges at the issue time.
    fileprivate var summaries: BoardDocument { BoardDocument(view, envelope(), pace: pace) }

    /// All bridges from an arrival on; by a forecast of its own where this board's reaches less far.
    fileprivate func view(
        leadMinutes: Double, hours: Int, _ inference: TrafficInference
    ) async throws(Problem) -> BridgeView {
        let reach = Double(hours) * 60
        let moment = issueTime.adding(minutes: leadMinutes)
        guard leadMinutes + reach > update.table.reachMinutes else {
            return BridgeView(
                situation, update.table, traffic: traffic, climatology: model.climatology,
                at: moment)
        }
        // Of a departure far ahead what the bridges do now says nothing.
        let situation =
            leadMinutes > FeatureBuilder.longestLeadMinutes
            ? situation.withoutLiveState : situation
        do {
            let table = try await inference.table(
                in: situation, leaving: moment, reaching: reach, traffic: traffic, modes: [.car],
                model: model)
            return BridgeView(
                situation, table, traffic: traffic, climatology: model.climatology, at: moment)
        } catch {
            throw Problem(error)
        }
    }
}
