// Row numbers of a feed's tables: one type a table, so that a trip's number cannot be taken for a stop's.

/// The place of a row in a table of a ``TransitFeed``; it means nothing in another feed.
public struct FeedIndex<Row>: Hashable, Comparable, Sendable {
    /// From 0.
    public var position: Int { Int(number) }
    /// As tables store it; never negative.
    package let number: Int32

    /// - Precondition: Not negative, and below 2^31.
    @inline(__always)
    package init(_ position: Int) { number = Int32(position) }

    /// Orders rows as the feed has them.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}

/// A stop, station, entrance or other place of stops.txt.
public typealias StopIndex = FeedIndex<TransitStop>
/// A route of routes.txt.
public typealias RouteIndex = FeedIndex<TransitRoute>
/// A trip of trips.txt.
public typealias TripIndex = FeedIndex<TransitTrip>
/// A service of calendar.txt and calendar_dates.txt.
public typealias ServiceIndex = FeedIndex<ServiceCalendar>
/// A shape of shapes.txt.
public typealias ShapeIndex = FeedIndex<ShapeTable>

extension FeedIndex {
    /// What tables store where there is no row.
    package static var none: Int32 { -1 }

    /// The row that a table's number stands for; nil for ``none``.
    @inline(__always)
    package init?(stored number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }
}
