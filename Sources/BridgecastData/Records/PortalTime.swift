// The date form of the portal's export button, `02/19/2026 12:38:00 PM`.
internal import BridgecastCore

/// The date form of the portal's export button.
enum PortalTime {
    /// Reads `02/19/2026 12:38:00 PM`, or nil.
    static func parse(_ text: String) -> CivilDateTime? {
        let parts = text.split(separator: " ")
        guard parts.count == 3 else { return nil }
        let date = parts[0].split(separator: "/").compactMap { number($0) }
        let clock = parts[1].split(separator: ":").compactMap { number($0) }
        guard date.count == 3, clock.count == 3, (1...12).contains(clock[0]), clock[1] < 60,
            clock[2] < 60, let day = CivilDate(year: date[2], month: date[0], day: date[1])
        else { return nil }
        let half: Int
        switch parts[2].uppercased() {
        case "AM": half = 0
        case "PM": half = 12
        default: return nil
        }
        let hour = clock[0] % 12 + half
        return CivilDateTime(date: day, secondOfDay: hour * 3600 + clock[1] * 60 + clock[2])
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), text.utf8.count <= 4 else {
            return nil
        }
        return Int(text)
    }
}
