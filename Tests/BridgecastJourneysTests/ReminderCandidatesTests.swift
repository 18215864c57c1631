// When to leave, found again from packed candidates, against the scorer of routes.
import BridgecastCore
@testable import BridgecastJourneys
import BridgecastRouting
import BridgecastTestSupport
import Testing

@Suite struct ReminderCandidatesTests {
    private let issueTime = Fixtures.timestamp("2026-02-20T08:00:20")
    private let deadline = Fixtures.timestamp("2026-02-20T09:00")

    /// Delays that change from lead to lead: each bridge is up at a time of its own.
    private func table(_ random: inout SeededGenerator) throws -> ForecastTable {
        let peaks = BridgeIndex.all.map { _ in Double.random(in: 0...70, using: &random) }
        let chances = BridgeIndex.all.map { _ in Double.random(in: 0...0.9, using: &random) }
        return try ForecastTable(
            issueTime: issueTime, leadsMinutes: ForecastTable.leads(upTo: 200)
        ) { bridge, lead, mode in
            let distance = (lead - peaks[bridge.rawValue]) / 12
            let chance = chances[bridge.rawValue] / (1 + distance * distance)
            let shares: [Double] =
                mode.queues
                ? [0, 1, 2, 3, 3, 2, 2, 3, 2, 2, 1, 0] : [0, 3, 3, 3, 2, 1, 1, 1, 0, 0, 0, 0]
            let sum = shares.reduce(0, +)
            return DelayDistribution(
                shares.enumerated().map { bin, share in
                    Float(bin == 0 ? 1 - chance : chance * share / sum)
                })
        }
    }

    private func route(
        _ id: Int, crossings: Int, _ random: inout SeededGenerator
    ) -> Route {
        var steps: [Route.Step] = []
        for _ in 0..<crossings {
            steps.append(
                .travel(Route.Travel(minutes: Double.random(in: 2...12, using: &random))))
            steps.append(
                .crossing(
                    BridgeIndex.all[Int.random(in: 0..<BridgeIndex.all.count, using: &random)]))
        }
        steps.append(.travel(Route.Travel(minutes: Double.random(in: 5...18, using: &random))))
        return Route(
            id: "\(id)", name: "route \(id)", origin: "a", destination: "b",
            mode: Bool.random(using: &random) ? .car : .bike, steps: steps)
    }

    private func scored(
        _ routes: [Route], _ table: ForecastTable, leaving departure: Timestamp
    ) throws -> [Double] {
        var scorer = RouteScorer()
        try scorer.rank(
            try RouteSet(routes), with: table, leaving: departure, arriveBy: deadline)
        return scorer.figures.map { $0.probabilityOnTime ?? 0 }
    }

    @Test func theTimeToLeaveIsTheLatestThatTheScorerFindsSureEnough() throws {
        var random = SeededGenerator(seed: 21)
        var exact = 0
        var found = 0
        var difference = 0.0
        for round in 0..<300 {
            let table = try table(&random)
            let mode = route(0, crossings: 0, &random).mode
            let routes = (0..<3).map { number -> Route in
                var made = route(number, crossings: (number + round) % 4, &random)
                made.mode = mode
                return made
            }
            var wanted = reminder()
            wanted.confidence = Double.random(in: 0.5...0.97, using: &random)
            let leaveBy = try ReminderCandidates(routes, for: wanted, deadline: deadline)
                .leaveBy(with: table)
            // The scorer's own latest, minute by minute.
            var latest: Timestamp?
            var departure = deadline
            while departure >= issueTime {
                if try scored(routes, table, leaving: departure).contains(where: {
                    $0 >= wanted.confidence
                }) {
                    latest = departure
                    break
                }
                departure = departure.adding(minutes: -1)
            }
            guard let own = leaveBy.departure else {
                // Only where it is close.
                if let latest {
                    let best = try scored(routes, table, leaving: latest).max() ?? 0
                    #expect(best < wanted.confidence + 0.02, "\(round)")
                }
                continue
            }
            found += 1
            if own == latest { exact += 1 }
            let chance = try #require(try scored(routes, table, leaving: own).max())
            #expect(chance > wanted.confidence - 0.02, "\(round): \(chance)")
            let claimed = try #require(leaveBy.probabilityOnTime)
            #expect(abs(claimed - chance) < 0.03, "\(round): \(claimed), \(chance)")
            difference += abs(claimed - chance)
            #expect(claimed >= wanted.confidence)
            if let latest, latest > own {
                let best = try scored(routes, table, leaving: latest).max() ?? 0
                #expect(best < wanted.confidence + 0.02, "\(round): \(best)")
            }
            #expect(routes.map(\.name).contains(leaveBy.way))
        }
        #expect(difference < 0.01 * Double(found), "\(difference / Double(found))")
        #expect(found > 200 && exact * 10 > found * 9, "\(exact) of \(found)")
    }

