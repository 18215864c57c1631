// One bridge as a board shows it: its state, the forecast for now, its rules, its next hours.
package import BridgecastCore

/// What there is to say of a bridge at a moment.
package struct BridgeSummary: Sendable, JSONAnswer {
    /// The bridge.
    package let bridge: BridgeIndex
    /// Whether it is up.
    package let state: SpanState
    /// Since when it has been up, or down; nil if that is not known.
    package let since: Timestamp?
    /// Minutes from ``since`` to the issue time; nil if that is not known.
    package let stateAgeMinutes: Double?
    /// The delay of a car that arrives at the moment.
    package let delay: DelayDistribution
    /// The usual chance of being stopped, from history alone.
    package let usualProbability: Double
    /// How far to trust the forecast.
    package let confidence: Confidence
    /// The rules of the day.
    package let ruleFacts: [BridgeRule]
    /// The hours in which smaller vessels wait: those that the moment lies in, else the next within a day.
    package let nextClosedPeriod: Range<Timestamp>?
    /// Why the forecast is what it is.
    package let reasons: [Reason]
    /// Its next hours.
    package let outlook: [OutlookEntry]

    /// The rules of the day, in words.
    package var rules: [String] { ruleFacts.map(\.text) }

    /// Its fixed facts.
    package var facts: Bridge { BridgeCatalogue[bridge] }

    /// What there is to say of a bridge.
    ///
    /// - Parameter reachMinutes: How far the outlook looks; the view's table reaches as far.
    package init(
        _ bridge: BridgeIndex, in view: BridgeView,
        reachMinutes: Double = OutlookEntry.usualReachMinutes
    ) {
        self.bridge = bridge
        let known = view.situation[bridge]
        state = known.state
        since = known.stateSince
        stateAgeMinutes = since.map { max(0, view.situation.issueTime.minutes(since: $0)) }
        delay = view.delay(bridge, view.moment)
        usualProbability = view.usualProbability(bridge, view.moment)
        confidence = view.confidence(bridge)
        let facts = BridgeCatalogue[bridge]
        ruleFacts = facts.rules(on: SeattleTime.civil(at: view.moment).date)
        nextClosedPeriod = facts.rules.nextClosedPeriod(from: view.moment)
        reasons = view.reasons(
            bridge,
            UsualComparison(chance: delay.probabilityDelayed, usual: usualProbability))
        outlook = OutlookEntry.all(of: bridge, in: view, reachMinutes: reachMinutes)
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            writeFacts(into: &json)
            json.list("outlook", outlook)
        }
    }

    /// Writes all but the outlook into an object that is open.
    package func writeFacts(into json: inout JSONWriter) {
        json.field("bridge", facts.name)
        json.field("bridge_id", facts.id.rawValue)
        json.field("waterway", facts.waterway.rawValue)
        json.field("latitude", facts.latitude, decimals: 6)
        json.field("longitude", facts.longitude, decimals: 6)
        json.field("state", state.word)
        json.field("since", since)
        json.field("state_age_s", stateAgeMinutes.map { $0 * 60 }, decimals: 1)
        json.field("probability_stopped", delay.probabilityDelayed, decimals: 5)
        json.field("usual_probability_stopped", usualProbability, decimals: 5)
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
    }
}

extension BridgeSituation {
    /// Since when the span is up, or down as far as its last known opening tells; nil if that is not known.
    package var stateSince: Timestamp? {
        switch state {
        case .raised(let since): since
        case .lowered: recent.lazy.compactMap(\.end).first
        case .unknown: nil
        }
    }
}
