// Service alerts that concern a stop, a route or a trip, as JSON; part of boards, trips and routes.
package import BridgecastAnswers
package import BridgecastCore
internal import BridgecastSupport
package import BridgecastTransit

package struct AlertEntry: Sendable {
    package let alert: ServiceAlert

    package init(alert: ServiceAlert) { self.alert = alert }

    /// The limit of alerts in a document; more than any stop has had.
    package static let maxCount = 50

    /// The alerts to be shown at a time to riders at some stops or on some routes; an alert for a whole agency
    /// concerns all of them.
    package static func active(
        in snapshot: TransitSnapshot, at time: Timestamp, stops: [StopIndex] = [],
        routes: Set<RouteIndex> = [], trips: Set<String> = []
    ) -> [AlertEntry] {
        guard !snapshot.alerts.isEmpty else { return [] }
        let feed = snapshot.feed
        let stopIDs = Set(
            stops.flatMap { stop in [stop] + (feed[stop].parent.map { [$0] } ?? []) }.map {
                feed[$0].id
            })
        let lines = routes.map { feed[$0] }
        let audience = Audience(
            stops: stopIDs, routes: Set(lines.map(\.id)), kinds: Set(lines.map(\.kind.rawValue)),
            agencies: Set(feed.agencies.map(\.id)), trips: trips)
        return snapshot.alerts.lazy.filter { $0.isActive(at: time) && audience.isConcerned(by: $0) }
            .prefix(maxCount).map { AlertEntry(alert: $0) }
    }

    /// Its header in English, or in the first language that it has.
    package var header: String { Self.text(alert.header) }
    /// Its text, likewise.
    package var text: String { Self.text(alert.description) }

    private static func text(_ translations: [ServiceAlert.Translation]) -> String {
        let english = translations.first { $0.language.lowercased().hasPrefix("en") }
        return (english ?? translations.first)?.text ?? ""
    }

    func write(to json: inout JSONWriter, _ clock: inout ZonedTimeText) {
        json.object { json in
            json.field("cause", Self.name(alert.cause, of: Self.causes))
            json.field("effect", Self.name(alert.effect, of: Self.effects))
            json.field("severity", Self.name(alert.severity, of: Self.severities))
            json.field("header", header)
            json.field("description", Self.text(alert.description))
            json.field("url", alert.url.first?.text)
            json.list("active_periods", objects: alert.activePeriods) { json, period in
                json.field("from", period.start, &clock)
                json.field("to", period.end, &clock)
            }
        }
    }

    /// The specification's name of a number, from 1; nil for one that it does not know.
    private static func name(_ number: Int?, of names: [String]) -> String? {
        number.flatMap { names.indices.contains($0 - 1) ? names[$0 - 1] : nil }
    }

    /// `Alert.Cause` of GTFS-realtime.
    private static let causes = [
        "UNKNOWN_CAUSE", "OTHER_CAUSE", "TECHNICAL_PROBLEM", "STRIKE", "DEMONSTRATION", "ACCIDENT",
        "HOLIDAY", "WEATHER", "MAINTENANCE", "CONSTRUCTION", "POLICE_ACTIVITY", "MEDICAL_EMERGENCY",
        "SPECIAL_EVENT",
    ]
    /// `Alert.Effect`.
    private static let effects = [
        "NO_SERVICE", "REDUCED_SERVICE", "SIGNIFICANT_DELAYS", "DETOUR", "ADDITIONAL_SERVICE",
        "MODIFIED_SERVICE", "OTHER_EFFECT", "UNKNOWN_EFFECT", "STOP_MOVED", "NO_EFFECT",
        "ACCESSIBILITY_ISSUE",
    ]
    /// `Alert.SeverityLevel`.
    private static let severities = ["UNKNOWN_SEVERITY", "INFO", "WARNING", "SEVERE"]
}

/// The riders a document is for.
private struct Audience {
    let stops: Set<String>
    let routes: Set<String>
    let kinds: Set<UInt16>
    /// An agency without an identifier, the only one of its timetable, may have any.
    let agencies: Set<String>
    let trips: Set<String>

    /// Whether an alert concerns them: one of its selectors matches in all fields that are set, of which there is at least
    /// one.
    func isConcerned(by alert: ServiceAlert) -> Bool {
        alert.informed.contains { selector in
            guard selector.isSet else { return false }
            if let stop = selector.stopID, !stops.contains(stop) { return false }
            if let route = selector.routeID ?? selector.trip?.routeID, !routes.contains(route) {
                return false
            }
            if let kind = selector.routeType, !kinds.contains(where: { Int($0) == kind }) {
                return false
            }
            if let trip = selector.trip?.tripID, !trips.contains(trip) { return false }
            if let agency = selector.agencyID, !agencies.contains(agency), !agencies.contains("") {
                return false
            }
            return true
        }
    }
}

extension ServiceAlert.Selector {
    /// Whether it selects by anything that a document can be of: one without such a field selects nothing.
    fileprivate var isSet: Bool {
        agencyID != nil || routeID != nil || stopID != nil || routeType != nil
            || trip?.tripID != nil || trip?.routeID != nil
    }
}

extension ServiceAlert {
    /// Whether it is to be shown at a time.
    package func isActive(at time: Timestamp) -> Bool {
        activePeriods.isEmpty
            || activePeriods.contains { period in
                (period.start.map { $0 <= time } ?? true) && (period.end.map { time < $0 } ?? true)
            }
    }
}
