// The routes of a trip: of our own roads, or of the route server that was named; used by `predict` and `depart`.
import BridgecastAnswers
import BridgecastCore
import BridgecastRoads
import BridgecastData
import BridgecastEngine

extension TripOptions {
    /// Whether another program has to go on, because this one talks to no network.
    func isForServer(_ ask: RouterOptions.Asking?) -> Bool { router.router != nil && ask == nil }

    /// What is asked for with --from and --to; nil without them.
    ///
    /// - Parameter ask: Asks the route server.
    func request(
        leaving departure: Timestamp, asking ask: RouterOptions.Asking?
    ) async throws -> (request: RouteRequest, source: RouteSource)? {
        guard let from, let to else { return nil }
        var source = RouteSource(.roads)
        if let ask, let server = router.server {
            let trip = try routerTrip(from, to, leaving: departure)
            do {
                let answer = try await ask(trip, server)
                remark(answer.notes)
                return (.routes(answer.routes), RouteSource(server, answer))
            } catch let error as FeedError {
                let words = error.words(of: RouterAnswers.kind)
                guard router.routerFallback else { throw CommandFailure(.init(error.kind), words) }
                source.notes = ["\(words); these are our own roads instead"]
                remark(source.notes)
            }
        }
        return try trip().map { (.trip($0.trip, $0.planner), source) }
    }

    private func routerTrip(
        _ from: String, _ to: String, leaving departure: Timestamp
    ) throws -> RouterTrip {
        let roads = try roads()
        let (start, end) = (try roads.end(from, for: mode), try roads.end(to, for: mode))
        guard start.point != end.point else {
            throw RankingError.trip(.samePlace(start.name))
        }
        return RouterTrip(from: start, to: end, mode: mode, on: roads, leaving: departure)
    }
}
