// Raised drawbridges as service alerts for those who read GTFS-realtime: which routes wait, since when, for how long as a rule.
public import BridgecastCore

/// Makes a feed of service alerts from what the bridges do.
public enum RaisedBridgeAlerts {
    /// A message with an alert for each bridge that is up and that a route of the feed crosses; it is the whole, and empty
    /// while all such bridges are down or not known.
    ///
    /// An alert keeps its identifier for as long as its bridge is up. Its end is open: nobody knows it.
    ///
    /// - Parameters:
    ///   - feed: The timetable that the routes are of.
    ///   - crossings: Those of the feed.
    ///   - now: The time that the message is given.
    public static func message(
        for feed: TransitFeed, _ crossings: BridgeCrossings, _ knowledge: BridgeKnowledge,
        at now: Timestamp
    ) -> RealtimeFeed {
        let entities = BridgeIndex.all.compactMap { bridge -> RealtimeEntity? in
            guard case .some(let since) = knowledge.raised(bridge) else { return nil }
            let routes = crossings.routes(over: bridge).map { feed[$0] }
            guard !routes.isEmpty else { return nil }
            let id =
                "bridge-\(BridgeCatalogue[bridge].id)-raised"
                + (since.map { "-\($0.secondsSinceEpoch)" } ?? "")
            return RealtimeEntity(
                id: id, alert: alert(bridge, since, routes, knowledge.stillUp(bridge), now))
        }
        return RealtimeFeed(version: "2.0", timestamp: now, entities: entities)
    }

    private static func alert(
        _ bridge: BridgeIndex, _ since: Timestamp?, _ routes: [TransitRoute], _ stillUp: String?,
        _ now: Timestamp
    ) -> ServiceAlert {
        var alert = ServiceAlert()
        alert.activePeriods = [ServiceAlert.Period(start: since, end: nil)]
        alert.informed = routes.map { route in
            var selector = ServiceAlert.Selector()
            selector.routeID = route.id
            return selector
        }
        (alert.cause, alert.effect, alert.severity) = (otherCause, significantDelays, warning)
        alert.header = [english(header(bridge, routes))]
        alert.description = [english(description(bridge, since, stillUp, now))]
        return alert
    }

    private static func header(_ bridge: BridgeIndex, _ routes: [TransitRoute]) -> String {
        let titles = routes.map { printable($0.title, most: 40) }
            .sorted { (Int($0) ?? .max, $0) < (Int($1) ?? .max, $1) }
        let names = BridgeWords.list(titles)
        return BridgeCatalogue[bridge].spokenName + " is up: "
            + (routes.count == 1 ? "route \(names) waits" : "routes \(names) wait")
    }

    private static func description(
        _ bridge: BridgeIndex, _ since: Timestamp?, _ stillUp: String?, _ now: Timestamp
    ) -> String {
        let beginning =
            since.map {
                let minutes = Int(max(0, now.minutes(since: $0)).rounded())
                return "Raised for boats at \(TimeText.clock($0))"
                    + (minutes > 0 ? ", \(minutes) min ago" : "")
            } ?? "Raised for boats"
        return beginning + ". Traffic over it waits until it is down and the queue has gone."
            + (stillUp.map { " \($0)." } ?? "")
    }

    private static func english(_ text: String) -> ServiceAlert.Translation {
        ServiceAlert.Translation(text, language: "en")
    }

    // GTFS-realtime reference 2.0, Alert: none of its causes is a bridge; buses wait and run on, so it is no detour.
    private static let otherCause = 2
    private static let significantDelays = 3
    private static let warning = 3
}
