// Finds lines and stops by what riders type.

/// How well a name fits a text, the best first.
package enum NameMatch: Int, Comparable, CaseIterable, Sendable {
    /// It is the text.
    case equal
    /// It begins with it.
    case beginning
    /// One of its words does.
    case word
    /// It contains it.
    case contained

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// How a name fits a text of lower-case letters; nil if it does not.
    package init?(_ name: String, _ text: String) {
        let name = name.lowercased()
        guard !name.hasPrefix(text) else {
            self = name == text ? .equal : .beginning
            return
        }
        let found = name.ranges(of: text)
        guard !found.isEmpty else { return nil }
        let beginsWord = found.contains { range in
            range.lowerBound > name.startIndex
                && !name[name.index(before: range.lowerBound)].isLetterOrNumber
        }
        self = beginsWord ? .word : .contained
    }

    /// The best match of some names; nil if none fits.
    package static func best(_ names: String..., for text: String) -> NameMatch? {
        names.compactMap { NameMatch($0, text) }.min()
    }
}

extension TransitFeed {
    /// Lines whose names, identifiers or destinations contain a text, the best first, then in the order of the feed; all
    /// without a text.
    ///
    /// O(routes + their destinations); once O(trips).
    package func routes(matching text: String?) -> [RouteIndex] {
        let rows = (0..<routes.count).map { RouteIndex($0) }.sorted {
            (routes.sortOrders[$0.position], $0) < (routes.sortOrders[$1.position], $1)
        }
        guard let text else { return rows }
        let destinations = lineTrips.destinations
        return Self.ranked(rows, for: text) { route, text in
            let name = NameMatch.best(
                routes.shortNames[route.position], routes.longNames[route.position],
                routes.ids[route.position], for: text)
            return name
                ?? destinations[route.position].compactMap { NameMatch($0, text) }.min()
        }
    }

    /// Stops and stations whose names, codes or identifiers contain a text, the best first; of equal ones stations before
    /// their platforms, then in the order of the feed; all without a text.
    ///
    /// O(stops).
    package func stops(matching text: String?) -> [StopIndex] {
        let rows = (0..<stops.count).map { StopIndex($0) }.filter {
            stops.kinds[$0.position] <= TransitStop.Kind.station.rawValue
        }
        guard let text else { return rows }
        let stationsFirst =
            rows.filter { stops.kinds[$0.position] == TransitStop.Kind.station.rawValue }
            + rows.filter { stops.kinds[$0.position] != TransitStop.Kind.station.rawValue }
        return Self.ranked(stationsFirst, for: text, by: match)
    }

    /// Whether a stop's name, code or identifier contains a text, in any case.
    package func names(ofStop stop: StopIndex, match text: String) -> Bool {
        match(stop, Self.normalised(text)) != nil
    }

    private func match(_ stop: StopIndex, _ text: String) -> NameMatch? {
        NameMatch.best(
            stops.names[stop.position], stops.codes[stop.position], stops.ids[stop.position],
            for: text)
    }

    /// In lower case, with one space between words.
    private static func normalised(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Those that match, the best first; of equal ones in their order.
    private static func ranked<Row>(
        _ rows: [Row], for text: String, by match: (Row, String) -> NameMatch?
    ) -> [Row] {
        let text = normalised(text)
        let found = rows.enumerated().compactMap { index, row in
            match(row, text).map { (match: $0, index: index, row: row) }
        }
        return found.sorted { ($0.match, $0.index) < ($1.match, $1.index) }.map(\.row)
    }

    /// The lines that call at a stop, or at a station's platforms, in the order of the feed.
    ///
    /// O(stop times there).
    package func routes(at stop: StopIndex) -> [RouteIndex] {
        var found: Set<RouteIndex> = []
        for platform in [stop] + children.of(stop).map({ StopIndex(Int($0)) }) {
            for row in calls.rows[calls.range(of: platform)] {
                found.insert(route(of: stopTimes.trip(ofRow: Int(row))))
            }
        }
        return found.sorted()
    }
}

extension Character {
    fileprivate var isLetterOrNumber: Bool { isLetter || isNumber }
}
