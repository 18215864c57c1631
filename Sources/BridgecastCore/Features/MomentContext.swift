// What rows about the same moment have in common, whatever the bridge; made by EarlierRows.

/// The moment that a row asks about.
struct MomentContext: Sendable {
    let validTime: Timestamp
    let leadMinutes: Double
    let validCivil: CivilDateTime
    let dayType: DayType
    /// The water's height above mean sea level, metres, and how much it rises in the hour around.
    let tide: (metres: Double, risePerHour: Double)

    init(leadMinutes: Double, after issueTime: Timestamp) {
        self.leadMinutes = leadMinutes
        validTime = issueTime.adding(minutes: leadMinutes)
        validCivil = SeattleTime.civil(at: validTime)
        dayType = DayType(validCivil.date)
        tide = Tide.state(at: validTime)
    }
}
