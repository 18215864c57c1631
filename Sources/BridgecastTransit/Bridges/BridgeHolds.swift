// Whom drawbridges hold now, for boards: a bus whose time at a stop is past has not left while a bridge before it holds it.
internal import BridgecastCore

/// The bridges that a feed's shapes cross, with what is known of them at one moment.
public struct BridgeHolds: Sendable {
    private let crossings: BridgeCrossings
    private let knowledge: BridgeKnowledge

    /// Puts both together.
    public init(_ crossings: BridgeCrossings, _ knowledge: BridgeKnowledge) {
        (self.crossings, self.knowledge) = (crossings, knowledge)
    }

    /// A bus that a bridge has held so long, seconds, took another way or was taken back, and no board waits for it.
    private static let longestSeconds: Int64 = 3600

    /// The earliest moment, an hour before at most, at which a run may have come to a bridge that holds it at a moment, seconds since 1970; nil while
    /// no bridge that a route crosses is up or has a queue, which is nearly always.
    ///
    /// - Complexity: O(openings of the last six hours).
    func earliest(at moment: Int64) -> Int64? {
        guard !crossings.isEmpty, knowledge.knowsQueues(at: moment) else { return nil }
        let isUp = knowledge.knowsStates(at: moment)
        return BridgeIndex.all.lazy.filter { !crossings.routes(over: $0).isEmpty }
            .compactMap { knowledge.firstHeld(by: $0, at: Double(moment), isUp: isUp) }
            .min().map { max(Int64($0), moment - Self.longestSeconds) }
    }

    /// Whether a bridge before a stop holds a run at a moment.
    func holds(
        _ run: RunKey, before order: Int, in snapshot: TransitSnapshot, at moment: Int64
    ) -> Bool {
        let moment = Timestamp(secondsSinceEpoch: moment)
        return snapshot.bridgesAhead(of: run, at: moment, crossings, knowledge)
            .contains { $0.waitsNow && $0.afterStop < order }
    }
}

extension BridgeKnowledge {
    /// What is known of the bridges holds so many seconds before and after it was known.
    private static let stateSeconds: Int64 = 120

    /// Whether states of bridges, which are of the issue time, hold at a moment, seconds since 1970.
    func knowsStates(at moment: Int64) -> Bool {
        abs(moment - issueTime.secondsSinceEpoch) <= Self.stateSeconds
    }

    /// Whether openings that are over tell of queues at a moment, seconds since 1970: also of what is left of them later.
    func knowsQueues(at moment: Int64) -> Bool {
        moment >= issueTime.secondsSinceEpoch - Self.stateSeconds
    }

    /// A moment, or that of the first forecast where the forecasts are a little newer.
    func firstForecast(_ time: Timestamp) -> Timestamp {
        let lead = issueTime.secondsSinceEpoch - time.secondsSinceEpoch
        return lead > 0 && lead <= Self.stateSeconds ? issueTime : time
    }
}
