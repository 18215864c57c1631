// The moments at which forecasts are scored, and the minutes that records are counted at.
package import BridgecastCore

/// The issue times of the evaluation protocol.
package enum ProtocolClock {
    /// Every five minutes of the clock within an interval.
    package static func issueTimes(in interval: Range<Timestamp>) -> [Timestamp] {
        moments(in: interval, everySeconds: 300)
    }

    /// Every minute of the clock within an interval.
    package static func minutes(in interval: Range<Timestamp>) -> [Timestamp] {
        moments(in: interval, everySeconds: 60)
    }

    private static func moments(
        in interval: Range<Timestamp>, everySeconds step: Int64
    ) -> [Timestamp] {
        let first = (interval.lowerBound.secondsSinceEpoch + step - 1) / step * step
        return stride(from: first, to: interval.upperBound.secondsSinceEpoch, by: Int(step)).map {
            Timestamp(secondsSinceEpoch: $0)
        }
    }
}
