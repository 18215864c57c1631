// Refusals of rankings as clients are told of them: each names the parameter that it is about.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import HTTPTypes

extension Problem {
    /// What a client is told where routes were not ranked.
    ///
    /// - Parameter departing: The parameter that set the departure.
    init(_ error: RankingError, departing parameter: String = "depart") {
        switch error {
        case .forecast(let error): self.init(error)
        case .trip(let error): self.init(error)
        case .route, .curveTooLarge:
            self.init(
                .unprocessableContent, .unprocessable, error.description,
                recovery: "correct or leave out what is named")
        case .weights:
            self = .parameter("weights", error.description, takes: "what the detail says")
        case .departureInThePast, .departureTooFar, .window:
            self = .parameter(
                parameter, error.description,
                takes: "a time from now to 366 days ahead, such as 2026-02-20T17:50")
        case .deadlineBeforeDeparture:
            self = .parameter(
                "arrive_by", error.description, takes: "a time after the departure")
        case .confidence:
            self = .parameter(
                "confidence", error.description, takes: "a probability above 0 and below 1")
        case .table: self.init(.notFinite(request: 0))
        }
    }

    private init(_ error: RoutePlanError) {
        switch error {
        case .noWay:
            self.init(
                .notFound, .notFound, error.description,
                recovery: "try another mode, or a place on the same side of the water",
                parameter: "mode", near: Route.Mode.allCases.map(\.rawValue))
        case .samePlace, .foreignNetwork:
            self = .parameter("to", error.description, takes: "another place than from")
        }
    }

    /// Runs something that ranks.
    ///
    /// - Parameter departing: The parameter that set the departure.
    static func tellingRanking<Result>(
        departing parameter: String = "depart", _ body: () throws(RankingError) -> Result
    ) throws(Problem) -> Result {
        do {
            return try body()
        } catch {
            throw Problem(error, departing: parameter)
        }
    }

    /// Runs something that ranks, elsewhere.
    static func tellingRanking<Result>(
        _ body: () async throws(RankingError) -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await body()
        } catch {
            throw Problem(error)
        }
    }
}
