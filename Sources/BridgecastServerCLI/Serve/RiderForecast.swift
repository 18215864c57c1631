// When to leave for departures at stops: by realtime, less the walk, with what drawbridges may add.
import BridgecastCore
import BridgecastEngine
import BridgecastJourneys
import BridgecastLive
internal import BridgecastSupport
import BridgecastTransit
import Foundation
import Synchronization

/// Buses and trains at a time, with the bridges as forecast.
struct RiderForecast: Sendable {
    private let transit: (snapshot: TransitSnapshot, stops: RiderStops)?
    private let bridges: TransitBridges?
    private let now: Timestamp

    /// A departure that differs by more from the reminder's time is another one, seconds.
    private static let toleranceSeconds: Int64 = 300
    /// Departures are looked for from this long before the reminder's time, seconds.
    private static let earlySeconds: Int64 = 1800
    /// And up to this long after it, seconds.
    private static let lateSeconds = 3600

    /// - Parameter transit: With the stops of its feed; nil for the reminders' own times.
    init(_ transit: (snapshot: TransitSnapshot, stops: RiderStops)?, by update: LiveUpdate) {
        self.transit = transit
        now = update.issueTime
        guard let crossings = transit?.stops.crossings, !crossings.isEmpty,
            let table = try? update.model.minuteTable(
                in: update.situation, traffic: update.traffic)
        else {
            bridges = nil
            return
        }
        bridges = TransitBridges(
            crossings,
            BridgeKnowledge(
                table, situation: update.situation, climatology: update.model.climatology,
                traffic: update.traffic))
    }

    /// When to leave for a departure; nil for a trip on roads.
    ///
    /// One that the timetable does not have, as it may have changed, counts by the reminder's own time.
    func leaveBy(_ due: ReminderForecaster.Due) -> LeaveBy? {
        guard case .stop(let line, _, let direction) = due.favourite.target else { return nil }
        let name = "line \(line)"
        guard let transit, let departure = departure(due, towards: direction, in: transit) else {
            return LeaveBy(
                catching: due.deadline, of: name, for: due.reminder, deadline: due.deadline,
                bridgeSeconds: nil)
        }
        let ahead = bridges?.ahead(of: departure.run, in: transit.snapshot, at: now)
        return LeaveBy(
            catching: departure.isServed ? departure.expected : nil, of: name, for: due.reminder,
            deadline: due.deadline,
            bridgeSeconds: ahead?.outlook(atStop: departure.stopOrder)?.p90Seconds)
    }

    private func departure(
        _ due: ReminderForecaster.Due, towards direction: String,
        in transit: (snapshot: TransitSnapshot, stops: RiderStops)
    ) -> Departure? {
        guard let stop = transit.stops.stop(of: due.favourite.target) else { return nil }
        let from = max(now, due.deadline.adding(seconds: -Self.earlySeconds))
        var query = BoardQuery()
        query.route = stop.route
        query.direction = Int(direction).flatMap { (0...1).contains($0) ? $0 : nil }
        query.horizonSeconds =
            Int(due.deadline.secondsSinceEpoch - from.secondsSinceEpoch) + Self.lateSeconds
        let departures = transit.snapshot.board(of: stop.stop, at: from, query).departures
            .filter { query.direction != nil || $0.isTowards(direction) }
        func difference(_ departure: Departure) -> Int64 {
            abs(
                (departure.scheduledDeparture ?? .latest).secondsSinceEpoch
                    - due.deadline.secondsSinceEpoch)
        }
        return departures.min { difference($0) < difference($1) }
            .flatMap { difference($0) <= Self.toleranceSeconds ? $0 : nil }
    }
}

extension Departure {
    /// Whether it shows a direction; an empty one is any.
    fileprivate func isTowards(_ direction: String) -> Bool {
        direction.isEmpty || headsign.lowercased().contains(direction.lowercased())
    }
}

/// The stops of favourites in a feed; names are searched once.
final class RiderStops: Sendable {
    /// A stop, and a line there.
    struct Stop: Sendable {
        let stop: StopIndex
        let route: RouteIndex
    }

    /// The feed.
    let feed: TransitFeed
    private let foundCrossings = Mutex<BridgeCrossings?>(nil)
    private let found = Mutex<[Favourite.Target: Stop?]>([:])

    init(_ feed: TransitFeed) { self.feed = feed }

    /// The drawbridges on its shapes; finding them takes up to a second, once.
    var crossings: BridgeCrossings {
        foundCrossings.withLock { known in
            let crossings = known ?? BridgeCrossings(of: feed)
            known = crossings
            return crossings
        }
    }

    /// The stop and the line of a favourite; nil if the feed does not have both.
    func stop(of target: Favourite.Target) -> Stop? {
        guard case .stop(let line, let name, _) = target else { return nil }
        if let known = found.withLock({ $0[target] }) { return known }
        let names = FeedNames(feed: feed)
        var stop: Stop?
        if let index = try? names.stop(name), let route = try? names.route(line) {
            stop = Stop(stop: index, route: route)
        }
        found.withLock { $0[target] = stop }
        return stop
    }
}
