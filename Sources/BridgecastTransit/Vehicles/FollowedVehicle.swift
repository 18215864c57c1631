// One vehicle on one run: its track along the line, and how late it was some minutes ago.
internal import BridgecastCore

/// What VehicleTracker keeps of a vehicle.
struct FollowedVehicle: Sendable {
    /// Lateness of some minutes ago that is kept to see how it changed.
    static let mostLateness = 6

    let run: RunKey
    /// From when its stop times count, seconds since 1970.
    let startSeconds: Double
    var track = LineTrack()
    /// The newest lateness learned, oldest first.
    private(set) var lateness: [(seconds: Double, late: Double)] = []
    private(set) var learnedAt = -Double.infinity

    init(run: RunKey, startSeconds: Double) { (self.run, self.startSeconds) = (run, startSeconds) }

    mutating func note(_ late: Double, at seconds: Double) {
        if lateness.count == Self.mostLateness { lateness.removeFirst() }
        lateness.append((seconds, late))
        learnedAt = seconds
    }

    /// Takes a fix: where it may start is told by the timetable, where it may be by the stop that the report names.
    mutating func take(
        _ fix: VehicleFix, _ report: VehicleReport, on geometry: RunGeometry, of trip: TripIndex,
        in feed: TransitFeed
    ) -> VehiclePlace {
        let named = feed.stretch(namedBy: report, on: geometry, of: trip)
        let since = fix.seconds - startSeconds
        return track.take(
            fix, on: geometry.line,
            mostMetresPerSecond: feed.kind(of: trip).mostMetresPerSecond,
            start: { metres in
                let late = feed.lateness(
                    of: trip, on: geometry, atMetres: metres, seconds: since)
                // A quarter of an hour late is as odd as three minutes early.
                let oddness = late / (late < 0 ? 180 : 900)
                return min(10, oddness * oddness * 3)
            },
            bias: { named?.contains($0) ?? true ? 0 : 11 })
    }
}

extension RunGeometry {
    /// Metres along the line to the last stop.
    var lastStopMetres: Double { stopMetres[stopMetres.count - 1] }
}

extension VehicleReport {
    /// Its bearing if it moves: one that stands tells where it last went, or nothing.
    var bearingUnderWay: Double? {
        guard let bearing, bearing.isFinite else { return nil }
        return (speed ?? .infinity) >= 1 ? Double(bearing) : nil
    }
}

extension TransitFeed {
    /// The route of a trip.
    package func route(of trip: TripIndex) -> RouteIndex {
        RouteIndex(Int(trips.routes[trip.position]))
    }

    /// What runs a trip.
    package func kind(of trip: TripIndex) -> TransitKind {
        TransitKind(rawValue: routes.kinds[route(of: trip).position]) ?? .bus
    }

    /// The stretch of a line on which a vehicle is by the stop that it names; nil if it names none of the trip.
    fileprivate func stretch(
        namedBy report: VehicleReport, on geometry: RunGeometry, of trip: TripIndex
    ) -> ClosedRange<Double>? {
        let rows = stopTimes.rows(of: trip)
        guard let row = row(namedBy: report, in: rows) else { return nil }
        let order = row - rows.lowerBound
        let stop = geometry.stopMetres[order]
        let isAtStop = report.stopStatus == .stoppedAt
        let before = isAtStop || order == 0 ? stop : geometry.stopMetres[order - 1]
        return before - 200...stop + 200
    }

    /// The row of the stop that a report names among those of its trip; nil if it names none of them.
    ///
    /// O(stops).
    func row(namedBy report: VehicleReport, in rows: Range<Int>) -> Int? {
        if let sequence = report.stopSequence.flatMap({ UInt32(exactly: $0) }),
            let row = rows.first(where: { stopTimes.sequences[$0] == sequence })
        {
            return row
        }
        guard let stop = report.stopID.flatMap({ position(of: $0, in: stops.ids) }) else {
            return nil
        }
        let found = rows.filter { stopTimes.stops[$0] == Int32(stop) }
        // A stop that the trip comes to twice tells nothing.
        return found.count == 1 ? found[0] : nil
    }
}
