// The way of a trip on the ground and where its stops lie on it: what turns times into places and back.
internal import BridgecastCore

/// The line of a trip with its stops in order along it.
public final class RunGeometry: Sendable {
    /// Where it drives: its shape, or straight lines from stop to stop where the feed has no usable one.
    public let line: ShapeLine
    /// By stop of the trip, metres along the line; never decreasing.
    public let stopMetres: [Double]
    /// Whether the line is a shape of the feed; false where it goes straight from stop to stop.
    public let isShape: Bool

    package init(line: ShapeLine, stopMetres: [Double], isShape: Bool) {
        (self.line, self.stopMetres, self.isShape) = (line, stopMetres, isShape)
    }

    /// The place of the last stop at or before so many metres; nil before the first stop.
    ///
    /// O(log stops).
    public func lastStop(atMetres metres: Double) -> Int? {
        let after = stopMetres.partitioningIndex { $0 > metres }
        return after > 0 ? after - 1 : nil
    }
}

extension TransitFeed {
    /// The way of a trip; nil where neither a shape nor two stops with places tell it.
    ///
    /// Kept once found, and shared by trips with the same shape and stops: O(1) then, O(points x stops) at first.
    public func geometry(of trip: TripIndex) -> RunGeometry? {
        geometries.geometry(of: trip, in: self)
    }
}
