// Everything a forecast for a departure needs: what is known, from where, and the model.
import BridgecastCore
import BridgecastEngine

/// What is known for a departure, and the forecasts made from it.
struct ForecastContext {
    let departure: Timestamp
    let issueTime: Timestamp
    let model: LoadedModel
    let traffic: TrafficDensity
    let situation: Situation
    /// For people: what is missing.
    let notes: [String]
    private let source: SituationSource

    /// How far ahead a departure may lie, days.
    static let farthestDays = 366.0

    init(
        departure: Timestamp, issueTime: Timestamp, model: LoadedModel, source: SituationSource,
        traffic: TrafficDensity
    ) throws {
        self.departure = departure
        self.issueTime = issueTime
        self.model = model
        self.source = source
        self.traffic = traffic
        guard departure >= .earliestPlausible else {
            throw CommandFailure(
                .usage, "the departure lies before 2001, of which no record tells anything")
        }
        let ahead = departure.minutes(since: issueTime)
        guard ahead <= Self.farthestDays * 1440 else {
            throw CommandFailure(
                .usage, "the departure lies more than \(Int(Self.farthestDays)) days ahead")
        }
        guard ahead > FeatureBuilder.longestLeadMinutes else {
            (situation, notes) = source.situation(at: issueTime)
            return
        }
        situation = Situation.unknown(at: issueTime).speaking(for: departure)
        notes = [
            "the departure is \(Self.duration(ahead)) ahead; what the bridges do now says nothing about "
                + "it: this is climatology for that day and hour"
        ]
    }

    /// The forecasts of all bridges up to so many minutes after the departure.
    func forecasts(reaching minutes: Double, modes: Set<Route.Mode>) async throws -> ForecastTable {
        try await TrafficInference(model).table(
            in: situation,
            reaching: departure.minutes(since: situation.issueTime) + minutes, traffic: traffic,
            modes: modes)
    }

    func scoring(_ forecasts: ForecastTable, _ weights: RouteWeights) -> RouteScoring {
        RouteScoring(
            forecasts: forecasts, climatology: model.climatology, issueTime: situation.issueTime,
            weights: weights)
    }

    var reasons: ForecastReason {
        ForecastReason(situation: situation, climatology: model.climatology)
    }

    /// Confidence of the forecast at a bridge for an arrival.
    func confidence(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Confidence {
        Confidence(
            bridge, leadMinutes: arrival.minutes(since: issueTime), in: situation,
            climatology: model.climatology,
            newestRecord: source.newestRecord(of: bridge, before: issueTime))
    }

    private static func duration(_ minutes: Double) -> String {
        minutes < 48 * 60
            ? "\(Int((minutes / 60).rounded())) hours" : "\(Int((minutes / 1440).rounded())) days"
    }
}
