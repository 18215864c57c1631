// The network's table of paces: how the pace of roads changes over the day.
//
// Fitted by hand to the state's and the city's published travel times: Corridor Capacity Report 2015 (I-5), SDOT's
// retiming of 4th Avenue and Denny Way 2016, TomTom's ratio for the city 2012 (morning 48 %, evening 70 %, day 25 %).
internal import BridgecastRoads

/// Minutes of the clock for a minute of free travel.
enum HourlyPaces {
    static var table: PaceTable {
        PaceTable(rows: rows(weekday, open: weekdayHours) + rows(weekend, open: weekendHours))
    }

    /// Hours of the express lanes inbound and outbound, by the state's schedule.
    private static let weekdayHours = [5.0..<11.0, 11.25..<23.0]
    private static let weekendHours = [8.0..<13.5, 13.75..<23.0]

    /// Each quarter has the pace of its middle, on the line between two full hours.
    private static func rows(_ hours: [[Float]], open: [Range<Double>]) -> [SIMD8<Float>] {
        (0..<PaceTable.slotsPerDay).map { quarter in
            let hour = (Double(quarter) + 0.5) / 4
            var row = SIMD8<Float>(repeating: 1)
            for (group, paces) in hours.enumerated() {
                let before = Int(hour)
                let share = Float(hour - Double(before))
                row[group] = paces[before] + (paces[(before + 1) % 24] - paces[before]) * share
                let express = group - Int(PaceGroup.expressInbound.rawValue)
                if express >= 0, !open[express].contains(hour) { row[group] = PaceTable.closed }
            }
            return row
        }
    }

    /// At full hours from 0 to 23, by group.
    private static let weekday: [[Float]] = [
        // Local.
        [
            0.95, 0.95, 0.95, 0.95, 0.95, 0.97, 1, 1.08, 1.12, 1.08, 1.06, 1.07,
            1.08, 1.08, 1.1, 1.14, 1.18, 1.18, 1.12, 1.06, 1.02, 1, 0.97, 0.95,
        ],
        // Arterials inbound.
        [
            0.9, 0.9, 0.9, 0.9, 0.9, 0.95, 1.06, 1.32, 1.45, 1.32, 1.2, 1.2,
            1.24, 1.24, 1.28, 1.36, 1.44, 1.46, 1.3, 1.14, 1.06, 1.02, 0.98, 0.94,
        ],
        // Arterials outbound.
        [
            0.9, 0.9, 0.9, 0.9, 0.9, 0.95, 1.04, 1.2, 1.27, 1.21, 1.18, 1.22,
            1.26, 1.28, 1.38, 1.55, 1.7, 1.74, 1.46, 1.16, 1.06, 1.02, 0.98, 0.94,
        ],
        // Arterials across.
        [
            0.9, 0.9, 0.9, 0.9, 0.9, 0.95, 1.05, 1.24, 1.36, 1.25, 1.2, 1.22,
            1.26, 1.27, 1.36, 1.5, 1.64, 1.68, 1.42, 1.15, 1.06, 1.02, 0.98, 0.94,
        ],
        // Freeways inbound.
        [
            0.97, 0.97, 0.97, 0.97, 0.97, 1.02, 1.45, 2.1, 2.3, 1.95, 1.45, 1.35,
            1.42, 1.6, 1.95, 2.3, 2.45, 2.45, 1.8, 1.25, 1.05, 1.01, 0.98, 0.97,
        ],
        // Freeways outbound.
        [
            0.97, 0.97, 0.97, 0.97, 0.97, 1, 1.08, 1.3, 1.4, 1.28, 1.2, 1.22,
            1.32, 1.45, 1.85, 2.4, 2.75, 2.85, 2.05, 1.28, 1.04, 1.01, 0.98, 0.97,
        ],
        // Express lanes inbound.
        [
            1, 1, 1, 1, 1, 1, 1.05, 1.2, 1.3, 1.15, 1.05, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        ],
        // Express lanes outbound.
        [
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1.02, 1.05, 1.12, 1.25, 1.35, 1.35, 1.15, 1, 1, 1, 1, 1,
        ],
    ]

    /// The same for Saturdays, Sundays and holidays.
    private static let weekend: [[Float]] = [
        // Local.
        [
            0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 0.96, 0.98, 1, 1.03, 1.06,
            1.08, 1.08, 1.08, 1.08, 1.08, 1.07, 1.05, 1.03, 1, 0.98, 0.97, 0.96,
        ],
        // Arterials inbound.
        [
            0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.94, 0.97, 1.03, 1.1, 1.16,
            1.21, 1.23, 1.24, 1.24, 1.23, 1.2, 1.15, 1.09, 1.04, 1.01, 0.98, 0.95,
        ],
        // Arterials outbound.
        [
            0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.94, 0.96, 1.01, 1.08, 1.15,
            1.21, 1.24, 1.26, 1.27, 1.26, 1.23, 1.17, 1.1, 1.05, 1.02, 0.99, 0.96,
        ],
        // Arterials across.
        [
            0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.94, 0.96, 1.02, 1.09, 1.15,
            1.21, 1.24, 1.25, 1.25, 1.24, 1.21, 1.16, 1.09, 1.04, 1.01, 0.98, 0.95,
        ],
        // Freeways inbound.
        [
            0.97, 0.97, 0.97, 0.97, 0.97, 0.97, 0.97, 0.98, 1, 1.05, 1.14, 1.24,
            1.34, 1.4, 1.45, 1.48, 1.46, 1.38, 1.24, 1.12, 1.05, 1.02, 1, 0.98,
        ],
        // Freeways outbound.
        [
            0.97, 0.97, 0.97, 0.97, 0.97, 0.97, 0.97, 0.98, 1, 1.03, 1.08, 1.15,
            1.22, 1.28, 1.32, 1.34, 1.32, 1.25, 1.15, 1.08, 1.03, 1.01, 1, 0.98,
        ],
        // Express lanes inbound.
        [
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.03, 1.06,
            1.08, 1.08, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        ],
        // Express lanes outbound.
        [
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1.03, 1.06, 1.08, 1.08, 1.05, 1, 1, 1, 1, 1, 1,
        ],
    ]
}
