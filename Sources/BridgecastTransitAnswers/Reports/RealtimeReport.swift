// What a realtime feed holds and what is wrong with it, as JSON; printed by `feed check`.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastTransit

/// The report of a realtime feed.
package struct RealtimeReport: Sendable, JSONAnswer {
    /// The file.
    package let name: String
    /// Its bytes as they came.
    package let bytes: Int
    /// `protobuf`, `json` or `onebusaway`.
    package let form: String
    /// The specification's version that it follows; nil where it does not say.
    package let version: String?
    /// Whether it tells changes alone.
    package let isDifferential: Bool
    /// When it was made, by its own clock.
    package let madeAt: Timestamp?
    /// How much of what it holds.
    package let counts: [(name: String, number: Int)]
    /// What is wrong with it, and with how it fits its timetable.
    package let notices: FeedNotices
    private let zone: TransitZone
    private let now: Timestamp

    /// The report of a feed.
    ///
    /// - Parameters:
    ///   - timetable: What it belongs to; nil to look at the feed alone.
    ///   - now: Tells how old it is.
    package init(
        _ reading: RealtimeReading, of name: String, bytes: Int, against timetable: TransitFeed?,
        at now: Timestamp
    ) {
        let feed = reading.feed
        (self.name, self.bytes, self.now) = (name, bytes, now)
        (form, version) = (reading.form.rawValue, feed.version)
        (isDifferential, madeAt) = (feed.isDifferential, feed.timestamp)
        zone = timetable?.zone ?? TransitZone("UTC") ?? .seattle
        var counts = Self.counts(of: feed)
        var notices = reading.notices
        if let timetable {
            let moment = feed.timestamp ?? now
            var (state, tracker) = (RealtimeState(), VehicleTracker())
            state.take(feed, of: "feed", at: moment)
            let snapshot = TransitSnapshot(timetable, state, asOf: moment, tracker: &tracker)
            counts += [
                ("runs_of_the_timetable", snapshot.runs.count),
                ("runs_beside_it", snapshot.added.count),
                (
                    "vehicles_on_their_line",
                    snapshot.vehicles.count { $0.place?.isOffRoute == false }
                ),
                ("vehicles_off_route", snapshot.vehicles.count { $0.place?.isOffRoute == true }),
            ]
            notices.add(snapshot.notices)
        }
        (self.counts, self.notices) = (counts, notices)
    }

    private static func counts(of feed: RealtimeFeed) -> [(name: String, number: Int)] {
        let updates = feed.entities.compactMap(\.tripUpdate)
        let vehicles = feed.entities.compactMap(\.vehicle)
        return [
            ("entities", feed.entities.count), ("trip_updates", updates.count),
            ("stop_time_updates", updates.reduce(0) { $0 + $1.stops.count }),
            ("vehicles", vehicles.count),
            ("vehicles_with_occupancy", vehicles.count { $0.occupancy != nil }),
            ("alerts", feed.entities.count { $0.alert != nil }),
            ("deleted", feed.entities.count { $0.isDeleted == true }),
        ]
    }

    /// When it was made, in words.
    package var madeWords: String {
        guard let madeAt else { return "not said" }
        let seconds = now.secondsSinceEpoch - madeAt.secondsSinceEpoch
        let clock = zone.rfc3339(madeAt)
        guard seconds >= 0 else { return "\(clock), \(-seconds) s ahead of this machine's clock" }
        return seconds < 86_400
            ? "\(clock), \(seconds) s ago" : "\(clock), \(seconds / 86_400) days ago"
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        var clock = MomentText(zone)
        json.object { json in
            json.field("name", name)
            json.field("kind", "realtime")
            json.field("form", form)
            json.field("bytes", bytes)
            json.field("version", version)
            json.field("differential", isDifferential)
            json.fields("timestamp", "timestamp_epoch_s", madeAt, &clock)
            json.object("counts") { json in
                for count in counts {
                    json.field(named: count.name, Double(count.number), decimals: 0)
                }
            }
            json.notices(notices)
        }
    }
}
