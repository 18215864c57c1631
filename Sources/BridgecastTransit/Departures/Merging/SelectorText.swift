// The texts of trip selectors as numbers: days and times of day, and identifiers without their agency.
package import BridgecastCore

/// Reads what feeds write in trip selectors.
package enum SelectorText {
    /// The day of `YYYYMMDD`; nil for anything else.
    package static func date(_ text: String) -> CivilDate? {
        let digits = Array(text.utf8)
        guard digits.count == 8, let year = number(digits[0..<4]),
            let month = number(digits[4..<6]),
            let day = number(digits[6..<8])
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Seconds of the service day of `H:MM:SS`, `HH:MM:SS` or `HHH:MM:SS`; nil for anything else.
    package static func seconds(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, (1...3).contains(parts[0].count), parts[1].count == 2,
            parts[2].count == 2, let hours = number(parts[0]), let minutes = number(parts[1]),
            let seconds = number(parts[2]), minutes < 60, seconds < 60
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            value = value * 10 + Int(digit) - 48
        }
        return value
    }
}

extension TransitFeed {
    /// The row of an identifier as a realtime feed spells it: as it is, or else without one of the timetable's agencies
    /// before it (``AgencyPrefix``); nil for an empty one, which feeds write for none.
    package func position(of id: String, in table: IdentifierTable) -> Int? {
        guard !id.isEmpty else { return nil }
        if let row = table.position(of: id) { return row }
        guard let parts = AgencyPrefix.parts(of: id),
            agencies.contains(where: { $0.id == parts.agency || $0.id.isEmpty })
        else { return nil }
        return table.position(of: String(parts.bare))
    }
}

extension TripSelector {
    /// The same without texts that are empty, which feeds write for none.
    var withoutEmptyTexts: TripSelector {
        guard tripID == "" || routeID == "" || startDate == "" || startTime == "" else {
            return self
        }
        var selector = self
        (selector.tripID, selector.routeID) = (tripID?.orNilIfEmpty, routeID?.orNilIfEmpty)
        (selector.startDate, selector.startTime) = (
            startDate?.orNilIfEmpty, startTime?.orNilIfEmpty
        )
        return selector
    }
}

extension TripProperties {
    /// The same without texts that are empty.
    var withoutEmptyTexts: TripProperties {
        var properties = self
        (properties.tripID, properties.headsign) = (tripID?.orNilIfEmpty, headsign?.orNilIfEmpty)
        (properties.startDate, properties.startTime) = (
            startDate?.orNilIfEmpty, startTime?.orNilIfEmpty
        )
        return properties
    }
}

extension StopTimeUpdate {
    /// The stop in use: the assigned one, else the one that is named; nil if neither is.
    var usedStopID: String? { assignedStopID?.orNilIfEmpty ?? stopID?.orNilIfEmpty }
}

extension String {
    fileprivate var orNilIfEmpty: String? { isEmpty ? nil : self }
}
