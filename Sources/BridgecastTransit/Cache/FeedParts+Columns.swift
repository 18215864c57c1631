// Every column of a feed, named once: the cache writes and reads them in this order.
internal import BridgecastCore

/// Writes or reads columns one after another.
protocol ColumnVisitor {
    mutating func visit<Element: BitwiseCopyable>(
        _ column: inout [Element]) throws(CachedFeedDamage)
    mutating func visit(_ texts: inout TextColumn) throws(CachedFeedDamage)
    mutating func visit(_ ids: inout IdentifierTable) throws(CachedFeedDamage)
}

extension FeedParts {
    /// Shows every column to a visitor; what is new in a table of a feed has to be added here, which the tests see to.
    mutating func visitColumns(_ visitor: inout some ColumnVisitor) throws(CachedFeedDamage) {
        try stops.visitColumns(&visitor)
        try routes.visitColumns(&visitor)
        try trips.visitColumns(&visitor)
        try stopTimes.visitColumns(&visitor)
        try services.visitColumns(&visitor)
        try visitor.visit(&shapes.ids)
        try visitor.visit(&shapes.starts)
        try visitor.visit(&shapes.latitudes)
        try visitor.visit(&shapes.longitudes)
        try visitor.visit(&shapes.distances)
        try visitor.visit(&frequencies)
        try visitor.visit(&transfers)
        try visitor.visit(&calls.starts)
        try visitor.visit(&calls.rows)
        try visitor.visit(&children.starts)
        try visitor.visit(&children.stops)
    }
}

extension StopTable {
    fileprivate mutating func visitColumns(
        _ visitor: inout some ColumnVisitor
    ) throws(CachedFeedDamage) {
        try visitor.visit(&ids)
        try visitor.visit(&codes)
        try visitor.visit(&names)
        try visitor.visit(&latitudes)
        try visitor.visit(&longitudes)
        try visitor.visit(&kinds)
        try visitor.visit(&parents)
        try visitor.visit(&platforms)
        try visitor.visit(&wheelchairs)
    }
}

extension RouteTable {
    fileprivate mutating func visitColumns(
        _ visitor: inout some ColumnVisitor
    ) throws(CachedFeedDamage) {
        try visitor.visit(&ids)
        try visitor.visit(&agencies)
        try visitor.visit(&shortNames)
        try visitor.visit(&longNames)
        try visitor.visit(&kinds)
        try visitor.visit(&colours)
        try visitor.visit(&textColours)
        try visitor.visit(&sortOrders)
        try visitor.visit(&directionNames)
    }
}

extension TripTable {
    fileprivate mutating func visitColumns(
        _ visitor: inout some ColumnVisitor
    ) throws(CachedFeedDamage) {
        try visitor.visit(&ids)
        try visitor.visit(&routes)
        try visitor.visit(&services)
        try visitor.visit(&headsignTexts)
        try visitor.visit(&headsigns)
        try visitor.visit(&shortNames)
        try visitor.visit(&directions)
        try visitor.visit(&shapes)
        try visitor.visit(&wheelchairs)
        try visitor.visit(&frequencyStarts)
    }
}

extension StopTimeTable {
    fileprivate mutating func visitColumns(
        _ visitor: inout some ColumnVisitor
    ) throws(CachedFeedDamage) {
        try visitor.visit(&starts)
        try visitor.visit(&stops)
        try visitor.visit(&arrivals)
        try visitor.visit(&departures)
        try visitor.visit(&sequences)
        try visitor.visit(&distances)
        try visitor.visit(&flags)
        try visitor.visit(&headsignRows)
        try visitor.visit(&headsignTexts)
    }
}

extension ServiceCalendar {
    fileprivate mutating func visitColumns(
        _ visitor: inout some ColumnVisitor
    ) throws(CachedFeedDamage) {
        try visitor.visit(&ids)
        try visitor.visit(&weekdays)
        try visitor.visit(&firstDays)
        try visitor.visit(&lastDays)
        try visitor.visit(&exceptionStarts)
        try visitor.visit(&exceptionDays)
        try visitor.visit(&exceptionIsAdded)
    }
}

extension FeedParts {
    /// The parts of a feed; its columns are shared, not copied.
    init(_ feed: TransitFeed) {
        self.init(
            name: feed.name, agencies: feed.agencies, zone: feed.zone, info: feed.info,
            notices: feed.notices, stops: feed.stops, routes: feed.routes, trips: feed.trips,
            stopTimes: feed.stopTimes, services: feed.services, shapes: feed.shapes,
            frequencies: feed.frequencies, transfers: feed.transfers, calls: feed.calls,
            children: feed.children)
    }
}
