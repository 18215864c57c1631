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
    /// The hours of the day in which smaller vessels wait.
    package let closedWindows: [ClosedWindow]
    /// What is said to a vessel; nil without one.
    package let vessel: VesselAnswer?

    /// Hours in which smaller vessels wait.
    package struct ClosedWindow: Sendable, Equatable {
        /// Its first moment, and the first after it.
        package let start, end: Timestamp
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
        usualOpeningsPerDay = Double(view.climatology.openingsPerDay(on: date)[bridge.rawValue])
        closedWindows = facts.rules.closedWindows(on: date).map {
            ClosedWindow(
                start: Self.moment(date, minute: $0.startMinute),
                end: Self.moment(date, minute: $0.endMinute))
        }
        vessel = vesselFeet.map {
            VesselAnswer(heightFeet: $0, at: facts, view.moment)
        }
    }

    /// A minute of a day; closed windows begin long after the hour in which clocks change.
    private static func moment(_ date: CivilDate, minute: Double) -> Timestamp {
        let civil = CivilDateTime(date: date, secondOfDay: Int(minute * 60))
        return switch SeattleTime.resolve(civil) {
        case .unique(let moment), .ambiguous(let moment, _): moment
        case .nonexistent: SeattleTime.startOfDay(date).adding(minutes: minute)
        }
    }
}
