// The live pipeline on replayed records.
import Bridgecast
import BridgecastStore
import BridgecastTestSupport
import Observation
import Synchronization
import Testing
@testable import BridgecastCore
@testable import BridgecastLive

@Suite @MainActor struct LiveReplayTests {
    @Test func aReplayedDayIsShownAsItWasAndStoredAsItWasSeen() async throws {
        let store = try HistoryStore(inMemoryNamed: "test")
        let (service, app, clock) = try replay(from: "2026-02-20T00:00", store: store)
        for hour in stride(from: 7.0, through: 1_440, by: 7) {
            try await service.run(
                until: Fixtures.timestamp("2026-02-20T00:00").adding(minutes: hour))
            // The last reading is of the full 20 seconds before.
            let asOf = try #require(app.feeds.first { $0.id == "replay" }?.fetchedAt)
            #expect(clock.now.secondsSinceEpoch - asOf.secondsSinceEpoch <= 20)
            for model in app.bridges {
                switch model.state {
                case .unknown: #expect(!BridgeCatalogue[model.bridge].hasLiveSensor)
                case .lowered: #expect(!truth(model.bridge, asOf))
                case .raised(let since):
                    #expect(truth(model.bridge, asOf))
                    let started = Fixtures.shippedHistory.openings[model.bridge.rawValue]
                        .last { $0.start <= asOf }?.start
                    let late =
                        (since ?? asOf).secondsSinceEpoch - (started ?? asOf).secondsSinceEpoch
                    #expect((0...20).contains(late))
                }
            }
        }
        let seen = try store.history()
        let day = Fixtures.timestamp("2026-02-20T00:00")..<Fixtures.timestamp("2026-02-20T23:00")
        for bridge in BridgeIndex.all where BridgeCatalogue[bridge].hasLiveSensor {
            let real = Fixtures.shippedHistory.openings(of: bridge, overlapping: day)
            let ours = seen.openings(of: bridge, overlapping: day)
            #expect(ours.count == real.count, "\(BridgeCatalogue[bridge].name)")
            for (one, other) in zip(ours, real) {
                #expect(abs(one.start.minutes(since: other.start)) <= 0.34)
                #expect(abs((one.minutes ?? 0) - (other.minutes ?? 0)) <= 0.34)
            }
        }
        #expect(seen.openings[Fixtures.bridge("University").rawValue].isEmpty)
        #expect(app.phase == .ready && app.error == nil)
    }

    @Test func changesAreDescribedWithTheirConsequence() async throws {
        let (service, app, _) = try replay(from: "2026-02-20T17:30")
        try await service.run(until: Fixtures.timestamp("2026-02-20T18:10"))
        let texts = app.events.reversed().map(\.text)
        #expect(texts.first == "watching 5 bridges, all lowered")
        let raised = try #require(texts.first { $0.hasPrefix("Ballard raised 18:00; ") })
        #expect(raised.contains("Fremont's chance for 18:1"))
        #expect(raised.contains(" rose from "))
        #expect(texts.contains { $0.hasPrefix("Ballard lowered 18:04 after 4 min") })
        let ids = app.events.map(\.id)
        #expect(ids == ids.sorted(by: >) && Set(ids).count == ids.count)
    }

    @Test func aChangeCostsOneBatchHoweverManyWatch() async throws {
        let (alone, _, _) = try replay(from: "2026-02-20T17:30")
        try await alone.run(until: Fixtures.timestamp("2026-02-20T18:30"))
        let (watched, app, _) = try replay(from: "2026-02-20T17:30")
        let woken = Atomic<Int>(0)
        @MainActor func watch(_ model: BridgeStatusModel) {
            withObservationTracking {
                _ = (model.state, model.realTimeDelay)
            } onChange: {
                woken.add(1, ordering: .relaxed)
            }
        }
        for number in 0..<10_000 { watch(app.bridges[number % 7]) }
        try await watched.run(until: Fixtures.timestamp("2026-02-20T18:30"))
        let one = await alone.counts
        let many = await watched.counts
        #expect(one.batches == many.batches && one.changes == many.changes && many.changes > 4)
        #expect(woken.load(ordering: .relaxed) == 10_000)
        // One batch at the start, one a minute, and one for each reading that changed something.
        #expect(many.batches <= 1 + 60 + many.latencies.count)
    }

