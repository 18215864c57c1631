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
    /// The row of an identifier as a realtime feed spells it: as it is, or else without the agency before it, which
    /// OneBusAway puts there (`1_75403`).
    package func position(of id: String, in table: IdentifierTable) -> Int? {
        if let row = table.position(of: id) { return row }
        guard
            let mark = id.utf8.firstIndex(where: {
                $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":")
            })
        else { return nil }
        let agency = id[..<mark]
        guard agencies.contains(where: { $0.id == agency || $0.id.isEmpty }) else { return nil }
        return table.position(of: String(id[id.utf8.index(after: mark)...]))
    }
}
