// The rules of navigation of a bridge on a day: codes with values, and sentences.
package import BridgecastCore
package import BridgecastSupport

/// A rule of navigation that holds on a day.
///
/// ``code`` and its values hold everything ``text`` says, so a translation needs only them.
package enum BridgeRule: Sendable, Equatable {
    /// It opens on signal at all hours of every day.
    case noClosedHours
    /// It has closed hours, but not on this weekend day or federal holiday.
    case noClosedHoursToday
    /// Smaller vessels wait in these hours; ships of at least this many gross tons are exempt; nil where the
    /// rule exempts none.
    case closedHours([ClockWindow], exemptGrossTons: Int?)
    /// In these hours it opens only on the hour and half-hour.
    case halfHourOnly(ClockWindow)
    /// At night an opening needs this many hours of notice.
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

extension BridgeRule {
    package var text: String {
        switch self {
        case .noClosedHours: return "no closed hours: opens on signal"
        case .noClosedHoursToday:
            return "no closed hours today (weekend or federal holiday): opens on signal"
        case .closedHours(let windows, let tons):
            let hours = windows.map { "\($0.from) to \($0.to)" }.joined(separator: " and ")
            let exempt = tons.map { "; ships of \($0) gross tons and more are let through" }
            return "closed to smaller vessels today \(hours)\(exempt ?? "")"
        case .halfHourOnly(let hours):
            return "from \(hours.from) to \(hours.to) it opens only on the hour and half-hour"
        case .nightNotice(let hours):
            return "from \(Self.night.from) to \(Self.night.to) it needs \(hours) h notice"
        case .regulation(let section): return "33 CFR \(section)"
        }
    }

    /// When the rules call it night.
    private static let night = (from: "23:00", to: "07:00")
}

extension BridgeRule: JSONObjectAnswer {
    /// Writes `{"code", "values"}`; hours as `HH:mm` of Seattle's clock.
    package func writeFields(into json: inout JSONWriter) {
        json.field("code", code.rawValue)
        json.object("values") { writeValues(into: &$0) }
    }

    private func writeValues(into json: inout JSONWriter) {
        switch self {
        case .noClosedHours, .noClosedHoursToday: break
        case .closedHours(let windows, let tons):
            json.list("windows", objects: windows) { json, window in
                json.field("from", window.from)
                json.field("to", window.to)
            }
            json.field("exempt_gross_tons", tons)
        case .halfHourOnly(let hours):
            json.field("from", hours.from)
            json.field("to", hours.to)
        case .nightNotice(let hours):
            json.field("from", Self.night.from)
            json.field("to", Self.night.to)
            json.field("notice_h", hours)
        case .regulation(let section): json.field("section", section)
        }
    }
}

extension ClockWindow {
    /// Its beginning as `HH:mm`.
    var from: String { Self.clock(startMinute) }
    /// Its end as `HH:mm`.
    var to: String { Self.clock(endMinute) }

    /// A minute of a day as `HH:mm`.
    private static func clock(_ minute: Double) -> String {
        ClockText.hoursMinutes(ofMinutes: Int(minute))
    }
}
