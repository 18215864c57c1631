// The delay of a vehicle at an opening, by deterministic queueing: the label of every forecast.

/// Deterministic (D/D/1) queueing at an opening.
///
/// Vehicles arrive at a constant flow q and leave at the saturation flow s after the span is down;
/// with `rho = q / s` the delay of a vehicle that arrives `a` after an opening of length `D` began
/// is `max(0, D - (1 - rho) a)`. Source: Highway Capacity Manual, deterministic queueing at an
/// interruption of uniform arrivals.
public enum QueueingDelay {
    /// An opening can no longer hold anyone up this long after its start.
    package static let memorySeconds: Int64 = 12 * 3600

    /// The delay in seconds at one opening.
    ///
    /// - Parameters:
    ///   - openingSeconds: Length of the opening, not negative.
    ///   - arrivalSeconds: Arrival after its start, not negative.
    ///   - density: Degree of saturation, 0 ..< 1; 0 is a bicycle that filters to the front.
    public static func seconds(
        openingSeconds: Double, arrivalSeconds: Double, density: Double
    ) -> Double {
        max(0, openingSeconds - (1 - density) * arrivalSeconds)
    }
}

extension OpeningHistory {
    /// The delay in seconds of a vehicle that arrives at a bridge at a moment.
    ///
    /// Of several openings the latest whose queue still stands is the one it joins.
    ///
    /// - Parameter density: Degree of saturation of the approach, 0 ..< 1.
    public func delaySeconds(
        arrivingAt moment: Timestamp, of bridge: BridgeIndex, density: Double
    ) -> Double {
        let oldest = moment.adding(seconds: -QueueingDelay.memorySeconds)
        for opening in started(by: moment, of: bridge).reversed() {
            guard opening.start > oldest, let end = opening.end else { break }
            let delay = QueueingDelay.seconds(
                openingSeconds: Double(end.secondsSinceEpoch - opening.start.secondsSinceEpoch),
                arrivalSeconds: Double(moment.secondsSinceEpoch - opening.start.secondsSinceEpoch),
                density: density)
            if delay > 0 { return delay }
        }
        return 0
    }

    /// Whether a vehicle arriving at a moment meets a raised span.
    public func isBlocked(at moment: Timestamp, of bridge: BridgeIndex) -> Bool {
        guard let last = started(by: moment, of: bridge).last, let end = last.end else {
            return false
        }
        return moment < end
    }
}
