// Everything a forecast for a departure needs: what is known, from where, and the model. Behind predictions, departures
// and outlooks.
// Belongs here: what is answered about routes and departures; not: how routes are ranked (BridgecastEngine).
package import BridgecastCore
package import BridgecastEngine

/// What is known for a departure, and the forecasts made from it.
package struct ForecastContext: Sendable {
    /// When one leaves.
    package let departure: Timestamp
    /// When the question was asked.
    package let askedAt: Timestamp
    /// Forecasts; asked for forecasts by ``model``, whatever it has loaded since.
    package let inference: TrafficInference
    /// The model that forecasts.
    package let model: LoadedModel
    /// Densities of the approaches.
    package let traffic: TrafficDensity
    /// What is known; nothing live for a departure too far ahead.
    package let situation: Situation
    /// For people: what is missing.
    package let notes: [String]
    /// What was known, and from where.
    package let sources: [SourceStatus]

    /// When the forecasts are made.
    package var issueTime: Timestamp { situation.issueTime }

    /// Puts together what is known for a departure.
    ///
    /// More than an hour ahead what the bridges do now says nothing: then the forecast is climatology, and a note says so.
    /// - Parameters:
    ///   - known: What is known at the issue time, and notes on what is missing.
    /// - Throws: ``RankingError`` for a departure before the issue time or too far after it.
    package init(
        leaving departure: Timestamp, known: (situation: Situation, notes: [String]),
        traffic: TrafficDensity, model: LoadedModel, by inference: TrafficInference,
        sources: [SourceStatus], askedAt: Timestamp
    ) throws(RankingError) {
        let issueTime = known.situation.issueTime
        (self.departure, self.askedAt, self.traffic) = (departure, askedAt, traffic)
        (self.model, self.inference, self.sources) = (model, inference, sources)
        guard departure >= issueTime else {
            throw .departureInThePast(departure, issueTime: issueTime)
        }
        let ahead = departure.minutes(since: issueTime)
        guard ahead <= ForecastTable.farthestDepartureMinutes else {
            throw .departureTooFar(departure)
        }
        guard ahead > FeatureBuilder.longestLeadMinutes else {
            (situation, notes) = known
            return
        }
        situation = known.situation.withoutLiveState
        notes = [
            "the departure is \(Self.duration(ahead)) ahead; what the bridges do now says nothing about "
                + "it: this is climatology for that day and hour"
        ]
    }

    /// The forecasts of all bridges for cars, up to so many minutes after the departure.
    package func forecasts(reaching minutes: Double) async throws(InferenceError) -> ForecastTable {
        try await inference.table(
            in: situation, leaving: departure, reaching: minutes, traffic: traffic, modes: [.car],
            model: model)
    }

    /// Why forecasts are what they are.
    package var reasons: ForecastReason {
        ForecastReason(situation: situation, climatology: model.climatology)
    }

    /// Confidence of the forecast at a bridge for an arrival.
    package func confidence(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Confidence {
        Confidence(
            bridge, leadMinutes: arrival.minutes(since: issueTime), in: situation,
            coveredDays: Double(model.climatology.coveredDays[bridge.rawValue]))
    }

    /// The usual chance of a delay at a bridge for an arrival, from history alone, 0...1.
    package func usualProbability(
        _ bridge: BridgeIndex, _ arrival: Timestamp, _ mode: Route.Mode = .car
    ) -> Double {
        model.climatology.usualProbabilityDelayed(
            at: bridge, arrival: arrival,
            density: mode.queues ? traffic.density(of: bridge, at: arrival) : 0, in: situation)
    }

    /// What the forecast at a bridge for an arrival rests on.
    package func basis(_ bridge: BridgeIndex, _ arrival: Timestamp) -> ForecastBasis {
        ForecastBasis(bridge, leadMinutes: arrival.minutes(since: issueTime), in: situation)
    }

    /// The first fields of a document about the departure.
    package var envelope: Envelope {
        Envelope(
            generatedAt: askedAt, issueTime: issueTime, validAt: departure, model: model.header,
            sources: sources, warnings: notes)
    }

    private static func duration(_ minutes: Double) -> String {
        minutes < 48 * 60
            ? "\(Int((minutes / 60).rounded())) hours" : "\(Int((minutes / 1440).rounded())) days"
    }
}
