// Trips: trips.txt, and frequencies.txt, which has some of them run every few minutes.

/// A trip as people know it.
public struct TransitTrip: Sendable, Hashable {
    /// Its row.
    public let index: TripIndex
    /// Its identifier in the feed.
    public let id: String
    /// Its route.
    public let route: RouteIndex
    /// What the vehicle says it goes to; empty if nothing.
    public let headsign: String
    /// What riders call it, such as a train's number; empty if nothing.
    public let shortName: String
    /// 0 or 1; nil where the feed does not say.
    public let direction: Int?
    /// Where it drives; nil where the feed does not say.
    public let shape: ShapeIndex?
    /// Whether it takes wheelchairs.
    public let wheelchair: Accessibility
    /// The days it runs on.
    public let service: ServiceIndex
}

/// trips.txt in columns.
package struct TripTable: Sendable {
    package var ids = IdentifierTable()
    package var routes: [Int32] = []
    package var services: [Int32] = []
    /// Different headsigns, of trips and of stop times.
    package var headsignTexts = TextColumn()
    /// Places in `headsignTexts`, or ``FeedIndex/none``.
    package var headsigns: [Int32] = []
    package var shortNames = TextColumn()
    /// 0, 1, or -1.
    package var directions: [Int8] = []
    package var shapes: [Int32] = []
    /// As ``Accessibility``.
    package var wheelchairs: [UInt8] = []
    /// By trip, where its rows of ``TransitFeed/frequencies`` begin; one more than trips.
    ///
    /// Empty if none has any.
    package var frequencyStarts: [UInt32] = []

    package init() {}

    package var count: Int { ids.count }

    /// The rows of ``TransitFeed/frequencies`` of a trip; empty for one that runs as its stop times say.
    package func frequencies(of trip: TripIndex) -> Range<Int> {
        guard !frequencyStarts.isEmpty else { return 0..<0 }
        return Int(frequencyStarts[trip.position])..<Int(frequencyStarts[trip.position + 1])
    }
}

/// A stretch of a day in which a trip runs every so often.
package struct TripFrequency: Sendable, Equatable, BitwiseCopyable {
    /// The trip's row.
    package var trip: Int32
    /// Seconds of the service day: the first run starts at the first, none at the last or after it.
    package var startSeconds, endSeconds: Int32
    /// Seconds from run to run, above zero.
    package var headwaySeconds: Int32
    /// 1 if runs start just then, 0 if they only come so often.
    package var isExact: Int32

    package init(
        trip: Int32, startSeconds: Int32, endSeconds: Int32, headwaySeconds: Int32, isExact: Int32
    ) {
        self.trip = trip
        (self.startSeconds, self.endSeconds) = (startSeconds, endSeconds)
        (self.headwaySeconds, self.isExact) = (headwaySeconds, isExact)
    }
}

/// A row of transfers.txt between two stops.
package struct StopTransfer: Sendable, Equatable, BitwiseCopyable {
    /// Rows of stops.
    package var from, to: Int32
    /// transfer_type, 0 to 5.
    package var kind: Int32
    /// min_transfer_time, or -1.
    package var leastSeconds: Int32

    package init(from: Int32, to: Int32, kind: Int32, leastSeconds: Int32) {
        (self.from, self.to, self.kind, self.leastSeconds) = (from, to, kind, leastSeconds)
    }
}

extension TransitFeed {
    /// A trip.
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
