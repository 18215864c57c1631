// The federal opening rules of a bridge in words, for the day they are asked about; part of summaries and outlooks.
package import BridgecastCore

extension Bridge {
    /// The rules of a day, a sentence each.
    package func ruleWords(on date: CivilDate) -> [String] {
        let windows = rules.closedWindows(on: date)
        var lines: [String] = []
        if windows.isEmpty {
            lines.append(
                rules.hasClosedWindows
                    ? "no closed hours today (weekend or federal holiday): opens on signal"
                    : "no closed hours: opens on signal")
        } else {
            let text = windows.map {
                "\(Self.clock($0.startMinute)) to \(Self.clock($0.endMinute))"
            }
            lines.append(
                "closed to smaller vessels today \(text.joined(separator: " and "))"
                    + (rules.exemptGrossTons.map {
                        "; ships of \($0) gross tons and more are let through"
                    } ?? ""))
        }
        if let halfHours = rules.halfHourOnly, !windows.isEmpty {
            lines.append(
                "from \(Self.clock(halfHours.startMinute)) to \(Self.clock(halfHours.endMinute)) it opens only on "
                    + "the hour and half-hour")
        }
        if let notice = rules.nightNoticeHours {
            lines.append("from 23:00 to 07:00 it needs \(notice) h notice")
        }
        lines.append("33 CFR \(waterway == .shipCanal ? "117.1051" : "117.1041")")
        return lines
    }

    /// A minute of a day as `HH:mm`.
    private static func clock(_ minute: Double) -> String {
        let (hour, rest) = Int(minute).quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
}
