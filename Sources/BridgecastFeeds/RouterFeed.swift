// Candidates of a running OSRM or Valhalla: the direct way and the ways by other crossings, requested concurrently.
package import BridgecastRouting
internal import BridgecastSupport
internal import BridgecastCore
internal import BridgecastRoads
internal import BridgecastData
private import Logging

/// A route server over HTTP.
package struct RouterFeed: Sendable {
    private let router: Router
    private let client: FeedClient
    /// See ``FeedRequest/timeoutSeconds``; for each request.
    package var timeoutSeconds = 10.0

    private static let maxConcurrent = 4
    /// Trips in a city have shorter replies.
    private static let maxBytes = 4 << 20

    package init(_ router: Router, client: FeedClient) {
        self.router = router
        self.client = client
    }

    /// As ``routes(of:)``, with a client of its own.
    package static func routes(
        of trip: RouterTrip, from router: Router
    ) async throws -> RouterRoutes {
        let log = Logger(label: "bridgecast.router") { _ in SwiftLogNoOpLogHandler() }
        return try await FeedClient.with(log: log) { client in
            try await RouterFeed(router, client: client).routes(of: trip)
        }
    }

    /// Requests the direct way, then those by crossings that it does not use.
    ///
    /// - Throws: ``FeedError`` if there is no route, and immediately if the first request is not answered;
    ///   `CancellationError`.
    package func routes(of trip: RouterTrip) async throws -> RouterRoutes {
        var answers = RouterAnswers(trip)
        do {
            answers.add(try await candidates(of: trip, by: []), by: [])
        } catch let error as FeedError {
            switch error {
            case .unreachable, .timedOut, .address: throw error
            default: answers.add(error, by: [])
            }
        }
        let known = answers.quickestDecks
        let ways = trip.ways.filter { $0.map(\.name) != known }
        for (way, answer) in try await replies(to: trip, by: ways) {
            switch answer {
            case .success(let reply): answers.add(reply, by: way)
            case .failure(let error): answers.add(error, by: way)
            }
        }
        return try answers.routes()
    }

    private typealias Answer = Result<CandidateRoutes, FeedError>

    /// The answer to each request, in the order of the ways.
    private func replies(
        to trip: RouterTrip, by ways: [[DeckPassage]]
    ) async throws -> [(way: [DeckPassage], answer: Answer)] {
        var answers = [Answer?](repeating: nil, count: ways.count)
        try await withThrowingTaskGroup(of: (number: Int, answer: Answer).self) { group in
            var waiting = ways.indices.makeIterator()
            for _ in 0..<Self.maxConcurrent {
                if let number = waiting.next() {
                    group.addTask { (number, try await answer(trip, ways[number])) }
                }
            }
            while let next = try await group.next() {
                answers[next.number] = next.answer
                if let number = waiting.next() {
                    group.addTask { (number, try await answer(trip, ways[number])) }
                }
            }
        }
        return zip(ways, answers).compactMap { way, answer in answer.map { (way, $0) } }
    }

    private func answer(_ trip: RouterTrip, _ way: [DeckPassage]) async throws -> Answer {
        do {
            return .success(try await candidates(of: trip, by: way))
        } catch {
            return .failure(try FeedError(error, feed: router.publicURL))
        }
    }

    private func candidates(
        of trip: RouterTrip, by way: [DeckPassage]
    ) async throws -> CandidateRoutes {
        var request = FeedRequest(feed: "router", url: router.address(of: trip, by: way))
        request.timeoutSeconds = timeoutSeconds
        request.maxBytes = Self.maxBytes
        request.refusal = { CandidateFile.refusal(in: $0) }
        return try await client.get(request, retrying: .once) { body throws(DocumentProblem) in
            try CandidateFile.reply(body ?? [], mode: trip.mode)
        }.content
    }
}
