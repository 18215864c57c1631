// Tables of rows through the C interface: the numbers of the library for one request, bit for bit, whatever rows come
// together; nothing later than a row's issue time; and rows that cannot be answered.
import Bridgecast
import BridgecastTestSupport
import CBridgecast
import Foundation
import Testing

@Suite struct RowTests {
    private static let inference = try? TrafficInference(
        contentsOf: Fixtures.model("bridgecast.int8.bcm"))
    private static let reader = SituationReader(Fixtures.shippedHistory)
    private static let ids = BridgeIndex.all.map(id)
    private static let second: Int64 = 1_000_000

    private func handle() -> TestHandle {
        let handle = TestHandle()
        #expect(handle.readShippedRecords() == BRIDGECAST_OK)
        return handle
    }

    /// Times at which much is known and little, with openings under way and between two parts of one.
    private static func issueTimes(_ count: Int, _ random: inout SeededGenerator) -> [Timestamp] {
        let openings = Fixtures.shippedHistory.openings.flatMap(\.self)
        let seams = openings.flatMap(\.seams)
        return (0..<count).map { index in
            switch index % 4 {
            case 0:
                return Timestamp(
                    secondsSinceEpoch: .random(in: 1_440_000_000...1_772_000_000, using: &random))
            case 1:
                return seams[Int.random(in: seams.indices, using: &random)].lowerBound.adding(
                    seconds: 1)
            default:
                let opening = openings[Int.random(in: openings.indices, using: &random)]
                return opening.start.adding(seconds: .random(in: -60...600, using: &random))
            }
        }
    }

