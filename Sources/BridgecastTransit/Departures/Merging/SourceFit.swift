// Whether one realtime feed fits the timetable and the moment at all; kept for each by RealtimeMerge.
internal import BridgecastCore

/// What of a feed's trips the timetable knows, and what of the feed is from the future.
struct SourceFit: Sendable {
    /// Trips that are not in the timetable.
    private var strangeTrips: Set<String> = []
    /// Routes that are not, of entities that name no trip.
    private var strangeRoutes: Set<String> = []
    private var knowsTrip = false
    private var knowsRoute = false
    /// Entities that are stamped with a moment that has not come yet.
    private var aheadCount = 0
    /// How far ahead the farthest of them is, seconds.
    private var mostAheadSeconds: Int64 = 0

    /// Takes note of whom an entity is about.
    ///
    /// Trips that a feed adds are never in the timetable. Once one trip is known the feed is not strange, and no more is
    /// looked up.
    mutating func see(_ selector: TripSelector, _ resolver: TripResolver) {
        guard !knowsTrip else { return }
        let isAdded = selector.relationship == .added || selector.relationship == .new
        if let id = selector.tripID, !id.isEmpty {
            if resolver.trip(selector) != nil {
                knowsTrip = true
            } else if !isAdded {
                strangeTrips.insert(id)
            }
        } else if let id = selector.routeID, !id.isEmpty, !knowsRoute {
            if resolver.route(selector) != nil {
                knowsRoute = true
            } else {
                strangeRoutes.insert(id)
            }
        }
    }

    /// Counts an entity from so many seconds in the future.
    mutating func countAhead(_ seconds: Int64) {
        aheadCount += 1
        mostAheadSeconds = max(mostAheadSeconds, seconds)
    }

    /// What the timetable has nothing of, such as `none of its 25 trips is in the timetable`; nil if it has something, or
    /// the feed names nothing.
    var strangeness: String? {
        guard !knowsTrip else { return nil }
        if !strangeTrips.isEmpty { return Self.none(strangeTrips, "trip") }
        return knowsRoute || strangeRoutes.isEmpty ? nil : Self.none(strangeRoutes, "route")
    }

    /// What is from the future, such as `2 of its entities are stamped up to 3600 s after this moment; they are left out`; nil
    /// if nothing is.
    var prematureness: String? {
        switch aheadCount {
        case 0: nil
        case 1:
            "one of its entities is stamped \(mostAheadSeconds) s after this moment; it is left out"
        default:
            "\(aheadCount) of its entities are stamped up to \(mostAheadSeconds) s after this moment; "
                + "they are left out"
        }
    }

    private static func none(_ ids: Set<String>, _ kind: String) -> String {
        guard ids.count == 1, let only = ids.first else {
            return "none of its \(ids.count) \(kind)s is in the timetable"
        }
        return "its only \(kind), '\(printable(only))', is not in the timetable"
    }
}

extension RealtimeMerge {
    /// Whether what bears a stamp is believed: not if that is farther in the future than clocks differ; counted for its feed.
    mutating func isBelieved(_ stamp: Timestamp?, of source: Int) -> Bool {
        guard let stamp else { return true }
        let ahead = stamp.secondsSinceEpoch - asOf.secondsSinceEpoch
        guard ahead > RealtimeState.mostAheadSeconds else { return true }
        fits[source].countAhead(ahead)
        return false
    }

    /// Notes which of the feeds do not fit, by their identifiers.
    mutating func noteFits(of sources: [String]) {
        for (id, fit) in zip(sources, fits) {
            if let strangeness = fit.strangeness {
                result.notices.add(
                    .warning, FeedNotice.strangeFeedCode, file: id,
                    "\(strangeness): it is of another agency, or the timetable is out of date")
            }
            if let prematureness = fit.prematureness {
                result.notices.add(
                    .warning, FeedNotice.futureCode, file: id, field: "timestamp", prematureness)
            }
        }
    }
}
