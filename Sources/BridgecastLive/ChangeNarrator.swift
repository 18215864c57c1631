// What just changed and why it matters, in one sentence; used by LiveService.
internal import Bridgecast
private import Foundation

/// Puts a change into words by comparing the forecasts before and after it.
struct ChangeNarrator {
    let before: LiveUpdate?
    let after: LiveUpdate

    /// A chance that moves by less is not worth a word.
    private static let leastMove = 0.05
    private static let windowMinutes = 10.0

    /// "Ballard raised 14:05; Fremont's chance for 14:15-14:25 rose from 6 % to 31 %".
    func sentence(_ change: BridgeChange) -> String {
        let name = BridgeCatalogue[change.bridge].name
        let clock = TimeText.clock(change.at)
        let what: String
        switch (change.before, change.after) {
        case (.unknown, .raised): what = "\(name) is raised, for how long is not known"
        case (.unknown, .lowered): what = "\(name) is lowered"
        case (_, .raised): what = "\(name) raised \(clock)"
        case (.raised(let since?), .lowered):
            what = "\(name) lowered \(clock) after \(duration(change.at.minutes(since: since)))"
        case (_, .lowered): what = "\(name) lowered \(clock)"
        case (_, .unknown): what = "\(name) is unknown from \(clock) on"
        }
        guard let consequence = consequence(of: change) else { return what }
        return "\(what); \(consequence)"
    }

    /// What the first reading shows, all bridges in one sentence.
    func beginning(_ changes: [BridgeChange]) -> String {
        let raised = changes.filter { $0.after != .lowered }.map { BridgeCatalogue[$0.bridge].name }
        let states = raised.isEmpty ? "all lowered" : "raised: \(raised.joined(separator: ", "))"
        return "watching \(changes.count) bridges, \(states)"
    }

    /// The largest move of a neighbour's chance over the next hour.
    private func consequence(of change: BridgeChange) -> String? {
        guard let before else { return nil }
        let elapsed = after.issueTime.minutes(since: before.issueTime)
        var best: (bridge: BridgeIndex, lead: Double, old: Double, new: Double)?
        for bridge in BridgeIndex.all
        where bridge != change.bridge
            && BridgeCatalogue[bridge].waterway == BridgeCatalogue[change.bridge].waterway
        {
            for lead in windowStarts() {
                let new = chance(bridge, lead, after)
                let old = chance(bridge, lead + elapsed, before)
                if abs(new - old) > best.map({ abs($0.new - $0.old) }) ?? Self.leastMove {
                    best = (bridge, lead, old, new)
                }
            }
        }
        guard let best else { return nil }
        let start = after.issueTime.adding(minutes: best.lead)
        let window =
            TimeText.clock(start) + "-"
            + TimeText.clock(start.adding(minutes: Self.windowMinutes))
        let verb = best.new > best.old ? "rose" : "fell"
        return "\(BridgeCatalogue[best.bridge].name)'s chance for \(window) \(verb) from "
            + "\(percent(best.old)) to \(percent(best.new))"
    }

    /// Leads of windows that begin at a full five minutes of the clock.
    private func windowStarts() -> [Double] {
        let civil = SeattleTime.civil(at: after.issueTime)
        let first = 5 - civil.minuteOfDay.truncatingRemainder(dividingBy: 5)
        return Array(stride(from: first, through: 60 - Self.windowMinutes, by: 5))
    }

    /// The mean chance of a stop over a window.
    private func chance(_ bridge: BridgeIndex, _ lead: Double, _ update: LiveUpdate) -> Double {
        let points = [0, Self.windowMinutes / 2, Self.windowMinutes].map {
            update.table.delayWithin(at: bridge, leadMinutes: lead + $0, queues: true)
                .probabilityDelayed
        }
        return points.reduce(0, +) / Double(points.count)
    }

    private func duration(_ minutes: Double) -> String {
        minutes < 1 ? "less than a minute" : "\(Int(minutes.rounded())) min"
    }

    private func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}
