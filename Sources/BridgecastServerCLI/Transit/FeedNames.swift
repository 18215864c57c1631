// Stops, routes and trips as people name them: by identifier, sign or name; used by the commands of transit.
import BridgecastCLI
import BridgecastCore
import BridgecastService
import BridgecastTransit

/// Finds what a user named in a feed.
struct FeedNames {
    let feed: TransitFeed

    /// Names that are listed where several fit, or none.
    private static let most = 5

    /// The stop or station with an identifier, a code or a name; of a station and its platforms the station.
    ///
    /// - Throws: ``CommandFailure`` that names those that fit, or the nearest ones.
    func stop(_ text: String) throws -> StopIndex {
        if let stop = feed.stop(text) { return stop }
        let stops = (0..<feed.stops.count).map { feed[StopIndex($0)] }
            .filter { $0.kind == .stop || $0.kind == .station }
        let wanted = text.lowercased()
        for fits in [
            { (stop: TransitStop) in stop.code.lowercased() == wanted },
            { $0.name.lowercased() == wanted }, { $0.name.lowercased().hasPrefix(wanted) },
            { $0.name.lowercased().contains(wanted) },
        ] where !wanted.isEmpty {
            let found = stops.filter(fits)
            let parents = Set(found.map(\.index))
            // A platform is called as its station is.
            let tops = found.filter { stop in !(stop.parent.map(parents.contains) ?? false) }
            if let only = tops.first, tops.count == 1 { return only.index }
            guard tops.isEmpty else {
                let list = tops.prefix(Self.most).map { "\($0.id) (\($0.name))" }
                    .joined(separator: ", ")
                let rest = tops.count > Self.most ? ", and \(tops.count - Self.most) more" : ""
                throw CommandFailure(
                    .usage,
                    "several stops are called '\(printable(text))': name one by its identifier: \(list)\(rest)"
                )
            }
        }
        throw unknown(
            "stop", text, near: NearNames.nearest(text, of: stops.map(\.name), most: Self.most))
    }

    /// The route with an identifier or a name, such as `542`.
    ///
    /// - Throws: ``CommandFailure`` that names those there are.
    func route(_ text: String) throws -> RouteIndex {
        if let route = feed.route(text) { return route }
        let routes = (0..<feed.routes.count).map { feed[RouteIndex($0)] }
        let wanted = text.lowercased()
        let found = routes.filter {
            $0.shortName.lowercased() == wanted || $0.longName.lowercased() == wanted
        }
        if let only = found.first, found.count == 1 { return only.index }
        guard found.isEmpty else {
            throw CommandFailure(
                .usage,
                "several routes are called '\(printable(text))': name one by its identifier: "
                    + found.prefix(Self.most).map(\.id).joined(separator: ", "))
        }
        throw unknown(
            "route", text, near: NearNames.nearest(text, of: routes.map(\.title), most: Self.most))
    }

    /// The trip with an identifier, or the name that riders have for it, such as a train's number, of those that run on the
    /// day.
    ///
    /// - Throws: ``CommandFailure``
    func trip(_ text: String, in snapshot: TransitSnapshot, at now: Timestamp) throws -> TripIndex {
        if let trip = feed.trip(text) { return trip }
        let today = feed.zone.civil(at: now).date
        let named = (0..<feed.trips.count).lazy.map { feed[TripIndex($0)] }.filter {
            $0.shortName == text
        }
        if let trip = named.first(where: { feed.services.isActive($0.service, on: today) })
            ?? named.first
        {
            return trip.index
        }
        let live = snapshot.runs.keys.map { feed[$0.trip].id }.sorted()
        let ids =
            live.isEmpty ? (0..<min(feed.trips.count, 20_000)).map { feed.trips.ids[$0] } : live
        throw unknown("trip", text, near: NearNames.nearest(text, of: ids, most: Self.most))
    }

    private func unknown(_ what: String, _ text: String, near: [String]) -> CommandFailure {
        let hint = near.isEmpty ? "" : "; is it \(near.joined(separator: ", "))?"
        return CommandFailure(
            .usage, "the feed has no \(what) '\(printable(text))'\(hint)")
    }
}