    /// Both nights on which clocks change, at which an hour is there twice or not at all.
    @Test(arguments: [
        ("2017-11-04T20:00", "2017-11-05T12:00"), ("2025-03-09T00:30", "2025-03-09T12:00"),
    ])
    func nightsOfClockChangesAreReplayed(_ period: (String, String)) async throws {
        let store = try HistoryStore(inMemoryNamed: "dst")
        let (service, app, _) = try replay(from: period.0, store: store)
        let start = Fixtures.timestamp(period.0)
        let end = Fixtures.timestamp(period.1)
        var time = start
        while time < end {
            time = time.adding(minutes: 11)
            try await service.run(until: time)
            for model in app.bridges where BridgeCatalogue[model.bridge].hasLiveSensor {
                let asOf = try #require(app.feeds.first { $0.id == "replay" }?.fetchedAt)
                #expect(
                    model.state == .unknown
                        || (model.state == .lowered) != truth(model.bridge, asOf))
            }
        }
        let seen = try store.history()
        for bridge in BridgeIndex.all where BridgeCatalogue[bridge].hasLiveSensor {
            // Coverage is one piece of the night's true length: 17 or 15 hours of clock time, 16 of time.
            let minutes = seen.coverage.minutes(of: bridge)
            guard Fixtures.shippedHistory.coverage.contains(start, of: bridge) else { continue }
            #expect(abs(minutes - time.minutes(since: start)) < 2, "\(minutes)")
            let night = start.adding(minutes: 1)..<end
            #expect(
                seen.openings(of: bridge, overlapping: night).count
                    == Fixtures.shippedHistory.openings(of: bridge, overlapping: night).count)
        }
    }

    @Test func aReplayClockRunsAtItsSpeedWithoutDrift() async throws {
        let start = Fixtures.timestamp("2026-02-20T17:55")
        let clock = ReplayClock(from: start, speed: 600)
        let began = ContinuousClock.now
        for step in 1...10 {
            try await clock.sleep(seconds: 20)
            #expect(clock.now == start.adding(seconds: Int64(step) * 20), "it wakes at its time")
        }
        // However long each wake took, ten waits of 20 s end no sooner than 200 s of the replay.
        #expect(began.duration(to: .now) >= .milliseconds(332))
        let jumping = ReplayClock(from: start, speed: .infinity)
        try await jumping.sleep(seconds: 86_400)
        #expect(jumping.now == start.adding(minutes: 1440))
        try await jumping.sleep(seconds: -20)
        #expect(jumping.now == start.adding(minutes: 1440), "it never runs backwards")
    }
}

@Suite struct ForecastReachTests {
    @Test(arguments: [nil, 120.0])
    func aForecastHasTheRequestedReach(_ wanted: Double?) async throws {
        let inference = TrafficInference(
            try ModelFile.read(Fixtures.model("bridgecast.int8.bcm")))
        let forecaster =
            try wanted.map {
                try LiveForecaster(inference, history: Fixtures.shippedHistory, reachMinutes: $0)
            } ?? LiveForecaster(inference, history: Fixtures.shippedHistory)
        let update = try await forecaster.update(
            nil, traffic: LiveTraffic(), at: Fixtures.timestamp("2026-02-20T18:02"))
        #expect(update.table.reachMinutes == wanted ?? 60)
        #expect(update.bridges.allSatisfy { $0.outlook.last?.leadMinutes == 60 })
    }
}

@Suite struct ForecastReloadTests {
    private static let names = ["bridgecast.int8.bcm", "validation/bridgecast.int8.bcm"]
    private static let updates = 40

    /// All chances of a table, by bridge and lead.
    private func chances(_ table: ForecastTable) throws -> [Double] {
        try BridgeIndex.all.flatMap { bridge in
            try table.leadsMinutes.map {
                try table.delay(at: bridge, leadMinutes: $0, mode: .car).probabilityDelayed
            }
        }
    }

    /// Every reader gets everything in order until the service ends; one that comes late begins with the newest, and one that
    /// does not read in time loses the oldest.
    @Test @MainActor func newsAreAStream() async throws {
        var streams: [AsyncStream<LiveNews>] = []
        var expected: [String] = []
        do {
            let (service, app, _) = try replay(from: "2026-02-20T17:30")
            streams = [service.news(bufferingNewest: 1_000), service.news(bufferingNewest: 1)]
            try await service.run(until: Fixtures.timestamp("2026-02-20T18:20"))
            streams.append(service.news())
            expected = app.events.sorted { $0.id < $1.id }.map(\.text)
        }
        var read: [[LiveNews]] = []
        for stream in streams {
            read.append(
                await Task.detached {
                    var news: [LiveNews] = []
                    for await one in stream { news.append(one) }
                    return news
                }.value)
        }
        #expect(read.map(\.count).suffix(2) == [1, 1])
        #expect(expected.count > 1 && read[0].flatMap(\.events).map(\.text) == expected)
        for news in read.dropFirst() {
            #expect(news[0].publishedAt == read[0].last?.publishedAt)
            #expect(news[0].update?.issueTime == read[0].last?.update?.issueTime)
        }
    }

    @Test func everyForecastIsOfItsNamedModel() async throws {
        let models = try Self.names.map { try ModelFile.read(Fixtures.model($0)) }
        let inference = TrafficInference(models[0])
        let history = Fixtures.shippedHistory
        let time = Fixtures.timestamp("2026-02-20T18:02")
        let forecaster = try LiveForecaster(inference, history: history)
        let reloads = Task.detached {
            while !Task.isCancelled {
                for model in models { inference.use(model) }
                await Task.yield()
            }
        }
        defer { reloads.cancel() }
        for number in 0..<Self.updates {
            let update = try await forecaster.update(
                nil, traffic: LiveTraffic(), at: time.adding(minutes: Double(number)))
            // A model of its own, which is not reloaded.
            let own = try await TrafficInference(update.model).table(
                in: update.situation, reaching: update.table.reachMinutes, traffic: update.traffic)
            #expect(try chances(own) == chances(update.table), "update \(number)")
        }
        // The two do not forecast the same, or nothing would be shown by this.
        let situation = SituationReader(history).situation(at: time)
        let first = try await TrafficInference(models[0]).table(in: situation, reaching: 60)
        let second = try await TrafficInference(models[1]).table(in: situation, reaching: 60)
        #expect(try chances(first) != chances(second))
    }
}
