// How a feed has answered lately, and when it is asked again; LiveService keeps one for the bridges.
internal import Bridgecast
internal import BridgecastData

/// Failures of a feed in a row, and the rest that it asked for.
struct FeedHealth: Sendable, Equatable {
    /// Failures since the last answer.
    private(set) var failures = 0
    private var restSeconds: Double?

    /// Notes an answer.
    mutating func answered() { self = FeedHealth() }

    /// Notes a failure.
    mutating func failed(_ error: FeedError) {
        failures += 1
        restSeconds = error.retryAfterSeconds
    }

    /// Seconds to the next request; nil if somebody has to ask for it.
    func nextSeconds(_ interval: RefreshInterval, isAnyRaised: Bool = false) -> Int64? {
        interval.nextSeconds(
            failures: failures, restSeconds: restSeconds, isAnyRaised: isAnyRaised)
    }

    /// What happens after an error: it is tried again by itself, or the user has to do something.
    func recovery(from error: FeedError, _ interval: RefreshInterval) -> RefreshRecovery {
        switch error {
        case .status(_, let code, _) where [401, 403, 404].contains(code):
            .userActionRequired("\(error)")
        default: recovery(interval)
        }
    }

    /// What happens next, whatever has failed.
    func recovery(_ interval: RefreshInterval) -> RefreshRecovery {
        nextSeconds(interval).map { .retryScheduled(after: Double($0)) }
            ?? .userActionRequired("ask again")
    }
}
