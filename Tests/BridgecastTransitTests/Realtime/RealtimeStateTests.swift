// What is held of realtime feeds: changes, deletions, duplicates, and messages that are older than others.
import BridgecastCore
import BridgecastTransit
import Testing

@Suite struct RealtimeStateTests {
    private static let noon = Timestamp(secondsSinceEpoch: 1_771_380_000)

    private static func update(_ trip: String, _ delay: Int, seen: Int64? = nil) -> TripUpdate {
        var update = TripUpdate()
        update.trip.tripID = trip
        update.delaySeconds = delay
        update.timestamp = seen.map { noon.adding(seconds: $0) }
        return update
    }

    private static func message(
        at seconds: Int64?, isDifferential: Bool = false, _ trips: (id: String, delay: Int)...
    ) -> RealtimeFeed {
        RealtimeFeed(
            version: "2.0", isDifferential: isDifferential,
            timestamp: seconds.map { noon.adding(seconds: $0) },
            entities: trips.map { RealtimeEntity(id: $0.id, tripUpdate: update($0.id, $0.delay)) })
    }

    private func delays(_ state: RealtimeState) -> [Int] {
        state.tripUpdates.compactMap(\.update.delaySeconds)
    }

    @Test func fullMessagesReplaceTheContent() {
        var state = RealtimeState()
        state.take(Self.message(at: 0, ("a", 1), ("b", 2)), of: "t", at: Self.noon)
        state.take(Self.message(at: 30, ("b", 3)), of: "t", at: Self.noon.adding(seconds: 30))
        #expect(delays(state) == [3])
        #expect(state.statuses.map(\.entities) == [1])
        #expect(state.statuses[0].feedTimestamp == Self.noon.adding(seconds: 30))
    }

    @Test func differentialMessagesChangeAddAndRemove() {
        var state = RealtimeState()
        state.take(Self.message(at: 0, ("a", 1), ("b", 2), ("c", 3)), of: "t", at: Self.noon)
        var change = Self.message(at: 30, isDifferential: true, ("b", 20), ("d", 4))
        change.entities.append(RealtimeEntity(id: "a", isDeleted: true))
        state.take(change, of: "t", at: Self.noon.adding(seconds: 30))
        #expect(delays(state).sorted() == [3, 4, 20])
        // Of what is not there nothing can be taken away.
        var nothing = Self.message(at: 60, isDifferential: true)
        nothing.entities = [RealtimeEntity(id: "zz", isDeleted: true)]
        state.take(nothing, of: "t", at: Self.noon.adding(seconds: 60))
        #expect(delays(state).count == 3)
    }

    @Test func olderMessagesAreIgnoredWithAProblem() {
        var state = RealtimeState()
        state.take(Self.message(at: 30, ("a", 1)), of: "t", at: Self.noon.adding(seconds: 31))
        state.take(Self.message(at: 0, ("a", 9)), of: "t", at: Self.noon.adding(seconds: 61))
        #expect(delays(state) == [1])
        #expect(state.statuses[0].problem?.contains("30 s older") == true)
        state.take(Self.message(at: 60, ("a", 2)), of: "t", at: Self.noon.adding(seconds: 91))
        #expect(delays(state) == [2] && state.statuses[0].problem == nil)
    }

    @Test func aClockThatWasAheadDoesNotBlockTheFeed() {
        var state = RealtimeState()
        state.take(Self.message(at: 7200, ("a", 1)), of: "t", at: Self.noon)
        #expect(state.statuses[0].remark == "the feed's clock is 7200 s ahead")
        state.take(Self.message(at: 30, ("a", 2)), of: "t", at: Self.noon.adding(seconds: 31))
        #expect(delays(state) == [2])
        #expect(state.statuses[0].remark == nil && state.statuses[0].problem == nil)
    }

    @Test func contentStaysWhenAFeedFails() {
        var state = RealtimeState()
        state.take(Self.message(at: 0, ("a", 1)), of: "t", at: Self.noon)
        state.fail("t", problem: "no answer")
        #expect(delays(state) == [1] && state.statuses[0].problem == "no answer")
        #expect(state.statuses[0].fetchedAt == Self.noon)
        state.confirm("t", at: Self.noon.adding(seconds: 60))
        #expect(state.statuses[0].problem == nil)
        #expect(state.statuses[0].fetchedAt == Self.noon.adding(seconds: 60))
    }

    @Test func messagesWithoutATimestampAreAsOldAsTheirFetch() {
        var state = RealtimeState()
        state.take(Self.message(at: 0, ("a", 1)), of: "t", at: Self.noon.adding(seconds: 5))
        #expect(state.tripUpdates.map(\.messageTime) == [Self.noon])
        // Not as old as the one before it.
        let later = Self.noon.adding(seconds: 600)
        state.take(Self.message(at: nil, ("a", 2)), of: "t", at: later)
        #expect(state.statuses[0].feedTimestamp == nil)
        #expect(state.tripUpdates.map(\.messageTime) == [later])
        // Nor newer for a failure.
        state.fail("t", problem: "no answer")
        #expect(state.tripUpdates.map(\.messageTime) == [later])
    }

    @Test func ofTwoUpdatesOfATripTheOneSeenLaterStays() {
        var message = Self.message(at: 0)
        message.entities = [
            RealtimeEntity(id: "1", tripUpdate: Self.update("a", 1, seen: 10)),
            RealtimeEntity(id: "2", tripUpdate: Self.update("a", 2, seen: 5)),
            RealtimeEntity(id: "3", tripUpdate: Self.update("b", 3)),
        ]
        var state = RealtimeState()
        state.take(message, of: "t", at: Self.noon)
        #expect(delays(state) == [1, 3])
    }

    /// Identifiers of entities are unique by rule; where a feed breaks it nothing is lost.
    @Test func entitiesWithTheSameIdentifierAreAllKept() {
        var message = Self.message(at: 0)
        message.entities = ["a", "b"].map {
            RealtimeEntity(id: "0", tripUpdate: Self.update($0, 1))
        }
        message.entities += [RealtimeEntity(id: "0", vehicle: RichFeed.vehicle)]
        var state = RealtimeState()
        state.take(message, of: "t", at: Self.noon)
        #expect(state.tripUpdates.count == 2 && state.vehicles.count == 1)
    }

    @Test func feedsAreSeparateAndInOrder() {
        var state = RealtimeState()
        state.take(
            RealtimeFeed(
                timestamp: Self.noon, entities: [RealtimeEntity(id: "1", vehicle: RichFeed.vehicle)]
            ),
            of: "vehicles", at: Self.noon)
        state.take(Self.message(at: nil, ("1", 1)), of: "trips", at: Self.noon)
        state.take(
            RealtimeFeed(entities: [RealtimeEntity(id: "1", alert: RichFeed.alert)]), of: "alerts",
            at: Self.noon)
        #expect(state.statuses.map(\.id) == ["vehicles", "trips", "alerts"])
        #expect(state.vehicles.map(\.messageTime) == [Self.noon])
        #expect(state.vehicles.map(\.entityID) == ["1"])
        #expect(delays(state) == [1] && state.alerts == [RichFeed.alert])
        #expect(state.statuses[1].remark == "the feed does not say when it was made")
    }
}
