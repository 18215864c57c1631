// Why routes could not be ranked: one type for all ways to ask, and why a set of routes could not be packed.
public import BridgecastCore
public import BridgecastEngine
public import BridgecastSupport

/// Why routes could not be ranked, or no departure be found.
public enum RankingError: Failure, Equatable {
    /// The forecast was refused or cancelled.
    case forecast(InferenceError)
    /// The table at hand cannot answer for these routes.
    case table(ForecastTableError)
    /// A route cannot be scored.
    case route(RouteSetError)
    /// Two routes have the same id.
    case sameID(String)
    /// The trip has no routes.
    case trip(RoutePlanError)
    /// The weights rank nothing.
    case weights(RouteWeightsError)
    /// The departure is before the issue time.
    case departureInThePast(Timestamp, issueTime: Timestamp)
    /// The departure is more than ``ForecastTable/maxDepartureMinutes`` after the issue time.
    case departureTooFar(Timestamp)
    /// The deadline is before the departure.
    case deadlineBeforeDeparture(Timestamp, departure: Timestamp)
    /// Departures are asked for in an empty span of time, or one of more than a day.
    case window(from: Timestamp, until: Timestamp)
    /// The routes times the departures are more than ``DepartureCurve/maxScores``.
    case curveTooLarge(scores: Int, limit: Int)
    /// The probability is not between 0 and 1.
    case confidence(Double)

    /// Decides exit codes and statuses.
    public var kind: FailureKind {
        switch self {
        case .forecast(let error): error.kind
        case .route(let error): error.kind
        case .trip(let error): error.kind
        case .weights(let error): error.kind
        // Rankings ask for the table that they need themselves.
        case .table: .software
        case .departureInThePast, .departureTooFar, .deadlineBeforeDeparture, .window, .confidence,
            .curveTooLarge, .sameID:
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
        case .sameID(let id): "two routes have the id '\(printable(id))': give each its own"
        case .departureInThePast(let departure, let issueTime):
            "the departure, \(TimeText.rfc3339(departure)), is before the issue time, "
                + "\(TimeText.rfc3339(issueTime))"
        case .departureTooFar(let departure):
            "the departure, \(TimeText.rfc3339(departure)), is more than "
                + "\(Int(ForecastTable.maxDepartureMinutes / 1440)) days ahead"
        case .deadlineBeforeDeparture(let deadline, let departure):
            "the time to arrive by, \(TimeText.rfc3339(deadline)), is before the departure, "
                + "\(TimeText.rfc3339(departure))"
        case .window(let start, let end):
            "departures from \(TimeText.rfc3339(start)) until \(TimeText.rfc3339(end)): give a span of more "
                + "than nothing and at most a day"
        case .curveTooLarge(let scores, let limit):
            "a curve of \(scores) scores, routes times departures; at most \(limit): give fewer routes or a "
                + "shorter span"
        case .confidence(let confidence): "a confidence of \(confidence); it is between 0 and 1"
        }
    }

    /// Checks that the deadline is not before the departure.
    static func check(_ deadline: Timestamp?, leaving departure: Timestamp) throws(RankingError) {
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
    package static func packing(_ routes: [Route]) throws(RankingError) -> RouteSet {
        do throws(RouteSetError) {
            return try RouteSet(routes)
        } catch {
            throw .route(error)
        }
    }
}

/// A route that cannot be scored: a stretch is no duration, or all of it takes too long.
public struct RouteSetError: Failure, Equatable {
    /// The route's id.
    public let route: String
    /// The step that is no duration, from 0; nil if the route takes too long in all, or has too many steps.
    public let step: Int?
    private let problem: String

    init(route: String, step: Int, _ travel: Route.Travel) {
        self.route = route
        self.step = step
        problem =
            "step \(step): mean \(travel.meanMinutes) and spread \(travel.spreadMinutes) minutes; both must be "
            + "numbers from 0 to \(Int(RouteSet.maxMinutes))"
    }

    init(route: String, totalMinutes: Double) {
        self.route = route
        step = nil
        problem = "takes \(totalMinutes) minutes in all; at most \(Int(RouteSet.maxMinutes)), a day"
    }

    init(route: String, steps: Int) {
        self.route = route
        step = nil
        problem = "has \(steps) steps; at most \(RouteSet.maxSteps)"
    }

    /// Decides exit codes and statuses.
    public var kind: FailureKind { .data }

    /// Which route and stretch, and what is wrong with it.
    public var description: String { "route '\(printable(route, maxLength: 60))', \(problem)" }
}
