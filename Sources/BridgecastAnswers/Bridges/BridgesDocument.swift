// All bridges at one time, as JSON or GeoJSON: what `GET /bridges` answers, and `watch --format ndjson` prints at each
// change. One bridge in detail is in BridgeOutlook.swift.
package import BridgecastCore
package import BridgecastObservation
package import BridgecastSupport

package struct BridgesDocument: Sendable, JSONObjectAnswer {
    package let envelope: Envelope
    /// All bridges, by ``BridgeIndex``.
    package let bridges: [BridgeSummary]
    /// The phase and the events since the previous document; nil for a single document.
    package let update: Update?
    /// The rate of the service's clock; nil for commands.
    package let pace: ClockPace?
    /// Whether the service has lines of buses and trains; nil for commands.
    package let hasTimetable: Bool?

    /// What a stream of documents adds to each.
    package struct Update: Sendable {
        package let phase: AppPhase
        /// What happened since the previous document, oldest first.
        package let events: [BridgeEvent]

        package init(_ phase: AppPhase, _ events: [BridgeEvent]) {
            self.phase = phase
            self.events = events
        }
    }

    package init(
        _ view: BridgeView, _ envelope: Envelope, update: Update? = nil, pace: ClockPace? = nil,
        hasTimetable: Bool? = nil
    ) {
        self.hasTimetable = hasTimetable
        self.envelope = envelope
        self.update = update
        self.pace = pace
        bridges = BridgeIndex.all.map { BridgeSummary($0, in: view) }
    }

    /// Writes the first fields of both forms into an open object.
    func writeHead(into json: inout JSONWriter) {
        envelope.write(into: &json)
        pace?.write(into: &json)
    }

    package func writeFields(into json: inout JSONWriter) {
        writeHead(into: &json)
        if let update { json.field("phase", update.phase.name) }
        if let hasTimetable { json.field("has_timetable", hasTimetable) }
        json.list("bridges", bridges)
        guard let update else { return }
        json.list("events", objects: update.events) { json, event in
            json.field("id", event.id)
            json.field("at", event.at)
            json.field("bridge_id", event.bridge.map { BridgeCatalogue[$0].id.rawValue })
            json.field("text", event.text)
        }
    }
}

/// All bridges as GeoJSON (RFC 7946), a point each.
package struct BridgesMap: Sendable, JSONObjectAnswer {
    private let document: BridgesDocument

    package init(_ document: BridgesDocument) { self.document = document }

    /// Writes it as a FeatureCollection; the envelope's fields are further members.
    package func writeFields(into json: inout JSONWriter) {
        json.field("type", "FeatureCollection")
        document.writeHead(into: &json)
        json.list("features", objects: document.bridges) { json, bridge in
            json.field("type", "Feature")
            json.field("id", bridge.facts.id.rawValue)
            json.object("geometry") { json in
                json.field("type", "Point")
                json.list(
                    "coordinates", [bridge.facts.longitude, bridge.facts.latitude], decimals: 6)
            }
            json.field("properties", bridge)
        }
    }
}

