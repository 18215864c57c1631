// Bridges ahead in English: lines below departures, and service alerts.
public import BridgecastCore
internal import BridgecastRealtimeWire
internal import BridgecastSupport
internal import SwiftProtobuf

extension BridgeAhead {
    /// What the bridge may do to the run, in Seattle's time.
    ///
    /// Such as "Montlake Bridge at 17:42: 8 in 100 to be stopped; if so about 4 min", or for a bus that was seen there
    /// "waiting at Montlake Bridge (raised 3 min ago); about 2 more minutes", and for one that was not "should be waiting at
    /// Montlake Bridge now (lowered 1 min ago); about 1 more minute".
    ///
    /// - Parameter now: The time from which minutes are counted.
    public func text(at now: Timestamp) -> String {
        let name = BridgeCatalogue[bridge].spokenName
        guard isWaiting else {
            return "\(name) at \(TimeText.clock(arrival)): "
                + (delay.map(BridgeText.chance) ?? "no forecast so far ahead")
        }
        let rest = delay.map { "; " + BridgeText.moreMinutes($0.expectedSecondsIfDelayed) }
        return waitingText(at: name) + " (\(state(at: now)))" + (rest ?? "")
    }

    private func waitingText(at name: String) -> String {
        switch evidence {
        case .vehicle where loweredAt != nil: "waiting in the queue at \(name)"
        case .vehicle: "waiting at \(name)"
        case .prediction: "predicted to be waiting at \(name) now"
        case .timetable: "should be waiting at \(name) now"
        }
    }

    /// Such as "raised 3 min ago".
    private func state(at now: Timestamp) -> String {
        let change = loweredAt == nil ? "raised" : "lowered"
        guard let time = loweredAt ?? raisedSince else { return change }
        let minutes = Int(max(0, now.minutes(since: time)).rounded())
        return minutes == 0 ? "just \(change)" : "\(change) \(minutes) min ago"
    }
}

extension BridgeOutlookAtStop {
    /// Such as "bridges: 8 in 100 to be held up, 3 in 100 for 3 min or more".
    public var text: String {
        "bridges: \(BridgeText.share(probabilityDelayed)) to be held up, "
            + "\(BridgeText.share(probabilityOver3Minutes)) for 3 min or more"
    }
}

enum BridgeText {
    /// Such as "8 in 100 to be stopped; if so about 4 min".
    static func chance(_ delay: DelayDistribution) -> String {
        guard delay.probabilityDelayed > 0 else { return "not to be stopped" }
        return "\(share(delay.probabilityDelayed)) to be stopped; "
            + "if so \(minutes(delay.expectedSecondsIfDelayed))"
    }

    /// A probability, 0...1, such as "8 in 100"; never a certainty.
    static func share(_ probability: Double) -> String {
        let perHundred = Int((probability * 100).rounded())
        if perHundred < 1 { return "under 1 in 100" }
        return perHundred > 99 ? "over 99 in 100" : "\(perHundred) in 100"
    }

    /// Seconds, such as "about 4 min".
    static func minutes(_ seconds: Double) -> String {
        seconds < 45 ? "under a minute" : "about \(Int((seconds / 60).rounded())) min"
    }

    /// Seconds, such as "about 2 more minutes".
    static func moreMinutes(_ seconds: Double) -> String {
        guard seconds >= 45 else { return "less than a minute more" }
        let minutes = Int((seconds / 60).rounded())
        return "about \(minutes) more " + (minutes == 1 ? "minute" : "minutes")
    }

    /// Such as "A", "A and B" or "A, B and C"; beyond the maximum "A, B and 7 others".
    static func list(_ names: [String], max: Int = 8) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        guard names.count > max else {
            return names.dropLast().joined(separator: ", ") + " and " + last
        }
        return names.prefix(max - 1).joined(separator: ", ")
            + " and \(names.count - max + 1) others"
    }
}

