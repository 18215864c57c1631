// One bridge in detail, as JSON: its outlook, the closed windows of a week, and whether a vessel passes under it. What
// `bridge --format json` and `GET /bridges/{id}` answer.
package import BridgecastCore
package import BridgecastSupport
private import Foundation

package struct BridgeOutlookDocument: Sendable, JSONObjectAnswer {
    package let envelope: Envelope
    package let outlook: BridgeOutlook

    package init(_ outlook: BridgeOutlook, _ envelope: Envelope) {
        self.outlook = outlook
        self.envelope = envelope
    }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        outlook.summary.writeFacts(into: &json)
        json.field(
            "climatology_openings_per_day", outlook.climatologicalOpeningsPerDay, decimals: 2)
        if let vessel = outlook.vessel {
            json.field("vessel_height_ft", vessel.heightFeet, decimals: 1)
            json.field("vessel_needs_opening", vessel.needsOpening)
            json.field("vessel_text", vessel.text)
        }
        json.list("closed_windows_today", outlook.closedToday) { $0.value($1) }
        json.list("closed_windows_week", objects: outlook.closedWeek) { json, day in
            json.field("date", "\(day.date)")
            json.list("windows", day.periods) { $0.value($1) }
        }
        json.list("outlook", outlook.summary.outlook)
    }
}

package struct BridgeOutlook: Sendable {
    /// The summary, with an outlook of some hours.
    package let summary: BridgeSummary
    package let time: Timestamp
    package let climatologicalOpeningsPerDay: Double
    /// The closed windows of the day of `time` and the six after it.
    package let closedWeek: [ClosedDay]
    /// The answer for a vessel; nil without one.
    package let vessel: VesselPassage?

    /// The closed windows of the day of `time`.
    package var closedToday: [Range<Timestamp>] { closedWeek.first?.periods ?? [] }

    /// When smaller vessels wait on a day.
    package struct ClosedDay: Sendable, Equatable {
        package let date: CivilDate
        /// When, in order; empty on weekends and federal holidays.
        package let periods: [Range<Timestamp>]
    }

    /// How far an outlook may be asked to look, hours.
    package static let hoursRange = 1...24

    /// - Parameters:
    ///   - hours: How far to look ahead; the view's table reaches that far from its time.
    ///   - vesselFeet: Height of a vessel above the water, above 0; nil for none.
    package init(_ bridge: BridgeIndex, in view: BridgeView, hours: Int, vesselFeet: Double? = nil)
    {
        let facts = BridgeCatalogue[bridge]
        let date = SeattleTime.civil(at: view.time).date
        summary = BridgeSummary(bridge, in: view, reachMinutes: Double(hours) * 60)
        time = view.time
        climatologicalOpeningsPerDay =
            view.climatology.history(on: date, in: view.situation)[bridge.rawValue].openingsPerDay
        closedWeek = (0..<7).map { days in
            let day = date.adding(days: days)
            return ClosedDay(date: day, periods: facts.rules.closedPeriods(on: day))
        }
        vessel = vesselFeet.map { VesselPassage(heightFeet: $0, at: facts, view.time) }
    }
}

