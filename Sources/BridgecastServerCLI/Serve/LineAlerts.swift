// An agency's alerts as those that rules about lines are compared with.
import BridgecastAlerts
import BridgecastCore
internal import BridgecastSupport
import BridgecastTransit
import BridgecastTransitAnswers

extension LineAlert {
    /// The alerts that are shown at a time and name lines of a timetable.
    ///
    /// Their ids are of lines, header and beginning: agencies number alerts anew with each message, and correct texts.
    static func active(
        in alerts: [ServiceAlert], of feed: TransitFeed, at time: Timestamp
    ) -> [LineAlert] {
        alerts.filter { $0.isActive(at: time) }.compactMap { alert in
            let ids = alert.informed.compactMap { $0.routeID ?? $0.trip?.routeID }
            let lines = Set(ids.compactMap { feed.route($0).map { feed[$0].title } }).sorted()
            guard !lines.isEmpty else { return nil }
            let entry = AlertEntry(alert: alert)
            let start = alert.activePeriods.compactMap(\.start).min()?.secondsSinceEpoch ?? 0
            let content = "\(lines.joined(separator: ","))\n\(entry.header)\n\(start)"
            return LineAlert(
                id: hexadecimal(SHA256.hash(Array(content.utf8)).prefix(12)), lines: lines,
                header: entry.header, text: entry.text, link: alert.url.first?.text)
        }
    }
}
