// A rule of navigation that holds at a bridge on a day, as a code with values; its words are in BridgeRuleWords.swift.
package import BridgecastCore

/// A rule of a day.
///
/// ``code`` and its values say all that ``text`` says, so that a translation can be made from them alone.
package enum BridgeRule: Sendable, Equatable {
    /// It opens on signal at all hours of every day.
    case noClosedHours
    /// It has closed hours, but not on this weekend day or federal holiday.
    case noClosedHoursToday
    /// Smaller vessels wait in these hours; ships of so many gross tons and more are let through, nil where the rule
    /// names none.
    case closedHours([ClockWindow], exemptGrossTons: Int?)
    /// In these hours it opens only on the hour and half-hour.
    case halfHourOnly(ClockWindow)
    /// At night it needs so many hours of notice.
    case nightNotice(hours: Int)
    /// Where the rules are written down: a section of title 33 of the Code of Federal Regulations.
    case regulation(section: String)

    /// The kinds of rules; a raw value never changes its meaning.
    package enum Code: String, Sendable, CaseIterable {
        /// ``BridgeRule/noClosedHours``
        case noClosedHours = "no_closed_hours"
        /// ``BridgeRule/noClosedHoursToday``
        case noClosedHoursToday = "no_closed_hours_today"
        /// ``BridgeRule/closedHours(_:exemptGrossTons:)``
        case closedHours = "closed_hours"
        /// ``BridgeRule/halfHourOnly(_:)``
        case halfHourOnly = "half_hour_only"
        /// ``BridgeRule/nightNotice(hours:)``
        case nightNotice = "night_notice"
        /// ``BridgeRule/regulation(section:)``
        case regulation
    }

    /// What kind of rule it is.
    package var code: Code {
        switch self {
        case .noClosedHours: .noClosedHours
        case .noClosedHoursToday: .noClosedHoursToday
        case .closedHours: .closedHours
        case .halfHourOnly: .halfHourOnly
        case .nightNotice: .nightNotice
        case .regulation: .regulation
        }
    }
}

extension Bridge {
    /// The rules of a day.
    package func rules(on date: CivilDate) -> [BridgeRule] {
        let windows = rules.closedWindows(on: date)
        var found: [BridgeRule] = []
        if !windows.isEmpty {
            found.append(.closedHours(windows, exemptGrossTons: rules.exemptGrossTons))
            if let halfHours = rules.halfHourOnly { found.append(.halfHourOnly(halfHours)) }
        } else {
            found.append(rules.hasClosedWindows ? .noClosedHoursToday : .noClosedHours)
        }
        if let notice = rules.nightNoticeHours { found.append(.nightNotice(hours: notice)) }
        found.append(.regulation(section: waterway == .shipCanal ? "117.1051" : "117.1041"))
        return found
    }
}
