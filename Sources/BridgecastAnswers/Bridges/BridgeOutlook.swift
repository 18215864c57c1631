// One bridge's next hours, rules and clearance; behind `bridge` and `GET /bridges/{id}`.
package import BridgecastCore

/// Everything that is said of one bridge.
package struct BridgeOutlook: Sendable {
    /// What a board says of it, with an outlook of some hours.
    package let summary: BridgeSummary
    /// The moment that it is about.
    package let moment: Timestamp
    /// Openings that are usual on such a day.
    package let usualOpeningsPerDay: Double
    /// When smaller vessels wait on the day of the moment and the six after it.
    package let closedWeek: [ClosedDay]
    /// What is said to a vessel; nil without one.
    package let vessel: VesselAnswer?

    /// When smaller vessels wait on the day of the moment.
    package var closedToday: [Range<Timestamp>] { closedWeek.first?.periods ?? [] }

    /// When smaller vessels wait on a day.
    package struct ClosedDay: Sendable, Equatable {
        /// The day in Seattle.
        package let date: CivilDate
        /// When, in order; empty on weekends and federal holidays.
        package let periods: [Range<Timestamp>]
    }

    /// How far an outlook may be asked to look, hours.
    package static let hoursRange = 1...24

    /// Everything that is said of a bridge.
    ///
    /// - Parameters:
    ///   - hours: How far to look; the view's table reaches as far from its moment on.
    ///   - vesselFeet: Height of a vessel above the water, above 0; nil for none.
    package init(
        _ bridge: BridgeIndex, in view: BridgeView, hours: Int, vesselFeet: Double? = nil
    ) {
        let facts = BridgeCatalogue[bridge]
        let date = SeattleTime.civil(at: view.moment).date
        summary = BridgeSummary(bridge, in: view, reachMinutes: Double(hours) * 60)
        moment = view.moment
        usualOpeningsPerDay =
            view.climatology.history(on: date, in: view.situation)[bridge.rawValue].openingsPerDay
        closedWeek = (0..<7).map { days in
            let day = date.adding(days: days)
            return ClosedDay(date: day, periods: facts.rules.closedPeriods(on: day))
        }
        vessel = vesselFeet.map {
            VesselAnswer(heightFeet: $0, at: facts, view.moment)
        }
    }
}
