// Trips (trips.txt, frequencies.txt), their days of service (calendar.txt, calendar_dates.txt)
// and their shapes (shapes.txt).
public import BridgecastCore

/// A row of trips.txt.
public struct TransitTrip: Sendable, Hashable {
    /// Its row.
    public let index: TripIndex
    /// trip_id.
    public let id: String
    /// Its route.
    public let route: RouteIndex
    /// trip_headsign; empty if it has none.
    public let headsign: String
    /// trip_short_name, such as a train number; empty if it has none.
    public let shortName: String
    /// direction_id, 0 or 1; nil if not stated.
    public let direction: Int?
    /// Its shape; nil if the feed has none.
    public let shape: ShapeIndex?
    /// wheelchair_accessible.
    public let wheelchair: Accessibility
    /// The days on which it runs.
    public let service: ServiceIndex
}

/// trips.txt in columns.
package struct TripTable: Sendable {
    package var ids = IdentifierTable()
    package var routes: [Int32] = []
    package var services: [Int32] = []
    /// Distinct headsigns of trips and stop times.
    package var headsignTexts = TextColumn()
    /// Indices in ``headsignTexts``, or ``FeedIndex/none``.
    package var headsigns: [Int32] = []
    package var shortNames = TextColumn()
    /// 0, 1, or -1 if not stated.
    package var directions: [Int8] = []
    package var shapes: [Int32] = []
    /// As ``Accessibility``.
    package var wheelchairs: [UInt8] = []
    /// By trip, its first row of ``TransitFeed/frequencies``; one more than there are trips, or empty if no trip has any.
    package var frequencyStarts: [UInt32] = []

    package init() {}

    package var count: Int { ids.count }

    /// A trip's rows of ``TransitFeed/frequencies``; empty for one that runs at its stop times.
    package func frequencies(of trip: TripIndex) -> Range<Int> {
        guard !frequencyStarts.isEmpty else { return 0..<0 }
        return Int(frequencyStarts[trip.position])..<Int(frequencyStarts[trip.position + 1])
    }
}

/// A row of frequencies.txt: a period of the day in which a trip runs at a headway.
package struct TripFrequency: Sendable, Equatable, BitwiseCopyable {
    package var trip: Int32
    /// Seconds of the service day: the first run starts at `startSeconds`, none at `endSeconds` or later.
    package var startSeconds, endSeconds: Int32
    /// Headway, seconds, above 0.
    package var headwaySeconds: Int32
    /// exact_times: 1 if runs start exactly at the headway, 0 if it is only approximate.
    package var isExact: Int32
}

/// A row of transfers.txt between two stops.
package struct StopTransfer: Sendable, Equatable, BitwiseCopyable {
    package var from, to: Int32
    /// transfer_type, 0 to 5.
    package var kind: Int32
    /// min_transfer_time, or -1.
    package var minSeconds: Int32
}

extension TransitFeed {
    /// The trip of a row.
    public subscript(trip: TripIndex) -> TransitTrip {
        let row = trip.position
        return TransitTrip(
            index: trip, id: trips.ids[row], route: RouteIndex(Int(trips.routes[row])),
            headsign: headsign(trips.headsigns[row]), shortName: trips.shortNames[row],
            direction: trips.directions[row] < 0 ? nil : Int(trips.directions[row]),
            shape: ShapeIndex(stored: trips.shapes[row]),
            wheelchair: Accessibility(rawValue: trips.wheelchairs[row]) ?? .unknown,
            service: ServiceIndex(Int(trips.services[row])))
    }

    /// The text of a stored headsign; empty for ``FeedIndex/none``.
    package func headsign(_ stored: Int32) -> String {
        stored < 0 ? "" : trips.headsignTexts[Int(stored)]
    }
}

/// The days of service of calendar.txt and calendar_dates.txt.
public struct ServiceCalendar: Sendable {
    package var ids = IdentifierTable()
    /// Bit 0 is Monday; 0 for a service of calendar_dates.txt alone.
    package var weekdays: [UInt8] = []
    /// ``CivilDate/dayNumber``, both inclusive; the last before the first if there is no such period.
    package var firstDays: [Int32] = []
    package var lastDays: [Int32] = []
    /// By service, the start of its exceptions; one more than there are services.
    package var exceptionStarts: [UInt32] = [0]
    /// Day numbers, increasing within a service.
    package var exceptionDays: [Int32] = []
    /// 1 for an added day, 0 for a removed one.
    package var exceptionIsAdded: [UInt8] = []

    package init() {}

    package var count: Int { ids.count }

    /// Whether a service runs on a day; O(log exceptions).
    public func isActive(_ service: ServiceIndex, on date: CivilDate) -> Bool {
        let row = service.position
        let day = Int32(date.dayNumber)
        let exceptions = Int(exceptionStarts[row])..<Int(exceptionStarts[row + 1])
        let next = exceptionDays[exceptions].partitioningIndex { $0 >= day }
        if next < exceptions.upperBound, exceptionDays[next] == day {
            return exceptionIsAdded[next] != 0
        }
        guard day >= firstDays[row], day <= lastDays[row] else { return false }
        // 1970-01-01 was a Thursday.
        let weekday = ((Int(day) + 3) % 7 + 7) % 7
        return weekdays[row] & (1 << weekday) != 0
    }

    package func active(on date: CivilDate) -> [Bool] {
        (0..<count).map { isActive(ServiceIndex($0), on: date) }
    }

    /// The first and last day on which any service runs, exceptions included; nil if none does.
    ///
    /// O(services + exceptions).
    public var period: ClosedRange<CivilDate>? {
        var first = Int32.max
        var last = Int32.min
        for row in 0..<count where firstDays[row] <= lastDays[row] && weekdays[row] != 0 {
            first = min(first, firstDays[row])
            last = max(last, lastDays[row])
        }
        for (day, isAdded) in zip(exceptionDays, exceptionIsAdded) where isAdded != 0 {
            first = min(first, day)
            last = max(last, day)
        }
        return first <= last
            ? CivilDate(dayNumber: Int(first))...CivilDate(dayNumber: Int(last)) : nil
    }
}

/// shapes.txt in columns, the points of a shape contiguous and in order.
public struct ShapeTable: Sendable {
    package var ids = IdentifierTable()
    /// By shape, its first point; one more than there are shapes.
    package var starts: [UInt32] = [0]
    /// Ten-millionths of a degree, 11 mm at most.
    package var latitudes: [Int32] = []
    package var longitudes: [Int32] = []
    /// shape_dist_traveled in the feed's own unit; NaN where missing, an empty array if missing everywhere.
    package var distances: [Float] = []

    package init() {}

    package var count: Int { ids.count }

    package func rows(of shape: ShapeIndex) -> Range<Int> {
        Int(starts[shape.position])..<Int(starts[shape.position + 1])
    }

    package func points(of shape: ShapeIndex) -> [GeoPoint] { rows(of: shape).map(point) }

    /// The point of a row.
    func point(_ row: Int) -> GeoPoint {
        GeoPoint(
            latitude: Double(latitudes[row]) / Self.unitsPerDegree,
            longitude: Double(longitudes[row]) / Self.unitsPerDegree)
    }

    package static let unitsPerDegree = 1e7
}

extension TransitFeed {
    /// The points of a shape, in order.
    public func points(of shape: ShapeIndex) -> [GeoPoint] { shapes.points(of: shape) }
}