    private static func route(_ random: inout SeededGenerator) -> [TripRow.Step] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            TripRow.Step(
                minutes: .random(in: 0...25, using: &random),
                spread: Bool.random(using: &random) ? .random(in: 0...5, using: &random) : nil,
                bridge: Int.random(in: 0..<4, using: &random) == 0
                    ? nil : ids.randomElement(using: &random))
        }
    }

    private static func trips(_ count: Int, _ random: inout SeededGenerator) -> [TripRow] {
        let times = issueTimes(count / 3 + 1, &random)
        return (0..<count).map { index in
            let issued = times[index % times.count].secondsSinceEpoch
            let ahead: Int64 =
                [0, 1, 600, 3_599, 3_600, 3_601, 20_000, 9_000_000].randomElement(using: &random)
                ?? 0
            return TripRow(
                issueTime: issued * second, departure: (issued + ahead) * second,
                mode: .random(in: 0...2, using: &random),
                candidates: (0..<Int.random(in: 1...6, using: &random)).map { _ in route(&random) })
        }
    }

    // MARK: - The numbers of single requests

    @Test func forecastsOfRowsAreThoseOfTheLibrary() async throws {
        let inference = try #require(Self.inference)
        var random = SeededGenerator(seed: 1)
        let rows = Self.issueTimes(200, &random).flatMap { issued in
            (0..<2).map { _ in
                ArrivalRow(
                    bridge: Self.ids.randomElement(using: &random),
                    issueTime: issued.secondsSinceEpoch * Self.second + 999_999,
                    arrival: (issued.secondsSinceEpoch + .random(in: 0...9_000, using: &random))
                        * Self.second,
                    rho: Bool.random(using: &random) ? .random(in: 0...0.9, using: &random) : nil)
            }
        }.shuffled(using: &random)
        let answers = handle().forecast(rows, offset: 5).answers
        for (row, answer) in zip(rows, answers) {
            let issued = Timestamp(secondsSinceEpoch: try #require(row.issueTime) / Self.second)
            let arrival = Timestamp(secondsSinceEpoch: try #require(row.arrival) / Self.second)
            let bridge = try #require(BridgeCatalogue.index(of: BridgeID(Int(row.bridge ?? 0))))
            let delay = try await inference.forecast(
                ForecastRequest(
                    bridge: bridge, leadMinutes: arrival.minutes(since: issued),
                    density: row.rho.map { Float($0) }),
                in: Self.reader.situation(at: issued))
            let expected = [
                delay.probabilityDelayed, delay.expectedSeconds, delay.quantileSeconds(0.5),
                delay.quantileSeconds(0.8),
                delay.quantileSeconds(0.95),
            ]
            #expect(answer == ArrivalAnswer(status: 0, bits: expected.map(\.bitPattern)))
        }
    }

    @Test func ranksOfRowsAreThoseOfTheLibrary() async throws {
        let inference = try #require(Self.inference)
        var random = SeededGenerator(seed: 2)
        let rows = Self.trips(300, &random)
        let answers = handle().rank(rows, offset: 3).answers
        for (row, answer) in zip(rows, answers) {
            let issued = Timestamp(secondsSinceEpoch: try #require(row.issueTime) / Self.second)
            let ranking = try await inference.rank(
                try Self.routes(of: row),
                leaving: Timestamp(secondsSinceEpoch: try #require(row.departure) / Self.second),
                in: Self.reader.situation(at: issued))
            #expect(answer == Self.answer(ranking))
        }
    }

    private static func routes(of row: TripRow) throws -> [Route] {
        try #require(row.candidates).enumerated().map { number, steps in
            Route(
                id: "\(number)", name: "", origin: "", destination: "",
                mode: [.car, .bike, .walk][Int(row.mode ?? 0)],
                steps: steps.flatMap { step -> [Route.Step] in
                    let minutes = step.minutes ?? 0
                    let travel = step.spread.map {
                        Route.Travel(meanMinutes: minutes, spreadMinutes: $0)
                    }
                    let bridge = step.bridge.flatMap {
                        BridgeCatalogue.index(of: BridgeID(Int($0)))
                    }
                    return [.travel(travel ?? Route.Travel(minutes: minutes))]
                        + (bridge.map { [.crossing($0)] } ?? [])
                })
        }
    }

    private static func answer(_ ranking: RouteRanking) -> TripAnswer {
        let byCandidate = ranking.enumerated().sorted {
            (Int($0.element.route.id) ?? 0) < (Int($1.element.route.id) ?? 0)
        }
        return TripAnswer(
            status: 0, ranks: byCandidate.map { Int32($0.offset + 1) },
            bits: byCandidate.map { entry in
                let score = entry.element
                return [
                    score.expectedMinutes * 60, score.p50Minutes * 60, score.p80Minutes * 60,
                    score.p90Minutes * 60,
                    score.probabilityStopped, score.expectedDelayMinutes * 60,
                ].map(\.bitPattern)
            })
    }

    @Test(arguments: [1, 7, 64]) func answersDoNotDependOnTheRowsThatComeTogether(_ size: Int) {
        var random = SeededGenerator(seed: 3)
        let rows = Self.trips(120, &random)
        let whole = handle().rank(rows).answers
        let handle = handle()
        let order = rows.indices.shuffled(using: &random)
        for start in stride(from: 0, to: rows.count, by: size) {
            let part = order[start..<min(start + size, rows.count)]
            #expect(handle.rank(part.map { rows[$0] }).answers == part.map { whole[$0] })
        }
    }

    // MARK: - Nothing later

    @Test func nothingLaterThanTheIssueTimeCounts() {
        var random = SeededGenerator(seed: 4)
        let all = Fixtures.shippedHistory
        let openings = all.openings.flatMap(\.self)
        let periods = BridgeIndex.all.flatMap { bridge in
            all.coverage.periods[bridge.rawValue].map { (bridge: id(of: bridge), time: $0) }
        }
        let full = TestHandle()
        let cut = TestHandle()
        #expect(full.set(openings, covering: periods) == BRIDGECAST_OK)
        for issued in Self.issueTimes(60, &random) {
            let changed = openings.compactMap { opening -> Opening? in
                guard opening.start <= issued else { return nil }
                guard let end = opening.end, end > issued else { return opening }
                // It ends at another time, but later too.
                return Opening(
                    bridge: opening.bridge, start: opening.start,
                    end: max(issued.adding(seconds: 1), end.adding(seconds: -90)))
            }
            // So soon that it continues one of before, or later.
            let invented = BridgeIndex.all.map {
                Opening(
                    bridge: $0, start: issued.adding(seconds: .random(in: 1...400, using: &random)),
                    end: issued.adding(seconds: 900))
            }
            #expect(cut.set(changed + invented, covering: periods) == BRIDGECAST_OK)
            let rows = Self.ids.map {
                ArrivalRow(
                    bridge: $0, issueTime: issued.secondsSinceEpoch * Self.second,
                    arrival: (issued.secondsSinceEpoch + 300) * Self.second)
            }
            #expect(full.forecast(rows).answers == cut.forecast(rows).answers, "\(issued)")
        }
    }

    @Test func anOpeningUnderWayHasNoEnd() {
        let start = Fixtures.timestamp("2026-02-20T12:00")
        let day = [
            (bridge: Int32(0), time: start.adding(minutes: -1440)..<start.adding(minutes: 1440))
        ]
        func chance(lasting minutes: Double) -> [ArrivalAnswer] {
            let handle = TestHandle()
            let opening = Opening(
                bridge: .ballard, start: start, end: start.adding(minutes: minutes))
            #expect(handle.set([opening], covering: day) == BRIDGECAST_OK)
            let issued = start.adding(minutes: 3).secondsSinceEpoch * Self.second
            return handle.forecast([
                ArrivalRow(issueTime: issued, arrival: issued + 60 * Self.second)
            ]).answers
        }
        #expect(chance(lasting: 4) == chance(lasting: 25))
        #expect(chance(lasting: 4) != chance(lasting: 2))
    }

    // MARK: - Rows that cannot be answered

    @Test func aBadTripIsSetAsideAndTheOthersAreRanked() {
        let time = Fixtures.timestamp("2026-02-20T12:00").secondsSinceEpoch * Self.second
        let good = TripRow(
            issueTime: time, departure: time,
            candidates: [[.init(minutes: 5, bridge: 2)], [.init(minutes: 9)]])
        func bad(_ change: (inout TripRow) -> Void) -> TripRow {
            var row = good
            change(&row)
            return row
        }
        let cases: [(Int, TripRow)] = [
            (BRIDGECAST_ROW_MISSING, bad { $0.issueTime = nil }),
            (BRIDGECAST_ROW_MISSING, bad { $0.departure = nil }),
            (BRIDGECAST_ROW_MISSING, bad { $0.mode = nil }),
            (BRIDGECAST_ROW_MISSING, bad { $0.candidates = nil }),
            (BRIDGECAST_ROW_MISSING, bad { $0.candidates = [] }),
            (BRIDGECAST_ROW_MISSING, bad { $0.candidates?[1] = [] }),
            (BRIDGECAST_ROW_MISSING, bad { $0.candidates?[1][0].minutes = nil }),
            (BRIDGECAST_ROW_TIME, bad { $0.issueTime = -1 }),
            (BRIDGECAST_ROW_TIME, bad { $0.departure = .max }),
            (BRIDGECAST_ROW_TIME, bad { $0.issueTime = .min }),
            (BRIDGECAST_ROW_PAST, bad { $0.departure = time - Self.second }),
            (BRIDGECAST_ROW_FAR, bad { $0.departure = time + 367 * 86_400 * Self.second }),
            (BRIDGECAST_ROW_BRIDGE, bad { $0.candidates?[0][0].bridge = 5 }),
            (BRIDGECAST_ROW_BRIDGE, bad { $0.candidates?[0][0].bridge = .min }),
            (BRIDGECAST_ROW_MODE, bad { $0.mode = 3 }),
            (
                BRIDGECAST_ROW_CANDIDATES,
                bad { $0.candidates = Array(repeating: [.init(minutes: 1)], count: 1_001) }
            ),
            (
                BRIDGECAST_ROW_STEPS,
                bad {
                    $0.candidates?[0] = Array(repeating: .init(minutes: 1, bridge: 2), count: 51)
                }
            ),
            (
                BRIDGECAST_ROW_STEPS,
                bad { $0.candidates?[0] = Array(repeating: .init(minutes: 1), count: 101) }
            ),
            (BRIDGECAST_ROW_STRETCH, bad { $0.candidates?[0][0].minutes = -1 }),
            (BRIDGECAST_ROW_STRETCH, bad { $0.candidates?[0][0].minutes = .nan }),
            (BRIDGECAST_ROW_STRETCH, bad { $0.candidates?[0][0].spread = .infinity }),
            (
                BRIDGECAST_ROW_STRETCH,
                bad { $0.candidates?[0] = Array(repeating: .init(minutes: 1_000), count: 2) }
            ),
        ]
        let handle = handle()
        let expected = handle.rank([good]).answers[0]
        #expect(expected.status == BRIDGECAST_ROW_OK && expected.ranks.sorted() == [1, 2])
        let answers = handle.rank([good] + cases.flatMap { [$0.1, good] })
        #expect(answers.code == BRIDGECAST_OK)
        for (number, one) in cases.enumerated() {
            let answer = answers.answers[2 * number + 1]
            #expect(answer.status == one.0, "case \(number)")
            #expect(answer.ranks.allSatisfy { $0 == 0 })
            #expect(answer.bits.joined().allSatisfy { Double(bitPattern: $0).isNaN })
            #expect(answers.answers[2 * number + 2] == expected, "after case \(number)")
        }
    }

    @Test func aBadArrivalIsSetAside() {
        let time = Fixtures.timestamp("2026-02-20T12:00").secondsSinceEpoch * Self.second
        let cases: [(Int, ArrivalRow)] = [
            (BRIDGECAST_ROW_OK, ArrivalRow(issueTime: time, arrival: time)),
            (BRIDGECAST_ROW_MISSING, ArrivalRow(bridge: nil, issueTime: time, arrival: time)),
            (BRIDGECAST_ROW_MISSING, ArrivalRow(issueTime: nil, arrival: time)),
            (BRIDGECAST_ROW_MISSING, ArrivalRow(issueTime: time, arrival: nil)),
            (BRIDGECAST_ROW_BRIDGE, ArrivalRow(bridge: 0, issueTime: time, arrival: time)),
            (
                BRIDGECAST_ROW_TIME,
                ArrivalRow(issueTime: time, arrival: 4_102_444_800 * Self.second)
            ),
            (BRIDGECAST_ROW_PAST, ArrivalRow(issueTime: time, arrival: time - Self.second)),
            (
                BRIDGECAST_ROW_FAR,
                ArrivalRow(issueTime: time, arrival: time + 371 * 86_400 * Self.second)
            ),
            (BRIDGECAST_ROW_SATURATION, ArrivalRow(issueTime: time, arrival: time, rho: 1)),
            (BRIDGECAST_ROW_SATURATION, ArrivalRow(issueTime: time, arrival: time, rho: -0.1)),
            (BRIDGECAST_ROW_SATURATION, ArrivalRow(issueTime: time, arrival: time, rho: .nan)),
        ]
        let answers = handle().forecast(cases.map(\.1))
        #expect(answers.code == BRIDGECAST_OK)
        #expect(answers.answers.map(\.status) == cases.map { Int32($0.0) })
        for answer in answers.answers.dropFirst() {
            #expect(answer.bits.allSatisfy { Double(bitPattern: $0).isNaN })
        }
    }

    // MARK: - Calls that are refused

    @Test func aTableThatIsNoneIsRefusedAsAWhole() {
        let handle = handle()
        let row = TripRow(issueTime: 0, departure: 0, candidates: [[.init(minutes: 5)]])
        let offsets = Memory<Int32>([0, 2])
        let spoils: [(String, (inout bridgecast_trips) -> Void)] = unsafe [
            ("size", { unsafe $0.size = 8 }), ("departure", { unsafe $0.departure.values = nil }),
            (
                "first_candidate",
                { unsafe $0.first_candidate.values = UnsafeRawPointer(offsets.pointer) }
            ),
            ("first_step", { unsafe $0.first_step.values = UnsafeRawPointer(offsets.pointer) }),
            ("status", { unsafe $0.status = nil }), ("count", { unsafe $0.count = Int.max }),
            ("offset", { unsafe $0.minutes.offset = -1 }),
        ]
        for (name, spoil) in unsafe spoils {
            let code = unsafe handle.rank([row], spoil: spoil).code
            #expect(code == BRIDGECAST_USAGE, "\(name)")
            #expect(handle.error.contains(name))
        }
        #expect(handle.rank([]).code == BRIDGECAST_OK)
        #expect(handle.rank([row]).code == BRIDGECAST_OK)
    }

    @Test func recordsThatMakeNoSenseAreRefusedWithTheirIndex() {
        let handle = TestHandle()
        let time = Fixtures.timestamp("2026-02-20T12:00")
        let opening = Opening(bridge: .ballard, start: time, end: time.adding(minutes: 2_000))
        let period = (bridge: Int32(0), time: time..<time.adding(minutes: 1))
        #expect(handle.set([opening], covering: [period]) == BRIDGECAST_USAGE)
        #expect(handle.error.hasPrefix("opening 0"))
        #expect(
            handle.set([], covering: [period, (bridge: 5, time: period.time)]) == BRIDGECAST_USAGE)
        #expect(handle.error.hasPrefix("period 1"))
        #expect(handle.read(["/nowhere.csv"], coverage: "/nowhere.json") == BRIDGECAST_MISSING)
        let model = Fixtures.model("bridgecast.int8.bcm").path
        #expect(handle.read([model], coverage: model) == BRIDGECAST_DATA)
    }
}
