// Whether the columns of a cached feed fit together, so that nothing that reads them can leave its tables or reckon with
// numbers that no reader of a feed lets through.
internal import BridgecastCore

extension FeedParts {
    /// Checks lengths, beginnings, row numbers, and that times, days and places are such as a feed may have.
    ///
    /// - Complexity: O(rows), a nanosecond each.
    func checkStructure() throws(CachedFeedDamage) {
        try check(stopsAreSound, "stops")
        try check(routesAreSound, "routes")
        try check(tripsAreSound, "trips")
        try check(stopTimesAreSound, "stop times")
        try check(servicesAreSound, "services")
        try check(shapesAreSound, "shapes")
        try check(frequenciesAreSound, "frequencies")
        try check(
            transfers.allSatisfy { isRow($0.from, stops.count) && isRow($0.to, stops.count) },
            "transfers")
        try check(
            calls.starts.areStarts(of: stops.count, in: calls.rows.count)
                && calls.rows.areBelow(stopTimes.count), "calls")
        try check(
            children.starts.areStarts(of: stops.count, in: children.stops.count)
                && children.stops.areRows(of: stops.count), "stations")
    }

    /// Seconds of a service day: ten days, as the reader of times has it.
    private static let seconds: ClosedRange<Int32> = 0...864_000
    /// Day numbers of the years 1 to 9999.
    private static let days: ClosedRange<Int32> = -719_162...2_932_896

    private func check(_ isSound: Bool, _ table: String) throws(CachedFeedDamage) {
        guard isSound else { throw CachedFeedDamage("its \(table) do not fit together") }
    }

    private func isRow(_ number: Int32, _ count: Int) -> Bool { number >= 0 && number < count }

    private var stopsAreSound: Bool {
        let counts = [
            stops.codes.count, stops.names.count, stops.latitudes.count, stops.longitudes.count,
            stops.kinds.count, stops.parents.count, stops.platforms.count, stops.wheelchairs.count,
        ]
        return counts.allSatisfy { $0 == stops.count }
            && stops.parents.areRows(of: stops.count, orNone: true)
            && stops.latitudes.allSatisfy { $0.isNaN || abs($0) <= 90 }
            && stops.longitudes.allSatisfy { $0.isNaN || abs($0) <= 180 }
    }

    private var routesAreSound: Bool {
        let counts = [
            routes.agencies.count, routes.shortNames.count, routes.longNames.count,
            routes.kinds.count, routes.colours.count, routes.textColours.count,
            routes.sortOrders.count,
        ]
        let directions = routes.directionNames.count
        return counts.allSatisfy { $0 == routes.count }
            && routes.agencies.areRows(of: agencies.count)
            && (directions == 0 || directions == 2 * routes.count)
    }

    private var tripsAreSound: Bool {
        let counts = [
            trips.routes.count, trips.services.count, trips.headsigns.count, trips.shortNames.count,
            trips.directions.count, trips.shapes.count, trips.wheelchairs.count,
        ]
        return counts.allSatisfy { $0 == trips.count } && trips.routes.areRows(of: routes.count)
            && trips.services.areRows(of: services.count)
            && trips.headsigns.areRows(of: trips.headsignTexts.count, orNone: true)
            && trips.shapes.areRows(of: shapes.count, orNone: true)
            && trips.directions.allSatisfy { (-1...1).contains($0) }
    }

    private var stopTimesAreSound: Bool {
        let table = stopTimes
        let counts = [
            table.arrivals.count, table.departures.count, table.sequences.count, table.flags.count,
        ]
        return counts.allSatisfy { $0 == table.count }
            && table.starts.areStarts(of: trips.count, in: table.count)
            && table.stops.areRows(of: stops.count)
            && table.arrivals.areWithin(Self.seconds) && table.departures.areWithin(Self.seconds)
            && (table.distances.isEmpty || table.distances.count == table.count)
            && !table.distances.contains(where: \.isInfinite)
            && table.headsignRows.count == table.headsignTexts.count
            && table.headsignRows.areBelow(table.count)
            && table.headsignTexts.areRows(of: trips.headsignTexts.count, orNone: true)
    }

    private var servicesAreSound: Bool {
        let counts = [services.weekdays.count, services.firstDays.count, services.lastDays.count]
        return counts.allSatisfy { $0 == services.count }
            && services.exceptionStarts.areStarts(
                of: services.count, in: services.exceptionDays.count)
            && services.exceptionIsAdded.count == services.exceptionDays.count
            && [services.firstDays, services.lastDays, services.exceptionDays]
                .allSatisfy { $0.areWithin(Self.days) }
    }

    private var shapesAreSound: Bool {
        let points = shapes.latitudes.count
        return shapes.starts.areStarts(of: shapes.count, in: points)
            && shapes.longitudes.count == points
            && (shapes.distances.isEmpty || shapes.distances.count == points)
            && !shapes.distances.contains(where: \.isInfinite)
            && shapes.latitudes.areWithin(-900_000_000...900_000_000)
            && shapes.longitudes.areWithin(-1_800_000_000...1_800_000_000)
    }

    private var frequenciesAreSound: Bool {
        frequencies.allSatisfy {
            isRow($0.trip, trips.count) && (1...86_400).contains($0.headwaySeconds)
                && Self.seconds.contains($0.startSeconds) && Self.seconds.contains($0.endSeconds)
                && $0.startSeconds < $0.endSeconds
        }
            && (trips.frequencyStarts.isEmpty
                || trips.frequencyStarts.areStarts(of: trips.count, in: frequencies.count))
    }
}

extension [UInt32] {
    /// Whether these are where the rows of `count` things begin among `rows`.
    fileprivate func areStarts(of count: Int, in rows: Int) -> Bool {
        guard self.count == count + 1, first == 0, Int(self[count]) == rows else { return false }
        return indices.dropLast().allSatisfy { self[$0] <= self[$0 + 1] }
    }

    fileprivate func areBelow(_ count: Int) -> Bool {
        Int(reduce(0) { Swift.max($0, $1) }) < count || isEmpty
    }
}

extension [Int32] {
    fileprivate func areWithin(_ range: ClosedRange<Int32>) -> Bool {
        let lowest = reduce(range.lowerBound) { Swift.min($0, $1) }
        let highest = reduce(range.upperBound) { Swift.max($0, $1) }
        return lowest >= range.lowerBound && highest <= range.upperBound
    }

    /// Whether these are rows of a table, or ``FeedIndex/none`` where that is allowed.
    fileprivate func areRows(of count: Int, orNone: Bool = false) -> Bool {
        let lowest = reduce(Int32(0)) { Swift.min($0, $1) }
        let highest = reduce(Int32(-1)) { Swift.max($0, $1) }
        return lowest >= (orNone ? -1 : 0) && Int(highest) < count
    }
}