    @Test func aBridgeThatIsLikelyToBeUpMakesOneLeaveEarlier() async throws {
        let ballard = Fixtures.bridge("Ballard")
        func table(_ chance: Float) throws -> ForecastTable {
            try ForecastTable(
                issueTime: issueTime, leadsMinutes: ForecastTable.leads(upTo: 120)
            ) { bridge, _, _ in
                guard bridge == ballard, chance > 0 else { return .none }
                return DelayDistribution(
                    [1 - chance] + Array(repeating: 0, count: 6) + [chance]
                        + Array(repeating: 0, count: 4))
            }
        }
        let over = Route(
            id: "over", name: "over", origin: "a", destination: "b", mode: .car,
            steps: [
                .travel(Route.Travel(minutes: 6)), .crossing(ballard),
                .travel(Route.Travel(minutes: 9)),
            ])
        let around = Route(
            id: "around", name: "around", origin: "a", destination: "b", mode: .car,
            steps: [.travel(Route.Travel(minutes: 19))])
        let board = ReminderBoard()
        await board.set(
            try ReminderCandidates([over, around], for: reminder("both"), deadline: deadline))
        await board.set(try ReminderCandidates([over], for: reminder("one"), deadline: deadline))
        let free = await board.leaveBys(with: try table(0))
        #expect(free.map(\.reminder) == ["both", "one"])
        #expect(free[0].way == "over" && free[0].departure == free[1].departure)
        let up = await board.leaveBys(with: try table(0.6))
        #expect(up[0].way == "around" && up[1].way == "over")
        let first = try #require(free[0].departure)
        let detour = try #require(up[0].departure)
        let held = try #require(up[1].departure)
        #expect(detour.minutes(since: first) < -3 && held < detour)
        // The first alone goes; the other stays as it was.
        await board.remove("both")
        #expect(await board.leaveBys(with: try table(0.6)) == [up[1]])
        await board.remove("gone")
        #expect(await board.count == 1)
    }

    @Test func deadlinesThatHavePassedOrAreBeyondTheForecastAreLeftOut() async throws {
        let road = Route(
            id: "r", name: "r", origin: "a", destination: "b", mode: .car,
            steps: [.travel(Route.Travel(minutes: 10))])
        let board = ReminderBoard()
        for (id, minutes) in [("past", -90.0), ("soon", 0), ("far", 300)] {
            await board.set(
                try ReminderCandidates(
                    [road], for: reminder(id), deadline: deadline.adding(minutes: minutes)))
        }
        let table = try ForecastTable(
            issueTime: issueTime, leadsMinutes: ForecastTable.leads(upTo: 120)
        ) { _, _, _ in .none }
        let found = await board.leaveBys(with: table)
        #expect(found.map(\.reminder) == ["soon"])
        // Ten minutes have a P90 of 12.8: the next whole minute before.
        #expect(found.first?.departure == deadline.adding(minutes: -13))
    }

    @Test func noDepartureIsBeforeTheForecast() throws {
        let road = Route(
            id: "r", name: "r", origin: "a", destination: "b", mode: .car,
            steps: [.travel(Route.Travel(minutes: 58))])
        let table = try ForecastTable(
            issueTime: issueTime, leadsMinutes: ForecastTable.leads(upTo: 120)
        ) { _, _, _ in .none }
        let candidates = try ReminderCandidates([road], for: reminder(), deadline: deadline)
        #expect(candidates.leaveBy(with: table).departure == nil)
    }
}
