// Realtime feeds that do not fit: of another agency, or from the future; each is said so and not believed.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite struct FeedFitTests {
    private let feed: TransitFeed
    private let now = TextTimetable.moment("08:02")
    init() throws { feed = try TextTimetable().feed() }

    /// A snapshot with what feeds say, each of them made just now.
    private func snapshot(_ entities: [[RealtimeEntity]], madeAhead: Int64 = 0) -> TransitSnapshot {
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        for (number, entities) in entities.enumerated() {
            state.take(
                RealtimeFeed(timestamp: now.adding(seconds: madeAhead), entities: entities),
                of: "feed \(number)", at: now)
        }
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
    }

    private func update(
        _ trip: String, _ relationship: TripRelationship? = nil, ahead: Int64? = nil
    ) -> RealtimeEntity {
        RealtimeEntity(
            id: trip,
            tripUpdate: .of(trip, [.at(20, delay: 300)], relationship) {
                $0.timestamp = ahead.map { now.adding(seconds: $0) }
            })
    }

    private func vehicle(
        _ trip: String, route: String? = nil, ahead: Int64 = 0
    ) -> RealtimeEntity {
        RealtimeEntity(
            id: "v" + trip,
            vehicle: .on(trip, seenAt: now.adding(seconds: ahead)) {
                ($0.latitude, $0.longitude) = (47.605, -122.33)
                $0.trip?.routeID = route
            })
    }

    // MARK: Other agencies

    private static let otherwise = ": it is of another agency, or the timetable is out of date"

    @Test func aFeedThatNamesNoTripOfTheTimetableIsSaidToBeAnothers() {
        let strange = snapshot([
            [update("north-8")], [update("x"), update("y"), vehicle("x")], [vehicle("z")],
        ])
        #expect(
            strange.feedWarnings == [
                "feed 1: none of its 2 trips is in the timetable" + Self.otherwise,
                "feed 2: its only trip, 'z', is not in the timetable" + Self.otherwise,
            ])
        #expect(strange.notices.counts.contains { $0.code == "no_trip_in_timetable" })
        #expect(strange.board("A").first?.delaySeconds == 300)
    }

    @Test func oneTripThatIsKnownIsEnoughAndAddedOnesAreNeverInATimetable() {
        #expect(snapshot([[update("x"), update("y"), update("north-8")]]).feedWarnings == [])
        #expect(snapshot([[update("x", .added)], [update("y", .new)]]).feedWarnings == [])
        #expect(snapshot([[], [update("40_north-8")]]).feedWarnings == [])
    }

    @Test func vehiclesThatNameRoutesAloneAreKnownByThose() {
        #expect(snapshot([[vehicle("", route: "L"), vehicle("", route: "M")]]).feedWarnings == [])
        #expect(
            snapshot([[vehicle("", route: "K"), vehicle("", route: "M")]]).feedWarnings
                == ["feed 0: none of its 2 routes is in the timetable" + Self.otherwise])
    }

    @Test(.enabled(if: TransitSamples.areHere))
    func caltrainsTripsAreNoneOfSoundTransits() throws {
        let updates = try RealtimeFeed.read(TransitSamples.bytes("caltrain/tripupdates.pb")).feed
        let made = try #require(updates.timestamp)
        func warnings(_ feed: TransitFeed) -> [String] {
            var (state, tracker) = (RealtimeState(), VehicleTracker())
            state.take(updates, of: "trip_updates", at: made)
            return TransitSnapshot(feed, state, asOf: made, tracker: &tracker).feedWarnings
        }
        #expect(
            try warnings(TransitSamples.soundTransit.get())
                == ["trip_updates: none of its 25 trips is in the timetable" + Self.otherwise])
        #expect(try warnings(TransitSamples.caltrain.get()) == [])
    }

    // MARK: The future

    @Test func whatIsStampedInTheFutureIsLeftOutAndSaidSo() {
        let near = snapshot([[update("north-8", ahead: 60)], [vehicle("north-8", ahead: 60)]])
        #expect(near.feedWarnings == [] && near.vehicles.count == 1)
        #expect(near.board("A").first?.delaySeconds == 300)
        #expect(near.board("A").first?.confidence == .high)

        let far = snapshot([
            [update("north-8", ahead: 61)], [vehicle("north-8", ahead: 3600), vehicle("night")],
        ])
        #expect(far.vehicles.map(\.entityID) == ["vnight"])
        let departure = far.board("A").first
        #expect(departure?.tripID == "north-8" && departure?.status == .scheduled)
        #expect(departure?.confidence == DepartureConfidence.none && departure?.seenAt == nil)
        #expect(
            far.feedWarnings == [
                "feed 0: one of its entities is stamped 61 s after this moment; it is left out",
                "feed 1: one of its entities is stamped 3600 s after this moment; it is left out",
            ])
    }

    @Test func theFeedsClockCountsWhereAnEntityHasNone() {
        #expect(snapshot([[update("north-8")]], madeAhead: 60).live.count == 1)
        let far = snapshot([[update("north-8"), update("north-9", ahead: 0)]], madeAhead: 2341)
        #expect(far.live.map(\.key.trip) == [feed.trip("north-9")])
        #expect(far.notices.counts.map(\.code) == ["timestamp_in_future"])
        let all = snapshot([[update("north-8"), vehicle("night", ahead: 3600)]], madeAhead: 2341)
        #expect(
            all.feedWarnings == [
                "feed 0: 2 of its entities are stamped up to 3600 s after this moment; they are left out"
            ])
    }

    @Test func aVehicleByAClockThatIsALittleAheadIsSeenNow() {
        let near = snapshot([[vehicle("north-8", ahead: 30)]])
        #expect(near.vehicles.first?.ageSeconds(at: now) == 0)
        #expect(near.vehicles.first?.ageSeconds(at: now.adding(seconds: 40)) == 10)
    }
}