/// Makes a GTFS-realtime feed of service alerts from the states of bridges.
public enum RaisedBridgeAlerts {
    /// A message of Protocol Buffers with an alert for each bridge that is up and that a route of the feed crosses; a full
    /// dataset, empty while all such bridges are down or unknown.
    ///
    /// An alert keeps its identifier for as long as its bridge is up. Its end is open, because it is unknown.
    ///
    /// - Parameters:
    ///   - feed: The timetable of the routes.
    ///   - bridges: With the crossings of the feed.
    ///   - now: The timestamp of the message.
    public static func protobufBytes(
        for feed: TransitFeed, _ bridges: TransitBridges, at now: Timestamp
    ) -> [UInt8] {
        var message = TransitRealtime_FeedMessage()
        message.header.gtfsRealtimeVersion = "2.0"
        message.header.incrementality = .fullDataset
        message.header.timestamp = UInt64(clamping: now.secondsSinceEpoch)
        for bridge in BridgeIndex.all {
            guard case .some(let since) = bridges.knowledge.raised(bridge) else { continue }
            let routes = bridges.crossings.routes(over: bridge).map { feed[$0] }
            guard !routes.isEmpty else { continue }
            var entity = TransitRealtime_FeedEntity()
            entity.id =
                "bridge-\(BridgeCatalogue[bridge].id)-raised"
                + (since.map { "-\($0.secondsSinceEpoch)" } ?? "")
            entity.alert = alert(
                bridge, since: since, routes: routes, stillUp: bridges.knowledge.stillUp(bridge),
                now: now)
            message.entity.append(entity)
        }
        // Fails for messages of 2 GiB alone: the required fields are set.
        return (try? message.serializedBytes()) ?? []
    }

    private static func alert(
        _ bridge: BridgeIndex, since: Timestamp?, routes: [TransitRoute], stillUp: String?,
        now: Timestamp
    ) -> TransitRealtime_Alert {
        var alert = TransitRealtime_Alert()
        var period = TransitRealtime_TimeRange()
        if let since { period.start = UInt64(clamping: since.secondsSinceEpoch) }
        alert.activePeriod = [period]
        alert.informedEntity = routes.map { route in
            var selector = TransitRealtime_EntitySelector()
            selector.routeID = route.id
            return selector
        }
        // None of the specification's causes is a bridge; buses wait and run on, so it is no detour.
        alert.cause = .otherCause
        alert.effect = .significantDelays
        alert.severityLevel = .warning
        alert.headerText = english(header(bridge, routes: routes))
        alert.descriptionText = english(description(since: since, stillUp: stillUp, now: now))
        return alert
    }

    private static func header(_ bridge: BridgeIndex, routes: [TransitRoute]) -> String {
        let titles = routes.map { printable($0.title, maxLength: 40) }.sorted {
            (Int($0) ?? .max, $0) < (Int($1) ?? .max, $1)
        }
        let names = BridgeText.list(titles)
        return BridgeCatalogue[bridge].spokenName + " is up: "
            + (routes.count == 1 ? "route \(names) waits" : "routes \(names) wait")
    }

    private static func description(since: Timestamp?, stillUp: String?, now: Timestamp) -> String {
        let beginning =
            since.map {
                let minutes = Int(max(0, now.minutes(since: $0)).rounded())
                return "Raised for boats at \(TimeText.clock($0))"
                    + (minutes > 0 ? ", \(minutes) min ago" : "")
            } ?? "Raised for boats"
        return beginning + ". Traffic waits until it is down and the queue has cleared."
            + (stillUp.map { " \($0)." } ?? "")
    }

    private static func english(_ text: String) -> TransitRealtime_TranslatedString {
        var translation = TransitRealtime_TranslatedString.Translation()
        translation.text = text
        translation.language = "en"
        var translated = TransitRealtime_TranslatedString()
        translated.translation = [translation]
        return translated
    }
}
