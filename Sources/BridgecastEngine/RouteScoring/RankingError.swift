// Why routes could not be ranked: one type for every way of asking.
public import BridgecastCore

/// Why routes could not be ranked, or no departure be found.
public enum RankingError: Failure, Equatable {
    /// The forecast was refused or cancelled.
    case forecast(InferenceError)
    /// The table at hand cannot answer for these routes.
    case table(ForecastTableError)
    /// A route cannot be scored.
    case route(RouteSetError)
    /// The trip has no routes.
    case trip(RoutePlanError)
    /// The weights rank nothing.
    case weights(RouteWeightsError)
    /// The departure lies before the issue time.
    case departureInThePast(Timestamp, issueTime: Timestamp)
    /// The departure lies more than ``ForecastTable/farthestDepartureMinutes`` after the issue time.
    case departureTooFar(Timestamp)
    /// One wants to be there before one leaves.
    case deadlineBeforeDeparture(Timestamp, departure: Timestamp)
    /// Departures are asked for in an empty span of time, or one of more than a day.
    case window(from: Timestamp, until: Timestamp)
    /// So many routes for so many departures are more than ``DepartureCurve/mostScores``.
    case curveTooLarge(scores: Int, limit: Int)
    /// The wanted probability of being in time does not lie between 0 and 1.
    case confidence(Double)

    /// Whose matter it is.
    public var kind: FailureKind {
        switch self {
        case .forecast(let error): error.kind
        case .route(let error): error.kind
        case .trip(let error): error.kind
        case .weights(let error): error.kind
        // Rankings ask for the table that they need themselves.
        case .table: .software
        case .departureInThePast, .departureTooFar, .deadlineBeforeDeparture, .window, .confidence,
            .curveTooLarge:
            .usage
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .forecast(let error): error.description
        case .table(let error): error.description
        case .route(let error): error.description
        case .trip(let error): error.description
        case .weights(let error): error.description
        case .departureInThePast(let departure, let issueTime):
            "the departure, \(TimeText.rfc3339(departure)), lies before the issue time, "
                + "\(TimeText.rfc3339(issueTime))"
        case .departureTooFar(let departure):
            "the departure, \(TimeText.rfc3339(departure)), lies more than "
                + "\(Int(ForecastTable.farthestDepartureMinutes / 1440)) days ahead"
        case .deadlineBeforeDeparture(let deadline, let departure):
            "the time to arrive by, \(TimeText.rfc3339(deadline)), lies before the departure, "
                + "\(TimeText.rfc3339(departure))"
        case .window(let start, let end):
            "departures from \(TimeText.rfc3339(start)) until \(TimeText.rfc3339(end)): give a span of more "
                + "than nothing and at most a day"
        case .curveTooLarge(let scores, let limit):
            "a curve of \(scores) scores, routes times departures; at most \(limit): give fewer routes or a "
                + "shorter span"
        case .confidence(let confidence):
            "a confidence of \(confidence); it lies between 0 and 1"
        }
    }
}

extension RankingError {
    /// Checks that nobody wants to be there before leaving.
    static func check(
        _ deadline: Timestamp?, leaving departure: Timestamp
    ) throws(RankingError) {
        if let deadline, deadline < departure {
            throw .deadlineBeforeDeparture(deadline, departure: departure)
        }
    }
}

extension RouteWeights {
    /// As ``validate(hasDeadline:)``, for a ranking.
    package func check(hasDeadline: Bool) throws(RankingError) {
        do throws(RouteWeightsError) {
            try validate(hasDeadline: hasDeadline)
        } catch {
            throw .weights(error)
        }
    }
}

extension RouteSet {
    /// Packs routes for a ranking.
    package static func packing(_ routes: [Route]) throws(RankingError) -> RouteSet {
        do throws(RouteSetError) {
            return try RouteSet(routes)
        } catch {
            throw .route(error)
        }
    }
}
