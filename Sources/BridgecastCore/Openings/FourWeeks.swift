// What counts as a covered day among the last four weeks where only part of a day is covered.

/// The 28 days before today, over which a bridge's openings are counted.
enum FourWeeks {
    static let days = 28
    /// Age of the middle of them, days.
    private static let meanAgeDays = 14

    /// How much of the climatology of the middle of them is that of summer, 0...1.
    static func summerShare(before today: CivilDate) -> Float {
        Season.summerShare(on: today.adding(days: -meanAgeDays))
    }

    /// Shares of a day's openings by the hour of the clock, 0...23; they add up to 1.
    ///
    /// Of all bridges in the records from October 2017 on, whose coverage has all hours.
    static let hourlyShares: [Double] = [
        0.0092, 0.0072, 0.0061, 0.0060, 0.0069, 0.0112, 0.0155, 0.0143, 0.0222, 0.0933, 0.0979,
        0.1023,
        0.0951, 0.0969, 0.0956, 0.0675, 0.0325, 0.0277, 0.0679, 0.0498, 0.0249, 0.0165, 0.0268,
        0.0067,
    ]

    /// The share of a day's openings that is before a time of the day, 0...1.
    ///
    /// - Parameter secondOfDay: By the clock, 0...86400.
    static func shareOfDay(before secondOfDay: Int) -> Double {
        let hour = min(secondOfDay / 3600, 23)
        let part = Double(secondOfDay - hour * 3600) / 3600
        return hourlyShares[..<hour].reduce(0, +) + part * hourlyShares[hour]
    }
}
