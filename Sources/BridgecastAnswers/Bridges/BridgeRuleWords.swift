// The federal opening rules of a bridge in words and as JSON, for the day they are asked about; part of summaries.
private import BridgecastCore

extension BridgeRule {
    /// The rule as a sentence.
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
            return
                "from \(hours.from) to \(hours.to) it opens only on the hour and half-hour"
        case .nightNotice(let hours):
            return "from \(Self.night.from) to \(Self.night.to) it needs \(hours) h notice"
        case .regulation(let section): return "33 CFR \(section)"
        }
    }

    /// When the rules call it night.
    private static let night = (from: "23:00", to: "07:00")
}

extension BridgeRule: JSONAnswer {
    /// Writes `{"code", "values"}`; hours as `HH:mm` of Seattle's clock.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("code", code.rawValue)
            json.object("values") { writeValues(into: &$0) }
        }
    }

    private func writeValues(into json: inout JSONWriter) {
        switch self {
        case .noClosedHours, .noClosedHoursToday: break
        case .closedHours(let windows, let tons):
            json.list("windows", windows) { json, window in
                json.object { json in
                    json.field("from", window.from)
                    json.field("to", window.to)
                }
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
    fileprivate var from: String { Self.clock(startMinute) }
    fileprivate var to: String { Self.clock(endMinute) }

    /// A minute of a day as `HH:mm`.
    private static func clock(_ minute: Double) -> String {
        let (hour, rest) = Int(minute).quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
}
