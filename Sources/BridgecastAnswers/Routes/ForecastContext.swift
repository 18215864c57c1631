// What forecasts for a departure are made from: the situation, its sources, and the model.
package import BridgecastCore
package import BridgecastEngine
package import BridgecastRouting

/// What is known for a departure, and the forecasts made from it.
package struct ForecastContext: Sendable {
    package let departure: Timestamp
    package let askedAt: Timestamp
    /// Forecasts by ``model``, whatever it has loaded since.
    package let inference: TrafficInference
    package let model: LoadedModel
    /// Densities of the approaches.
    package let traffic: TrafficDensity
    /// The situation, without live states for a departure too far ahead.
    package let situation: Situation
    package let notes: [String]
    package let sources: [SourceStatus]
    package let reasons: ForecastReason

    package var issueTime: Timestamp { situation.issueTime }

    /// Creates the context of a departure.
    ///
    /// More than an hour ahead the present states carry no information: then the forecast is climatology, as a note
    /// says.
    /// - Parameter known: What is known at the issue time, and notes on what is missing.
    /// - Throws: ``RankingError`` for a departure before the issue time or too far after it.
    package init(
        leaving departure: Timestamp, known: (situation: Situation, notes: [String]),
        traffic: TrafficDensity, model: LoadedModel, by inference: TrafficInference,
        sources: [SourceStatus], askedAt: Timestamp
    ) throws(RankingError) {
        let issueTime = known.situation.issueTime
        self.departure = departure
        self.askedAt = askedAt
        self.traffic = traffic
        self.model = model
        self.inference = inference
        self.sources = sources
        guard departure >= issueTime else {
            throw .departureInThePast(departure, issueTime: issueTime)
        }
        let ahead = departure.minutes(since: issueTime)
        let reach: [String]
        guard ahead <= ForecastTable.maxDepartureMinutes else { throw .departureTooFar(departure) }
        if ahead > FeatureBuilder.longestLeadMinutes {
            situation = known.situation.withoutLiveState
            reach = [
                "the departure is \(Self.duration(ahead)) ahead, too far for present states to matter: "
                    + "this is climatology for that day and hour"
            ]
        } else {
            situation = known.situation
            reach = known.notes
        }
        notes = reach + SeasonWarning.warnings(at: departure, model.climatology)
        reasons = ForecastReason(situation: situation, climatology: model.climatology)
    }

    /// The forecasts of all bridges for cars, up to a number of minutes after the departure.
    package func forecasts(reaching minutes: Double) async throws(InferenceError) -> ForecastTable {
        try await inference.table(
            in: situation, leaving: departure, reaching: minutes, traffic: traffic, modes: [.car],
            model: model)
    }

    package func confidence(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Confidence {
        Confidence(
            bridge, leadMinutes: arrival.minutes(since: issueTime), in: situation,
            model.climatology)
    }

    /// The climatological probability of a delay at a bridge for an arrival, 0...1.
    package func climatologicalProbability(
        of bridge: BridgeIndex, at arrival: Timestamp, by mode: Route.Mode
    ) -> Double {
        model.climatology.climatologicalProbabilityDelayed(
            at: bridge, arrival: arrival,
            density: mode.queues ? traffic.density(of: bridge, at: arrival) : 0, in: situation)
    }

    package func basis(_ bridge: BridgeIndex, _ arrival: Timestamp) -> ForecastBasis {
        ForecastBasis(bridge, leadMinutes: arrival.minutes(since: issueTime), in: situation)
    }

    package var envelope: Envelope {
        Envelope(
            generatedAt: askedAt, issueTime: issueTime, validAt: departure, model: model.header,
            sources: sources, known: KnownStates(situation), warnings: notes)
    }

    private static func duration(_ minutes: Double) -> String {
        minutes < 48 * 60
            ? "\(Int((minutes / 60).rounded())) hours" : "\(Int((minutes / 1440).rounded())) days"
    }
}
