// `/bridges`, `/bridges/{id}` with its next hours and its weekly pattern, the calendar of closed windows, and raised
// bridges as GTFS-realtime alerts.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastSupport
internal import BridgecastTransit

enum BridgeEndpoints {
    static let all = [
        Endpoint.get(
            "\(EndpointTable.base)/bridges", [IssueTime.parameter], forms: [.json, .geoJSON]
        ) { try bridges($0) },
        Endpoint.getHeavy(
            "\(EndpointTable.base)/bridges/{id}",
            ["hours", "at", "vessel_height_ft", IssueTime.parameter]
        ) { try await bridge($0) },
    ]

    private static let defaultHours = 2
    /// Maximum height of a vessel, feet.
    private static let maxVesselFeet = 1_000.0

    /// All bridges; one document for all clients until something changes.
    private static func bridges(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let snapshot = try request.snapshot()
        let form = request.form
        let document =
            form == .json
            ? snapshot.document("bridges.json") {
                snapshot.summaries(hasTimetable: request.state.transit != nil).jsonBytes()
            }
            : snapshot.document("bridges.geojson") {
                BridgesMap(snapshot.summaries()).jsonBytes()
            }
        return ServiceAnswer(form, .shared(document))
    }

    /// One bridge; without parameters one document for all clients.
    private static func bridge(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let snapshot = try request.snapshot()
        let bridge = try named(request.path.first ?? "")
        let query = request.query
        let hours = try query.integer("hours", in: BridgeOutlook.hoursRange, default: defaultHours)
        let lead = try query.time("at").map { at throws(Problem) in
            try ForecastTime.leadMinutes(at, parameter: "at", snapshot)
        }
        let vesselFeet = try query.number(
            "vessel_height_ft", in: 1...maxVesselFeet, unit: "feet above the water")
        guard lead != nil || vesselFeet != nil || hours > defaultHours else {
            let name = "bridge \(bridge.rawValue) \(hours)"
            return ServiceAnswer(
                .json,
                .shared(
                    snapshot.document(name) {
                        let outlook = BridgeOutlook(bridge, in: snapshot.view, hours: hours)
                        return BridgeOutlookDocument(outlook, snapshot.envelope()).jsonBytes()
                    }))
        }
        let view = try await snapshot.view(
            leadMinutes: lead ?? 0, hours: hours, request.state.parts.inference)
        let outlook = BridgeOutlook(bridge, in: view, hours: hours, vesselFeet: vesselFeet)
        let document = BridgeOutlookDocument(
            outlook, snapshot.envelope(at: request.now, about: view.time))
        return ServiceAnswer(.json, document.jsonBytes())
    }

    /// The bridge of a path.
    ///
    /// - Throws: ``Problem`` 404 with the valid names.
    static func named(_ text: String) throws(Problem) -> BridgeIndex {
        if Query.isPlain(text), let bridge = BridgeCatalogue.index(named: text) { return bridge }
        throw Problem(
            .notFound, "there is no bridge '\(printable(text, maxLength: 40))'",
            recovery: "use a bridge's name or the city's number", near: Query.nearBridges(text))
    }
}

extension BridgesSnapshot {
    fileprivate func summaries(hasTimetable: Bool? = nil) -> BridgesDocument {
        BridgesDocument(view, envelope(), pace: pace, hasTimetable: hasTimetable)
    }

    /// All bridges from an arrival on; by a new forecast if this snapshot's does not reach far enough.
    fileprivate func view(
        leadMinutes: Double, hours: Int, _ inference: TrafficInference
    ) async throws(Problem) -> BridgeView {
        let reach = Double(hours) * 60
        let arrival = issueTime.adding(minutes: leadMinutes)
        guard leadMinutes + reach > update.table.reachMinutes else {
            return BridgeView(
                situation, update.table, traffic: traffic, climatology: model.climatology,
                at: arrival)
        }
        // The current states say nothing about a departure far ahead.
        let situation =
            leadMinutes > FeatureBuilder.longestLeadMinutes ? situation.withoutLiveState : situation
        do {
            let table = try await inference.table(
                in: situation, leaving: arrival, reaching: reach, traffic: traffic, modes: [.car],
                model: model)
            return BridgeView(
                situation, table, traffic: traffic, climatology: model.climatology, at: arrival)
        } catch { throw Problem(error) }
    }
}

// MARK: - Pattern, calendar, alerts

enum PatternEndpoint {
    static let all = [Endpoint.getHeavy("\(EndpointTable.base)/bridges/{id}/pattern", [], pattern)]

    @Sendable private static func pattern(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let bridge = try BridgeEndpoints.named(request.path.first ?? "")
        let state = request.state
        let records = try state.records.records(state)
        let header = state.parts.inference.model.header
        // Today's records change every minute; one more day does not change the pattern visibly.
        let today = SeattleTime.civil(at: records.list.time).date
        let key = [bridge.rawValue, today.dayNumber, records.pastRevision, header.digest]
        let document = await state.records.patterns.document(key) {
            let time = records.list.time
            let envelope = Envelope(
                at: time, model: header, sources: [SourceStatus(records: records.history, at: time)]
            )
            let pattern = OpeningPattern(
                of: bridge, in: records.history, before: SeattleTime.startOfDay(today))
            return PatternDocument(bridge, pattern, envelope: envelope).jsonBytes()
        }
        return ServiceAnswer(.json, .shared(document), keeping: .seconds(60))
    }
}

enum CalendarEndpoint {
    static let all = [
        Endpoint.get("/calendar/{bridge}.ics", forms: [.calendar]) { try calendar($0) }
    ]

    /// Seconds that it may be cached: it changes at most once a day.
    private static let keptSeconds = 3600

    private static func calendar(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let bridge = try BridgeEndpoints.named(request.path.first ?? "")
        let calendar = ClosedWindowCalendar(of: bridge, at: request.now)
        return ServiceAnswer(.calendar, Array(calendar.text.utf8), keeping: .seconds(keptSeconds))
    }
}

enum BridgeAlertsEndpoint {
    static let all = [
        Endpoint.get("/gtfs-rt/alerts", forms: [.protobuf, .octets]) { try alerts($0) }
    ]

    private static func alerts(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        // Before the first snapshot, an empty list of alerts would be wrong.
        let snapshot = try request.snapshot()
        let bytes = RaisedBridgeAlerts.protobufBytes(
            for: view.feed, TransitBridges(view.timetable.crossings, snapshot.knowledge),
            at: view.now)
        return StopEndpoints.answer(bytes, request.form)
    }
}
