// How a feed's failures and a forecast's age are counted, without a clock that runs.
import Bridgecast
import BridgecastData
@testable import BridgecastLive
import BridgecastTestSupport
import Testing

@Suite struct LiveAgeingTests {
    private static func status(_ code: Int, after seconds: Double? = nil) -> FeedError {
        .status(url: "https://feed.example", code: code, retryAfterSeconds: seconds)
    }

    @Test func failuresInARowAreAskedLessOftenUntilAnAnswer() {
        var health = FeedHealth()
        var seconds: [Int64?] = []
        for _ in 0..<6 {
            seconds.append(health.nextSeconds(.live))
            health.failed(.unreachable(url: "https://feed.example", reason: "down"))
        }
        #expect(seconds == [20, 20, 40, 80, 120, 120])
        health.failed(Self.status(503, after: 300))
        #expect(health.nextSeconds(.live) == 300)
        // What a feed asked for counts until it says something else.
        health.failed(.timedOut(url: "https://feed.example", seconds: 10))
        #expect(health.nextSeconds(.live) == 120 && health.failures == 8)
        health.answered()
        #expect(health == FeedHealth() && health.nextSeconds(.live) == 20)
    }

    @Test func whatTheUserHasToDoIsNotTriedAgainByItself() {
        var health = FeedHealth()
        let refused = Self.status(403)
        health.failed(refused)
        #expect(health.recovery(from: refused, .live) == .userActionRequired("\(refused)"))
        #expect(health.recovery(from: Self.status(500), .live) == .retryScheduled(after: 20))
        #expect(health.recovery(.manual) == .userActionRequired("ask again"))
    }

    @Test func aForecastIsDueAfterAMinuteAndWhenLiveStatesNoLongerCount() async throws {
        let forecaster = try LiveForecaster(
            TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))),
            history: Fixtures.shippedHistory)
        let now = Fixtures.moment("2026-02-20T18:02")
        var shown = ShownForecast()
        #expect(shown.isDue(at: now) && !shown.isAhead(of: now))
        let known = try await forecaster.update(nil, traffic: LiveTraffic(), at: now)
        shown.show(known)
        #expect(
            !shown.isDue(at: now.adding(seconds: 59)) && shown.isDue(at: now.adding(seconds: 60)))
        // A clock that was set back: not old, but of a time that has not come.
        let earlier = now.adding(seconds: -3600)
        #expect(!shown.isDue(at: earlier) && shown.isAhead(of: earlier))
        let turns = [true, true, false].map { shown.turn(isStale: $0) }
        #expect(turns == [true, false, true] && !shown.isStale)
        let later = Fixtures.moment("2026-03-02T12:00")
        let unknown = try await forecaster.update(nil, traffic: LiveTraffic(), at: later)
        let lost = ShownForecast.lost(known, unknown, at: later)
        #expect(Set(lost.map(\.bridge)) == Set(BridgeIndex.all).subtracting([.lowerSpokaneSt]))
        #expect(lost.allSatisfy { $0.after == .unknown && $0.at == later })
        #expect(ShownForecast.lost(nil, unknown, at: later).isEmpty)
        #expect(ShownForecast.lost(unknown, known, at: now).isEmpty)
    }
}
