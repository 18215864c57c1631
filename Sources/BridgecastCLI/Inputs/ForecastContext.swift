// Everything a forecast for a departure needs: what is known, from where, and the model.
import BridgecastCore
import BridgecastEngine

/// What is known for a departure, and the forecasts made from it.
struct ForecastContext {
    let departure: Timestamp
    let issueTime: Timestamp
    let inference: TrafficInference
    let traffic: TrafficDensity
    let situation: Situation
    /// For people: what is missing.
    let notes: [String]
    /// The model that forecasts.
    var model: LoadedModel { inference.model }

    init(
        departure: Timestamp, issueTime: Timestamp, model: LoadedModel, source: SituationSource,
        traffic: TrafficDensity
    ) throws {
        self.departure = departure
        self.issueTime = issueTime
        inference = TrafficInference(model)
        self.traffic = traffic
        guard departure >= .earliestPlausible else {
            throw CommandFailure(
                .usage, "the departure lies before 2001, of which no record tells anything")
        }
        let ahead = departure.minutes(since: issueTime)
        // Before anything is remarked about it.
        guard ahead <= ForecastTable.farthestDepartureMinutes else {
            throw RankingError.departureTooFar(departure)
        }
        let known = source.situation(at: issueTime)
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
    func forecasts(reaching minutes: Double) async throws -> ForecastTable {
        try await inference.table(
            in: situation, leaving: departure, reaching: minutes, traffic: traffic, modes: [.car])
    }

    var reasons: ForecastReason {
        ForecastReason(situation: situation, climatology: model.climatology)
    }

    /// Confidence of the forecast at a bridge for an arrival.
    func confidence(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Confidence {
        Confidence(
            bridge, leadMinutes: arrival.minutes(since: issueTime), in: situation,
            coveredDays: Double(model.climatology.coveredDays[bridge.rawValue]))
    }

    private static func duration(_ minutes: Double) -> String {
        minutes < 48 * 60
            ? "\(Int((minutes / 60).rounded())) hours" : "\(Int((minutes / 1440).rounded())) days"
    }
}
