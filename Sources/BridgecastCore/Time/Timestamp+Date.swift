// To and from Foundation's dates, and the present: for programs that import Bridgecast.
public import Foundation

extension Timestamp {
    /// The present by the system's clock.
    public static var now: Timestamp { Timestamp(Date()) }

    /// The last whole second at or before a date; ``earliest`` or ``latest`` beyond these.
    public init(_ date: Date) {
        self.init(
            secondsSinceEpoch: Self.wholeSeconds(date.timeIntervalSince1970.rounded(.down)))
    }

    /// The same moment as Foundation has it.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSinceEpoch)) }
}