package struct OutlookEntry: Sendable, JSONObjectAnswer {
    /// The arrival.
    package let validTime: Timestamp
    package let leadMinutes: Double
    package let delay: DelayDistribution
    package let climatologicalProbability: Double
    package let basis: ForecastBasis

    /// Minutes between the points of the first two hours.
    package static let fineStepMinutes = 5.0
    /// How far an outlook reaches by default, minutes.
    package static let defaultReachMinutes = 120.0
    private static let coarseStepMinutes = 15.0

    package init(_ bridge: BridgeIndex, _ arrival: Timestamp, in view: BridgeView) {
        validTime = arrival
        leadMinutes = view.leadMinutes(arrival)
        delay = view.delay(bridge, arrival)
        climatologicalProbability = view.climatologicalProbability(bridge, arrival)
        basis = ForecastBasis(bridge, leadMinutes: leadMinutes, in: view.situation)
    }

    /// A bridge's points from the view's time: every five minutes for two hours, then every quarter of an hour.
    package static func all(
        of bridge: BridgeIndex, in view: BridgeView, reachMinutes: Double = defaultReachMinutes
    ) -> [OutlookEntry] {
        let fine = stride(
            from: 0, through: min(reachMinutes, defaultReachMinutes), by: fineStepMinutes)
        let coarse = stride(
            from: defaultReachMinutes + coarseStepMinutes, through: reachMinutes,
            by: coarseStepMinutes)
        return (Array(fine) + Array(coarse)).map {
            OutlookEntry(bridge, view.time.adding(minutes: $0), in: view)
        }
    }

    package func writeFields(into json: inout JSONWriter) {
        json.field("valid_time", validTime)
        json.field("lead_time_s", leadMinutes * 60, decimals: 1)
        json.field("probability_stopped", delay.probabilityDelayed, decimals: 5)
        json.field("climatology_probability_stopped", climatologicalProbability, decimals: 5)
        json.field("expected_delay_s", delay.expectedSeconds, decimals: 1)
        json.field("basis", basis.rawValue)
    }
}

/// The arrival of the next two hours at which being stopped is most likely, and why.
package struct OutlookPeak: Sendable, JSONObjectAnswer {
    package let entry: OutlookEntry
    package let reasons: [Reason]

    /// The peak of an outlook; nil of an empty one.
    init?(of outlook: [OutlookEntry], _ bridge: BridgeIndex, in view: BridgeView) {
        let near = outlook.prefix {
            $0.validTime.minutes(since: view.time) < OutlookEntry.defaultReachMinutes
        }
        let highest = near.max { $0.delay.probabilityDelayed < $1.delay.probabilityDelayed }
        guard let highest else { return nil }
        entry = highest
        reasons = view.reasons(
            bridge, arrival: highest.validTime, chance: highest.delay.probabilityDelayed,
            climatology: highest.climatologicalProbability)
    }

    package func writeFields(into json: inout JSONWriter) {
        entry.writeFields(into: &json)
        json.list("reasons", reasons)
    }
}

/// Whether a vessel passes under a bridge, and when it can have an opening.
package struct VesselPassage: Sendable {
    /// Height of the vessel above the water, feet.
    package let heightFeet: Double
    /// Whether it is too high for the lowered span.
    package let needsOpening: Bool
    package let text: String

    /// Smallest margin that is called safe, feet.
    private static let safeRoomFeet = 2.0

    /// The answer for a vessel of a height above 0 that arrives at a bridge at a time.
    package init(heightFeet: Double, at bridge: Bridge, _ time: Timestamp) {
        self.heightFeet = heightFeet
        let room = bridge.clearanceFeet - heightFeet
        needsOpening = room < 0
        let height = "\(Self.feet(heightFeet)) ft"
        let tide =
            bridge.waterway == .duwamish ? " at mean high water; lower tides leave more room" : ""
        if room >= Self.safeRoomFeet {
            text = "A vessel of \(height) passes under it: \(Self.feet(room)) ft to spare\(tide)."
        } else if room >= 0 {
            text =
                "A vessel of \(height) has \(Self.feet(room)) ft to spare\(tide): too little to be sure; "
                + "antennas and waves count. Read the clearance gauge, or signal."
        } else {
            text =
                "A vessel of \(height) needs an opening (\(Self.feet(-room)) ft too high\(tide)): "
                + "\(Self.when(bridge, time))."
        }
    }

    private static func when(_ bridge: Bridge, _ time: Timestamp) -> String {
        let status = bridge.rules.status(at: SeattleTime.civil(at: time))
        if let left = status.minutesUntilWindowEnds {
            return "smaller vessels wait until \(TimeText.clock(time.adding(minutes: left)))"
        }
        if status.isHalfHourOnly { return "it opens on the hour and half-hour now" }
        if status.needsNotice, let notice = bridge.rules.nightNoticeHours {
            return "it needs \(notice) h notice at this hour"
        }
        return "it may signal now"
    }

    private static func feet(_ value: Double) -> String {
        String(format: value == value.rounded() ? "%.0f" : "%.1f", value)
    }
}
