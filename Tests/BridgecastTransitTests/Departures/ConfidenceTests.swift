// How far boards are to be trusted: by the age of vehicles and of updates, each by its own clock or its feed's.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite struct ConfidenceTests {
    private let feed: TransitFeed
    private let now = TextTimetable.moment("08:02")
    init() throws { feed = try TextTimetable().feed() }

    /// The confidence of the next departure at Ash, with a vehicle and an update that are so many seconds old.
    private func confidence(vehicle: Int64?, update: Int64 = 10) -> DepartureConfidence? {
        let vehicles =
            vehicle.map { [VehicleReport.on("north-8", seenAt: now.adding(seconds: -$0))] } ?? []
        let update = TripUpdate.of("north-8", [.at(20, delay: 60)]) {
            $0.timestamp = now.adding(seconds: -update)
        }
        return TransitSnapshot.of(feed, at: now, [update], vehicles: vehicles).board("A").first?
            .confidence
    }

    @Test func itIsHighWithAVehicleSeenJustNowAndANewUpdate() {
        #expect(confidence(vehicle: 90) == .high && confidence(vehicle: 91) == .medium)
        #expect(confidence(vehicle: 10, update: 300) == .high)
        #expect(confidence(vehicle: 10, update: 301) == .medium)
        #expect(confidence(vehicle: 10, update: 2280) == .medium)
    }

    @Test func itIsMediumWithAnUpdateAloneAndLowOnceNobodyRenewsThat() {
        #expect(confidence(vehicle: nil) == .medium && confidence(vehicle: 4000) == .medium)
        #expect(confidence(vehicle: nil, update: 900) == .medium)
        #expect(confidence(vehicle: nil, update: 901) == .low)
        #expect(confidence(vehicle: 300, update: 901) == .medium)
        #expect(confidence(vehicle: 301, update: 901) == .low)
        #expect(
            TransitSnapshot(feed, asOf: now).board("A").first?.confidence
                == DepartureConfidence.none)
    }

    @Test func whatIsFromTheFutureIsNotBelieved() {
        #expect(confidence(vehicle: -4000) == .medium)
        #expect(confidence(vehicle: -60, update: -60) == .high)
        #expect(confidence(vehicle: 10, update: -4000) == DepartureConfidence.none)
    }

    /// What a board says where updates came so many seconds ago without a moment of their own, and vehicles now.
    private func confidence(updatesMade made: Int64?, fetched: Int64) -> DepartureConfidence? {
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        let update = TripUpdate.of("north-8", [.at(20, delay: 60)])
        state.take(
            RealtimeFeed(
                timestamp: made.map { now.adding(seconds: -$0) },
                entities: [RealtimeEntity(id: "1", tripUpdate: update)]),
            of: "trip_updates", at: now.adding(seconds: -fetched))
        let vehicle = VehicleReport.on("north-8", seenAt: now)
        state.take(
            RealtimeFeed(
                timestamp: now, entities: [RealtimeEntity(id: "1", vehicle: vehicle)]),
            of: "vehicles", at: now)
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker).board("A").first?
            .confidence
    }

    @Test func anUpdateWithoutAMomentIsAsOldAsItsOwnFeed() {
        #expect(confidence(updatesMade: 20, fetched: 10) == .high)
        #expect(confidence(updatesMade: 2280, fetched: 10) == .medium)
        // Nor does the feed say when it was made: as old as its fetching.
        #expect(confidence(updatesMade: nil, fetched: 10) == .high)
        #expect(confidence(updatesMade: nil, fetched: 2280) == .medium)
        // A clock that is a little ahead makes nothing newer than now; one that is far ahead is not believed.
        #expect(confidence(updatesMade: -60, fetched: 10) == .high)
        #expect(confidence(updatesMade: -7200, fetched: 10) == DepartureConfidence.none)
    }
}
