// Makes one list of routes out of a route server's replies: duplicates and long detours are left out; requests that failed
// while others were answered.
package import BridgecastCore
package import BridgecastData
package import BridgecastRoads
package import BridgecastSupport

package struct RouterAnswers {
    private struct Finding {
        let route: Route
        let decks: [String]
        let isDirect: Bool
    }

    private let trip: RouterTrip
    private var findings: [Finding] = []
    private var notes: [String] = []
    private var failures: [(way: [DeckPassage], error: FeedError)] = []
    private var requests = 0

    /// Two ways over the same decks that take the same time but for so much are one, minutes.
    private static let sameMinutes = 1.0
    /// Longer routes than this times the quickest, plus ``detourMinutes``, are dropped.
    private static let detour = 2.0
    private static let detourMinutes = 15.0

    package init(_ trip: RouterTrip) { self.trip = trip }

    /// - Parameter way: The crossings that were asked for; none for the direct request.
    package mutating func add(_ reply: CandidateRoutes, by way: [DeckPassage]) {
        requests += 1
        for (index, route) in reply.routes.enumerated() {
            let decks = reply.decks.indices.contains(index) ? reply.decks[index] : []
            findings.append(Finding(route: route, decks: decks, isDirect: way.isEmpty))
        }
        notes += reply.notes.map { "\(Self.name(way)): \($0)" }
    }

    package mutating func add(_ error: FeedError, by way: [DeckPassage]) {
        requests += 1
        failures.append((way, error))
    }

    /// The decks of the quickest route so far: there is no need to ask for the way by them.
    package var quickestDecks: [String]? { ordered.first?.decks }

    /// - Throws: The failure of the direct request, or else the first, if there is no route.
    package func routes() throws(FeedError) -> RouterRoutes {
        let kept = kept
        guard !kept.isEmpty else {
            let worst = failures.first { $0.way.isEmpty } ?? failures.first
            throw worst?.error ?? .failed(feed: "router", reason: "was asked for nothing")
        }
        let routes = kept.enumerated().map { number, finding in
            var route = finding.route
            route.id = "route \(number + 1)"
            route.origin = trip.origin
            route.destination = trip.destination
            return route
        }
        return RouterRoutes(routes: routes, notes: notesOfFailures + notes, requests: requests)
    }

    /// The quickest first; of equals the direct one.
    private var ordered: [Finding] {
        findings.filter { finding in
            // A request by way of a deck may be led over it and back.
            finding.isDirect || Set(finding.decks).count == finding.decks.count
        }.sorted {
            ($0.route.meanTravelMinutes, $0.isDirect ? 0 : 1)
                < ($1.route.meanTravelMinutes, $1.isDirect ? 0 : 1)
        }
    }

    private var kept: [Finding] {
        var kept: [Finding] = []
        let ordered = ordered
        let quickest = ordered.first?.route.meanTravelMinutes ?? 0
        for finding in ordered {
            let minutes = finding.route.meanTravelMinutes
            guard minutes <= quickest * Self.detour + Self.detourMinutes else { break }
            // A request by way of a deck is for the quickest over it; other streets are what alternatives are for.
            let isKnown = kept.contains { other in
                if finding.isDirect {
                    return other.decks == finding.decks
                        && minutes - other.route.meanTravelMinutes < Self.sameMinutes
                }
                // Quicker, and over nothing more: whatever the bridges do, it is ahead. What crosses no deck that we
                // know may have crossed another, which is a way of its own.
                return other.decks == finding.decks
                    || !other.decks.isEmpty && Set(other.decks).isSubset(of: finding.decks)
            }
            if !isKnown { kept.append(finding) }
        }
        return kept
    }

    private var notesOfFailures: [String] {
        guard let first = failures.first else { return [] }
        let failure = BatchRequestFailure(
            requests: failures.map { Self.name($0.way) }, count: requests, first: first.error)
        return ["\(failure). \(failure.recovery)"]
    }

    private static func name(_ way: [DeckPassage]) -> String {
        way.isEmpty ? "the direct way" : "by " + way.map(\.name).joined(separator: " and ")
    }
}

/// The routes of a trip, out of several replies.
package struct RouterRoutes: Sendable {
    /// The routes, the quickest first.
    package let routes: [Route]
    /// What was not answered, corrected or set aside, for people.
    package let notes: [String]
    package let requests: Int
}

/// Some of the requests of a batch failed; the answers to the others are used.
package struct BatchRequestFailure: Failure, Equatable {
    /// What the failed requests asked for, in order.
    package let requests: [String]
    /// The number of requests in the batch.
    package let count: Int
    /// The failure of the first of them.
    package let first: FeedError

    package init(requests: [String], count: Int, first: FeedError) {
        self.requests = requests
        self.count = count
        self.first = first
    }

    package var kind: FailureKind { first.kind }
    /// Others were answered.
    package var isMadeGood: Bool { requests.count < count }

    package var description: String {
        "\(requests.count) of \(count) requests failed (\(requests.joined(separator: ", "))): "
            + first.description(of: .routeServer)
    }

    package var recovery: String {
        isMadeGood ? "The routes that were found are ranked. \(first.recovery)" : first.recovery
    }
}
