// One bridge's next hours, rules and clearance; what `bridge` shows as text or JSON.
import BridgecastCore
import BridgecastEngine
import Foundation

/// Everything `bridge` says.
struct BridgeOutlook {
    struct Row {
        let moment: Timestamp
        let delay: DelayDistribution
        let usualProbability: Double
    }

    let bridge: BridgeIndex
    let context: ForecastContext
    let rows: [Row]
    let vesselFeet: Double?

    var facts: Bridge { BridgeCatalogue[bridge] }
    var civil: CivilDateTime { SeattleTime.civil(at: context.departure) }
    var confidence: Confidence { context.confidence(bridge, context.departure) }

    /// Every five minutes for an hour, then every quarter of an hour.
    init(
        _ bridge: BridgeIndex, _ context: ForecastContext, _ table: ForecastTable, hours: Int,
        vesselFeet: Double?
    ) {
        (self.bridge, self.context, self.vesselFeet) = (bridge, context, vesselFeet)
        let start = context.departure.minutes(since: context.situation.issueTime)
        let minutes =
            Array(stride(from: 0.0, to: 60, by: 5))
            + stride(from: 60.0, through: Double(hours) * 60, by: 15)
        rows = minutes.map { ahead in
            let moment = context.departure.adding(minutes: ahead)
            return Row(
                moment: moment,
                delay: table.delayWithin(at: bridge, leadMinutes: start + ahead, queues: true),
                usualProbability: Double(
                    context.model.climatology.openProbability(
                        of: bridge, at: SeattleTime.civil(at: moment))))
        }
    }

    /// The rules of the day, in words.
    var rules: [String] {
        let rules = facts.rules
        let windows = rules.closedWindows(on: civil.date)
        var lines: [String] = []
        if windows.isEmpty {
            lines.append(
                rules.hasClosedWindows
                    ? "no closed hours today (weekend or federal holiday): opens on signal"
                    : "no closed hours: opens on signal")
        } else {
            let text = windows.map { "\(clock($0.startMinute)) to \(clock($0.endMinute))" }
            lines.append(
                "closed to smaller vessels today \(text.joined(separator: " and "))"
                    + (rules.exemptGrossTons.map {
                        "; ships of \($0) gross tons and more are let through"
                    } ?? ""))
        }
        if let halfHours = rules.halfHourOnly, !windows.isEmpty {
            lines.append(
                "from \(clock(halfHours.startMinute)) to \(clock(halfHours.endMinute)) it opens only on the "
                    + "hour and half-hour")
        }
        if let notice = rules.nightNoticeHours {
            lines.append("from 23:00 to 07:00 it needs \(notice) h notice")
        }
        lines.append("33 CFR \(facts.waterway == .shipCanal ? "117.1051" : "117.1041")")
        return lines
    }

    /// Whether the vessel needs an opening, and when it may have one; nil without a vessel.
    var vesselAnswer: String? {
        guard let vesselFeet else { return nil }
        let height = "\(feet(vesselFeet)) ft"
        let room = facts.clearanceFeet - vesselFeet
        let tide =
            facts.waterway == .duwamish
            ? " at mean high water; lower tides leave more room" : ""
        if room >= Self.safeRoomFeet {
            return "A vessel of \(height) passes under it: \(feet(room)) ft to spare\(tide)."
        }
        if room >= 0 {
            return
                "A vessel of \(height) has \(feet(room)) ft to spare\(tide): too little to be sure; "
                + "antennas and waves count. Read the clearance gauge, or signal."
        }
        let status = facts.rules.status(at: civil)
        var when = "it may signal now"
        if let left = status.minutesUntilWindowEnds {
            when =
                "smaller vessels wait until \(TimeText.clock(context.departure.adding(minutes: left)))"
        } else if status.isHalfHourOnly {
            when = "it opens on the hour and half-hour now"
        } else if status.needsNotice, let notice = facts.rules.nightNoticeHours {
            when = "it needs \(notice) h notice at this hour"
        }
        return
            "A vessel of \(height) needs an opening (\(feet(-room)) ft too high\(tide)): \(when)."
    }

    /// Less room than this is not called safe, feet.
    private static let safeRoomFeet = 2.0

    private func feet(_ value: Double) -> String {
        value == value.rounded() ? fixed(value, 0) : fixed(value, 1)
    }

    private func clock(_ minute: Double) -> String {
        let whole = Int(minute)
        return String(format: "%02d:%02d", whole / 60, whole % 60)
    }

    var document: BridgeOutlookDocument { BridgeOutlookDocument(self) }
}