/// One bridge at one time: state, forecast, rules and reasons.
package struct BridgeSummary: Sendable, JSONObjectAnswer {
    package let bridge: BridgeIndex
    package let state: SpanState
    /// Since when it has been up, or down; nil if that is not known.
    package let since: Timestamp?
    /// Minutes from ``since`` to the issue time; nil if that is not known.
    package let stateAgeMinutes: Double?
    /// The delay of a car that arrives at the view's time.
    package let delay: DelayDistribution
    package let climatologicalProbability: Double
    package let confidence: Confidence
    package let ruleFacts: [BridgeRule]
    /// The closed window that contains the view's time, else the next one within a day.
    package let nextClosedPeriod: Range<Timestamp>?
    package let reasons: [Reason]
    package let outlook: [OutlookEntry]
    /// The highest chance of the next two hours, and why; nil without an outlook.
    package let highest: OutlookPeak?

    package var rules: [String] { ruleFacts.map(\.text) }

    package var facts: Bridge { BridgeCatalogue[bridge] }

    /// A summary of a bridge.
    ///
    /// - Parameter reachMinutes: How far the outlook looks; the view's table reaches as far.
    package init(
        _ bridge: BridgeIndex, in view: BridgeView,
        reachMinutes: Double = OutlookEntry.defaultReachMinutes
    ) {
        self.bridge = bridge
        let known = view.situation[bridge]
        state = known.state
        since = known.stateSince
        stateAgeMinutes = since.map { max(0, view.situation.issueTime.minutes(since: $0)) }
        delay = view.delay(bridge, view.time)
        climatologicalProbability = view.climatologicalProbability(bridge, view.time)
        confidence = view.confidence(bridge)
        let facts = BridgeCatalogue[bridge]
        ruleFacts = facts.rules(on: SeattleTime.civil(at: view.time).date)
        nextClosedPeriod = facts.rules.nextClosedPeriod(from: view.time)
        reasons = view.reasons(
            bridge, arrival: view.time, chance: delay.probabilityDelayed,
            climatology: climatologicalProbability)
        outlook = OutlookEntry.all(of: bridge, in: view, reachMinutes: reachMinutes)
        highest = OutlookPeak(of: outlook, bridge, in: view)
    }

    package func writeFields(into json: inout JSONWriter) {
        writeFacts(into: &json)
        json.list("outlook", outlook)
    }

    /// Writes all but the outlook into an open object.
    package func writeFacts(into json: inout JSONWriter) {
        json.fields(of: bridge)
        json.field("waterway", facts.waterway.rawValue)
        json.field("latitude", facts.latitude, decimals: 6)
        json.field("longitude", facts.longitude, decimals: 6)
        json.field("has_live_sensor", facts.hasLiveSensor)
        json.field("state", state.name)
        json.field("since", since)
        json.field("state_age_s", stateAgeMinutes.map { $0 * 60 }, decimals: 1)
        json.field("probability_stopped", delay.probabilityDelayed, decimals: 5)
        json.field("climatology_probability_stopped", climatologicalProbability, decimals: 5)
        json.field("expected_delay_s", delay.expectedSeconds, decimals: 1)
        json.field("expected_delay_if_stopped_s", delay.expectedSecondsIfDelayed, decimals: 1)
        json.list("delay_quantiles_s", delay.quantilesSeconds, decimals: 1)
        if let quantiles = delay.quantilesSecondsIfDelayed {
            json.list("delay_quantiles_if_stopped_s", quantiles, decimals: 1)
        } else {
            json.null("delay_quantiles_if_stopped_s")
        }
        json.field("confidence", confidence.rawValue)
        json.field("clearance_ft", facts.clearanceFeet, decimals: 1)
        json.list("rules", rules)
        json.list("rule_facts", ruleFacts)
        json.field("next_closed_window", nextClosedPeriod)
        json.list("reasons", reasons)
        if let highest { json.field("highest", highest) } else { json.null("highest") }
    }
}

extension BridgeSituation {
    /// Since when the span has been up, or down according to its last known opening; nil if unknown.
    package var stateSince: Timestamp? {
        switch state {
        case .raised(let since): since
        case .lowered: recent.lazy.compactMap(\.end).first
        case .unknown: nil
        }
    }
}

/// What is known and forecast of all bridges for arrivals at a time or later.
package struct BridgeView: Sendable {
    package let situation: Situation
    /// The forecasts, from `time` as far ahead as the answer looks.
    package let table: ForecastTable
    /// Traffic on the approaches, as used by the forecasts.
    package let traffic: TrafficDensity
    /// The baseline that forecasts are compared with.
    package let climatology: Climatology
    package let time: Timestamp

    /// Creates a view, by default of the issue time.
    package init(
        _ situation: Situation, _ table: ForecastTable, traffic: TrafficDensity,
        climatology: Climatology, at time: Timestamp? = nil
    ) {
        self.situation = situation
        self.table = table
        self.traffic = traffic
        self.climatology = climatology
        self.time = time ?? situation.issueTime
    }

    /// Minutes from the issue time to an arrival.
    package func leadMinutes(_ arrival: Timestamp) -> Double {
        arrival.minutes(since: situation.issueTime)
    }

    package func delay(_ bridge: BridgeIndex, _ arrival: Timestamp) -> DelayDistribution {
        table.delayWithin(at: bridge, leadMinutes: leadMinutes(arrival), queues: true)
    }

    package func climatologicalProbability(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Double {
        climatology.climatologicalProbabilityDelayed(
            at: bridge, arrival: arrival, density: traffic.density(of: bridge, at: arrival),
            in: situation)
    }

    /// How far to trust the forecast for `time`.
    package func confidence(_ bridge: BridgeIndex) -> Confidence {
        Confidence(
            bridge, leadMinutes: leadMinutes(time), in: situation, climatology)
    }

    /// Why the forecast for an arrival is what it is.
    ///
    /// - Parameters:
    ///   - chance: The forecast probability of being stopped, 0...1.
    ///   - probability: The climatological one.
    package func reasons(
        _ bridge: BridgeIndex, arrival: Timestamp, chance: Double, climatology probability: Double
    ) -> [Reason] {
        ForecastReason(situation: situation, climatology: climatology).reasons(
            for: bridge, arrival: arrival,
            forecast: ClimatologyComparison(chance: chance, climatology: probability),
            climatology: probability)
    }
}
