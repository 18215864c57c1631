// A drawbridge that a bus still has to cross, and what it may do to everybody behind it.
public import BridgecastCore

/// A drawbridge on the way of a run.
public struct BridgeAhead: Sendable {
    /// What tells when the bus comes to a bridge.
    public enum Evidence: String, Sendable {
        /// It was seen in the last five minutes, at most 300 m before the bridge.
        case vehicle
        /// Its predicted times.
        case prediction
        /// The timetable alone.
        case timetable
    }

    /// The bridge.
    public let bridge: BridgeIndex
    /// When the bus comes to it, as predicted or else scheduled, without delay at bridges before it; the moment that was
    /// asked about for one that stands before it.
    public let arrival: Timestamp
    /// Place of the last stop before it among the stops of the trip.
    public let afterStop: Int
    /// Metres along the shape to the middle of the bridge.
    public let metres: Double
    /// The delay there; nil where no forecast reaches so far.
    public let delay: DelayDistribution?
    /// Why it is what it is; empty without a forecast.
    public let reasons: [Reason]
    /// What ``arrival`` is from; unless it is the vehicle, nobody has seen the bus there.
    public let evidence: Evidence
    /// Whether the bus, by ``evidence``, waits before it now: it is up, or the queue of an opening that is over still
    /// holds the bus.
    ///
    /// True also of one that comes to it within a minute while it is up.
    public let waitsNow: Bool
    /// For how long it has waited there by its times, seconds: its predicted or scheduled times at later stops do not
    /// have it in them.
    ///
    /// 0 unless it waits.
    public let waitedSeconds: Double
    /// Since when the bridge is up; nil if it is not known to be up, or only since when is not known.
    public let raisedSince: Timestamp?
    /// When it came down, for a bus that waits in the queue of an opening that is over; then ``delay`` is what is
    /// left of the queue, to about half a minute.
    ///
    /// Nil otherwise.
    public let loweredAt: Timestamp?

    package init(
        bridge: BridgeIndex, arrival: Timestamp, afterStop: Int, metres: Double,
        delay: DelayDistribution?, reasons: [Reason], evidence: Evidence, waitsNow: Bool = false,
        waitedSeconds: Double = 0, raisedSince: Timestamp? = nil,
        loweredAt: Timestamp? = nil
    ) {
        (self.bridge, self.arrival, self.afterStop) = (bridge, arrival, afterStop)
        (self.metres, self.delay, self.reasons) = (metres, delay, reasons)
        (self.evidence, self.waitsNow) = (evidence, waitsNow)
        (self.waitedSeconds, self.raisedSince) = (waitedSeconds, raisedSince)
        self.loweredAt = loweredAt
    }
}

extension BridgeAhead {
    /// Whether it is worth a line beneath a departure: the bus waits before it, or it may well be stopped.
    ///
    /// Smaller chances stand beneath nearly every bus and would bury those that matter.
    package var isWorthALine: Bool {
        guard let delay, !waitsNow else { return waitsNow }
        return delay.probabilityDelayed >= Self.smallChance
            || delay.expectedSeconds >= Self.smallSeconds
    }

    /// A chance to be stopped below so many in 100 is small, unless it is expected to cost a minute.
    package static let smallPerHundred = 3
    private static let smallChance = Double(smallPerHundred) / 100
    private static let smallSeconds = 60.0
}
